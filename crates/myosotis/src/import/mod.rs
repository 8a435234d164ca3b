//! Import of what people have: our own export, transcripts, the exports of ChatGPT and Claude, the
//! memories of mem0 and of the MCP memory server, and the LoCoMo and BEAM conversations.
//!
//! This folder turns bytes into records and knows nothing of stores. [`Input`] opens and unpacks,
//! [`detect()`] tells the format, [`read()`] yields one [`Record`] after another. Lines are read one at
//! a time (`lines`), the elements of a JSON array too (`elements`), so memory is bounded by the longest
//! line or conversation. Something broken costs its line, element or message and is reported with its
//! number; only what makes the rest untrustworthy ends the reading. One file per format has one parser,
//! from a JSON object to records.
//!
//! Whose memory it becomes is never read from a file (ID-4), and a time a file does not give stays
//! unknown (MEM-13).

mod chatgpt;
mod claude;
mod detect;
mod elements;
mod error;
mod fields;
mod format;
mod input;
mod lines;
mod locomo;
mod mcp_memory;
mod mem0;
mod own;
#[cfg(test)]
mod tests;
mod transcript;

use std::collections::VecDeque;

use jiff::Timestamp;
use myosotis_core::{Item, Kind, Role};

pub use detect::detect;
pub use error::{Broken, ImportError, ReadError};
pub use format::Format;
pub use input::{HEAD_BYTES, Input, MAX_UNPACKED, Progress};

use elements::{Elements, NotThere, Top};
use fields::Object;
use lines::Lines;

/// Why instructions and the results of tools are skipped.
const UNSPOKEN: &str = "system and tool messages";
/// Why pictures, thoughts and the like are skipped.
const TEXTLESS: &str = "messages without text";

/// One thing a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Line number for JSON lines; number of the element, from 1, otherwise.
    pub line: u64,
    /// What it is.
    pub content: Content,
}

/// What a record is.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A memory of our own export, as it was.
    Item(Box<Item>),
    /// A message of a conversation.
    Turn(Turn),
    /// Something another memory system learned.
    Fact(Fact),
    /// Nothing to remember, and why, in words to count by: `system and tool messages`.
    Skipped(&'static str),
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// What was said, as it stands in the file.
    pub text: String,
    /// Whose words: user or assistant.
    pub role: Role,
    /// The speaker's name, where people talk to each other.
    pub speaker: Option<String>,
    /// Which conversation.
    pub session: Option<String>,
    /// The message's own id.
    pub message: Option<String>,
    /// Its place among the messages of its session that are remembered, from 0.
    pub position: Option<u32>,
    /// When it was said; `None` if the file does not tell.
    pub created: Option<Timestamp>,
}

/// Something another memory system learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The text, as it stands in the file.
    pub text: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// Its id there.
    pub id: Option<String>,
    /// When it was learned.
    pub created: Option<Timestamp>,
    /// When it was last changed.
    pub updated: Option<Timestamp>,
}

/// Reads the records of a file in order.
///
/// A [`ReadError::Broken`] is followed by the rest; after a [`ReadError::Stopped`] there is nothing.
///
/// ```
/// use myosotis::import::{Content, Format, Input, ReadError, read};
/// let lines = "{\"role\": \"user\", \"content\": \"I moved to Lisbon.\"}\n{\"role\": \"user\"}";
/// let mut records = read(Format::Transcript, Input::new(lines.as_bytes())?);
/// let first = records.next().unwrap()?;
/// assert!(matches!(first.content, Content::Turn(turn) if turn.text == "I moved to Lisbon."));
/// let second = records.next().unwrap().unwrap_err();
/// assert_eq!(second.to_string(), "line 2: it has no `content`");
/// assert!(records.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn read(format: Format, input: Input<'_>) -> Records<'_> {
    let refused = refuse(format, input.head()).err();
    let reader = input.into_reader();
    let units = match format {
        Format::Myosotis | Format::Transcript | Format::McpMemory => Units::Lines(Lines::new(reader)),
        Format::ChatGpt | Format::Claude => {
            Units::Elements(Elements::new(reader, Top { keys: &["conversations"], alone: true }))
        }
        Format::Mem0 => Units::Elements(Elements::new(reader, Top { keys: &["results", "memories"], alone: false })),
        Format::Locomo => Units::Elements(Elements::new(reader, Top { keys: &[], alone: true })),
        Format::Beam => Units::Elements(Elements::new(reader, Top { keys: &["messages"], alone: false })),
    };
    let parser: Box<dyn Parser> = match format {
        Format::Myosotis => Box::new(own::Own::default()),
        Format::Transcript => Box::new(transcript::Transcript::plain()),
        Format::ChatGpt => Box::new(chatgpt::ChatGpt),
        Format::Claude => Box::new(claude::Claude),
        Format::Mem0 => Box::new(mem0::Mem0),
        Format::McpMemory => Box::new(mcp_memory::McpMemory),
        Format::Locomo => Box::new(locomo::Locomo::default()),
        Format::Beam => Box::new(transcript::Transcript::beam()),
    };
    let mut out = Out { unit: format.unit(), line: 0, ready: VecDeque::new() };
    let over = refused.is_some();
    out.ready.extend(refused.map(|error| Err(error.into())));
    Records { format, units, parser, out, over }
}

/// Refuses a file that is recognisably something else, before every line of it is reported as broken.
fn refuse(format: Format, head: &[u8]) -> Result<(), ImportError> {
    let wrong = |found: &str| Err(ImportError::WrongFormat { expected: format, found: found.to_owned() });
    if let Some(other) = detect(head, None).filter(|other| *other != format) {
        return wrong(other.describe());
    }
    let start = head.trim_ascii_start().first();
    if format.is_lines() {
        let has_object = head.split(|b| *b == b'\n').any(|line| line.trim_ascii_start().starts_with(b"{"));
        return match start {
            Some(b'[') => wrong("one JSON array, not a JSON object a line"),
            _ if has_object => Ok(()),
            _ if head.contains(&0) => wrong("binary data"),
            _ => wrong("text without any JSON object"),
        };
    }
    match start {
        Some(b'[' | b'{') | None => Ok(()),
        _ if head.contains(&0) => wrong("binary data"),
        _ => wrong("something that is no JSON"),
    }
}

/// The records of a file; see [`read()`].
pub struct Records<'a> {
    format: Format,
    units: Units<'a>,
    parser: Box<dyn Parser>,
    out: Out,
    over: bool,
}

impl std::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records").field("format", &self.format).field("over", &self.over).finish_non_exhaustive()
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.out.ready.is_empty() && !self.over {
            if let Err(error) = self.advance() {
                self.over = true;
                self.out.ready.push_back(Err(error.into()));
            }
        }
        self.out.ready.pop_front()
    }
}

impl Records<'_> {
    /// Reads one line or element.
    fn advance(&mut self) -> Result<(), ImportError> {
        let unit = match &mut self.units {
            Units::Lines(lines) => lines.next()?,
            Units::Elements(elements) => elements.next()?.map_err(|NotThere| ImportError::WrongFormat {
                expected: self.format,
                found: "a JSON object with other keys".to_owned(),
            })?,
        };
        let Some(unit) = unit else {
            self.over = true;
            return Ok(());
        };
        self.out.line = unit.number;
        match unit.content.and_then(|bytes| fields::object(&bytes)) {
            Ok(object) => self.parser.object(object, &mut self.out)?,
            Err(reason) => self.out.broken(reason),
        }
        Ok(())
    }
}

enum Units<'a> {
    Lines(Lines<'a>),
    Elements(Elements<'a>),
}

/// A line or element, or why it was not kept.
struct Unit {
    number: u64,
    content: Result<Vec<u8>, String>,
}

/// From a JSON object of one format to records.
trait Parser {
    /// Reads one line or element. An error ends the reading of the file.
    fn object(&mut self, object: Object, out: &mut Out) -> Result<(), ImportError>;
}

/// Where a parser puts what it found; numbers it.
#[derive(Debug)]
struct Out {
    unit: &'static str,
    line: u64,
    ready: VecDeque<Result<Record, ReadError>>,
}

impl Out {
    fn content(&mut self, content: Content) {
        self.ready.push_back(Ok(Record { line: self.line, content }));
    }

    fn item(&mut self, item: Box<Item>) {
        self.content(Content::Item(item));
    }

    fn turn(&mut self, turn: Turn) {
        self.content(Content::Turn(turn));
    }

    fn fact(&mut self, fact: Fact) {
        self.content(Content::Fact(fact));
    }

    fn skip(&mut self, why: &'static str) {
        self.content(Content::Skipped(why));
    }

    fn broken(&mut self, reason: impl Into<String>) {
        self.ready.push_back(Err(Broken { unit: self.unit, line: self.line, reason: reason.into() }.into()));
    }
}
