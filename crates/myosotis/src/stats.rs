//! Numbers about what is stored, and the health of the parts (ERA-1, OPS-2).

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use myosotis_core::{Kind, MemoryId, State};
use serde::Serialize;

use crate::consent::Consent;
use crate::engine::Engine;
use crate::error::Error;
use crate::user::UserMemory;

/// Numbers about one user's memory.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Stats {
    /// Live memories by kind; kinds without any are left out.
    pub live: BTreeMap<Kind, u64>,
    /// Past values kept as history.
    pub superseded: u64,
    /// Held back for approval.
    pub quarantined: u64,
    /// Live memories by scope: namespace, workspace, count.
    pub scopes: Vec<(String, Option<String>, u64)>,
    /// Live memories by the month they were said in (`2023-05`); those without a time under `unknown`.
    pub months: BTreeMap<String, u64>,
    /// When the oldest was said.
    pub oldest: Option<Timestamp>,
    /// When the newest was said.
    pub newest: Option<Timestamp>,
    /// Bytes of sealed content.
    pub bytes: u64,
    /// Memories whose vectors are missing or of another model than the one in use (REC-12).
    pub without_vectors: u64,
    /// Memories that do not open: moved, altered or damaged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<MemoryId>,
    /// What the user said about being remembered.
    pub consent: Option<Consent>,
}

/// One line of a health report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was looked at.
    pub what: String,
    /// What was found.
    pub found: String,
    /// Whether that is fine.
    pub fine: bool,
}

impl UserMemory {
    /// Counts what is stored about the user.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn stats(&self) -> Result<Stats, Error> {
        let model = self.shared.model().map(str::to_owned);
        let mut stats = Stats { consent: self.consent()?, ..Stats::default() };
        stats.bytes = self.read(|view, _| Ok(view.user(&self.user)?.unwrap_or_default().bytes))?;
        let mut scopes: BTreeMap<(String, Option<String>), u64> = BTreeMap::new();
        let unreadable = self.each_item(None, |opened| {
            let item = opened.item;
            match item.state {
                State::Superseded => stats.superseded += 1,
                State::Quarantined => stats.quarantined += 1,
                State::Live => {
                    *stats.live.entry(item.kind).or_default() += 1;
                    let workspace = item.scope.workspace.as_ref().map(ToString::to_string);
                    *scopes.entry((item.scope.namespace.to_string(), workspace)).or_default() += 1;
                    let month =
                        item.created.map(|at| at.to_zoned_datetime(TimeZone::UTC).strftime("%Y-%m").to_string());
                    *stats.months.entry(month.unwrap_or_else(|| "unknown".into())).or_default() += 1;
                    stats.oldest = [stats.oldest, item.created].into_iter().flatten().min();
                    stats.newest = [stats.newest, item.created].into_iter().flatten().max();
                    stats.without_vectors += u64::from(model.is_some() && item.model != model);
                }
            }
            Ok(())
        })?;
        stats.unreadable = unreadable;
        stats.scopes =
            scopes.into_iter().map(|((namespace, workspace), count)| (namespace, workspace, count)).collect();
        Ok(stats)
    }
}

impl Engine {
    /// Looks at the store, the keys and the embedder (OPS-2).
    ///
    /// # Errors
    /// If the store cannot be read at all.
    pub fn health(&self) -> Result<Vec<Check>, Error> {
        let mut checks: Vec<Check> =
            self.shared.ledger.health()?.into_iter().map(|(what, found, fine)| Check { what, found, fine }).collect();
        let keys = self.shared.vault.health()?;
        checks.extend(keys.into_iter().map(|(what, found, fine)| Check { what, found, fine }));
        checks.push(self.embedder_check());
        let environment = match self.shared.environment {
            None => "not set: each user's consent decides".to_owned(),
            Some(true) => "on for everyone who has not withdrawn".to_owned(),
            Some(false) => "off for everyone".to_owned(),
        };
        checks.push(Check { what: "MYOSOTIS_ENABLED".into(), found: environment, fine: true });
        Ok(checks)
    }

    fn embedder_check(&self) -> Check {
        let what = "embedder".to_owned();
        let Some(embedder) = &self.shared.embedder else {
            return Check { what, found: "none: recall works from words alone".into(), fine: true };
        };
        let spec = embedder.spec();
        match embedder.query("a small test", std::time::Duration::from_secs(10)) {
            Ok(_) => {
                Check { what, found: format!("{} ({} dimensions), answers", spec.id, spec.dimensions), fine: true }
            }
            Err(reason) => Check { what, found: format!("{}: {reason}", spec.id), fine: false },
        }
    }
}
