//! Measures the built-in embedder on one thread:
//! `cargo run --release -p myosotis-models --example embed_speed`
#![allow(clippy::print_stdout)]

use std::time::Instant;

use myosotis_core::Embedder;
use myosotis_models::BuiltIn;

const QUERY: &str = "Which town did Alice say her brother moved to last spring?";
const TURNS: [&str; 4] = [
    "Alice said on 8 May 2023: \"My brother finally left the city. He found a small house near the lake, with a \
     garden for the dogs, and he starts at the school next week.\"",
    "Bob said on 9 May 2023: \"That is good news! Tell him I still have his ladder and the box of books from the \
     old flat. I can bring both over on Saturday if it does not rain.\"",
    "Alice said on 9 May 2023: \"Saturday works. Come early, there will be pancakes, and afterwards we could look \
     at the boat he wants to buy. He says it needs only a little paint.\"",
    "Bob said on 10 May 2023: \"I know his idea of a little paint. I will bring gloves, the sander and my nephew, \
     who owes me a favour since the business with the bicycle.\"",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let model = BuiltIn::new()?;
    model.embed(&["first"])?;
    println!("load and first text  {:8.2} ms", start.elapsed().as_secs_f64() * 1e3);

    let mut times: Vec<f64> = (0..200)
        .map(|_| {
            let start = Instant::now();
            model.embed(&[QUERY]).map(|_| start.elapsed().as_secs_f64() * 1e3)
        })
        .collect::<Result<_, _>>()?;
    times.sort_by(f64::total_cmp);
    println!("question             {:8.2} ms median, {:.2} ms p95", times[100], times[190]);

    let turns: Vec<&str> = TURNS.iter().copied().cycle().take(400).collect();
    for size in [1, 8, 400] {
        let start = Instant::now();
        for batch in turns.chunks(size) {
            model.embed(batch)?;
        }
        println!("turns, {size:3} a call    {:8.1} /s", turns.len() as f64 / start.elapsed().as_secs_f64());
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    }
    Ok(())
}
