//! Opt-in: memory is off until someone switches it on (OPT-1 to OPT-5).

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What the user said about being remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConsentState {
    /// Learn and recall.
    On,
    /// Recall what is there, learn nothing new.
    Paused,
    /// Neither. What is stored stays until it is erased.
    Off,
}

impl ConsentState {
    /// The word used in JSON and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ConsentState::On => "on",
            ConsentState::Paused => "paused",
            ConsentState::Off => "off",
        }
    }
}

/// A recorded answer: when, how, and under which policy (OPT-3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// The answer.
    pub state: ConsentState,
    /// When it was given.
    pub at: Timestamp,
    /// By which way: `command line`, `web page`, ...
    pub how: String,
    /// The version of the policy that was shown, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
}

/// Why memory is off (OPT-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OffReason {
    /// The caller passed `enabled = false`, for the handle or for this one message.
    Disabled,
    /// `MYOSOTIS_ENABLED` says no for everyone.
    Vetoed,
    /// Nobody ever said yes.
    NoConsent,
    /// The user said yes once and withdrew it.
    Withdrawn,
    /// The user paused learning; recall still works.
    Paused,
}

impl OffReason {
    /// The word used in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            OffReason::Disabled => "disabled",
            OffReason::Vetoed => "vetoed",
            OffReason::NoConsent => "no_consent",
            OffReason::Withdrawn => "withdrawn",
            OffReason::Paused => "paused",
        }
    }
}

impl fmt::Display for OffReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OffReason::Disabled => "the caller switched it off for this call",
            OffReason::Vetoed => "MYOSOTIS_ENABLED switches it off for everyone; unset it to allow memory",
            OffReason::NoConsent => "this user has not consented; switch it on with `myosotis consent on`",
            OffReason::Withdrawn => "this user withdrew consent; switch it on again with `myosotis consent on`",
            OffReason::Paused => "this user paused learning; resume with `myosotis consent on`",
        })
    }
}

/// What may be done for a user right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Recall and learn.
    On,
    /// Recall only.
    Paused,
    /// Neither; listing, exporting, forgetting and erasing still work (OPT-4).
    Off(OffReason),
}

impl Status {
    /// `Err` with the reason unless new memories may be written.
    pub(crate) fn writable(self) -> Result<(), OffReason> {
        match self {
            Status::On => Ok(()),
            Status::Paused => Err(OffReason::Paused),
            Status::Off(reason) => Err(reason),
        }
    }

    /// `Err` with the reason unless memories may be recalled.
    pub(crate) fn readable(self) -> Result<(), OffReason> {
        match self {
            Status::On | Status::Paused => Ok(()),
            Status::Off(reason) => Err(reason),
        }
    }
}

/// What a value of `MYOSOTIS_ENABLED` means: a veto, a yes, or nothing (OPT-1).
#[must_use]
pub fn parse_enabled(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "0" | "false" | "no" | "off" => Some(false),
        "1" | "true" | "yes" | "on" => Some(true),
        _ => None,
    }
}

/// The order of tests of OPT-1. A consent the user withdrew is not overruled by a caller or a
/// variable that says yes: their own no is the stronger word.
#[must_use]
pub(crate) fn decide(caller: Option<bool>, environment: Option<bool>, consent: Option<ConsentState>) -> Status {
    if caller == Some(false) {
        return Status::Off(OffReason::Disabled);
    }
    if environment == Some(false) {
        return Status::Off(OffReason::Vetoed);
    }
    match consent {
        Some(ConsentState::Off) => Status::Off(OffReason::Withdrawn),
        Some(ConsentState::Paused) => Status::Paused,
        Some(ConsentState::On) => Status::On,
        None if caller == Some(true) || environment == Some(true) => Status::On,
        None => Status::Off(OffReason::NoConsent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_unless_someone_said_yes_and_vetoes_win() {
        // OPT-1
        let yes = Some(ConsentState::On);
        assert_eq!(decide(None, None, None), Status::Off(OffReason::NoConsent));
        assert_eq!(decide(Some(false), Some(true), yes), Status::Off(OffReason::Disabled));
        assert_eq!(decide(Some(true), Some(false), yes), Status::Off(OffReason::Vetoed));
        assert_eq!(decide(Some(true), None, None), Status::On);
        assert_eq!(decide(None, Some(true), None), Status::On);
        assert_eq!(decide(None, None, yes), Status::On);
        assert_eq!(decide(Some(true), Some(true), Some(ConsentState::Off)), Status::Off(OffReason::Withdrawn));
        assert_eq!(decide(None, None, Some(ConsentState::Paused)), Status::Paused);
    }

    #[test]
    fn the_variable_is_read_in_any_case_and_nonsense_is_nothing() {
        // OPT-1
        for word in ["0", "false", "NO", " Off "] {
            assert_eq!(parse_enabled(word), Some(false), "{word}");
        }
        for word in ["1", "TRUE", "yes", "On"] {
            assert_eq!(parse_enabled(word), Some(true), "{word}");
        }
        for word in ["", "maybe", "2", "enabled"] {
            assert_eq!(parse_enabled(word), None, "{word}");
        }
    }
}
