//! Time of a durable write: alone against a bare append and fdatasync, and from 32 threads.

use std::fs::OpenOptions;
use std::io::Write;
use std::time::Instant as Moment;

use myosotis::{ConsentState, Engine, Limits, Remember, UserId};

use crate::Outcome;
use crate::fixture::{Instant, Random, sentence};
use crate::report::{Report, median_us};

/// Writes measured of each kind.
const WRITES: usize = 300;
const THREADS: usize = 32;

pub(crate) fn run() -> Outcome {
    let mut report = Report::new("remember");
    let dir = tempfile::tempdir_in(".")?;
    let limits = Limits { max_items: 0, ..Limits::default() };
    let engine = Engine::builder().embedder(Instant::new()).limits(limits).environment(None).open(dir.path())?;
    let alice = engine.user(UserId::new("alice")?);
    alice.set_consent(ConsentState::On, "bench", None)?;
    let mut random = Random(1);

    // In turns, so that a slow moment of the disk hits both alike.
    let mut bare = OpenOptions::new().create(true).append(true).open(dir.path().join("bare"))?;
    let (mut bare_times, mut times) = (Vec::new(), Vec::new());
    for _ in 0..WRITES {
        let start = Moment::now();
        bare.write_all(&[7; 4096])?;
        bare.sync_data()?;
        bare_times.push(start.elapsed());
        let memory = Remember::new(sentence(&mut random));
        let start = Moment::now();
        alice.remember(memory)?;
        times.push(start.elapsed());
    }
    let (bare_us, one_us) = (median_us(bare_times), median_us(times));
    report.add("bare append of 4 KB and fdatasync", bare_us, "us p50", None);
    report.add("durable remember", one_us, "us p50", Some(format!("{:.2} x bare (limit 1.3)", one_us / bare_us)));

    let alone = throughput(&engine, 1, &mut random)?;
    let together = throughput(&engine, THREADS, &mut random)?;
    report.add("1 thread", alone, "writes/s", None);
    report.add("32 threads", together, "writes/s", Some(format!("{:.1} x one thread (at least 8)", together / alone)));
    report.print("durable writes (the embedder costs nothing here)");
    report.save()
}

fn throughput(engine: &Engine, threads: usize, random: &mut Random) -> Result<f64, Box<dyn std::error::Error>> {
    let each = WRITES.div_ceil(threads).max(20);
    let mut users = Vec::new();
    for at in 0..threads {
        let user = engine.user(UserId::new(format!("t{threads}-{at}"))?);
        user.set_consent(ConsentState::On, "bench", None)?;
        let texts: Vec<String> = (0..each).map(|_| sentence(random)).collect();
        users.push((user, texts));
    }
    let start = Moment::now();
    std::thread::scope(|scope| {
        let running: Vec<_> = users
            .into_iter()
            .map(|(user, texts)| {
                scope.spawn(move || {
                    texts.into_iter().try_for_each(|text| user.remember(Remember::new(text)).map(|_| ()))
                })
            })
            .collect();
        running.into_iter().try_for_each(|thread| {
            thread.join().map_err(|_| "a writer panicked".to_owned())?.map_err(|error| error.to_string())
        })
    })?;
    Ok((each * threads) as f64 / start.elapsed().as_secs_f64())
}
