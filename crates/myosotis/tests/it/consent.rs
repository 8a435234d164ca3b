//! OPT: memory is off until someone says yes, and every no is heard.

use myosotis::{ConsentState, Engine, OffReason, RecallRequest, Refusal, Remember, Remembered, Status, UserId};

use crate::kit::{builder, store, texts, user};

fn refused(outcome: &Remembered) -> OffReason {
    match outcome {
        Remembered::Refused { reason: Refusal::Off { why } } => *why,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn nobody_is_remembered_who_never_said_yes() {
    // OPT-1, OPT-5
    let engine = builder().in_memory().unwrap();
    let bob = engine.user(UserId::new("bob").unwrap());
    assert_eq!(bob.status().unwrap(), Status::Off(OffReason::NoConsent));
    assert_eq!(refused(&bob.remember(Remember::new("Likes tea")).unwrap()), OffReason::NoConsent);
    let recall = bob.recall(&RecallRequest::new("tea")).unwrap();
    assert_eq!((recall.off, recall.items.len()), (Some(OffReason::NoConsent), 0));
    assert!(bob.list(&Default::default()).unwrap().is_empty());
}

#[test]
fn a_veto_of_the_deployment_beats_every_yes() {
    // OPT-1
    let engine = builder().environment(Some(false)).in_memory().unwrap();
    let alice = user(&engine, "alice").with_enabled(Some(true));
    assert_eq!(refused(&alice.remember(Remember::new("Likes tea")).unwrap()), OffReason::Vetoed);
}

#[test]
fn one_message_can_be_kept_out() {
    // OPT-2
    let engine = builder().in_memory().unwrap();
    let alice = user(&engine, "alice");
    store(&alice, "Likes tea");
    let this_turn = alice.clone().with_enabled(Some(false));
    assert_eq!(refused(&this_turn.remember(Remember::new("Hates rain")).unwrap()), OffReason::Disabled);
    let recall = this_turn.recall(&RecallRequest::new("tea")).unwrap();
    assert_eq!((recall.off, recall.items.len()), (Some(OffReason::Disabled), 0));
    assert_eq!(texts(&alice, "tea"), ["Likes tea"]);
}

#[test]
fn paused_recalls_and_learns_nothing() {
    // OPT-3
    let engine = builder().in_memory().unwrap();
    let alice = user(&engine, "alice");
    store(&alice, "Likes tea");
    alice.set_consent(ConsentState::Paused, "test", Some("v2")).unwrap();
    assert_eq!(alice.consent().unwrap().unwrap().policy.as_deref(), Some("v2"));
    assert_eq!(texts(&alice, "tea"), ["Likes tea"]);
    assert_eq!(refused(&alice.remember(Remember::new("Hates rain")).unwrap()), OffReason::Paused);
}

#[test]
fn with_memory_off_a_user_still_sees_and_deletes_everything() {
    // OPT-4
    let engine = builder().without_embedder().in_memory().unwrap();
    let alice = user(&engine, "alice");
    let tea = store(&alice, "Likes tea");
    store(&alice, "Plays the violin");
    alice.set_consent(ConsentState::Off, "test", None).unwrap();
    assert_eq!(alice.status().unwrap(), Status::Off(OffReason::Withdrawn));
    assert_eq!(alice.list(&Default::default()).unwrap().len(), 2);
    let mut export = Vec::new();
    assert_eq!(alice.export(&mut export).unwrap(), 2);
    assert_eq!(alice.forget_candidates("tea", &Default::default(), 5).unwrap()[0].id, tea);
    alice.forget(tea).unwrap();
    assert_eq!(alice.forget_me().unwrap().memories.values().sum::<u64>(), 1);
    assert!(alice.list(&Default::default()).unwrap().is_empty());
}

#[test]
fn a_write_that_began_before_a_withdrawal_does_not_land() {
    // OPT-3: the epoch is checked inside the transaction.
    let gate = std::sync::Arc::new((std::sync::Mutex::new(false), std::sync::Condvar::new()));
    let (started_in, started) = std::sync::mpsc::channel();
    let inside = gate.clone();
    let embedder = crate::kit::Scripted::new("gated", 4, move |_: &str| {
        started_in.send(()).unwrap();
        let mut open = inside.0.lock().unwrap();
        while !*open {
            open = inside.1.wait(open).unwrap();
        }
        Ok(vec![1.0, 0.0, 0.0, 0.0])
    });
    let engine: Engine = builder().embedder(embedder).in_memory().unwrap();
    let alice = user(&engine, "alice");
    let writer = alice.clone();
    let writing = std::thread::spawn(move || writer.remember(Remember::new("Likes tea")));
    started.recv().unwrap();
    alice.set_consent(ConsentState::Off, "test", None).unwrap();
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    assert!(writing.join().unwrap().is_err());
    assert!(alice.list(&Default::default()).unwrap().is_empty());
}

#[test]
fn nothing_new_is_written_by_an_edit_while_memory_is_off_or_paused() {
    // OPT-3, OPT-4
    let engine = builder().in_memory().unwrap();
    let alice = user(&engine, "alice");
    let id = store(&alice, "Likes tea");
    for state in [ConsentState::Paused, ConsentState::Off] {
        alice.set_consent(state, "test", None).unwrap();
        let edit = myosotis::Edit { text: Some("Likes coffee".into()), ..Default::default() };
        assert!(matches!(alice.edit(id, &edit), Err(myosotis::Error::Off(_))));
    }
    assert_eq!(alice.get(id).unwrap().text, "Likes tea");
}
