//! Which thread this is, and the barrier of its block.

use super::backend;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name() -> u32 {
            backend::$name()
        }
    )*};
}

index! {
    /// This thread's x index in its block (PTX `%tid.x`).
    thread_idx_x
    /// This thread's y index in its block (PTX `%tid.y`).
    thread_idx_y
    /// This thread's z index in its block (PTX `%tid.z`).
    thread_idx_z
    /// This block's x index in the grid (PTX `%ctaid.x`).
    block_idx_x
    /// This block's y index in the grid (PTX `%ctaid.y`).
    block_idx_y
    /// This block's z index in the grid (PTX `%ctaid.z`).
    block_idx_z
    /// Threads of a block in x (PTX `%ntid.x`).
    block_dim_x
    /// Threads of a block in y (PTX `%ntid.y`).
    block_dim_y
    /// Threads of a block in z (PTX `%ntid.z`).
    block_dim_z
    /// Blocks of the grid in x (PTX `%nctaid.x`).
    grid_dim_x
    /// Blocks of the grid in y (PTX `%nctaid.y`).
    grid_dim_y
    /// Blocks of the grid in z (PTX `%nctaid.z`).
    grid_dim_z
}

/// This thread's index in a one-dimensional grid: block index × block size + thread index.
#[inline(always)]
pub fn index_1d() -> u32 {
    block_idx_x() * block_dim_x() + thread_idx_x()
}

/// Waits for every thread of the block; what they wrote before is seen after (PTX `bar.sync 0`).
///
/// # Safety
/// Every thread of the block calls it, from the same place.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_threads() {
    // SAFETY: passed on to the caller.
    unsafe { backend::sync_threads() }
}
