//! `myosotis stats`: numbers and small pictures of what is remembered.

use std::process::ExitCode;

use myosotis::{Stats, UserMemory};

use crate::app::{App, CliError};
use crate::picture::{bar, columns};
use crate::show;

/// Widest bar, in cells.
const WIDTH: usize = 40;

/// Most months shown in the picture of growth.
const MONTHS: usize = 60;

pub(crate) fn run(app: &App) -> Result<ExitCode, CliError> {
    let memory = app.user()?;
    if app.json {
        show::json(&memory.stats()?)?;
    } else {
        picture(app, &memory)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The numbers and the pictures.
pub(crate) fn picture(app: &App, memory: &UserMemory) -> Result<(), CliError> {
    let stats = memory.stats()?;
    let total: u64 = stats.live.values().sum();
    let past = show::count(stats.superseded, "past value", "past values");
    let held = if stats.quarantined > 0 { format!(", {} held back", stats.quarantined) } else { String::new() };
    show::line(format_args!(
        "{} remembers {} and {past}{held}, {:.1} KiB sealed",
        memory.id(),
        show::count(total, "memory", "memories"),
        stats.bytes as f64 / 1024.0
    ))?;
    if let (Some(oldest), Some(newest)) = (stats.oldest, stats.newest) {
        let zone = &app.settings.time_zone;
        show::line(format_args!("said from {} to {}", show::date(Some(oldest), zone), show::date(Some(newest), zone)))?;
    }
    let most = stats.live.values().copied().max().unwrap_or(0);
    if total > 0 {
        show::line("")?;
    }
    for (kind, count) in &stats.live {
        show::line(format_args!("  {kind:<11}{count:>7}  {}", bar(*count, most, WIDTH)))?;
    }
    growth(&stats)?;
    places(&stats, total)
}

/// Memories by the month they were said in, with the empty months between.
fn growth(stats: &Stats) -> Result<(), CliError> {
    let known: Vec<(i32, u64)> =
        stats.months.iter().filter_map(|(month, count)| Some((month_number(month)?, *count))).collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else { return Ok(()) };
    let (from, to) = (first.0.max(last.0 - MONTHS as i32 + 1), last.0);
    if from == to {
        return Ok(());
    }
    let mut months = vec![0; (to - from + 1) as usize];
    for (month, count) in &known {
        if let Ok(at) = usize::try_from(month - from) {
            months[at] = *count;
        }
    }
    let most = months.iter().max().copied().unwrap_or(0);
    show::line(format_args!("\n  said by month (most: {most})\n  {}", columns(&months)))?;
    let (start, end) = (month_name(from), month_name(to));
    let gap = months.len().saturating_sub(start.len() + end.len()).max(1);
    show::line(format_args!("  {start}{}{end}", " ".repeat(gap)))
}

fn month_number(month: &str) -> Option<i32> {
    let (year, month) = month.split_once('-')?;
    Some(year.parse::<i32>().ok()? * 12 + month.parse::<i32>().ok()? - 1)
}

fn month_name(number: i32) -> String {
    format!("{:04}-{:02}", number.div_euclid(12), number.rem_euclid(12) + 1)
}

fn places(stats: &Stats, total: u64) -> Result<(), CliError> {
    if stats.scopes.len() > 1 {
        show::line("")?;
        for (namespace, workspace, count) in &stats.scopes {
            let place =
                workspace.as_ref().map_or_else(|| namespace.clone(), |workspace| format!("{namespace} / {workspace}"));
            show::line(format_args!("  {place:<24}{count:>7}  {}", bar(*count, total, WIDTH)))?;
        }
    }
    if stats.without_vectors > 0 {
        show::note(format_args!(
            "{} without vectors of this embedder; run `myosotis reindex`",
            show::count(stats.without_vectors, "memory is", "memories are")
        ));
    }
    Ok(())
}
