//! Sealing: what a person said is readable only with their key, and only in its place (ERA-3).
//!
//! A [`UserKey`] holds three sub-keys, derived by HKDF-SHA256 from the user's data key: one seals
//! (XChaCha20-Poly1305), one makes the [`Tag`]s by which equal contents are found, one makes the
//! [`ScopeKey`]s that stand for labels (keyed BLAKE3). A sealed value is
//!
//! ```text
//! 1 byte version | 24 bytes nonce | ciphertext | 16 bytes tag
//! ```
//!
//! with the value's [`Place`] as associated data.

mod place;

use std::fmt;
use std::sync::Arc;

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use myosotis_core::ids::push_part;
use myosotis_core::{Scope, ScopeKey, Tag, UserId};
use sha2::Sha256;
use zeroize::Zeroizing;

pub use self::place::Place;
use crate::random::{self, Random, RandomError};

/// The first byte of everything sealed.
const VERSION: u8 = 1;
/// Bytes of an XChaCha20 nonce: long enough to be drawn at random without end.
const NONCE: usize = 24;
/// Bytes of a Poly1305 tag.
const TAG: usize = 16;

/// What sealing adds to the length of a value.
pub const OVERHEAD: usize = 1 + NONCE + TAG;

/// Why a value was not sealed or not opened. Holds nothing of the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// It does not open with this key in this place.
    #[error(
        "{place} does not belong here: it was moved, altered or its key is gone; restore it from a backup or forget it"
    )]
    Foreign {
        /// Where it was found.
        place: String,
    },
    /// It was sealed in a way this program does not know.
    #[error("{place} was sealed by a newer version (format {version}): upgrade Myosotis")]
    Newer {
        /// Where it was found.
        place: String,
        /// The format it claims.
        version: u8,
    },
    /// Nothing random to be had for the nonce.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The value is beyond what the cipher takes (256 GB).
    #[error("{place} is too long to be sealed: store less in one row")]
    TooLong {
        /// Where it was to go.
        place: String,
    },
}

struct Inner {
    id: [u8; 16],
    cipher: XChaCha20Poly1305,
    tags: Zeroizing<[u8; 32]>,
    scopes: Zeroizing<[u8; 32]>,
    random: Arc<dyn Random>,
}

/// The opened key of one user. Cloning shares it; the last clone wipes it from memory.
///
/// Hold it for one operation only and ask the [`crate::KeyVault`] again for the next: another process
/// may have destroyed it meanwhile. [`UserKey::id`] tells a key from one made after it.
///
/// ```
/// use myosotis_core::UserId;
/// use myosotis_store::{KeyVault, MemoryVault, Place};
/// let alice = UserId::new("alice")?;
/// let key = MemoryVault::new()?.data_key_or_create(&alice)?;
/// let place = Place::new("users", "consent", &alice);
/// let sealed = key.seal(&place, b"yes")?;
/// assert_eq!(key.open(&place, &sealed)?, b"yes");
/// assert!(key.open(&Place::new("scopes", "sealed", &alice), &sealed).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct UserKey(Arc<Inner>);

/// Fills `out` from `key` by HKDF-SHA256 for one purpose.
pub(crate) fn derive(key: &[u8; 32], purpose: &str, whom: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut info = Vec::new();
    for part in [b"myosotis 1", purpose.as_bytes(), whom] {
        push_part(&mut info, part);
    }
    let mut out = Zeroizing::new([0; 32]);
    let filled = Hkdf::<Sha256>::new(None, key).expand(&info, &mut *out).is_ok();
    assert!(filled, "HKDF refuses only outputs longer than 255 hashes, and this is one hash");
    out
}

/// The cipher with a sub-key of `key`.
pub(crate) fn cipher(key: &[u8; 32], purpose: &str, whom: &[u8]) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(<&Key>::from(&*derive(key, purpose, whom)))
}

/// `version | nonce | ciphertext | tag`; `None` if the value is too long for the cipher.
pub(crate) fn seal_with(cipher: &XChaCha20Poly1305, nonce: [u8; NONCE], aad: &[u8], plain: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(plain.len() + OVERHEAD);
    out.push(VERSION);
    out.extend_from_slice(&nonce);
    out.extend_from_slice(plain);
    let body = &mut out[1 + NONCE..];
    let tag = cipher.encrypt_inout_detached(&XNonce::from(nonce), aad, body.into()).ok()?;
    out.extend_from_slice(&tag);
    Some(out)
}

/// The plain value; `None` if it does not open.
pub(crate) fn open_with(cipher: &XChaCha20Poly1305, aad: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (&VERSION, rest) = sealed.split_first()? else { return None };
    let (nonce, rest) = rest.split_first_chunk::<NONCE>()?;
    let (body, tag) = rest.split_last_chunk::<TAG>()?;
    let mut plain = body.to_vec();
    let opened = cipher.decrypt_inout_detached(&XNonce::from(*nonce), aad, plain.as_mut_slice().into(), &(*tag).into());
    opened.ok().map(|()| plain)
}

impl UserKey {
    /// The key of `user` for a 256-bit `data_key` that a vault keeps. `id` names the key, so that it
    /// can be told from a later one of the same user.
    #[must_use]
    pub fn new(user: &UserId, id: [u8; 16], data_key: &[u8; 32], random: Arc<dyn Random>) -> Self {
        let whom = user.as_str().as_bytes();
        Self(Arc::new(Inner {
            id,
            cipher: cipher(data_key, "seal", whom),
            tags: derive(data_key, "tags", whom),
            scopes: derive(data_key, "scope", whom),
            random,
        }))
    }

    /// Names the key; a key destroyed and made again has another.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.0.id
    }

    /// Seals `plain` for `place`.
    ///
    /// # Errors
    /// [`SealError::Random`] if the system gives no random bytes.
    pub fn seal(&self, place: &Place<'_>, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        let nonce = random::bytes(&*self.0.random)?;
        seal_with(&self.0.cipher, nonce, &place.encode(), plain)
            .ok_or_else(|| SealError::TooLong { place: place.to_string() })
    }

    /// Opens what was sealed for `place`.
    ///
    /// # Errors
    /// [`SealError::Foreign`] if it was sealed for another place or with another key, or altered.
    pub fn open(&self, place: &Place<'_>, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        if let Some(&version) = sealed.first()
            && version > VERSION
        {
            return Err(SealError::Newer { place: place.to_string(), version });
        }
        open_with(&self.0.cipher, &place.encode(), sealed)
            .ok_or_else(|| SealError::Foreign { place: place.to_string() })
    }

    /// The tag of a content: equal parts have equal tags, and nobody without the key can tell which.
    #[must_use]
    pub fn tag(&self, parts: &[&[u8]]) -> Tag {
        let mut joined = Zeroizing::new(Vec::with_capacity(parts.iter().map(|part| part.len() + 8).sum()));
        for part in parts {
            push_part(&mut joined, part);
        }
        Tag(keyed_hash(&self.0.tags, &joined))
    }

    /// What stands for a scope in the store.
    #[must_use]
    pub fn scope_key(&self, scope: &Scope) -> ScopeKey {
        ScopeKey(keyed_hash(&self.0.scopes, &scope.encode()))
    }
}

impl fmt::Debug for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UserKey(..)")
    }
}

/// Keyed BLAKE3, cut to 16 bytes.
fn keyed_hash(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let mut out = [0; 16];
    out.copy_from_slice(&blake3::keyed_hash(key, message).as_bytes()[..16]);
    out
}

#[cfg(test)]
mod tests;
