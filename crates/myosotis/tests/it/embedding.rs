//! REC-7, REC-12, VEC-5: an embedder that is late, broken, lying or another one than before.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use myosotis::{EmbedError, Limits, ListRequest, RecallRequest, Remember};

use crate::kit::{Scripted, builder, recall, store, texts, user};

fn unit(at: usize, dimensions: usize) -> Vec<f32> {
    let mut vector = vec![0.0; dimensions];
    vector[at % dimensions] = 1.0;
    vector
}

#[test]
fn a_broken_embedder_costs_the_meaning_and_nothing_else() {
    // REC-7
    let broken =
        Scripted::new("broken", 4, |_: &str| Err(EmbedError { model: "broken".into(), reason: "out of order".into() }));
    let engine = builder().embedder(broken).in_memory().unwrap();
    let alice = user(&engine, "alice");
    store(&alice, "Likes green tea");
    let recall = alice.recall(&RecallRequest::new("tea")).unwrap();
    assert_eq!(recall.items[0].text, "Likes green tea");
    assert!(recall.degraded.unwrap().contains("out of order"));
}

#[test]
fn a_late_embedder_is_not_waited_for() {
    // REC-7
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let inside = gate.clone();
    let slow = Scripted::new("slow", 4, move |text: &str| {
        if text == "tea" {
            let mut open = inside.0.lock().unwrap();
            while !*open {
                open = inside.1.wait(open).unwrap();
            }
        }
        Ok(unit(0, 4))
    });
    let limits = Limits { recall_deadline: Duration::from_millis(5), ..Limits::default() };
    let engine = builder().embedder(slow).limits(limits).in_memory().unwrap();
    let alice = user(&engine, "alice");
    store(&alice, "Likes green tea");
    let recall = alice.recall(&RecallRequest::new("tea")).unwrap();
    assert_eq!(recall.items[0].text, "Likes green tea");
    assert!(recall.degraded.unwrap().contains("longer than 5 ms"));
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
}

#[test]
fn vectors_that_are_no_vectors_are_never_stored() {
    // VEC-5
    for bad in [vec![1.0; 3], vec![0.0; 4], vec![f32::NAN, 0.0, 0.0, 0.0], vec![f32::INFINITY, 0.0, 0.0, 0.0], vec![]] {
        let lying = Scripted::new("lying", 4, move |_: &str| Ok(bad.clone()));
        let engine = builder().embedder(lying).in_memory().unwrap();
        let alice = user(&engine, "alice");
        let id = store(&alice, "Likes green tea");
        assert_eq!(alice.get(id).unwrap().model, None);
        assert_eq!(texts(&alice, "tea"), ["Likes green tea"]);
    }
}

#[test]
fn another_embedder_never_mixes_its_space_with_the_old_one() {
    // REC-12, case 31
    let dir = tempfile::tempdir().unwrap();
    {
        let engine = builder()
            .embedder(Scripted::new("old-768", 768, |text: &str| Ok(unit(text.len(), 768))))
            .open(dir.path())
            .unwrap();
        let alice = user(&engine, "alice");
        store(&alice, "Likes green tea");
        store(&alice, "Plays the violin");
    }
    let engine = builder()
        .embedder(Scripted::new("new-384", 384, |text: &str| Ok(unit(text.len(), 384))))
        .open(dir.path())
        .unwrap();
    let alice = user(&engine, "alice");
    let answer = alice.recall(&RecallRequest::new("tea")).unwrap();
    assert_eq!(answer.items[0].text, "Likes green tea");
    assert!(answer.degraded.unwrap().contains("reindex"));
    assert_eq!(alice.stats().unwrap().without_vectors, 2);
    let mut seen = Vec::new();
    assert_eq!(alice.reindex(|done, total| seen.push((done, total))).unwrap(), 2);
    assert_eq!(seen.last(), Some(&(2, 2)));
    assert_eq!(alice.stats().unwrap().without_vectors, 0);
    assert_eq!(alice.recall(&RecallRequest::new("tea")).unwrap().degraded, None);
    assert_eq!(alice.reindex(|_, _| {}).unwrap(), 0);
    assert!(alice.list(&ListRequest::default()).unwrap().iter().all(|item| item.model.as_deref() == Some("new-384")));
}

#[test]
fn without_any_embedder_words_answer_and_nobody_complains() {
    let engine = builder().without_embedder().in_memory().unwrap();
    let alice = user(&engine, "alice");
    store(&alice, "Likes green tea");
    alice.remember(Remember::new("Plays the violin")).unwrap();
    assert_eq!(recall(&alice, "violins").len(), 1);
    assert_eq!(alice.recall(&RecallRequest::new("tea")).unwrap().degraded, None);
    assert!(alice.reindex(|_, _| {}).is_err());
}
