//! How fast a GPU issues integer instructions: the ceiling that the LCS kernels are held against.
//!
//! Every thread runs 8 independent chains of dependent additions and logic operations, so that latency is hidden and
//! nothing can be left out. 256 integer instructions a turn and thread, beside 3 for the loop.

use crate::cuda::{Kernel, global::Global, thread};
use crate::entry;

/// Integer instructions of a thread in a turn of the loop.
pub const INSTRUCTIONS: u64 = 256;

/// Chains of a thread.
const CHAINS: usize = 8;

/// Runs `turns` turns in every thread. Launch: any number of blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct IssueRate {
    /// Turns of the loop.
    pub turns: u32,
    /// Any number; unknown to the compiler.
    pub seed: u32,
    /// Out: one word a thread, so that the work is needed.
    pub out: Global<u32>,
}

// SAFETY: repr(C); `entry!` below makes the entry of this name.
unsafe impl Kernel for IssueRate {
    const NAME: &'static str = "issue_rate";
    const BLOCK_THREADS: u32 = 256;

    #[inline(always)]
    unsafe fn run(self) {
        let i = thread::index_1d();
        let mut chains: [u32; CHAINS] = core::array::from_fn(|c| i.wrapping_add(self.seed << c));
        for turn in 0..self.turns {
            // An addition and an exclusive or in turn: neither folds into the next.
            for _ in 0..INSTRUCTIONS as usize / CHAINS / 2 {
                for chain in &mut chains {
                    *chain = chain.wrapping_add(turn) ^ self.seed;
                }
            }
        }
        self.out.write(i as usize, chains.iter().fold(0, |all, &c| all ^ c));
    }
}

entry!(issue_rate: IssueRate);
