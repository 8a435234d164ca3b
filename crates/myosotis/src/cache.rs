//! Opened scopes, kept in memory within a budget and never stale (DESIGN.md, idea 4).
//!
//! A scope is decrypted once into a [`ScopeIndex`]. Every write raises the scope's version in its own
//! transaction; a reader compares versions in its read view and loads only the rows that changed, so
//! another process's write is seen at once (MEM-14) and an evicted scope is merely loaded again.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use myosotis_core::index::ScopeIndex;
use myosotis_core::{LedgerError, LedgerRead, ScopeKey, ScopeRow, UserId};

use crate::error::Error;
use crate::rows::Rows;

/// One scope, opened as of a version.
pub(crate) struct OpenScope {
    /// What is searched.
    pub(crate) index: ScopeIndex,
    /// The scope's version this shows.
    pub(crate) version: u64,
}

/// A scope that several threads share.
pub(crate) struct SharedScope(RwLock<OpenScope>);

impl SharedScope {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, OpenScope> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, OpenScope> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A scope of an epoch of a user: after an erasure the old one is never found again.
type CacheKey = (UserId, u64, ScopeKey);

/// The opened scopes.
pub(crate) struct ScopeCache {
    scopes: moka::sync::Cache<CacheKey, Arc<SharedScope>>,
}

impl ScopeCache {
    pub(crate) fn new(bytes: u64) -> Self {
        let weigh = |_: &CacheKey, scope: &Arc<SharedScope>| {
            let fixed = 512; // the entry's own bookkeeping
            u32::try_from(scope.read().index.bytes() + fixed).unwrap_or(u32::MAX)
        };
        Self { scopes: moka::sync::Cache::builder().max_capacity(bytes).weigher(weigh).build() }
    }

    /// The scope as `view` sees it, loaded or brought up to date as needed.
    pub(crate) fn fresh(
        &self,
        view: &dyn LedgerRead,
        rows: &Rows<'_>,
        epoch: u64,
        row: &ScopeRow,
        dims_model: (usize, Option<&str>),
    ) -> Result<Arc<SharedScope>, Error> {
        let key = (rows.user.clone(), epoch, row.key);
        if let Some(scope) = self.scopes.get(&key) {
            let version = scope.read().version;
            if version == row.version {
                return Ok(scope);
            }
            // A view older than what is cached (a reader that began before a commit) still gets the
            // newer one: reading what was committed since is never wrong.
            if version > row.version {
                return Ok(scope);
            }
            let grown = refresh(&mut scope.write(), view, rows, row, dims_model.1)?;
            if grown {
                self.scopes.insert(key, Arc::clone(&scope)); // weighed anew
            }
            return Ok(scope);
        }
        let mut open = OpenScope { index: ScopeIndex::new(dims_model.0), version: 0 };
        refresh(&mut open, view, rows, row, dims_model.1)?;
        let scope = Arc::new(SharedScope(RwLock::new(open)));
        self.scopes.insert(key, Arc::clone(&scope));
        Ok(scope)
    }

    /// The scope as it is cached, if it is.
    pub(crate) fn get(&self, user: &UserId, epoch: u64, scope: ScopeKey) -> Option<Arc<SharedScope>> {
        self.scopes.get(&(user.clone(), epoch, scope))
    }

    /// Drops everything of a user.
    pub(crate) fn forget_user(&self, user: &UserId) {
        for (key, _) in &self.scopes {
            if key.0 == *user {
                self.scopes.invalidate(key.as_ref());
            }
        }
    }
}

/// Applies what changed between `open.version` and `row.version`. True if the size changed much.
fn refresh(
    open: &mut OpenScope,
    view: &dyn LedgerRead,
    rows: &Rows<'_>,
    row: &ScopeRow,
    model: Option<&str>,
) -> Result<bool, Error> {
    if open.version >= row.version {
        return Ok(false); // another thread was faster
    }
    let before = open.index.bytes();
    if open.version < row.removed_at && !open.index.is_empty() {
        let kept = view.item_ids(rows.user, row.key)?;
        let gone: Vec<_> =
            open.index.iter().map(|entry| entry.id()).filter(|id| kept.binary_search(id).is_err()).collect();
        for id in gone {
            open.index.remove(id);
        }
    }
    let mut failure = None;
    let walked = view.items(rows.user, row.key, open.version, model.is_some(), &mut |item| {
        match rows.entry(&item, model) {
            Ok(entry) => open.index.put(entry),
            // One row that was moved or damaged hides nothing but itself; `doctor` names it.
            Err(Error::Seal(_)) => drop(open.index.remove(item.id)),
            Err(error) => {
                failure = Some(error);
                return Err(LedgerError::RolledBack);
            }
        }
        Ok(())
    });
    if let Some(error) = failure {
        return Err(error);
    }
    walked?;
    if open.version == 0 {
        open.index.shrink(); // freshly loaded: no spare room
    }
    open.version = row.version;
    let after = open.index.bytes();
    Ok(after.abs_diff(before) > before / 8)
}
