//! Exercises of chapter 14: Melo, Canalli 2014: slices.

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

/// Exercise `slice_length`: returns the shortest slice whose overlaps add at most `percent` per
/// cent to the n symbols that the threads read. Each thread but the first reads `overlap` symbols
/// before its slice. n and `overlap` are at least 1. Here every slice is as long as its overlap, so
/// nearly every symbol is read twice.
pub fn slice_length(n: u32, overlap: u32, percent: u32) -> u32 {
    // Your code here.
    overlap
}

/// Exercise `best_scores`: `best[i]` is the fewest errors of any occurrence that ends in slice i,
/// 0 to m. `masks[c]` has bit i if the pattern's symbol i is c. Launch: at least n / slice threads;
/// `masks` has 256 elements, `text` has n, at least 1, and `best` one for each slice; m is 1 to 32.
#[kernel(threads = 256)]
pub fn best_scores(masks: Global<u32>, text: Global<u8>, n: u32, m: u32, slice: u32, best: Global<u32>) {
    // Your code here.
}

/// Symbols of a slice of `staged_slices`, a multiple of 4: choose a length without bank conflicts.
pub const SLICE: u32 = 32;

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
    // Your code here.
}
