//! Shift-Or and Wu-Manber as inclusive scans, as published by Mitani, Ino and Hagihara (2017).

use crate::algorithm::{About, Limits};
use crate::device::{self, Device};
use crate::error::Result;
use crate::search::gpu::match_table::mismatches;
use crate::search::gpu::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Request, Start, Writes, no_kernel, words};
use crate::search::gpu::size::Size;
use crate::search::tuning::TuningOption;
use carrywave_kernels::published::scan_search::{ScanSearch, ScanSearchDispatch, THREADS, accepting, has_wildcards};
use simt_std::{Kernel, WARP, global::Global};
use std::marker::PhantomData;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "scan",
    "Shift-Or and Wu-Manber as inclusive scans across a block, as published",
    "Mitani, Ino, Hagihara 2017",
    "(α + log₂ (m / α)) (k + 1) ⌈m / 32⌉ word steps for α symbols",
)
.limited(Limits { symbols: Some(64), errors: Some(3), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::Bytes,
        tuning: OPTIONS,
        check,
        cost: |_| None,
        prepare: |text, request| {
            let (m, options) = (request.m(), Options::from_request(request));
            let width = 32 * words(m) as u32;
            // The choice is the same for all numbers of errors that are launched, because the table
            // depends on it.
            let with_kernel = request.k == 0 || options.alpha == WILDCARDS_WITH_ERRORS;
            let wildcards = with_kernel && has_wildcards(m, width, options.alpha);
            let last = accepting(width, options.alpha, wildcards);
            let table = text.upload(&mismatches(&request.patterns[0], last), "match words")?;
            let launcher = Published::<D> { m, options, wildcards, table };
            Ok(Prepared::alone(launcher))
        },
    }
}

/// The options of `tuning`.
const OPTIONS: &[TuningOption] = &[
    TuningOption { name: "alpha", values: "1, 2, 4, 8, 16 or 32 symbols of a thread", default: "16" },
    TuningOption { name: "variant", values: "disjoint or overlapping", default: "disjoint" },
    TuningOption { name: "table", values: "paper or banks", default: "paper for m up to 32 and k = 0, else banks" },
];

/// The tuning parameters of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Options {
    /// α, the number of symbols of a thread: a power of two up to 32.
    alpha: u32,
    /// True if the warps of a block are joined (disjoint); false if each has its own halo
    /// (overlapping).
    disjoint: bool,
    /// True if the table has a copy for every bank; false for the paper's layout, one word per
    /// symbol.
    banks: bool,
}

impl Options {
    fn from_request(request: &Request<'_>) -> Self {
        let tuning = request.tuning;
        Self {
            alpha: tuning.alpha.unwrap_or(16),
            disjoint: tuning.disjoint.unwrap_or(true),
            banks: tuning.banks.unwrap_or(!is_bound_by_memory(request.m(), request.k)),
        }
    }
}

/// Returns true if memory limits the search, because it computes little: then the smaller table,
/// the paper's, is faster.
fn is_bound_by_memory(m: u32, k: u32) -> bool {
    words(m) == 1 && k == 0
}

/// Returns the largest number of segments per block. Blocks start in the order of the text, so the
/// shorter they live, the closer to each other are their reads and writes, and the faster memory
/// is; but each block builds a table. (See docs/performance.md: search on the GPU.)
fn most_segments(own: &Published<impl Device>, k: u32) -> u64 {
    match (is_bound_by_memory(own.m, k) && own.options.alpha >= 16, own.options.banks) {
        (true, false) => 4,
        (true, true) => 16,
        (false, _) => 64,
    }
}

/// Returns the number of segments per block, 1 to `most`. If `at_once` blocks run at a time, one
/// set after the other, all sets are full.
fn segments_per_block(segments: u64, at_once: u64, most: u64) -> u32 {
    let sets = segments.div_ceil(at_once * most).max(1);
    segments.div_ceil(at_once * sets).max(1) as u32
}

/// The α of the kernels with wildcards for k errors: the paper's.
const WILDCARDS_WITH_ERRORS: u32 = 16;

/// Returns the number of symbols before a segment.
fn halo(m: u32, k: u32) -> u32 {
    (m + k - 1).next_multiple_of(32)
}

/// The values of α that the kernels are compiled for.
const ALPHAS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Refuses options that do not work.
fn check(request: &Request<'_>, _: &device::Limits) -> Result<()> {
    let refuse = |reason| Err(ABOUT.unsupported(reason));
    let (Options { alpha, disjoint, .. }, m, k) = (Options::from_request(request), request.m(), request.k);
    if !ALPHAS.contains(&alpha) {
        return refuse(format!("supports {ALPHAS:?} symbols per thread (alpha), not {alpha}"));
    }
    let (warp, halo) = (alpha * WARP, halo(m, k));
    if !disjoint && warp <= halo {
        return refuse(format!(
            "needs more symbols per warp than the halo of {halo} if warps overlap, but has {warp}; choose a larger alpha"
        ));
    }
    Ok(())
}

struct Published<D: Device> {
    m: u32,
    options: Options,
    wildcards: bool,
    table: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for Published<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let values = (words(self.m), self.options.alpha as usize, launch.k as usize + 1, self.wildcards);
        Start { own: self, launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }
}

impl<D: Device> ScanSearchDispatch for Start<'_, Published<D>, D> {
    type Output = Result<()>;

    fn with<W, const WORDS: usize, const ALPHA: usize, const LEVELS: usize, const WILDCARDS: bool>(self) -> Result<()>
    where
        ScanSearch<W, WORDS, ALPHA, LEVELS, WILDCARDS>: Kernel,
    {
        let Self { own, launch } = self;
        let (text, n, from, options) = (launch.text, launch.n, launch.from, own.options);
        let device = &*text.device;
        let halo = halo(own.m, launch.k);
        let threads = if options.disjoint { THREADS } else { WARP };
        let each = u64::from(ALPHA as u32 * threads) - u64::from(halo);
        let segments = (n - from).div_ceil(each);
        let segments = if options.disjoint { segments } else { segments.div_ceil((THREADS / WARP).into()) };
        let mut kernel = ScanSearch::<W, WORDS, ALPHA, LEVELS, WILDCARDS> {
            text: Global::at(device.handle(&text.text).address()),
            n,
            first: from,
            segments,
            segments_per_block: 1,
            halo,
            m: own.m,
            disjoint: options.disjoint.into(),
            banks: options.banks.into(),
            table: device.handle(&own.table),
            bytes: launch.bytes,
            word: PhantomData,
        };
        let at_once = u64::from(device.limits().multiprocessors * device.resident_blocks(&kernel)?).max(1);
        kernel.segments_per_block = segments_per_block(segments, at_once, most_segments(own, launch.k));
        let blocks = segments.div_ceil(kernel.segments_per_block.into()) as u32;
        // SAFETY: as for `Launcher::launch`; text and bytes are rounded up, and the table has 256
        // words for each 32 bits.
        Ok(unsafe { device.launch(&text.stream, blocks, kernel) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_in_full_sets() {
        // Too few for all blocks; one each; a set of less than the most; two sets of the most;
        // slightly more, which takes a third set.
        let of = |segments| segments_per_block(segments, 10, 4);
        assert_eq!([0, 3, 10, 11, 40, 80, 81].map(of), [1, 1, 1, 2, 4, 4, 3]);
    }
}
