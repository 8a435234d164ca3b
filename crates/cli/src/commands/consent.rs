//! `myosotis consent`: opt-in is real here too (OPT-1, OPT-3).

use std::process::ExitCode;

use myosotis::{Consent, ConsentState, Status};

use crate::app::{App, CliError};
use crate::args::ConsentWord;
use crate::show;

pub(crate) fn run(app: &App, what: ConsentWord, policy: Option<&str>) -> Result<ExitCode, CliError> {
    let memory = app.user()?;
    let state = match what {
        ConsentWord::On => Some(ConsentState::On),
        ConsentWord::Off => Some(ConsentState::Off),
        ConsentWord::Pause => Some(ConsentState::Paused),
        ConsentWord::Show => None,
    };
    let consent = match state {
        Some(state) => Some(memory.set_consent(state, "command line", policy)?),
        None => memory.consent()?,
    };
    let status = memory.status()?;
    if app.json {
        let status = match status {
            Status::On => "on",
            Status::Paused => "paused",
            Status::Off(why) => why.as_str(),
        };
        show::json(&serde_json::json!({"user": memory.id(), "consent": consent, "status": status}))?;
        return Ok(ExitCode::SUCCESS);
    }
    show::line(match status {
        Status::On => format!("memory is on for {}", memory.id()),
        Status::Paused => format!("memory is paused for {}: it is recalled, nothing new is learned", memory.id()),
        Status::Off(why) => format!("memory is off for {}: {why}", memory.id()),
    })?;
    if let Some(Consent { state, at, how, policy }) = consent {
        let policy = policy.map(|version| format!(", policy {version}")).unwrap_or_default();
        let when = show::moment(at, &app.settings.time_zone);
        show::line(format_args!("consent {} since {when}, by {how}{policy}", state.as_str()))?;
    }
    Ok(ExitCode::SUCCESS)
}
