//! Part `gpus`: random DNA of 20 million × 20 million on 1, 2, … GPUs.

use crate::algorithms::WAVEFRONT;
use crate::bench::{Bench, Outcome, RANDOM_DNA, Row, random_pair, repeat, reported, split, spread, totals};
use serde_json::json;

const LEN: usize = 20_000_000;

pub fn run(bench: &mut Bench) -> Outcome<()> {
    let len = bench.size(LEN);
    let (a, b) = random_pair(4, len, len);
    let m = len;
    let n = len;
    let mut alone = None;
    for gpus in 1..=bench.options.gpus {
        let engine = bench.gpus(gpus)?;
        let job = bench.job(WAVEFRONT)?.on(&*engine).thresholds(0, 1);
        // The first run also compiles the kernels for these GPUs.
        let (length, reports) = repeat(3, true, || reported(&job, |job| job.length(&a, &b)))?;
        let seconds = totals(&reports);
        let median = spread(&seconds).0;
        let mut more = split(&reports);
        more["gpus"] = json!(gpus);
        more["speed_up"] = json!(*alone.get_or_insert(median) / median);
        more["length"] = json!(length);
        let engine = format!("{} on {gpus}", bench.label(WAVEFRONT));
        bench.row(Row { name: "random DNA, length", engine, m, n, cells: m as u64 * n as u64, seconds, more });
        bench.agree(RANDOM_DNA, m, n, length)?;
    }

    let mut reference = None;
    for gpus in [1, bench.options.gpus] {
        let job = bench.job(WAVEFRONT)?.on(&*bench.gpus(gpus)?);
        let (lcs, report) = reported(&job, |job| job.alignment(&a, &b))?;
        lcs.verify(&a, &b)?;
        bench.agree(RANDOM_DNA, m, n, lcs.len())?;
        let mut more = split(std::slice::from_ref(&report));
        more["gpus"] = json!(gpus);
        more["length"] = json!(lcs.len());
        let engine = format!("{} on {gpus}", bench.label(WAVEFRONT));
        let seconds = totals(std::slice::from_ref(&report));
        bench.row(Row { name: "random DNA, subsequence", engine, m, n, cells: report.done, seconds, more });
        if *reference.get_or_insert_with(|| lcs.clone()) != lcs {
            return Err(format!("1 and {gpus} GPUs give different subsequences").into());
        }
    }
    Ok(())
}
