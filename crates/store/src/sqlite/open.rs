//! Opening the file: creation, settings of a connection, checks, migrations (OPS-3, OPS-5).

use std::fs::{self, File};
use std::io::Read;
use std::time::Duration;

use myosotis_core::LedgerError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::errors::Whereabouts;
use crate::files;

/// Marks the file as ours: `Myos`.
const APPLICATION_ID: i64 = 0x4D79_6F73;

/// One file of statements a version, run in order.
const MIGRATIONS: &[&str] = &[include_str!("migrations/0001_start.sql")];

/// Bytes a page. At 8 KB five sealed vectors of 384 numbers share a page, at 4 KB only two.
const PAGE_SIZE: u32 = 8192;

/// Every SQLite file starts with this.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Statements each connection keeps prepared; all there are.
const STATEMENTS: usize = 64;

/// The newest schema this program knows.
pub(crate) fn known_version() -> i64 {
    MIGRATIONS.len() as i64
}

/// Creates the file if need be and brings it up to date. The caller holds the start-up lock, so that
/// of several processes that start at once the first prepares the file and the others find it ready.
pub(crate) fn prepare(whereabouts: &Whereabouts) -> Result<Connection, LedgerError> {
    let path = &whereabouts.path;
    if !path.exists() {
        create(whereabouts)?;
    }
    check_magic(whereabouts)?;
    let mut conn = connect(whereabouts, false)?;
    check_identity(&conn, whereabouts)?;
    let mode: String = conn
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .map_err(|error| whereabouts.sqlite(&error))?;
    if !mode.eq_ignore_ascii_case("wal") {
        let reason = format!("the file system allows no write-ahead log, journal mode stays {mode}; use a local disk");
        return Err(LedgerError::Access { path: path.display().to_string(), reason });
    }
    check_length(&conn, whereabouts)?;
    migrate(&mut conn, whereabouts)?;
    Ok(conn)
}

/// Makes the file under another name and gives it its own when it is complete: a file that is there
/// is never half a store, and an empty one was damaged.
fn create(whereabouts: &Whereabouts) -> Result<(), LedgerError> {
    let path = &whereabouts.path;
    let draft = Whereabouts { path: super::beside(path, ".new"), patience: whereabouts.patience };
    let told = |error: rusqlite::Error| draft.sqlite(&error);
    for suffix in ["", "-journal"] {
        // Left over by a process that was killed right here.
        let _ = fs::remove_file(super::beside(&draft.path, suffix));
    }
    drop(files::private_file(&draft.path).map_err(|error| Whereabouts::io(path, &error))?);
    let mut conn = connect(&draft, false)?;
    // These shape the file and only take effect before its first page is written.
    conn.pragma_update(None, "page_size", PAGE_SIZE).map_err(told)?;
    conn.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(told)?;
    migrate(&mut conn, &draft)?;
    drop(conn);
    fs::rename(&draft.path, path)
        .and_then(|()| path.parent().map_or(Ok(()), files::sync_dir))
        .map_err(|error| Whereabouts::io(path, &error))
}

/// Opens one more connection to a prepared file.
pub(crate) fn connect(whereabouts: &Whereabouts, for_reading: bool) -> Result<Connection, LedgerError> {
    let told = |error: rusqlite::Error| whereabouts.sqlite(&error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(&whereabouts.path, flags).map_err(told)?;
    conn.busy_timeout(whereabouts.patience).map_err(told)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    // Plans do not depend on the values asked for; otherwise SQLite plans again for each new value.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(told)?;
    // A commit is on the disk when it returns; freed bytes are zeroed; nothing is spilled elsewhere.
    conn.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;
         PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF;
         PRAGMA cache_size = -4096;",
    )
    .map_err(told)?;
    if for_reading {
        conn.pragma_update(None, "query_only", true).map_err(told)?;
    }
    Ok(conn)
}

/// Refuses what does not start like an SQLite file, before SQLite touches it.
fn check_magic(whereabouts: &Whereabouts) -> Result<(), LedgerError> {
    let path = &whereabouts.path;
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start))
        .map_err(|error| Whereabouts::io(path, &error))?;
    match &start[..] {
        [] => Err(whereabouts.damaged("it is empty")),
        start if start == MAGIC => Ok(()),
        _ => Err(whereabouts.damaged("it does not start like an SQLite file")),
    }
}

/// Refuses other programs' files and those of newer versions of ours.
fn check_identity(conn: &Connection, whereabouts: &Whereabouts) -> Result<(), LedgerError> {
    let number =
        |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(|error| whereabouts.sqlite(&error));
    // Reading the schema is what makes SQLite look at the file's pages at all.
    number("SELECT count(*) FROM sqlite_schema")?;
    if number("PRAGMA application_id")? != APPLICATION_ID {
        return Err(whereabouts.damaged("it is another program's SQLite file"));
    }
    let found = number("PRAGMA user_version")?;
    if found > known_version() {
        let path = whereabouts.path.display().to_string();
        return Err(LedgerError::NewerSchema { path, found, known: known_version() });
    }
    Ok(())
}

/// A file whose last page is incomplete was cut. While there is a log, a checkpoint may have been
/// interrupted, and SQLite finishes it.
fn check_length(conn: &Connection, whereabouts: &Whereabouts) -> Result<(), LedgerError> {
    if files::size(&super::beside(&whereabouts.path, "-wal")) > 0 {
        return Ok(());
    }
    let page: u64 = conn
        .query_row("PRAGMA page_size", [], |row| row.get::<_, u32>(0))
        .map_err(|error| whereabouts.sqlite(&error))?
        .into();
    if page > 0 && !files::size(&whereabouts.path).is_multiple_of(page) {
        return Err(whereabouts.damaged("it was cut off in the middle of a page"));
    }
    Ok(())
}

/// Runs what is missing, all of it or nothing.
fn migrate(conn: &mut Connection, whereabouts: &Whereabouts) -> Result<(), LedgerError> {
    let told = |error: rusqlite::Error| whereabouts.sqlite(&error);
    let version: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(told)?;
    if version == known_version() {
        return Ok(());
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(told)?;
    // Again, now that nobody else can be at it.
    let version: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(told)?;
    for statements in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        tx.execute_batch(statements).map_err(told)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID).map_err(told)?;
    tx.pragma_update(None, "user_version", known_version()).map_err(told)?;
    tx.commit().map_err(told)
}

/// The busy timeout of [`super::SqliteOptions::default`].
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
