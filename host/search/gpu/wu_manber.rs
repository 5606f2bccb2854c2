//! Search with up to 4 errors: one run of the text per lane, and one state per number of errors.

use super::match_table::mismatches;
use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Start, Writes, no_kernel, words};
use super::size::Size;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::search::lane_runs::Runs;
use carrywave_kernels::search::wu_manber::{WuManber, WuManberDispatch};
use simt_std::Kernel;

/// Largest number of errors that the kernels are compiled for.
const MAX_ERRORS: u32 = 4;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "wu-manber",
    "a run of thousands of symbols per lane, loaded and stored by the whole warp",
    "this project, after Wu, Manber 1992",
    "(k + 1) ⌈m / 32⌉ word steps",
)
.limited(Limits { symbols: Some(64), errors: Some(MAX_ERRORS), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::All,
        tuning: &[],
        check: |_, _| Ok(()),
        cost: |_| None,
        prepare: |text, request| {
            let m = request.m();
            let table = mismatches(&request.patterns[0], 32 * words(m) as u32 - 1);
            let table = text.upload(&table, "match words")?;
            Ok(Prepared::alone(LaneRuns::<D> { m, k: request.k, table }))
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
        let values = (words(self.m), self.k as usize + 1);
        Start { own: self, launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }
}

impl<D: Device> WuManberDispatch for Start<'_, LaneRuns<D>, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const LEVELS: usize>(self) -> Result<()>
    where
        WuManber<WORDS, LEVELS>: Kernel,
    {
        let Self { own, launch } = self;
        let (text, n, from) = (launch.text, launch.n, launch.from);
        let threads = u64::from(WuManber::<WORDS, LEVELS>::BLOCK_THREADS);
        // Two blocks fit a multiprocessor.
        let (run, halo) = text.lane_run(n, from, own.m + own.k - 1, 2 * threads);
        let blocks = (n - from).div_ceil(run).div_ceil(threads) as u32;
        let (symbols, table) = (text.device.handle(&text.text), text.device.handle(&own.table));
        let runs = Runs { text: symbols, n, first: from, run, halo };
        let kernel = WuManber { runs, m: own.m, table, output: launch.output };
        // SAFETY: as for `Launcher::launch`; the text is rounded up to whole rounds, and the table
        // has 256 words for each 32 bits.
        Ok(unsafe { text.device.launch(&text.stream, blocks, kernel) }?)
    }
}
