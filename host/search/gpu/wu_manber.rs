//! Search with up to 4 errors: a run of the text a lane, a state for each number of errors.

use super::table::mismatches;
use super::{DeviceAlgorithm, Launch, Launcher, Prepared, Writes, no_kernel, words};
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::search::lane_runs::Runs;
use carrywave_kernels::search::wu_manber::WuManber;
use simt_std::Kernel;

/// Errors that there are kernels for.
const MOST_ERRORS: u32 = 4;

/// What there is to know of the algorithm.
pub const ABOUT: About = About::new(
    "wu-manber",
    "a run of thousands of symbols a lane, fetched and written by the warp together",
    "our own, on Wu, Manber 1992",
    "(k + 1) ⌈m / 32⌉ word steps",
)
.limited(Limits { symbols: Some(64), errors: Some(MOST_ERRORS), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        patterns: 1,
        writes: Writes::All,
        tuning: &[],
        check: |_, _| Ok(()),
        cost: |_, _| None,
        prepare: |text, request| {
            let m = request.m();
            let table = mismatches(&request.patterns[0], 32 * words(m) as u32 - 1);
            let table = text.upload(&table, "match words")?;
            Ok(Prepared { launcher: Box::new(LaneRuns::<D> { m, k: request.k, table }), last_bits: Vec::new() })
        },
    }
}

struct LaneRuns<D: Device> {
    m: u32,
    k: u32,
    table: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for LaneRuns<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        // SAFETY: the caller's.
        unsafe {
            match (words(self.m), self.k) {
                (1, 0) => self.start::<1, 1>(launch),
                (1, 1) => self.start::<1, 2>(launch),
                (1, 2) => self.start::<1, 3>(launch),
                (1, 3) => self.start::<1, 4>(launch),
                (1, 4) => self.start::<1, 5>(launch),
                (2, 0) => self.start::<2, 1>(launch),
                (2, 1) => self.start::<2, 2>(launch),
                (2, 2) => self.start::<2, 3>(launch),
                (2, 3) => self.start::<2, 4>(launch),
                (2, 4) => self.start::<2, 5>(launch),
                other => Err(no_kernel(ABOUT.name, other)),
            }
        }
    }
}

impl<D: Device> LaneRuns<D> {
    /// # Safety
    /// As [`Launcher::launch`].
    unsafe fn start<const WORDS: usize, const LEVELS: usize>(&self, launch: &Launch<'_, D>) -> Result<()>
    where
        WuManber<WORDS, LEVELS>: Kernel,
    {
        let (text, n, from) = (launch.text, launch.n, launch.from);
        let threads = u64::from(WuManber::<WORDS, LEVELS>::BLOCK_THREADS);
        // Two blocks fit a multiprocessor.
        let (run, halo) = text.lane_run(n, from, self.m + self.k - 1, 2 * threads);
        let blocks = (n - from).div_ceil(run).div_ceil(threads) as u32;
        let (symbols, table) = (text.device.handle(&text.text), text.device.handle(&self.table));
        let runs = Runs { text: symbols, n, first: from, run, halo };
        let kernel = WuManber { runs, m: self.m, table, output: launch.output };
        // SAFETY: the caller's; the text is rounded up to whole rounds, and the table has 256 words for each 32 bits.
        Ok(unsafe { text.device.launch(&text.stream, blocks, kernel) }?)
    }
}
