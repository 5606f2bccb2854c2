//! Asynchronous copies from global to shared memory (PTX `cp.async`, CUDA C++'s pipeline
//! primitives). The data does not pass through registers, and the thread goes on while it is on its
//! way.
//!
//! A thread starts copies by [`memcpy_async`], makes a group of them by [`commit`], and waits for
//! its groups by [`wait_prior`]. **A copy arrives at the wait**: until then, nobody may read or
//! write its target or write its source. After the wait, the copying thread may read the target;
//! other threads may after a barrier.
//!
//! With compute capability 8.0 or more (`target_feature = "sm_80"`), a copy is one instruction. On
//! older GPUs, it is a load and a store, and a wait does nothing.
//!
//! Two buffers: the next tile is on its way while the threads work on the present one.
//!
//! ```
//! # use simt_std::simulator::Simulator;
//! use simt_std::pipeline::{commit, memcpy_async, wait_prior};
//! use simt_std::prelude::*;
//!
//! /// Adds `tiles` tiles of 64 words. Launch: one block.
//! #[kernel(threads = 64)]
//! fn sum_tiles(words: Global<u32>, tiles: u32, sums: Global<u32>) {
//!     shared_array!(buffers: [u32; 128]);
//!     let t = thread::thread_idx_x();
//!     memcpy_async(buffers, t, words, t);
//!     commit();
//!     let mut sum = 0;
//!     for tile in 0..tiles {
//!         if tile + 1 < tiles {
//!             memcpy_async(buffers, (tile + 1) % 2 * 64 + t, words, (tile + 1) * 64 + t);
//!         }
//!         commit();
//!         // All groups but the last one: this tile is there.
//!         wait_prior::<1>();
//!         // SAFETY: every thread of the block is here.
//!         unsafe { thread::sync_threads() };
//!         sum += buffers.read(tile % 2 * 64 + (t + 1) % 64);
//!         // SAFETY: as above; the next copy overwrites this buffer.
//!         unsafe { thread::sync_threads() };
//!     }
//!     sums.write(t, sum);
//! }
//! # let mut gpu = Simulator::default();
//! # let (words, sums) = (gpu.alloc_from(&[2u32; 320], "words"), gpu.alloc::<u32>(64, "sums"));
//! # gpu.launch_kernel(1, SumTiles { words: words.handle(), tiles: 5, sums: sums.handle() })?;
//! # assert_eq!(gpu.download(&sums, 64)?, [10; 64]);
//! # Ok::<(), simt_std::simulator::Fault>(())
//! ```

use crate::index::Index;
use crate::{Word, backend, global::Global, shared::Shared};

/// Starts a copy of element `from` of `source` to element `to` of `target` (PTX
/// `cp.async.ca.shared.global`, CUDA C++ `__pipeline_memcpy_async`). An element has 4, 8 or 16
/// bytes. [`Global::cast`] and [`Shared::cast`] make 16 of several smaller elements, whose
/// addresses must be multiples of 16.
///
/// ```compile_fail,E0080
/// # use simt_std::{global::Global, pipeline, shared::Shared};
/// # let (target, source) = (Shared::<u8>::at(0), Global::<u8>::at(0));
/// pipeline::memcpy_async(target, 0, source, 0); // 1 byte
/// ```
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn memcpy_async<T: Word>(target: Shared<T>, to: impl Index, source: Global<T>, from: impl Index) {
    const {
        assert!(matches!(size_of::<T>(), 4 | 8 | 16), "an asynchronous copy moves 4, 8 or 16 bytes");
    }
    let offset = to.shared().wrapping_mul(size_of::<T>() as _);
    backend::copy_async::<T>(target.address, offset, source.address, from.global());
}

/// Makes a group of the copies that this thread has started since its last group (PTX
/// `cp.async.commit_group`, CUDA C++ `__pipeline_commit`). A group may be empty.
#[inline(always)]
pub fn commit() {
    backend::copy_commit();
}

/// Waits until at most the last `N` of this thread's groups are on their way (PTX
/// `cp.async.wait_group`, CUDA C++ `__pipeline_wait_prior`). Copies without a group are not waited
/// for.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn wait_prior<const N: u32>() {
    backend::copy_wait::<N>();
}
