//! The project's chores: `cargo xtask test`, `cargo xtask bench …`, `cargo xtask lint`.
//!
//! Each is a short list of cargo calls, so that a person can also run them one by one.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's chores")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every test: units, behaviour, doc examples
    Test {
        /// Passed on to `cargo test`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Formatting, clippy, docs, and licences, bans, sources where cargo-deny is installed
    Lint,
    /// Measure: recall, remember, import, or quality --data DIR
    Bench {
        /// Passed on to the bench program
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        args: Vec<String>,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Test { args } => test(&args),
        Task::Lint => lint(),
        Task::Bench { args } => {
            let mut call = vec!["run", "--quiet", "--release", "--package", "myosotis-bench", "--"];
            call.extend(args.iter().map(String::as_str));
            cargo(&call, &[])
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// `cargo test` runs units, behaviour and doc examples in one go and needs nothing installed.
fn test(args: &[String]) -> Result<(), String> {
    let mut call = vec!["test", "--locked", "--workspace"];
    call.extend(args.iter().map(String::as_str));
    cargo(&call, &[])
}

fn lint() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--", "--deny", "warnings"], &[])?;
    cargo(&["doc", "--locked", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "--deny warnings")])?;
    if installed("cargo-deny") {
        // Advisories need the network: `cargo deny check advisories`.
        cargo(&["deny", "--workspace", "check", "bans", "licenses", "sources"], &[])
    } else {
        eprintln!(
            "cargo-deny is not installed: licences, bans and sources were not checked (`cargo install --locked cargo-deny`)"
        );
        Ok(())
    }
}

fn installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn cargo(args: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    let program = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
    let status = Command::new(program)
        .args(args)
        .envs(variables.iter().copied())
        .status()
        .map_err(|error| format!("cargo {} could not be started: {error}", args.join(" ")))?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed", args.join(" "))) }
}
