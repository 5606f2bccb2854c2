//! Exact search in tiles whose lanes exchange their states.

use super::match_table::mismatches;
use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Start, Writes, no_kernel};
use super::size::Size;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::search::shift_or::{self, ShiftOr, ShiftOrDispatch, TILE};
use simt_std::{Kernel, WARP};

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "shift-or",
    "tiles of 32 symbols per lane; lanes combine their states by shuffles",
    "this project, after Shift-Or: Baeza-Yates, Gonnet 1992",
    "memory-bound up to m = 32; else ⌈m / 32⌉ word steps",
)
.limited(Limits { symbols: Some(64), errors: Some(0), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::All,
        tuning: &[],
        check: |_, _| Ok(()),
        cost: |Size { m, k, .. }| COSTS.iter().find(|&&(most, _)| k == 0 && m <= most).map(|&(_, cost)| cost),
        prepare: |text, request| {
            let m = request.m();
            let (words, steps) = shift_or::kernel_for(m);
            let table = mismatches(&request.patterns[0], shift_or::accepting(words, steps));
            let table = text.upload(&table, "match words")?;
            Ok(Prepared::alone(Tiles::<D> { m, table }))
        },
    }
}

/// Microseconds for m up to 17, 32 and 64.
const COSTS: [(usize, u32); 3] = [(17, 63), (32, 68), (64, 100)];

/// Number of resident blocks per multiprocessor.
const RESIDENT: u64 = 2;

struct Tiles<D: Device> {
    m: u32,
    table: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for Tiles<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let values = shift_or::kernel_for(self.m);
        Start { own: self, launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }
}

impl<D: Device> ShiftOrDispatch for Start<'_, Tiles<D>, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const STEPS: u32>(self) -> Result<()>
    where
        ShiftOr<WORDS, STEPS>: Kernel,
    {
        let Self { own, launch } = self;
        let (text, n) = (launch.text, launch.n);
        let warps = u64::from(ShiftOr::<WORDS, STEPS>::BLOCK_THREADS / WARP);
        let first_tile = launch.from / TILE;
        let tiles = n.div_ceil(TILE) - first_tile;
        let most = u64::from(text.device.limits().multiprocessors) * RESIDENT * warps;
        let tiles_per_warp = tiles.div_ceil(most).max(1);
        let blocks = tiles.div_ceil(tiles_per_warp).div_ceil(warps) as u32;
        let (symbols, table) = (text.device.handle(&text.text), text.device.handle(&own.table));
        let kernel = ShiftOr { text: symbols, n, first_tile, tiles_per_warp, m: own.m, table, output: launch.output };
        // SAFETY: as for `Launcher::launch`; the text is rounded up to whole tiles, and the table
        // has 256 words for each 32 bits.
        Ok(unsafe { text.device.launch(&text.stream, blocks, kernel) }?)
    }
}
