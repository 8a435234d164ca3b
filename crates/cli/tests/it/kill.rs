//! OPS-4, Must show 6: kill -9 at any moment of a write. The file opens, what was acknowledged is
//! there, nothing is half-written.
//!
//! The moments come from a seeded generator; `MYOSOTIS_KILLS` sets how many there are (the default
//! keeps the suite short; 200 is what the project promises and is run before a release).

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::kit::{Home, json, path, transcript};

fn kills() -> u64 {
    std::env::var("MYOSOTIS_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(24)
}

/// A moment between 0 and `most`, the same for the same seed.
fn moment(seed: u64, most: Duration) -> Duration {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^= z >> 27;
    Duration::from_nanos(z % u64::try_from(most.as_nanos()).unwrap())
}

/// Ends the child at that moment of its life, unless it has ended by itself.
fn kill_after(child: &mut Child, wait: Duration) {
    let start = Instant::now();
    while start.elapsed() < wait {
        if child.try_wait().unwrap().is_some() {
            return;
        }
        std::hint::spin_loop();
    }
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn every_acknowledged_write_survives_and_no_half_one() {
    let home = Home::new();
    let talk = home.file("talk.jsonl", transcript((0..600).map(|n| format!("Line {n} of the talk"))));
    let mut acknowledged: BTreeSet<String> = BTreeSet::new();
    let mut editable: Vec<String> =
        (0..6).map(|n| home.remember(&format!("Editable memory number {n} of six"))).collect();
    let mut forgotten: BTreeSet<String> = BTreeSet::new();
    let full = {
        // How long one call lives here, so that the moments fall inside it.
        let start = Instant::now();
        home.run(&["remember", "A first fact to take the time"]).ok();
        start.elapsed() * 2
    };
    for round in 0..kills() {
        let text = format!("Fact of round {round}");
        let (args, what): (Vec<&str>, _) = match round % 4 {
            0 => (vec!["import", path(&talk), "--json"], "import"),
            1 => (vec!["remember", &text, "--json"], "remember"),
            2 => (vec!["edit", &editable[0], "--text", &text, "--json"], "edit"),
            _ => (vec!["forget", &editable[editable.len() - 1], "--json"], "forget"),
        };
        let mut child = home.command(&args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        kill_after(&mut child, moment(round, full));
        let mut printed = String::new();
        out.read_to_string(&mut printed).unwrap();
        let done = BufReader::new(printed.as_bytes()).lines().any(|line| !line.unwrap().is_empty());
        if done {
            match what {
                "remember" => drop(acknowledged.insert(json(&printed)["id"].as_str().unwrap().to_owned())),
                "edit" => drop(acknowledged.insert(editable[0].clone())),
                "forget" => {
                    let id = editable.pop().unwrap();
                    forgotten.insert(id);
                    if editable.len() < 2 {
                        editable.push(home.remember(&format!("Editable memory made in round {round}")));
                    }
                }
                _ => {}
            }
        }
        check(&home, &acknowledged, &forgotten, &text, (what, done));
    }
    home.run(&["import", path(&talk)]).ok();
    let lines = home.texts().iter().filter(|text| text.starts_with("Line ")).count();
    assert_eq!(lines, 600, "an import that was killed is completed by starting it again");
    assert!(home.run(&["doctor"]).ok().contains("all is well"));
}

fn check(home: &Home, acknowledged: &BTreeSet<String>, forgotten: &BTreeSet<String>, text: &str, last: (&str, bool)) {
    let listed = home.run(&["memories", "--everywhere", "--json"]).ok();
    let items: Vec<_> = listed.lines().map(json).collect();
    let ids: BTreeSet<String> = items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), items.len());
    assert!(acknowledged.is_subset(&ids), "lost after {last:?}");
    assert!(forgotten.is_disjoint(&ids), "came back after {last:?}");
    for item in &items {
        let whole = item["text"].as_str().unwrap();
        let known = ["Line ", "Fact of round ", "Editable memory ", "A first fact "];
        assert!(known.iter().any(|start| whole.starts_with(start)), "half a text: {whole:?}");
    }
    if last == ("edit", true) {
        assert!(items.iter().any(|item| item["text"] == text), "an acknowledged edit is not there");
    }
}
