//! LCS by bit-vectors with carries across blocks: Kawanami and Fujimoto (2014), listing 4. The page
//! docs/papers/kawanami-fujimoto-2014.md lists the differences from the paper.
//!
//! **Problem.** The kernel computes the last column of the LCS table of strings A (m rows) and B (n
//! columns) as Crochemore's bit-vector V: bit i is 0 where the LCS grows from row i to row i + 1.
//! The next column is V' = (V + (V & M)) | (V & !M), where M is the match vector of the column's
//! symbol. The carries of the sum run from row 0 upwards.
//!
//! **Partition** (figure 2). V is cut into sub-vectors of 1,024 rows, each with one warp (= one
//! block of 32 threads), and the columns into steps of 1,024. A sub-vector in a step is a computing
//! block. It needs its own V from the step before (→) and one carry per column from the sub-vector
//! below it (↑). So all computing blocks of an anti-diagonal run at once, in one launch:
//!
//! ```text
//!            step 0   1   2   3
//! rows 2048..   2     3   4   5     the number is the launch
//! rows 1024..   1     2   3   4     that runs the computing block
//! rows    0..   0     1   2   3
//! ```
//!
//! **Carries.** 1,024 columns make 1,024 carries of one bit: one word per thread. A block reads
//! them from global memory before its loop and writes them after it; within the loop they are in
//! shared memory. Global memory holds two sets. Launch d writes set d mod 2, because a sub-vector
//! still needs the set of launch d - 1 while the next one is written.
//!
//! **Threads.** Lane l holds rows 32 l to 32 l + 31 of the sub-vector in a register; the sum is a
//! [`WarpAdd`].
//!
//! **Cost.** A column of a computing block (1,024 cells) takes 2 loads (the symbol, the same for
//! all lanes, and its match word), 3 logic operations, and the sum. The sum takes 5 steps of a
//! shuffle and three selects ([`ConditionalSum`]), or two ballots ([`LookAhead`]). The loads for 8
//! columns are issued together: while few computing blocks run, the latency of a column determines
//! the time, and the loads of later columns need not wait for the sums. On sm_90 a column takes 97
//! or 35 instructions. Memory traffic is 4 bytes per lane and column, coalesced, nearly all from
//! L1.

use core::marker::PhantomData;

use crate::collectives::add::{ConditionalSum, LookAhead, WarpAdd};
use crate::published::match_vectors::Span;
use simt_std::prelude::*;

/// Columns per step. A column has a carry of one bit, and 32 carries are a word, so the carries of
/// a step are one word per thread.
pub const STEP: u32 = 1024;

/// Number of columns whose match words are loaded together, so that their latencies overlap.
const FETCHED: u32 = 8;

/// The computing blocks of one anti-diagonal. Launch d (from 0) of m rows and n columns: there are
/// X = ⌈m / 1,024⌉ sub-vectors and Y = ⌈n / 1,024⌉ steps, and sub-vector x runs step d - x. The
/// grid has all sub-vectors x whose step d - x exists: `x = first_block .. first_block + blocks`
/// ([`diagonal`]).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct BlockStep<A> {
    /// The bit-vector V, 32 X words; needs no initial value.
    pub v: Global<u32>,
    /// The match vectors of A: σ × 32 X words
    /// ([`MatchVectors`](crate::published::match_vectors::MatchVectors)).
    pub match_vectors: Global<u32>,
    /// The carries: two sets of 32 X words; needs no initial value.
    pub carries: Global<u32>,
    /// B as codes, n symbols.
    pub columns: Span,
    /// n, the number of columns.
    pub n: u64,
    /// X, the number of sub-vectors.
    pub sub_vectors: u32,
    /// The first sub-vector of this anti-diagonal.
    pub first_block: u32,
    /// d, the number of this launch.
    pub diagonal: u32,
    /// Algorithm that adds across the warp: [`ConditionalSum`] or [`LookAhead`].
    pub add: PhantomData<A>,
}

/// Returns the sub-vectors that run in launch `d`, which are the blocks of its grid, as (first,
/// number).
pub fn diagonal(d: u32, sub_vectors: u32, steps: u32) -> (u32, u32) {
    let first = (d + 1).saturating_sub(steps);
    let last = d.min(sub_vectors - 1);
    (first, last + 1 - first)
}

#[kernel(
    threads = WARP,
    instances = [
        block_step: (ConditionalSum), block_step_look_ahead: (LookAhead),
    ]
)]
fn block_step<A: WarpAdd>(self: BlockStep<A>) {
    let lane = warp::lane_id();
    let x = self.first_block + thread::block_idx_x();
    let step = self.diagonal - x;
    let words = self.sub_vectors as usize * WARP as usize;
    let index = x as usize * WARP as usize + lane as usize;

    shared_array!(carry_in: [u32; 32]);
    shared_array!(carry_out: [u32; 32]);
    let mut v = if step == 0 { !0 } else { self.v.read(index) };
    let from_below = ((self.diagonal + 1) & 1) as usize * words + index;
    carry_in.write(lane, if x == 0 { 0 } else { self.carries.read(from_below - WARP as usize) });
    // SAFETY: a block is one warp, and all of its lanes reach this call.
    unsafe { warp::sync_warp(FULL_WARP) };

    let first_column = u64::from(step) * u64::from(STEP);
    let columns = (self.n - first_column).min(STEP.into()) as u32;
    let mut position = self.columns.position(first_column);
    let match_words = self.match_vectors.skip(index);
    for group in 0..WARP {
        let carries = carry_in.read(group);
        let mut carries_out = 0;
        for j in (0..32).step_by(FETCHED as usize) {
            // The loads come first, so that their latencies overlap. A column past the end matches
            // nothing and gets a carry of 0, so it changes nothing.
            let mut matches = [0; FETCHED as usize];
            unroll!(k in [0 1 2 3 4 5 6 7] {
                let column = group * 32 + j + k;
                if column < columns {
                    let symbol = self.columns.read(position);
                    matches[k as usize] = match_words.read(symbol as usize * words);
                }
                position = position.wrapping_add(self.columns.step as usize);
            });
            unroll!(k in [0 1 2 3 4 5 6 7] {
                let m = matches[k as usize];
                // SAFETY: all lanes reach this call: the loops' bounds are the same in each.
                let (sum, carry) = unsafe { A::add(v, v & m, carries >> (j + k) & 1) };
                v = sum | v & !m;
                carries_out |= carry << (j + k);
            });
        }
        // The carry out of the warp's sum is that of lane 31.
        if lane == WARP - 1 {
            carry_out.write(group, carries_out);
        }
    }
    // SAFETY: a block is one warp, and all of its lanes reach this call.
    unsafe { warp::sync_warp(FULL_WARP) };
    self.v.write(index, v);
    self.carries.write((self.diagonal & 1) as usize * words + index, carry_out.read(lane));
}
