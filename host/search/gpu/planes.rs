//! Sets of symbols and launches, as the kernels with bit planes take them.

use crate::device::Device;
use crate::error::Result;
use crate::text::Class;
use carrywave_kernels::search::match_table::SYMBOLS;
use carrywave_kernels::search::planes::PLANES;
use simt_std::{Kernel, WARP};

/// Returns the table of symbols of at most [`PLANES`] sets, as
/// [`of_tile`](carrywave_kernels::search::planes::of_tile) takes it.
pub(super) fn table(sets: &[Class]) -> Vec<u32> {
    let mut words = vec![0; PLANES / 4 * SYMBOLS as usize];
    for (plane, set) in sets.iter().enumerate() {
        for symbol in set.symbols() {
            words[plane / 4 * SYMBOLS as usize + usize::from(symbol)] |= 1 << (8 * (plane % 4));
        }
    }
    words
}

/// The tiles that the warps of a launch share.
pub(super) struct Share {
    /// Number of tiles per warp, at least 1.
    pub tiles_per_warp: u64,
    /// Number of blocks.
    pub blocks: u32,
}

/// Shares tiles among the warps that a device can hold at a time.
pub(super) fn share<D: Device, K: Kernel>(device: &D, kernel: &K, tiles: u64) -> Result<Share> {
    let warps = K::BLOCK_THREADS / WARP;
    let most = u64::from(device.limits().multiprocessors * device.resident_blocks(kernel)? * warps).max(1);
    let tiles_per_warp = tiles.div_ceil(most).max(1);
    let blocks = tiles.div_ceil(tiles_per_warp).div_ceil(warps.into()) as u32;
    Ok(Share { tiles_per_warp, blocks })
}
