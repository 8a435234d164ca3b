//! Reading: the statements behind `LedgerRead`, over one connection within one transaction.

use std::cell::{Cell, RefCell};

use myosotis_core::{ItemRow, LedgerError, LedgerRead, MemoryId, ScopeKey, ScopeRow, Tag, UserId, UserRow};
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Params, Row, params};

use super::errors::Whereabouts;

/// The columns of an item, in the order in which [`item_of`] reads them.
macro_rules! item_columns {
    () => {
        "i.id, s.key, i.kind, i.state, i.lineage, i.stored, i.created, i.accessed, i.access_count, \
         i.pinned, i.importance, i.support, i.rev, i.tag, i.model, i.sealed"
    };
}

/// One transaction's view. The row number of the user it was last asked for is kept: a job asks for
/// one user many times.
pub(crate) struct View<'c> {
    pub(super) conn: &'c Connection,
    pub(super) whereabouts: &'c Whereabouts,
    pub(super) known_user: RefCell<Option<(UserId, i64)>>,
    /// Set when a statement failed: a job that goes on regardless is undone all the same, since the
    /// statement may have been one of several.
    pub(super) broken: Cell<bool>,
}

impl<'c> View<'c> {
    pub(crate) fn new(conn: &'c Connection, whereabouts: &'c Whereabouts) -> Self {
        Self { conn, whereabouts, known_user: RefCell::new(None), broken: Cell::new(false) }
    }

    pub(super) fn told(&self, error: &rusqlite::Error) -> LedgerError {
        self.broken.set(true);
        self.whereabouts.sqlite(error)
    }

    pub(super) fn statement(&self, sql: &str) -> Result<CachedStatement<'c>, LedgerError> {
        self.conn.prepare_cached(sql).map_err(|error| self.told(&error))
    }

    /// The first row of a query.
    pub(super) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, LedgerError> {
        self.statement(sql)?.query_row(params, read).optional().map_err(|error| self.told(&error))
    }

    /// All rows of a query.
    fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, LedgerError> {
        let mut statement = self.statement(sql)?;
        let rows = statement.query_map(params, read).map_err(|error| self.told(&error))?;
        rows.collect::<Result<_, _>>().map_err(|error| self.told(&error))
    }

    /// The user's row number.
    pub(super) fn user_key(&self, user: &UserId) -> Result<Option<i64>, LedgerError> {
        if let Some((known, key)) = &*self.known_user.borrow()
            && known == user
        {
            return Ok(Some(*key));
        }
        let key = self.one("SELECT user_key FROM users WHERE id = ?1", [user.as_str()], |row| row.get(0))?;
        if let Some(key) = key {
            *self.known_user.borrow_mut() = Some((user.clone(), key));
        }
        Ok(key)
    }

    /// The scope's row number.
    pub(super) fn scope_key(&self, user_key: i64, scope: ScopeKey) -> Result<Option<i64>, LedgerError> {
        let sql = "SELECT scope_key FROM scopes WHERE user_key = ?1 AND key = ?2";
        self.one(sql, params![user_key, scope.0], |row| row.get(0))
    }

    /// The row numbers of user and scope, if both are there.
    fn place(&self, user: &UserId, scope: ScopeKey) -> Result<Option<(i64, i64)>, LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(None) };
        Ok(self.scope_key(user_key, scope)?.map(|scope_key| (user_key, scope_key)))
    }
}

/// A number that is never negative, however the file was tampered with.
pub(super) fn unsigned(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(index)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(index, number))
}

fn memory_id(row: &Row<'_>, index: usize) -> rusqlite::Result<MemoryId> {
    row.get(index).map(MemoryId::from_bytes)
}

fn scope_of(row: &Row<'_>) -> rusqlite::Result<ScopeRow> {
    Ok(ScopeRow {
        key: ScopeKey(row.get(0)?),
        version: unsigned(row, 1)?,
        removed_at: unsigned(row, 2)?,
        sealed: row.get(3)?,
    })
}

/// Reads [`item_columns`], and the vector after them if `with_vector`.
fn item_of(row: &Row<'_>, with_vector: bool) -> rusqlite::Result<ItemRow> {
    let id = memory_id(row, 0)?;
    let lineage = match row.get_ref(4)? {
        ValueRef::Null => id,
        _ => memory_id(row, 4)?,
    };
    Ok(ItemRow {
        id,
        scope: ScopeKey(row.get(1)?),
        kind: row.get(2)?,
        state: row.get(3)?,
        lineage,
        stored: row.get(5)?,
        created: row.get(6)?,
        accessed: row.get(7)?,
        access_count: row.get(8)?,
        pinned: row.get(9)?,
        importance: row.get(10)?,
        support: row.get(11)?,
        rev: unsigned(row, 12)?,
        tag: row.get::<_, Option<[u8; 16]>>(13)?.map(Tag),
        model: row.get(14)?,
        sealed: row.get(15)?,
        sealed_vector: if with_vector { row.get(16)? } else { None },
    })
}

impl LedgerRead for View<'_> {
    fn user(&self, user: &UserId) -> Result<Option<UserRow>, LedgerError> {
        let sql = "SELECT epoch, consent, items, bytes FROM users WHERE id = ?1";
        self.one(sql, [user.as_str()], |row| {
            Ok(UserRow {
                epoch: unsigned(row, 0)?,
                consent: row.get(1)?,
                items: unsigned(row, 2)?,
                bytes: unsigned(row, 3)?,
            })
        })
    }

    fn scopes(&self, user: &UserId) -> Result<Vec<ScopeRow>, LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(Vec::new()) };
        let sql = "SELECT key, version, removed_at, sealed FROM scopes
                   WHERE user_key = ?1 AND sealed IS NOT NULL ORDER BY key";
        self.all(sql, [user_key], scope_of)
    }

    fn scope(&self, user: &UserId, scope: ScopeKey) -> Result<Option<ScopeRow>, LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(None) };
        let sql = "SELECT key, version, removed_at, sealed FROM scopes
                   WHERE user_key = ?1 AND key = ?2 AND sealed IS NOT NULL";
        self.one(sql, params![user_key, scope.0], scope_of)
    }

    fn items(
        &self,
        user: &UserId,
        scope: ScopeKey,
        since: u64,
        with_vectors: bool,
        each: &mut dyn FnMut(ItemRow) -> Result<(), LedgerError>,
    ) -> Result<(), LedgerError> {
        let Some((_, scope_key)) = self.place(user, scope)? else { return Ok(()) };
        // First the order, from the index alone; then row by row, so that a large scope is never
        // sorted with its content in memory.
        let sql = "SELECT id, item_key FROM items WHERE scope_key = ?1 AND rev > ?2";
        let since = i64::try_from(since).unwrap_or(i64::MAX);
        let mut order: Vec<([u8; 16], i64)> =
            self.all(sql, params![scope_key, since], |row| Ok((row.get(0)?, row.get(1)?)))?;
        order.sort_unstable();

        let mut statement = self.statement(if with_vectors {
            concat!(
                "SELECT ",
                item_columns!(),
                ", v.sealed FROM items i JOIN scopes s USING (scope_key)
                   LEFT JOIN vectors v USING (item_key) WHERE i.item_key = ?1"
            )
        } else {
            concat!("SELECT ", item_columns!(), " FROM items i JOIN scopes s USING (scope_key) WHERE i.item_key = ?1")
        })?;
        for (_, item_key) in order {
            let row =
                statement.query_row([item_key], |row| item_of(row, with_vectors)).map_err(|error| self.told(&error))?;
            each(row)?;
        }
        Ok(())
    }

    fn item_ids(&self, user: &UserId, scope: ScopeKey) -> Result<Vec<MemoryId>, LedgerError> {
        let Some((_, scope_key)) = self.place(user, scope)? else { return Ok(Vec::new()) };
        let mut ids = self.all("SELECT id FROM items WHERE scope_key = ?1", [scope_key], |row| memory_id(row, 0))?;
        ids.sort_unstable();
        Ok(ids)
    }

    fn item(&self, user: &UserId, id: MemoryId) -> Result<Option<ItemRow>, LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(None) };
        let sql = concat!(
            "SELECT ",
            item_columns!(),
            ", v.sealed FROM items i JOIN scopes s USING (scope_key)
               LEFT JOIN vectors v USING (item_key) WHERE i.user_key = ?1 AND i.id = ?2"
        );
        self.one(sql, params![user_key, id.as_bytes()], |row| item_of(row, true))
    }

    fn item_by_tag(&self, user: &UserId, scope: ScopeKey, tag: Tag) -> Result<Option<MemoryId>, LedgerError> {
        let Some((_, scope_key)) = self.place(user, scope)? else { return Ok(None) };
        let sql = "SELECT id FROM items WHERE scope_key = ?1 AND tag = ?2";
        self.one(sql, params![scope_key, tag.0], |row| memory_id(row, 0))
    }

    fn lineage(&self, user: &UserId, lineage: MemoryId) -> Result<Vec<ItemRow>, LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(Vec::new()) };
        let first = concat!(
            "SELECT ",
            item_columns!(),
            " FROM items i JOIN scopes s USING (scope_key)
               WHERE i.user_key = ?1 AND i.id = ?2 AND i.lineage IS NULL"
        );
        let others = concat!(
            "SELECT ",
            item_columns!(),
            " FROM items i JOIN scopes s USING (scope_key) WHERE i.user_key = ?1 AND i.lineage = ?2"
        );
        let mut rows = self.all(first, params![user_key, lineage.as_bytes()], |row| item_of(row, false))?;
        rows.extend(self.all(others, params![user_key, lineage.as_bytes()], |row| item_of(row, false))?);
        rows.sort_unstable_by_key(|row| row.id);
        Ok(rows)
    }

    fn tombstone(&self, user: &UserId, tag: Tag) -> Result<Option<i64>, LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(None) };
        let sql = "SELECT at FROM tombstones WHERE user_key = ?1 AND tag = ?2";
        self.one(sql, params![user_key, tag.0], |row| row.get(0))
    }

    fn counts(&self, user: &UserId) -> Result<Vec<(u8, u8, u64)>, LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(Vec::new()) };
        let sql =
            "SELECT kind, state, count(*) FROM items WHERE user_key = ?1 GROUP BY kind, state ORDER BY kind, state";
        self.all(sql, [user_key], |row| Ok((row.get(0)?, row.get(1)?, unsigned(row, 2)?)))
    }

    fn users(&self) -> Result<Vec<UserId>, LedgerError> {
        let ids: Vec<String> = self.all("SELECT id FROM users ORDER BY id", [], |row| row.get(0))?;
        let valid = |id: String| UserId::new(id).map_err(|error| self.whereabouts.damaged(error.to_string()));
        ids.into_iter().map(valid).collect()
    }
}
