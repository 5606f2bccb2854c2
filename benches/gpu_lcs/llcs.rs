//! Part `llcs`: the length of an LCS of random strings, for the whole call and for its kernels
//! alone.

use crate::algorithms::{BIT_PARALLEL, LOOK_AHEAD, WAVEFRONT};
use crate::bench::{Bench, Outcome, RANDOM_DNA, Row, median, random_pair, split, totals};
use serde_json::json;

/// Strings, and the algorithms that check the wavefront's answer, in one run each.
struct Case {
    name: &'static str,
    symbols: u64,
    m: usize,
    n: usize,
    checks: &'static [&'static str],
}

const CASES: [Case; 10] = [
    Case { name: RANDOM_DNA, symbols: 4, m: 20_000_000, n: 10_000_000, checks: &[LOOK_AHEAD] },
    Case { name: "random, 64 symbols", symbols: 64, m: 20_000_000, n: 10_000_000, checks: &[] },
    Case { name: "random, 20 symbols", symbols: 20, m: 20_000_000, n: 10_000_000, checks: &[] },
    Case { name: "random, 256 symbols", symbols: 256, m: 20_000_000, n: 10_000_000, checks: &[] },
    Case { name: "random, 20 symbols", symbols: 20, m: 4_000_000, n: 4_000_000, checks: &[] },
    Case { name: "random, 256 symbols", symbols: 256, m: 4_000_000, n: 4_000_000, checks: &[] },
    Case { name: "random, 256 symbols", symbols: 256, m: 1_000_000, n: 1_000_000, checks: &[LOOK_AHEAD] },
    Case { name: RANDOM_DNA, symbols: 4, m: 1_000_000, n: 1_000_000, checks: &[LOOK_AHEAD, BIT_PARALLEL] },
    Case { name: RANDOM_DNA, symbols: 4, m: 100_000, n: 100_000, checks: &[] },
    Case { name: RANDOM_DNA, symbols: 4, m: 10_000, n: 10_000, checks: &[] },
];

pub fn run(bench: &mut Bench) -> Outcome<()> {
    for Case { name, symbols, m, n, checks } in CASES {
        // The limit of the kernels applies to long strings of few symbols.
        let long = symbols == 4 && m.min(n) >= 4_000_000;
        let m = bench.size(m);
        let n = bench.size(n);
        let (a, b) = random_pair(symbols, m, n);
        let cells = m as u64 * n as u64;
        let checks = checks.iter().map(|&algorithm| (algorithm, 1));
        for (algorithm, runs) in [(WAVEFRONT, bench.options.runs)].into_iter().chain(checks) {
            let (length, reports) = bench.length(algorithm, runs, &a, &b)?;
            let mut more = json!({ "length": length });
            if algorithm != BIT_PARALLEL {
                more = split(&reports);
                more["length"] = json!(length);
                if let Some(limits) = bench.limits.as_ref().filter(|_| long) {
                    let kernels = median(&reports, |r| r.kernels.as_secs_f64());
                    more["share_of_limit"] = limits.share(algorithm, cells as f64 / kernels);
                }
            }
            bench.row(Row { name, engine: bench.label(algorithm), m, n, cells, seconds: totals(&reports), more });
            bench.agree(name, m, n, length)?;
        }
    }
    Ok(())
}
