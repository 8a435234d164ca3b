//! Export and restore: everything stored about a user as JSON lines, and back without loss (ERA-7).
//!
//! The first line tells the format, then one line each for the consent and every memory:
//!
//! ```text
//! {"type":"myosotis-export","version":1,"exported":"2026-12-01T10:00:00Z"}
//! {"type":"consent","state":"on","at":"2026-11-01T09:00:00Z","how":"command line"}
//! {"type":"memory","id":"…","scope":{"namespace":"chat"},"kind":"fact","state":"live","text":"…", …}
//! ```
//!
//! Vectors are left out: they are derived and made again. A restored file never switches memory on:
//! the consent line is there to be seen.

use std::io::Write;

use jiff::Timestamp;
use myosotis_core::{Item, MemoryId, State, ports, text};
use serde::{Deserialize, Serialize};

use crate::commit::{Commit, Sight};
use crate::consent::Consent;
use crate::embedding::embed_all;
use crate::error::Error;
use crate::outcome::{Refusal, Remembered};
use crate::remember::{batches, learned_tag, tag_of};
use crate::rows::Opened;
use crate::spoken::texts_of;
use crate::user::UserMemory;

/// The version of the export's format.
pub const EXPORT_VERSION: u32 = 1;

/// One line of an export.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ExportLine {
    /// The first line.
    #[serde(rename = "myosotis-export")]
    Header {
        /// [`EXPORT_VERSION`].
        version: u32,
        /// When the export was made.
        exported: Timestamp,
    },
    /// What the user said about being remembered.
    #[serde(rename = "consent")]
    Consent(Consent),
    /// A memory of any state.
    #[serde(rename = "memory")]
    Memory(Box<Item>),
}

impl UserMemory {
    /// Writes everything stored about the user as JSON lines. Returns how many memories there were.
    ///
    /// # Errors
    /// If the store cannot be read or `out` cannot be written.
    pub fn export(&self, out: &mut dyn Write) -> Result<usize, Error> {
        let exported = self.shared.clock.now();
        write_line(out, &ExportLine::Header { version: EXPORT_VERSION, exported })?;
        if let Some(consent) = self.consent()? {
            write_line(out, &ExportLine::Consent(consent))?;
        }
        let mut count = 0;
        self.each_item(None, |opened| {
            count += 1;
            write_line(out, &ExportLine::Memory(Box::new(opened.item)))
        })?;
        out.flush().map_err(Error::Output)?;
        Ok(count)
    }

    /// Takes memories of an export back with their ids, times, past values and pins. What is there
    /// already is unchanged; what the user forgot since stays forgotten (MEM-12).
    ///
    /// # Errors
    /// If the store fails.
    pub fn restore(&self, items: Vec<Item>) -> Result<Vec<Remembered>, Error> {
        let mut outcomes = Vec::with_capacity(items.len());
        for (scope, batch) in batches(items, |item| &item.scope) {
            let session = self.session_to_write()?;
            if let Err(why) = self.check_writable(&session) {
                outcomes.extend(batch.iter().map(|_| Remembered::Refused { reason: Refusal::Off { why } }));
                continue;
            }
            let opened = self.with_vectors(batch)?;
            let memory = self.clone();
            outcomes.extend(ports::write(self.shared.ledger.as_ref(), move |tx| {
                let mut commit = Commit::begin(&memory, tx, &session, &scope, Sight::Whole)?;
                let mut outcomes = Vec::with_capacity(opened.len());
                for item in opened {
                    outcomes.push(commit.restore(item)?);
                }
                commit.finish()?;
                Ok::<_, Error>(outcomes)
            })?);
        }
        Ok(outcomes)
    }

    /// Embeds what is not stored yet.
    fn with_vectors(&self, items: Vec<Item>) -> Result<Vec<Opened>, Error> {
        let mut opened: Vec<Opened> =
            items.into_iter().map(|item| Opened { item, tag: None, vectors: Vec::new() }).collect();
        let Some(embedder) = &self.shared.embedder else { return Ok(opened) };
        let (mut texts, mut owners) = (Vec::new(), Vec::new());
        for (at, one) in opened.iter_mut().enumerate() {
            one.item.model = None;
            let stored = self.read(|view, _| Ok(view.item(&self.user, one.item.id)?.is_some()))?;
            if !stored {
                let passages = texts_of(&one.item, &embedder.spec().passage_prefix);
                owners.extend(passages.iter().map(|_| at));
                texts.extend(passages);
            }
        }
        let Ok(vectors) = embed_all(embedder.embedder().as_ref(), &texts) else { return Ok(opened) };
        for (at, vector) in owners.into_iter().zip(vectors) {
            opened[at].vectors.extend(vector);
            opened[at].item.model = Some(embedder.spec().id.clone());
        }
        Ok(opened)
    }
}

impl Commit<'_> {
    /// Puts an exported item back as it was, unless it is there or was forgotten.
    fn restore(&mut self, mut opened: Opened) -> Result<Remembered, Error> {
        let now = self.now();
        let item = &mut opened.item;
        item.text = text::canonical(&item.text);
        let chars = item.text.chars().count();
        if item.text.is_empty() {
            return Ok(Remembered::Refused { reason: Refusal::Empty });
        }
        if chars > item.kind.max_chars() {
            return Ok(Remembered::Refused { reason: Refusal::TooLong { chars, limit: item.kind.max_chars() } });
        }
        for time in [&mut item.created, &mut item.valid_from, &mut item.accessed] {
            *time = time.map(|at| at.min(now));
        }
        item.stored = item.stored.min(now);
        let tag = tag_of(self.user_key(), item.kind, &item.text, &item.source, item.created);
        if self.was_forgotten(tag, learned_tag(self.user_key(), &item.text))? {
            return Ok(Remembered::Refused { reason: Refusal::Forgotten });
        }
        if let Some(reason) = self.over_quota() {
            return Ok(Remembered::Refused { reason });
        }
        let id = item.id;
        if let Some(there) = self.opened(id)? {
            if there.item.text == item.text {
                return Ok(Remembered::Unchanged { id });
            }
            self.renumber(item);
        }
        if opened.item.state == State::Superseded {
            self.add(opened)?;
            return Ok(Remembered::Stored { id, parts: Vec::new(), evicted: 0 });
        }
        if let Some(there) = self.holder(tag)? {
            return Ok(Remembered::Unchanged { id: there });
        }
        opened.tag = Some(tag);
        self.add_live(opened)
    }

    /// Gives an item whose id is taken by another one a fresh id.
    fn renumber(&mut self, item: &mut Item) {
        let fresh: MemoryId = self.new_id();
        if item.lineage == item.id {
            item.lineage = fresh;
        }
        item.id = fresh;
    }
}

fn write_line(out: &mut dyn Write, line: &ExportLine) -> Result<(), Error> {
    let json = serde_json::to_string(line).map_err(|error| Error::Internal(error.to_string()))?;
    writeln!(out, "{json}").map_err(Error::Output)
}
