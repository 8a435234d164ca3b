//! The default ledger: one SQLite file, `myosotis.db`, that any number of processes may share.
//!
//! - Writes go through one thread a process (`writer`), which commits those that wait together; a
//!   durable write costs one wait for the disk.
//! - Reads run on connections of their own, each in a transaction that sees one state.
//! - Rows are small: a user and a scope are numbers within the file; vectors lie apart from items.
//!
//! `open` prepares and migrates, `view` reads, `change` writes, `errors` translates.

mod change;
mod errors;
mod open;
mod view;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, ThreadId};
use std::time::{Duration, Instant};

use myosotis_core::ports::{ReadJob, WriteJob};
use myosotis_core::{Ledger, LedgerError};
use rusqlite::{Connection, Transaction, TransactionBehavior};

pub(crate) use self::errors::Whereabouts;
use self::view::View;
use self::writer::{Request, Writer};
use crate::files;

/// The file's name within the data folder.
pub const FILE_NAME: &str = "myosotis.db";

/// How long one try to empty the log may hold up writers.
const SCRUB_TRY: Duration = Duration::from_millis(100);

/// Settings of a [`SqliteLedger`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How long to wait for another process that is writing. Default 30 s.
    pub busy_timeout: Duration,
    /// How many idle reading connections to keep; more are opened when more read at once and closed
    /// afterwards. Each costs up to 4 MB of cache and two file handles. Default 4.
    pub idle_readers: usize,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { busy_timeout: open::PATIENCE, idle_readers: 4 }
    }
}

/// A [`Ledger`] in one SQLite file.
///
/// ```
/// use myosotis_core::{Ledger, UserId, ports};
/// use myosotis_store::{SqliteLedger, SqliteOptions};
///
/// let dir = tempfile::tempdir()?;
/// let ledger = SqliteLedger::open(dir.path(), SqliteOptions::default())?;
/// let alice = UserId::new("alice")?;
/// let name = alice.clone();
/// ledger.write(Box::new(move |tx| tx.put_user(&name, 1, None)))?;
/// let row = ports::read(&ledger, |view| view.user(&alice))?;
/// assert_eq!(row.map(|row| row.epoch), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SqliteLedger {
    whereabouts: Arc<Whereabouts>,
    idle: Mutex<Vec<Connection>>,
    idle_readers: usize,
    requests: Sender<Request>,
    writer: Option<JoinHandle<()>>,
    writer_id: ThreadId,
}

impl SqliteLedger {
    /// Opens `myosotis.db` in `dir`; makes folder and file, for their owner only, if they are not
    /// there, and brings an older file up to date.
    ///
    /// # Errors
    /// [`LedgerError::Access`] if folder or file cannot be made, read or written,
    /// [`LedgerError::Damaged`] if the file is not a store of ours, [`LedgerError::NewerSchema`] if a
    /// newer program made it, [`LedgerError::Busy`] if another process keeps it locked.
    pub fn open(dir: &Path, options: SqliteOptions) -> Result<Self, LedgerError> {
        files::private_dir(dir).map_err(|error| Whereabouts::io(dir, &error))?;
        let whereabouts = Arc::new(Whereabouts { path: dir.join(FILE_NAME), patience: options.busy_timeout });
        let lock = files::StartLock::take(dir, options.busy_timeout)
            .map_err(|error| Whereabouts::io(dir, &error))?
            .ok_or_else(|| whereabouts.busy())?;
        let conn = open::prepare(&whereabouts)?;
        drop(lock);

        let (requests, inbox) = channel();
        let writer = Writer::new(conn, Arc::clone(&whereabouts), inbox)?;
        let thread = std::thread::Builder::new()
            .name("myosotis-writer".into())
            .spawn(move || writer.run())
            .map_err(|error| LedgerError::Other(format!("no thread could be started: {error}")))?;
        let writer_id = thread.thread().id();
        let idle = Mutex::new(Vec::new());
        Ok(Self { whereabouts, idle, idle_readers: options.idle_readers, requests, writer: Some(thread), writer_id })
    }

    /// The database file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.whereabouts.path
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection nobody else uses.
    fn reader(&self) -> Result<Connection, LedgerError> {
        let waiting = self.idle().pop();
        waiting.map_or_else(|| open::connect(&self.whereabouts, true), Ok)
    }

    fn give_back(&self, conn: Connection) {
        let mut idle = self.idle();
        if idle.len() < self.idle_readers && conn.is_autocommit() {
            idle.push(conn);
        }
    }

    /// Asks the writer and waits for its answer.
    fn ask(
        &self,
        request: impl FnOnce(std::sync::mpsc::SyncSender<Result<(), LedgerError>>) -> Request,
    ) -> Result<(), LedgerError> {
        if std::thread::current().id() == self.writer_id {
            return Err(LedgerError::Other("a change may not wait for another change".into()));
        }
        let gone = || LedgerError::Other("the store's writer has ended: open the store again".into());
        let (answer, outcome) = sync_channel(1);
        self.requests.send(request(answer)).map_err(|_| gone())?;
        outcome.recv().map_err(|_| gone())?
    }

    /// A fact for `health`; an error is one too.
    fn fact(
        &self,
        what: &str,
        conn: &Connection,
        sql: &str,
        fine: impl FnOnce(&str) -> bool,
    ) -> (String, String, bool) {
        let value = conn.query_row(sql, [], |row| row.get::<_, rusqlite::types::Value>(0));
        match value {
            Ok(rusqlite::types::Value::Integer(number)) => (what.into(), number.to_string(), fine(&number.to_string())),
            Ok(rusqlite::types::Value::Text(text)) => (what.into(), text.clone(), fine(&text)),
            Ok(other) => (what.into(), format!("{other:?}"), false),
            Err(error) => (what.into(), self.whereabouts.sqlite(&error).to_string(), false),
        }
    }
}

impl Ledger for SqliteLedger {
    fn read(&self, job: ReadJob<'_>) -> Result<(), LedgerError> {
        let conn = self.reader()?;
        let outcome = {
            let told = |error: rusqlite::Error| self.whereabouts.sqlite(&error);
            // Ends the transaction also if the job panics; the connection is then not given back.
            let tx = Transaction::new_unchecked(&conn, TransactionBehavior::Deferred).map_err(told)?;
            let outcome = job(&View::new(&tx, &self.whereabouts));
            tx.finish().map_err(told)?;
            outcome
        };
        self.give_back(conn);
        outcome
    }

    fn write(&self, job: WriteJob) -> Result<(), LedgerError> {
        self.ask(|answer| Request::Write(job, answer))
    }

    fn write_later(&self, job: WriteJob) {
        // Only a writer that has ended refuses, and then `write` and `flush` report it.
        let _ = self.requests.send(Request::Later(job));
    }

    fn flush(&self) -> Result<(), LedgerError> {
        self.ask(Request::Flush)
    }

    /// Takes free pages out of the file and empties the log. Readers that are in the middle of
    /// something are waited for, up to the busy timeout.
    fn scrub(&self) -> Result<(), LedgerError> {
        self.ask(Request::Shrink)?;
        let conn = open::connect(&self.whereabouts, false)?;
        let told = |error: rusqlite::Error| self.whereabouts.sqlite(&error);
        conn.busy_timeout(SCRUB_TRY).map_err(told)?;
        let start = Instant::now();
        loop {
            let outcome = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
            match outcome {
                Ok(false) => return Ok(()),
                Ok(true) => {}
                Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {}
                Err(error) => return Err(told(error)),
            }
            if start.elapsed() >= self.whereabouts.patience {
                return Err(self.whereabouts.busy());
            }
        }
    }

    fn health(&self) -> Result<Vec<(String, String, bool)>, LedgerError> {
        let path = &self.whereabouts.path;
        let conn = self.reader()?;
        let known = open::known_version();
        let mut lines = vec![
            ("store".into(), path.display().to_string(), path.is_file()),
            ("store size".into(), format!("{} bytes", files::size(path)), true),
            ("log size".into(), format!("{} bytes", files::size(&beside(path, "-wal"))), true),
            self.fact("schema version", &conn, "PRAGMA user_version", |found| found == known.to_string()),
            self.fact("journal mode", &conn, "PRAGMA journal_mode", |mode| mode == "wal"),
            self.fact("free pages", &conn, "PRAGMA freelist_count", |_| true),
            self.fact("integrity", &conn, "PRAGMA quick_check(1)", |verdict| verdict == "ok"),
        ];
        let folder = path.parent().map(Path::to_path_buf);
        let places = folder.into_iter().chain([path.clone(), beside(path, "-wal"), beside(path, "-shm")]);
        lines.extend(places.filter_map(|place| files::permission_line(&place)));
        self.give_back(conn);
        Ok(lines)
    }
}

impl Drop for SqliteLedger {
    /// Commits what was handed over and ends the writer.
    fn drop(&mut self) {
        self.idle().clear();
        let _ = self.requests.send(Request::Stop);
        // The last handle may be dropped by a job, on the writer's own thread, which then ends by itself.
        if let Some(writer) = self.writer.take()
            && std::thread::current().id() != self.writer_id
        {
            let _ = writer.join();
        }
    }
}

/// The name of a file that is kept beside the database.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}
