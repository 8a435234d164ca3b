//! Which evidence recall finds: LoCoMo, BEAM, and the project's own set of ordinary memories.
//!
//! One turn or message is one item, each question is asked at the end of the conversation, with
//! default settings, no language model, and the same code and weights on every set. Nothing is
//! fitted here: a conversation's figures are what that conversation would get if it were held out.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use myosotis::import::Format;
use myosotis::{ConsentState, Embedder, Engine, ImportOptions, Item, ListRequest, RecallRequest, UserId, UserMemory};
use myosotis_core::passage::{Said, embed_form};
use serde_json::Value;

use crate::Outcome;
use crate::baseline::{Baselines, Document};
use crate::metrics::{CUTS, Metrics};
use crate::ordinary;
use crate::report::{Report, print_line};

/// A conversation with its questions.
struct Conversation {
    name: String,
    file: PathBuf,
    format: Format,
    questions: Vec<Question>,
}

struct Question {
    text: String,
    kind: String,
    evidence: Vec<String>,
    /// Adversarial questions are shown apart.
    apart: bool,
}

/// Sums by variant (ours with and without embedder, baselines), then by question type.
type Sums = BTreeMap<String, BTreeMap<String, Metrics>>;

pub(crate) fn run(data: Option<&Path>, dump: Option<&Path>) -> Outcome {
    let mut report = Report::new("quality");
    let mut dump = dump.map(std::fs::File::create).transpose()?;
    match data {
        None => print_line("no --data DIR: LoCoMo and BEAM are skipped"),
        Some(dir) => {
            for (set, conversations) in [("LoCoMo", locomo(&dir.join("locomo"))?), ("BEAM", beam(&dir.join("beam"))?)] {
                if conversations.is_empty() {
                    print_line(&format!("{set}: no files in {}, skipped", dir.display()));
                    continue;
                }
                measure(set, &conversations, &mut report, dump.as_mut())?;
            }
        }
    }
    ordinary::run(&mut report)?;
    report.save()
}

fn measure(
    set: &str,
    conversations: &[Conversation],
    report: &mut Report,
    mut dump: Option<&mut std::fs::File>,
) -> Outcome {
    let mut sums = Sums::new();
    let mut each: Vec<(String, Metrics, Metrics)> = Vec::new();
    for conversation in conversations {
        let (with, end) = load(conversation, true)?;
        let (without, _) = load(conversation, false)?;
        let baselines = Baselines::new(documents(&with)?);
        let mut own = (Metrics::default(), Metrics::default());
        for question in &conversation.questions {
            let mut rankings =
                vec![("ours", ask(&with, question, end)?), ("ours, no embedder", ask(&without, question, end)?)];
            if let Some(file) = dump.as_mut() {
                writeln!(
                    file,
                    "{}",
                    serde_json::json!({"set": set, "conversation": conversation.name, "question": question.text, "with": rankings[0].1, "without": rankings[1].1})
                )?;
            }
            if !question.apart {
                own.0.add(&rankings[0].1, &question.evidence);
                own.1.add(&rankings[1].1, &question.evidence);
            }
            let vector = embedder()?.embed(&[&question.text])?.concat();
            rankings.extend(baselines.rank(&question.text, &vector, end.as_millisecond()));
            for (variant, found) in rankings {
                let by_type = sums.entry(variant.to_owned()).or_default();
                let kind = if question.apart { format!("{} (apart)", question.kind) } else { question.kind.clone() };
                by_type.entry(kind).or_default().add(&found, &question.evidence);
            }
        }
        each.push((conversation.name.clone(), own.0, own.1));
    }
    show(set, &sums, report);
    for (name, with, without) in each {
        add(report, format!("{set}, only {name}"), &with);
        add(report, format!("{set}, only {name}, no embedder"), &without);
    }
    report.print(&format!("{set}: each conversation as if held out"));
    Ok(())
}

fn show(set: &str, sums: &Sums, report: &mut Report) {
    for (variant, by_type) in sums {
        let mut main = Metrics::default();
        by_type.iter().filter(|(kind, _)| !kind.ends_with("(apart)")).for_each(|(_, metrics)| main.merge(metrics));
        add(report, format!("{set}, {variant}"), &main);
    }
    report.print(&format!("{set}: all questions but adversarial ones"));
    for (variant, by_type) in sums.iter().filter(|(variant, _)| variant.starts_with("ours")) {
        for (kind, metrics) in by_type {
            add(report, format!("{set}, {variant}, {kind}"), metrics);
        }
    }
    report.print(&format!("{set}: by type of question"));
}

/// Adds R@5 as the figure and the others beside it.
pub(crate) fn add(report: &mut Report, what: String, metrics: &Metrics) {
    let others: Vec<String> =
        (1..CUTS.len()).map(|at| format!("R@{} {:.3}", CUTS[at], metrics.recall_at(at))).collect();
    let beside = format!(
        "{}, MRR {:.3}, Hit@5 {:.3}, All@10 {:.3}, {} questions",
        others.join(", "),
        metrics.mrr(),
        metrics.hit5(),
        metrics.all10(),
        metrics.questions
    );
    report.add(what, metrics.recall_at(0), "R@5", Some(beside));
}

/// Imports a conversation into an engine of its own; also tells when it ended.
fn load(conversation: &Conversation, embed: bool) -> Result<(UserMemory, Timestamp), Box<dyn std::error::Error>> {
    let builder = Engine::builder().environment(None);
    let engine = if embed { builder.embedder(embedder()?) } else { builder.without_embedder() }.in_memory()?;
    let memory = engine.user(UserId::new("reader")?);
    memory.set_consent(ConsentState::On, "bench", None)?;
    let options = ImportOptions { format: Some(conversation.format), strict: true, ..ImportOptions::default() };
    memory.import_file(&conversation.file, &options, &mut |_| {})?;
    let items = memory.list(&ListRequest::default())?;
    let end = items.iter().filter_map(|item| item.created).max().ok_or("a conversation without times")?;
    Ok((memory, end))
}

/// One embedder for all engines: it is loaded once.
pub(crate) fn embedder() -> Result<std::sync::Arc<dyn Embedder>, Box<dyn std::error::Error>> {
    static ONE: std::sync::OnceLock<myosotis_models::BuiltIn> = std::sync::OnceLock::new();
    if let Some(built_in) = ONE.get() {
        return Ok(std::sync::Arc::new(built_in.clone()));
    }
    let built_in = myosotis_models::BuiltIn::new()?;
    Ok(std::sync::Arc::new(ONE.get_or_init(|| built_in).clone()))
}

fn ask(memory: &UserMemory, question: &Question, at: Timestamp) -> Result<Vec<String>, myosotis::Error> {
    let request = RecallRequest::new(&question.text).k(20)?.at(Some(at)).touch(false);
    Ok(memory.recall(&request)?.items.into_iter().filter_map(|item| item.source_id).collect())
}

/// The same items for the baselines, in the order they were said; long messages as a whole.
fn documents(memory: &UserMemory) -> Result<Vec<Document>, Box<dyn std::error::Error>> {
    let mut items: Vec<Item> = memory.list(&ListRequest::default())?;
    items.sort_by_key(|item| (item.created, item.source.position, item.source.part, item.id));
    let mut documents: Vec<Document> = Vec::new();
    for item in items {
        let Some(id) = item.source.message.clone() else { continue };
        if let Some(document) = documents.iter_mut().find(|document| document.id == id) {
            document.words.push(' ');
            document.words.push_str(&item.text);
            continue;
        }
        let speaker = item.source.speaker.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
        let date = item.created.map(|at| at.to_zoned_datetime(jiff::tz::TimeZone::UTC).date());
        let said = Said { speaker: item.source.speaker.as_deref(), role: item.source.role, date };
        let vector = embedder()?.embed(&[&embed_form(&item.text, &said)])?.concat();
        documents.push(Document {
            id,
            words: format!("{speaker}{}", item.text),
            vector,
            said: item.created.map(Timestamp::as_millisecond),
        });
    }
    Ok(documents)
}

fn files(dir: &Path, ending: &str) -> std::io::Result<Vec<PathBuf>> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Ok(Vec::new()) };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| path.to_string_lossy().ends_with(ending));
    files.sort();
    Ok(files)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.trim_end_matches(".gz").trim_end_matches(".json").to_owned()
}

fn locomo(dir: &Path) -> Result<Vec<Conversation>, Box<dyn std::error::Error>> {
    let mut conversations = Vec::new();
    for file in files(dir, ".json")? {
        let json: Value = serde_json::from_slice(&std::fs::read(&file)?)?;
        let turns: std::collections::HashSet<String> = json
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(_, session)| session.as_array())
            .flatten()
            .filter_map(|turn| Some(turn.get("dia_id")?.as_str()?.to_owned()))
            .collect();
        let mut questions = Vec::new();
        for qa in json["qa"].as_array().into_iter().flatten() {
            let evidence = qa["evidence"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let mut named: Vec<String> = evidence.flat_map(turn_ids).filter(|id| turns.contains(id)).collect();
            named.sort();
            named.dedup();
            let category = qa["category"].as_u64().unwrap_or(0);
            let kind = ["", "1 multi-hop", "2 temporal", "3 open-domain", "4 single-hop", "5 adversarial"];
            questions.push(Question {
                text: qa["question"].as_str().unwrap_or_default().to_owned(),
                kind: kind.get(category as usize).copied().unwrap_or_default().to_owned(),
                evidence: named,
                apart: category == 5,
            });
        }
        conversations.push(Conversation { name: name_of(&file), file, format: Format::Locomo, questions });
    }
    Ok(conversations)
}

/// The turns an evidence string names: `D:?(\d+):(\d+)`, as often as it occurs.
fn turn_ids(evidence: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for (at, _) in evidence.match_indices('D') {
        let rest = &evidence[at + 1..];
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
        let session = digits(rest);
        let Some(after) = rest[session..].strip_prefix(':').filter(|_| session > 0) else { continue };
        let turn = digits(after);
        if let (Ok(session), Ok(turn)) = (rest[..session].parse::<u32>(), after[..turn].parse::<u32>()) {
            ids.push(format!("D{session}:{turn}"));
        }
    }
    ids
}

fn beam(dir: &Path) -> Result<Vec<Conversation>, Box<dyn std::error::Error>> {
    let mut conversations = Vec::new();
    for file in files(dir, ".json.gz")?.into_iter().chain(files(dir, ".json")?) {
        let mut bytes = std::fs::read(&file)?;
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut plain)?;
            bytes = plain;
        }
        let json: Value = serde_json::from_slice(&bytes)?;
        let questions = json["questions"].as_array().into_iter().flatten().map(|question| Question {
            text: question["question"].as_str().unwrap_or_default().to_owned(),
            kind: question["type"].as_str().unwrap_or_default().to_owned(),
            evidence: question["evidence"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|id| id.as_str().map(str::to_owned))
                .collect(),
            apart: false,
        });
        let questions = questions.collect();
        conversations.push(Conversation { name: name_of(&file), file, format: Format::Beam, questions });
    }
    Ok(conversations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_evidence_yields_the_turns_it_names() {
        assert_eq!(turn_ids("D8:6; D9:17"), ["D8:6", "D9:17"]);
        assert_eq!(turn_ids("D30:05"), ["D30:5"]);
        assert_eq!(turn_ids("D:11:26"), ["D11:26"]);
        assert!(turn_ids("D").is_empty());
    }
}
