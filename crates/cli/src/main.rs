//! The `myosotis` program: parses, opens the store, runs one command, and says how it went.

mod app;
mod args;
mod commands;
mod picture;
mod settings;
mod show;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::app::{App, CliError};
use crate::args::{Cli, Command, ConfigCommand};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{style}error:{style:#} {error}");
            error.exit_code()
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, CliError> {
    if let Command::Completions { shell } = cli.command {
        let mut out = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "myosotis", &mut out);
        show::raw(&out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let app = App::new(&cli.global)?;
    match cli.command {
        Command::Demo { file } => commands::demo::run(&app, file.as_deref()),
        Command::Remember(args) => commands::remember::run(&app, &args),
        Command::Recall(args) => commands::recall::run(&app, &args),
        Command::Memories(args) => commands::memories::list(&app, &args),
        Command::History { id } => commands::memories::history(&app, id),
        Command::Edit(args) => commands::memories::edit(&app, &args),
        Command::Pin { id, remove } => commands::memories::pin(&app, id, !remove),
        Command::Forget(args) => commands::forget::run(&app, &args),
        Command::ForgetMe { yes } => commands::forget::forget_me(&app, yes),
        Command::Import(args) => commands::import::run(&app, &args),
        Command::Export { file } => commands::export::run(&app, file.as_deref()),
        Command::Stats => commands::stats::run(&app),
        Command::Reindex => commands::reindex::run(&app),
        Command::Consent { what, policy } => commands::consent::run(&app, what, policy.as_deref()),
        Command::Doctor => commands::doctor::run(&app),
        Command::Config(ConfigCommand::Show) => commands::config::show(&app),
        Command::Completions { .. } => Ok(ExitCode::SUCCESS),
    }
}
