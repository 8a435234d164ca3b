//! Writing: the statements behind `LedgerWrite`, within one job's savepoint.

use myosotis_core::{Erased, ItemRow, Kind, LedgerError, LedgerWrite, MemoryId, ScopeKey, ScopeRow, Tag, UserId};
use rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE;
use rusqlite::{Params, params};

use super::view::{View, unsigned};

/// What is there of an item before it is replaced or removed.
struct Held {
    item_key: i64,
    bytes: i64,
    has_vector: bool,
}

/// SQLite's integers are signed; a counter beyond them is a bug of the caller's.
fn signed(number: u64, what: &str) -> Result<i64, LedgerError> {
    i64::try_from(number).map_err(|_| LedgerError::Other(format!("the {what} {number} is too large to be stored")))
}

fn length(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(i64::MAX)
}

impl View<'_> {
    fn run(&self, sql: &str, params: impl Params) -> Result<usize, LedgerError> {
        self.statement(sql)?.execute(params).map_err(|error| self.told(&error))
    }

    /// The user's row number; the row is made, at epoch 0, if there is none.
    fn ensure_user(&self, user: &UserId) -> Result<i64, LedgerError> {
        if let Some(key) = self.user_key(user)? {
            return Ok(key);
        }
        self.run("INSERT INTO users (id) VALUES (?1)", [user.as_str()])?;
        Ok(self.conn.last_insert_rowid())
    }

    /// The scope's row number; an undescribed row is made if there is none.
    fn ensure_scope(&self, user_key: i64, scope: ScopeKey) -> Result<i64, LedgerError> {
        if let Some(key) = self.scope_key(user_key, scope)? {
            return Ok(key);
        }
        self.run("INSERT INTO scopes (user_key, key) VALUES (?1, ?2)", params![user_key, scope.0])?;
        Ok(self.conn.last_insert_rowid())
    }

    fn held(&self, user_key: i64, id: MemoryId) -> Result<Option<Held>, LedgerError> {
        let sql = "SELECT i.item_key, length(i.sealed) + ifnull(length(v.sealed), 0), v.item_key IS NOT NULL
                   FROM items i LEFT JOIN vectors v USING (item_key) WHERE i.user_key = ?1 AND i.id = ?2";
        self.one(sql, params![user_key, id.as_bytes()], |row| {
            Ok(Held { item_key: row.get(0)?, bytes: row.get(1)?, has_vector: row.get(2)? })
        })
    }

    fn count(&self, user_key: i64, items: i64, bytes: i64) -> Result<(), LedgerError> {
        if items == 0 && bytes == 0 {
            return Ok(());
        }
        let sql = "UPDATE users SET items = items + ?2, bytes = bytes + ?3 WHERE user_key = ?1";
        self.run(sql, params![user_key, items, bytes]).map(drop)
    }

    fn upsert_item(&self, user_key: i64, scope_key: i64, row: &ItemRow) -> Result<i64, LedgerError> {
        let sql = "INSERT INTO items (user_key, scope_key, id, kind, state, rev, stored, created, accessed,
                       access_count, pinned, importance, support, lineage, tag, model, sealed)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
                   ON CONFLICT (user_key, id) DO UPDATE SET scope_key = excluded.scope_key, kind = excluded.kind,
                       state = excluded.state, rev = excluded.rev, stored = excluded.stored,
                       created = excluded.created, accessed = excluded.accessed,
                       access_count = excluded.access_count, pinned = excluded.pinned,
                       importance = excluded.importance, support = excluded.support, lineage = excluded.lineage,
                       tag = excluded.tag, model = excluded.model, sealed = excluded.sealed
                   RETURNING item_key";
        let lineage = (row.lineage != row.id).then(|| row.lineage.as_bytes());
        let values = params![
            user_key,
            scope_key,
            row.id.as_bytes(),
            row.kind,
            row.state,
            signed(row.rev, "revision")?,
            row.stored,
            row.created,
            row.accessed,
            row.access_count,
            row.pinned,
            row.importance,
            row.support,
            lineage,
            row.tag.map(|tag| tag.0),
            row.model,
            row.sealed,
        ];
        let mut statement = self.statement(sql)?;
        statement.query_row(values, |returned| returned.get(0)).map_err(|error| {
            match error.sqlite_extended_error_code() {
                // The one other unique index is that of the tags; nothing was changed.
                Some(SQLITE_CONSTRAINT_UNIQUE) => crate::memory::tag_taken(),
                _ => self.told(&error),
            }
        })
    }
}

impl LedgerWrite for View<'_> {
    fn put_user(&mut self, user: &UserId, epoch: u64, consent: Option<&[u8]>) -> Result<(), LedgerError> {
        let sql = "INSERT INTO users (id, epoch, consent) VALUES (?1, ?2, ?3)
                   ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, consent = excluded.consent";
        self.run(sql, params![user.as_str(), signed(epoch, "epoch")?, consent]).map(drop)
    }

    fn put_scope(&mut self, user: &UserId, row: &ScopeRow) -> Result<(), LedgerError> {
        let (version, removed_at) = (signed(row.version, "version")?, signed(row.removed_at, "version")?);
        let user_key = self.ensure_user(user)?;
        let sql = "INSERT INTO scopes (user_key, key, version, removed_at, sealed) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT (user_key, key) DO UPDATE SET version = excluded.version,
                       removed_at = excluded.removed_at, sealed = excluded.sealed";
        self.run(sql, params![user_key, row.key.0, version, removed_at, row.sealed]).map(drop)
    }

    fn put_item(&mut self, user: &UserId, row: &ItemRow) -> Result<(), LedgerError> {
        signed(row.rev, "revision")?;
        let user_key = self.ensure_user(user)?;
        let scope_key = self.ensure_scope(user_key, row.scope)?;
        let held = self.held(user_key, row.id)?;
        let item_key = self.upsert_item(user_key, scope_key, row)?;

        match &row.sealed_vector {
            Some(vector) => {
                let sql = "INSERT INTO vectors (item_key, sealed) VALUES (?1, ?2)
                           ON CONFLICT (item_key) DO UPDATE SET sealed = excluded.sealed";
                self.run(sql, params![item_key, vector])?;
            }
            None if held.as_ref().is_some_and(|held| held.has_vector) => {
                self.run("DELETE FROM vectors WHERE item_key = ?1", [item_key])?;
            }
            None => {}
        }
        let bytes = length(&row.sealed) + row.sealed_vector.as_deref().map_or(0, length);
        match held {
            None => self.count(user_key, 1, bytes),
            Some(held) => self.count(user_key, 0, bytes - held.bytes),
        }
    }

    fn bump_access(&mut self, user: &UserId, id: MemoryId, at: i64) -> Result<(), LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(()) };
        let sql = "UPDATE items SET accessed = max(ifnull(accessed, ?3), ?3),
                       access_count = min(access_count + 1, 4294967295)
                   WHERE user_key = ?1 AND id = ?2";
        self.run(sql, params![user_key, id.as_bytes(), at]).map(drop)
    }

    fn delete_item(&mut self, user: &UserId, id: MemoryId) -> Result<bool, LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(false) };
        let Some(held) = self.held(user_key, id)? else { return Ok(false) };
        self.run("DELETE FROM items WHERE item_key = ?1", [held.item_key])?;
        self.count(user_key, -1, -held.bytes)?;
        Ok(true)
    }

    fn put_tombstone(&mut self, user: &UserId, tag: Tag, at: i64) -> Result<(), LedgerError> {
        let user_key = self.ensure_user(user)?;
        let sql = "INSERT INTO tombstones (user_key, tag, at) VALUES (?1, ?2, ?3)
                   ON CONFLICT (user_key, tag) DO UPDATE SET at = excluded.at";
        self.run(sql, params![user_key, tag.0, at]).map(drop)
    }

    fn delete_tombstone(&mut self, user: &UserId, tag: Tag) -> Result<(), LedgerError> {
        let Some(user_key) = self.user_key(user)? else { return Ok(()) };
        self.run("DELETE FROM tombstones WHERE user_key = ?1 AND tag = ?2", params![user_key, tag.0]).map(drop)
    }

    fn erase_user(&mut self, user: &UserId) -> Result<Erased, LedgerError> {
        let user_key = self.ensure_user(user)?;
        let mut erased = Erased { items_by_kind: vec![0; Kind::ALL.len()], ..Erased::default() };
        let by_kind = "SELECT kind, count(*) FROM items WHERE user_key = ?1 GROUP BY kind";
        let mut statement = self.statement(by_kind)?;
        let rows = statement.query_map([user_key], |row| Ok((row.get::<_, u8>(0)?, unsigned(row, 1)?)));
        for row in rows.map_err(|error| self.told(&error))? {
            let (kind, count) = row.map_err(|error| self.told(&error))?;
            let kind = usize::from(kind);
            if erased.items_by_kind.len() <= kind {
                erased.items_by_kind.resize(kind + 1, 0);
            }
            erased.items_by_kind[kind] = count;
        }
        let described = "SELECT count(*) FROM scopes WHERE user_key = ?1 AND sealed IS NOT NULL";
        erased.scopes = self.one(described, [user_key], |row| unsigned(row, 0))?.unwrap_or(0);
        let consents = "SELECT consent IS NOT NULL FROM users WHERE user_key = ?1";
        erased.consents = self.one(consents, [user_key], |row| unsigned(row, 0))?.unwrap_or(0);

        let vectors = "DELETE FROM vectors WHERE item_key IN (SELECT item_key FROM items WHERE user_key = ?1)";
        self.run(vectors, [user_key])?;
        self.run("DELETE FROM items WHERE user_key = ?1", [user_key])?;
        self.run("DELETE FROM scopes WHERE user_key = ?1", [user_key])?;
        erased.tombstones = self.run("DELETE FROM tombstones WHERE user_key = ?1", [user_key])? as u64;
        let user_row = "UPDATE users SET epoch = epoch + 1, consent = NULL, items = 0, bytes = 0 WHERE user_key = ?1";
        self.run(user_row, [user_key])?;
        Ok(erased)
    }
}
