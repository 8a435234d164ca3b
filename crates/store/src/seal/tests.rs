use myosotis_core::{Namespace, Workspace};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::random::OsRandom;

fn user(name: &str) -> UserId {
    UserId::new(name).unwrap()
}

fn key(name: &str, data_key: u8) -> UserKey {
    UserKey::new(&user(name), [0; 16], &[data_key; 32], Arc::new(OsRandom))
}

/// A place in parts of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    table: String,
    column: String,
    user: String,
    scope: Option<[u8; 16]>,
    row: Vec<u8>,
}

fn sealing(parts: &Parts, work: impl FnOnce(&Place<'_>)) {
    let user = user(&parts.user);
    let mut place = Place::new(&parts.table, &parts.column, &user).row(&parts.row);
    if let Some(scope) = parts.scope {
        place = place.scope(ScopeKey(scope));
    }
    work(&place);
}

fn parts() -> impl Strategy<Value = Parts> {
    let scope = prop::option::of((0..3_u8).prop_map(|n| [n; 16]));
    ("[ab]{0,3}", "[ab]{0,3}", "[ab]{1,3}", scope, vec(0..3_u8, 0..4))
        .prop_map(|(table, column, user, scope, row)| Parts { table, column, user, scope, row })
}

proptest! {
    #[test]
    fn what_is_sealed_opens_in_its_place(parts in parts(), plain in vec(any::<u8>(), 0..2000)) {
        sealing(&parts, |place| {
            let sealed = key("alice", 1).seal(place, &plain).unwrap();
            assert_eq!(sealed.len(), plain.len() + OVERHEAD);
            assert_eq!(key("alice", 1).open(place, &sealed).unwrap(), plain);
        });
    }

    #[test]
    fn it_opens_nowhere_else(here in parts(), there in parts()) {
        prop_assume!(here != there);
        sealing(&here, |place| {
            let sealed = key("alice", 1).seal(place, b"text").unwrap();
            sealing(&there, |other| {
                assert!(matches!(key("alice", 1).open(other, &sealed), Err(SealError::Foreign { .. })));
            });
        });
    }

    #[test]
    fn a_changed_byte_is_noticed(plain in vec(any::<u8>(), 0..100), at in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let alice = user("alice");
        let place = Place::new("items", "sealed", &alice);
        let mut sealed = key("alice", 1).seal(&place, &plain).unwrap();
        let at = at.index(sealed.len());
        sealed[at] ^= flip;
        prop_assert!(key("alice", 1).open(&place, &sealed).is_err());
        prop_assert!(key("alice", 1).open(&place, &sealed[..at]).is_err(), "nor does a shortened one open");
    }

    #[test]
    fn tags_differ_where_parts_or_users_do(
        first in vec(vec(0..3_u8, 0..3), 0..4),
        second in vec(vec(0..3_u8, 0..3), 0..4),
    ) {
        let tag = |name, data_key, parts: &[Vec<u8>]| key(name, data_key).tag(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        prop_assert_eq!(first == second, tag("alice", 1, &first) == tag("alice", 1, &second));
        prop_assert_ne!(tag("alice", 1, &first), tag("alice", 2, &second));
        prop_assert_ne!(tag("alice", 1, &first), tag("Alice", 1, &second));
    }

    #[test]
    fn scope_keys_differ_where_labels_or_users_do(
        first in ("[ab]{1,3}", prop::option::of("[ab]{1,3}")),
        second in ("[ab]{1,3}", prop::option::of("[ab]{1,3}")),
    ) {
        let scope = |(namespace, workspace): &(String, Option<String>)| Scope {
            namespace: Namespace::new(namespace.clone()).unwrap(),
            workspace: workspace.clone().map(|label| Workspace::new(label).unwrap()),
        };
        let of = |name, data_key, labels| key(name, data_key).scope_key(&scope(labels));
        prop_assert_eq!(first == second, of("alice", 1, &first) == of("alice", 1, &second));
        prop_assert_ne!(of("alice", 1, &first), of("alice", 2, &first));
        prop_assert_ne!(of("alice", 1, &first), of("bob", 1, &first));
    }
}

#[test]
fn another_users_key_opens_nothing() {
    let alice = user("alice");
    let place = Place::new("items", "sealed", &alice);
    let sealed = key("alice", 1).seal(&place, b"text").unwrap();
    assert!(key("alice", 2).open(&place, &sealed).is_err());
    assert!(key("bob", 1).open(&place, &sealed).is_err());
}

#[test]
fn the_error_names_the_row_and_what_to_do() {
    let alice = user("alice");
    let id = myosotis_core::MemoryId::from_parts(5, [1; 10]);
    let place = Place::new("items", "sealed", &alice).row(id.as_bytes());
    let error = key("alice", 1).open(&place, b"").unwrap_err().to_string();
    assert!(
        error.starts_with(&format!(
            "row {id} of items.sealed does not belong here: it was moved, altered or its key is gone"
        )),
        "{error}"
    );
    let error = key("alice", 1).open(&place, &[9; 60]).unwrap_err().to_string();
    assert!(error.contains("newer version (format 9)"), "{error}");
}

#[test]
fn the_same_text_never_looks_the_same() {
    let alice = user("alice");
    let place = Place::new("items", "sealed", &alice);
    let key = key("alice", 1);
    assert_ne!(key.seal(&place, b"text").unwrap(), key.seal(&place, b"text").unwrap());
}

#[test]
fn a_key_does_not_print() {
    assert_eq!(format!("{:?}", key("alice", 1)), "UserKey(..)");
}

struct NoRandom;

impl Random for NoRandom {
    fn fill(&self, _: &mut [u8]) -> Result<(), RandomError> {
        Err(RandomError("none left".into()))
    }
}

#[test]
fn without_randomness_nothing_is_sealed() {
    let alice = user("alice");
    let key = UserKey::new(&alice, [0; 16], &[1; 32], Arc::new(NoRandom));
    assert!(matches!(key.seal(&Place::new("items", "sealed", &alice), b"text"), Err(SealError::Random(_))));
}
