//! `myosotis demo`: the whole of it in a store that is thrown away. With a file, your own conversation
//! and your own questions.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use myosotis::import::Format;
use myosotis::{ConsentState, Engine, ImportOptions, RecallRequest, Remember, UserId, UserMemory};

use crate::app::{App, CliError};
use crate::commands::recall::explained;
use crate::commands::stats;
use crate::show;

/// A conversation written for this.
const CONVERSATION: &[u8] = include_bytes!("../demo.jsonl");

/// What is asked of it.
const QUESTIONS: [&str; 4] = [
    "Which pet does Nora have?",
    "What is Felix's instrument?",
    "When did Nora move?",
    "Is anybody allergic to something?",
];

pub(crate) fn run(app: &App, file: Option<&Path>) -> Result<ExitCode, CliError> {
    let dir = std::env::temp_dir().join(format!("myosotis-demo-{}", std::process::id()));
    let engine = Engine::builder().environment(None).open(&dir)?;
    let shown = shown(app, &engine, file);
    drop(engine);
    std::fs::remove_dir_all(&dir).map_err(|error| CliError::file(dir.display().to_string(), &error))?;
    shown?;
    Ok(ExitCode::SUCCESS)
}

fn shown(app: &App, engine: &Engine, file: Option<&Path>) -> Result<(), CliError> {
    let demo = UserId::new("demo").map_err(myosotis::Error::from)?;
    let memory = engine.user(demo);
    memory.set_consent(ConsentState::On, "demo", None)?;
    match file {
        Some(file) => yours(app, &memory, file),
        None => ours(app, &memory),
    }
}

/// Your file, your questions.
fn yours(app: &App, memory: &UserMemory, file: &Path) -> Result<(), CliError> {
    let report = memory.import_file(file, &ImportOptions::default(), &mut |_| {})?;
    show::line(super::import::summary(&report))?;
    stats::picture(app, memory)?;
    show::line("\nAsk it something (an empty line ends the demo and throws the store away).")?;
    let asking = std::io::stdin().is_terminal();
    loop {
        if asking {
            let mut out = anstream::stderr();
            write!(out, "> ").and_then(|()| out.flush()).map_err(|error| CliError::file("the terminal", &error))?;
        }
        let mut question = String::new();
        let read =
            std::io::stdin().read_line(&mut question).map_err(|error| CliError::file("the standard input", &error))?;
        if read == 0 || question.trim().is_empty() {
            return Ok(());
        }
        ask(app, memory, question.trim(), 3)?;
    }
}

fn ours(app: &App, memory: &UserMemory) -> Result<(), CliError> {
    title("Import a conversation")?;
    let options = ImportOptions { format: Some(Format::Transcript), ..ImportOptions::default() };
    show::line(super::import::summary(&memory.import(CONVERSATION, &options, &mut |_| {})?))?;
    stats::picture(app, memory)?;

    title("Ask it")?;
    for question in QUESTIONS {
        show::line(format_args!("\n> {question}"))?;
        ask(app, memory, question, 1)?;
    }

    title("What changes stays right")?;
    for (text, said) in
        [("Nora works at the children's hospital", "2024-03-04"), ("Nora works at the school of nursing", "2024-11-01")]
    {
        let said = app.time("said", said)?;
        memory.remember(Remember::new(text).slot("Nora's job").created(Some(said)))?;
        show::line(format_args!("remembered of {}: {text}", said.strftime("%Y-%m-%d")))?;
    }
    show::line("\n> Where does Nora work?")?;
    ask(app, memory, "Where does Nora work?", 1)?;

    title("Forget it")?;
    let erasure = memory.forget_me()?;
    let count: u64 = erasure.memories.values().sum();
    show::line(format_args!("erased {}; the key is destroyed", show::count(count, "memory", "memories")))?;
    show::line("\nYour own: myosotis demo FILE, or `myosotis consent on` and `myosotis import FILE` to keep it.")
}

fn title(text: &str) -> Result<(), CliError> {
    let bold = anstyle::Style::new().bold();
    show::line(format_args!("\n{bold}{text}{bold:#}"))
}

fn ask(app: &App, memory: &UserMemory, question: &str, k: usize) -> Result<(), CliError> {
    let recall = memory.recall(&RecallRequest::new(question).k(k)?)?;
    if recall.items.is_empty() {
        return show::line("nothing relevant is remembered");
    }
    show::line(explained(app, &recall))
}
