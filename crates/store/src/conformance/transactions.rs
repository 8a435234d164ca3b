//! Checks on jobs: all or nothing, who sees what when, and many at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use myosotis_core::{ItemRow, Ledger, LedgerError, MemoryId};

use super::{change, id, item, items, put, scope, see, tag, user};

pub(super) fn read_your_writes(ledger: &dyn Ledger) {
    let alice = user("alice");
    for n in 1..50 {
        put(ledger, &alice, vec![item(n, 1)]);
        assert_eq!(see(ledger, |view| view.item_ids(&alice, scope(1))).len(), usize::from(n));
    }
}

pub(super) fn rollback(ledger: &dyn Ledger) {
    let alice = user("alice");
    put(ledger, &alice, vec![item(1, 1)]);
    let name = alice.clone();
    let outcome = ledger.write(Box::new(move |tx| {
        tx.put_user(&name, 9, Some(b"no"))?;
        tx.put_item(&name, &item(2, 1))?;
        tx.delete_item(&name, id(1))?;
        tx.put_item(&user("bob"), &item(1, 1))?;
        tx.erase_user(&user("carol"))?;
        Err(LedgerError::RolledBack)
    }));
    assert!(matches!(outcome, Err(LedgerError::RolledBack)));
    see(ledger, |view| {
        assert_eq!(view.users()?, std::slice::from_ref(&alice));
        assert_eq!(view.user(&alice)?.map(|row| (row.epoch, row.items, row.bytes)), Some((0, 1, 30)));
        assert_eq!(items(view, &alice, scope(1), 0, true), [item(1, 1)]);
        Ok(())
    });
}

pub(super) fn panic(ledger: &dyn Ledger) {
    let alice = user("alice");
    let name = alice.clone();
    let outcome = ledger.write(Box::new(move |tx| {
        tx.put_item(&name, &item(1, 1))?;
        // Without the hook's message: this panic is wanted.
        std::panic::resume_unwind(Box::new("wanted"))
    }));
    assert!(outcome.is_err());
    assert_eq!(see(ledger, |view| view.users()), []);
    put(ledger, &alice, vec![item(2, 1)]);
    assert_eq!(see(ledger, |view| view.item_ids(&alice, scope(1))), [id(2)]);
}

pub(super) fn own_view(ledger: &dyn Ledger) {
    let alice = user("alice");
    let name = alice.clone();
    let seen = Arc::new(AtomicU64::new(0));
    let seen_by_job = Arc::clone(&seen);
    change(ledger, move |tx| {
        tx.put_item(&name, &ItemRow { tag: Some(tag(1)), ..item(1, 1) })?;
        assert_eq!(tx.item_by_tag(&name, scope(1), tag(1))?, Some(id(1)));
        assert_eq!(tx.item_ids(&name, scope(1))?, [id(1)]);
        seen_by_job.store(tx.user(&name)?.map_or(0, |row| row.items), Ordering::SeqCst);
        Ok(())
    });
    assert_eq!(seen.load(Ordering::SeqCst), 1);
}

pub(super) fn stable_view(ledger: &dyn Ledger) {
    let alice = user("alice");
    put(ledger, &alice, vec![item(1, 1)]);
    see(ledger, |view| {
        let before = items(view, &alice, scope(1), 0, true);
        put(ledger, &alice, vec![item(2, 1), ItemRow { sealed: vec![0; 99], ..item(1, 1) }]);
        assert_eq!(items(view, &alice, scope(1), 0, true), before, "the view moved");
        assert_eq!(view.user(&alice)?.map(|row| row.items), Some(1));
        Ok(())
    });
    assert_eq!(see(ledger, |view| view.item_ids(&alice, scope(1))), [id(1), id(2)]);
}

pub(super) fn later(ledger: &dyn Ledger) {
    let alice = user("alice");
    put(ledger, &alice, vec![item(1, 1)]);
    for at in 0..1000 {
        let name = alice.clone();
        ledger.write_later(Box::new(move |tx| tx.bump_access(&name, id(1), at)));
    }
    ledger.write_later(Box::new(|_| Err(LedgerError::RolledBack)));
    ledger.write_later(Box::new(|_| std::panic::resume_unwind(Box::new("wanted"))));
    ledger.flush().unwrap();
    let row = see(ledger, |view| view.item(&alice, id(1))).unwrap();
    assert_eq!((row.access_count, row.accessed), (1000, Some(999)));
    ledger.flush().unwrap();
}

fn numbered(thread: u8, n: u8) -> MemoryId {
    MemoryId::from_parts(i64::from(n), [thread; 10])
}

pub(super) fn concurrent(ledger: &dyn Ledger) {
    let alice = user("alice");
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let alice = &alice;
            threads.spawn(move || {
                for n in 0..25 {
                    let name = alice.clone();
                    let row = ItemRow { id: numbered(thread, n), lineage: numbered(thread, n), ..item(1, 1) };
                    let outcome = ledger.write(Box::new(move |tx| {
                        let version = tx.scope(&name, scope(1))?.map_or(0, |row| row.version);
                        tx.put_item(&name, &row)?;
                        tx.put_scope(&name, &super::scope_row(1, version + 1))?;
                        if n % 5 == 4 { Err(LedgerError::RolledBack) } else { Ok(()) }
                    }));
                    assert_eq!(outcome.is_err(), n % 5 == 4);
                    let here = see(ledger, |view| view.item(alice, numbered(thread, n))).is_some();
                    assert_eq!(here, n % 5 != 4, "a writer sees what it wrote and not what was undone");
                }
            });
        }
    });
    see(ledger, |view| {
        assert_eq!(view.item_ids(&alice, scope(1))?.len(), 160);
        assert_eq!(view.user(&alice)?.map(|row| row.items), Some(160));
        assert_eq!(view.scope(&alice, scope(1))?.map(|row| row.version), Some(160), "one after the other");
        Ok(())
    });
}

pub(super) fn company(ledger: &dyn Ledger) {
    let alice = user("alice");
    std::thread::scope(|threads| {
        for n in 0..24 {
            let alice = &alice;
            threads.spawn(move || {
                let name = alice.clone();
                let outcome = ledger.write(Box::new(move |tx| {
                    tx.put_item(&name, &item(n, 1))?;
                    match n % 3 {
                        0 => Ok(()),
                        1 => Err(LedgerError::Other(format!("{n}"))),
                        _ => std::panic::resume_unwind(Box::new("wanted")),
                    }
                }));
                match n % 3 {
                    0 => assert!(outcome.is_ok()),
                    1 => assert!(matches!(outcome, Err(LedgerError::Other(reason)) if reason == format!("{n}"))),
                    _ => assert!(outcome.is_err()),
                }
            });
        }
    });
    let expected: Vec<_> = (0..24).filter(|n| n % 3 == 0).map(id).collect();
    assert_eq!(see(ledger, |view| view.item_ids(&alice, scope(1))), expected);
}

pub(super) fn upkeep(ledger: &dyn Ledger) {
    let alice = user("alice");
    put(ledger, &alice, (0..200).map(|n| item(n, 1)).collect());
    let name = alice.clone();
    change(ledger, move |tx| tx.erase_user(&name).map(drop));
    ledger.scrub().unwrap();
    let lines = ledger.health().unwrap();
    assert!(!lines.is_empty() && lines.iter().all(|(_, _, fine)| *fine), "{lines:?}");
    put(ledger, &alice, vec![item(1, 1)]);
    assert_eq!(see(ledger, |view| view.item_ids(&alice, scope(1))), [id(1)]);
}
