//! The JSON of mem0's `get_all`: memories in `results`, or a bare list of them.
//!
//! The `user_id` in it is not looked at: whose memory it becomes is the handle's matter (ID-4).

use myosotis_core::Kind;

use super::error::ImportError;
use super::fields::{self, Object};
use super::{Fact, Out, Parser};

/// Reads memories.
#[derive(Debug)]
pub(super) struct Mem0;

impl Parser for Mem0 {
    fn object(&mut self, memory: Object, out: &mut Out) -> Result<(), ImportError> {
        match fact(&memory) {
            Ok(fact) => out.fact(fact),
            Err(reason) => out.broken(reason),
        }
        Ok(())
    }
}

fn fact(memory: &Object) -> Result<Fact, String> {
    Ok(Fact {
        text: fields::text(memory, "memory")?.to_owned(),
        kind: Kind::Fact,
        id: fields::label(memory, "id")?,
        created: fields::time(memory, "created_at")?,
        updated: fields::time(memory, "updated_at")?,
    })
}
