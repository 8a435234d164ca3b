//! The formats an import reads, and their names on the command line.

use std::fmt;
use std::str::FromStr;

use super::error::ImportError;

/// What kind of file is imported.
///
/// ```
/// use myosotis::import::Format;
/// assert_eq!("mcp-memory".parse::<Format>()?, Format::McpMemory);
/// assert!("word".parse::<Format>().is_err());
/// # Ok::<(), myosotis::import::ImportError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Our own export: JSON lines with a header.
    Myosotis,
    /// A plain transcript: JSON lines, one message each.
    Transcript,
    /// `conversations.json` of a ChatGPT export.
    ChatGpt,
    /// `conversations.json` of a Claude export.
    Claude,
    /// The JSON that mem0's `get_all` gives.
    Mem0,
    /// `memory.json` (or `memory.jsonl`) of the official MCP memory server.
    McpMemory,
    /// A LoCoMo conversation, or the list of them.
    Locomo,
    /// A BEAM chat.
    Beam,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 8] = [
        Format::Myosotis,
        Format::Transcript,
        Format::ChatGpt,
        Format::Claude,
        Format::Mem0,
        Format::McpMemory,
        Format::Locomo,
        Format::Beam,
    ];

    /// The word on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Myosotis => "myosotis",
            Format::Transcript => "transcript",
            Format::ChatGpt => "chatgpt",
            Format::Claude => "claude",
            Format::Mem0 => "mem0",
            Format::McpMemory => "mcp-memory",
            Format::Locomo => "locomo",
            Format::Beam => "beam",
        }
    }

    /// What a file of this format is, for a message.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Format::Myosotis => "an export of Myosotis (JSON lines, the first of type \"myosotis-export\")",
            Format::Transcript => "a transcript (JSON lines with `role` and `content`)",
            Format::ChatGpt => "a ChatGPT export (conversations with `mapping`)",
            Format::Claude => "a Claude export (conversations with `chat_messages`)",
            Format::Mem0 => "what mem0's get_all gives (`results` with `memory`)",
            Format::McpMemory => "a memory file of the MCP memory server (JSON lines of type entity or relation)",
            Format::Locomo => "a LoCoMo conversation (`session_1`, `session_2`, ...)",
            Format::Beam => "a BEAM chat (`messages` with `text`)",
        }
    }

    /// What its records are numbered by: lines, or the elements of its JSON array.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Format::Myosotis | Format::Transcript | Format::McpMemory => "line",
            Format::ChatGpt | Format::Claude | Format::Locomo => "conversation",
            Format::Mem0 => "memory",
            Format::Beam => "message",
        }
    }

    /// Whether a file of this format has one JSON object a line, rather than one JSON document.
    #[must_use]
    pub fn is_lines(self) -> bool {
        matches!(self, Format::Myosotis | Format::Transcript | Format::McpMemory)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Format {
    type Err = ImportError;
    fn from_str(value: &str) -> Result<Self, ImportError> {
        Format::ALL
            .into_iter()
            .find(|format| format.as_str() == value)
            .ok_or_else(|| ImportError::UnknownFormat(super::fields::excerpt(value)))
    }
}
