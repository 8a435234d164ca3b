//! `myosotis reindex`: vectors of the embedder in use for what has none (REC-12).

use std::process::ExitCode;

use crate::app::{App, CliError};
use crate::commands::import::progress_bar;
use crate::show;

pub(crate) fn run(app: &App) -> Result<ExitCode, CliError> {
    let memory = app.user()?;
    let bar = progress_bar(0, "memories");
    let done = memory.reindex(|done, total| {
        bar.set_length(total);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    if app.json {
        show::json(&serde_json::json!({ "reindexed": done }))?;
    } else {
        show::line(format_args!("{} given vectors", show::count(done, "memory was", "memories were")))?;
    }
    Ok(ExitCode::SUCCESS)
}
