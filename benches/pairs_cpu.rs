//! Distances of many pairs on the CPU, and of single pairs compared with the crate rapidfuzz. GCUPS
//! are 10⁹ cells per second.
//!
//! `benches/pairs_peers.py` runs this with `--lists` beside rapidfuzz's `cdist`, which has SIMD of
//! its own.
//!
//! ```text
//! --threads N     threads (1)
//! --runs N        timings of each row (5); the results are medians
//! --lists A B     instead: all strings of a file, one a line, to all of another; prints seconds
//!                 and the sum of the distances
//! --indel         with --lists: insertions and deletions alone
//! --max K         with --lists: the maximum
//! --json FILE     the results as JSON
//! --commit NAME   the version, for the results
//! ```
mod common;

use carrywave::distance::distance;
use carrywave::lcs_length;
use carrywave::pairs::{Cost, Pairs};
use common::line::Line;
use common::{Outcome, median};
use rapidfuzz::distance::{lcs_seq, levenshtein};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;

/// Returns the median seconds of some runs.
fn seconds(runs: usize, mut run: impl FnMut()) -> f64 {
    let times: Vec<f64> = (0..runs.max(1))
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed().as_secs_f64()
        })
        .collect();
    median(&times)
}

fn strings(count: usize, len: usize, symbols: u64, seed: u64) -> Vec<Vec<u8>> {
    (0..count).map(|number| common::random(len, symbols, seed + number as u64)).collect()
}

/// Returns the sum of all distances, so that no computation is optimised away.
fn sum(job: &Pairs<'_>, a: &[Vec<u8>], b: &[Vec<u8>]) -> carrywave::Result<u64> {
    let mut sum = 0;
    job.all(a, b, |_, row| {
        sum += row.iter().flatten().map(|&distance| u64::from(distance)).sum::<u64>();
        Ok(())
    })?;
    Ok(sum)
}

/// Times all pairs of two lists, and lists of pairs.
fn batches(runs: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    println!(
        "{:>8} {:>8} {:>12} {:>16} {:>16} {:>18}",
        "symbols", "length", "cost", "all GCUPS", "listed GCUPS", "k = 10 ns a pair"
    );
    for (len, a, b) in [(16, 1000, 4096), (64, 500, 4096), (100, 500, 4096), (1000, 50, 512), (10_000, 4, 512)] {
        for symbols in [4, 64, 256] {
            let a = strings(a, len, symbols, 1);
            let b = strings(b, len, symbols, 1 << 32);
            let pairs: Vec<(&[u8], &[u8])> = b.iter().zip(b.iter().skip(1)).map(|(a, b)| (&a[..], &b[..])).collect();
            for cost in [Cost::Levenshtein, Cost::Indel] {
                let job = Pairs::new().cost(cost);
                let all = seconds(runs, || drop(black_box(sum(&job, &a, &b))));
                let listed = seconds(runs, || drop(black_box(job.listed(&pairs))));
                let near = job.clone().maximum(10);
                let near = seconds(runs, || drop(black_box(near.listed(&pairs))));
                let cells = (len * len) as f64 / 1e9;
                let all = (a.len() * b.len()) as f64 * cells / all;
                let listed = pairs.len() as f64 * cells / listed;
                let near = near * 1e9 / pairs.len() as f64;
                println!("{symbols:>8} {len:>8} {:>12} {all:>16.1} {listed:>16.1} {near:>18.0}", format!("{cost:?}"));
                rows.push(json!({
                    "symbols": symbols, "length": len, "cost": cost,
                    "all_gcups": all, "listed_gcups": listed, "listed_10_ns": near,
                }));
            }
        }
    }
    rows
}

/// A distance or a length of two strings.
type Peer = fn(&[u8], &[u8]) -> u64;

/// Times single calls with changing strings, compared with rapidfuzz.
fn single(runs: usize) -> Outcome<Vec<Value>> {
    let mut rows = Vec::new();
    println!(
        "{:>8} {:>8} {:>16} {:>12} {:>12} {:>12}",
        "symbols", "length", "Levenshtein ns", "rapidfuzz", "LCS ns", "rapidfuzz"
    );
    for len in [8, 16, 32, 64, 100, 1000] {
        for symbols in [4, 26] {
            let a = strings(256, len, symbols, 1);
            let b = strings(256, len, symbols, 1 << 32);
            let calls = (20_000_000 / (len * len + 1000)).next_multiple_of(256);
            let time = |call: &dyn Fn(&[u8], &[u8]) -> u64| {
                let run = || {
                    let pair = |call: usize| (black_box(&a[call % 256][..]), black_box(&b[call % 256][..]));
                    black_box((0..calls).map(pair).map(|(a, b)| call(a, b)).sum::<u64>());
                };
                seconds(3 * runs, run) * 1e9 / calls as f64
            };
            let peers: [Peer; 4] = [
                |a, b| distance(a, b).unwrap_or(0),
                |a, b| levenshtein::distance(a.iter().copied(), b.iter().copied()) as u64,
                |a, b| lcs_length(a, b).unwrap_or(0),
                |a, b| lcs_seq::similarity(a.iter().copied(), b.iter().copied()) as u64,
            ];
            for (a, b) in a.iter().zip(&b) {
                assert_eq!((peers[0](a, b), peers[2](a, b)), (peers[1](a, b), peers[3](a, b)));
            }
            let [ours, theirs, lcs, their_lcs] = peers.map(|peer| time(&peer));
            println!("{symbols:>8} {len:>8} {ours:>16.0} {theirs:>12.0} {lcs:>12.0} {their_lcs:>12.0}");
            rows.push(json!({
                "symbols": symbols, "length": len, "levenshtein_ns": ours, "rapidfuzz_levenshtein_ns": theirs,
                "lcs_ns": lcs, "rapidfuzz_lcs_ns": their_lcs,
            }));
        }
    }
    Ok(rows)
}

/// Returns the lines of a file.
fn lines(path: &str) -> Outcome<Vec<Vec<u8>>> {
    let text = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let text = text.strip_suffix(b"\n").unwrap_or(&text);
    Ok(text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect())
}

fn main() -> Outcome<()> {
    let (mut threads, mut runs, mut lists, mut cost, mut maximum) = (1, 5, None, Cost::Levenshtein, None);
    let names = "--threads --runs --lists --indel --max";
    let line = Line::read(names, |name, arguments| {
        match name {
            "--threads" => threads = arguments.number()?,
            "--runs" => runs = arguments.number()?,
            "--lists" => lists = Some([arguments.text()?, arguments.text()?]),
            "--indel" => cost = Cost::Indel,
            "--max" => maximum = Some(arguments.number()?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    // Jobs are called from a thread of the pool, since handing over a small job takes longer than
    // the job.
    let pool = common::pool(threads);
    let Some([a, b]) = lists else {
        println!("{}, {threads} thread(s), medians of {runs}", common::cpu_model());
        let results = json!({
            "cpu": common::cpu_model(), "threads": threads, "runs": runs, "single": single(runs)?, "batches": pool.install(|| batches(runs)),
        });
        return line.write("pairs_cpu", results);
    };
    let a = lines(&a)?;
    let b = lines(&b)?;
    let job = Pairs::new().cost(cost);
    let job = maximum.map_or(job.clone(), |maximum| job.maximum(maximum));
    let (total, seconds) = pool.install(|| (sum(&job, &a, &b), seconds(runs, || drop(black_box(sum(&job, &a, &b))))));
    println!("{seconds} {}", total?);
    Ok(())
}
