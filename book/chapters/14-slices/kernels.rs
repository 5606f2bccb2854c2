//! Chapter 14: approximate search by slices of the text.

use simt_std::prelude::*;

// ANCHOR: column
/// A column of the table of errors, as differences. Bit i is row i + 1.
pub struct Column {
    /// The rows with one error more than the row above.
    pub pv: u32,
    /// The rows with one error less than the row above.
    pub mv: u32,
    /// The errors in the last row.
    pub score: u32,
}

impl Column {
    /// Returns the column before the first symbol: row i has i errors. m is 1 to 32.
    #[inline(always)]
    pub fn new(m: u32) -> Self {
        Self { pv: u32::MAX, mv: 0, score: m }
    }

    /// Goes to the next column. `equal` has the rows whose symbol is the text's next symbol.
    #[inline(always)]
    pub fn step(&mut self, equal: u32, m: u32) {
        let (pv, mv) = (self.pv, self.mv);
        // The rows with as many errors as their neighbour to the upper left.
        let same = ((equal & pv).wrapping_add(pv) ^ pv) | equal | mv;
        // The rows with one error more, and with one less, than in the column before.
        let ph = mv | !(same | pv);
        let mh = pv & same;
        self.score += ph >> (m - 1) & 1;
        self.score -= mh >> (m - 1) & 1;
        // Row i needs the bit of row i - 1. Row 0 is 0 in every column, so a 0 comes in.
        let (ph, mh) = (ph << 1, mh << 1);
        self.pv = mh | !(same | ph);
        self.mv = ph & same;
    }
}
// ANCHOR_END: column

// ANCHOR: myers_by_slices
/// Writes 1 to `hits[j]` where the pattern occurs with at most k errors and ends at symbol j; the
/// other elements stay as they are. `masks[c]` has bit i if the pattern's symbol i is c. Launch: at
/// least n / slice threads; `masks` has 256 elements, `text` and `hits` have n, at least 1; m is 1
/// to 32, and k less than m; `overlap` is at least m + k - 1.
#[kernel(threads = 256)]
pub fn myers_by_slices(
    masks: Global<u32>,
    text: Global<u8>,
    n: u32,
    m: u32,
    k: u32,
    slice: u32,
    overlap: u32,
    hits: Global<u8>,
) {
    shared_array!(table: [u32; 256]);
    let t = thread::thread_idx_x();
    table.write(t, masks.read(t));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let number = thread::index_1d();
    if number < n.div_ceil(slice) {
        let start = number * slice;
        let end = start + slice.min(n - start);
        let mut column = Column::new(m);
        for j in start - overlap.min(start)..end {
            column.step(table.read(text.read(j)), m);
            if j >= start && column.score <= k {
                hits.write(j, 1);
            }
        }
    }
}
// ANCHOR_END: myers_by_slices
