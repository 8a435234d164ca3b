//! `myosotis doctor`: is everything in order? (OPS-2)

use std::process::ExitCode;

use myosotis::Check;

use crate::app::{App, CliError};
use crate::show;

pub(crate) fn run(app: &App) -> Result<ExitCode, CliError> {
    let checks = match checks(app) {
        Ok(checks) => checks,
        Err(error) => vec![Check { what: "store".into(), found: error.to_string(), fine: false }],
    };
    let fine = checks.iter().all(|check| check.fine);
    if app.json {
        show::json(&checks)?;
    } else {
        let mut table = show::table(&["", "what", "found"]);
        for check in &checks {
            table.add_row(vec![if check.fine { "✓" } else { "✗" }, &check.what, &check.found]);
        }
        show::line(table.trim_fmt())?;
        show::line(if fine { "\nall is well" } else { "\nsomething needs attention (✗)" })?;
    }
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn checks(app: &App) -> Result<Vec<Check>, CliError> {
    let engine = app.engine()?;
    let mut checks = engine.health()?;
    let Some(user) = &app.settings.user else { return Ok(checks) };
    let memory = engine.user(user.clone());
    let (found, fine) = match memory.stats() {
        Err(error) => (error.to_string(), false),
        Ok(stats) if !stats.unreadable.is_empty() => {
            let ids: Vec<String> = stats.unreadable.iter().map(ToString::to_string).collect();
            (format!("do not open: {}; restore a backup or forget them", ids.join(", ")), false)
        }
        Ok(stats) if stats.without_vectors > 0 => {
            let count = show::count(stats.without_vectors, "memory has", "memories have");
            (format!("{count} no vectors; run `myosotis reindex`"), false)
        }
        Ok(_) => match memory.broken_vectors()? {
            0 => ("all open and have their vectors".to_owned(), true),
            n => (
                format!(
                    "{} damaged vectors; run `myosotis reindex`",
                    show::count(n as u64, "memory has", "memories have")
                ),
                false,
            ),
        },
    };
    checks.push(Check { what: format!("memories of {user}"), found, fine });
    Ok(checks)
}
