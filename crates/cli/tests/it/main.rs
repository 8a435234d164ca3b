//! The program as people and scripts use it. Each test names the requirement it proves.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

mod config;
mod formats;
mod hostile;
mod kill;
mod kit;
mod processes;
mod verbs;
