//! Match vectors (PM, *pattern match*), built on the device: bit i of symbol c's vector is set if
//! row i of the string is c. [`block_step`](crate::published::block_step) reads them.
//!
//! ```text
//! string  a b b a c          PM[a] = 1 0 0 1 0
//!                            PM[b] = 0 1 1 0 0
//!                            PM[c] = 0 0 0 0 1     row 0 first
//! ```
//!
//! **Threads.** A warp computes 1,024 rows of all vectors: for each symbol, lane l gets the word of
//! the rows 32 l to 32 l + 31 by ballots ([`transpose`](crate::collectives::transpose)). So both
//! the reads of the string (32 bytes) and the writes of a vector (128 bytes) are whole sectors.
//! Rows past the end match nothing.
//!
//! **Cost.** The string is read once per symbol of the alphabet, from cache after the first time.
//! An iteration covers 32 rows with a load, a comparison, a ballot and a select, and the arithmetic
//! for the position. σ bits are written per row.

use crate::collectives::transpose::transposed;
use simt_std::prelude::*;

/// Rows per warp, which is a block: 32 lanes of 32 bits.
pub const ROWS: u32 = 1024;

/// A string on the device, read from `first` on in steps of `step`: 1 forwards, -1 backwards.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Span {
    /// The symbols as codes, 0 to σ - 1.
    pub symbols: Global<u8>,
    /// The position in `symbols` of the span's symbol 0.
    pub first: u64,
    /// Difference between the positions of two successive symbols of the span: 1 or -1.
    pub step: i64,
}

impl Span {
    /// Returns the position in `symbols` of the span's symbol `i`.
    #[inline(always)]
    pub fn position(&self, i: u64) -> usize {
        self.first.wrapping_add((i as i64).wrapping_mul(self.step) as u64) as usize
    }

    /// Returns the symbol at a position computed by [`position`](Self::position).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read(&self, position: usize) -> u32 {
        self.symbols.read(position).into()
    }
}

/// Builds the match vectors of a string. Launch: ⌈m / 1,024⌉ blocks.
#[kernel(threads = WARP)]
pub fn match_vectors(
    /// The string, m symbols.
    rows: Span,
    /// m.
    m: u64,
    /// σ, the size of the alphabet.
    symbols: u32,
    /// Out: σ vectors, one after the other, of 32 × ⌈m / 1,024⌉ words each.
    vectors: Global<u32>,
) {
    let lane = warp::lane_id();
    let words = u64::from(thread::grid_dim_x()) * u64::from(WARP);
    let first_row = u64::from(thread::block_idx_x()) * u64::from(ROWS);
    for symbol in 0..symbols {
        let matches = |word: u32| {
            let row = first_row + u64::from(word * 32 + lane);
            row < m && rows.read(rows.position(row)) == symbol
        };
        // SAFETY: all lanes reach this call, because the loop's bounds are the same in each.
        let own = unsafe { transposed(matches) };
        let index = u64::from(symbol) * words + u64::from(thread::block_idx_x() * WARP + lane);
        vectors.write(index as usize, own);
    }
}
