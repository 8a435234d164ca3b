//! Between an opened [`Item`] and the sealed row the ledger keeps.
//!
//! Everything that could hold a word of the user's is in the two sealed blobs: the body (text, slot,
//! source, event time, validity) and the vectors. Ids, times, counts, kinds and importance stay in
//! the clear. Each blob is bound to its user, scope, id and column, so that a row copied anywhere
//! else does not open.

use jiff::Timestamp;
use myosotis_core::index::Entry;
use myosotis_core::{
    Importance, Item, ItemRow, Kind, LedgerError, MemoryId, Namespace, Scope, ScopeKey, ScopeRow, Slot, Source, Span,
    State, Tag, UserId, Workspace,
};
use myosotis_store::{Place, UserKey};
use serde::{Deserialize, Serialize};

use crate::consent::Consent;
use crate::error::Error;

/// The sealed part of an item. Short names, because every item carries them.
#[derive(Serialize, Deserialize)]
struct Body {
    #[serde(rename = "t")]
    text: String,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    slot: Option<Slot>,
    #[serde(rename = "o")]
    source: Source,
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    event: Option<(i64, i64)>,
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    valid_from: Option<i64>,
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    valid_to: Option<i64>,
}

/// The sealed part of a scope: its labels, and how many live items it holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ScopeBody {
    namespace: Namespace,
    workspace: Option<Workspace>,
    /// Live learned items.
    pub(crate) learned: usize,
    /// Live messages.
    pub(crate) messages: usize,
}

impl ScopeBody {
    pub(crate) fn new(scope: &Scope) -> Self {
        Self { namespace: scope.namespace.clone(), workspace: scope.workspace.clone(), learned: 0, messages: 0 }
    }

    pub(crate) fn scope(&self) -> Scope {
        Scope { namespace: self.namespace.clone(), workspace: self.workspace.clone() }
    }

    /// Counts a live item of `kind` in (+1) or out (-1).
    pub(crate) fn count(&mut self, kind: Kind, by: isize) {
        let counter = if kind.is_learned() { &mut self.learned } else { &mut self.messages };
        *counter = counter.saturating_add_signed(by);
    }
}

/// An opened item together with the vectors of its passages, if it has any.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    pub(crate) item: Item,
    pub(crate) tag: Option<Tag>,
    pub(crate) vectors: Vec<f32>,
}

impl Opened {
    /// The item as the scope index wants it; vectors only if they are of `model`.
    pub(crate) fn into_entry(self, model: Option<&str>) -> Entry {
        let usable = model.is_some() && self.item.model.as_deref() == model;
        let item = self.item;
        Entry {
            id: item.id,
            kind: item.kind,
            state: item.state,
            text: item.text,
            slot: item.slot,
            source: item.source,
            importance: item.importance.get(),
            support: item.support,
            stored: item.stored.as_millisecond(),
            created: item.created.map(Timestamp::as_millisecond),
            event: item.event.map(|span| (span.start.as_millisecond(), span.end.as_millisecond())),
            valid_from: item.valid_from.map(Timestamp::as_millisecond),
            valid_to: item.valid_to.map(Timestamp::as_millisecond),
            accessed: item.accessed.map(Timestamp::as_millisecond),
            pinned: item.pinned,
            lineage: item.lineage,
            tag: self.tag,
            vectors: if usable { self.vectors } else { Vec::new() },
        }
    }
}

/// One user's key applied to one user's rows.
pub(crate) struct Rows<'a> {
    pub(crate) user: &'a UserId,
    pub(crate) key: &'a UserKey,
}

fn to_time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or(if ms < 0 { Timestamp::MIN } else { Timestamp::MAX })
}

fn internal(what: &str, error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("{what}: {error}"))
}

impl Rows<'_> {
    fn place<'b>(&'b self, column: &'b str, scope: ScopeKey, id: &'b MemoryId) -> Place<'b> {
        Place::new("items", column, self.user).scope(scope).row(id.as_bytes())
    }

    /// Seals `opened` into a row. `rev` is the scope's version this change makes.
    pub(crate) fn seal(&self, opened: &Opened, scope: ScopeKey, rev: u64) -> Result<ItemRow, Error> {
        let item = &opened.item;
        let body = Body {
            text: item.text.clone(),
            slot: item.slot.clone(),
            source: item.source.clone(),
            event: item.event.map(|span| (span.start.as_millisecond(), span.end.as_millisecond())),
            valid_from: item.valid_from.map(Timestamp::as_millisecond),
            valid_to: item.valid_to.map(Timestamp::as_millisecond),
        };
        let body = serde_json::to_vec(&body).map_err(|error| internal("an item could not be written", error))?;
        let sealed_vector = match &item.model {
            Some(_) if !opened.vectors.is_empty() => {
                let bytes: Vec<u8> = opened.vectors.iter().flat_map(|value| value.to_le_bytes()).collect();
                Some(self.key.seal(&self.place("sealed_vector", scope, &item.id), &bytes)?)
            }
            _ => None,
        };
        Ok(ItemRow {
            id: item.id,
            scope,
            kind: item.kind.code(),
            state: item.state.code(),
            lineage: item.lineage,
            stored: item.stored.as_millisecond(),
            created: item.created.map(Timestamp::as_millisecond),
            accessed: item.accessed.map(Timestamp::as_millisecond),
            access_count: item.access_count,
            pinned: item.pinned,
            importance: item.importance.get(),
            support: item.support,
            rev,
            tag: opened.tag,
            model: sealed_vector.as_ref().and(item.model.clone()),
            sealed: self.key.seal(&self.place("sealed", scope, &item.id), &body)?,
            sealed_vector,
        })
    }

    fn body(&self, row: &ItemRow) -> Result<Body, Error> {
        let bytes = self.key.open(&self.place("sealed", row.scope, &row.id), &row.sealed)?;
        serde_json::from_slice(&bytes).map_err(|error| internal("an item could not be read", error))
    }

    fn vectors(&self, row: &ItemRow) -> Result<Vec<f32>, Error> {
        let Some(sealed) = &row.sealed_vector else { return Ok(Vec::new()) };
        let bytes = self.key.open(&self.place("sealed_vector", row.scope, &row.id), sealed)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect())
    }

    /// Opens a row of the scope whose labels are `scope`.
    pub(crate) fn open(&self, row: &ItemRow, scope: &Scope) -> Result<Opened, Error> {
        let body = self.body(row)?;
        let kind = kind_of(row)?;
        let item = Item {
            id: row.id,
            scope: scope.clone(),
            kind,
            state: state_of(row)?,
            text: body.text,
            importance: Importance::new(f64::from(row.importance)),
            slot: body.slot,
            source: body.source,
            support: row.support,
            stored: to_time(row.stored),
            created: row.created.map(to_time),
            event: body.event.map(|(start, end)| Span { start: to_time(start), end: to_time(end) }),
            valid_from: body.valid_from.map(to_time),
            valid_to: body.valid_to.map(to_time),
            accessed: row.accessed.map(to_time),
            access_count: row.access_count,
            pinned: row.pinned,
            lineage: row.lineage,
            model: row.model.clone(),
        };
        Ok(Opened { item, tag: row.tag, vectors: self.vectors(row).unwrap_or_default() })
    }

    /// Opens a row as the scope index wants it; vectors only if they are of `model`.
    pub(crate) fn entry(&self, row: &ItemRow, model: Option<&str>) -> Result<Entry, Error> {
        let body = self.body(row)?;
        let usable = model.is_some() && row.model.as_deref() == model;
        Ok(Entry {
            id: row.id,
            kind: kind_of(row)?,
            state: state_of(row)?,
            text: body.text,
            slot: body.slot,
            source: body.source,
            importance: row.importance,
            support: row.support,
            stored: row.stored,
            created: row.created,
            event: body.event,
            valid_from: body.valid_from,
            valid_to: body.valid_to,
            accessed: row.accessed,
            pinned: row.pinned,
            lineage: row.lineage,
            tag: row.tag,
            // A damaged vector costs the meaning, not the memory: words still find it (REC-7).
            vectors: if usable { self.vectors(row).unwrap_or_default() } else { Vec::new() },
        })
    }

    /// Whether the vectors of a row that has some open.
    pub(crate) fn vectors_open(&self, row: &ItemRow) -> bool {
        self.vectors(row).is_ok()
    }

    /// Seals a scope's labels and counters.
    pub(crate) fn seal_scope(
        &self,
        key: ScopeKey,
        body: &ScopeBody,
        version: u64,
        removed_at: u64,
    ) -> Result<ScopeRow, Error> {
        let bytes = serde_json::to_vec(body).map_err(|error| internal("a scope could not be written", error))?;
        let sealed = self.key.seal(&Place::new("scopes", "sealed", self.user).scope(key), &bytes)?;
        Ok(ScopeRow { key, version, removed_at, sealed })
    }

    /// Opens a scope's labels and counters.
    pub(crate) fn open_scope(&self, row: &ScopeRow) -> Result<ScopeBody, Error> {
        let bytes = self.key.open(&Place::new("scopes", "sealed", self.user).scope(row.key), &row.sealed)?;
        serde_json::from_slice(&bytes).map_err(|error| internal("a scope could not be read", error))
    }

    /// Seals the consent record.
    pub(crate) fn seal_consent(&self, consent: &Consent) -> Result<Vec<u8>, Error> {
        let bytes = serde_json::to_vec(consent).map_err(|error| internal("a consent could not be written", error))?;
        Ok(self.key.seal(&Place::new("users", "consent", self.user), &bytes)?)
    }

    /// Opens the consent record.
    pub(crate) fn open_consent(&self, sealed: &[u8]) -> Result<Consent, Error> {
        let bytes = self.key.open(&Place::new("users", "consent", self.user), sealed)?;
        serde_json::from_slice(&bytes).map_err(|error| internal("a consent could not be read", error))
    }
}

fn kind_of(row: &ItemRow) -> Result<Kind, Error> {
    Kind::from_code(row.kind).ok_or_else(|| unknown_code("kind", row.kind))
}

fn state_of(row: &ItemRow) -> Result<State, Error> {
    State::from_code(row.state).ok_or_else(|| unknown_code("state", row.state))
}

fn unknown_code(what: &str, code: u8) -> Error {
    LedgerError::Other(format!("a row has the unknown {what} {code}: it was made by a newer version; upgrade Myosotis"))
        .into()
}
