//! Behaviour of the library through its public API. Each test names the requirement it proves.

#![allow(clippy::unwrap_used)] // a test that cannot go on fails

mod bounds;
mod consent;
mod damage;
mod disk;
mod embedding;
mod forget;
mod isolation;
mod kit;
mod languages;
mod portable;
mod recall;
mod remember;
mod slots;
mod threads;
mod time;
