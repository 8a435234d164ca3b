//! What can be wrong with an imported file: a broken line, which the rest survives, or the whole of it.

use std::io;

use super::format::Format;

/// A line (or element of a JSON array) that cannot be read. The ones after it can.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, thiserror::Error)]
#[error("{unit} {line}: {reason}")]
pub struct Broken {
    /// What is counted: `line`, `conversation`, `memory` or `message`.
    pub unit: &'static str,
    /// Line number for JSON lines; number of the element, from 1, otherwise.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// What the reader hands out instead of a record.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// One line is broken; reading goes on after it.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// Reading ends here.
    #[error(transparent)]
    Stopped(#[from] ImportError),
}

/// Why a file cannot be imported, or not to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A name that is no format.
    #[error("unknown format \"{0}\": use myosotis, transcript, chatgpt, claude, mem0, mcp-memory, locomo or beam")]
    UnknownFormat(String),
    /// The content tells no format.
    #[error(
        "what kind of file this is cannot be told from its content; name its format: myosotis, transcript, chatgpt, claude, mem0, mcp-memory, locomo or beam"
    )]
    Unrecognised,
    /// The file cannot be opened.
    #[error("{path} cannot be opened: {source}")]
    Open {
        /// The path as it was given.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A folder was given.
    #[error("{0} is a folder; name a file in it")]
    Folder(String),
    /// Nothing but white space.
    #[error("there is nothing in the file")]
    Empty,
    /// Reading failed.
    #[error("the file cannot be read: {0}")]
    Io(io::Error),
    /// The packed data is damaged or cut off.
    #[error("the gzip data is damaged or cut off ({0}); get the file again")]
    Gzip(io::Error),
    /// The packed data unpacks to more than is sensible.
    #[error("the file unpacks to more than {limit} bytes; unpack it yourself and import the parts")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The file is of another format than the named one.
    #[error("expected {}, but the file looks like {found}; name the format it has, or another file", expected.describe())]
    WrongFormat {
        /// The named format.
        expected: Format,
        /// What it looks like.
        found: String,
    },
    /// A container or encoding that is not read.
    #[error("the file is {what}; {fix}")]
    Unsupported {
        /// What it is.
        what: &'static str,
        /// What to do.
        fix: &'static str,
    },
    /// An export of a newer Myosotis.
    #[error("the export has version {version} and this program reads up to version {supported}; update Myosotis")]
    NewerVersion {
        /// The file's version.
        version: u64,
        /// The newest version this program reads.
        supported: u32,
    },
    /// The JSON ends or breaks where nothing after it can be trusted.
    #[error("line {line}, column {column}: {reason}; what stands before it was read, the rest was not")]
    Syntax {
        /// Line, from 1.
        line: u64,
        /// Column in bytes, from 1.
        column: u64,
        /// What was expected there.
        reason: &'static str,
    },
}
