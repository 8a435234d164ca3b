//! `myosotis import`: with a progress bar, a report, and broken lines by their number.

use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use myosotis::import::Format;
use myosotis::{ImportOptions, ImportProgress, ImportReport};

use crate::app::{App, CliError};
use crate::args::ImportArgs;
use crate::show;

/// Problems told on the screen; the rest is counted.
const TOLD: usize = 20;

pub(crate) fn run(app: &App, args: &ImportArgs) -> Result<ExitCode, CliError> {
    let format = args.format.as_deref().map(str::parse::<Format>).transpose().map_err(myosotis::Error::from)?;
    let options = ImportOptions {
        format,
        strict: args.strict,
        scope: app.settings.scope.clone(),
        time_zone: Some(app.settings.time_zone.clone()),
    };
    let memory = app.user()?;
    let bar = progress_bar(0, "bytes");
    let mut tell = |progress: ImportProgress| {
        if let Some(size) = progress.size {
            bar.set_length(size);
        }
        bar.set_position(progress.bytes);
        bar.set_message(format!("{} records", progress.records));
    };
    let report = if args.file.as_os_str() == "-" {
        memory.import(std::io::stdin().lock(), &options, &mut tell)
    } else {
        memory.import_file(&args.file, &options, &mut tell)
    };
    bar.finish_and_clear();
    let report = report?;
    told(&report);
    if app.json {
        show::json(&report)?;
    } else {
        show::line(summary(&report))?;
    }
    let nothing = report.stored + report.updated + report.unchanged == 0;
    Ok(if nothing && report.broken > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn told(report: &ImportReport) {
    for problem in report.problems.iter().take(TOLD) {
        show::note(problem);
    }
    let all = report.broken + report.refused.values().sum::<u64>();
    let untold = all.saturating_sub(TOLD as u64);
    if untold > 0 {
        show::note(format_args!("and {untold} more"));
    }
}

pub(crate) fn summary(report: &ImportReport) -> String {
    let mut parts = vec![format!("{} stored", report.stored)];
    if report.updated > 0 {
        parts.push(format!("{} new values of slots", report.updated));
    }
    if report.unchanged > 0 {
        parts.push(format!("{} unchanged", report.unchanged));
    }
    if report.evicted > 0 {
        parts.push(format!("{} weaker ones let go because the scope is full", report.evicted));
    }
    parts.extend(report.refused.iter().map(|(why, count)| format!("{count} refused ({})", why.replace('_', " "))));
    parts.extend(report.skipped.iter().map(|(why, count)| format!("{count} skipped ({why})")));
    if report.broken > 0 {
        parts.push(show::count(report.broken, "broken line", "broken lines"));
    }
    format!("imported as {}: {}", report.format, parts.join(", "))
}

/// A bar on the standard error, if that is a terminal.
pub(crate) fn progress_bar(length: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = match unit {
        "bytes" => "{bar:30} {percent:>3}%  {bytes}/{total_bytes}  {msg}  {eta} left",
        _ => "{bar:30} {percent:>3}%  {pos}/{len}  {eta} left",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
