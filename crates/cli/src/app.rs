//! What every command works with: the settings, the engine opened when first needed, and errors with
//! their exit codes.

use std::process::ExitCode;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use myosotis::{Engine, Error, UserId, UserMemory};

use crate::args::Global;
use crate::settings::{Layers, Settings, SettingsError};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Engine(#[from] Error),
    #[error("{0}")]
    Usage(String),
    #[error("{what} cannot be read or written: {reason}")]
    File { what: String, reason: String },
    /// Whoever read our output has gone; nothing is wrong.
    #[error("the output was closed")]
    Closed,
}

/// Exit code of a command that did its work but was refused.
pub(crate) const REFUSED: u8 = 3;

impl CliError {
    /// Whether it only means that whoever read our output has gone.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        match self {
            CliError::Closed => true,
            CliError::Engine(Error::Output(error)) => error.kind() == std::io::ErrorKind::BrokenPipe,
            _ => false,
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            CliError::Settings(_) | CliError::Usage(_) | CliError::Engine(Error::Invalid { .. } | Error::Id(_)) => 2,
            CliError::Engine(Error::Off(_)) => REFUSED,
            CliError::Engine(Error::NotFound(_)) => 4,
            _ => 1,
        })
    }

    pub(crate) fn file(what: impl Into<String>, error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::File { what: what.into(), reason: error.to_string() }
    }
}

/// The settings and how the user wants to be answered.
pub(crate) struct App {
    pub(crate) settings: Settings,
    pub(crate) layers: Layers,
    pub(crate) json: bool,
    external_user: Option<String>,
}

impl App {
    pub(crate) fn new(global: &Global) -> Result<Self, CliError> {
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with("MYOSOTIS_"))
            .collect();
        let layers = Layers::gather(global, &environment)?;
        let settings = layers.resolve()?;
        Ok(Self { settings, layers, json: global.json, external_user: global.external_user.clone() })
    }

    /// Opens the store.
    pub(crate) fn engine(&self) -> Result<Engine, CliError> {
        let mut builder = Engine::builder()
            .limits(self.settings.limits.clone())
            .weights(self.settings.weights)
            .environment(self.settings.enabled)
            .master_key_file(self.settings.master_key_file.clone());
        if !self.settings.built_in_embedder {
            builder = builder.without_embedder();
        }
        Ok(builder.open(&self.settings.data_dir)?)
    }

    /// Opens the store and the memory of the user the settings name.
    pub(crate) fn user(&self) -> Result<UserMemory, CliError> {
        let named = match (&self.external_user, &self.settings.user) {
            (None, None) => return Err(SettingsError::NoUser.into()),
            (None, Some(user)) => user.clone(),
            (Some(external), _) => {
                let engine = self.engine()?;
                let user = engine.user_id_from_external(external)?;
                return Ok(engine.user(user));
            }
        };
        Ok(self.engine()?.user(named))
    }

    /// The user's id as it is typed to confirm an erasure.
    pub(crate) fn confirm_word<'a>(&'a self, user: &'a UserId) -> &'a str {
        self.external_user.as_deref().unwrap_or(user.as_str())
    }

    /// A point in time as people type it: an instant, or a date or local time in the user's time zone.
    pub(crate) fn time(&self, field: &str, text: &str) -> Result<Timestamp, CliError> {
        let text = text.trim();
        if let Ok(at) = text.parse::<Timestamp>() {
            return Ok(at);
        }
        let local = text.parse::<DateTime>().or_else(|_| text.parse::<Date>().map(|date| date.at(0, 0, 0, 0)));
        local
            .ok()
            .and_then(|local| local.to_zoned_datetime(self.settings.time_zone.clone()).ok())
            .map(|zoned| zoned.timestamp())
            .ok_or_else(|| {
                CliError::Usage(format!("{field}: {text:?} is no time; use 2023-05-07 or 2023-05-07T14:00:00Z"))
            })
    }

    /// [`App::time`] of an optional argument.
    pub(crate) fn maybe_time(&self, field: &str, text: Option<&str>) -> Result<Option<Timestamp>, CliError> {
        text.map(|text| self.time(field, text)).transpose()
    }
}
