//! What the engine needs from the outside: a ledger, an embedder, a clock, ids. Others implement
//! these; the traits live here so that they depend on core and never on each other.

use std::sync::Arc;

use jiff::Timestamp;

use crate::ids::{MemoryId, ScopeKey, Tag, UserId};

/// The time, injected so that tests and simulations own it.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// Fresh ids and random bytes, injected for the same reason.
pub trait Ids: Send + Sync {
    /// A new memory id for something created at `now`.
    fn memory(&self, now: Timestamp) -> MemoryId;
}

/// Why a text could not be turned into a vector. Carries no text of the user's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the embedder {model} failed: {reason}")]
pub struct EmbedError {
    /// The model that was asked.
    pub model: String,
    /// What went wrong and what to do.
    pub reason: String,
}

/// What a model's vectors are like and how it wants its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderSpec {
    /// Names the vector space. Vectors of different ids are never compared (REC-12).
    pub id: String,
    /// Length of a vector.
    pub dimensions: usize,
    /// Longest input in the model's own tokens; the rest is not seen.
    pub max_tokens: usize,
    /// Put before a question (`query: ` for the E5 family).
    pub query_prefix: String,
    /// Put before a text to be found.
    pub passage_prefix: String,
}

/// Turns texts into vectors of length one.
pub trait Embedder: Send + Sync {
    /// What it is.
    fn spec(&self) -> &EmbedderSpec;

    /// One vector a text, in order, each of `spec().dimensions` finite numbers and length one.
    ///
    /// # Errors
    /// [`EmbedError`]; nothing is returned for any text then.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Whether every call ends within milliseconds by itself, without a network or another process.
    /// Then it is called directly; otherwise a thread waits for it, up to the deadline (REC-7).
    fn is_prompt(&self) -> bool {
        false
    }

    /// The share of `text` the model has words for, 0 to 1. Below 1 a cosine says less than it seems:
    /// two names in a script the model cannot read look the same to it.
    fn coverage(&self, text: &str) -> f32 {
        let _ = text;
        1.0
    }
}

/// Why the ledger could not do it. `Display` says what happened and what to do.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The job asked for everything it wrote to be undone.
    #[error("the change was undone")]
    RolledBack,
    /// The file was made by a newer version.
    #[error(
        "{path} has schema version {found}, this program knows {known}: upgrade Myosotis, or open another data folder with --data-dir"
    )]
    NewerSchema {
        /// The file.
        path: String,
        /// The version in the file.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// The file is not what it should be.
    #[error(
        "{path} is damaged or not a Myosotis store ({reason}): restore it from a backup, or move it away to start anew"
    )]
    Damaged {
        /// The file.
        path: String,
        /// What was found.
        reason: String,
    },
    /// The disk is full.
    #[error("no space left for {path}: free some and try again; nothing was half-written")]
    Full {
        /// The file.
        path: String,
    },
    /// The file or folder cannot be written or read.
    #[error("{path} cannot be opened or written ({reason}): check its owner and permissions")]
    Access {
        /// The file or folder.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// Another process held the store longer than the waiting time.
    #[error("another process kept {path} locked for more than {seconds} s: try again, or end that process")]
    Busy {
        /// The file.
        path: String,
        /// How long this one waited.
        seconds: u64,
    },
    /// Anything else.
    #[error("the store failed: {0}")]
    Other(String),
}

/// What the ledger knows of a user. Counters cover live, superseded and quarantined rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserRow {
    /// Rises on erase and on opt-out; a job commits only under the epoch it started with.
    pub epoch: u64,
    /// The consent record, sealed; `None` before the first answer.
    pub consent: Option<Vec<u8>>,
    /// Rows in `items`.
    pub items: u64,
    /// Bytes of sealed content in `items`.
    pub bytes: u64,
}

/// What the ledger knows of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeRow {
    /// Which scope.
    pub key: ScopeKey,
    /// Rises with every change of an item in it.
    pub version: u64,
    /// The version at which an item was last removed from it.
    pub removed_at: u64,
    /// The labels, sealed.
    pub sealed: Vec<u8>,
}

/// A memory item as it lies in the ledger: names and numbers in the clear, content sealed.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemRow {
    /// Its identity, unique within the user.
    pub id: MemoryId,
    /// The scope it lives in.
    pub scope: ScopeKey,
    /// [`crate::Kind`] as a code.
    pub kind: u8,
    /// [`crate::State`] as a code.
    pub state: u8,
    /// Shared with its past values.
    pub lineage: MemoryId,
    /// Unix milliseconds; when this row was made.
    pub stored: i64,
    /// Unix milliseconds; when it was said, if known.
    pub created: Option<i64>,
    /// Unix milliseconds; last returned by recall.
    pub accessed: Option<i64>,
    /// How often recall returned it.
    pub access_count: u32,
    /// Kept whatever the cap says.
    pub pinned: bool,
    /// 0 to 1.
    pub importance: f32,
    /// How often it was said.
    pub support: u32,
    /// The scope's version at which this row last changed. Access bumps do not change it.
    pub rev: u64,
    /// By which an equal content is found; `None` for what is not live. Unique within the scope.
    pub tag: Option<Tag>,
    /// The id of the model that made the vectors.
    pub model: Option<String>,
    /// The opened-only-by-key content.
    pub sealed: Vec<u8>,
    /// The vectors, sealed; `None` while there are none.
    pub sealed_vector: Option<Vec<u8>>,
}

/// How many rows of each kind a user had when they were erased.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Erased {
    /// Rows by kind code (index) in `items`, of any state.
    pub items_by_kind: Vec<u64>,
    /// Tombstones.
    pub tombstones: u64,
    /// Scopes.
    pub scopes: u64,
    /// 1 if there was a consent record.
    pub consents: u64,
}

/// Reading within one consistent view of the ledger. Every method sees one user only.
pub trait LedgerRead {
    /// The user's row.
    fn user(&self, user: &UserId) -> Result<Option<UserRow>, LedgerError>;
    /// All scopes of the user, by key.
    fn scopes(&self, user: &UserId) -> Result<Vec<ScopeRow>, LedgerError>;
    /// One scope.
    fn scope(&self, user: &UserId, scope: ScopeKey) -> Result<Option<ScopeRow>, LedgerError>;
    /// The items of a scope whose `rev` is greater than `since`, in order of id. `with_vectors =
    /// false` leaves `sealed_vector` out. The callback ends the walk by returning an error.
    fn items(
        &self,
        user: &UserId,
        scope: ScopeKey,
        since: u64,
        with_vectors: bool,
        each: &mut dyn FnMut(ItemRow) -> Result<(), LedgerError>,
    ) -> Result<(), LedgerError>;
    /// The ids of all items of a scope, in order.
    fn item_ids(&self, user: &UserId, scope: ScopeKey) -> Result<Vec<MemoryId>, LedgerError>;
    /// One item with its vectors.
    fn item(&self, user: &UserId, id: MemoryId) -> Result<Option<ItemRow>, LedgerError>;
    /// The item of a scope with this tag.
    fn item_by_tag(&self, user: &UserId, scope: ScopeKey, tag: Tag) -> Result<Option<MemoryId>, LedgerError>;
    /// All rows of a lineage, without vectors, in order of id.
    fn lineage(&self, user: &UserId, lineage: MemoryId) -> Result<Vec<ItemRow>, LedgerError>;
    /// When the content with this tag was forgotten (Unix milliseconds).
    fn tombstone(&self, user: &UserId, tag: Tag) -> Result<Option<i64>, LedgerError>;
    /// Items by kind code and state code.
    fn counts(&self, user: &UserId) -> Result<Vec<(u8, u8, u64)>, LedgerError>;
    /// Every user that has a row, in order.
    fn users(&self) -> Result<Vec<UserId>, LedgerError>;
}

/// Writing within one transaction. The implementation keeps `UserRow::items` and `bytes` true.
pub trait LedgerWrite: LedgerRead {
    /// Creates or replaces the user's epoch and consent; the counters are left alone.
    fn put_user(&mut self, user: &UserId, epoch: u64, consent: Option<&[u8]>) -> Result<(), LedgerError>;
    /// Creates or replaces a scope.
    fn put_scope(&mut self, user: &UserId, row: &ScopeRow) -> Result<(), LedgerError>;
    /// Creates or replaces an item.
    fn put_item(&mut self, user: &UserId, row: &ItemRow) -> Result<(), LedgerError>;
    /// Notes that recall returned the item at `at`; does nothing if it is gone. An earlier time than
    /// the one already noted leaves that one.
    fn bump_access(&mut self, user: &UserId, id: MemoryId, at: i64) -> Result<(), LedgerError>;
    /// Removes an item; false if it was not there.
    fn delete_item(&mut self, user: &UserId, id: MemoryId) -> Result<bool, LedgerError>;
    /// Notes that a content was forgotten.
    fn put_tombstone(&mut self, user: &UserId, tag: Tag, at: i64) -> Result<(), LedgerError>;
    /// Allows a forgotten content again.
    fn delete_tombstone(&mut self, user: &UserId, tag: Tag) -> Result<(), LedgerError>;
    /// Removes every row of the user and notes the new epoch, without consent, under their id.
    fn erase_user(&mut self, user: &UserId) -> Result<Erased, LedgerError>;
}

/// A job that reads.
pub type ReadJob<'a> = &'a mut dyn FnMut(&dyn LedgerRead) -> Result<(), LedgerError>;
/// A job that writes: all of it or, if it returns an error, nothing of it.
pub type WriteJob = Box<dyn FnOnce(&mut dyn LedgerWrite) -> Result<(), LedgerError> + Send>;

/// The truth: transactions over users, scopes, items and tombstones. Thread-safe; several processes
/// may hold the same one open.
pub trait Ledger: Send + Sync {
    /// Runs `job` in one consistent view.
    fn read(&self, job: ReadJob<'_>) -> Result<(), LedgerError>;

    /// Runs `job` in a transaction and returns once it is durable. Concurrent calls may share one
    /// commit, each as a unit of its own.
    fn write(&self, job: WriteJob) -> Result<(), LedgerError>;

    /// Hands `job` over to be done soon, without waiting and without an answer (access times).
    fn write_later(&self, job: WriteJob);

    /// Waits until everything handed over so far has been done, and is durable.
    fn flush(&self) -> Result<(), LedgerError>;

    /// Makes deleted content unreadable in every file the ledger wrote: free pages and log included.
    fn scrub(&self) -> Result<(), LedgerError>;

    /// A word on its health for `doctor`: lines of (what, value, is it fine).
    fn health(&self) -> Result<Vec<(String, String, bool)>, LedgerError>;
}

/// Runs `job` in a write transaction and hands its value out. An error of the job's own undoes it.
///
/// # Errors
/// The job's own error, or the ledger's converted into it.
pub fn write<T, E>(
    ledger: &dyn Ledger,
    job: impl FnOnce(&mut dyn LedgerWrite) -> Result<T, E> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<LedgerError> + Send + 'static,
{
    let cell = Arc::new(std::sync::Mutex::new(None));
    let inner = Arc::clone(&cell);
    let outcome = ledger.write(Box::new(move |tx| {
        let result = job(tx);
        let verdict = if result.is_ok() { Ok(()) } else { Err(LedgerError::RolledBack) };
        *inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(result);
        verdict
    }));
    let result = cell.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    match (outcome, result) {
        (Ok(()), Some(result)) => result,
        (Err(LedgerError::RolledBack), Some(Err(error))) => Err(error),
        (Err(error), _) => Err(error.into()),
        (Ok(()), None) => Err(LedgerError::Other("the job was not run".into()).into()),
    }
}

/// Runs `job` in a read view and hands its value out.
///
/// # Errors
/// The job's own error, or the ledger's converted into it.
pub fn read<T, E: From<LedgerError>>(
    ledger: &dyn Ledger,
    job: impl FnOnce(&dyn LedgerRead) -> Result<T, E>,
) -> Result<T, E> {
    let (mut job, mut result) = (Some(job), None);
    ledger.read(&mut |view| {
        if let Some(job) = job.take() {
            result = Some(job(view));
        }
        Ok(())
    })?;
    result.unwrap_or_else(|| Err(LedgerError::Other("the job was not run".into()).into()))
}
