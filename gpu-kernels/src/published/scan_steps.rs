//! Shift-Or and Wu-Manber as inclusive scans over the whole text: Mitani, Ino and Hagihara (2017),
//! algorithms 1, 2 and 3 as printed. For patterns of up to 64 symbols.
//!
//! **Idea.** As in [`scan_search`](super::scan_search), the state after a symbol is the sum of the
//! symbols up to it, joined by an associative operator ([`scan`](super::scan)). Here, all sums of
//! the text are in global memory, and a thread takes one position.
//!
//! *Algorithms 1 and 2* double the number of symbols in each sum from launch to launch, since the
//! threads of a grid can wait for one another only at the end of a kernel:
//!
//! ```text
//! position       0    1    2    3    4  …
//! summand        0    1    2    3    4
//! distance 1     0   01   12   23   34     a launch each: a position prepends the sum of the
//! distance 2     0   01   02   03   14     position `distance` before it
//! distance 4     0   01   02   03   04     m symbols are enough: ⌈log2 m⌉ launches
//! ```
//!
//! *Algorithm 3* scans segments of 256 positions, a block each, and prepends the last sum of the
//! segment on the left in a second launch: two launches for any m.
//!
//! **With errors** there is such a scan for each level d (algorithm 2). Its summands need the
//! states of level d - 1, so they are computed in a launch of their own, after the scan of that
//! level.
//!
//! **The text's first symbol** has the automaton's initial state as a part of its summand.
//!
//! **Cost.** Each launch reads two sums and writes one for each position: 24 bytes without errors,
//! and 48 for a level above 0. That is why the paper goes on to segments within a kernel, which
//! read and write one byte a symbol.

use crate::published::scan::{Bits, ShiftOrSum, Stretch, WarpTotals, WuManberSum, warp_scan};
use crate::search::match_table::SYMBOLS;
use simt_std::prelude::*;

/// Warps per block.
const WARPS: u32 = 8;

/// Threads per block, and positions of a segment of algorithm 3.
pub const THREADS: u32 = WARPS * WARP;

/// The bit of the pattern's last symbol. The others have the bits below it, and bits below the
/// pattern are 0 in every state.
pub const ACCEPTING: u32 = 63;

/// Sums of all positions, in global memory.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Sums {
    /// One word per position for [`ShiftOrSum`]; x for [`WuManberSum`], and y `room` words later.
    pub words: Global<u64>,
    /// At least the number of positions.
    pub room: u64,
}

impl Sums {
    /// Returns the states of the level that these are the sums of: a word per position.
    pub fn states(self, level: u32) -> Global<u64> {
        if level == 0 { self.words } else { self.words.skip(self.room as usize) }
    }
}

/// A sum as it is kept in global memory.
pub trait Kept: Stretch {
    /// Reads the sum of a position.
    fn get(sums: Sums, position: u64) -> Self;

    /// Writes the sum of a position.
    fn put(self, sums: Sums, position: u64);
}

impl Kept for ShiftOrSum<u64> {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn get(sums: Sums, position: u64) -> Self {
        Self(sums.words.read(position as usize))
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn put(self, sums: Sums, position: u64) {
        sums.words.write(position as usize, self.0);
    }
}

impl Kept for WuManberSum<u64> {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn get(sums: Sums, position: u64) -> Self {
        let of = |position: u64| sums.words.read(position as usize);
        Self { x: of(position), y: of(sums.room + position) }
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn put(self, sums: Sums, position: u64) {
        sums.words.write(position as usize, self.x);
        sums.words.write((sums.room + position) as usize, self.y);
    }
}

/// Returns the position of a thread.
#[inline(always)]
fn position() -> u64 {
    u64::from(thread::block_idx_x()) * u64::from(THREADS) + u64::from(thread::thread_idx_x())
}

/// Returns the number of blocks of a launch over n positions.
pub const fn blocks(n: u64) -> u32 {
    n.div_ceil(THREADS as u64) as u32
}

/// Writes the summands of a level. Launch: a thread per position, [`blocks`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Summands {
    /// The text: n symbols of one byte.
    pub text: Global<u8>,
    /// n, at least 1.
    pub n: u64,
    /// m, 1 to 64.
    pub m: u32,
    /// d, less than m.
    pub level: u32,
    /// The mismatch words of 256 symbols: the low halves, then the high halves. The pattern's last
    /// symbol has bit [`ACCEPTING`].
    pub table: Global<u32>,
    /// The states of level d - 1 after each symbol; not read for level 0.
    pub below: Global<u64>,
    /// Out: the summands.
    pub sums: Sums,
}

impl Summands {
    /// Returns the state of a level before the text: the pattern's first d symbols are reached.
    #[inline(always)]
    fn initial(&self, level: u32) -> u64 {
        u64::ones_from(ACCEPTING + 1 - self.m + level)
    }
}

#[kernel(threads = THREADS)]
pub fn scan_summands(self: Summands) {
    let position = position();
    if position >= self.n {
        return;
    }
    let symbol = u32::from(self.text.read(position as usize));
    let [low, high] = [0, SYMBOLS].map(|half| self.table.read((half + symbol) as usize));
    let mismatches = u64::from_halves(low, high);
    let is_first = position == 0;
    if self.level == 0 {
        let before = ShiftOrSum(if is_first { self.initial(0) } else { 0 });
        before.then(ShiftOrSum(mismatches), 1).put(self.sums, position);
        return;
    }
    let before = if is_first { self.initial(self.level - 1) } else { self.below.read(position as usize - 1) };
    let n = u64::and_all(before, before.up(1), self.below.read(position as usize).up(1));
    let sum = WuManberSum { x: 0, y: if is_first { self.initial(self.level) } else { 0 } };
    sum.then_symbol(mismatches, n).put(self.sums, position);
}

/// Doubles the number of symbols in each sum. Launch: a thread per position, [`blocks`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Step<S> {
    /// The sums of up to `distance` symbols each.
    pub sums: Sums,
    /// Number of positions.
    pub n: u64,
    /// Number of symbols.
    pub distance: u32,
    /// Out: the sums of up to 2 `distance` symbols.
    pub longer: Sums,
    /// Type of the sums.
    pub kind: core::marker::PhantomData<S>,
}

#[kernel(
    threads = THREADS,
    instances = [scan_step: (ShiftOrSum<u64>), scan_step_of_level: (WuManberSum<u64>)]
)]
pub fn step<S: Kept>(self: Step<S>) {
    let position = position();
    if position >= self.n {
        return;
    }
    let mut sum = S::get(self.sums, position);
    if let Some(before) = position.checked_sub(self.distance.into()) {
        sum = S::get(self.sums, before).then(sum, self.distance);
    }
    sum.put(self.longer, position);
}

/// Scans each segment of [`THREADS`] positions. Launch: a thread per position, [`blocks`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Segments<S> {
    /// The summands.
    pub sums: Sums,
    /// Number of positions, at least 1.
    pub n: u64,
    /// Out: the sums within a segment.
    pub scanned: Sums,
    /// Type of the sums.
    pub kind: core::marker::PhantomData<S>,
}

#[kernel(
    threads = THREADS,
    instances = [scan_segments: (ShiftOrSum<u64>), scan_segments_of_level: (WuManberSum<u64>)]
)]
pub fn segments<S: Kept>(self: Segments<S>) {
    shared_array!(totals: [U32x4; 16]);
    let position = position();
    // Lanes past the end take the last position's summand: no position before them sees it. A
    // branch here would divide the warp before its shuffles.
    let own = S::get(self.sums, position.min(self.n - 1));
    // SAFETY: all threads of the block are here, also below.
    let sum = unsafe { warp_scan(own, 1, WARP, u64::BITS) };
    // SAFETY: as above.
    let left = unsafe { WarpTotals::new(totals, WARPS).before(sum, WARP, u64::BITS) };
    if position < self.n {
        left.then(sum, warp::lane_id() + 1).put(self.scanned, position);
    }
}

/// Prepends the last sum of a segment to the sums of the next one (algorithm 3, line 12). Launch: a
/// thread per position, [`blocks`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Join<S> {
    /// The sums within a segment.
    pub scanned: Sums,
    /// Number of positions.
    pub n: u64,
    /// Out: the sums of at least 64 symbols.
    pub joined: Sums,
    /// Type of the sums.
    pub kind: core::marker::PhantomData<S>,
}

#[kernel(
    threads = THREADS,
    instances = [scan_join: (ShiftOrSum<u64>), scan_join_of_level: (WuManberSum<u64>)]
)]
pub fn join<S: Kept>(self: Join<S>) {
    let position = position();
    if position >= self.n {
        return;
    }
    let within = thread::thread_idx_x();
    let mut sum = S::get(self.scanned, position);
    if let Some(before) = (position - u64::from(within)).checked_sub(1) {
        sum = S::get(self.scanned, before).then(sum, within + 1);
    }
    sum.put(self.joined, position);
}

/// Writes the ends of occurrences. Launch: a thread per position, [`blocks`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ScanEnds {
    /// The states after each symbol.
    pub states: Global<u64>,
    /// First position whose results are written.
    pub first: u64,
    /// Number of positions.
    pub n: u64,
    /// Out: one byte per position, 1 where an occurrence ends, else 0.
    pub bytes: Global<u8>,
}

#[kernel(threads = THREADS)]
pub fn scan_ends(self: ScanEnds) {
    let position = position();
    if position >= self.first && position < self.n {
        let state = self.states.read(position as usize);
        self.bytes.write(position as usize, (state >> ACCEPTING == 0).into());
    }
}
