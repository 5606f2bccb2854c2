//! The job of many short pairs. Dynamic programming checks some of them.

use super::job::{Done, Unit, grouped};
use super::site::{Site, mismatch, rounded};
use carrywave::Result;
use carrywave::device::Cpu;
use carrywave::distance::{Algorithm, Comparison};
use carrywave::internal::measure::ceilings::Ceiling;
use carrywave::internal::measure::inputs::random;
use carrywave::job::Recorder;
use carrywave::pairs::Pairs;

/// Symbols per string, a typical read length.
pub const SYMBOLS: usize = 150;

/// Numbers of pairs: on one thread with AVX-512, on a GPU, and at most.
const ON_CPU: f64 = 600_000.0;
const ON_GPU: f64 = 1_000_000.0;
const MOST: f64 = 2_000_000.0;

/// One in `NEAR` pairs is similar: it differs in at most every tenth symbol.
const NEAR: usize = 7;

/// Approximate number of pairs that dynamic programming checks.
const CHECKED: usize = 40;

/// Returns the first and the second strings of the pairs, one after the other.
pub fn strings(site: &Site<'_>) -> [Vec<u8>; 2] {
    let count = rounded(site.pick((ON_CPU * site.speed).min(MOST), ON_GPU, 2000.0, 64.0));
    let a = random(count * SYMBOLS, 4, 1);
    let mut b = random(count * SYMBOLS, 4, 2);
    for (x, y) in b.chunks_mut(SYMBOLS).zip(a.chunks(SYMBOLS)).step_by(NEAR) {
        x.iter_mut().zip(y).enumerate().filter(|(place, _)| place % 10 != 3).for_each(|(_, (x, y))| *x = *y);
    }
    [a, b]
}

pub fn listed(site: &Site<'_>) -> Result<Option<Done>> {
    let [a, b] = strings(site);
    let count = a.len() / SYMBOLS;
    let pairs: Vec<(&[u8], &[u8])> = a.chunks(SYMBOLS).zip(b.chunks(SYMBOLS)).collect();
    let recorder = Recorder::new();
    let job = Pairs::new().on(site.engine).recorder(&recorder);
    let mut found = None;
    let times = site.time(&recorder, &mut || {
        let distances = found.insert(job.listed(&pairs)?);
        Ok(distances.iter().flatten().map(|&distance| u64::from(distance)).sum())
    })?;
    let found = found.unwrap_or_default();
    let mut faults = times.faults();
    let plain = Comparison::new().on(&Cpu::new()).algorithm(Algorithm::named("dp")?);
    // An odd step, so that the checked pairs include similar and random ones (unless `NEAR` divides
    // it).
    for number in (0..count).step_by((count / CHECKED) | 1) {
        let (x, y) = pairs[number];
        let expected = plain.distance(x, y)?;
        let distance = found.get(number).copied().flatten().map_or(u64::MAX, u64::from);
        faults.extend(mismatch(&format!("pair {number}"), distance, expected));
    }
    let each = (SYMBOLS * SYMBOLS) as f64;
    let in_pairs = |ceiling: Ceiling| Ceiling { per_second: ceiling.per_second / each, ..ceiling };
    Ok(Some(Done {
        size: format!("{} of {SYMBOLS} bases", grouped(count)),
        work: count as f64,
        device_work: count as f64,
        unit: Unit::MillionPairs,
        times,
        ceiling: site.limits.pairs_of_dna().map(in_pairs),
        faults,
    }))
}
