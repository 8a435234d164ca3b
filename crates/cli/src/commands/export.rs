//! `myosotis export`.

use std::io::BufWriter;
use std::path::Path;
use std::process::ExitCode;

use crate::app::{App, CliError};
use crate::show;

pub(crate) fn run(app: &App, file: Option<&Path>) -> Result<ExitCode, CliError> {
    let memory = app.user()?;
    let Some(path) = file.filter(|path| *path != Path::new("-")) else {
        memory.export(&mut BufWriter::new(std::io::stdout().lock()))?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600); // OPS-3: it holds everything
    let out = options.open(path).map_err(|error| CliError::file(path.display().to_string(), &error))?;
    let count = memory.export(&mut BufWriter::new(out))?;
    show::line(format_args!("exported {} to {}", show::count(count as u64, "memory", "memories"), path.display()))?;
    Ok(ExitCode::SUCCESS)
}
