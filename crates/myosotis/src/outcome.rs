//! What became of a write (MEM-10). A refusal names its rule, never the text.

use std::fmt;

use myosotis_core::MemoryId;
use serde::Serialize;

use crate::consent::OffReason;

/// What became of one thing to remember.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Remembered {
    /// It is new and was stored.
    Stored {
        /// Its id.
        id: MemoryId,
        /// The further parts of a message too long for one item, in order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        parts: Vec<MemoryId>,
        /// How many weaker memories had to go because the scope is full (MEM-8).
        #[serde(skip_serializing_if = "is_zero")]
        evicted: usize,
    },
    /// It is the new value of a slot and was stored.
    Updated {
        /// Its id.
        id: MemoryId,
        /// The value it replaced, kept in the history.
        superseded: MemoryId,
    },
    /// It was there already, or says the same as one that was.
    Unchanged {
        /// The id of what was there.
        id: MemoryId,
    },
    /// It was not stored.
    Refused {
        /// Why.
        #[serde(flatten)]
        reason: Refusal,
    },
}

impl Remembered {
    /// The id of the item that now holds the content, unless it was refused.
    #[must_use]
    pub fn id(&self) -> Option<MemoryId> {
        match self {
            Remembered::Stored { id, .. } | Remembered::Updated { id, .. } | Remembered::Unchanged { id } => Some(*id),
            Remembered::Refused { .. } => None,
        }
    }
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Why something was not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Refusal {
    /// Memory is off or paused.
    Off {
        /// Why.
        why: OffReason,
    },
    /// Nothing is left of the text once it is cleaned.
    Empty,
    /// The text is longer than its kind allows.
    TooLong {
        /// Characters it has.
        chars: usize,
        /// Characters allowed.
        limit: usize,
    },
    /// The slot's name is longer than allowed.
    SlotTooLong {
        /// Characters it has.
        chars: usize,
        /// Characters allowed.
        limit: usize,
    },
    /// Another message of the same conversation has this id and says something else.
    Conflict {
        /// The message that is there.
        with: MemoryId,
    },
    /// The value is older than all the past values its slot keeps (MEM-6).
    TooOld {
        /// How many are kept.
        kept: usize,
    },
    /// The scope is full, and everything in it counts for more (MEM-8).
    OverCap {
        /// How many memories of this kind the scope keeps.
        limit: usize,
    },
    /// The user forgot this content, and the source is older than that (MEM-12).
    Forgotten,
    /// The user's total is used up (MEM-9).
    OverQuota {
        /// What is used up.
        what: &'static str,
        /// How much is allowed.
        limit: u64,
    },
}

impl Refusal {
    /// The word used in JSON and for counting.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Off { .. } => "off",
            Refusal::Empty => "empty",
            Refusal::TooLong { .. } => "too_long",
            Refusal::SlotTooLong { .. } => "slot_too_long",
            Refusal::Conflict { .. } => "conflict",
            Refusal::TooOld { .. } => "too_old",
            Refusal::OverCap { .. } => "over_cap",
            Refusal::Forgotten => "forgotten",
            Refusal::OverQuota { .. } => "over_quota",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Off { why } => write!(f, "memory is off: {why}"),
            Refusal::Empty => f.write_str("the text is empty; say what to remember"),
            Refusal::TooLong { chars, limit } => {
                write!(f, "the text has {chars} characters, the limit for its kind is {limit}; shorten or split it")
            }
            Refusal::SlotTooLong { chars, limit } => {
                write!(f, "the slot's name has {chars} characters, the limit is {limit}; shorten it")
            }
            Refusal::Conflict { with } => {
                write!(
                    f,
                    "another message of this conversation has the same id and another text ({with}); edit or forget that one"
                )
            }
            Refusal::TooOld { kept } => {
                write!(
                    f,
                    "the slot keeps its {kept} newest past values, and this one is older; raise max_history to keep more"
                )
            }
            Refusal::OverCap { limit } => {
                write!(
                    f,
                    "the scope keeps {limit} of these and all of them are newer or weightier; raise the cap to keep more"
                )
            }
            Refusal::Forgotten => {
                f.write_str("this was forgotten, and the source is older than that; say it again to store it")
            }
            Refusal::OverQuota { what, limit } => {
                write!(f, "the limit of {limit} {what} is reached; forget something or raise the limit")
            }
        }
    }
}
