//! How many integer instructions a GPU issues a second: the ceilings that the LCS kernels are compared with.
//!
//! [`IssueRate`], for the block-step kernels: every thread runs 8 independent chains of dependent additions and logic
//! operations, so that latency is hidden and nothing can be left out. 256 integer instructions a turn and thread, beside
//! 3 for the loop. Plain additions can go through a second pipe, as multiplications by 1.
//!
//! [`CarryRate`], for the wavefront: additions that take a carry in go through one pipe, the one of the logic operations.
//! Every thread takes a lane through columns ([`lane_column`](crate::lcs::lane_column)) whose match words are in registers:
//! what is left of the wavefront without its loads, shuffles and waiting.

use crate::lcs::lane_column::{Lane, LaneColumn};
use simt_std::prelude::*;

/// Integer instructions of a thread of [`IssueRate`] in a turn of its loop.
pub const INSTRUCTIONS: u64 = 256;

/// Independent chains of a thread: each instruction waits for the one before it in its chain alone.
const CHAINS: usize = 8;

/// Runs a loop of additions and exclusive ors in every thread. Launch: any number of blocks.
#[kernel(threads = 256)]
pub fn issue_rate(
    /// Turns of the loop.
    turns: u32,
    /// Any number; unknown to the compiler.
    seed: u32,
    /// Out: one word a thread, so that the work is needed.
    out: Global<u32>,
) {
    let i = thread::index_1d();
    let mut chains: [u32; CHAINS] = core::array::from_fn(|c| i.wrapping_add(seed << c));
    for turn in 0..turns {
        // An addition and an exclusive or in turn: neither folds into the next.
        for _ in 0..INSTRUCTIONS as usize / CHAINS / 2 {
            for chain in &mut chains {
                *chain = chain.wrapping_add(turn) ^ seed;
            }
        }
    }
    out.write(i as usize, chains.iter().fold(0, |all, &c| all ^ c));
}

/// Words of a lane of [`CarryRate`]: so few registers that a multiprocessor can hold all the warps it has room for.
const WORDS: usize = 8;

/// Instructions of the pipe of logic operations for a column of a lane with W words: 3 a word, and the doubling that
/// hands a carry in. The doubling that takes the carry out goes through the other pipe, as a multiplication by 1
/// (`IMAD.X` in the machine code).
pub const fn carry_instructions(words: u64) -> u64 {
    3 * words + 1
}

/// Instructions of that pipe that a thread of [`CarryRate`] runs in a turn of its loop, 8 columns.
pub const CARRY_INSTRUCTIONS: u64 = 8 * carry_instructions(WORDS as u64);

/// Takes a lane through 8 columns in each of `turns` turns, in every thread. Launch: any number of blocks.
#[kernel(threads = 256)]
pub fn carry_rate(
    /// Turns of the loop.
    turns: u32,
    /// Any number; unknown to the compiler.
    seed: u32,
    /// Out: one word a thread, so that the work is needed.
    out: Global<u32>,
) {
    let i = thread::index_1d();
    let matches: [u32; WORDS] = core::array::from_fn(|w| i.wrapping_mul(seed) >> w);
    let (mut v, mut carries_in, mut carries_out) = ([!0; WORDS], seed, 0);
    for _ in 0..turns {
        unroll!(_column in [0 1 2 3 4 5 6 7] {
            Lane::<WORDS>::step(&mut v, &matches, &mut carries_in, &mut carries_out);
        });
    }
    out.write(i as usize, v.iter().fold(carries_out, |all, &word| all ^ word));
}
