//! The indices of a thread in its launch, and its name in a fault.

use super::fault::Thread;
use crate::Grid;

/// The indices and dimensions that a thread can read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Index {
    pub thread: [u32; 3],
    pub block: [u32; 3],
    pub block_dim: [u32; 3],
    pub grid_dim: [u32; 3],
    pub lane: u32,
}

/// Returns the position of item `i` in a box of these dimensions, with x as the fastest.
pub(super) fn unlinear(i: u32, dim: [u32; 3]) -> [u32; 3] {
    [i % dim[0], i / dim[0] % dim[1], i / dim[0] / dim[1]]
}

/// Returns a thread given by its block's number and its number in the block.
pub(super) fn name(block: u32, thread: u32, grid: Grid) -> Thread {
    Thread { block: unlinear(block, grid.blocks), thread: unlinear(thread, grid.threads) }
}
