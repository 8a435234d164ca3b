//! A vault in memory, for tests and engines that keep nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use myosotis_core::UserId;
use zeroize::Zeroizing;

use super::master::Master;
use super::{KeyError, KeyVault};
use crate::random::{OsRandom, Random};
use crate::seal::UserKey;

/// A [`KeyVault`] that forgets everything when it is dropped.
pub struct MemoryVault {
    master: Master,
    keys: Mutex<BTreeMap<UserId, UserKey>>,
    random: Arc<dyn Random>,
}

impl MemoryVault {
    /// An empty one.
    ///
    /// # Errors
    /// [`KeyError::Random`] if the system gives no random bytes.
    pub fn new() -> Result<Self, KeyError> {
        Self::with_random(Arc::new(OsRandom))
    }

    /// An empty one whose keys and nonces come from `random`, so that a simulation can be replayed.
    ///
    /// # Errors
    /// [`KeyError::Random`] if `random` fails.
    pub fn with_random(random: Arc<dyn Random>) -> Result<Self, KeyError> {
        Ok(Self { master: Master::random(&*random)?, keys: Mutex::default(), random })
    }

    fn keys(&self) -> MutexGuard<'_, BTreeMap<UserId, UserKey>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeyVault for MemoryVault {
    fn data_key(&self, user: &UserId) -> Result<Option<UserKey>, KeyError> {
        Ok(self.keys().get(user).cloned())
    }

    fn data_key_or_create(&self, user: &UserId) -> Result<UserKey, KeyError> {
        let mut keys = self.keys();
        if let Some(key) = keys.get(user) {
            return Ok(key.clone());
        }
        let (key, _) = self.master.new_key(user, &self.random)?;
        keys.insert(user.clone(), key.clone());
        Ok(key)
    }

    fn destroy(&self, user: &UserId) -> Result<bool, KeyError> {
        Ok(self.keys().remove(user).is_some())
    }

    fn external_id_key(&self) -> Zeroizing<[u8; 32]> {
        self.master.external_id_key()
    }

    fn health(&self) -> Result<Vec<(String, String, bool)>, KeyError> {
        Ok(vec![("keys".into(), format!("in memory, {} users, gone at the end", self.keys().len()), true)])
    }
}
