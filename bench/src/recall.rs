//! Time of a recall, warm and cold, and what a memory takes in RAM and on disk.
//!
//! The embedder costs nothing here: its own time is measured by `bench import`. The baseline is the
//! plain way: read every row of a SQLite table, take the dot product, keep the best five.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant as Moment};

use myosotis::{ConsentState, Embedder, Engine, Kind, Limits, RecallRequest, Remember, UserId, UserMemory};
use myosotis_core::vector;

use crate::Outcome;
use crate::fixture::{Instant, Random, sentence};
use crate::report::{Report, median_us, print_line};

pub(crate) fn run(quick: bool) -> Outcome {
    let mut report = Report::new("recall");
    size(&mut report, 500, 2_000, Some(150.0))?;
    size(&mut report, 50_000, 200, Some(8_000.0))?;
    if !quick {
        size(&mut report, 500_000, 40, Some(40_000.0))?;
    }
    report.save()
}

fn engine_at(dir: &Path) -> Result<Engine, myosotis::Error> {
    let limits = Limits {
        max_items: 0,
        max_messages: 0,
        cache_bytes: 4 << 30,
        recall_deadline: Duration::from_secs(5),
        ..Limits::default()
    };
    Engine::builder().embedder(Instant::new()).limits(limits).environment(None).open(dir)
}

fn size(report: &mut Report, items: usize, runs: usize, limit_us: Option<f64>) -> Outcome {
    let dir = tempfile::tempdir_in(".")?;
    let mut random = Random(42);
    {
        let engine = engine_at(dir.path())?;
        let alice = engine.user(UserId::new("alice")?);
        alice.set_consent(ConsentState::On, "bench", None)?;
        fill(&alice, items, &mut random)?;
        let bob = engine.user(UserId::new("bob")?);
        bob.set_consent(ConsentState::On, "bench", None)?;
        fill(&bob, 20, &mut random)?;
        engine.flush()?;
    }
    let name = grouped(items);
    let disk = disk_bytes(dir.path())?; // the twenty of another user are in it
    report.add(
        format!("disk per memory at {name}"),
        disk as f64 / items as f64,
        "bytes",
        Some("limit 3,277 (3.2 KB)".into()),
    );

    let cold_runs = if items > 500 { 1 } else { 9 };
    let mut colds = Vec::new();
    let (mut alice, mut grown) = cold(dir.path(), &mut colds)?;
    for _ in 1..cold_runs {
        drop(alice);
        (alice, grown) = cold(dir.path(), &mut colds)?;
    }
    let cold_limit = (items == 500).then(|| "limit 5,000".to_owned());
    report.add(format!("recall over {name}, cold scope"), median_us(colds), "us p50", cold_limit);
    if items >= 50_000 {
        report.add(
            format!("RAM per memory at {name}"),
            grown as f64 / items as f64,
            "bytes",
            Some("limit 2,253 (2.2 KB)".into()),
        );
    }

    let questions: Vec<String> =
        (0..runs).map(|_| sentence(&mut random).split(' ').take(9).collect::<Vec<_>>().join(" ")).collect();
    let embedding = embedding_us(&questions)?;
    let mut times = Vec::with_capacity(runs);
    for question in &questions {
        let start = Moment::now();
        ask(&alice, question)?;
        times.push(start.elapsed());
    }
    let warm = median_us(times);
    report.add(
        format!("recall over {name}, warm"),
        warm - embedding,
        "us p50",
        limit_us.map(|limit| format!("limit {limit:.0}")),
    );
    vectors_alone(report, items, &name);
    plain_scan(report, items, &name, runs.min(50), warm)?;
    report.print(&format!("{name} memories"));
    Ok(())
}

/// A recall of a scope that is not in memory, in a process that is warm: another user's scope was asked
/// before. Also gives the growth of resident memory.
fn cold(dir: &Path, times: &mut Vec<Duration>) -> Result<(UserMemory, u64), Box<dyn std::error::Error>> {
    let engine = engine_at(dir)?;
    ask(&engine.user(UserId::new("bob")?), "the garden painted")?;
    let alice = engine.user(UserId::new("alice")?);
    let before = resident_bytes();
    let start = Moment::now();
    ask(&alice, "the garden painted")?;
    times.push(start.elapsed());
    Ok((alice, resident_bytes().saturating_sub(before)))
}

/// What the made-up vector of a question costs, in microseconds: it is part of every recall here, and no
/// part of the engine.
fn embedding_us(questions: &[String]) -> Result<f64, Box<dyn std::error::Error>> {
    let embedder = Instant::new();
    let mut times = Vec::new();
    for question in questions {
        let start = Moment::now();
        black_box(embedder.embed(&[question])?);
        times.push(start.elapsed());
    }
    Ok(median_us(times))
}

fn ask(memory: &UserMemory, question: &str) -> Outcome {
    let recall = memory.recall(&RecallRequest::new(question).touch(false))?;
    if let Some(reason) = recall.degraded {
        return Err(format!("the recall was degraded: {reason}").into());
    }
    black_box(recall);
    Ok(())
}

/// 500 as facts; more as messages, among which no near-duplicates are looked for.
fn fill(memory: &UserMemory, items: usize, random: &mut Random) -> Outcome {
    let kind = if items <= 500 { Kind::Fact } else { Kind::Message };
    let start = Moment::now();
    let mut left = items;
    while left > 0 {
        let batch = left.min(5_000);
        memory.remember_all((0..batch).map(|_| Remember::new(sentence(random)).kind(kind)).collect())?;
        left -= batch;
    }
    print_line(&format!("stored {} in {:.1} s", grouped(items), start.elapsed().as_secs_f64()));
    Ok(())
}

fn vectors_alone(report: &mut Report, items: usize, name: &str) {
    let mut random = Random(9);
    let rows: Vec<f32> = (0..items * 384).map(|_| (random.next() >> 40) as f32 / (1u64 << 24) as f32 - 0.5).collect();
    let query = rows[..384].to_vec();
    let mut out = vec![0f32; items];
    let times = (0..30)
        .map(|_| {
            let start = Moment::now();
            vector::dots(&query, &rows, &mut out);
            black_box(&out);
            start.elapsed()
        })
        .collect();
    let limit = (items == 500).then(|| "limit 25".to_owned());
    report.add(format!("vectors of {name} alone, f32 ({})", vector::body_name()), median_us(times), "us p50", limit);
}

fn plain_scan(report: &mut Report, items: usize, name: &str, runs: usize, ours: f64) -> Outcome {
    let mut db = rusqlite::Connection::open_in_memory()?;
    db.execute_batch("CREATE TABLE items(id INTEGER PRIMARY KEY, text TEXT, vector BLOB)")?;
    let mut random = Random(42);
    let embedder = Instant::new();
    let transaction = db.transaction()?;
    {
        let mut insert = transaction.prepare("INSERT INTO items(text, vector) VALUES (?, ?)")?;
        for _ in 0..items {
            let text = sentence(&mut random);
            let vector = embedder.embed(&[&text])?.concat();
            let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
            insert.execute((text, bytes))?;
        }
    }
    transaction.commit()?;
    let query = embedder.embed(&["the garden painted"])?.concat();
    let mut times = Vec::new();
    for _ in 0..runs {
        let start = Moment::now();
        let mut best: Vec<(f32, i64)> = Vec::new();
        let mut select = db.prepare_cached("SELECT id, vector FROM items")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(1)?.as_blob()?;
            let floats: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect();
            best.push((vector::dot(&query, &floats), row.get(0)?));
        }
        best.sort_by(|a, b| b.0.total_cmp(&a.0));
        black_box(best.first());
        times.push(start.elapsed());
    }
    let plain = median_us(times);
    let ratio = Some(format!("{:.1} x our whole recall", plain / ours));
    report.add(format!("baseline: SQLite row scan of {name}, vectors only"), plain, "us p50", ratio);
    Ok(())
}

fn disk_bytes(dir: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(dir)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}

/// Resident memory of this process; 0 where the system does not tell.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
