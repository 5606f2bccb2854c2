//! The barrier of a grid. Its memory is that of CUDA C++'s cooperative groups: a cooperative launch
//! has a workspace of two 32-bit words. The second word is 0 at the start. The driver passes the
//! address in two special registers, and 0 in another launch.
//!
//! Thread 0 of each block adds 1 to the word. Block 0 adds so much that the sum of a round is 2^31:
//! the last block to arrive flips the highest bit, and the others wait for this.
//!
//! ```text
//! 3 blocks     block 1: +1      block 0: +(2^31 - 2)      block 2: +1
//! word         0 -> 1           -> 2^31 - 1               -> 2^31: the highest bit differs
//! ```

use super::{
    block_idx_x, block_idx_y, block_idx_z, fail, grid_dim_x, grid_dim_y, grid_dim_z, sync_threads, thread_idx_x,
    thread_idx_y, thread_idx_z,
};
use core::arch::asm;

/// The bit that a round of the barrier flips.
const ROUND: u32 = 1 << 31;

/// Byte offset of the barrier's word in the workspace.
const WORD: u64 = 4;

#[inline(always)]
pub unsafe fn sync_grid() {
    // SAFETY: passed on to the caller: every thread of the block is here.
    unsafe { sync_threads() };
    if thread_idx_x() | thread_idx_y() | thread_idx_z() == 0 {
        let workspace: u64;
        // SAFETY: reads special registers.
        unsafe {
            asm!("mov.b64 {}, {{%envreg2, %envreg1}};", out(reg64) workspace, options(pure, nomem, nostack));
        }
        if workspace == 0 {
            fail(c"sync_grid needs a cooperative launch", None);
        }
        let blocks = grid_dim_x() * grid_dim_y() * grid_dim_z();
        let is_first = block_idx_x() | block_idx_y() | block_idx_z() == 0;
        let share = if is_first { ROUND - (blocks - 1) } else { 1 };
        let word = workspace + WORD;
        let old: u32;
        // SAFETY: a word of global memory that the driver has allocated for this. The fence and the
        // default memory clobber keep the block's earlier accesses before the addition.
        unsafe {
            asm!(
                "fence.acq_rel.gpu; atom.relaxed.gpu.global.add.u32 {}, [{}], {};",
                out(reg32) old, in(reg64) word, in(reg32) share, options(nostack)
            );
        }
        loop {
            let now: u32;
            // SAFETY: as above; the acquire keeps the later accesses after it.
            unsafe {
                asm!("ld.acquire.gpu.global.u32 {}, [{}];", out(reg32) now, in(reg64) word, options(nostack));
            }
            if (old ^ now) & ROUND != 0 {
                break;
            }
        }
    }
    // SAFETY: as above.
    unsafe { sync_threads() };
}
