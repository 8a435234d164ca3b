//! Where Myosotis keeps things. Two ledgers ([`SqliteLedger`], the default, and [`MemoryLedger`])
//! that pass one [`conformance`] suite, the [`keys`] of the users, and the [`seal`] by which what a
//! person said is unreadable without their key.
//!
//! A ledger never sees content in the clear: it stores sealed bytes, numbers and keyed hashes. The
//! keys lie in a file of their own, so that destroying one makes every copy of its rows unreadable,
//! backups of the data included.

mod files;

pub mod conformance;
pub mod keys;
pub mod memory;
pub mod random;
pub mod seal;
pub mod sqlite;

pub use keys::{FileVault, KeyError, KeyVault, MemoryVault};
pub use memory::MemoryLedger;
pub use random::{OsRandom, Random, RandomError};
pub use seal::{Place, SealError, UserKey};
pub use sqlite::{SqliteLedger, SqliteOptions};
