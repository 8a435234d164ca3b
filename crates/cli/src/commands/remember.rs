//! `myosotis remember`.

use std::io::Read;
use std::process::ExitCode;

use myosotis::{Remember, Remembered, Span};

use crate::app::{App, CliError, REFUSED};
use crate::args::RememberArgs;
use crate::show;

pub(crate) fn run(app: &App, args: &RememberArgs) -> Result<ExitCode, CliError> {
    let text = text_of(&args.text)?;
    let event = app.maybe_time("--event", args.event.as_deref())?.map(day_of);
    let mut memory = Remember::new(text)
        .kind(args.kind)
        .importance(args.importance)
        .created(app.maybe_time("--said", args.said.as_deref())?)
        .event(event)
        .pinned(args.pin)
        .time_zone(app.settings.time_zone.clone())
        .scope(app.settings.scope.clone());
    memory.slot.clone_from(&args.slot);
    let outcome = app.user()?.remember(memory)?;
    if app.json {
        show::json(&outcome)?;
    } else {
        match &outcome {
            Remembered::Stored { id, evicted: 0, .. } => show::line(format_args!("stored {id}"))?,
            Remembered::Stored { id, evicted, .. } => {
                let gone = show::count(*evicted as u64, "weaker memory was let go", "weaker memories were let go");
                show::line(format_args!("stored {id}; the scope is full, and {gone}"))?;
            }
            Remembered::Updated { id, superseded } => show::line(format_args!("stored {id}, replaces {superseded}"))?,
            Remembered::Unchanged { id } => show::line(format_args!("unchanged: it is remembered already as {id}"))?,
            Remembered::Refused { reason } => anstream::eprintln!("not stored: {reason}"),
        }
    }
    Ok(match outcome {
        Remembered::Refused { .. } => ExitCode::from(REFUSED),
        _ => ExitCode::SUCCESS,
    })
}

/// The words of the command line, or the standard input for `-`.
fn text_of(words: &[String]) -> Result<String, CliError> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(|error| CliError::file("the standard input", &error))?;
    String::from_utf8(bytes).map_err(|error| {
        CliError::Usage(format!(
            "the standard input is not UTF-8 (byte {}); convert it first",
            error.utf8_error().valid_up_to()
        ))
    })
}

/// The 24 hours from `at`.
fn day_of(at: jiff::Timestamp) -> Span {
    let end = at.checked_add(jiff::SignedDuration::from_hours(24)).unwrap_or(jiff::Timestamp::MAX);
    Span { start: at, end }
}
