//! Chapter 14: slices that overlap by too few symbols.

use super::launches::search_with_overlap;
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: short_overlap
/// Returns the ends that [`search`](super::launches::search) finds with the overlap that the paper
/// gives.
pub fn search_with_short_overlap(
    gpu: &mut Simulator,
    pattern: &[u8],
    text: &[u8],
    k: u32,
    slice: u32,
) -> Result<Vec<usize>, Fault> {
    search_with_overlap(gpu, pattern, text, k, slice, pattern.len() as u32 - 1)
}
// ANCHOR_END: short_overlap
