//! Myosotis, the forget-me-not: a memory engine for chat assistants and agents.
//!
//! [`Engine`] opens a store; [`Engine::user`] gives the handle of one person, [`UserMemory`], and
//! everything a person's memory can undergo is a method of that handle. Memory is off until the
//! person consents, everything they said is sealed under their own key, and forgetting destroys it.

mod cache;
mod caps;
mod commit;
mod consent;
mod embedding;
mod engine;
mod error;
mod forget;
pub mod import;
mod importer;
mod limits;
mod manage;
mod outcome;
mod portable;
mod recall;
mod reindex;
mod remember;
mod rows;
mod slots;
mod spoken;
mod stats;
mod user;

pub use consent::{Consent, ConsentState, OffReason, Status, parse_enabled};
pub use engine::{Engine, EngineBuilder};
pub use error::Error;
pub use forget::Erasure;
pub use importer::{ImportOptions, ImportProgress, ImportReport};
pub use limits::Limits;
pub use manage::{Edit, ListRequest};
pub use outcome::{Refusal, Remembered};
pub use portable::{EXPORT_VERSION, ExportLine};
pub use recall::{LeftOut, MAX_K, Recall, RecallRequest, Recalled};
pub use remember::{MAX_MESSAGE_CHARS, Remember};
pub use stats::{Check, Stats};
pub use user::UserMemory;

pub use myosotis_core::recall::{Profile, Terms, Weights};
pub use myosotis_core::{
    Clock, EmbedError, Embedder, EmbedderSpec, IdError, Ids, Importance, Item, Kind, Ledger, LedgerError, MemoryId,
    Namespace, Origin, Role, Scope, Slot, Source, Span, State, ThreadId, UserId, Workspace,
};

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
