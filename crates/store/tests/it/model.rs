//! Random operations on the SQLite ledger and the in-memory one give the same answers (MEM-14, ERA-2).

use myosotis_core::{ItemRow, Ledger, LedgerError, LedgerWrite, MemoryId, ScopeKey, ScopeRow, Tag, UserId};
use myosotis_store::MemoryLedger;
use myosotis_store::conformance::everything;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Op {
    PutUser { user: UserId, epoch: u64, consent: Option<Vec<u8>> },
    PutScope { user: UserId, row: ScopeRow },
    PutItem { user: UserId, row: Box<ItemRow> },
    Bump { user: UserId, id: MemoryId, at: i64 },
    Delete { user: UserId, id: MemoryId },
    PutTombstone { user: UserId, tag: Tag, at: i64 },
    DeleteTombstone { user: UserId, tag: Tag },
    Erase { user: UserId },
}

impl Op {
    /// What the ledger answers, as text.
    fn apply(&self, tx: &mut dyn LedgerWrite) -> String {
        fn told<T: std::fmt::Debug>(outcome: Result<T, LedgerError>) -> String {
            outcome.map_or_else(|error| error.to_string(), |value| format!("{value:?}"))
        }
        match self {
            Op::PutUser { user, epoch, consent } => told(tx.put_user(user, *epoch, consent.as_deref())),
            Op::PutScope { user, row } => told(tx.put_scope(user, row)),
            Op::PutItem { user, row } => told(tx.put_item(user, row)),
            Op::Bump { user, id, at } => told(tx.bump_access(user, *id, *at)),
            Op::Delete { user, id } => told(tx.delete_item(user, *id)),
            Op::PutTombstone { user, tag, at } => told(tx.put_tombstone(user, *tag, *at)),
            Op::DeleteTombstone { user, tag } => told(tx.delete_tombstone(user, *tag)),
            Op::Erase { user } => told(tx.erase_user(user)),
        }
    }
}

fn users() -> [UserId; 2] {
    ["alice", "Alice"].map(crate::user)
}

fn scopes() -> [ScopeKey; 2] {
    [ScopeKey([1; 16]), ScopeKey([2; 16])]
}

fn tags() -> [Tag; 3] {
    [1, 2, 3].map(|n| Tag([n; 16]))
}

fn a_user() -> impl Strategy<Value = UserId> {
    (0..2_usize).prop_map(|n| users()[n].clone())
}

fn an_id() -> impl Strategy<Value = MemoryId> {
    (0..5_u64).prop_map(crate::id)
}

fn a_tag() -> impl Strategy<Value = Tag> {
    (0..3_usize).prop_map(|n| tags()[n])
}

fn a_time() -> impl Strategy<Value = i64> {
    prop_oneof![-3..3_i64, Just(i64::MIN), Just(i64::MAX)]
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![vec(any::<u8>(), 0..40), Just(vec![7; 9_000])]
}

fn an_item() -> impl Strategy<Value = ItemRow> {
    let names = (an_id(), an_id(), 0..2_usize, option::of(a_tag()), option::of("[a-z]{0,5}"));
    let times = (a_time(), option::of(a_time()), option::of(a_time()), any::<u32>());
    let numbers = (0..9_u8, 0..3_u8, any::<bool>(), 0.0..1.0_f32, any::<u32>(), 0..6_u64);
    (names, times, numbers, bytes(), option::of(bytes())).prop_map(|(names, times, numbers, sealed, sealed_vector)| {
        ItemRow {
            id: names.0,
            lineage: names.1,
            scope: scopes()[names.2],
            tag: names.3,
            model: names.4,
            stored: times.0,
            created: times.1,
            accessed: times.2,
            access_count: times.3,
            kind: numbers.0,
            state: numbers.1,
            pinned: numbers.2,
            importance: numbers.3,
            support: numbers.4,
            rev: numbers.5,
            sealed,
            sealed_vector,
        }
    })
}

fn an_op() -> impl Strategy<Value = Op> {
    let scope = (0..2_usize, 0..9_u64, 0..9_u64, bytes()).prop_map(|(n, version, removed_at, sealed)| ScopeRow {
        key: scopes()[n],
        version,
        removed_at,
        sealed,
    });
    prop_oneof![
        1 => (a_user(), 0..9_u64, option::of(bytes()))
            .prop_map(|(user, epoch, consent)| Op::PutUser { user, epoch, consent }),
        2 => (a_user(), scope).prop_map(|(user, row)| Op::PutScope { user, row }),
        8 => (a_user(), an_item()).prop_map(|(user, row)| Op::PutItem { user, row: Box::new(row) }),
        3 => (a_user(), an_id(), a_time()).prop_map(|(user, id, at)| Op::Bump { user, id, at }),
        3 => (a_user(), an_id()).prop_map(|(user, id)| Op::Delete { user, id }),
        2 => (a_user(), a_tag(), a_time()).prop_map(|(user, tag, at)| Op::PutTombstone { user, tag, at }),
        1 => (a_user(), a_tag()).prop_map(|(user, tag)| Op::DeleteTombstone { user, tag }),
        1 => a_user().prop_map(|user| Op::Erase { user }),
    ]
}

/// Runs one job and tells what every operation and the job as a whole answered.
fn run(ledger: &dyn Ledger, ops: &[Op], fails: bool) -> Vec<String> {
    let answers = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let (inner, ops) = (std::sync::Arc::clone(&answers), ops.to_vec());
    let outcome = ledger.write(Box::new(move |tx| {
        for op in &ops {
            let answer = op.apply(tx);
            inner.lock().unwrap().push(answer);
        }
        if fails { Err(LedgerError::RolledBack) } else { Ok(()) }
    }));
    let mut answers = answers.lock().unwrap().clone();
    answers.push(format!("{outcome:?}"));
    answers
}

/// All that can be read, as text.
fn all(ledger: &dyn Ledger) -> String {
    let mut out = String::new();
    ledger
        .read(&mut |view| {
            out = format!("{:?}\n", view.users()?);
            for user in users() {
                out += &format!("{:?}\n", everything(view, &user, &scopes(), &tags())?);
                for n in 0..5 {
                    out += &format!("{:?}\n", view.lineage(&user, crate::id(n))?);
                }
                for scope in scopes() {
                    for since in [0, 2, 4] {
                        view.items(&user, scope, since, since == 2, &mut |row| {
                            out += &format!("{row:?}\n");
                            Ok(())
                        })?;
                    }
                    for tag in tags() {
                        out += &format!("{:?}\n", view.item_by_tag(&user, scope, tag)?);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn both_ledgers_answer_the_same(jobs in vec((vec(an_op(), 1..6), prop::bool::weighted(0.2)), 1..20)) {
        let dir = tempfile::tempdir().unwrap();
        let (sqlite, memory) = (crate::open(dir.path()).unwrap(), MemoryLedger::new());
        for (ops, fails) in &jobs {
            prop_assert_eq!(run(&sqlite, ops, *fails), run(&memory, ops, *fails));
            prop_assert_eq!(all(&sqlite), all(&memory));
        }
        drop(sqlite);
        prop_assert_eq!(all(&crate::open(dir.path()).unwrap()), all(&memory), "after opening again");
    }
}
