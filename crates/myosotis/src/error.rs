//! Everything that can go wrong with a call, as one type with stable codes.
//!
//! What a user did (a refused memory, a repeated one) is an outcome, not an error; see
//! [`crate::Remembered`]. "Not found" never tells whose it is (ID-5).

use myosotis_core::{EmbedError, IdError, LedgerError, MemoryId};
use myosotis_store::{KeyError, SealError};

use crate::consent::OffReason;
use crate::import::{Broken, ImportError};

/// Why a call failed. The message says what happened, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An id or label is not valid.
    #[error(transparent)]
    Id(#[from] IdError),
    /// The store failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The keys failed.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A row did not open.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The embedder failed where its vectors are needed.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// There is no such memory, or it is not the caller's: the answer is the same (ID-5).
    #[error("no memory has the id {0}; `myosotis memories` shows the ids there are")]
    NotFound(MemoryId),
    /// An argument is outside what is allowed.
    #[error("{field}: {reason}")]
    Invalid {
        /// Which argument.
        field: &'static str,
        /// The limit and the fix.
        reason: String,
    },
    /// Memory is off for this user.
    #[error("memory is off: {0}")]
    Off(OffReason),
    /// The user was erased, or opted out, while the call ran.
    #[error("the user's data was erased or their consent withdrawn meanwhile; nothing was written")]
    EpochPassed,
    /// Rows exist but their key does not.
    #[error(
        "stored memories cannot be opened because their key is gone: an erasure was interrupted (run it again), or the key file was lost (restore it from a backup)"
    )]
    KeyGone,
    /// A file cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A strict import found something broken; nothing was stored.
    #[error(
        "{first}; {count} broken in all, so nothing was imported: mend them, or import without strict to skip them"
    )]
    BrokenImport {
        /// The first broken line.
        first: Broken,
        /// How many there are.
        count: u64,
    },
    /// What is exported cannot be written where it should go.
    #[error("the output cannot be written ({0}): free space or name another place")]
    Output(std::io::Error),
    /// The program's own mistake.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}

impl Error {
    /// A stable, machine-readable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Id(_) => "invalid_id",
            Error::Ledger(LedgerError::NewerSchema { .. }) => "newer_schema",
            Error::Ledger(LedgerError::Damaged { .. }) => "damaged_store",
            Error::Ledger(LedgerError::Full { .. }) => "disk_full",
            Error::Ledger(LedgerError::Access { .. }) => "no_access",
            Error::Ledger(LedgerError::Busy { .. }) => "busy",
            Error::Ledger(_) => "store_failed",
            Error::Key(_) => "keys_failed",
            Error::Seal(_) => "sealed_row",
            Error::Embed(_) => "embedder_failed",
            Error::NotFound(_) => "not_found",
            Error::Invalid { .. } => "invalid_argument",
            Error::Off(_) => "memory_off",
            Error::EpochPassed => "erased_meanwhile",
            Error::KeyGone => "key_gone",
            Error::Import(_) => "import_failed",
            Error::BrokenImport { .. } => "broken_import",
            Error::Output(_) => "output_failed",
            Error::Internal(_) => "internal",
        }
    }

    pub(crate) fn invalid(field: &'static str, reason: impl Into<String>) -> Self {
        Self::Invalid { field, reason: reason.into() }
    }
}
