use std::sync::Arc;

use myosotis_core::UserId;

use super::*;
use crate::random::{Random, RandomError};

/// Counts upwards: for replay, not for secrets.
struct Counting(std::sync::atomic::AtomicU8);

impl Random for Counting {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        bytes.fill(self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst));
        Ok(())
    }
}

fn vaults() -> (tempfile::TempDir, Vec<Box<dyn KeyVault>>) {
    let dir = tempfile::tempdir().unwrap();
    let file = FileVault::open(dir.path(), None).unwrap();
    (dir, vec![Box::new(MemoryVault::new().unwrap()), Box::new(file)])
}

#[test]
fn a_key_is_made_once_and_again_only_after_it_was_destroyed() {
    let (_dir, vaults) = vaults();
    for vault in vaults {
        let (alice, bob) = (UserId::new("alice").unwrap(), UserId::new("bob").unwrap());
        assert!(vault.data_key(&alice).unwrap().is_none());
        let first = vault.data_key_or_create(&alice).unwrap();
        assert_eq!(vault.data_key(&alice).unwrap().unwrap().id(), first.id());
        assert_eq!(vault.data_key_or_create(&alice).unwrap().id(), first.id());
        let other = vault.data_key_or_create(&bob).unwrap();
        assert_ne!(other.id(), first.id());
        assert_ne!(other.tag(&[b"x"]), first.tag(&[b"x"]));

        assert!(vault.destroy(&alice).unwrap());
        assert!(!vault.destroy(&alice).unwrap());
        assert!(vault.data_key(&alice).unwrap().is_none());
        let second = vault.data_key_or_create(&alice).unwrap();
        assert_ne!(second.id(), first.id());
        assert_ne!(second.tag(&[b"x"]), first.tag(&[b"x"]));
        assert_eq!(vault.data_key(&bob).unwrap().unwrap().id(), other.id());
        assert!(vault.health().unwrap().iter().all(|(_, _, fine)| *fine));
    }
}

#[test]
fn a_vault_with_given_randomness_can_be_replayed() {
    let tag = || {
        let vault = MemoryVault::with_random(Arc::new(Counting(0.into()))).unwrap();
        vault.data_key_or_create(&UserId::new("alice").unwrap()).unwrap().tag(&[b"x"])
    };
    assert_eq!(tag(), tag());
}
