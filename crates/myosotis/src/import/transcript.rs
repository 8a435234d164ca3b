//! A plain transcript: one message a line. The fields are a promise, see `docs/formats.md`.

use super::error::ImportError;
use super::fields::{self, Object, Positions};
use super::{Out, Parser, Turn, UNSPOKEN};
use myosotis_core::Role;

/// Reads messages, counting them by session. BEAM's differ in the names of two fields.
#[derive(Debug)]
pub(super) struct Transcript {
    text: &'static str,
    time: &'static str,
    positions: Positions,
}

impl Transcript {
    /// The transcript we promise.
    pub(super) fn plain() -> Self {
        Self { text: "content", time: "timestamp", positions: Positions::default() }
    }

    /// The messages of a BEAM chat.
    pub(super) fn beam() -> Self {
        Self { text: "text", time: "time", positions: Positions::default() }
    }

    fn turn(&mut self, message: &Object) -> Result<Option<Turn>, String> {
        let role = fields::role(message)?;
        let mut turn = Turn {
            text: fields::text(message, self.text)?.to_owned(),
            role,
            speaker: fields::label(message, "speaker")?,
            session: fields::label(message, "session")?,
            message: fields::label(message, "id")?,
            position: None,
            created: fields::time(message, self.time)?,
        };
        if matches!(role, Role::System | Role::Tool) {
            return Ok(None);
        }
        turn.position = self.positions.next(&turn.session);
        Ok(Some(turn))
    }
}

impl Parser for Transcript {
    fn object(&mut self, message: Object, out: &mut Out) -> Result<(), ImportError> {
        match self.turn(&message) {
            Ok(Some(turn)) => out.turn(turn),
            Ok(None) => out.skip(UNSPOKEN),
            Err(reason) => out.broken(reason),
        }
        Ok(())
    }
}
