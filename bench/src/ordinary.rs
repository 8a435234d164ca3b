//! Ordinary memories: 200 short facts of one person in five languages, 100 questions, and 20 questions
//! to which nothing is the right answer. There are no neighbours or sessions to lean on here.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use myosotis::{ConsentState, Engine, Kind, Origin, RecallRequest, Remember, Source, UserId, UserMemory};
use serde::Deserialize;

use crate::Outcome;
use crate::baseline::{Baselines, Document};
use crate::metrics::Metrics;
use crate::quality::{add, embedder};
use crate::report::Report;

const SET: &str = include_str!("../data/ordinary.json");

#[derive(Deserialize)]
struct Set {
    facts: Vec<Fact>,
    questions: Vec<Question>,
    none: Vec<Unanswerable>,
}

#[derive(Deserialize)]
struct Fact {
    id: String,
    kind: Kind,
    slot: Option<String>,
    text: String,
    said: jiff::civil::Date,
}

#[derive(Deserialize)]
struct Question {
    language: String,
    question: String,
    evidence: Vec<String>,
}

#[derive(Deserialize)]
struct Unanswerable {
    question: String,
}

pub(crate) fn run(report: &mut Report) -> Outcome {
    let set: Set = serde_json::from_str(SET)?;
    let with = load(&set, true)?;
    let without = load(&set, false)?;
    let end: Timestamp = "2025-01-01T00:00:00Z".parse()?;
    let mut sums: BTreeMap<String, Metrics> = BTreeMap::new();
    let baselines = baselines(&set)?;
    for question in &set.questions {
        let ours = ask(&with, &question.question, end)?;
        let words = ask(&without, &question.question, end)?;
        let vector = embedder()?.embed(&[&question.question])?.concat();
        let mut rankings = vec![("ours".to_owned(), ours.clone()), ("ours, no embedder".to_owned(), words)];
        rankings.push((format!("ours, {}", question.language), ours));
        rankings.extend(
            baselines
                .rank(&question.question, &vector, end.as_millisecond())
                .into_iter()
                .map(|(name, ids)| (name.to_owned(), ids)),
        );
        for (name, found) in rankings {
            sums.entry(name).or_default().add(&found, &question.evidence);
        }
    }
    for (name, metrics) in &sums {
        add(report, format!("ordinary, {name}"), metrics);
    }
    let mut silent = 0;
    for question in &set.none {
        silent += usize::from(ask(&with, &question.question, end)?.is_empty());
    }
    let share = silent as f64 / set.none.len().max(1) as f64;
    report.add(
        "ordinary, nothing for what was never said",
        share,
        "share",
        Some(format!("{silent} of {}", set.none.len())),
    );
    report.print("ordinary memories: 200 facts in five languages");
    Ok(())
}

fn load(set: &Set, embed: bool) -> Result<UserMemory, Box<dyn std::error::Error>> {
    let builder = Engine::builder().environment(None);
    let engine = if embed { builder.embedder(embedder()?) } else { builder.without_embedder() }.in_memory()?;
    let memory = engine.user(UserId::new("reader")?);
    memory.set_consent(ConsentState::On, "bench", None)?;
    let facts = set.facts.iter().map(|fact| {
        let source = Source { origin: Origin::Imported, message: Some(fact.id.clone()), ..Source::default() };
        // Slots are left out: a superseded value would not be there to be found.
        let _ = &fact.slot;
        Remember::new(&fact.text).kind(fact.kind).source(source).created(said(fact))
    });
    let stored = memory.remember_all(facts.collect())?;
    let there = stored.iter().filter(|outcome| outcome.id().is_some()).count();
    if there != set.facts.len() {
        return Err(format!("only {there} of {} facts were stored", set.facts.len()).into());
    }
    Ok(memory)
}

fn said(fact: &Fact) -> Option<Timestamp> {
    fact.said.to_zoned_datetime(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

fn ask(memory: &UserMemory, question: &str, at: Timestamp) -> Result<Vec<String>, myosotis::Error> {
    let request = RecallRequest::new(question).k(20)?.at(Some(at)).touch(false);
    Ok(memory.recall(&request)?.items.into_iter().filter_map(|item| item.source_id).collect())
}

fn baselines(set: &Set) -> Result<Baselines, Box<dyn std::error::Error>> {
    let mut documents = Vec::new();
    for fact in &set.facts {
        documents.push(Document {
            id: fact.id.clone(),
            words: fact.text.clone(),
            vector: embedder()?.embed(&[&fact.text])?.concat(),
            said: said(fact).map(Timestamp::as_millisecond),
        });
    }
    Ok(Baselines::new(documents))
}
