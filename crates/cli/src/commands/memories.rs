//! `myosotis memories`, `history`, `edit` and `pin`.

use std::process::ExitCode;

use myosotis::{Edit, Item, ListRequest, MemoryId, State};

use crate::app::{App, CliError};
use crate::args::{EditArgs, MemoriesArgs};
use crate::show;

pub(crate) fn list(app: &App, args: &MemoriesArgs) -> Result<ExitCode, CliError> {
    let memory = app.user()?;
    let scope = (!args.everywhere).then(|| app.settings.scope.clone());
    let items = match app.maybe_time("--as-of", args.as_of.as_deref())? {
        Some(at) => {
            let mut items = memory.list_as_of(at, scope.as_ref())?;
            items.retain(|item| args.kind.is_empty() || args.kind.contains(&item.kind));
            items.truncate(args.limit.unwrap_or(usize::MAX));
            items
        }
        None => memory.list(&ListRequest {
            scope,
            kinds: args.kind.clone(),
            state: Some(args.state),
            contains: args.contains.clone(),
            limit: args.limit,
        })?,
    };
    if app.json {
        items.iter().try_for_each(show::json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let unreadable = memory.unreadable()?;
    if !unreadable.is_empty() {
        show::note(format_args!(
            "{} not open; `myosotis doctor` names them",
            show::count(unreadable.len() as u64, "memory does", "memories do")
        ));
    }
    if items.is_empty() {
        show::line("nothing is remembered here that fits")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = show::table(&["id", "date", "kind", "memory"]);
    for item in &items {
        let when = show::date(item.created, &app.settings.time_zone);
        table.add_row(vec![item.id.to_string(), when, item.kind.to_string(), marked(item)]);
    }
    show::whole(&mut table, 0);
    show::line(table.trim_fmt())?;
    show::line(format_args!("\n{}", show::count(items.len() as u64, "memory", "memories")))?;
    Ok(ExitCode::SUCCESS)
}

/// The text with what is special about the item.
fn marked(item: &Item) -> String {
    let mut marks = Vec::new();
    marks.extend(item.slot.as_ref().map(ToString::to_string));
    if item.pinned {
        marks.push("pinned".into());
    }
    if item.support > 1 {
        marks.push(format!("said {} times", item.support));
    }
    if item.state == State::Superseded {
        marks.push("past".into());
    }
    let said = item.source.speaker.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let marks = if marks.is_empty() { String::new() } else { format!(" [{}]", marks.join(", ")) };
    format!("{said}{}{marks}", item.text)
}

pub(crate) fn history(app: &App, id: MemoryId) -> Result<ExitCode, CliError> {
    let items = app.user()?.history(id)?;
    if app.json {
        items.iter().try_for_each(show::json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let zone = &app.settings.time_zone;
    let mut table = show::table(&["from", "until", "memory", "id"]);
    for item in &items {
        let until = if item.state == State::Live { "now".into() } else { show::date(item.valid_to, zone) };
        let from = show::date(item.valid_from.or(item.created), zone);
        table.add_row(vec![from, until, item.text.clone(), item.id.to_string()]);
    }
    show::whole(&mut table, 3);
    show::line(table.trim_fmt())?;
    if let Some(item) = items.first() {
        show::line(format_args!("\n{}", details(app, item)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn details(app: &App, item: &Item) -> String {
    let zone = &app.settings.time_zone;
    let mut lines = vec![format!("{} of importance {:.2}", item.kind, item.importance.get())];
    if let Some(slot) = &item.slot {
        lines.push(format!("value of {slot}"));
    }
    let source = &item.source;
    let mut from = format!("{:?} by the {:?}", source.origin, source.role).to_lowercase();
    if let Some(message) = &source.message {
        from.push_str(&format!(", message {message}"));
    }
    if let Some(session) = &source.session {
        from.push_str(&format!(" of {session}"));
    }
    lines.push(from);
    if let Some(event) = item.event {
        lines.push(format!("happened {}", show::date(Some(event.start), zone)));
    }
    lines.push(format!("stored {}", show::moment(item.stored, zone)));
    if let Some(at) = item.accessed {
        lines.push(format!(
            "recalled {}, last {}",
            show::count(item.access_count.into(), "time", "times"),
            show::moment(at, zone)
        ));
    }
    lines.join("\n")
}

pub(crate) fn edit(app: &App, args: &EditArgs) -> Result<ExitCode, CliError> {
    let edit = Edit {
        text: args.text.clone(),
        kind: args.kind,
        importance: args.importance,
        slot: args.slot.clone(),
        pinned: None,
    };
    if args.text.is_none() && args.kind.is_none() && args.importance.is_none() && args.slot.is_none() {
        return Err(CliError::Usage("nothing to change: use --text, --kind, --importance or --slot".into()));
    }
    changed(app, &app.user()?.edit(args.id, &edit)?, "changed")
}

pub(crate) fn pin(app: &App, id: MemoryId, pinned: bool) -> Result<ExitCode, CliError> {
    changed(app, &app.user()?.pin(id, pinned)?, if pinned { "pinned" } else { "unpinned" })
}

fn changed(app: &App, item: &Item, what: &str) -> Result<ExitCode, CliError> {
    if app.json {
        show::json(item)?;
    } else {
        show::line(format_args!("{what} {}: {}", item.id, marked(item)))?;
    }
    Ok(ExitCode::SUCCESS)
}
