//! From what SQLite and the system say to what a person can do about it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use myosotis_core::LedgerError;
use rusqlite::ErrorCode;

/// The file errors are about, and the waiting time they mention.
#[derive(Debug, Clone)]
pub(crate) struct Whereabouts {
    /// The database file.
    pub(crate) path: PathBuf,
    /// The busy timeout.
    pub(crate) patience: Duration,
}

impl Whereabouts {
    fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// Sorts an error of SQLite's.
    pub(crate) fn sqlite(&self, error: &rusqlite::Error) -> LedgerError {
        let path = self.shown();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => LedgerError::Full { path },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                LedgerError::Access { path, reason }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => self.busy(),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => LedgerError::Damaged { path, reason },
            _ => LedgerError::Other(format!("{path}: {reason}")),
        }
    }

    /// Sorts an error of the system's about `path`.
    pub(crate) fn io(path: &Path, error: &io::Error) -> LedgerError {
        let (path, reason) = (path.display().to_string(), error.to_string());
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => LedgerError::Full { path },
            _ => LedgerError::Access { path, reason },
        }
    }

    /// Another process was in the way for too long.
    pub(crate) fn busy(&self) -> LedgerError {
        LedgerError::Busy { path: self.shown(), seconds: self.patience.as_secs() }
    }

    /// The content is not what it should be.
    pub(crate) fn damaged(&self, reason: impl Into<String>) -> LedgerError {
        LedgerError::Damaged { path: self.shown(), reason: reason.into() }
    }
}
