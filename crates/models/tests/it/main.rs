//! The built-in embedder from outside: agreement with the reference, and what holds for any input.
#![allow(clippy::unwrap_used)]

mod any_text;
mod reference;
