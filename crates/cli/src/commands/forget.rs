//! `myosotis forget` and `forget-me`. Nothing is ever deleted by likeness alone (MEM-11).

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use myosotis::{Error, MemoryId, UserMemory};

use crate::app::{App, CliError};
use crate::args::ForgetArgs;
use crate::show;

/// Candidates shown for a description.
const CANDIDATES: usize = 10;

pub(crate) fn run(app: &App, args: &ForgetArgs) -> Result<ExitCode, CliError> {
    let memory = app.user()?;
    if args.all {
        return clear(app, &memory, args.yes);
    }
    if let Some(words) = &args.query {
        return by_words(app, &memory, words);
    }
    forget_ids(app, &memory, &args.ids)
}

fn forget_ids(app: &App, memory: &UserMemory, ids: &[MemoryId]) -> Result<ExitCode, CliError> {
    let mut missing = None;
    for id in ids {
        match memory.forget(*id) {
            Ok(rows) if app.json => show::json(&serde_json::json!({"forgotten": id, "rows": rows}))?,
            Ok(1) => show::line(format_args!("forgotten {id}"))?,
            Ok(rows) => show::line(format_args!("forgotten {id} and {}", past_values(rows as u64 - 1)))?,
            Err(Error::NotFound(id)) if missing.is_none() => missing = Some(id),
            Err(error @ Error::NotFound(_)) => anstream::eprintln!("{error}"),
            Err(error) => return Err(error.into()),
        }
    }
    missing.map_or(Ok(ExitCode::SUCCESS), |id| Err(Error::NotFound(id).into()))
}

fn past_values(n: u64) -> String {
    show::count(n, "past value", "past values")
}

fn by_words(app: &App, memory: &UserMemory, words: &str) -> Result<ExitCode, CliError> {
    let found = memory.forget_candidates(words, &app.settings.scope, CANDIDATES)?;
    if app.json {
        found.iter().try_for_each(show::json)?;
        return Ok(ExitCode::SUCCESS);
    }
    if found.is_empty() {
        show::line("nothing like that is remembered")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = show::table(&["", "date", "kind", "memory", "id"]);
    for (at, item) in found.iter().enumerate() {
        let when = show::date(item.created, &app.settings.time_zone);
        table.add_row(vec![(at + 1).to_string(), when, item.kind.to_string(), item.text.clone(), item.id.to_string()]);
    }
    show::whole(&mut table, 4);
    show::line(table.trim_fmt())?;
    if !std::io::stdin().is_terminal() {
        show::line("\nnothing was forgotten; run `myosotis forget ID` with the ids you mean")?;
        return Ok(ExitCode::SUCCESS);
    }
    let answer = ask("\nforget which? (numbers, or nothing for none) ")?;
    let mut chosen = Vec::new();
    for word in answer.split([' ', ',']).filter(|word| !word.is_empty()) {
        let item = word.parse::<usize>().ok().and_then(|n| found.get(n.checked_sub(1)?));
        let item =
            item.ok_or_else(|| CliError::Usage(format!("{word:?} is none of the numbers; nothing was forgotten")))?;
        chosen.push(item.id);
    }
    forget_ids(app, memory, &chosen)
}

fn clear(app: &App, memory: &UserMemory, yes: bool) -> Result<ExitCode, CliError> {
    let scope = &app.settings.scope;
    let place = match &scope.workspace {
        Some(workspace) => format!("workspace {workspace} of namespace {}", scope.namespace),
        None => format!("namespace {} (memories of no workspace)", scope.namespace),
    };
    confirm(yes, &format!("Forget everything {} remembers in {place}?", memory.id()), "yes")?;
    let rows = memory.clear(scope)?;
    if app.json {
        show::json(&serde_json::json!({ "rows": rows }))?;
    } else {
        show::line(format_args!("forgotten: {}", show::count(rows as u64, "memory", "memories")))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn forget_me(app: &App, yes: bool) -> Result<ExitCode, CliError> {
    let memory = app.user()?;
    let word = app.confirm_word(memory.id()).to_owned();
    confirm(yes, &format!("Erase everything about {word}, for good? No backup can bring it back."), &word)?;
    let erasure = memory.forget_me()?;
    if app.json {
        show::json(&erasure)?;
        return Ok(ExitCode::SUCCESS);
    }
    show::line(format_args!("erased {} at {}", word, show::moment(erasure.at, &app.settings.time_zone)))?;
    let mut table = show::table(&["what", "count"]);
    for (kind, count) in &erasure.memories {
        table.add_row(vec![comfy_table::Cell::new(kind), show::number(count)]);
    }
    for (what, count) in
        [("notes of forgotten texts", erasure.tombstones), ("scopes", erasure.scopes), ("consents", erasure.consents)]
    {
        table.add_row(vec![comfy_table::Cell::new(what), show::number(count)]);
    }
    show::line(table.trim_fmt())?;
    show::line(if erasure.key_destroyed {
        "the key is destroyed: backups of the data cannot be read either"
    } else {
        "there was no key"
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Asks for `word` to be typed, unless `yes`; without a terminal `yes` is needed.
fn confirm(yes: bool, question: &str, word: &str) -> Result<(), CliError> {
    if yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(CliError::Usage("this cannot be undone and nobody is there to ask; add --yes".into()));
    }
    let answer = ask(&format!("{question}\nType {word} to go on: "))?;
    if answer == word { Ok(()) } else { Err(CliError::Usage("not confirmed; nothing was changed".into())) }
}

fn ask(question: &str) -> Result<String, CliError> {
    let mut err = anstream::stderr();
    write!(err, "{question}").and_then(|()| err.flush()).map_err(|error| CliError::file("the terminal", &error))?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).map_err(|error| CliError::file("the terminal", &error))?;
    Ok(answer.trim().to_owned())
}
