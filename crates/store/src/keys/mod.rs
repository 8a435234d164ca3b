//! The users' data keys. A vault makes one at random for each user, keeps it wrapped by a master key
//! apart from the data, and destroys it for good: then nothing sealed under it opens again, in any
//! copy of the data (ERA-3).

mod file;
mod master;
mod memory;

use myosotis_core::{LedgerError, UserId};
use zeroize::Zeroizing;

pub use self::file::{FileVault, KEYS_FILE, MASTER_KEY_FILE};
pub use self::memory::MemoryVault;
use crate::random::RandomError;
use crate::seal::UserKey;

/// Why a vault could not do it.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// There are wrapped keys and no master key to open them.
    #[error(
        "the master key {master} is missing, but {keys} holds keys wrapped by it: put the file back, or name it with MYOSOTIS_MASTER_KEY_FILE; without it the memories cannot be read"
    )]
    MasterMissing {
        /// Where the master key should be.
        master: String,
        /// The file of wrapped keys.
        keys: String,
    },
    /// The file named as master key does not hold one.
    #[error(
        "{master} is not a master key ({reason}): it holds 64 hexadecimal digits, as `openssl rand -hex 32` prints"
    )]
    MasterMalformed {
        /// The file.
        master: String,
        /// What was found.
        reason: String,
    },
    /// The master key is another than the one that wrapped the keys.
    #[error(
        "{master} is not the master key that wrapped the keys in {keys}: name the right file with MYOSOTIS_MASTER_KEY_FILE, or restore the two from the same backup"
    )]
    WrongMaster {
        /// The master key's file.
        master: String,
        /// The file of wrapped keys.
        keys: String,
    },
    /// One wrapped key does not open although the master key is right.
    #[error("the key of user {user} in {keys} was moved or altered: restore {keys} from a backup")]
    Altered {
        /// Whose.
        user: UserId,
        /// The file of wrapped keys.
        keys: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] LedgerError),
    /// No random bytes for a new key.
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// Keeps one data key a user.
///
/// Ask for the key at the start of every operation and let go of it at its end: a vault notices at
/// once when another process has destroyed a key, a [`UserKey`] that is held does not. What may be
/// written under a key that is just being destroyed elsewhere is decided by the ledger: the epoch of
/// the user rises with an erasure, and a change commits only under the epoch it started with.
pub trait KeyVault: Send + Sync {
    /// The user's key; `None` if there is none or it was destroyed.
    ///
    /// # Errors
    /// [`KeyError`] if the vault cannot be read or the key does not open.
    fn data_key(&self, user: &UserId) -> Result<Option<UserKey>, KeyError>;

    /// The user's key, made now and safely stored if there is none.
    ///
    /// # Errors
    /// [`KeyError`] if the vault cannot be read or written.
    fn data_key_or_create(&self, user: &UserId) -> Result<UserKey, KeyError>;

    /// Destroys the user's key so that no byte of it is left in the vault; false if there was none.
    ///
    /// # Errors
    /// [`KeyError`] if the vault cannot be written; the key may then still be there.
    fn destroy(&self, user: &UserId) -> Result<bool, KeyError>;

    /// The deployment's secret for [`UserId::from_external`], the same as long as the master key is.
    fn external_id_key(&self) -> Zeroizing<[u8; 32]>;

    /// A word on its health for `doctor`: lines of (what, value, is it fine).
    ///
    /// # Errors
    /// [`KeyError`] if the vault cannot be read.
    fn health(&self) -> Result<Vec<(String, String, bool)>, KeyError>;
}

#[cfg(test)]
mod tests;
