//! The edit distance of two long strings on the CPU, one thread, beside edlib (C++, M. Šošić and M. Šikić 2017) in its mode `NW`, in one run
//! and on the same strings: `cargo bench --bench distance_cpu -- [OPTIONS]`.
//!
//! ```text
//! --edlib PYTHON   a Python that has edlib (`pip install edlib`); without it our own algorithm alone
//! --runs N         timings of each row (5; one where it takes more than 5 s); the results are medians
//! --json FILE      the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME    what to say of the version
//! ```
//!
//! Strings are random DNA: two that have nothing in common, or one and the same with errors, a third each of substitutions, insertions and
//! deletions. Times are of the whole call, of the distance alone and with the script.

#[path = "common/mod.rs"]
mod common;

use carrywave::device::Cpu;
use carrywave::distance::Comparison;
use common::Outcome;
use common::line::Line;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Runs one call as often as it is worth.
const EDLIB: &str = "
import sys, time, edlib
a, b = (open(name, 'rb').read() for name in sys.argv[1:3])
seconds = []
while len(seconds) < int(sys.argv[4]) and (not seconds or seconds[0] < 5):
    start = time.perf_counter()
    found = edlib.align(a, b, mode='NW', task=sys.argv[3])
    seconds.append(time.perf_counter() - start)
print(found['editDistance'])
print(*seconds)
";

/// A distance, and how long it took in each run.
struct Timed {
    distance: u64,
    seconds: Vec<f64>,
}

fn ours(a: &[u8], b: &[u8], script: bool, runs: usize) -> Outcome<Timed> {
    let cpu = Cpu::new();
    let comparison = Comparison::new().on(&cpu);
    let mut timed = Timed { distance: 0, seconds: Vec::new() };
    while timed.seconds.len() < runs && timed.seconds.first().is_none_or(|first| *first < 5.0) {
        let started = Instant::now();
        if script {
            let script = comparison.script(a, b)?;
            timed.seconds.push(started.elapsed().as_secs_f64());
            timed.distance = script.distance();
            script.verify(a, b)?;
        } else {
            timed.distance = comparison.distance(a, b)?;
            timed.seconds.push(started.elapsed().as_secs_f64());
        }
    }
    Ok(timed)
}

fn edlib(python: &str, folder: &Path, a: &[u8], b: &[u8], script: bool, runs: usize) -> Outcome<Timed> {
    let files = [("a", a), ("b", b)].map(|(name, symbols)| (folder.join(name), symbols));
    for (path, symbols) in &files {
        std::fs::write(path, symbols)?;
    }
    let mut command = Command::new(python);
    command.args(["-c", EDLIB]).arg(&files[0].0).arg(&files[1].0);
    let output = command.arg(if script { "path" } else { "distance" }).arg(runs.to_string()).output()?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let mut lines = answer.lines();
    let (Some(distance), Some(seconds)) = (lines.next(), lines.next()) else {
        return Err(format!("edlib: {}", String::from_utf8_lossy(&output.stderr)).into());
    };
    let seconds = seconds.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    Ok(Timed { distance: distance.parse()?, seconds })
}

fn main() -> Outcome<()> {
    let mut python = None;
    let mut runs = 5;
    let line = Line::read("--edlib --runs", |name, value| {
        match name {
            "--edlib" => python = Some(value.text()?),
            "--runs" => runs = value.number::<usize>()?.max(1),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let folder = tempfile::tempdir()?;
    let pool = common::pool(1);
    let mut rows: Vec<Value> = Vec::new();
    let million = common::random(1_000_000, 4, 1);
    for (name, a, b) in [
        ("100,000 unrelated", common::random(100_000, 4, 1), common::random(100_000, 4, 2)),
        ("1 million, 0.1 %", million.clone(), common::with_errors(&million, 1)),
        ("1 million, 1 %", million.clone(), common::with_errors(&million, 10)),
        ("1 million, 5 %", million.clone(), common::with_errors(&million, 50)),
    ] {
        for script in [false, true] {
            let task = if script { "script" } else { "distance" };
            let ours = pool.install(|| ours(&a, &b, script, runs).map_err(|error| error.to_string()))?;
            let fastest = common::median(&ours.seconds);
            let mut all = vec![("carrywave", ours)];
            if let Some(python) = &python {
                all.push(("edlib", edlib(python, folder.path(), &a, &b, script, runs)?));
            }
            let distance = all[0].1.distance;
            for (engine, timed) in &all {
                if timed.distance != distance {
                    return Err(format!("{name}: {engine} has another distance, {}", timed.distance).into());
                }
                let median = common::median(&timed.seconds);
                let ratio = median / fastest;
                println!("{name:20} {task:9} {engine:10} {median:9.4} s {ratio:8.2}");
                let of = |pick: fn(f64, f64) -> f64| timed.seconds.iter().copied().reduce(pick);
                rows.push(json!({
                    "part": task, "name": name, "engine": engine, "m": a.len(), "n": b.len(), "median_s": median,
                    "least_s": of(f64::min), "greatest_s": of(f64::max), "seconds": timed.seconds,
                    "more": { "distance": distance, "times_carrywave": ratio },
                }));
            }
        }
    }
    let all = json!({ "cpu": common::cpu_model(), "threads": 1, "rows": rows });
    line.write("cargo bench --bench distance_cpu --", all)
}
