//! Putting what [`crate::import`] reads into a user's memory: batch by batch, idempotent, resumable.
//!
//! A record that is there already changes nothing and is not even embedded, so an interrupted import
//! is resumed by starting it again.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::tz::TimeZone;
use myosotis_core::{Item, Kind, Origin, Scope, Source};
use serde::Serialize;

use crate::error::Error;
use crate::import::{Broken, Content, Format, ImportError, Input, Progress, ReadError, Record, read};
use crate::outcome::Remembered;
use crate::remember::{BATCH, Remember};
use crate::user::UserMemory;

/// Broken lines and refusals that are told one by one; the rest is only counted.
const TOLD: usize = 100;

/// How to import.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// What the file is; `None` tells it from its content.
    pub format: Option<Format>,
    /// Import nothing at all if anything in the file is broken.
    pub strict: bool,
    /// Where the memories go. An own export keeps the scopes it has.
    pub scope: Scope,
    /// The speakers' time zone, for "yesterday". Default UTC.
    pub time_zone: Option<TimeZone>,
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportProgress {
    /// Bytes read, as they lie on disk.
    pub bytes: u64,
    /// Size of the file, if it is one.
    pub size: Option<u64>,
    /// Records dealt with.
    pub records: u64,
}

/// What became of a file.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ImportReport {
    /// What it was taken for.
    pub format: String,
    /// New memories.
    pub stored: u64,
    /// New values of slots.
    pub updated: u64,
    /// What was there already.
    pub unchanged: u64,
    /// Weaker memories that had to go because the scope is full.
    pub evicted: u64,
    /// Refused, by reason.
    pub refused: BTreeMap<String, u64>,
    /// Nothing to remember, by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Broken lines.
    pub broken: u64,
    /// The first broken lines and refusals, by line.
    pub problems: Vec<Broken>,
}

impl UserMemory {
    /// Imports a file, packed or not. Importing it again changes nothing; what the user forgot since
    /// stays forgotten.
    ///
    /// # Errors
    /// [`Error::Off`] if memory is off; [`Error::Import`] if the file cannot be read (what was read
    /// before is stored); with `strict`, [`Error::BrokenImport`] if anything in it is broken, and
    /// then nothing is stored.
    pub fn import_file(
        &self,
        path: &Path,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportProgress),
    ) -> Result<ImportReport, Error> {
        if options.strict {
            // Read once without writing: nothing is half-imported.
            let input = Input::open(path)?;
            let format = format_of(&input, options)?;
            check(read(format, input))?;
        }
        self.import_records(Input::open(path)?, options, progress)
    }

    /// Imports from anything that can be read, as [`UserMemory::import_file`] does. With `strict` all
    /// of it is held in memory first.
    ///
    /// # Errors
    /// As [`UserMemory::import_file`].
    pub fn import(
        &self,
        mut input: impl std::io::Read,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportProgress),
    ) -> Result<ImportReport, Error> {
        if !options.strict {
            return self.import_records(Input::new(input)?, options, progress);
        }
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(ImportError::Io)?;
        let first = Input::new(bytes.as_slice())?;
        check(read(format_of(&first, options)?, first))?;
        self.import_records(Input::new(bytes.as_slice())?, options, progress)
    }

    fn import_records(
        &self,
        input: Input<'_>,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportProgress),
    ) -> Result<ImportReport, Error> {
        self.status()?.writable().map_err(Error::Off)?;
        let format = format_of(&input, options)?;
        let (size, bytes) = (input.size(), input.progress());
        let mut import = Import {
            memory: self,
            options,
            unit: format.unit(),
            report: ImportReport { format: format.to_string(), ..ImportReport::default() },
            waiting: Vec::new(),
            records: 0,
            size,
            bytes,
            progress,
        };
        for record in read(format, input) {
            import.take(record)?;
        }
        import.write()?;
        Ok(import.report)
    }
}

fn format_of(input: &Input<'_>, options: &ImportOptions) -> Result<Format, Error> {
    options.format.or_else(|| input.detect()).ok_or_else(|| ImportError::Unrecognised.into())
}

/// Fails if anything is broken.
fn check(records: impl Iterator<Item = Result<Record, ReadError>>) -> Result<(), Error> {
    let (mut first, mut count) = (None, 0);
    for record in records {
        match record {
            Ok(_) => {}
            Err(ReadError::Broken(broken)) => {
                count += 1;
                first.get_or_insert(broken);
            }
            Err(ReadError::Stopped(error)) => return Err(error.into()),
        }
    }
    first.map_or(Ok(()), |first| Err(Error::BrokenImport { first, count }))
}

/// An import under way.
struct Import<'a> {
    memory: &'a UserMemory,
    options: &'a ImportOptions,
    /// What the file's records are called.
    unit: &'static str,
    report: ImportReport,
    waiting: Vec<(u64, Waiting)>,
    records: u64,
    size: Option<u64>,
    bytes: Progress,
    progress: &'a mut dyn FnMut(ImportProgress),
}

enum Waiting {
    Remember(Box<Remember>),
    Restore(Box<Item>),
}

impl Import<'_> {
    fn take(&mut self, record: Result<Record, ReadError>) -> Result<(), Error> {
        let record = match record {
            Ok(record) => record,
            Err(ReadError::Broken(broken)) => {
                self.report.broken += 1;
                self.tell(broken);
                return Ok(());
            }
            Err(ReadError::Stopped(error)) => {
                self.write()?; // what stands before it was read
                return Err(error.into());
            }
        };
        self.records += 1;
        let waiting = match record.content {
            Content::Skipped(why) => {
                *self.report.skipped.entry(why).or_default() += 1;
                return Ok(());
            }
            Content::Item(item) => Waiting::Restore(item),
            Content::Turn(turn) => {
                let source = Source {
                    origin: Origin::Imported,
                    role: turn.role,
                    speaker: turn.speaker,
                    session: turn.session,
                    message: turn.message,
                    position: turn.position,
                    ..Source::default()
                };
                Waiting::Remember(Box::new(self.imported(turn.text, Kind::Message, source, turn.created)))
            }
            Content::Fact(fact) => {
                let source = Source { origin: Origin::Imported, message: fact.id, ..Source::default() };
                Waiting::Remember(Box::new(self.imported(fact.text, fact.kind, source, fact.created)))
            }
        };
        self.waiting.push((record.line, waiting));
        if self.waiting.len() >= BATCH { self.write() } else { Ok(()) }
    }

    fn imported(&self, text: String, kind: Kind, source: Source, created: Option<jiff::Timestamp>) -> Remember {
        let zone = self.options.time_zone.clone().unwrap_or(TimeZone::UTC);
        Remember::new(text).kind(kind).source(source).created(created).time_zone(zone).scope(self.options.scope.clone())
    }

    /// Writes what waits; the kinds of a batch are all the same, as a file has one format.
    fn write(&mut self) -> Result<(), Error> {
        let (mut lines, mut memories, mut items) = (Vec::new(), Vec::new(), Vec::new());
        for (line, waiting) in self.waiting.drain(..) {
            lines.push(line);
            match waiting {
                Waiting::Remember(memory) => memories.push(*memory),
                Waiting::Restore(item) => items.push(*item),
            }
        }
        let mut outcomes = self.memory.remember_all(memories)?;
        outcomes.extend(self.memory.restore(items)?);
        for (line, outcome) in lines.into_iter().zip(outcomes) {
            match outcome {
                Remembered::Stored { evicted, .. } => {
                    self.report.stored += 1;
                    self.report.evicted += evicted as u64;
                }
                Remembered::Updated { .. } => self.report.updated += 1,
                Remembered::Unchanged { .. } => self.report.unchanged += 1,
                Remembered::Refused { reason } => {
                    *self.report.refused.entry(reason.code().to_owned()).or_default() += 1;
                    self.tell(Broken { unit: self.unit, line, reason: format!("not stored: {reason}") });
                }
            }
        }
        (self.progress)(ImportProgress { bytes: self.bytes.bytes(), size: self.size, records: self.records });
        Ok(())
    }

    fn tell(&mut self, problem: Broken) {
        if self.report.problems.len() < TOLD {
            self.report.problems.push(problem);
        }
    }
}
