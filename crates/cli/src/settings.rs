//! Configuration: a file, `MYOSOTIS_*` variables, then flags, the later winning (OPS-1).
//!
//! Every key, its variable, default and meaning is one row of [`KEYS`]; `config show` prints that
//! table with the value in force and where it came from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etcetera::BaseStrategy;
use jiff::tz::TimeZone;
use myosotis::{Limits, Namespace, Scope, UserId, Weights, Workspace};

use crate::args::Global;

/// One setting.
pub(crate) struct Key {
    /// Its name in the file.
    pub(crate) name: &'static str,
    /// Its environment variable.
    pub(crate) variable: &'static str,
    /// What it does.
    pub(crate) help: &'static str,
}

macro_rules! keys {
    ($($name:literal $variable:literal $help:literal)*) => {
        /// Every setting there is.
        pub(crate) const KEYS: &[Key] = &[$(Key { name: $name, variable: $variable, help: $help }),*];
    };
}

keys! {
    "user" "MYOSOTIS_USER" "whose memory"
    "data_dir" "MYOSOTIS_DATA_DIR" "where the store lies"
    "master_key_file" "MYOSOTIS_MASTER_KEY_FILE" "the key that wraps the users' keys; default: master.key beside the store"
    "enabled" "MYOSOTIS_ENABLED" "off: nobody is remembered; on: everybody who has not withdrawn; default: consent decides"
    "namespace" "MYOSOTIS_NAMESPACE" "which bucket of memories"
    "workspace" "MYOSOTIS_WORKSPACE" "which project or thread"
    "embedder" "MYOSOTIS_EMBEDDER" "built-in or none"
    "time_zone" "MYOSOTIS_TIME_ZONE" "for \"yesterday\", as in Europe/Berlin"
    "k" "MYOSOTIS_K" "memories a recall returns, 1 to 50"
    "min_cosine" "MYOSOTIS_MIN_COSINE" "cosine from which on a memory without a word of the question is relevant, 0 to 1; default: measured"
    "weight_relevance" "MYOSOTIS_WEIGHT_RELEVANCE" "weight of relevance in the score"
    "weight_recency" "MYOSOTIS_WEIGHT_RECENCY" "weight of recency"
    "weight_importance" "MYOSOTIS_WEIGHT_IMPORTANCE" "weight of importance"
    "recall_deadline_ms" "MYOSOTIS_RECALL_DEADLINE_MS" "longest wait for a question's vector, in milliseconds"
    "max_items" "MYOSOTIS_MAX_ITEMS" "learned memories a scope keeps; 0: no cap"
    "max_messages" "MYOSOTIS_MAX_MESSAGES" "verbatim messages a scope keeps; 0: no cap"
    "max_user_items" "MYOSOTIS_MAX_USER_ITEMS" "rows a user may have in all; 0: no limit"
    "max_user_bytes" "MYOSOTIS_MAX_USER_BYTES" "bytes a user may have in all; 0: no limit"
    "max_history" "MYOSOTIS_MAX_HISTORY" "past values a slot keeps"
    "cache_mib" "MYOSOTIS_CACHE_MIB" "memory for opened scopes, in MiB"
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nobody set it.
    Default,
    /// The configuration file.
    File(PathBuf),
    /// An environment variable.
    Variable(&'static str),
    /// A flag.
    Flag(&'static str),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(path) => write!(f, "file {}", path.display()),
            Origin::Variable(name) => write!(f, "variable {name}"),
            Origin::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

/// What is wrong with the configuration, and what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error("the configuration file {path} cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error("unknown setting {key:?} in {path}{}", suggestion(.key))]
    Unknown { key: String, path: PathBuf },
    #[error("unknown variable {name}{}", variable_suggestion(.name))]
    UnknownVariable { name: String },
    #[error("{key} = {value:?} ({origin}): {reason}")]
    Value { key: &'static str, value: String, origin: Origin, reason: String },
    #[error("no user: name one with --user, MYOSOTIS_USER, or `user = \"…\"` in the configuration file")]
    NoUser,
}

fn suggestion(key: &str) -> String {
    let nearest =
        KEYS.iter().max_by(|a, b| strsim::jaro_winkler(key, a.name).total_cmp(&strsim::jaro_winkler(key, b.name)));
    match nearest.filter(|nearest| strsim::jaro_winkler(key, nearest.name) > 0.7) {
        Some(nearest) => format!("; did you mean {:?}?", nearest.name),
        None => "; `myosotis config show` lists the settings there are".into(),
    }
}

fn variable_suggestion(name: &str) -> String {
    suggestion(&name.trim_start_matches("MYOSOTIS_").to_ascii_lowercase()).replace("\"?", "\" (as MYOSOTIS_…)?")
}

/// Every setting as it was typed, with where.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    values: BTreeMap<&'static str, (String, Origin)>,
}

/// The settings in force.
pub(crate) struct Settings {
    pub(crate) user: Option<UserId>,
    pub(crate) data_dir: PathBuf,
    pub(crate) master_key_file: Option<PathBuf>,
    pub(crate) enabled: Option<bool>,
    pub(crate) scope: Scope,
    pub(crate) built_in_embedder: bool,
    pub(crate) time_zone: TimeZone,
    pub(crate) k: usize,
    pub(crate) min_cosine: Option<f32>,
    pub(crate) weights: Weights,
    pub(crate) limits: Limits,
}

impl Layers {
    /// Gathers the file, the environment and the flags.
    pub(crate) fn gather(global: &Global, environment: &BTreeMap<String, String>) -> Result<Self, SettingsError> {
        let mut layers = Self::default();
        let named = global.config.clone().or_else(|| environment.get("MYOSOTIS_CONFIG").map(PathBuf::from));
        match named {
            Some(path) => layers.read_file(&path)?,
            None => {
                if let Some(path) = default_config_file().filter(|path| path.exists()) {
                    layers.read_file(&path)?;
                }
            }
        }
        for (name, value) in environment {
            match KEYS.iter().find(|key| key.variable == name) {
                Some(key) if value.is_empty() && key.name != "user" => {}
                Some(key) => layers.set(key.name, value.clone(), Origin::Variable(key.variable)),
                None if name.starts_with("MYOSOTIS_") && name != "MYOSOTIS_CONFIG" => {
                    return Err(SettingsError::UnknownVariable { name: name.clone() });
                }
                None => {}
            }
        }
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let flags = [
            ("user", global.user.clone()),
            ("data_dir", path(&global.data_dir)),
            ("namespace", global.namespace.clone()),
            ("workspace", global.workspace.clone()),
            ("embedder", global.embedder.clone()),
            ("time_zone", global.time_zone.clone()),
        ];
        for (name, value) in flags {
            if let Some(value) = value {
                let flag = match name {
                    "data_dir" => "data-dir",
                    "time_zone" => "time-zone",
                    other => other,
                };
                layers.set(name, value, Origin::Flag(flag));
            }
        }
        Ok(layers)
    }

    fn set(&mut self, name: &'static str, value: String, origin: Origin) {
        self.values.insert(name, (value, origin));
    }

    fn read_file(&mut self, path: &Path) -> Result<(), SettingsError> {
        let unreadable = |reason: String| SettingsError::Unreadable { path: path.to_owned(), reason };
        let content = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        let table: toml::Table = content.parse().map_err(|error: toml::de::Error| unreadable(error.to_string()))?;
        for (name, value) in table {
            let Some(key) = KEYS.iter().find(|key| key.name == name) else {
                return Err(SettingsError::Unknown { key: name, path: path.to_owned() });
            };
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Float(number) => number.to_string(),
                toml::Value::Boolean(yes) => yes.to_string(),
                _ => return Err(unreadable(format!("{name} must be a text, a number, true or false"))),
            };
            self.set(key.name, value, Origin::File(path.to_owned()));
        }
        Ok(())
    }

    /// Where a setting's value comes from.
    pub(crate) fn origin(&self, name: &str) -> Origin {
        self.values.get(name).map_or(Origin::Default, |(_, origin)| origin.clone())
    }

    fn parse<T>(
        &self,
        name: &'static str,
        default: T,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, SettingsError> {
        let Some((value, origin)) = self.values.get(name) else { return Ok(default) };
        parse(value).map_err(|reason| SettingsError::Value {
            key: name,
            value: value.clone(),
            origin: origin.clone(),
            reason,
        })
    }

    fn number<T: std::str::FromStr>(&self, name: &'static str, default: T) -> Result<T, SettingsError> {
        self.parse(name, default, |value| value.parse().map_err(|_| "it is not a whole number of 0 or more".into()))
    }

    fn share<T: std::str::FromStr + PartialOrd + From<u8>>(
        &self,
        name: &'static str,
        default: T,
    ) -> Result<T, SettingsError> {
        self.parse(name, default, |value| match value.parse::<T>() {
            Ok(share) if (T::from(0)..=T::from(1)).contains(&share) => Ok(share),
            _ => Err("it is not a number from 0 to 1".into()),
        })
    }

    /// Checks every value.
    pub(crate) fn resolve(&self) -> Result<Settings, SettingsError> {
        let defaults = Limits::default();
        let weights = Weights::default();
        let text = |error: myosotis::IdError| error.to_string();
        let limits = Limits {
            max_items: self.number("max_items", defaults.max_items)?,
            max_messages: self.number("max_messages", defaults.max_messages)?,
            max_user_items: self.number("max_user_items", defaults.max_user_items)?,
            max_user_bytes: self.number("max_user_bytes", defaults.max_user_bytes)?,
            max_history: self.number("max_history", defaults.max_history)?,
            recall_deadline: Duration::from_millis(
                self.number("recall_deadline_ms", u64::try_from(defaults.recall_deadline.as_millis()).unwrap_or(300))?,
            ),
            cache_bytes: self.number("cache_mib", defaults.cache_bytes >> 20)?.saturating_mul(1 << 20),
        };
        Ok(Settings {
            user: self.parse("user", None, |value| UserId::new(value).map(Some).map_err(text))?,
            data_dir: self.parse("data_dir", default_data_dir(), |value| match value {
                "" => Err("it is empty; name a folder".into()),
                path => Ok(PathBuf::from(path)),
            })?,
            master_key_file: self.parse("master_key_file", None, |value| Ok(Some(PathBuf::from(value))))?,
            enabled: self.parse("enabled", None, |value| match myosotis::parse_enabled(value) {
                None => Err("use on or off".into()),
                known => Ok(known),
            })?,
            scope: Scope {
                namespace: self
                    .parse("namespace", Namespace::default(), |value| Namespace::new(value).map_err(text))?,
                workspace: self.parse("workspace", None, |value| Workspace::new(value).map(Some).map_err(text))?,
            },
            built_in_embedder: self.parse("embedder", true, |value| match value {
                "built-in" => Ok(true),
                "none" => Ok(false),
                _ => Err("use built-in or none".into()),
            })?,
            time_zone: self.parse("time_zone", TimeZone::system(), |value| {
                TimeZone::get(value).map_err(|_| "no such time zone; use a name such as Europe/Berlin or UTC".into())
            })?,
            k: self.parse("k", 5, |value| match value.parse() {
                Ok(k) if (1..=myosotis::MAX_K).contains(&k) => Ok(k),
                _ => Err(format!("it is not a number from 1 to {}", myosotis::MAX_K)),
            })?,
            min_cosine: self.values.contains_key("min_cosine").then(|| self.share("min_cosine", 0.0f32)).transpose()?,
            weights: Weights {
                relevance: self.share("weight_relevance", weights.relevance)?,
                recency: self.share("weight_recency", weights.recency)?,
                importance: self.share("weight_importance", weights.importance)?,
            },
            limits,
        })
    }
}

impl Settings {
    /// The value of a setting as text, for `config show`.
    pub(crate) fn shown(&self, name: &str) -> String {
        let path = |path: &Path| path.display().to_string();
        match name {
            "user" => self.user.as_ref().map_or("none".into(), ToString::to_string),
            "data_dir" => path(&self.data_dir),
            "master_key_file" => {
                self.master_key_file.as_deref().map_or_else(|| path(&self.data_dir.join("master.key")), path)
            }
            "enabled" => self.enabled.map_or("by consent".into(), |on| if on { "on".into() } else { "off".into() }),
            "namespace" => self.scope.namespace.to_string(),
            "workspace" => self.scope.workspace.as_ref().map_or("none".into(), ToString::to_string),
            "embedder" => {
                if self.built_in_embedder {
                    "built-in".into()
                } else {
                    "none".into()
                }
            }
            "time_zone" => self.time_zone.iana_name().unwrap_or("the system's").to_owned(),
            "k" => self.k.to_string(),
            "min_cosine" => self.min_cosine.map_or("measured".into(), |least| least.to_string()),
            "weight_relevance" => self.weights.relevance.to_string(),
            "weight_recency" => self.weights.recency.to_string(),
            "weight_importance" => self.weights.importance.to_string(),
            "recall_deadline_ms" => self.limits.recall_deadline.as_millis().to_string(),
            "max_items" => self.limits.max_items.to_string(),
            "max_messages" => self.limits.max_messages.to_string(),
            "max_user_items" => self.limits.max_user_items.to_string(),
            "max_user_bytes" => self.limits.max_user_bytes.to_string(),
            "max_history" => self.limits.max_history.to_string(),
            "cache_mib" => (self.limits.cache_bytes >> 20).to_string(),
            _ => String::new(),
        }
    }
}

/// The platform's own folders: XDG on Linux, `Library` on macOS, `AppData` on Windows.
fn folders() -> Option<impl BaseStrategy> {
    etcetera::base_strategy::choose_native_strategy().ok()
}

fn default_data_dir() -> PathBuf {
    folders().map_or_else(|| PathBuf::from("myosotis-data"), |folders| folders.data_dir().join("myosotis"))
}

fn default_config_file() -> Option<PathBuf> {
    folders().map(|folders| folders.config_dir().join("myosotis").join("config.toml"))
}
