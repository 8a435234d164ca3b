//! The pure part of Myosotis: types, ids, scoring, the word index, vector maths and the recalled
//! block. Nothing here does I/O, reads a clock or waits; everything else depends on this crate and
//! it depends on nobody.

pub mod block;
pub mod budget;
pub mod claim;
pub mod ids;
pub mod index;
pub mod item;
pub mod passage;
pub mod ports;
pub mod recall;
pub mod text;
pub mod vector;
pub mod when;
pub mod words;

pub use ids::{IdError, MemoryId, Namespace, Scope, ScopeKey, Tag, ThreadId, UserId, Workspace};
pub use item::{Importance, Item, Kind, Origin, Role, Slot, Source, Span, State, UnknownKind};
pub use ports::{
    Clock, EmbedError, Embedder, EmbedderSpec, Erased, Ids, ItemRow, Ledger, LedgerError, LedgerRead, LedgerWrite,
    ScopeRow, UserRow,
};
