//! The best match on the CPU, one thread, beside edlib (C++, M. Šošić and M. Šikić 2017), whose mode `HW` with the task `distance`
//! gives the same distance, and all ends of which ours is one: `cargo bench --bench best_cpu -- [OPTIONS]`.
//!
//! ```text
//! --edlib PYTHON   a Python that has edlib (`pip install edlib`); without it our own algorithms alone
//! --runs N         timings of each row (3; one where it takes more than 5 s); the results are medians
//! --json FILE      the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME    what to say of the version
//! ```
//!
//! Texts are E. coli MG1655 and the King James Bible. Patterns are parts of them with errors, a third each of insertions, deletions
//! and substitutions, or random. Times are of the whole call, for ours with the start of the match, which edlib's does not tell.

#[path = "common/mod.rs"]
mod common;

use carrywave::best::{Algorithm, Best};
use carrywave::device::EngineKind;
use carrywave::text::Pattern;
use common::Outcome;
use common::line::Line;
use serde_json::{Value, json};
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// What was found, and how fast.
struct Timed {
    distance: u32,
    /// Where a nearest part ends: of ours the one that is told, of edlib all.
    ends: Vec<u64>,
    /// Of each run.
    seconds: Vec<f64>,
}

/// Runs one call as often as it is worth.
const EDLIB: &str = "
import sys, time, edlib
pattern, text = (open(name, 'rb').read() for name in sys.argv[1:3])
seconds = []
while len(seconds) < int(sys.argv[3]) and (not seconds or seconds[0] < 5):
    start = time.perf_counter()
    found = edlib.align(pattern, text, mode='HW', task='distance')
    seconds.append(time.perf_counter() - start)
print(found['editDistance'], *(end + 1 for _, end in found['locations']))
print(*seconds)
";

/// A part of the text with errors in so many of 100 symbols; with 100 of 100 random symbols of the text.
fn pattern(text: &[u8], m: usize, percent: u32) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(m as u64 + u64::from(percent));
    let other = |random: &mut fastrand::Rng| text[random.usize(..text.len())];
    let mut pattern = Vec::new();
    for &symbol in &text[text.len() / 2..][..m] {
        if percent == 100 {
            pattern.push(other(&mut random));
        } else if random.u32(..100) >= percent {
            pattern.push(symbol);
        } else {
            match random.u32(..3) {
                0 => pattern.push(other(&mut random)),
                1 => pattern.extend([symbol, other(&mut random)]),
                _ => {}
            }
        }
    }
    pattern
}

fn ours(pattern: &[u8], text: &[u8], algorithm: Algorithm, runs: usize) -> Outcome<Timed> {
    let best = Best::new(Pattern::literal(pattern)).algorithm(algorithm);
    let mut timed = Timed { distance: 0, ends: Vec::new(), seconds: Vec::new() };
    while timed.seconds.len() < runs && timed.seconds.first().is_none_or(|first| *first < 5.0) {
        let started = Instant::now();
        let found = best.find(text)?;
        timed.seconds.push(started.elapsed().as_secs_f64());
        (timed.distance, timed.ends) = (found.distance, vec![found.end]);
    }
    Ok(timed)
}

fn edlib(python: &str, folder: &Path, pattern: &[u8], text: &[u8], runs: usize) -> Outcome<Timed> {
    let files = [("pattern", pattern), ("text", text)].map(|(name, symbols)| (folder.join(name), symbols));
    for (path, symbols) in &files {
        std::fs::write(path, symbols)?;
    }
    let mut command = Command::new(python);
    let output = command.args(["-c", EDLIB]).arg(&files[0].0).arg(&files[1].0).arg(runs.to_string()).output()?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let mut lines = answer.lines().map(str::split_whitespace);
    let (Some(mut found), Some(seconds)) = (lines.next(), lines.next()) else {
        return Err(format!("edlib: {}", String::from_utf8_lossy(&output.stderr)).into());
    };
    let distance = found.next().ok_or("edlib tells no distance")?.parse()?;
    let ends = found.map(str::parse).collect::<Result<_, _>>()?;
    let seconds = seconds.map(str::parse).collect::<Result<_, _>>()?;
    Ok(Timed { distance, ends, seconds })
}

fn main() -> Outcome<()> {
    let mut python = None;
    let mut runs = 3;
    let line = Line::read("--edlib --runs", |name, value| {
        match name {
            "--edlib" => python = Some(value.text()?),
            "--runs" => runs = value.number::<usize>()?.max(1),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let mut bible = Vec::new();
    let file = std::fs::File::open(common::data_dir().join("kjv.txt.gz"))?;
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut bible)?;
    let texts = [("MG1655", common::fasta("MG1655-K12.fasta.gz")?), ("KJV", bible)];
    let folder = tempfile::tempdir()?;
    let mut rows: Vec<Value> = Vec::new();
    for (part, text) in &texts {
        for (m, percents) in [
            (100, &[0, 5, 20, 40, 100][..]),
            (1000, &[0, 5, 20, 40, 100]),
            (10_000, &[0, 5, 20, 100]),
            (100_000, &[0, 5]),
        ] {
            for &percent in percents {
                let pattern = pattern(text, m, percent);
                let mut all = Vec::new();
                // The first is the fastest; the plain table takes minutes, and of long patterns all but the first do.
                let algorithms = Algorithm::of(EngineKind::Cpu).filter(|algorithm| algorithm.name() != "sellers");
                for algorithm in algorithms.take(if m < 100_000 { usize::MAX } else { 1 }) {
                    let timed =
                        common::pool(1).install(|| ours(&pattern, text, algorithm, runs).map_err(|e| e.to_string()))?;
                    all.push((algorithm.name(), timed));
                }
                if let Some(python) = &python {
                    all.push(("edlib", edlib(python, folder.path(), &pattern, text, runs)?));
                }
                let Timed { distance, ends: told, seconds: fastest } = &all[0].1;
                for (engine, Timed { distance: its_distance, ends, seconds }) in &all {
                    if its_distance != distance || !ends.contains(&told[0]) {
                        return Err(format!("{part}, m = {m}, {percent} %: {engine} has another answer").into());
                    }
                    let median = common::median(seconds);
                    let ratio = median / common::median(fastest);
                    println!("{part:8} {m:>7} {percent:>4} %  {engine:8} {median:9.4} s {ratio:8.2}");
                    let of = |pick: fn(f64, f64) -> f64| seconds.iter().copied().reduce(pick);
                    let what = if percent == 100 { "random symbols".to_owned() } else { format!("{percent} % errors") };
                    rows.push(json!({
                        "part": part, "name": what, "engine": engine, "m": pattern.len(), "n": text.len(),
                        "median_s": median, "least_s": of(f64::min), "greatest_s": of(f64::max), "seconds": seconds,
                        "more": { "distance": distance, "times_cut_off": ratio },
                    }));
                }
            }
        }
    }
    let all = json!({ "cpu": common::cpu_model(), "threads": 1, "rows": rows });
    line.write("cargo bench --bench best_cpu --", all)
}
