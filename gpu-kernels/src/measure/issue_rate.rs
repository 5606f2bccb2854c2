//! How many integer instructions a GPU issues a second: the ceilings that the LCS kernels are compared with.
//!
//! **Problem.** A scheduler of a GPU issues an instruction a cycle at most, if some warp has one that waits for nothing. A kernel that reaches
//! the rate must have enough such instructions, needs no memory, and leaves the compiler nothing to leave out.
//!
//! **[`IssueRate`]**, for the block-step kernels. Each thread runs 8 independent *chains* of additions and exclusive ors: an instruction
//! waits for the one before it in its chain, and for no other. While it waits, the other chains and warps have their turn.
//!
//! ```text
//! cycle       0    1    2    3    4    5    6    7  …
//! chain 0     +                   ^                      4 chains, instructions that take 4 cycles: one is issued every cycle
//! chain 1          +                   ^
//! chain 2               +                   ^
//! chain 3                    +                   ^
//! ```
//!
//! A turn of a thread's loop is 256 integer instructions, 16 additions and 16 exclusive ors in each chain, beside 3 for the loop. A GPU may
//! run plain additions in a second pipe, as multiplications by 1.
//!
//! **[`CarryRate`]**, for the wavefront. Additions that take a carry in have one pipe, which they share with logic operations. Each thread
//! takes a lane through columns ([`lane_column`](crate::lcs::lane_column)) whose match words are in registers: what is left of the wavefront
//! without its loads, shuffles and waiting.
//!
//! **Threads.** Any number of blocks of 256 threads, which all do the same. The host takes the time t of a launch, and the rate is
//! instructions a turn × turns × threads / t.

use crate::lcs::lane_column::{Lane, LaneColumn};
use simt_std::prelude::*;

/// Integer instructions of a thread of [`IssueRate`] in a turn of its loop.
pub const INSTRUCTIONS: u64 = 256;

/// Independent chains of a thread.
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
        // An addition and an exclusive or by turns, since the compiler would join two of a kind to one.
        for _ in 0..INSTRUCTIONS as usize / CHAINS / 2 {
            for chain in &mut chains {
                *chain = chain.wrapping_add(turn) ^ seed;
            }
        }
    }
    out.write(i as usize, chains.iter().fold(0, |all, &c| all ^ c));
}

/// Words of a lane of [`CarryRate`]: few enough that a multiprocessor has registers for as many warps as it can hold.
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
