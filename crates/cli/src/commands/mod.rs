//! One file a command, or a few that belong together. Each takes the app and its arguments, prints,
//! and returns the exit code.

pub(crate) mod config;
pub(crate) mod consent;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod forget;
pub(crate) mod import;
pub(crate) mod memories;
pub(crate) mod recall;
pub(crate) mod reindex;
pub(crate) mod remember;
pub(crate) mod stats;
