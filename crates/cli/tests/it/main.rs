//! The program as people and scripts use it. Each test names the requirement it proves.

mod config;
mod formats;
mod hostile;
mod kill;
mod kit;
mod processes;
mod verbs;
