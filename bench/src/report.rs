//! A table on the screen and the same figures as JSON in `bench/out/`.

use std::path::PathBuf;

use comfy_table::{Cell, CellAlignment, Table, presets};
use serde::Serialize;

/// One bench's figures.
#[derive(Default, Serialize)]
pub(crate) struct Report {
    name: String,
    rows: Vec<Row>,
    #[serde(skip)]
    printed: usize,
}

#[derive(Serialize)]
struct Row {
    what: String,
    value: f64,
    unit: String,
    /// What it is compared with, and the ratio to it or the limit it has to keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<String>,
}

impl Report {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a figure.
    pub(crate) fn add(&mut self, what: impl Into<String>, value: f64, unit: &str, against: Option<String>) {
        self.rows.push(Row { what: what.into(), value, unit: unit.into(), against });
    }

    /// Prints what was added since the last print.
    pub(crate) fn print(&mut self, title: &str) {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(["what", "value", "unit", "compared"]);
        for row in &self.rows[self.printed..] {
            let value =
                if row.value.abs() >= 100.0 { format!("{:.0}", row.value) } else { format!("{:.3}", row.value) };
            table.add_row(vec![
                Cell::new(&row.what),
                Cell::new(value).set_alignment(CellAlignment::Right),
                Cell::new(&row.unit),
                Cell::new(row.against.as_deref().unwrap_or_default()),
            ]);
        }
        self.printed = self.rows.len();
        print_line(&format!("\n{title}\n{}", table.trim_fmt()));
    }

    /// Writes the figures to `bench/out/NAME.json`.
    pub(crate) fn save(&self) -> Result<(), Box<dyn std::error::Error>> {
        let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("out");
        std::fs::create_dir_all(&dir)?;
        let file = dir.join(format!("{}.json", self.name));
        std::fs::write(&file, serde_json::to_vec_pretty(self)?)?;
        print_line(&format!("\nfigures written to bench/out/{}.json", self.name));
        Ok(())
    }
}

/// Prints a line; a closed pipe ends nothing but the printing.
pub(crate) fn print_line(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// The median of some durations, in microseconds.
pub(crate) fn median_us(mut times: Vec<std::time::Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}
