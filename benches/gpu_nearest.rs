//! Best matches on a GPU beside the CPU, with the text on the GPU, with the copy of the text, and
//! as a whole process: `cargo bench --bench gpu_nearest -- [OPTIONS]`. The program can be copied to
//! a machine with a GPU, and runs there without Rust and CUDA.
//!
//! ```text
//! --text N         symbols of a text, random bases; may be repeated (500000000)
//! --pattern M      symbols of a pattern; may be repeated (100, 1000 and 100000)
//! --threads N      threads of the CPU (16)
//! --most-cells N   rows of the CPU with a random pattern and more cells than this are left out
//!                  (10^14: about four minutes on 16 cores)
//! --program FILE   the program `carrywave`, for whole processes; without it none
//! --runs N         timings of each row (5; one where it takes more than 5 s); the results are
//!                  medians
//! --json FILE      the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME    the version, for the results
//! ```
//!
//! Patterns are parts of the text with errors in 5 of 100 symbols, or random. Times are of the
//! whole call, with the start of the match, which the CPU finds. All engines must give the same
//! distance and end, or the run fails.

#[path = "common/mod.rs"]
mod common;

use carrywave::best::Best;
use carrywave::device::{Gpu, PTX_ORIGIN};
use carrywave::job::Recorder;
use carrywave::search::ResidentText;
use carrywave::text::Pattern;
use common::Outcome;
use common::edlib::{Timed, ours};
use common::line::Line;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The command line: texts, patterns and engines to measure.
struct Plan {
    texts: Vec<usize>,
    patterns: Vec<usize>,
    threads: usize,
    most_cells: f64,
    program: Option<PathBuf>,
    runs: usize,
}

/// A row's engine, its times, and what ran.
struct Row {
    engine: &'static str,
    timed: Timed,
    algorithm: String,
}

fn main() -> Outcome<()> {
    let mut plan = Plan { texts: vec![], patterns: vec![], threads: 16, most_cells: 1e14, program: None, runs: 5 };
    let line = Line::read("--text --pattern --threads --most-cells --program --runs", |name, value| {
        match name {
            "--text" => plan.texts.push(value.number::<usize>()?.max(1)),
            "--pattern" => plan.patterns.push(value.number::<usize>()?.max(1)),
            "--threads" => plan.threads = value.number()?,
            "--most-cells" => plan.most_cells = value.number()?,
            "--program" => plan.program = Some(value.text()?.into()),
            "--runs" => plan.runs = value.number::<usize>()?.max(1),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if plan.texts.is_empty() {
        plan.texts.push(500_000_000);
    }
    if plan.patterns.is_empty() {
        plan.patterns.extend([100, 1000, 100_000]);
    }
    let gpu = match Gpu::open(0) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    let mut rows: Vec<Value> = Vec::new();
    for &n in &plan.texts {
        in_text(&plan, &gpu, n, &mut rows)?;
    }
    let all = json!({
        "gpu": gpu.describe()?, "cpu": common::cpu_model(), "threads": plan.threads, "ptx": PTX_ORIGIN, "rows": rows,
    });
    line.write("gpu_nearest", all)
}

/// Measures all patterns in a text of n bases.
fn in_text(plan: &Plan, gpu: &Gpu, n: usize, rows: &mut Vec<Value>) -> Outcome<()> {
    let bases = common::random(n, 4, 1);
    let text: Vec<u8> = bases.into_iter().map(|base| b"ACGT"[usize::from(base) & 3]).collect();
    let folder = tempfile::tempdir()?;
    let fasta = folder.path().join("text.fa");
    if plan.program.is_some() {
        std::fs::write(&fasta, [&b">text\n"[..], &text, b"\n"].concat())?;
    }
    let resident = ResidentText::new(gpu, &text)?;
    for &m in plan.patterns.iter().filter(|&&m| 2 * m < n) {
        for percent in [5, 100] {
            let pattern = common::part_with_errors(&text, m, percent);
            let best = Best::new(Pattern::literal(&pattern));
            let mut all = Vec::new();
            all.push(call("gpu, text there", plan.runs, &best, |best| best.find(&resident))?);
            all.push(call("gpu", plan.runs, &best.clone().on(gpu), |best| best.find(&text))?);
            let on_cpu = percent < 100 || m as f64 * n as f64 <= plan.most_cells;
            if on_cpu {
                let pool = common::pool(plan.threads);
                all.push(call("cpu", plan.runs, &best, |best| pool.install(|| best.find(&text)))?);
            }
            if let Some(program) = &plan.program {
                let file = folder.path().join("pattern.fa");
                std::fs::write(&file, [&b">pattern\n"[..], &pattern, b"\n"].concat())?;
                all.push(process(plan, program, "process, gpu", "gpu", [&file, &fasta])?);
                if on_cpu {
                    all.push(process(plan, program, "process, cpu", "cpu", [&file, &fasta])?);
                }
            }
            let what = if percent == 100 { "random".to_owned() } else { format!("{percent} % errors") };
            report(&what, (pattern.len(), n), &all, rows)?;
        }
    }
    Ok(())
}

/// Times a call of the library.
fn call<'b>(
    engine: &'static str,
    runs: usize,
    best: &Best<'b>,
    find: impl Fn(&Best<'_>) -> carrywave::Result<carrywave::best::BestMatch>,
) -> Outcome<Row> {
    let recorder = Recorder::new();
    // The first call, which is not timed, compiles kernels.
    if engine != "cpu" {
        find(best)?;
    }
    let timed = ours(runs, || {
        let found = find(&best.clone().recorder(&recorder))?;
        Ok((found.distance.into(), found.end))
    })?;
    let report = recorder.take();
    let algorithm = report.as_ref().and_then(|report| report.algorithm()).unwrap_or("unknown").to_owned();
    Ok(Row { engine, timed, algorithm })
}

/// Times the program, on an engine.
fn process(plan: &Plan, program: &Path, name: &'static str, engine: &str, files: [&Path; 2]) -> Outcome<Row> {
    let timed = ours(plan.runs, || {
        let mut command = Command::new(program);
        command.args(["best", "--output", "tsv", "--engine", engine, "--threads", &plan.threads.to_string()]);
        let output = command.arg("-f").args(files).output()?;
        let line = String::from_utf8_lossy(&output.stdout).into_owned();
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            [_, _, end, _, distance, ..] => Ok((distance.parse()?, end.parse()?)),
            _ => Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    })?;
    Ok(Row { engine: name, timed, algorithm: "auto".into() })
}

/// Compares the answers of all engines, and adds and prints their rows.
fn report(what: &str, (m, n): (usize, usize), all: &[Row], rows: &mut Vec<Value>) -> Outcome<()> {
    let median = |row: &Row| common::median(&row.timed.seconds);
    let cpu = all.iter().find(|row| row.engine == "cpu").map(median);
    for row in all {
        let Row { engine, timed: Timed { distance, ends, seconds }, algorithm } = row;
        if (distance, ends) != (&all[0].timed.distance, &all[0].timed.ends) {
            return Err(format!("m = {m}, n = {n}, {what}: {engine} has another answer").into());
        }
        let times = cpu.map(|cpu| cpu / median(row));
        let shown = times.map_or_else(String::new, |times| format!("{times:8.2} times as fast as the CPU"));
        println!("m {m:>7} n {n:>11} {what:10} {engine:16} {algorithm:10} {:9.4} s {shown}", median(row));
        let more = json!({ "distance": distance, "algorithm": algorithm, "times_cpu": times });
        rows.push(common::row("random bases", what, engine, (m, n), seconds, more));
    }
    Ok(())
}
