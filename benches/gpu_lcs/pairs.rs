//! Part `pairs`: many pairs of short strings, whose lengths and LCSs by the wavefront must equal
//! those by block-step and on the CPU.

use crate::algorithms::{BIT_PARALLEL, LOOK_AHEAD, WAVEFRONT};
use crate::bench::{Bench, Outcome, Row, reported};
use crate::common;
use serde_json::json;
use std::time::Instant;

/// Tables up to this size, in cells, are solved without recursion. It is small, so that the
/// recursion is deep.
const LEAF: u64 = 1 << 10;

pub fn run(bench: &mut Bench) -> Outcome<()> {
    let (pairs, longest) = if bench.options.rehearse { (20, 300) } else { (1000, 5000) };
    let mut random = fastrand::Rng::with_seed(11);
    // Block-step launches kernels for every subproblem, so the CPU takes the small ones.
    let least = (longest * longest / 25) as u64;
    let jobs = [
        (WAVEFRONT, bench.job(WAVEFRONT)?.thresholds(0, LEAF)),
        (LOOK_AHEAD, bench.job(LOOK_AHEAD)?.thresholds(least, LEAF)),
        (BIT_PARALLEL, bench.job(BIT_PARALLEL)?.thresholds(0, LEAF)),
    ];
    let (mut seconds, mut cells) = ([0.0; 3], 0);
    for pair in 0..pairs {
        // Short strings are more frequent than long ones.
        let mut len = || 1 + (random.f64().powi(2) * (longest as f64 - 1.0)) as usize;
        let m = len();
        let n = len();
        let symbols = [2, 4, 20, 64, 256][pair % 5];
        let a = common::random(m, symbols, random.u64(..));
        let mut b = common::random(n, symbols, random.u64(..));
        if pair % 2 == 0 {
            b = relative(&a, &b, &mut random);
        }
        let n = b.len();
        let mut reference = None;
        for ((algorithm, job), seconds) in jobs.iter().zip(&mut seconds) {
            let started = Instant::now();
            let length = job.length(&a, &b)?;
            let (lcs, report) = reported(job, |job| job.alignment(&a, &b))?;
            *seconds += started.elapsed().as_secs_f64();
            lcs.verify(&a, &b)?;
            if *algorithm == WAVEFRONT {
                cells += m as u64 * n as u64 + report.done;
            }
            if lcs.len() != length || *reference.get_or_insert_with(|| lcs.clone()) != lcs {
                let why = format!("pair {pair}, {m} × {n} of {symbols} symbols: {algorithm} finds something else");
                return Err(why.into());
            }
        }
    }
    let [wavefront, block_step, cpu] = seconds;
    bench.row(Row {
        name: "pairs, length and subsequence",
        engine: bench.label(WAVEFRONT),
        m: longest,
        n: longest,
        cells,
        seconds: vec![wavefront],
        more: json!({ "pairs": pairs, "look_ahead_s": block_step, "cpu_s": cpu }),
    });
    Ok(())
}

/// Returns a copy of `a` with about a tenth of its symbols replaced, deleted or followed by
/// another; new symbols come from `others`.
fn relative(a: &[u8], others: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut b = Vec::new();
    for &symbol in a {
        let other = others[random.usize(..others.len())];
        match random.u32(..30) {
            0 => b.push(other),
            1 => {}
            2 => b.extend([symbol, other]),
            _ => b.push(symbol),
        }
    }
    if b.is_empty() {
        b.push(others[0]);
    }
    b
}
