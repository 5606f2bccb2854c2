//! The best match on the CPU, one thread, compared with edlib (C++, M. Šošić and M. Šikić 2017).
//! edlib's mode `HW` with the task `distance` gives the same distance, and all ends, including the
//! one that carrywave returns: `cargo bench --bench best_cpu -- [OPTIONS]`.
//!
//! ```text
//! --edlib PYTHON   a Python that has edlib (`pip install edlib`); without it our own algorithms
//!                  alone
//! --runs N         timings of each row (3; one where it takes more than 5 s); the results are
//!                  medians
//! --json FILE      the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME    the version, for the results
//! ```
//!
//! Texts are E. coli MG1655 and the King James Bible. Patterns are parts of them with errors (a
//! third each of insertions, deletions and substitutions), or random. Times are of the whole call;
//! carrywave's includes the start of the match, which edlib does not report.
//! edlib is timed in a Python process, and a row may take minutes, so this bench has a clock of its
//! own and not Criterion's, which wants ten runs of one function in this process.

#[path = "common/mod.rs"]
mod common;

use carrywave::best::{Algorithm, Best};
use carrywave::device::EngineKind;
use carrywave::text::Pattern;
use common::Outcome;
use common::edlib::{Timed, edlib, ours};
use common::line::Line;
use serde_json::{Value, json};
use std::io::Read;

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
    let mut rows: Vec<Value> = Vec::new();
    for (part, text) in &texts {
        for (m, percents) in [
            (100, &[0, 5, 20, 40, 100][..]),
            (1000, &[0, 5, 20, 40, 100]),
            (10_000, &[0, 5, 20, 100]),
            (100_000, &[0, 5]),
        ] {
            for &percent in percents {
                let pattern = common::part_with_errors(text, m, percent);
                let mut all = Vec::new();
                // The first algorithm is the fastest. The plain table takes minutes, as do all but
                // the first for long patterns.
                let algorithms = Algorithm::all_on(EngineKind::Cpu).filter(|algorithm| algorithm.name() != "sellers");
                for algorithm in algorithms.take(if m < 100_000 { usize::MAX } else { 1 }) {
                    let best = Best::new(Pattern::literal(&pattern)).algorithm(algorithm);
                    let find = || {
                        let found = best.find(text)?;
                        Ok((found.distance.into(), found.end))
                    };
                    let timed = common::pool(1).install(|| ours(runs, find).map_err(|error| error.to_string()))?;
                    all.push((algorithm.name(), timed));
                }
                if let Some(python) = &python {
                    all.push(("edlib", edlib(python, ["HW", "distance"], &pattern, text, runs)?));
                }
                let Timed { distance, ends: told, seconds: fastest } = &all[0].1;
                for (engine, Timed { distance: its_distance, ends, seconds }) in &all {
                    if its_distance != distance || !ends.contains(&told[0]) {
                        return Err(format!("{part}, m = {m}, {percent} %: {engine} has another answer").into());
                    }
                    let median = common::median(seconds);
                    let ratio = median / common::median(fastest);
                    println!("{part:8} {m:>7} {percent:>4} %  {engine:8} {median:9.4} s {ratio:8.2}");
                    let what = if percent == 100 { "random symbols".to_owned() } else { format!("{percent} % errors") };
                    let more = json!({ "distance": distance, "times_cut_off": ratio });
                    rows.push(common::row(part, &what, engine, (pattern.len(), text.len()), seconds, more));
                }
            }
        }
    }
    let all = json!({ "cpu": common::cpu_model(), "threads": 1, "rows": rows });
    line.write("cargo bench --bench best_cpu --", all)
}
