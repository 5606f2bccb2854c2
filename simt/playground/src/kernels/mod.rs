//! The kernels of the page: one file each, with parameters that plant faults.
//!
//! Without faults, they are those of `simt/examples` and of papers. They are written again here,
//! because there the sizes are constants, and every barrier is in its place.

use simt_std::thread;

pub mod blelloch;
pub mod duels;
pub mod histogram;
pub mod lcs_bits;
pub mod look_back;
pub mod matmul;
pub mod memory_machine;
pub mod myers;
pub mod reduction;
pub mod shift_or;
pub mod stencil;
pub mod transpose;
pub mod vector_add;
pub mod warp;

/// A barrier of the block, if `present`; a fault of the page leaves it out.
///
/// # Safety
/// As for [`thread::sync_threads`].
#[inline(always)]
#[track_caller]
pub unsafe fn barrier(present: bool) {
    if present {
        // SAFETY: passed on to the caller.
        unsafe { thread::sync_threads() }
    }
}
