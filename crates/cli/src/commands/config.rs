//! `myosotis config show`: every setting, its value, and where that came from (OPS-1).

use std::process::ExitCode;

use crate::app::{App, CliError};
use crate::settings::KEYS;
use crate::show;

pub(crate) fn show(app: &App) -> Result<ExitCode, CliError> {
    if app.json {
        let settings = KEYS.iter().map(|key| {
            let origin = app.layers.origin(key.name).to_string();
            (key.name, serde_json::json!({"value": app.settings.shown(key.name), "from": origin}))
        });
        show::json(&settings.collect::<std::collections::BTreeMap<_, _>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = show::table(&["setting", "value", "from", "what it does"]);
    for key in KEYS {
        let origin = app.layers.origin(key.name).to_string();
        table.add_row(vec![key.name.to_owned(), app.settings.shown(key.name), origin, key.help.to_owned()]);
    }
    show::line(table.trim_fmt())?;
    Ok(ExitCode::SUCCESS)
}
