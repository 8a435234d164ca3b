//! Names that are valid once they exist: user, thread, namespace, workspace and memory ids.
//!
//! Each type has one validating constructor; parsing and deserialising go through it, so nothing
//! further down checks again. The grammar of ID-1 is written here and nowhere else.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use uuid::Uuid;

/// Longest user or thread id, in bytes (all of them ASCII). Source: requirement ID-1.
pub const MAX_ID_LEN: usize = 64;

/// Longest namespace or workspace label, in characters.
pub const MAX_LABEL_CHARS: usize = 128;

/// Why a name was refused. The message names the field, the limit and the fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid {field} {shown}: {reason}")]
pub struct IdError {
    /// Which field was wrong: `user id`, `thread id`, `namespace`, ...
    pub field: &'static str,
    /// The offending value, escaped and shortened so that it can be printed anywhere.
    pub shown: String,
    /// What is wrong with it and what to do.
    pub reason: String,
}

impl IdError {
    fn new(field: &'static str, value: &str, reason: impl Into<String>) -> Self {
        let mut shown: String = value.chars().take(40).flat_map(char::escape_debug).collect();
        if value.chars().nth(40).is_some() {
            shown.push('…');
        }
        Self { field, shown: format!("\"{shown}\""), reason: reason.into() }
    }
}

/// Checks `[A-Za-z0-9][A-Za-z0-9_-]{0,63}` against the whole value (ID-1).
fn check_strict(field: &'static str, value: &str) -> Result<(), IdError> {
    let rule = "use 1 to 64 ASCII letters, digits, '_' or '-', starting with a letter or digit";
    if value.trim().is_empty() {
        return Err(IdError::new(field, value, format!("it is empty; {rule}")));
    }
    if value.len() > MAX_ID_LEN {
        let reason = format!("it is {} bytes long, the limit is {MAX_ID_LEN}; {rule}", value.len());
        return Err(IdError::new(field, value, reason));
    }
    let bytes = value.as_bytes();
    let tail_ok = bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if !tail_ok || !bytes[0].is_ascii_alphanumeric() {
        let hint =
            "other ids (e-mail addresses, `auth0|…`) go through --external-user, or `UserId::from_external` in code";
        return Err(IdError::new(field, value, format!("{rule}; {hint}")));
    }
    Ok(())
}

/// A label may hold any script, but no control characters and no unresolved template placeholder.
fn check_label(field: &'static str, value: &str) -> Result<String, IdError> {
    let label: String = value.nfc().collect();
    let err = |reason: &str| Err(IdError::new(field, value, reason));
    if label.trim().is_empty() {
        return err("it is empty; give it a name or leave it out");
    }
    if label.trim() != label {
        return err("it starts or ends with white space; remove that");
    }
    if label.chars().count() > MAX_LABEL_CHARS {
        return err("it is longer than 128 characters; shorten it");
    }
    if label.chars().any(|c| c.is_control() || crate::text::is_invisible(c)) {
        return err("it contains control or invisible characters; remove them");
    }
    if let Some(open) = label.find('{')
        && label[open..].contains('}')
    {
        return err("it holds an unresolved placeholder {…}; fill the template in first");
    }
    Ok(label)
}

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident, $field:literal, |$value:ident| $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Validates `value`.
            ///
            /// # Errors
            /// [`IdError`] naming the rule that was broken and how to mend it.
            pub fn new(value: impl Into<String>) -> Result<Self, IdError> {
                let $value: String = value.into();
                $check.map(Self)
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(value: &str) -> Result<Self, IdError> {
                Self::new(value)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(value: String) -> Result<Self, IdError> {
                Self::new(value)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name_type!(
    /// The authenticated person whose memory it is (ID-1).
    ///
    /// ```
    /// use myosotis_core::UserId;
    /// assert!(UserId::new("alice").is_ok());
    /// assert!(UserId::new("alice\n").is_err());
    /// assert!(UserId::new("").is_err());
    /// ```
    UserId, "user id", |value| check_strict("user id", &value).map(|()| value)
);

name_type!(
    /// A conversation of one user (ID-1). Two users may use the same thread id without meeting.
    ThreadId, "thread id", |value| check_strict("thread id", &value).map(|()| value)
);

name_type!(
    /// A logical bucket of a user's memories; `chat` unless told otherwise.
    Namespace, "namespace", |value| check_label("namespace", &value)
);

name_type!(
    /// A project or thread that keeps some of a user's memories apart from the others.
    Workspace, "workspace", |value| check_label("workspace", &value)
);

impl Default for Namespace {
    fn default() -> Self {
        Self("chat".into())
    }
}

impl UserId {
    /// Derives a valid id from any identifier an identity provider gives (ID-2): e-mail addresses,
    /// `auth0|abc`, any Unicode. Equal inputs give equal ids; inputs that differ in any byte (case,
    /// Unicode form, look-alike letters) give different ones. `key` is the deployment's own
    /// secret, so that ids cannot be guessed from addresses by someone who sees only the ids.
    ///
    /// The result is `x` and 51 characters of base 32 (255 bits of a keyed BLAKE3 hash).
    ///
    /// # Errors
    /// [`IdError`] if `external` is empty or white space only (ID-7).
    ///
    /// ```
    /// use myosotis_core::UserId;
    /// let key = [7; 32];
    /// let a = UserId::from_external(&key, "alice@example.org")?;
    /// assert_eq!(a, UserId::from_external(&key, "alice@example.org")?);
    /// assert_ne!(a, UserId::from_external(&key, "Alice@example.org")?);
    /// # Ok::<(), myosotis_core::IdError>(())
    /// ```
    pub fn from_external(key: &[u8; 32], external: &str) -> Result<Self, IdError> {
        if external.chars().all(|c| c.is_whitespace() || c.is_control() || crate::text::is_invisible(c)) {
            return Err(IdError::new("external user id", external, "it is empty; pass the id of the signed-in user"));
        }
        const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
        let digest = blake3::keyed_hash(key, external.as_bytes());
        let mut id = String::with_capacity(52);
        id.push('x');
        let (mut bits, mut held) = (0u32, 0u32);
        for &byte in digest.as_bytes() {
            held = (held << 8) | u32::from(byte);
            bits += 8;
            while bits >= 5 {
                bits -= 5;
                id.push(char::from(ALPHABET[(held >> bits & 31) as usize]));
            }
        }
        Ok(Self(id))
    }
}

/// The identity of a memory item: a UUID of version 7, sortable by creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemoryId(Uuid);

impl MemoryId {
    /// Builds an id from the creation time (Unix milliseconds) and 10 random bytes.
    #[must_use]
    pub fn from_parts(unix_ms: i64, random: [u8; 10]) -> Self {
        let ms = u64::try_from(unix_ms).unwrap_or(0);
        Self(uuid::Builder::from_unix_timestamp_millis(ms, &random).into_uuid())
    }

    /// The 16 bytes of the id.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// Rebuilds an id from its 16 bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }
}

impl FromStr for MemoryId {
    type Err = IdError;
    fn from_str(value: &str) -> Result<Self, IdError> {
        Uuid::try_parse(value)
            .map(Self)
            .map_err(|_| IdError::new("memory id", value, "it is not a UUID; copy the id from `myosotis memories`"))
    }
}

impl TryFrom<String> for MemoryId {
    type Error = IdError;
    fn try_from(value: String) -> Result<Self, IdError> {
        value.parse()
    }
}

impl From<MemoryId> for String {
    fn from(value: MemoryId) -> String {
        value.to_string()
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.hyphenated(), f)
    }
}

/// Where a memory lives within one user's data: a namespace and, optionally, a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Scope {
    /// The logical bucket.
    pub namespace: Namespace,
    /// The project within it, or none for what is true everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<Workspace>,
}

impl Scope {
    /// An injective byte encoding: each part is preceded by its length, an absent workspace differs
    /// from every present one (ID-3). No label can run into its neighbour.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        push_part(&mut out, self.namespace.as_str().as_bytes());
        match &self.workspace {
            None => out.push(0),
            Some(workspace) => {
                out.push(1);
                push_part(&mut out, workspace.as_str().as_bytes());
            }
        }
        out
    }
}

/// Appends `part` preceded by its length, so that joined parts can be told apart again (ID-3).
pub fn push_part(out: &mut Vec<u8>, part: &[u8]) {
    out.extend_from_slice(&(part.len() as u64).to_le_bytes());
    out.extend_from_slice(part);
}

/// A 16-byte keyed hash that stands for a scope in the store, so that labels stay unreadable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeKey(pub [u8; 16]);

/// A 16-byte keyed hash of a content, by which equal contents are found without being readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(pub [u8; 16]);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_error_names_the_field_the_limit_and_the_fix() {
        // ID-1
        let error = UserId::new("x".repeat(65)).unwrap_err().to_string();
        assert!(error.contains("user id") && error.contains("65") && error.contains("64"), "{error}");
        let error = ThreadId::new("a/b").unwrap_err().to_string();
        assert!(error.contains("thread id") && error.contains("a/b"), "{error}");
    }

    #[test]
    fn an_error_can_be_printed_anywhere() {
        let error = UserId::new("\u{1b}[31m\u{202e}\0").unwrap_err().to_string();
        assert!(!error.contains(['\u{1b}', '\u{202e}', '\0']), "{error:?}");
    }

    #[test]
    fn deserialising_goes_through_the_same_door() {
        assert!(serde_json::from_str::<UserId>("\"a b\"").is_err());
        assert!(serde_json::from_str::<Namespace>("\"{actorId}\"").is_err());
        assert!(serde_json::from_str::<MemoryId>("\"1\"").is_err());
        assert_eq!(serde_json::from_str::<UserId>("\"alice\"").unwrap().as_str(), "alice");
    }

    #[test]
    fn labels_take_any_script_but_nothing_invisible() {
        assert_eq!(Workspace::new("проект 計画").unwrap().as_str(), "проект 計画");
        for bad in ["", " ", " a", "a ", "a\nb", "a\u{200b}b", "a\u{202e}b", "${user}", "{{x}}"] {
            assert!(Workspace::new(bad).is_err(), "{bad:?}");
        }
        assert!(Workspace::new("字".repeat(128)).is_ok());
        assert!(Workspace::new("字".repeat(129)).is_err());
        // The same label in another Unicode form is the same label.
        assert_eq!(Workspace::new("caf\u{e9}").unwrap(), Workspace::new("cafe\u{301}").unwrap());
    }

    #[test]
    fn memory_ids_sort_by_their_time_and_print_as_uuids() {
        let early = MemoryId::from_parts(1_000, [9; 10]);
        let late = MemoryId::from_parts(2_000, [0; 10]);
        assert!(early < late);
        assert_eq!(early.to_string().parse::<MemoryId>().unwrap(), early);
        assert_eq!(MemoryId::from_bytes(*early.as_bytes()), early);
    }

    proptest! {
        #[test]
        fn what_is_accepted_matches_the_grammar(text in ".{0,70}") {
            // ID-1
            let bytes = text.as_bytes();
            let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
            let legal = (1..=64).contains(&bytes.len()) && bytes[0].is_ascii_alphanumeric() && bytes.iter().all(word);
            prop_assert_eq!(UserId::new(text.clone()).is_ok(), legal);
            prop_assert_eq!(ThreadId::new(text).is_ok(), legal);
        }

        #[test]
        fn joined_parts_can_be_told_apart(a in proptest::collection::vec(".{0,6}", 0..4), b in proptest::collection::vec(".{0,6}", 0..4)) {
            // ID-3
            let join = |parts: &[String]| {
                let mut out = Vec::new();
                parts.iter().for_each(|part| push_part(&mut out, part.as_bytes()));
                out
            };
            prop_assert_eq!(a == b, join(&a) == join(&b));
        }
    }
}
