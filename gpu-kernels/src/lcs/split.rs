//! The row of Hirschberg's cut (1975): the least i that maximises L1\[i\] + L2\[m - i\], found on the device.
//!
//! L1 and L2 are the halves' last columns as bit-vectors: L1 grows at row i where bit i is 0, L2 alike from A's end.
//! With d\[i\] = grows1(i) - grows2(m - 1 - i), 1 or 0 each, the sum is L2\[m\] + d\[0\] + … + d\[i - 1\]:
//!
//! ```text
//! thread            0            1            2
//! words         | w0  w1 | | w2  w3 | | w4  w5 |      1. each thread sums d over its words (popcounts)
//! before it         0         s0        s0 + s1       2. prefix sums over the block
//!                                                     3. each looks for the best row in its words
//!                                                     4. the best of all
//! ```
//!
//! **Cost.** Two passes over the 2 m bits of both columns, by one block of 1,024 threads a cut.

use simt_std::prelude::*;

/// 64-bit words of an entry of [`Split::cuts`].
pub const FIELDS: usize = 3;

/// At which of the 32 rows of A in word `word` L1 grows, and at which L2 does: the word's first row in bit 0.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
fn growth(forward: Global<u32>, backward: Global<u32>, m: u64, word: u64) -> (u32, u32) {
    let rows = m - word * 32;
    let exist = if rows < 32 { (1u32 << rows) - 1 } else { !0 };
    // L2's rows of these, counted from the other end: m - 1 - i for row i, in the opposite order.
    let reversed = if rows < 32 {
        backward.read(0) << (32 - rows)
    } else {
        let (index, shift) = (((rows - 32) / 32) as usize, (rows % 32) as u32);
        let low = backward.read(index) >> shift;
        if shift == 0 { low } else { low | backward.read(index + 1) << (32 - shift) }
    };
    (!forward.read(word as usize) & exist, !reversed.reverse_bits() & exist)
}

/// The better of two cuts: the greater sum, or else the lesser row.
#[inline(always)]
fn better(a: (i64, u64), b: (i64, u64)) -> (i64, u64) {
    if b.0 > a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a }
}

const WARPS: u32 = 32;

/// Finds the row of each cut. Launch: one block a cut.
#[kernel(threads = WARPS * WARP)]
pub fn split(
    /// [`FIELDS`] numbers a cut: 0. where L1's words start in `v`; 1. where L2's do; 2. m, at least 1.
    cuts: Global<u64>,
    /// The last columns as bit-vectors: bit i is 0 where the length grows at row i. L2's row 0 is A's last.
    v: Global<u32>,
    /// Out: two words a cut, the row and L1\[row\] + L2\[m - row\], the length of the LCS.
    found: Global<u64>,
) {
    shared_array!(sums: [u64; 32]);
    shared_array!(totals: [u64; 32]);
    shared_array!(rows: [u64; 32]);
    let cut = thread::block_idx_x() as usize;
    let fields = cuts.skip(cut * FIELDS);
    let m = fields.read(2);
    let (forward, backward) = (v.skip(fields.read(0) as usize), v.skip(fields.read(1) as usize));
    let (lane, number) = (warp::lane_id(), thread::thread_idx_x() / WARP);

    let words = m.div_ceil(32);
    let each = words.div_ceil(Self::BLOCK_THREADS.into());
    let first = (u64::from(thread::thread_idx_x()) * each).min(words);
    let end = (first + each).min(words);
    let (mut sum, mut backward_grows) = (0i64, 0u64);
    for word in first..end {
        let (up, down) = growth(forward, backward, m, word);
        sum += i64::from(up.count_ones()) - i64::from(down.count_ones());
        backward_grows += u64::from(down.count_ones());
    }

    // Prefix sums in the warp, then over the warps.
    let (mut before, mut total) = (sum, backward_grows);
    for distance in [1, 2, 4, 8, 16] {
        // SAFETY: all threads of the block are here, in this loop and in everything below.
        let (lower, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, before, distance, WARP) };
        before += if exists { lower } else { 0 };
        // SAFETY: as above.
        total += unsafe { warp::warp_shuffle_xor(FULL_WARP, total, distance, WARP) }.0;
    }
    if lane == WARP - 1 {
        sums.write(number, before as u64);
        totals.write(number, total);
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    before -= sum;
    total = 0;
    for other in 0..WARPS {
        before += if other < number { sums.read(other) as i64 } else { 0 };
        total += totals.read(other);
    }

    // Row 0 is the first candidate, with the sum 0; a row of these words must be better.
    let mut best = (0, 0);
    for word in first..end {
        let (up, down) = growth(forward, backward, m, word);
        if before + i64::from(up.count_ones()) > best.0 {
            let mut sum = before;
            for bit in 0..32 {
                sum += i64::from(up >> bit & 1) - i64::from(down >> bit & 1);
                if sum > best.0 {
                    best = (sum, word * 32 + bit + 1);
                }
            }
        }
        before += i64::from(up.count_ones()) - i64::from(down.count_ones());
    }
    for distance in [16, 8, 4, 2, 1] {
        // SAFETY: as above.
        let sum = unsafe { warp::warp_shuffle_xor(FULL_WARP, best.0, distance, WARP) }.0;
        // SAFETY: as above.
        let row = unsafe { warp::warp_shuffle_xor(FULL_WARP, best.1, distance, WARP) }.0;
        best = better(best, (sum, row));
    }
    // SAFETY: as above: `sums` is written again.
    unsafe { thread::sync_threads() };
    if lane == 0 {
        sums.write(number, best.0 as u64);
        rows.write(number, best.1);
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    if thread::thread_idx_x() == 0 {
        for other in 1..WARPS {
            best = better(best, (sums.read(other) as i64, rows.read(other)));
        }
        found.write(cut * 2, best.1);
        found.write(cut * 2 + 1, total.wrapping_add_signed(best.0));
    }
}
