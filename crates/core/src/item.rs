//! What a memory is: its kind, state, source, times and text (MEM-1, MEM-2).

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{MemoryId, Scope};
use crate::text;

/// What kind of thing is remembered (MEM-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Kind {
    /// Something true about the user or their world.
    Fact = 0,
    /// What the user likes, wants or avoids.
    Preference = 1,
    /// A choice that was made.
    Decision = 2,
    /// Something that happens or happened at a time.
    Event = 3,
    /// The gist of a whole thread.
    Episode = 4,
    /// A learned wish about tone, length or format.
    Rule = 5,
    /// A turn of a conversation, word for word.
    Message = 6,
}

impl Kind {
    /// Every kind, in the order of their codes.
    pub const ALL: [Kind; 7] =
        [Kind::Fact, Kind::Preference, Kind::Decision, Kind::Event, Kind::Episode, Kind::Rule, Kind::Message];

    /// The name used in JSON, on the command line and in prompts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Fact => "fact",
            Kind::Preference => "preference",
            Kind::Decision => "decision",
            Kind::Event => "event",
            Kind::Episode => "episode",
            Kind::Rule => "rule",
            Kind::Message => "message",
        }
    }

    /// The kind for a code as stored in a row.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The code under which rows store the kind.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// A model's word for a kind; anything unknown is a fact (MEM-1).
    #[must_use]
    pub fn from_model(word: &str) -> Self {
        word.trim().to_ascii_lowercase().parse().unwrap_or(Kind::Fact)
    }

    /// Longest text of this kind, in characters (MEM-4).
    #[must_use]
    pub fn max_chars(self) -> usize {
        match self {
            Kind::Episode => 3 * 240,
            Kind::Rule => 200,
            Kind::Message => 4_000,
            Kind::Fact | Kind::Preference | Kind::Decision | Kind::Event => 300,
        }
    }

    /// Whether this is learned knowledge (counted against the cap) rather than a verbatim turn.
    #[must_use]
    pub fn is_learned(self) -> bool {
        self != Kind::Message
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A kind that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind {0:?}: use fact, preference, decision, event, episode, rule or message")]
pub struct UnknownKind(pub String);

impl FromStr for Kind {
    type Err = UnknownKind;
    fn from_str(value: &str) -> Result<Self, UnknownKind> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == value)
            .ok_or_else(|| UnknownKind(value.chars().take(40).collect()))
    }
}

/// Whether an item is current.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum State {
    /// Current: recall returns it.
    Live = 0,
    /// Replaced by a newer value; kept as history.
    Superseded = 1,
    /// Held back until the user approves it.
    Quarantined = 2,
}

impl State {
    /// The state for a code as stored in a row.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        [State::Live, State::Superseded, State::Quarantined].get(usize::from(code)).copied()
    }

    /// The code under which rows store the state.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// How strongly a memory counts, 0 to 1. Not finite or absent becomes 0.5 (MEM-3).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(from = "Option<f64>", into = "f64")]
pub struct Importance(f32);

impl Importance {
    /// Clamps `value` to 0..1; not finite becomes the default 0.5.
    #[must_use]
    pub fn new(value: f64) -> Self {
        if value.is_finite() { Self(value.clamp(0.0, 1.0) as f32) } else { Self::default() }
    }

    /// The value, 0 to 1.
    #[must_use]
    pub fn get(self) -> f32 {
        self.0
    }
}

impl Default for Importance {
    fn default() -> Self {
        Self(0.5)
    }
}

impl From<Option<f64>> for Importance {
    fn from(value: Option<f64>) -> Self {
        value.map_or_else(Self::default, Self::new)
    }
}

impl From<Importance> for f64 {
    fn from(value: Importance) -> f64 {
        // Through the shortest decimal form, so that 0.7 prints as 0.7 and not as 0.699999988.
        value.0.to_string().parse().unwrap_or_else(|_| f64::from(value.0))
    }
}

/// Longest slot name, in characters.
pub const MAX_SLOT_CHARS: usize = 64;

/// The name of a single-valued fact (`employer`, `home_city`), normalised to snake case in any
/// script (MEM-6).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(into = "String")]
pub struct Slot(String);

impl Slot {
    /// Normalises `name`: `Home City`, `homeCity` and `home-city` are all `home_city`. `None` if
    /// nothing is left, which means the slot is dropped.
    ///
    /// ```
    /// use myosotis_core::Slot;
    /// assert_eq!(Slot::normalise("Home City").unwrap().as_str(), "home_city");
    /// assert_eq!(Slot::normalise("雇主").unwrap().as_str(), "雇主");
    /// assert!(Slot::normalise(" -- ").is_none());
    /// ```
    #[must_use]
    pub fn normalise(name: &str) -> Option<Self> {
        let mut out = String::new();
        let (mut gap, mut lower_before) = (false, false);
        for c in text::canonical(name).chars() {
            // `c++` and `c#` are names of their own.
            if !(c.is_alphanumeric() || text::is_mark(c) || (matches!(c, '+' | '#') && !gap && !out.is_empty())) {
                gap = true;
                lower_before = false;
                continue;
            }
            let word_starts = gap || (lower_before && c.is_uppercase() && !c.to_lowercase().eq([c]));
            if word_starts && !out.is_empty() {
                out.push('_');
            }
            gap = false;
            lower_before = c.is_lowercase() || c.is_numeric();
            out.extend(c.to_lowercase());
        }
        (!out.is_empty()).then_some(Self(out))
    }

    /// The normalised name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is longer than [`MAX_SLOT_CHARS`]; then it is refused, never cut.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.0.chars().count() > MAX_SLOT_CHARS
    }
}

impl<'de> Deserialize<'de> for Slot {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Slot::normalise(&name).ok_or_else(|| serde::de::Error::custom("a slot needs at least one letter or digit"))
    }
}

impl From<Slot> for String {
    fn from(value: Slot) -> String {
        value.0
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person the memory belongs to, or another person in the conversation.
    #[default]
    User,
    /// The assistant.
    Assistant,
    /// The application's own instructions.
    System,
    /// A tool's result.
    Tool,
}

/// By which way a memory came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The user asked for it to be remembered, or edited it.
    #[default]
    Asked,
    /// A model or the built-in extractor found it in a turn.
    Extracted,
    /// It came from an imported file.
    Imported,
}

/// Where a memory comes from: who said it, in which message of which conversation (MEM-2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Source {
    /// By which way it came in.
    #[serde(default)]
    pub origin: Origin,
    /// Whose words these are.
    #[serde(default)]
    pub role: Role,
    /// The name of the person who spoke, where a conversation has names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// The conversation or session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The message's own id where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The message's place in its conversation, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
    /// Which part of a long message this is, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub part: u32,
    /// The words it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A stretch of time, `start` inclusive and `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First instant.
    pub start: Timestamp,
    /// First instant after it.
    pub end: Timestamp,
}

/// One remembered thing, opened. Times a source did not give are `None`, never "now" (MEM-13).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its identity.
    pub id: MemoryId,
    /// Where it lives.
    pub scope: Scope,
    /// What kind of thing it is.
    pub kind: Kind,
    /// Current, replaced or held back.
    pub state: State,
    /// The text, canonical (MEM-4).
    pub text: String,
    /// How strongly it counts.
    pub importance: Importance,
    /// The single-valued fact it is a value of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    /// Where it comes from.
    pub source: Source,
    /// How often it was said: 1, and one more for every near-duplicate.
    pub support: u32,
    /// When this row was made in this store.
    pub stored: Timestamp,
    /// When it was said or learned; `None` if an import did not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<Timestamp>,
    /// When what it tells of happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Span>,
    /// From when it was current.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it was current; `None` while it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// When recall last returned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accessed: Option<Timestamp>,
    /// How often recall returned it.
    pub access_count: u32,
    /// Kept whatever the cap says.
    pub pinned: bool,
    /// What its past values share with it: the id of the first of them.
    pub lineage: MemoryId,
    /// The model whose vectors it carries; `None` while it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn slots_are_snake_case_in_any_script() {
        // MEM-6
        for (given, normal) in [
            ("employer", "employer"),
            ("Home City", "home_city"),
            ("homeCity", "home_city"),
            ("home-city ", "home_city"),
            ("HOME__CITY", "home_city"),
            ("C++", "c++"),
            ("C#", "c#"),
            ("Straße", "straße"),
            ("любимый цвет", "любимый_цвет"),
            ("好きな 色", "好きな_色"),
            ("पसंदीदा रंग", "पसंदीदा_रंग"),
        ] {
            assert_eq!(Slot::normalise(given).unwrap().as_str(), normal, "{given}");
        }
        for nothing in ["", " ", "--", "\u{202e}", "!?"] {
            assert_eq!(Slot::normalise(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn a_kind_survives_its_code_its_name_and_a_models_word() {
        // MEM-1
        for kind in Kind::ALL {
            assert_eq!(Kind::from_code(kind.code()), Some(kind));
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert_eq!(Kind::from_code(7), None);
        assert_eq!(Kind::from_model(" Preference "), Kind::Preference);
        assert_eq!(Kind::from_model("opinion"), Kind::Fact);
    }

    #[test]
    fn importance_reads_back_as_it_was_written() {
        // MEM-3
        assert_eq!(serde_json::to_string(&Importance::new(0.7)).unwrap(), "0.7");
        assert_eq!(serde_json::from_str::<Importance>("null").unwrap().get(), 0.5);
        assert_eq!(serde_json::from_str::<Importance>("7").unwrap().get(), 1.0);
    }

    proptest! {
        #[test]
        fn normalising_a_slot_twice_changes_nothing(name in "\\PC{0,80}") {
            if let Some(slot) = Slot::normalise(&name) {
                prop_assert_eq!(Slot::normalise(slot.as_str()), Some(slot));
            }
        }
    }
}
