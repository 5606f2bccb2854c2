//! The LLCS of E. coli K-12 MG1655 and DH1, complete, once per program:
//! `cargo bench --bench ecoli_llcs_cpu`.
//!
//! Takes about ten minutes, nearly all of it for rapidfuzz. `-- --ours` leaves out rapidfuzz, and
//! `-- --threads` also leaves out the run on one thread. Prints a table and writes JSON to
//! `CARRYWAVE_BENCH_JSON`, or to `ecoli_llcs_cpu.json` in Cargo's target directory.
//! Each program runs once, for minutes; Criterion takes at least ten runs, so it is not used.
mod common;

use std::path::PathBuf;
use std::time::Instant;

use carrywave::internal::lcs::cpu::bit_parallel;
use carrywave::internal::pairwise::Direction;
use rapidfuzz::distance::lcs_seq;
use serde_json::json;

#[derive(Debug)]
struct Run {
    program: &'static str,
    threads: usize,
    llcs: usize,
    seconds: f64,
    gcups: f64,
    times_rapidfuzz: Option<f64>,
}

fn main() {
    let argument = |name: &str| std::env::args().any(|argument| argument == name);
    // `cargo test --benches` runs benches with `--test`: compile only.
    if argument("--test") {
        return;
    }
    let (a, b) = match common::ecoli() {
        Ok(pair) => pair,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    let cells = a.len() as f64 * b.len() as f64;
    let time = |program, threads, llcs: &mut dyn FnMut() -> usize| {
        let start = Instant::now();
        let llcs = llcs();
        let seconds = start.elapsed().as_secs_f64();
        let run = Run { program, threads, llcs, seconds, gcups: cells / seconds / 1e9, times_rapidfuzz: None };
        eprintln!("{program}, {threads} threads: LLCS {llcs} in {seconds:.1} s, {:.1} GCUPS", run.gcups);
        run
    };
    let ours = |threads| {
        let pool = common::pool(threads);
        let mut llcs = || pool.install(|| bit_parallel::last_column(&a, &b, Direction::Forward, &|_| ()).last());
        time("carrywave", pool.current_num_threads(), &mut llcs)
    };

    let mut runs = vec![ours(0)];
    if !argument("--threads") {
        runs.push(ours(1));
        if !argument("--ours") {
            // rapidfuzz's pattern is built outside the clock, as by a caller who compares many
            // strings with one.
            let pattern = lcs_seq::BatchComparator::new(a.iter().copied());
            runs.push(time("rapidfuzz", 1, &mut || pattern.similarity(b.iter().copied())));
        }
    }
    let rapidfuzz = runs.iter().find(|run| run.program == "rapidfuzz").map(|run| run.seconds);
    for run in &mut runs {
        run.times_rapidfuzz = rapidfuzz.map(|seconds| seconds / run.seconds);
    }
    assert!(runs.windows(2).all(|pair| pair[0].llcs == pair[1].llcs), "lengths differ: {runs:?}");
    println!("{:<10} {:>7} {:>9} {:>9} {:>8} {:>12}", "program", "threads", "LLCS", "seconds", "GCUPS", "x rapidfuzz");
    for run in &runs {
        let ratio = run.times_rapidfuzz.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        println!(
            "{:<10} {:>7} {:>9} {:>9.1} {:>8.1} {:>12}",
            run.program, run.threads, run.llcs, run.seconds, run.gcups, ratio
        );
    }
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            json!({
                "name": "E. coli MG1655 × DH1, length", "engine": format!("{}, {} threads", run.program, run.threads),
                "m": a.len(), "n": b.len(), "median_s": run.seconds, "tcups": run.gcups / 1e3,
                "more": { "runs": 1, "length": run.llcs, "times_rapidfuzz": run.times_rapidfuzz },
            })
        })
        .collect();
    let report = json!({ "command": "cargo bench --bench ecoli_llcs_cpu", "cpu": common::cpu_model(), "rows": rows });
    let path = std::env::var_os("CARRYWAVE_BENCH_JSON")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../ecoli_llcs_cpu.json"));
    match std::fs::write(&path, common::line::row_a_line(&report)) {
        Ok(()) => println!("wrote {}", path.display()),
        Err(error) => eprintln!("{}: {error}", path.display()),
    }
}
