//! The LCS length of random strings, by size, alphabet and ratio of lengths, and the error of the
//! library's estimate: `cargo bench --bench lcs_null -- --json FILE --commit NAME`. Takes about
//! three minutes on two cores.
//!
//! `--most N` leaves out strings longer than N symbols. The random strings are generated without
//! the library, each symbol from a number between 0 and 1.
//! The results are lengths; the times of the estimate, which takes microseconds, are beside them,
//! so the bench does not use Criterion.
mod common;

use carrywave::lcs::{Composition, expected_length_from, lcs_length};
use common::line::Line;
use common::{Outcome, cpu_model, row};
use serde_json::json;
use std::time::Instant;

/// Lengths of the longer string, and number of pairs of each length.
const SIZES: [(usize, usize); 5] = [(100, 10_000), (1_000, 2_000), (10_000, 200), (100_000, 20), (1_000_000, 3)];
/// Number of estimates for each pair.
const TIMES: usize = 3;

/// Frequencies of symbols in both strings.
struct Pair {
    name: &'static str,
    shares: [Vec<f64>; 2],
}

fn pairs() -> Vec<Pair> {
    let uniform = |symbols: usize| vec![1.0; symbols];
    // In the order A, C, G, T.
    let gc = |percent: f64| vec![100.0 - percent, percent, percent, 100.0 - percent];
    let both = |name, shares: Vec<f64>| Pair { name, shares: [shares.clone(), shares] };
    vec![
        both("2 symbols", uniform(2)),
        both("DNA, GC 50 %", gc(50.0)),
        both("DNA, GC 30 %", gc(30.0)),
        both("DNA, GC 70 %", gc(70.0)),
        Pair { name: "DNA, GC 30 % and 70 %", shares: [gc(30.0), gc(70.0)] },
        both("20 symbols", uniform(20)),
        both("64 symbols", uniform(64)),
        both("256 symbols", uniform(256)),
    ]
}

fn string(shares: &[f64], len: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    let total: f64 = shares.iter().sum();
    let mut ends: Vec<f64> = shares
        .iter()
        .scan(0.0, |sum, share| {
            *sum += share / total;
            Some(*sum)
        })
        .collect();
    if let Some(last) = ends.last_mut() {
        *last = 1.0;
    }
    (0..len)
        .map(|_| {
            let at = random.f64();
            ends.partition_point(|&end| end <= at) as u8
        })
        .collect()
}

fn composition(shares: &[f64]) -> Composition {
    let mut counts = [0; 256];
    counts.iter_mut().zip(shares).for_each(|(count, share)| *count = (share * 1e6) as u64);
    Composition::from_counts(counts)
}

fn main() -> Outcome<()> {
    // `cargo test --benches` runs benches with `--test`: compile only.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let mut most = usize::MAX;
    let line = Line::read("--most", |name, arguments| {
        if name == "--most" {
            most = arguments.number()?;
        }
        Ok(name == "--most")
    })?;
    let mut rows = Vec::new();
    for ratio in [1, 2, 10] {
        for Pair { name, shares } in pairs() {
            for (longer, count) in SIZES.into_iter().filter(|&(longer, _)| longer <= most) {
                let shorter = longer / ratio;
                let mut random =
                    fastrand::Rng::with_seed(0x5eed ^ (longer * ratio) as u64 ^ (shares[0].len() as u64) << 32);
                let lengths = (0..count)
                    .map(|_| {
                        let [a, b] =
                            [(0, shorter), (1, longer)].map(|(own, len)| string(&shares[own], len, &mut random));
                        Ok(lcs_length(&a, &b)? as f64)
                    })
                    .collect::<Outcome<Vec<f64>>>()?;
                let mean = lengths.iter().sum::<f64>() / count as f64;
                let deviation =
                    (lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / (count - 1) as f64).sqrt();
                let compositions = shares.each_ref().map(|shares| composition(shares));
                let mut seconds = Vec::new();
                let mut expected = None;
                for _ in 0..TIMES {
                    let start = Instant::now();
                    expected = Some(expected_length_from(compositions.each_ref(), [shorter as u64, longer as u64]));
                    seconds.push(start.elapsed().as_secs_f64());
                }
                let Some(expected) = expected else { continue };
                let error = 100.0 * (expected.length - mean) / mean;
                eprintln!(
                    "1:{ratio} {name} {shorter} x {longer}: {mean:.1} ± {deviation:.1}, estimate {:.1} ({error:+.3} %)",
                    expected.length
                );
                let more = json!({
                    "pairs": count, "mean_length": mean, "standard_deviation": deviation,
                    "standard_error": deviation / (count as f64).sqrt(),
                    "percent_of_shorter": 100.0 * mean / shorter as f64, "percent_of_longer": 100.0 * mean / longer as f64,
                    "estimate": expected.length, "estimate's_standard_error": expected.standard_error, "estimate's_error_percent": error,
                });
                rows.push(row(
                    &format!("Lengths as 1 to {ratio}"),
                    name,
                    "estimate",
                    (shorter, longer),
                    &seconds,
                    more,
                ));
            }
        }
    }
    line.write("cargo bench --bench lcs_null --", json!({ "cpu": cpu_model(), "rows": rows }))
}
