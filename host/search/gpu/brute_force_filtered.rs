//! Brute force with 16-byte loads and a filter of eight symbols.

use super::needle::{Duels, OnDevice, Symbols, tiles};
use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Start, Writes, no_kernel};
use super::size::Size;
use super::text::DeviceText;
use super::witness::MAX_SYMBOLS;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::search::exact::brute_force_filtered::{BruteForceFiltered, BruteForceFilteredDispatch};
use carrywave_kernels::search::exact::sieve::WINDOW;
use simt_std::{Kernel, WARP};

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "brute-force-filtered",
    "compares eight symbols at every position, and the pattern where they match; counts and hits",
    "this project",
    "memory-bound in random texts; m / 80 word steps at worst",
)
.limited(Limits { symbols: Some(MAX_SYMBOLS as u64), errors: Some(0), ..Limits::NONE });

/// Number of resident blocks per multiprocessor.
const RESIDENT: u32 = 2;

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::CountsAndHits,
        tuning: &[],
        check: |request, _| Symbols::of_request(&ABOUT, request).map(drop),
        cost: |_| None,
        prepare: |text, request| Ok(Prepared::alone(Filtered::new(text, &Symbols::of_request(&ABOUT, request)?)?)),
    }
}

/// A pattern on a device.
pub(super) struct Filtered<D: Device> {
    needle: OnDevice<D>,
    parts: u32,
}

impl<D: Device> Filtered<D> {
    pub fn new(text: &DeviceText<D>, pattern: &Symbols) -> Result<Self> {
        let parts = if pattern.is_window() { 0 } else { pattern.len().div_ceil(16) as u32 };
        Ok(Self { needle: OnDevice::new(text, pattern, pattern.window(), Duels::default())?, parts })
    }
}

impl<D: Device> Launcher<D> for Filtered<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let values = u32::from(self.needle.m < WINDOW);
        Start { own: self, launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }
}

impl<D: Device> BruteForceFilteredDispatch for Start<'_, Filtered<D>, D> {
    type Output = Result<()>;

    fn with<const SHORT: u32>(self) -> Result<()>
    where
        BruteForceFiltered<SHORT>: Kernel,
    {
        let Self { own, launch } = self;
        let device = &*launch.text.device;
        let Some((needle, sieve)) = own.needle.needle(launch) else { return Ok(()) };
        let tiles = tiles(&needle, &sieve, 0);
        let warps = BruteForceFiltered::<SHORT>::BLOCK_THREADS / WARP;
        let blocks = super::row::blocks(device, tiles.end - tiles.start, warps, RESIDENT);
        let kernel = BruteForceFiltered::<SHORT> {
            needle,
            sieve,
            first_tile: tiles.start,
            end_tile: tiles.end,
            parts: own.parts,
            blocks,
            output: launch.output,
        };
        // SAFETY: as for `Launcher::launch`; the text and the pattern are rounded up to words of 16
        // symbols.
        Ok(unsafe { device.launch(&launch.text.stream, blocks, kernel) }?)
    }
}
