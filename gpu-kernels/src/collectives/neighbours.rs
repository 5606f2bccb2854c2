//! Values of neighbouring lanes while a warp goes through a text tile by tile: the neighbour of a
//! tile's first or last lane is a lane of the tile before or after.

use simt_std::prelude::*;

/// Returns the `value` of the lane `distance` below. In the lowest lanes that is a lane of the
/// previous tile, whose value `before` keeps from tile to tile. Before the first tile, `before`
/// holds the value that precedes the text.
///
/// ```text
/// distance 1     lane    0  1  2  3
/// tile 0                 a  b  c  d     result  z  a  b  c     z: the value before the text
/// tile 1                 e  f  g  h     result  d  e  f  g     d wraps around in tile 0;
///                                                              `before` keeps it
/// ```
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// use carrywave_kernels::collectives::neighbours::below;
/// # Simulator::default().launch("below", Grid::linear(1, 32), || {
/// let lane = warp::lane_id();
/// let mut before = 1000;
/// // SAFETY: all lanes are here.
/// unsafe {
///     assert_eq!(below(lane, 1, &mut before), if lane == 0 { 1000 } else { lane - 1 });
///     assert_eq!(below(100 + lane, 1, &mut before), if lane == 0 { 31 } else { 99 + lane });
/// }
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// **Cost.** 1 shuffle: the lanes rotate by `distance`, and `before` keeps the values that wrap
/// around for the next tile.
///
/// # Safety
/// All 32 lanes of the warp call it together, with the same `distance`, less than 32, in all tiles.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn below(value: u32, distance: u32, before: &mut u32) -> u32 {
    let lane = warp::lane_id();
    // SAFETY: the caller guarantees that all lanes are here.
    let (around, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, value, (lane + WARP - distance) % WARP, WARP) };
    let below = if lane < distance { *before } else { around };
    *before = around;
    below
}

/// Returns the value of the lane above in this tile or, in the last lane, the value of lane 0 in
/// the next tile. `own` is the lane's value in this tile, `next` its value in the next tile.
///
/// ```text
/// lane       0  1  2  3
/// own        a  b  c  d
/// next       e  f  g  h
/// result     b  c  d  e      lane 0 shuffles e, since no lane reads its a
/// ```
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// use carrywave_kernels::collectives::neighbours::above;
/// # Simulator::default().launch("above", Grid::linear(1, 32), || {
/// let lane = warp::lane_id();
/// // SAFETY: all lanes are here.
/// let above = unsafe { above(lane, 100 + lane) };
/// assert_eq!(above, if lane == 31 { 100 } else { lane + 1 });
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// **Cost.** 1 shuffle.
///
/// # Safety
/// All 32 lanes of the warp call it together.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn above(own: u32, next: u32) -> u32 {
    let lane = warp::lane_id();
    let given = if lane == 0 { next } else { own };
    // SAFETY: the caller guarantees that all lanes are here.
    unsafe { warp::warp_shuffle_idx(FULL_WARP, given, (lane + 1) % WARP, WARP) }.0
}
