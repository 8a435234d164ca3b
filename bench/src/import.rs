//! Time of the built-in embedder and of an import that embeds every turn.

use std::io::Write;
use std::time::Instant as Moment;

use myosotis::import::Format;
use myosotis::{ConsentState, Engine, ImportOptions, UserId};

use crate::Outcome;
use crate::fixture::{Instant, Random};
use crate::quality::embedder;
use crate::report::{Report, median_us};

/// Turns of the made-up conversation.
const TURNS: usize = 2_000;

pub(crate) fn run() -> Outcome {
    let mut report = Report::new("import");
    let embedder = embedder()?;
    let question = "which restaurant did my sister recommend to us for the birthday dinner?"; // 12 words
    embedder.embed(&[question])?;
    let times = (0..200)
        .map(|_| {
            let start = Moment::now();
            embedder.embed(&[question]).map(|_| start.elapsed())
        })
        .collect::<Result<_, _>>()?;
    report.add("embedding a question of 12 words, one core", median_us(times) / 1e3, "ms p50", Some("limit 6".into()));

    let turns: Vec<String> =
        conversation().into_iter().map(|(speaker, text)| format!("{speaker} said on 8 May 2023: \"{text}\"")).collect();
    let texts: Vec<&str> = turns.iter().take(500).map(String::as_str).collect();
    let start = Moment::now();
    for batch in texts.chunks(32) {
        embedder.embed(batch)?;
    }
    let alone = texts.len() as f64 / start.elapsed().as_secs_f64();
    report.add("embedding turns, one core", alone, "turns/s", Some("at least 80".into()));

    let dir = tempfile::tempdir_in(".")?;
    let file = dir.path().join("transcript.jsonl");
    write_transcript(&file)?;
    let bare = import(&dir.path().join("bare"), Engine::builder().embedder(Instant::new()), &file)?;
    report.add("import, an embedder that costs nothing", bare, "turns/s", None);
    let real = import(&dir.path().join("real"), Engine::builder(), &file)?;
    report.add(
        "import with the built-in embedder, all cores",
        real,
        "turns/s",
        Some(format!("{:.2} x embedding alone on one core", real / alone)),
    );
    let again = import(&dir.path().join("real"), Engine::builder(), &file)?;
    report.add(
        "the same import again (nothing changes)",
        again,
        "turns/s",
        Some(format!("{:.0} x the first time", again / real)),
    );
    report.print("import");
    report.save()
}

fn conversation() -> Vec<(&'static str, String)> {
    const OPENINGS: [&str; 8] = [
        "I finally",
        "Yesterday we",
        "My brother",
        "You know what, I",
        "After work I",
        "Last week the kids",
        "Honestly, I",
        "This morning we",
    ];
    const DEEDS: [&str; 8] = [
        "finished the blue painting for the school fair",
        "went hiking up to the old lighthouse",
        "started taking pottery classes on Mondays",
        "adopted a second cat called Pepper",
        "booked the train to Lisbon for August",
        "met the new neighbours from the bakery",
        "fixed the leaking roof of the shed",
        "signed up for the half marathon",
    ];
    const ENDS: [&str; 8] = [
        "and it turned out better than expected!",
        "even though the weather was awful.",
        "so I am a bit tired today.",
        "and I would love to show you the pictures.",
        "which took the whole afternoon.",
        "and everybody was laughing about it.",
        "because we had talked about it for months.",
        "- what do you think?",
    ];
    let mut random = Random(5);
    (0..TURNS)
        .map(|at| {
            let speaker = if at % 2 == 0 { "Nora" } else { "Felix" };
            let text =
                format!("{} {} {} ({at})", OPENINGS[random.below(8)], DEEDS[random.below(8)], ENDS[random.below(8)]);
            (speaker, text)
        })
        .collect()
}

fn write_transcript(file: &std::path::Path) -> Outcome {
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    for (at, (speaker, text)) in conversation().into_iter().enumerate() {
        let line = serde_json::json!({
            "id": format!("m{at}"), "role": "user", "speaker": speaker, "content": text,
            "timestamp": format!("2023-{:02}-{:02}T12:00:00Z", 1 + at / 200, 1 + (at / 8) % 25), "session": format!("s{}", at / 40),
        });
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

fn import(
    dir: &std::path::Path,
    builder: myosotis::EngineBuilder,
    file: &std::path::Path,
) -> Result<f64, Box<dyn std::error::Error>> {
    let engine = builder.environment(None).open(dir)?;
    let memory = engine.user(UserId::new("alice")?);
    memory.set_consent(ConsentState::On, "bench", None)?;
    let options = ImportOptions { format: Some(Format::Transcript), ..ImportOptions::default() };
    let start = Moment::now();
    memory.import_file(file, &options, &mut |_| {})?;
    Ok(TURNS as f64 / start.elapsed().as_secs_f64())
}
