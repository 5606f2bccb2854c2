//! Part `grid`: Kawanami and Fujimoto's table 1 (2014): an LCS itself for strings of 5 to 20 million × 1 to 10 million,
//! random strings there on a GeForce GTX 580, random DNA here.

use crate::bench::{
    BLOCK_STEP, Bench, LOOK_AHEAD, Outcome, RANDOM_DNA, Row, WAVEFRONT, median, random_pair, split, spread, totals,
};
use serde_json::{Value, json};

/// Millions of symbols of A, and the paper's seconds in all for B of 1 to 10 million.
const PAPER: [(usize, [f64; 10]); 4] = [
    (5, [335.10, 515.95, 697.56, 866.04, 1050.03, 1251.85, 1453.22, 1652.43, 1850.64, 2046.29]),
    (10, [647.21, 998.79, 1354.90, 1680.16, 2047.44, 2341.78, 2679.54, 2991.43, 3357.05, 3667.39]),
    (15, [954.44, 1472.40, 2002.67, 2485.72, 3039.24, 3472.54, 3980.38, 4441.27, 5005.08, 5462.73]),
    (20, [1262.07, 1945.03, 2650.20, 3290.98, 4027.68, 4599.46, 5274.06, 5881.29, 6637.26, 7239.77]),
];

const MILLION: usize = 1_000_000;

/// Cells (mn) above which one run has to do, but for the largest pair: the times of long runs hardly differ.
const LONG: f64 = 5e13;

pub fn run(bench: &mut Bench) -> Outcome<()> {
    let (all_a, all_b) = random_pair(4, bench.size(20 * MILLION), bench.size(10 * MILLION));
    for (millions, seconds) in PAPER {
        for (i, paper) in seconds.into_iter().enumerate() {
            let (full_m, full_n) = (millions * MILLION, (i + 1) * MILLION);
            let product = full_m as f64 * full_n as f64;
            let (a, b) = (&all_a[..bench.size(full_m)], &all_b[..bench.size(full_n)]);
            let (m, n) = (a.len(), b.len());
            let runs = if product > LONG && (full_m, full_n) != (20 * MILLION, 10 * MILLION) { 1 } else { 3 };
            let (lcs, reports) = bench.subsequence(WAVEFRONT, bench.options.runs.min(runs), a, b)?;
            bench.agree(RANDOM_DNA, m, n, lcs.len())?;
            // What was found before, as published and with look-ahead: where it does not take too long.
            let mut before = [Value::Null, Value::Null];
            if product <= bench.options.block_step_cells {
                for (algorithm, seconds) in [BLOCK_STEP, LOOK_AHEAD].into_iter().zip(&mut before) {
                    let (other, reports) = bench.subsequence(algorithm, 1, a, b)?;
                    if other != lcs {
                        return Err(format!("{m} × {n}: {algorithm} gives another subsequence").into());
                    }
                    *seconds = json!(median(&reports, |r| r.total.as_secs_f64()));
                }
            }
            let seconds = totals(&reports);
            let mut more = split(&reports);
            more["paper_s"] = json!(paper);
            more["times_as_fast"] = json!(paper / spread(&seconds).0);
            [more["block_step_s"], more["look_ahead_s"]] = before;
            let (engine, cells) = (bench.label(WAVEFRONT), reports[0].cells);
            bench.row(Row { name: "random DNA, subsequence", engine, m, n, cells, seconds, more });
        }
    }
    Ok(())
}
