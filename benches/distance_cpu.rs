//! The edit distance of two long strings on the CPU, one thread, compared with edlib (C++, M. Šošić
//! and M. Šikić 2017) in its mode `NW`, in the same run and on the same strings:
//! `cargo bench --bench distance_cpu -- [OPTIONS]`.
//!
//! ```text
//! --edlib PYTHON   a Python that has edlib (`pip install edlib`); without it our own algorithm
//!                  alone
//! --runs N         timings of each row (5; one where it takes more than 5 s); the results are
//!                  medians
//! --json FILE      the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME    the version, for the results
//! ```
//!
//! Strings are random DNA: two unrelated strings, or a string and a copy with errors (a third each
//! of substitutions, insertions and deletions). Times are of the whole call, for the distance alone
//! and with the script.
//! and with the script. edlib is timed in a Python process by the same rules, so this bench has a
//! clock of its own and not Criterion's.

#[path = "common/mod.rs"]
mod common;

use carrywave::device::Cpu;
use carrywave::distance::Comparison;
use common::Outcome;
use common::edlib::{edlib, ours};
use common::line::Line;
use serde_json::{Value, json};

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
    let cpu = Cpu::new();
    let comparison = Comparison::new().on(&cpu);
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
            let distance = || {
                let distance =
                    if script { comparison.script(&a, &b)?.distance() } else { comparison.distance(&a, &b)? };
                Ok((distance, b.len() as u64))
            };
            let ours = pool.install(|| ours(runs, distance).map_err(|error| error.to_string()))?;
            comparison.script(&a, &b)?.verify(&a, &b)?;
            let fastest = common::median(&ours.seconds);
            let mut all = vec![("carrywave", ours)];
            if let Some(python) = &python {
                all.push(("edlib", edlib(python, ["NW", if script { "path" } else { "distance" }], &a, &b, runs)?));
            }
            let distance = all[0].1.distance;
            for (engine, timed) in &all {
                if timed.distance != distance {
                    return Err(format!("{name}: {engine} has another distance, {}", timed.distance).into());
                }
                let median = common::median(&timed.seconds);
                let ratio = median / fastest;
                println!("{name:20} {task:9} {engine:10} {median:9.4} s {ratio:8.2}");
                let more = json!({ "distance": distance, "times_carrywave": ratio });
                rows.push(common::row(task, name, engine, (a.len(), b.len()), &timed.seconds, more));
            }
        }
    }
    let all = json!({ "cpu": common::cpu_model(), "threads": 1, "rows": rows });
    line.write("cargo bench --bench distance_cpu --", all)
}
