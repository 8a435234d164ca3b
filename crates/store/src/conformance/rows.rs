//! Checks on single rows: what was put is what comes back.

use myosotis_core::{ItemRow, Ledger, LedgerError, UserRow};

use super::{change, id, item, items, put, scope, scope_row, see, tag, user};

pub(super) fn empty(ledger: &dyn Ledger) {
    let alice = user("alice");
    see(ledger, |view| {
        assert_eq!(view.user(&alice)?, None);
        assert_eq!(view.users()?, []);
        assert_eq!(view.scopes(&alice)?, []);
        assert_eq!(view.scope(&alice, scope(1))?, None);
        assert_eq!(items(view, &alice, scope(1), 0, true), []);
        assert_eq!(view.item_ids(&alice, scope(1))?, []);
        assert_eq!(view.item(&alice, id(1))?, None);
        assert_eq!(view.item_by_tag(&alice, scope(1), tag(1))?, None);
        assert_eq!(view.lineage(&alice, id(1))?, []);
        assert_eq!(view.tombstone(&alice, tag(1))?, None);
        assert_eq!(view.counts(&alice)?, []);
        Ok(())
    });
    change(ledger, move |tx| {
        assert!(!tx.delete_item(&alice, id(1))?);
        tx.bump_access(&alice, id(1), 5)?;
        tx.delete_tombstone(&alice, tag(1))?;
        assert_eq!(tx.user(&alice)?, None, "none of these makes a user");
        Ok(())
    });
}

pub(super) fn users(ledger: &dyn Ledger) {
    let (alice, bob) = (user("alice"), user("bob"));
    put(ledger, &bob, vec![item(1, 1)]);
    let (a, b) = (alice.clone(), bob.clone());
    change(ledger, move |tx| {
        tx.put_user(&a, 3, Some(b"yes"))?;
        tx.put_user(&b, 7, None)
    });
    see(ledger, |view| {
        assert_eq!(view.users()?, [alice.clone(), bob.clone()]);
        let row = UserRow { epoch: 3, consent: Some(b"yes".to_vec()), items: 0, bytes: 0 };
        assert_eq!(view.user(&alice)?, Some(row));
        assert_eq!(view.user(&bob)?, Some(UserRow { epoch: 7, consent: None, items: 1, bytes: 30 }));
        Ok(())
    });
    let a = alice.clone();
    change(ledger, move |tx| tx.put_user(&a, 4, None));
    assert_eq!(see(ledger, |view| view.user(&alice)), Some(UserRow { epoch: 4, ..UserRow::default() }));
}

pub(super) fn scopes(ledger: &dyn Ledger) {
    let alice = user("alice");
    let name = alice.clone();
    change(ledger, move |tx| {
        tx.put_scope(&name, &scope_row(9, 1))?;
        tx.put_scope(&name, &scope_row(2, 1))?;
        tx.put_scope(&name, &scope_row(9, 5))?;
        // Items alone do not describe a scope.
        tx.put_item(&name, &item(1, 4))
    });
    see(ledger, |view| {
        assert_eq!(view.scopes(&alice)?, [scope_row(2, 1), scope_row(9, 5)]);
        assert_eq!(view.scope(&alice, scope(9))?, Some(scope_row(9, 5)));
        assert_eq!(view.scope(&alice, scope(4))?, None);
        Ok(())
    });
}

/// An item with every field set to something of its own.
fn full() -> ItemRow {
    ItemRow {
        kind: 5,
        state: 2,
        lineage: id(1),
        stored: -1,
        created: Some(0),
        accessed: Some(i64::MAX),
        access_count: u32::MAX,
        pinned: true,
        importance: 0.7,
        support: 12,
        rev: 1 << 40,
        tag: Some(tag(3)),
        model: Some("model \u{1F33C} 1".into()),
        sealed: Vec::new(),
        sealed_vector: Some((0..=255).cycle().take(20_000).collect()),
        ..item(8, 1)
    }
}

pub(super) fn items_round_trip(ledger: &dyn Ledger) {
    let alice = user("alice");
    put(ledger, &alice, vec![full(), item(3, 1), item(200, 1), item(2, 2)]);
    see(ledger, |view| {
        assert_eq!(view.item(&alice, id(8))?, Some(full()));
        assert_eq!(view.item(&alice, id(3))?, Some(item(3, 1)));
        assert_eq!(view.item_ids(&alice, scope(1))?, [id(3), id(8), id(200)]);
        assert_eq!(items(view, &alice, scope(1), 0, true), [item(3, 1), full(), item(200, 1)]);
        let bare = ItemRow { sealed_vector: None, ..full() };
        assert_eq!(items(view, &alice, scope(1), 0, false), [item(3, 1), bare, item(200, 1)]);
        Ok(())
    });
    // Replaced as a whole: fields that are gone are gone.
    put(ledger, &alice, vec![item(8, 1)]);
    assert_eq!(see(ledger, |view| view.item(&alice, id(8))), Some(item(8, 1)));
}

pub(super) fn items_since(ledger: &dyn Ledger) {
    let alice = user("alice");
    let at = |n, rev| ItemRow { rev, ..item(n, 1) };
    put(ledger, &alice, vec![at(1, 5), at(2, 3), at(3, 4), ItemRow { rev: 9, ..item(4, 2) }]);
    see(ledger, |view| {
        assert_eq!(items(view, &alice, scope(1), 3, true), [at(1, 5), at(3, 4)]);
        assert_eq!(items(view, &alice, scope(1), 5, true), []);
        assert_eq!(items(view, &alice, scope(1), u64::MAX, true), []);
        Ok(())
    });
    put(ledger, &alice, vec![at(2, 6)]);
    see(ledger, |view| {
        assert_eq!(items(view, &alice, scope(1), 5, true), [at(2, 6)]);
        Ok(())
    });
}

pub(super) fn walk_ends(ledger: &dyn Ledger) {
    let alice = user("alice");
    put(ledger, &alice, vec![item(1, 1), item(2, 1), item(3, 1)]);
    see(ledger, |view| {
        let mut seen = Vec::new();
        let outcome = view.items(&alice, scope(1), 0, true, &mut |row| {
            seen.push(row.id);
            if seen.len() == 2 { Err(LedgerError::Other("enough".into())) } else { Ok(()) }
        });
        assert!(matches!(outcome, Err(LedgerError::Other(reason)) if reason == "enough"));
        assert_eq!(seen, [id(1), id(2)]);
        Ok(())
    });
}

pub(super) fn counters(ledger: &dyn Ledger) {
    let alice = user("alice");
    let counted = || see(ledger, |view| view.user(&alice)).map(|row| (row.items, row.bytes));
    let with_vector = |n| ItemRow { sealed_vector: Some(vec![1; 100]), ..item(n, 1) };
    put(ledger, &alice, vec![with_vector(1), item(2, 1)]);
    assert_eq!(counted(), Some((2, 160)));
    put(ledger, &alice, vec![item(1, 1)]);
    assert_eq!(counted(), Some((2, 60)), "its vector is gone");
    put(ledger, &alice, vec![ItemRow { sealed: vec![0; 7], ..item(1, 2) }]);
    assert_eq!(counted(), Some((2, 37)), "moved to another scope and shortened");
    assert_eq!(see(ledger, |view| view.item_ids(&alice, scope(1))), [id(2)]);
    let name = alice.clone();
    change(ledger, move |tx| {
        assert!(tx.delete_item(&name, id(1))?);
        assert!(!tx.delete_item(&name, id(1))?);
        assert_eq!(tx.user(&name)?.map(|row| row.items), Some(1));
        Ok(())
    });
    assert_eq!(counted(), Some((1, 30)));
    assert_eq!(see(ledger, |view| view.item(&alice, id(1))), None);
}

pub(super) fn counts(ledger: &dyn Ledger) {
    let alice = user("alice");
    let of = |n, kind, state| ItemRow { kind, state, ..item(n, n % 2) };
    put(ledger, &alice, vec![of(1, 6, 0), of(2, 0, 1), of(3, 6, 0), of(4, 0, 0)]);
    assert_eq!(see(ledger, |view| view.counts(&alice)), [(0, 0, 1), (0, 1, 1), (6, 0, 2)]);
}

pub(super) fn tags(ledger: &dyn Ledger) {
    let alice = user("alice");
    let tagged = |n, place, mark| ItemRow { tag: Some(tag(mark)), ..item(n, place) };
    put(ledger, &alice, vec![tagged(1, 1, 7), tagged(2, 2, 7), tagged(3, 1, 8), item(4, 1), item(5, 1)]);
    see(ledger, |view| {
        assert_eq!(view.item_by_tag(&alice, scope(1), tag(7))?, Some(id(1)));
        assert_eq!(view.item_by_tag(&alice, scope(2), tag(7))?, Some(id(2)));
        assert_eq!(view.item_by_tag(&alice, scope(2), tag(8))?, None);
        Ok(())
    });
    let name = alice.clone();
    let taken = tagged(4, 1, 7);
    assert!(ledger.write(Box::new(move |tx| tx.put_item(&name, &taken))).is_err(), "the tag is taken");
    assert_eq!(see(ledger, |view| view.item(&alice, id(4))), Some(item(4, 1)));
    // Freed by its holder, it may be used again, within the same job.
    let name = alice.clone();
    change(ledger, move |tx| {
        tx.put_item(&name, &ItemRow { state: 1, ..item(1, 1) })?;
        tx.put_item(&name, &tagged(4, 1, 7))?;
        tx.put_item(&name, &tagged(4, 1, 7))
    });
    assert_eq!(see(ledger, |view| view.item_by_tag(&alice, scope(1), tag(7))), Some(id(4)));
}

pub(super) fn tombstones(ledger: &dyn Ledger) {
    let alice = user("alice");
    let name = alice.clone();
    change(ledger, move |tx| {
        tx.put_tombstone(&name, tag(1), 10)?;
        tx.put_tombstone(&name, tag(1), 20)?;
        tx.put_tombstone(&name, tag(2), 30)?;
        tx.delete_tombstone(&name, tag(2))
    });
    see(ledger, |view| {
        assert_eq!(view.tombstone(&alice, tag(1))?, Some(20));
        assert_eq!(view.tombstone(&alice, tag(2))?, None);
        Ok(())
    });
}

pub(super) fn accesses(ledger: &dyn Ledger) {
    let alice = user("alice");
    let row = ItemRow { tag: Some(tag(1)), sealed_vector: Some(vec![9; 1577]), ..item(1, 1) };
    put(ledger, &alice, vec![row.clone(), ItemRow { access_count: u32::MAX, ..item(2, 1) }]);
    let name = alice.clone();
    change(ledger, move |tx| {
        tx.bump_access(&name, id(1), 100)?;
        tx.bump_access(&name, id(1), 40)?;
        tx.bump_access(&name, id(2), 0)?;
        tx.bump_access(&name, id(77), 1)
    });
    see(ledger, |view| {
        assert_eq!(view.item(&alice, id(1))?, Some(ItemRow { accessed: Some(100), access_count: 2, ..row }));
        assert_eq!(view.item(&alice, id(2))?.map(|row| (row.accessed, row.access_count)), Some((Some(0), u32::MAX)));
        Ok(())
    });
}

pub(super) fn lineage(ledger: &dyn Ledger) {
    let alice = user("alice");
    let of = |n, place, first| ItemRow { lineage: id(first), ..item(n, place) };
    let with_vector = ItemRow { sealed_vector: Some(vec![1]), ..of(9, 1, 2) };
    put(ledger, &alice, vec![with_vector, of(2, 1, 2), of(5, 2, 2), item(3, 1)]);
    assert_eq!(see(ledger, |view| view.lineage(&alice, id(2))), [of(2, 1, 2), of(5, 2, 2), of(9, 1, 2)]);
    assert_eq!(see(ledger, |view| view.lineage(&alice, id(3))), [item(3, 1)]);
    assert_eq!(see(ledger, |view| view.lineage(&alice, id(9))), [], "the id of the first names a lineage");
    // The first may be gone.
    let name = alice.clone();
    change(ledger, move |tx| tx.delete_item(&name, id(2)).map(drop));
    assert_eq!(see(ledger, |view| view.lineage(&alice, id(2))), [of(5, 2, 2), of(9, 1, 2)]);
}
