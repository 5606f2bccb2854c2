//! The LCS benchmark for a GPU: `cargo bench --bench gpu_lcs -- [--data DIR] [--runs N] [--json FILE] [--commit NAME]`.
//!
//! Measured: the block-step kernels on random DNA and on two E. coli genomes, the whole comparison with its time split
//! as in Kawanami and Fujimoto's table 1, where the CPU overtakes the GPU, and the GPU's integer issue rate in the same
//! run, which is the limit that the kernels are held against. Every answer is checked against the CPU's.
//! `cargo xtask results` makes a table of the JSON.

mod common;

use carrywave::engine::device::Device;
use carrywave::engine::gpu::Gpu;
use carrywave::kernels::cuda::Kernel;
use carrywave::kernels::issue_rate::{INSTRUCTIONS, IssueRate};
use carrywave::lcs::{Algorithm, Comparison, Engine, Report};
use carrywave::sequence::{ReadOptions, read};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let mut data = PathBuf::from("../shared/data");
    let (mut json_file, mut runs, mut commit) = (None, 5, "not named".to_string());
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--data" => data = value.into(),
            [name, value] if name == "--json" => json_file = Some(PathBuf::from(value)),
            [name, value] if name == "--commit" => commit = value.clone(),
            [name, value] if name == "--runs" => runs = value.parse()?,
            other => return Err(format!("unknown argument {other:?}").into()),
        }
    }
    let gpu = match Gpu::shared(0) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    let mut rows = Vec::new();
    let issue_rate = issue_rate(&gpu, runs, &mut rows)?;
    thresholds(runs, &mut rows)?;
    columns(runs, issue_rate, &mut rows)?;
    genomes(&data, runs, issue_rate, &mut rows)?;
    papers_table(&mut rows)?;
    let all = json!({
        "command": format!("gpu_lcs {}", arguments.join(" ")),
        "commit": commit,
        "gpu": gpu.describe()?,
        "cpu": common::cpu_model(),
        "cpu_threads": rayon::current_num_threads(),
        "ptx": carrywave::engine::gpu::PTX_ORIGIN,
        "rows": rows,
    });
    if let Some(path) = json_file {
        std::fs::write(path, format!("{all:#}\n"))?;
    }
    Ok(())
}

/// Median of some seconds, with the least and the greatest.
fn spread(mut seconds: Vec<f64>) -> (f64, f64, f64) {
    seconds.sort_by(f64::total_cmp);
    (seconds[seconds.len() / 2], seconds[0], seconds[seconds.len() - 1])
}

/// One row of the results; also printed.
fn row(name: &str, engine: &str, m: usize, n: usize, cells: u64, seconds: Vec<f64>, extra: Value) -> Value {
    let (median, least, greatest) = spread(seconds.clone());
    let tcups = cells as f64 / 1e12 / median;
    println!(
        "{name:<28} {engine:<26} {m:>9} × {n:<9} {median:>9.4} s ({least:.4} to {greatest:.4}) {tcups:>8.3} TCUPS {extra}"
    );
    json!({ "name": name, "engine": engine, "m": m, "n": n, "cells": cells, "seconds": seconds, "median_s": median,
            "least_s": least, "greatest_s": greatest, "tcups": tcups, "more": extra })
}

/// Integer instructions a second: the ceiling of every kernel here.
fn issue_rate(gpu: &Gpu, runs: usize, rows: &mut Vec<Value>) -> Outcome<f64> {
    let (turns, blocks) = (4096u32, gpu.describe()?.multiprocessors as u32 * 8);
    let threads = u64::from(blocks) * u64::from(IssueRate::BLOCK_THREADS);
    let queue = gpu.queue()?;
    let out = gpu.alloc::<u32>(threads as usize, "out")?;
    let mut seconds = Vec::new();
    for run in 0..=runs {
        let kernel = IssueRate { turns, seed: 5, out: gpu.handle(&out) };
        let started = Instant::now();
        // SAFETY: one word a thread.
        unsafe { gpu.launch(&queue, blocks, kernel)? };
        gpu.wait(&queue)?;
        if run > 0 {
            seconds.push(started.elapsed().as_secs_f64());
        }
    }
    let (median, ..) = spread(seconds.clone());
    let instructions = threads * u64::from(turns) * INSTRUCTIONS;
    let rate = instructions as f64 / median;
    println!("integer issue rate: {rate:.4e} thread instructions/s");
    rows.push(json!({ "name": "integer issue rate", "engine": "gpu issue_rate", "instructions": instructions,
                      "seconds": seconds, "median_s": median, "instructions_per_s": rate }));
    Ok(rate)
}

fn random_dna(len: usize, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| b"ACGT"[random.usize(..4)]).collect()
}

/// Kernel seconds and cells of a report: match vectors and all launches, both halves of a split at once.
fn kernel(report: &Report) -> (f64, u64) {
    (report.kernels.as_secs_f64(), report.device_cells)
}

/// Instructions of sm_90 machine code for one column of a computing block (1,024 cells, one warp), counted in the inner
/// loop that `cargo xtask sass` shows.
fn instructions_per_column(algorithm: Algorithm) -> u32 {
    if algorithm == Algorithm::BlockStep { 97 } else { 35 }
}

/// What a kernel reaches of the rate that its inner loop would have if every scheduler issued in every cycle.
fn limit(algorithm: Algorithm, cells: u64, seconds: &[f64], issue_rate: f64) -> Value {
    let instructions = instructions_per_column(algorithm);
    // 32 threads issue an instruction together; a column of a warp is 1,024 cells.
    let limit = issue_rate / 32.0 / f64::from(instructions) * 1024.0;
    let reached = cells as f64 / spread(seconds.to_vec()).0;
    json!({ "instructions_per_column": instructions, "limit_tcups": limit / 1e12, "share_of_limit": reached / limit })
}

/// One column by size on the GPU and on all CPU threads: where they cross.
fn thresholds(runs: usize, rows: &mut Vec<Value>) -> Outcome<()> {
    for exponent in 12..=20 {
        let len = 1usize << exponent;
        let (a, b) = (random_dna(len, 1), random_dna(len, 2));
        let cells = (len * len) as u64;
        let mut lengths = Vec::new();
        for (engine, algorithm) in [
            (Engine::Cpu, Algorithm::BitParallel),
            (Engine::Gpu, Algorithm::BlockStepLookAhead),
            (Engine::Gpu, Algorithm::BlockStep),
        ] {
            let job = Comparison::new().engine(engine).algorithm(algorithm).thresholds(0, 1);
            let mut seconds = Vec::new();
            for run in 0..=runs {
                let (length, report) = job.length_with_report(&a, &b)?;
                lengths.push(length);
                if run > 0 {
                    seconds.push(report.total.as_secs_f64());
                }
            }
            rows.push(row(
                "one column, end to end",
                &format!("{engine} {algorithm}"),
                len,
                len,
                cells,
                seconds,
                Value::Null,
            ));
        }
        assert!(lengths.iter().all(|l| *l == lengths[0]), "{lengths:?}");
    }
    Ok(())
}

/// Kernel time of one long column.
fn columns(runs: usize, issue_rate: f64, rows: &mut Vec<Value>) -> Outcome<()> {
    for len in [2_000_000, 4_300_000] {
        let (a, b) = (random_dna(len, 3), random_dna(len, 4));
        let mut lengths = Vec::new();
        for algorithm in [Algorithm::BlockStep, Algorithm::BlockStepLookAhead] {
            let job = Comparison::new().engine(Engine::Gpu).algorithm(algorithm).thresholds(0, 1);
            let (mut seconds, mut cells) = (Vec::new(), 0);
            for _ in 0..runs {
                let (length, report) = job.length_with_report(&a, &b)?;
                lengths.push(length);
                seconds.push(kernel(&report).0);
                cells = kernel(&report).1;
            }
            let more = limit(algorithm, cells, &seconds, issue_rate);
            rows.push(row("kernel, random DNA", &format!("gpu {algorithm}"), len, len, cells, seconds, more));
        }
        assert!(lengths.iter().all(|l| *l == lengths[0]), "{lengths:?}");
    }
    Ok(())
}

/// E. coli MG1655 × DH1: the length, and the subsequence with its time split, against the CPU's.
fn genomes(data: &Path, runs: usize, issue_rate: f64, rows: &mut Vec<Value>) -> Outcome<()> {
    let file = |name: &str| read(data.join(name), &ReadOptions::default());
    let (a, b) = match (file("MG1655-K12.fasta.gz"), file("DH1.fasta.gz")) {
        (Ok(a), Ok(b)) => (a.symbols, b.symbols),
        (Err(error), _) | (_, Err(error)) => {
            println!("E. coli left out: {error}");
            return Ok(());
        }
    };
    let (m, n) = (a.len(), b.len());
    let cells = m as u64 * n as u64;
    let mut lengths = Vec::new();
    for algorithm in [Algorithm::BlockStep, Algorithm::BlockStepLookAhead] {
        let job = Comparison::new().engine(Engine::Gpu).algorithm(algorithm);
        let mut seconds = Vec::new();
        for _ in 0..runs {
            let (length, report) = job.length_with_report(&a, &b)?;
            lengths.push(length);
            seconds.push(kernel(&report).0);
        }
        let mut more = limit(algorithm, cells, &seconds, issue_rate);
        more["length"] = json!(lengths[0]);
        rows.push(row("E. coli, length: kernel", &format!("gpu {algorithm}"), m, n, cells, seconds, more));
    }
    let cpu = Comparison::new().engine(Engine::Cpu);
    let (length, report) = cpu.length_with_report(&a, &b)?;
    lengths.push(length);
    let total = vec![report.total.as_secs_f64()];
    rows.push(row("E. coli, length", "cpu bit-parallel", m, n, cells, total, json!({ "length": length })));

    let (reference, report) = cpu.subsequence_with_report(&a, &b)?;
    reference.verify(&a, &b)?;
    lengths.push(reference.len());
    let total = vec![report.total.as_secs_f64()];
    rows.push(row(
        "E. coli, subsequence",
        "cpu bit-parallel",
        m,
        n,
        report.cells,
        total,
        json!({ "length": reference.len() }),
    ));
    for algorithm in [Algorithm::BlockStep, Algorithm::BlockStepLookAhead] {
        let job = Comparison::new().engine(Engine::Gpu).algorithm(algorithm);
        let mut reports = Vec::new();
        for _ in 0..runs.min(3) {
            let (lcs, report) = job.subsequence_with_report(&a, &b)?;
            assert_eq!(lcs, reference, "the same subsequence as the CPU's");
            lengths.push(lcs.len());
            reports.push(report);
        }
        let mut split = split(&reports);
        split["length"] = json!(reference.len());
        split["runs_of_matches"] = json!(reference.runs().len());
        let seconds = reports.iter().map(|r| r.total.as_secs_f64()).collect();
        rows.push(row("E. coli, subsequence", &format!("gpu {algorithm}"), m, n, reports[0].cells, seconds, split));
    }
    assert!(lengths.iter().all(|l| *l == lengths[0]), "{lengths:?}");
    Ok(())
}

/// The time split of the paper's table 1: medians over some runs.
fn split(reports: &[Report]) -> Value {
    let median = |f: &dyn Fn(&Report) -> f64| spread(reports.iter().map(f).collect()).0;
    json!({
        "cpu_s": median(&|r| r.cpu().as_secs_f64()),
        "gpu_s": median(&|r| r.kernels.as_secs_f64()),
        "transfer_s": median(&|r| r.transfer.as_secs_f64()),
        "device_cells": reports[0].device_cells,
    })
}

/// Rows of the paper's table 1 (random strings there, random DNA here), with its own seconds on a GTX 580.
fn papers_table(rows: &mut Vec<Value>) -> Outcome<()> {
    for (m, n, paper) in [(5_000_000, 1_000_000, 335.10), (5_000_000, 5_000_000, 1050.03)] {
        let (a, b) = (random_dna(m, 5), random_dna(n, 6));
        for algorithm in [Algorithm::BlockStep, Algorithm::BlockStepLookAhead] {
            let job = Comparison::new().engine(Engine::Gpu).algorithm(algorithm);
            let (lcs, report) = job.subsequence_with_report(&a, &b)?;
            lcs.verify(&a, &b)?;
            let mut more = split(&[report]);
            more["paper_s"] = json!(paper);
            let seconds = vec![report.total.as_secs_f64()];
            rows.push(row(
                "paper's table 1, subsequence",
                &format!("gpu {algorithm}"),
                m,
                n,
                report.cells,
                seconds,
                more,
            ));
        }
    }
    Ok(())
}
