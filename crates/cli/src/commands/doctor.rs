//! `myosotis doctor`: is everything in order? (OPS-2)

use std::process::ExitCode;

use myosotis::Check;

use crate::app::{App, CliError};
use crate::show;

pub(crate) fn run(app: &App) -> Result<ExitCode, CliError> {
    let engine = app.engine()?;
    let mut checks = engine.health()?;
    if let Some(user) = &app.settings.user {
        let stats = engine.user(user.clone()).stats()?;
        let found = match stats.without_vectors {
            0 => "all have them".to_owned(),
            n => format!("{} without; run `myosotis reindex`", show::count(n, "memory", "memories")),
        };
        checks.push(Check { what: format!("vectors of {user}"), found, fine: stats.without_vectors == 0 });
    }
    for stranger in &app.layers.strangers {
        checks.push(Check { what: stranger.clone(), found: "is set but is no setting".into(), fine: false });
    }
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
