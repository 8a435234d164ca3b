//! The master key: where it comes from and how it wraps the users' keys.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use chacha20poly1305::XChaCha20Poly1305;
use myosotis_core::ids::push_part;
use myosotis_core::{LedgerError, UserId};
use zeroize::Zeroizing;

use super::KeyError;
use crate::files;
use crate::random::{self, Random};
use crate::seal::{self, UserKey};
use crate::sqlite::Whereabouts;

/// The opened master key.
pub(super) struct Master {
    key: Zeroizing<[u8; 32]>,
    cipher: XChaCha20Poly1305,
}

impl Master {
    pub(super) fn new(key: Zeroizing<[u8; 32]>) -> Self {
        let cipher = seal::cipher(&key, "wrap", &[]);
        Self { key, cipher }
    }

    /// A fresh one.
    pub(super) fn random(random: &dyn Random) -> Result<Self, KeyError> {
        Ok(Self::new(Zeroizing::new(random::bytes(random)?)))
    }

    /// Reads the key in `path`; `None` if there is no such file.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, KeyError> {
        let text = match fs::read(path) {
            Ok(text) => Zeroizing::new(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Whereabouts::io(path, &error).into()),
        };
        let malformed = |reason: String| KeyError::MasterMalformed { master: path.display().to_string(), reason };
        let digits = text.trim_ascii();
        if digits.len() != 64 {
            return Err(malformed(format!("{} characters", digits.len())));
        }
        let mut key = Zeroizing::new([0; 32]);
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            let value = std::str::from_utf8(pair).ok().filter(|pair| !pair.starts_with('+'));
            let value = value.and_then(|pair| u8::from_str_radix(pair, 16).ok());
            *byte = value.ok_or_else(|| malformed("other characters than hexadecimal digits".into()))?;
        }
        Ok(Some(Self::new(key)))
    }

    /// Makes one and stores it in `path`, whole or not at all. The caller holds the start-up lock and
    /// has seen that there is none.
    pub(super) fn create(path: &Path, random: &dyn Random) -> Result<Self, KeyError> {
        let master = Self::random(random)?;
        let mut text = Zeroizing::new(String::with_capacity(65));
        for byte in master.key.iter() {
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
            }
        }
        text.push('\n');
        let draft = path.with_extension("key.new");
        let store = || {
            // Left over by a process that was killed right here.
            let _ = fs::remove_file(&draft);
            let mut file = files::private_file(&draft)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, path)?;
            path.parent().map_or(Ok(()), files::sync_dir)
        };
        store().map_err(|error| Whereabouts::io(path, &error))?;
        Ok(master)
    }

    /// By which the key file is recognised as wrapped by this master key. Tells nothing about it.
    pub(super) fn fingerprint(&self) -> [u8; 32] {
        *seal::derive(&self.key, "fingerprint", &[])
    }

    /// The secret for user ids made from external ones.
    pub(super) fn external_id_key(&self) -> Zeroizing<[u8; 32]> {
        seal::derive(&self.key, "external ids", &[])
    }

    /// A wrapped key opens only under the user and the id it was made for.
    fn place(user: &UserId, id: &[u8; 16]) -> Vec<u8> {
        let mut out = Vec::new();
        for part in [b"keys", user.as_str().as_bytes(), id] {
            push_part(&mut out, part);
        }
        out
    }

    /// A new data key of `user`, and the same wrapped.
    pub(super) fn new_key(&self, user: &UserId, random: &Arc<dyn Random>) -> Result<(UserKey, Vec<u8>), KeyError> {
        let data_key = Zeroizing::new(random::bytes::<32>(&**random)?);
        let id = random::bytes(&**random)?;
        let nonce = random::bytes(&**random)?;
        let wrapped = seal::seal_with(&self.cipher, nonce, &Self::place(user, &id), &*data_key)
            .ok_or_else(|| LedgerError::Other("a new key could not be wrapped".into()))?;
        Ok((UserKey::new(user, id, &data_key, Arc::clone(random)), wrapped))
    }

    /// Opens a wrapped data key; `None` if it is not what it claims to be.
    pub(super) fn open(
        &self,
        user: &UserId,
        id: [u8; 16],
        wrapped: &[u8],
        random: &Arc<dyn Random>,
    ) -> Option<UserKey> {
        let plain = Zeroizing::new(seal::open_with(&self.cipher, &Self::place(user, &id), wrapped)?);
        let data_key = Zeroizing::new(<[u8; 32]>::try_from(plain.as_slice()).ok()?);
        Some(UserKey::new(user, id, &data_key, Arc::clone(random)))
    }
}
