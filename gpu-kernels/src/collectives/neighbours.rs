//! Values of neighbouring lanes, where a warp goes through a text tile by tile: the neighbour of a tile's last lane is a lane of the tile
//! before or after.

use simt_std::prelude::*;

/// The `value` of the lane `distance` below in this tile or, in the lowest lanes, of the lane that many below in the tile before, which
/// `before` keeps from tile to tile: in the first tile it is the value before the text.
///
/// ```text
/// distance 1     lane    0  1  2  3
/// tile 0                 a  b  c  d      gives   z  a  b  c      z: the value before the text
/// tile 1                 e  f  g  h      gives   d  e  f  g      d came around in tile 0, and was kept
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
/// **Cost.** 1 shuffle: the lanes shift by `distance` in a circle, and what comes around is kept for the next tile.
///
/// # Safety
/// All 32 lanes of the warp call it together, with the same `distance`, less than 32, in all tiles.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn below(value: u32, distance: u32, before: &mut u32) -> u32 {
    let lane = warp::lane_id();
    // SAFETY: the caller's.
    let (around, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, value, (lane + WARP - distance) % WARP, WARP) };
    let below = if lane < distance { *before } else { around };
    *before = around;
    below
}

/// The value of the lane above in this tile; in the last lane that of lane 0 in the next tile. Each lane gives its value in this tile,
/// `own`, and its value in the `next` one.
///
/// ```text
/// lane       0  1  2  3
/// own        a  b  c  d
/// next       e  f  g  h
/// result     b  c  d  e      lane 0 gives e to the shuffle: no lane reads its a
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
    // SAFETY: the caller's.
    unsafe { warp::warp_shuffle_idx(FULL_WARP, given, (lane + 1) % WARP, WARP) }.0
}
