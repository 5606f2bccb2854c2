//! Part `thresholds`: one column by size, on the GPU and on all CPU threads, to find where the
//! curves cross.

use crate::algorithms::{BIT_PARALLEL, BLOCK_STEP, gpu_algorithms};
use crate::bench::{Bench, Outcome, RANDOM_DNA, Row, random_pair, totals};
use serde_json::Value;

pub fn run(bench: &mut Bench) -> Outcome<()> {
    let exponents = if bench.options.rehearse { 4..=8 } else { 12..=20 };
    for len in exponents.map(|exponent| 1usize << exponent) {
        let (a, b) = random_pair(4, len, len);
        for algorithm in gpu_algorithms().chain([BIT_PARALLEL]) {
            // The warm-up counts as a run: the slowest algorithm is not run often.
            let runs = if algorithm == BLOCK_STEP { bench.options.runs.min(2) } else { bench.options.runs.max(2) };
            let (length, reports) = bench.length(algorithm, runs, &a, &b)?;
            bench.agree(RANDOM_DNA, len, len, length)?;
            bench.row(Row {
                name: "one column, end to end",
                engine: bench.label(algorithm),
                m: len,
                n: len,
                cells: (len * len) as u64,
                seconds: totals(&reports),
                more: Value::Null,
            });
        }
    }
    Ok(())
}
