//! Asynchronous copies: one instruction each from compute capability 8.0 on, else a load and a
//! store.

use super::memory::SharedIndex;
use crate::Word;

#[cfg(target_feature = "sm_80")]
mod instructions {
    use super::{SharedIndex, Word};
    use core::arch::asm;

    #[inline(always)]
    pub fn copy_async<T: Word>(target: u32, offset: SharedIndex, source: *mut T, from: usize) {
        // SAFETY: the launch's contract: both elements are inside. The memory clobber keeps other
        // accesses on their side of it.
        unsafe {
            asm!("cp.async.ca.shared.global [{}], [{}], {};",
                in(reg32) target.wrapping_add(offset), in(reg64) source.wrapping_add(from), const size_of::<T>(),
                options(nostack));
        }
    }

    #[inline(always)]
    pub fn copy_commit() {
        // SAFETY: only orders copies.
        unsafe { asm!("cp.async.commit_group;", options(nostack)) };
    }

    #[inline(always)]
    pub fn copy_wait<const N: u32>() {
        // SAFETY: only waits. The memory clobber keeps reads of the targets after it.
        unsafe { asm!("cp.async.wait_group {};", const N, options(nostack)) };
    }
}

#[cfg(not(target_feature = "sm_80"))]
mod instructions {
    use super::{SharedIndex, Word};
    use crate::backend::{global_read, shared_write};

    #[inline(always)]
    pub fn copy_async<T: Word>(target: u32, offset: SharedIndex, source: *mut T, from: usize) {
        shared_write(target, offset, global_read(source, from));
    }

    #[inline(always)]
    pub fn copy_commit() {}

    #[inline(always)]
    pub fn copy_wait<const N: u32>() {}
}

pub use instructions::*;
