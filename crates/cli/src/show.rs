//! Printing: tables for people, JSON for programs, and nothing that breaks when a pipe closes.

use std::io::Write;

use comfy_table::{Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::app::CliError;

/// Writes bytes to the standard output.
pub(crate) fn raw(bytes: &[u8]) -> Result<(), CliError> {
    let mut out = anstream::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| CliError::file("the standard output", &error))
}

/// Writes a line to the standard output.
pub(crate) fn line(text: impl std::fmt::Display) -> Result<(), CliError> {
    raw(format!("{text}\n").as_bytes())
}

/// Writes a value as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string(value)
        .map_err(|error| CliError::File { what: "the answer".into(), reason: error.to_string() })?;
    line(text)
}

/// A note for people on the standard error; programs that read the output never see it.
pub(crate) fn note(text: impl std::fmt::Display) {
    let style = anstyle::AnsiColor::Yellow.on_default();
    anstream::eprintln!("{style}note:{style:#} {text}");
}

/// A table with a bold head that fits the terminal.
pub(crate) fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if table.width().is_none_or(|width| width < 40) {
        table.set_width(120); // a file or a pipe
    }
    table.set_header(head.iter().map(|title| Cell::new(title).add_attribute(Attribute::Bold)));
    table
}

/// Keeps a column of ids in one piece, so that they can be copied.
pub(crate) fn whole(table: &mut Table, column: usize) {
    if let Some(column) = table.column_mut(column) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
}

/// A cell that is a number.
pub(crate) fn number(value: impl ToString) -> Cell {
    Cell::new(value).set_alignment(CellAlignment::Right)
}

/// A date for people; `–` if it is unknown.
pub(crate) fn date(at: Option<Timestamp>, zone: &TimeZone) -> String {
    at.map_or("–".into(), |at| at.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d").to_string())
}

/// A date with its time.
pub(crate) fn moment(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// `1 memory`, `2 memories`.
pub(crate) fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
