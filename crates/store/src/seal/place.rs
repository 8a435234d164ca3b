//! Where a sealed value belongs. It is bound to its place: moved to another user, scope, row or
//! column it does not open (ERA-3).

use std::fmt;

use myosotis_core::ids::push_part;
use myosotis_core::{MemoryId, ScopeKey, UserId};

/// The place of one sealed value: a column of a row of a user.
///
/// ```
/// use myosotis_core::{MemoryId, ScopeKey, UserId};
/// use myosotis_store::Place;
/// let alice = UserId::new("alice")?;
/// let id = MemoryId::from_parts(0, [7; 10]);
/// let place = Place::new("items", "sealed", &alice).scope(ScopeKey([1; 16])).row(id.as_bytes());
/// assert_eq!(place.to_string(), format!("row {id} of items.sealed"));
/// # Ok::<(), myosotis_core::IdError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    table: &'a str,
    column: &'a str,
    user: &'a UserId,
    scope: Option<ScopeKey>,
    row: &'a [u8],
}

impl<'a> Place<'a> {
    /// A column of the one row a user has in `table`.
    #[must_use]
    pub fn new(table: &'a str, column: &'a str, user: &'a UserId) -> Self {
        Self { table, column, user, scope: None, row: &[] }
    }

    /// Within this scope.
    #[must_use]
    pub fn scope(self, scope: ScopeKey) -> Self {
        Self { scope: Some(scope), ..self }
    }

    /// In the row with this id.
    #[must_use]
    pub fn row(self, id: &'a [u8]) -> Self {
        Self { row: id, ..self }
    }

    /// An injective encoding: two places that differ in any part differ here.
    pub(super) fn encode(&self) -> Vec<u8> {
        let scope = self.scope.map(|scope| scope.0);
        let scope: &[u8] = scope.as_ref().map_or(&[], |scope| scope);
        let parts = [self.table.as_bytes(), self.column.as_bytes(), self.user.as_str().as_bytes(), scope, self.row];
        let mut out = Vec::with_capacity(parts.iter().map(|part| part.len() + 8).sum());
        for part in parts {
            push_part(&mut out, part);
        }
        out
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("row ")?;
        match <[u8; 16]>::try_from(self.row) {
            Ok(id) => write!(f, "{}", MemoryId::from_bytes(id))?,
            Err(_) if self.row.is_empty() => write!(f, "of user {}", self.user)?,
            Err(_) => self.row.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?,
        }
        write!(f, " of {}.{}", self.table, self.column)
    }
}
