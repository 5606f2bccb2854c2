//! Solutions of chapter 14: Melo, Canalli 2014: slices.

use simt_std::prelude::*;

/// A column of the table of errors, as in the chapter. Bit i is row i + 1.
pub struct Column {
    /// The rows with one error more than the row above.
    pub pv: u32,
    /// The rows with one error less than the row above.
    pub mv: u32,
    /// The errors in the last row.
    pub score: u32,
}

impl Column {
    /// Returns the column before the first symbol. m is 1 to 32.
    #[inline(always)]
    pub fn new(m: u32) -> Self {
        Self { pv: u32::MAX, mv: 0, score: m }
    }

    /// Goes to the next column. `equal` has the rows whose symbol is the text's next symbol.
    #[inline(always)]
    pub fn step(&mut self, equal: u32, m: u32) {
        let (pv, mv) = (self.pv, self.mv);
        let same = ((equal & pv).wrapping_add(pv) ^ pv) | equal | mv;
        let (ph, mh) = (mv | !(same | pv), pv & same);
        self.score += ph >> (m - 1) & 1;
        self.score -= mh >> (m - 1) & 1;
        let (ph, mh) = (ph << 1, mh << 1);
        self.pv = mh | !(same | ph);
        self.mv = ph & same;
    }
}

// ANCHOR: slice_length
/// Exercise `slice_length`: returns the shortest slice whose overlaps add at most `percent` per
/// cent to the n symbols that the threads read. Each thread but the first reads `overlap` symbols
/// before its slice. n and `overlap` are at least 1.
pub fn slice_length(n: u32, overlap: u32, percent: u32) -> u32 {
    let extra = u64::from(n) * u64::from(percent) / 100;
    // Every slice but the first has an overlap.
    let slices = extra / u64::from(overlap) + 1;
    u64::from(n).div_ceil(slices) as u32
}
// ANCHOR_END: slice_length

// ANCHOR: best_scores
/// Exercise `best_scores`: `best[i]` is the fewest errors of any occurrence that ends in slice i,
/// 0 to m. Launch: at least n / slice threads; `masks` has 256 elements, `text` has n, at least 1,
/// and `best` one for each slice; m is 1 to 32.
#[kernel(threads = 256)]
pub fn best_scores(masks: Global<u32>, text: Global<u8>, n: u32, m: u32, slice: u32, best: Global<u32>) {
    shared_array!(table: [u32; 256]);
    let t = thread::thread_idx_x();
    table.write(t, masks.read(t));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let number = thread::index_1d();
    if number < n.div_ceil(slice) {
        let start = number * slice;
        let end = start + slice.min(n - start);
        // The empty string has m errors, so an occurrence of interest has m - 1 at most.
        let overlap = 2 * m - 2;
        let mut column = Column::new(m);
        let mut least = m;
        for j in start - overlap.min(start)..end {
            column.step(table.read(text.read(j)), m);
            if j >= start {
                least = least.min(column.score);
            }
        }
        best.write(number, least);
    }
}
// ANCHOR_END: best_scores

// ANCHOR: staged_slices
/// Symbols of a slice of `staged_slices`, a multiple of 4: choose a length without bank conflicts.
pub const SLICE: u32 = 36;

/// Exercise `staged_slices`: writes 1 to `hits[j]` where the pattern occurs with at most k errors
/// and ends at symbol j. A block has 64 slices. It first copies the symbols that its threads need
/// into `tile`, so that neighbouring threads read neighbouring symbols of global memory; then each
/// thread takes its slice from `tile`. Launch: n / (64 * SLICE) blocks, rounded up; the arrays are
/// as in `myers_by_slices`; `masks[0]` is 0, since 0 is no symbol; m + k - 1 is at most 64; n is
/// less than 2^31.
#[kernel(threads = 64)]
pub fn staged_slices(masks: Global<u32>, text: Global<u8>, n: u32, m: u32, k: u32, hits: Global<u8>) {
    shared_array!(table: [u32; 256]);
    shared_array!(tile: [u8; 64 + 64 * SLICE as usize]);
    let t = thread::thread_idx_x();
    for i in (t..256).step_by(64) {
        table.write(i, masks.read(i));
    }
    // Element i of the tile is symbol first + i - 64.
    let first = thread::block_idx_x() * (64 * SLICE);
    for i in (t..64 + 64 * SLICE).step_by(64) {
        let at = first + i;
        tile.write(i, if at >= 64 && at - 64 < n { text.read(at - 64) } else { 0 });
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let start = 64 + t * SLICE;
    let mut column = Column::new(m);
    for i in start - (m + k - 1)..start + SLICE {
        let symbol = tile.read(i);
        column.step(table.read(symbol), m);
        if i >= start && column.score <= k && first + i - 64 < n {
            hits.write(first + i - 64, 1);
        }
    }
}
// ANCHOR_END: staged_slices
