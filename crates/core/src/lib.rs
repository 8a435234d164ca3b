//! The pure part of Myosotis: types, ids, scoring, the word index, vector maths and the recalled
//! block. Nothing here does I/O, reads a clock or waits; everything else depends on this crate and
//! it depends on nobody.

pub mod ids;
pub mod item;
pub mod ports;
pub mod text;

pub use ids::{IdError, MemoryId, Namespace, Scope, ScopeKey, Tag, ThreadId, UserId, Workspace};
pub use item::{Importance, Item, Kind, Origin, Role, Slot, Source, Span, State, UnknownKind};
pub use ports::{
    Clock, EmbedError, Embedder, EmbedderSpec, Erased, Ids, ItemRow, Ledger, LedgerError, LedgerRead, LedgerWrite,
    ScopeRow, UserRow,
};
