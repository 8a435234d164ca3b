//! `cargo xtask bench …`: each bench prints a table, with a baseline measured in the same run, and
//! writes the figures as JSON to `bench/out/`.
//!
//! Absolute times depend on the machine; the ratios are what to look at.

mod baseline;
mod fixture;
mod import;
mod metrics;
mod ordinary;
mod quality;
mod recall;
mod remember;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[derive(Parser)]
#[command(name = "myosotis-bench", about = "Measures Myosotis against baselines in the same run")]
struct Cli {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// Time of a recall over 500, 50,000 and 500,000 memories, warm and cold; memory and disk
    Recall {
        /// Leave out the largest size, which needs 3 GB and some minutes
        #[arg(long)]
        quick: bool,
    },
    /// Time of a durable write, alone and from 32 threads
    Remember,
    /// Which evidence is found: LoCoMo and BEAM in DIR, and the project's own five-language set
    Quality {
        /// A folder that holds `locomo/*.json` and `beam/*.json.gz`; without it only the own set runs
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// Write the first 20 of every question to this file as JSON lines
        #[arg(long, value_name = "FILE")]
        dump: Option<PathBuf>,
    },
    /// Time of an import and of the embedder
    Import,
}

fn main() -> ExitCode {
    let done = match Cli::parse().bench {
        Bench::Recall { quick } => recall::run(quick),
        Bench::Remember => remember::run(),
        Bench::Quality { data, dump } => quality::run(data.as_deref(), dump.as_deref()),
        Bench::Import => import::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the bench failed: {error}");
            ExitCode::FAILURE
        }
    }
}
