//! The jobs of two long strings: LCS and edit distance, of random and of similar strings.
//!
//! Dynamic programming on the same engine checks each job on shorter strings. For similar strings,
//! the subsequence and the script also verify the lengths and distances of the timed strings: they
//! bound them from one side, and are computed by a different algorithm.

use super::job::{Done, Unit, grouped};
use super::site::{Site, Times, mismatch};
use carrywave::device::Cpu;
use carrywave::internal::lcs::LEAF_CELLS;
use carrywave::internal::measure::inputs::{random, tokens, with_errors};
use carrywave::job::Recorder;
use carrywave::{Result, distance, lcs};

/// Symbols of the similar strings.
const SIMILAR: usize = 1_000_000;

/// Formats the lengths of two strings.
fn two(m: usize, n: usize) -> String {
    format!("{} × {}", grouped(m), grouped(n))
}

/// Returns the length of strings for the check by dynamic programming: long enough to use all lanes
/// and kernels.
fn checked(site: &Site<'_>) -> usize {
    site.pick(6000, 6000, 1500, 200)
}

/// Returns a comparison on the site's engine that uses it down to the smallest parts.
fn lcs_on<'p>(site: &Site<'_>) -> lcs::Comparison<'p> {
    lcs::Comparison::new().on(site.engine).thresholds(0, LEAF_CELLS)
}

fn distance_on<'p>(site: &Site<'_>) -> distance::Comparison<'p> {
    distance::Comparison::new().on(site.engine).thresholds(0, LEAF_CELLS)
}

/// Computes the LCS length of two strings by dynamic programming.
fn plain_lcs(a: &[u8], b: &[u8]) -> Result<u64> {
    lcs::Comparison::new().on(&Cpu::new()).algorithm(lcs::Algorithm::named("dp")?).length(a, b)
}

fn plain_distance(a: &[u8], b: &[u8]) -> Result<u64> {
    distance::Comparison::new().on(&Cpu::new()).algorithm(distance::Algorithm::named("dp")?).distance(a, b)
}

/// Returns a base for a symbol of random DNA.
pub fn base(symbol: u8) -> u8 {
    b"ACGT"[usize::from(symbol & 3)]
}

/// Returns the lengths of the strings of three jobs.
pub fn side_of_lcs(site: &Site<'_>) -> usize {
    site.side(1.6e11, 5e13)
}

pub fn side_of_subsequence(site: &Site<'_>) -> usize {
    site.side(8e10, 2e13)
}

pub fn side_of_distance(site: &Site<'_>) -> usize {
    site.side(9e10, 2e13)
}

/// Returns the cells that the kernels of a run computed.
fn cells_of_kernels(times: &Times) -> f64 {
    times.report().map_or(0.0, |report| report.done_by_kernels as f64)
}

pub fn lcs_of_dna(site: &Site<'_>) -> Result<Option<Done>> {
    lcs_length(site, 4, side_of_lcs(site))
}

pub fn lcs_of_64(site: &Site<'_>) -> Result<Option<Done>> {
    lcs_length(site, 64, site.side(8e10, 3e13))
}

pub fn lcs_of_256(site: &Site<'_>) -> Result<Option<Done>> {
    lcs_length(site, 256, site.side(6e10, 2e13))
}

/// Times the LCS length of random strings.
fn lcs_length(site: &Site<'_>, symbols: usize, side: usize) -> Result<Option<Done>> {
    let [a, b] = [1, 2].map(|seed| random(side, symbols as u64, seed));
    let recorder = Recorder::new();
    let comparison = lcs::Comparison::new().on(site.engine).recorder(&recorder);
    let times = site.time(&recorder, &mut || comparison.length(&a, &b))?;
    let mut faults = times.faults();
    let short = checked(site).min(side);
    let x = &a[..short];
    let y = &b[..short];
    faults.extend(mismatch("LCS length of shorter strings", lcs_on(site).length(x, y)?, plain_lcs(x, y)?));
    Ok(Some(Done {
        size: two(side, side),
        work: side as f64 * side as f64,
        device_work: cells_of_kernels(&times),
        unit: Unit::Tcups,
        times,
        ceiling: Some(site.limits.lcs(symbols)),
        faults,
    }))
}

pub fn subsequence(site: &Site<'_>) -> Result<Option<Done>> {
    let side = side_of_subsequence(site);
    let [a, b] = [3, 4].map(|seed| random(side, 4, seed));
    let recorder = Recorder::new();
    let comparison = lcs::Comparison::new().on(site.engine).recorder(&recorder);
    let mut found = None;
    let times = site.time(&recorder, &mut || Ok(found.insert(comparison.alignment(&a, &b)?).len()))?;
    let mut faults = times.faults();
    faults.extend(found.and_then(|lcs| lcs.verify(&a, &b).err()).map(|error| error.to_string()));
    faults.extend(mismatch("length of the subsequence", times.answer(), comparison.length(&a, &b)?));
    Ok(Some(Done {
        size: two(side, side),
        work: times.report().map_or(0.0, |report| report.done as f64),
        device_work: cells_of_kernels(&times),
        unit: Unit::Tcups,
        times,
        ceiling: Some(site.limits.lcs(4)),
        faults,
    }))
}

pub fn lcs_of_tokens(site: &Site<'_>) -> Result<Option<Done>> {
    let side = site.side(3e9, 1e12);
    let [a, b] = [5, 6].map(|seed| tokens(side, 1000, seed));
    let recorder = Recorder::new();
    let comparison = lcs::Comparison::new().on(site.engine).recorder(&recorder);
    let mut found = None;
    let times = site.time(&recorder, &mut || Ok(found.insert(comparison.alignment_of(&a, &b)?).len()))?;
    let mut faults = times.faults();
    let items =
        |tokens: &[u32], start: u64, len: u64| tokens.get(start as usize..(start + len) as usize).map(<[u32]>::to_vec);
    let runs = found.iter().flat_map(|lcs| lcs.runs());
    let equal = runs.into_iter().all(|run| {
        let own = items(&a, run.a_start, run.len);
        own.is_some() && own == items(&b, run.b_start, run.len)
    });
    if !equal {
        faults.push("the LCS pairs tokens that differ".into());
    }
    // With fewer than 256 distinct tokens, the tokens fit into bytes.
    let short = checked(site).min(side) / 4;
    let [x, y] = [7, 8].map(|seed| tokens(short, 250, seed));
    let bytes = |tokens: &[u32]| tokens.iter().map(|&token| token as u8).collect::<Vec<u8>>();
    let length = comparison.alignment_of(&x, &y)?.len();
    faults.extend(mismatch("LCS length of shorter token sequences", length, plain_lcs(&bytes(&x), &bytes(&y))?));
    Ok(Some(Done {
        size: two(side, side),
        work: side as f64 * side as f64,
        device_work: 0.0,
        unit: Unit::Tcups,
        times,
        ceiling: None,
        faults,
    }))
}

/// A string and a copy with errors.
struct SimilarPair {
    a: Vec<u8>,
    b: Vec<u8>,
    /// Errors per 1,000 symbols.
    per_mille: u32,
}

impl SimilarPair {
    fn new(site: &Site<'_>, per_mille: u32) -> Self {
        let a = random(site.pick(SIMILAR, 2 * SIMILAR, 3000, 300), 4, 9);
        let b = with_errors(&a, per_mille);
        Self { a, b, per_mille }
    }

    /// Returns the result of a job on the pair.
    fn done(&self, times: Times, faults: Vec<String>) -> Done {
        let m = self.a.len();
        let n = self.b.len();
        Done {
            size: format!("{}, {} % errors", two(m, n), self.per_mille / 10),
            work: (m + n) as f64,
            device_work: cells_of_kernels(&times),
            unit: Unit::MillionSymbols,
            times,
            // The number of computed cells depends on the strings.
            ceiling: None,
            faults,
        }
    }
}

pub fn lcs_of_similar(site: &Site<'_>) -> Result<Option<Done>> {
    if site.is_device() {
        // The bands of this LCS are computed on the CPU.
        return Ok(None);
    }
    let pair = SimilarPair::new(site, 10);
    let SimilarPair { a, b, .. } = &pair;
    let recorder = Recorder::new();
    let comparison = lcs::Comparison::new().on(site.engine).recorder(&recorder);
    let times = site.time(&recorder, &mut || comparison.length(a, b))?;
    let mut faults = times.faults();
    let lcs = comparison.alignment(a, b)?;
    faults.extend(lcs.verify(a, b).err().map(|error| error.to_string()));
    faults.extend(mismatch("LCS length compared with the subsequence", times.answer(), lcs.len()));
    let short = checked(site).min(a.len()).min(b.len());
    let x = &a[..short];
    let y = &b[..short];
    faults.extend(mismatch("LCS length of shorter strings", lcs_on(site).length(x, y)?, plain_lcs(x, y)?));
    Ok(Some(pair.done(times, faults)))
}

pub fn distance_of_dna(site: &Site<'_>) -> Result<Option<Done>> {
    let side = side_of_distance(site);
    let [a, b] = [1, 2].map(|seed| random(side, 4, seed));
    let recorder = Recorder::new();
    let comparison = distance::Comparison::new().on(site.engine).recorder(&recorder);
    let times = site.time(&recorder, &mut || comparison.distance(&a, &b))?;
    let mut faults = times.faults();
    let short = checked(site).min(side);
    let x = &a[..short];
    let y = &b[..short];
    faults.extend(mismatch("distance of shorter strings", distance_on(site).distance(x, y)?, plain_distance(x, y)?));
    Ok(Some(Done {
        size: two(side, side),
        work: side as f64 * side as f64,
        device_work: cells_of_kernels(&times),
        unit: Unit::Tcups,
        times,
        ceiling: site.limits.distance_of_dna(),
        faults,
    }))
}

pub fn distance_of_similar(site: &Site<'_>) -> Result<Option<Done>> {
    // With fewer errors, a GPU leaves the bands to the CPU.
    let per_mille = site.pick(10, 100, 10, 100);
    let pair = SimilarPair::new(site, per_mille);
    let SimilarPair { a, b, .. } = &pair;
    let recorder = Recorder::new();
    let comparison = distance::Comparison::new().on(site.engine).recorder(&recorder);
    let times = site.time(&recorder, &mut || comparison.distance(a, b))?;
    let mut faults = times.faults();
    let script = comparison.script(a, b)?;
    faults.extend(script.verify(a, b).err().map(|error| error.to_string()));
    faults.extend(mismatch("distance compared with the script", times.answer(), script.distance()));
    let short = checked(site).min(a.len()).min(b.len());
    let x = &a[..short];
    let y = &b[..short];
    faults.extend(mismatch("distance of shorter strings", distance_on(site).distance(x, y)?, plain_distance(x, y)?));
    Ok(Some(pair.done(times, faults)))
}
