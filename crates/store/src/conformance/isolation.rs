//! Checks that users never meet, however alike their names are.

use myosotis_core::{Erased, ItemRow, Ledger, UserRow};

use super::{Everything, change, everything, id, item, items, put, scope, scope_row, see, tag, user};

/// Pairs that a sloppy comparison (case, pattern, prefix, trimmed or padded) would mix up.
const LOOK_ALIKES: &[(&str, &str)] = &[
    ("alice", "Alice"),
    ("a_b", "a-b"),
    ("acme", "acme-corp"),
    ("1", "01"),
    ("c_d", "cXd"),
    ("x", "x_"),
    ("0", "0e0"),
];

fn fill(ledger: &dyn Ledger, name: &str, mark: u8) {
    let user = user(name);
    let row =
        |n| ItemRow { tag: Some(tag(n)), sealed: vec![mark; 40], sealed_vector: Some(vec![mark; 50]), ..item(n, 1) };
    put(ledger, &user, vec![row(1), row(2), ItemRow { lineage: id(1), state: 1, tag: None, ..row(3) }]);
    change(ledger, move |tx| {
        tx.put_user(&user, u64::from(mark), Some(&[mark]))?;
        tx.put_scope(&user, &scope_row(1, u64::from(mark)))?;
        tx.put_tombstone(&user, tag(9), i64::from(mark))
    });
}

fn all_of(ledger: &dyn Ledger, name: &str) -> Everything {
    see(ledger, |view| everything(view, &user(name), &[scope(1)], &[tag(9)]))
}

pub(super) fn look_alikes(ledger: &dyn Ledger) {
    for (first, second) in LOOK_ALIKES {
        fill(ledger, first, 1);
        let before = all_of(ledger, first);
        let stranger = user(second);
        // Another's ids answer exactly like ids that do not exist.
        see(ledger, |view| {
            assert_eq!(view.user(&stranger)?, None, "{first} {second}");
            assert_eq!(view.item(&stranger, id(1))?, view.item(&stranger, id(99))?);
            assert_eq!(items(view, &stranger, scope(1), 0, true), []);
            assert_eq!(view.item_by_tag(&stranger, scope(1), tag(1))?, None);
            assert_eq!(view.lineage(&stranger, id(1))?, []);
            assert_eq!(view.tombstone(&stranger, tag(9))?, None);
            Ok(())
        });
        let name = stranger.clone();
        change(ledger, move |tx| {
            assert!(!tx.delete_item(&name, id(1))?);
            tx.bump_access(&name, id(1), 1)?;
            tx.delete_tombstone(&name, tag(9))
        });
        assert_eq!(all_of(ledger, first), before, "{second} changed {first}");

        // The same ids, tags and scopes, in another's name.
        fill(ledger, second, 2);
        assert_eq!(all_of(ledger, first), before, "{second} changed {first}");
        change(ledger, move |tx| tx.erase_user(&stranger).map(drop));
        assert_eq!(all_of(ledger, first), before, "erasing {second} changed {first}");
        let name = user(first);
        change(ledger, move |tx| tx.erase_user(&name).map(drop));
        assert_eq!(see(ledger, |view| view.user(&user(first))).map(|row| row.consent), Some(None));
    }
}

pub(super) fn erase(ledger: &dyn Ledger) {
    let alice = user("alice");
    fill(ledger, "alice", 5);
    fill(ledger, "bob", 6);
    let bob_before = all_of(ledger, "bob");
    let name = alice.clone();
    change(ledger, move |tx| {
        let erased = tx.erase_user(&name)?;
        let by_kind = vec![0, 1, 1, 1, 0, 0, 0];
        assert_eq!(erased, Erased { items_by_kind: by_kind, tombstones: 1, scopes: 1, consents: 1 });
        Ok(())
    });
    let left = UserRow { epoch: 6, ..UserRow::default() };
    see(ledger, |view| {
        assert_eq!(view.user(&alice)?, Some(left.clone()));
        assert_eq!(view.scopes(&alice)?, []);
        assert_eq!(items(view, &alice, scope(1), 0, true), []);
        assert_eq!(view.counts(&alice)?, []);
        assert_eq!(view.lineage(&alice, id(1))?, []);
        assert_eq!(view.tombstone(&alice, tag(9))?, None);
        assert_eq!(view.users()?, [alice.clone(), user("bob")]);
        Ok(())
    });
    assert_eq!(all_of(ledger, "bob"), bob_before);
    // Again, and of somebody who was never here: nothing to count, a higher epoch.
    for (name, epoch) in [(alice, 7), (user("carol"), 1)] {
        let erased_name = name.clone();
        change(ledger, move |tx| {
            assert_eq!(tx.erase_user(&erased_name)?, Erased { items_by_kind: vec![0; 7], ..Erased::default() });
            Ok(())
        });
        assert_eq!(see(ledger, |view| view.user(&name)).map(|row| row.epoch), Some(epoch));
    }
}
