//! Thread and block indices, and clocks.

use core::arch::{asm, nvptx};

macro_rules! index {
    ($($name:ident, $intrinsic:ident;)*) => {$(
        #[inline(always)]
        pub fn $name() -> u32 {
            // SAFETY: only reads a special register.
            unsafe { nvptx::$intrinsic() as u32 }
        }
    )*};
}

index! {
    thread_idx_x, _thread_idx_x;
    thread_idx_y, _thread_idx_y;
    thread_idx_z, _thread_idx_z;
    block_idx_x, _block_idx_x;
    block_idx_y, _block_idx_y;
    block_idx_z, _block_idx_z;
    block_dim_x, _block_dim_x;
    block_dim_y, _block_dim_y;
    block_dim_z, _block_dim_z;
    grid_dim_x, _grid_dim_x;
    grid_dim_y, _grid_dim_y;
    grid_dim_z, _grid_dim_z;
}

#[inline(always)]
pub fn clock() -> u32 {
    let cycles: u32;
    // SAFETY: only reads a special register. The memory clobber keeps accesses on their side of it.
    unsafe { asm!("mov.u32 {}, %clock;", out(reg32) cycles, options(nostack)) };
    cycles
}

#[inline(always)]
pub fn clock64() -> u64 {
    let cycles: u64;
    // SAFETY: as above.
    unsafe { asm!("mov.u64 {}, %clock64;", out(reg64) cycles, options(nostack)) };
    cycles
}

#[inline(always)]
pub fn nanosleep(nanoseconds: u32) {
    // SAFETY: only waits.
    unsafe { asm!("nanosleep.u32 {};", in(reg32) nanoseconds, options(nomem, nostack)) };
}
