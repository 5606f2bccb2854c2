//! Measures how many integer instructions a GPU issues per second: the ceilings of the LCS kernels.
//!
//! **Problem.** A GPU's scheduler issues at most one instruction per cycle, if some warp has one
//! that is ready. A kernel that reaches this rate needs enough ready instructions, no memory
//! accesses, and no code that the compiler can remove.
//!
//! **[`IssueRate`]**, for the block-step kernels. Each thread runs 8 independent *chains* of
//! additions and exclusive ors. An instruction depends only on the instruction before it in its
//! chain. While it waits, the other chains and warps issue.
//!
//! ```text
//! cycle       0    1    2    3    4    5    6    7  …
//! chain 0     +                   ^                    4 chains, instructions that take 4 cycles:
//! chain 1          +                   ^               one is issued every cycle
//! chain 2               +                   ^
//! chain 3                    +                   ^
//! ```
//!
//! Each iteration of a thread's loop runs 256 integer instructions, 16 additions and 16 exclusive
//! ors per chain, plus 3 for the loop. A GPU may run plain additions in a second pipe, as
//! multiplications by 1.
//!
//! **[`CarryRate`]**, for the wavefront. Additions with a carry in have only one pipe, which they
//! share with logic operations. Each thread takes a lane through columns
//! ([`lane_column`](crate::lcs::lane_column)) whose match words are in registers: the wavefront
//! without its loads, shuffles and waits.
//!
//! **Threads.** Any number of blocks of 256 threads, which all do the same. The host measures the
//! time t of a launch; the rate is instructions per iteration × iterations × threads / t.

use crate::lcs::lane_column::{Lane, LaneColumn};
use simt_std::prelude::*;

/// Integer instructions per thread of [`IssueRate`] and iteration of its loop.
pub const INSTRUCTIONS: u64 = 256;

/// Independent chains per thread.
const CHAINS: usize = 8;

/// Runs a loop of additions and exclusive ors in every thread. Launch: any number of blocks.
#[kernel(threads = 256)]
pub fn issue_rate(
    /// Iterations of the loop.
    iterations: u32,
    /// Any number; unknown to the compiler.
    seed: u32,
    /// Out: one word per thread, so that the compiler cannot remove the work.
    out: Global<u32>,
) {
    let i = thread::index_1d();
    let mut chains: [u32; CHAINS] = core::array::from_fn(|c| i.wrapping_add(seed << c));
    for iteration in 0..iterations {
        // Additions and exclusive ors alternate, since the compiler would merge two equal
        // operations into one.
        for _ in 0..INSTRUCTIONS as usize / CHAINS / 2 {
            for chain in &mut chains {
                *chain = chain.wrapping_add(iteration) ^ seed;
            }
        }
    }
    out.write(i as usize, chains.iter().fold(0, |all, &c| all ^ c));
}

/// Words per lane of [`CarryRate`]: few enough that a multiprocessor has registers for the greatest
/// number of warps it can hold.
const WORDS: usize = 8;

/// Returns the instructions that the logic pipe executes for one column of a lane of W words: 3 per
/// word, and the doubling that passes a carry in. The doubling that takes the carry out uses the
/// other pipe, as a multiplication by 1 (`IMAD.X` in the machine code).
pub const fn carry_instructions(words: u64) -> u64 {
    3 * words + 1
}

/// Logic-pipe instructions per thread of [`CarryRate`] and iteration of its loop, which takes 8
/// columns.
pub const CARRY_INSTRUCTIONS: u64 = 8 * carry_instructions(WORDS as u64);

/// Takes a lane through 8 columns in each of `iterations` iterations, in every thread. Launch: any
/// number of blocks.
#[kernel(threads = 256)]
pub fn carry_rate(
    /// Iterations of the loop.
    iterations: u32,
    /// Any number; unknown to the compiler.
    seed: u32,
    /// Out: one word per thread, so that the compiler cannot remove the work.
    out: Global<u32>,
) {
    let i = thread::index_1d();
    let matches: [u32; WORDS] = core::array::from_fn(|w| i.wrapping_mul(seed) >> w);
    let (mut v, mut carries_in, mut carries_out) = ([!0; WORDS], seed, 0);
    for _ in 0..iterations {
        unroll!(_column in [0 1 2 3 4 5 6 7] {
            Lane::<WORDS>::step(&mut v, &matches, &mut carries_in, &mut carries_out);
        });
    }
    out.write(i as usize, v.iter().fold(carries_out, |all, &word| all ^ word));
}
