use std::sync::mpsc::{channel, sync_channel};

use myosotis_core::{ItemRow, LedgerRead, MemoryId, ScopeKey, UserId};

use super::*;
use crate::sqlite::open;

fn writer(dir: &std::path::Path) -> Writer {
    let whereabouts = Arc::new(Whereabouts { path: dir.join("myosotis.db"), patience: Duration::from_secs(5) });
    let conn = open::prepare(&whereabouts).unwrap();
    Writer::new(conn, whereabouts, channel().1).unwrap()
}

fn put(n: u8, bytes: usize) -> WriteJob {
    Box::new(move |tx| {
        let id = MemoryId::from_parts(0, [n; 10]);
        let row = ItemRow {
            id,
            scope: ScopeKey([1; 16]),
            kind: 0,
            state: 0,
            lineage: id,
            stored: 0,
            created: None,
            accessed: None,
            access_count: 0,
            pinned: false,
            importance: 0.5,
            support: 1,
            rev: 1,
            tag: None,
            model: None,
            sealed: vec![n; bytes],
            sealed_vector: None,
        };
        tx.put_item(&UserId::new("alice").unwrap(), &row)
    })
}

/// Puts a job into the next batch.
fn hand_in(writer: &mut Writer, job: WriteJob) -> Receiver<Result<(), LedgerError>> {
    let (answer, outcome) = sync_channel(1);
    writer.sort(Request::Write(job, answer));
    outcome
}

#[test]
fn a_full_disk_undoes_the_batch_and_tells_everybody() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = writer(dir.path());
    let pages: i64 = writer.conn.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    writer.conn.pragma_update(None, "max_page_count", pages + 6).unwrap();
    let answers = [put(1, 10), put(2, 500_000), put(3, 10)].map(|job| hand_in(&mut writer, job));
    while !writer.writes.is_empty() {
        writer.commit_some(false);
    }
    let outcomes = answers.map(|answer| answer.recv().unwrap());
    assert!(matches!(outcomes[1], Err(LedgerError::Full { .. })), "{outcomes:?}");
    let view = View::new(&writer.conn, &writer.whereabouts);
    let there = view.item_ids(&UserId::new("alice").unwrap(), ScopeKey([1; 16])).unwrap();
    let expected: Vec<_> = [1, 2, 3]
        .into_iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| outcome.is_ok())
        .map(|(n, _)| MemoryId::from_parts(0, [n; 10]))
        .collect();
    assert_eq!(there, expected, "what was acknowledged is there, and nothing else: {outcomes:?}");

    // With room again, it works on.
    writer.conn.pragma_update(None, "max_page_count", 1_000_000).unwrap();
    let answer = hand_in(&mut writer, put(4, 500_000));
    writer.commit_some(false);
    assert!(answer.recv().unwrap().is_ok());
}

#[test]
fn a_transaction_that_ends_by_itself_takes_no_acknowledgement_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = writer(dir.path());
    // A trigger that ends the whole transaction, as SQLite does by itself on some errors.
    writer
        .conn
        .execute_batch(
            "CREATE TEMP TRIGGER stop BEFORE INSERT ON items WHEN length(NEW.sealed) = 77
             BEGIN SELECT RAISE(ROLLBACK, 'stop'); END",
        )
        .unwrap();
    let answers = [put(1, 10), put(2, 77), put(3, 10)].map(|job| hand_in(&mut writer, job));
    while !writer.writes.is_empty() {
        writer.commit_some(false);
    }
    let outcomes = answers.map(|answer| answer.recv().unwrap());
    assert!(outcomes[0].is_err() && outcomes[1].is_err() && outcomes[2].is_ok(), "{outcomes:?}");
    let view = View::new(&writer.conn, &writer.whereabouts);
    let there = view.item_ids(&UserId::new("alice").unwrap(), ScopeKey([1; 16])).unwrap();
    assert_eq!(there, [MemoryId::from_parts(0, [3; 10])]);
}

#[test]
fn only_what_somebody_waits_for_forces_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = writer(dir.path());
    let level = |writer: &Writer| writer.conn.query_row("PRAGMA synchronous", [], |row| row.get::<_, i64>(0)).unwrap();
    for n in 0..3 {
        writer.sort(Request::Later(put(n, 10)));
        writer.commit_some(false);
        assert_eq!((level(&writer), writer.unsynced), (1, true), "at leisure");
        let answer = hand_in(&mut writer, put(n + 10, 10));
        writer.sort(Request::Later(put(n + 20, 10)));
        writer.commit_some(false);
        assert!(answer.recv().unwrap().is_ok());
        assert_eq!((level(&writer), writer.unsynced), (2, false), "durable, and the riders with it");
        assert!(writer.riders.is_empty());
    }
    writer.sort(Request::Later(put(99, 10)));
    writer.commit_some(false);
    let (answer, outcome) = sync_channel(1);
    writer.sort(Request::Flush(answer));
    writer.settle();
    assert!(outcome.recv().unwrap().is_ok());
    assert_eq!((level(&writer), writer.unsynced), (2, false), "a flush brings them down");
}
