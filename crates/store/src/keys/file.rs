//! The vault in files: `keys.db`, a small SQLite file of wrapped keys, and the master key beside it
//! or where the deployment keeps its secrets.
//!
//! Keys change rarely and must vanish at once when destroyed, so the file has a rollback journal
//! (gone after each change) and not a write-ahead log, and freed bytes are zeroed.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use myosotis_core::{LedgerError, UserId};
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior, params};
use zeroize::Zeroizing;

use super::master::Master;
use super::{KeyError, KeyVault};
use crate::files::{self, StartLock};
use crate::random::{OsRandom, Random};
use crate::seal::UserKey;
use crate::sqlite::{Whereabouts, beside};

/// The file of wrapped keys within the data folder.
pub const KEYS_FILE: &str = "keys.db";
/// The master key's file within the data folder, unless another is named.
pub const MASTER_KEY_FILE: &str = "master.key";

/// Marks the file as ours: `MyoK`.
const APPLICATION_ID: i64 = 0x4D79_6F4B;
/// The one version of the schema so far.
const VERSION: i64 = 1;
/// How long to wait for another process.
const PATIENCE: Duration = Duration::from_secs(30);
/// Opened keys to remember. One is about 300 bytes; opening another costs microseconds.
const MOST_CACHED: usize = 4096;

const SCHEMA: &str = "
    CREATE TABLE keys (user TEXT PRIMARY KEY, id BLOB NOT NULL, wrapped BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE master (one INTEGER PRIMARY KEY CHECK (one = 1), fingerprint BLOB NOT NULL) STRICT;";

/// The connection and the keys it has seen.
struct Desk {
    conn: Connection,
    /// SQLite's mark of the file's state; it changes when another connection changes the file.
    seen: i64,
    opened: HashMap<UserId, UserKey>,
}

/// A [`KeyVault`] in two files that any number of processes may share.
///
/// ```
/// use myosotis_core::UserId;
/// use myosotis_store::{FileVault, KeyVault};
/// let dir = tempfile::tempdir()?;
/// let vault = FileVault::open(dir.path(), None)?;
/// let alice = UserId::new("alice")?;
/// let first = vault.data_key_or_create(&alice)?;
/// assert!(vault.destroy(&alice)?);
/// assert!(vault.data_key(&alice)?.is_none());
/// assert_ne!(vault.data_key_or_create(&alice)?.id(), first.id());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FileVault {
    whereabouts: Whereabouts,
    master_path: PathBuf,
    master: Master,
    random: Arc<dyn Random>,
    desk: Mutex<Desk>,
}

impl FileVault {
    /// Opens the vault in `dir`. Without `master_key_file` the master key is `master.key` in `dir`,
    /// made at the first start; a file that is named must be there.
    ///
    /// # Errors
    /// [`KeyError`] if a file cannot be read or made, or the master key is missing or a wrong one.
    pub fn open(dir: &Path, master_key_file: Option<PathBuf>) -> Result<Self, KeyError> {
        Self::open_with_random(dir, master_key_file, Arc::new(OsRandom))
    }

    /// As [`FileVault::open`], with keys and nonces from `random`.
    ///
    /// # Errors
    /// As [`FileVault::open`].
    pub fn open_with_random(
        dir: &Path,
        master_key_file: Option<PathBuf>,
        random: Arc<dyn Random>,
    ) -> Result<Self, KeyError> {
        files::private_dir(dir).map_err(|error| Whereabouts::io(dir, &error))?;
        let whereabouts = Whereabouts { path: dir.join(KEYS_FILE), patience: PATIENCE };
        let _lock = StartLock::take(dir, PATIENCE)
            .map_err(|error| Whereabouts::io(dir, &error))?
            .ok_or_else(|| whereabouts.busy())?;

        let mut conn = open_keys(&whereabouts)?;
        let holds_keys: bool = conn
            .query_row("SELECT EXISTS (SELECT 1 FROM keys)", [], |row| row.get(0))
            .map_err(|error| whereabouts.sqlite(&error))?;
        let made_here = master_key_file.is_none();
        let master_path = master_key_file.unwrap_or_else(|| dir.join(MASTER_KEY_FILE));
        let master = match Master::read(&master_path)? {
            Some(master) => master,
            None if made_here && !holds_keys => Master::create(&master_path, &*random)?,
            None if holds_keys => {
                let (master, keys) = (master_path.display().to_string(), whereabouts.path.display().to_string());
                return Err(KeyError::MasterMissing { master, keys });
            }
            None => {
                let (master, reason) = (master_path.display().to_string(), "there is no such file".into());
                return Err(KeyError::MasterMalformed { master, reason });
            }
        };
        settle_fingerprint(&mut conn, &master).map_err(|error| whereabouts.sqlite(&error))?;
        let desk = Mutex::new(Desk { conn, seen: 0, opened: HashMap::new() });
        let vault = Self { whereabouts, master_path, master, random, desk };
        vault.check_master(&vault.desk().conn)?;
        Ok(vault)
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self, error: &rusqlite::Error) -> KeyError {
        self.whereabouts.sqlite(error).into()
    }

    fn keys_shown(&self) -> String {
        self.whereabouts.path.display().to_string()
    }

    /// Whether the file still belongs to this master key.
    fn check_master(&self, conn: &Connection) -> Result<(), KeyError> {
        let found: Option<Vec<u8>> = conn
            .query_row("SELECT fingerprint FROM master", [], |row| row.get(0))
            .optional()
            .map_err(|error| self.told(&error))?;
        if found.as_deref() == Some(&self.master.fingerprint()) {
            return Ok(());
        }
        Err(KeyError::WrongMaster { master: self.master_path.display().to_string(), keys: self.keys_shown() })
    }

    /// The stored key of `user`, opened.
    fn stored(&self, conn: &Connection, user: &UserId) -> Result<Option<UserKey>, KeyError> {
        let row: Option<([u8; 16], Vec<u8>)> = conn
            .prepare_cached("SELECT id, wrapped FROM keys WHERE user = ?1")
            .and_then(|mut found| found.query_row([user.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional())
            .map_err(|error| self.told(&error))?;
        let Some((id, wrapped)) = row else { return Ok(None) };
        match self.master.open(user, id, &wrapped, &self.random) {
            Some(key) => Ok(Some(key)),
            None => {
                self.check_master(conn)?;
                Err(KeyError::Altered { user: user.clone(), keys: self.keys_shown() })
            }
        }
    }
}

impl Desk {
    /// Forgets what it has opened if another process changed the file.
    fn refresh(&mut self) -> rusqlite::Result<()> {
        let now = self.conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        if now != self.seen || self.opened.len() > MOST_CACHED {
            self.opened.clear();
            self.seen = now;
        }
        Ok(())
    }
}

impl KeyVault for FileVault {
    fn data_key(&self, user: &UserId) -> Result<Option<UserKey>, KeyError> {
        let mut desk = self.desk();
        desk.refresh().map_err(|error| self.told(&error))?;
        if let Some(key) = desk.opened.get(user) {
            return Ok(Some(key.clone()));
        }
        let key = self.stored(&desk.conn, user)?;
        if let Some(key) = &key {
            desk.opened.insert(user.clone(), key.clone());
        }
        Ok(key)
    }

    fn data_key_or_create(&self, user: &UserId) -> Result<UserKey, KeyError> {
        if let Some(key) = self.data_key(user)? {
            return Ok(key);
        }
        let mut desk = self.desk();
        let told = |error: rusqlite::Error| self.told(&error);
        let tx = desk.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(told)?;
        // Another thread or process may have been first.
        if let Some(key) = self.stored(&tx, user)? {
            return Ok(key);
        }
        self.check_master(&tx)?;
        let (key, wrapped) = self.master.new_key(user, &self.random)?;
        let sql = "INSERT INTO keys (user, id, wrapped) VALUES (?1, ?2, ?3)";
        tx.execute(sql, params![user.as_str(), key.id(), wrapped]).map_err(told)?;
        tx.commit().map_err(told)?;
        desk.opened.insert(user.clone(), key.clone());
        Ok(key)
    }

    fn destroy(&self, user: &UserId) -> Result<bool, KeyError> {
        let mut desk = self.desk();
        desk.opened.remove(user);
        let told = |error: rusqlite::Error| self.told(&error);
        let tx = desk.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(told)?;
        let removed = tx.execute("DELETE FROM keys WHERE user = ?1", [user.as_str()]).map_err(told)?;
        tx.commit().map_err(told)?;
        Ok(removed > 0)
    }

    fn external_id_key(&self) -> Zeroizing<[u8; 32]> {
        self.master.external_id_key()
    }

    fn health(&self) -> Result<Vec<(String, String, bool)>, KeyError> {
        let desk = self.desk();
        let told = |error: rusqlite::Error| self.told(&error);
        let users: i64 = desk.conn.query_row("SELECT count(*) FROM keys", [], |row| row.get(0)).map_err(told)?;
        let verdict: String = desk.conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(told)?;
        let fine = verdict == "ok";
        let mut lines = vec![
            ("keys".into(), format!("{} ({users} users)", self.keys_shown()), true),
            ("integrity of the keys".into(), verdict, fine),
            ("master key".into(), self.master_path.display().to_string(), self.master_path.is_file()),
        ];
        lines.extend(
            [&self.whereabouts.path, &self.master_path].into_iter().filter_map(|path| files::permission_line(path)),
        );
        Ok(lines)
    }
}

/// A connection to `path`, which is there.
fn connect(path: &Path, patience: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(patience)?;
    conn.execute_batch(
        "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
         PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF;",
    )?;
    Ok(conn)
}

/// Opens `keys.db`, made now if it is not there. The caller holds the start-up lock.
fn open_keys(whereabouts: &Whereabouts) -> Result<Connection, LedgerError> {
    let path = &whereabouts.path;
    let told = |error: rusqlite::Error| whereabouts.sqlite(&error);
    if !path.exists() {
        create_keys(whereabouts)?;
    }
    if files::size(path) == 0 {
        return Err(whereabouts.damaged("it is empty"));
    }
    let conn = connect(path, whereabouts.patience).map_err(told)?;
    let number = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(told);
    // Reading the schema is what makes SQLite look at the file's pages at all.
    number("SELECT count(*) FROM sqlite_schema")?;
    if number("PRAGMA application_id")? != APPLICATION_ID {
        return Err(whereabouts.damaged("it is another program's SQLite file"));
    }
    let found = number("PRAGMA user_version")?;
    if found > VERSION {
        return Err(LedgerError::NewerSchema { path: path.display().to_string(), found, known: VERSION });
    }
    Ok(conn)
}

/// Makes the file under another name first, so that one that is there is always complete.
fn create_keys(whereabouts: &Whereabouts) -> Result<(), LedgerError> {
    let path = &whereabouts.path;
    let draft = beside(path, ".new");
    for suffix in ["", "-journal"] {
        // Left over by a process that was killed right here.
        let _ = fs::remove_file(beside(&draft, suffix));
    }
    let io = |error: io::Error| Whereabouts::io(path, &error);
    drop(files::private_file(&draft).map_err(io)?);
    let fill = || -> rusqlite::Result<()> {
        let mut conn = connect(&draft, whereabouts.patience)?;
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        tx.execute_batch(SCHEMA)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", VERSION)?;
        tx.commit()
    };
    fill().map_err(|error| whereabouts.sqlite(&error))?;
    fs::rename(&draft, path).and_then(|()| path.parent().map_or(Ok(()), files::sync_dir)).map_err(io)
}

/// Notes which master key the file belongs to. As long as it holds no keys, that may change.
fn settle_fingerprint(conn: &mut Connection, master: &Master) -> rusqlite::Result<()> {
    let fingerprint = master.fingerprint();
    let known: Option<Vec<u8>> = conn.query_row("SELECT fingerprint FROM master", [], |row| row.get(0)).optional()?;
    if known.as_deref() == Some(&fingerprint) {
        return Ok(());
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute(
        "INSERT INTO master (one, fingerprint) SELECT 1, ?1 WHERE NOT EXISTS (SELECT 1 FROM keys)
         ON CONFLICT (one) DO UPDATE SET fingerprint = excluded.fingerprint",
        [fingerprint],
    )?;
    tx.commit()
}
