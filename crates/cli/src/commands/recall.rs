//! `myosotis recall`: one question for people, or a file of them as JSON lines.
//!
//! The batch formats are a promise (docs/formats.md): a line in, a line out, in the same order. A
//! line that cannot be answered gives a line with `error`, and the exit code 1 at the end.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use myosotis::{Profile, Recall, RecallRequest, Recalled, UserMemory, Workspace};
use serde::{Deserialize, Serialize};

use crate::app::{App, CliError, REFUSED};
use crate::args::RecallArgs;
use crate::show;

pub(crate) fn run(app: &App, args: &RecallArgs) -> Result<ExitCode, CliError> {
    match &args.queries {
        Some(file) => batch(app, args, file),
        None => one(app, args),
    }
}

fn request(app: &App, args: &RecallArgs) -> Result<RecallRequest, CliError> {
    let mut request = RecallRequest::new(args.query.join(" "))
        .k(args.k.unwrap_or(app.settings.k))?
        .budget(args.budget)
        .at(app.maybe_time("--at", args.at.as_deref())?)
        .as_of(app.maybe_time("--as-of", args.as_of.as_deref())?)
        .time_zone(app.settings.time_zone.clone())
        .scope(app.settings.scope.clone())
        .inherit(args.inherit)
        .touch(!args.no_touch);
    request.kinds.clone_from(&args.kind);
    request.min_cosine = app.settings.min_cosine;
    if args.plain {
        request.profile = Profile::Plain;
    }
    Ok(request)
}

fn one(app: &App, args: &RecallArgs) -> Result<ExitCode, CliError> {
    let recall = app.user()?.recall(&request(app, args)?)?;
    if let Some(why) = recall.off {
        if app.json {
            show::json(&recall)?;
        } else {
            anstream::eprintln!("memory is off: {why}");
        }
        return Ok(ExitCode::from(REFUSED));
    }
    if args.block {
        if let Some(block) = recall.render_block(&app.settings.time_zone) {
            show::line(block)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if app.json {
        show::json(&recall)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(reason) = &recall.degraded {
        show::note(format_args!("words alone answered: {reason}"));
    }
    if recall.items.is_empty() {
        show::line(match recall.left_out {
            left if left.budget > 0 => "what is relevant does not fit the token budget",
            left if left == myosotis::LeftOut::default() => "nothing is stored here",
            _ => "nothing relevant is remembered",
        })?;
    } else {
        show::line(if args.explain { explained(app, &recall) } else { listed(app, &recall) })?;
    }
    if args.explain {
        let left = recall.left_out;
        show::line(format_args!(
            "\nleft out: {} beyond the first {}, {} over the token budget, {} irrelevant, {} that say the same",
            left.limit,
            args.k.unwrap_or(app.settings.k),
            left.budget,
            left.irrelevant,
            left.duplicate
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn listed(app: &App, recall: &Recall) -> String {
    let mut table = show::table(&["score", "date", "kind", "memory"]);
    for item in &recall.items {
        let score = show::number(format!("{:.2}", item.score));
        let when = show::date(item.date(), &app.settings.time_zone);
        table.add_row(vec![score, when.into(), item.kind.into(), said(item).into()]);
    }
    table.trim_fmt()
}

/// The text, with who said it and whether it is past.
fn said(item: &Recalled) -> String {
    let text = match item.said_by() {
        Some(speaker) => format!("{speaker}: {}", item.text),
        None => item.text.clone(),
    };
    let mark = match (&item.slot, item.current) {
        (Some(slot), true) => format!(" [{slot}, current]"),
        (Some(slot), false) => format!(" [{slot}, past]"),
        (None, true) => String::new(),
        (None, false) => " [past]".into(),
    };
    text + &mark
}

pub(crate) fn explained(app: &App, recall: &Recall) -> String {
    let mut out = String::new();
    for (rank, item) in recall.items.iter().enumerate() {
        let when = show::date(item.date(), &app.settings.time_zone);
        out.push_str(&format!("{}. {}\n", rank + 1, said(item)));
        out.push_str(&format!("   {} of {when}, id {}\n", item.kind, item.id));
        if let Some(source) = &item.source_id {
            let session = item.session.as_deref().map(|session| format!(" of {session}")).unwrap_or_default();
            out.push_str(&format!("   from message {source}{session}\n"));
        }
        out.push_str(&format!("   score {:.3} = {}\n", item.score, item.terms));
    }
    out.truncate(out.trim_end().len());
    out
}

/// A line of a file of questions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: serde_json::Value,
    query: String,
    #[serde(default)]
    k: Option<usize>,
    #[serde(default)]
    at: Option<String>,
    #[serde(default)]
    workspace: Option<String>,
}

/// A line of the answer.
#[derive(Serialize)]
struct Answer {
    id: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    items: Vec<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    degraded: Option<String>,
    left_out: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out_why: Option<myosotis::LeftOut>,
}

fn batch(app: &App, args: &RecallArgs, file: &Path) -> Result<ExitCode, CliError> {
    let memory = app.user()?;
    if let myosotis::Status::Off(why) = memory.status()? {
        return Err(myosotis::Error::Off(why).into());
    }
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let file_name = file.display().to_string();
        Box::new(BufReader::new(std::fs::File::open(file).map_err(|error| CliError::file(file_name, &error))?))
    };
    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    let closed = |error: std::io::Error| CliError::file("the standard output", &error);
    let mut failed = false;
    for (number, line) in input.split(b'\n').enumerate() {
        let line = line.map_err(|error| CliError::file(file.display().to_string(), &error))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let line = if number == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
        let answer = match question(line) {
            Ok(question) => answer(app, args, &memory, question),
            Err((id, reason)) => refused(id, format!("line {}: {reason}", number + 1)),
        };
        failed |= answer.error.is_some();
        serde_json::to_writer(&mut out, &answer).map_err(|error| closed(error.into()))?;
        out.write_all(b"\n").map_err(closed)?;
    }
    out.flush().map_err(closed)?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Reads a line; if it is no question, its id all the same where there is one.
fn question(line: &[u8]) -> Result<Question, (serde_json::Value, String)> {
    let value: serde_json::Value =
        serde_json::from_slice(line).map_err(|error| (serde_json::Value::Null, format!("it is no JSON ({error})")))?;
    if !value.is_object() {
        return Err((serde_json::Value::Null, "it is no JSON object".into()));
    }
    let id = value.get("id").cloned().unwrap_or_default();
    serde_json::from_value(value)
        .map_err(|error| (id, format!("{error}; a line is {{\"id\", \"query\", \"k\"?, \"at\"?, \"workspace\"?}}")))
}

fn refused(id: serde_json::Value, error: String) -> Answer {
    Answer { id, error: Some(error), items: Vec::new(), degraded: None, left_out: 0, left_out_why: None }
}

fn answer(app: &App, args: &RecallArgs, memory: &UserMemory, question: Question) -> Answer {
    let id = question.id.clone();
    let recall = asked(app, args, question).and_then(|request| Ok(memory.recall(&request)?));
    let recall = match recall {
        Ok(recall) => recall,
        Err(error) => return refused(id, error.to_string()),
    };
    let items = recall.items.iter().map(|item| {
        let mut value = serde_json::to_value(item).unwrap_or_default();
        if !args.explain
            && let Some(fields) = value.as_object_mut()
        {
            fields.remove("terms");
        }
        value
    });
    Answer {
        id,
        error: recall.off.map(|why| format!("memory is off: {why}")),
        items: items.collect(),
        degraded: recall.degraded,
        left_out: recall.left_out.budget,
        left_out_why: args.explain.then_some(recall.left_out),
    }
}

fn asked(app: &App, args: &RecallArgs, question: Question) -> Result<RecallRequest, CliError> {
    let mut request = request(app, args)?.touch(false); // a file of questions gives the same answers again
    request.query = question.query;
    if let Some(k) = question.k {
        request = request.k(k)?;
    }
    if let Some(at) = &question.at {
        request.at = Some(app.time("at", at)?);
    }
    if let Some(workspace) = question.workspace {
        request.scope.workspace = Some(Workspace::new(workspace).map_err(myosotis::Error::from)?);
    }
    Ok(request)
}
