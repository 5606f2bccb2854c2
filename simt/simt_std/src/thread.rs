//! Indices of a thread, the barrier of its block, memory fences, and the clock.

use super::atomic::Scope;
use super::backend;

/// Two indices or extents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct UVec2 {
    /// In the x dimension, which varies fastest.
    pub x: u32,
    /// In the y dimension.
    pub y: u32,
}

/// Three indices or extents (CUDA C++ `uint3`, `dim3`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct UVec3 {
    /// In the x dimension, which varies fastest: neighbours in x are neighbours in their warp.
    pub x: u32,
    /// In the y dimension.
    pub y: u32,
    /// In the z dimension.
    pub z: u32,
}

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
    /// Returns this thread's x index in its block (PTX `%tid.x`).
    thread_idx_x
    /// Returns this thread's y index in its block (PTX `%tid.y`).
    thread_idx_y
    /// Returns this thread's z index in its block (PTX `%tid.z`).
    thread_idx_z
    /// Returns this block's x index in the grid (PTX `%ctaid.x`).
    block_idx_x
    /// Returns this block's y index in the grid (PTX `%ctaid.y`).
    block_idx_y
    /// Returns this block's z index in the grid (PTX `%ctaid.z`).
    block_idx_z
    /// Returns the number of threads of a block in x (PTX `%ntid.x`).
    block_dim_x
    /// Returns the number of threads of a block in y (PTX `%ntid.y`).
    block_dim_y
    /// Returns the number of threads of a block in z (PTX `%ntid.z`).
    block_dim_z
    /// Returns the number of blocks of the grid in x (PTX `%nctaid.x`).
    grid_dim_x
    /// Returns the number of blocks of the grid in y (PTX `%nctaid.y`).
    grid_dim_y
    /// Returns the number of blocks of the grid in z (PTX `%nctaid.z`).
    grid_dim_z
}

macro_rules! index_3 {
    ($($(#[$doc:meta])* $name:ident, $x:ident $y:ident $z:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name() -> UVec3 {
            UVec3 { x: $x(), y: $y(), z: $z() }
        }
    )*};
}

index_3! {
    /// Returns this thread's index in its block (CUDA C++ `threadIdx`).
    thread_idx, thread_idx_x thread_idx_y thread_idx_z;
    /// Returns this block's index in the grid (CUDA C++ `blockIdx`).
    block_idx, block_idx_x block_idx_y block_idx_z;
    /// Returns the number of threads of a block (CUDA C++ `blockDim`).
    block_dim, block_dim_x block_dim_y block_dim_z;
    /// Returns the number of blocks of the grid (CUDA C++ `gridDim`).
    grid_dim, grid_dim_x grid_dim_y grid_dim_z;
}

/// Returns this thread's index in a one-dimensional grid: block index × block size + thread index.
#[inline(always)]
pub fn index_1d() -> u32 {
    block_idx_x() * block_dim_x() + thread_idx_x()
}

/// Returns this thread's index in a two-dimensional grid, in each dimension as [`index_1d`].
///
/// ```text
/// blocks of 4 × 2 threads; block (1, 2), thread (3, 1)   ->   x = 1 × 4 + 3 = 7, y = 2 × 2 + 1 = 5
/// ```
#[inline(always)]
pub fn index_2d() -> UVec2 {
    UVec2 { x: index_1d(), y: block_idx_y() * block_dim_y() + thread_idx_y() }
}

/// Returns this thread's number in its block: x varies fastest, then y, then z. A warp is 32
/// threads with consecutive numbers.
#[inline(always)]
pub fn index_in_block() -> u32 {
    (thread_idx_z() * block_dim_y() + thread_idx_y()) * block_dim_x() + thread_idx_x()
}

/// Returns the number of threads of a block, in all dimensions.
#[inline(always)]
pub fn threads_of_block() -> u32 {
    block_dim_x() * block_dim_y() * block_dim_z()
}

/// Returns true in thread 0 of each block (0 in all dimensions), for work that a block does once.
#[inline(always)]
pub fn first() -> bool {
    index_in_block() == 0
}

/// Returns the number of threads in a warp: 32 (PTX `WARP_SZ`, CUDA C++ `warpSize`).
#[inline(always)]
pub fn warp_size() -> u32 {
    super::WARP
}

/// Waits for every thread of the block, and makes their earlier writes visible to all of them (PTX
/// `bar.sync 0`).
///
/// # Safety
/// Every thread of the block calls it, from the same source position.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_threads() {
    // SAFETY: passed on to the caller.
    unsafe { backend::sync_threads() }
}

/// Synchronises as [`sync_threads`] and returns the number of the block's threads whose `predicate`
/// is true (PTX `bar.red.popc`, CUDA C++ `__syncthreads_count`).
///
/// # Safety
/// As [`sync_threads`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_threads_count(predicate: bool) -> u32 {
    // SAFETY: passed on to the caller.
    unsafe { backend::sync_threads_count(predicate) }
}

/// Synchronises as [`sync_threads`] and returns true if `predicate` is true in all threads of the
/// block (PTX `bar.red.and`, CUDA C++ `__syncthreads_and`).
///
/// # Safety
/// As [`sync_threads`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_threads_and(predicate: bool) -> bool {
    // SAFETY: passed on to the caller.
    unsafe { backend::sync_threads_and(predicate) }
}

/// Synchronises as [`sync_threads`] and returns true if `predicate` is true in any thread of the
/// block (PTX `bar.red.or`, CUDA C++ `__syncthreads_or`).
///
/// # Safety
/// As [`sync_threads`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_threads_or(predicate: bool) -> bool {
    // SAFETY: passed on to the caller.
    unsafe { backend::sync_threads_or(predicate) }
}

/// Arrives at barrier `id` of the block, waits until `threads` threads have arrived, and makes
/// their earlier writes visible to this thread (PTX `bar.sync id, threads`; CUTLASS
/// `NamedBarrier::sync`). Other warps of the block need not take part. Each warp arrives as a whole
/// and counts 32 threads, even if it has fewer lanes. The barrier can then be used again.
///
/// `id` is 1 to 15; 0 is the barrier of [`sync_threads`]. `threads` is a multiple of 32, at most
/// that of the block in whole warps.
///
/// A producer arrives by [`barrier_arrive`] and does not wait:
///
/// ```
/// # use simt_std::{prelude::*, simulator::{Grid, Simulator}};
/// # Simulator::default().launch("hand_on", Grid::linear(1, 64), || {
/// shared_array!(words: [u32; 32]);
/// let lane = warp::lane_id();
/// if warp::warp_id() == 0 {
///     words.write(lane, 2 * lane);
///     // SAFETY: all lanes of warp 0 are here, once.
///     unsafe { thread::barrier_arrive(1, 64) };
/// } else {
///     // SAFETY: all lanes of warp 1 are here, and warp 0 arrives.
///     unsafe { thread::barrier_sync(1, 64) };
///     assert_eq!(words.read(31 - lane), 2 * (31 - lane));
/// }
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// # Safety
/// All lanes of the warp call it, from the same source position and with the same numbers. Exactly
/// `threads` / 32 warps of the block arrive for each use of the barrier, all with the same
/// `threads`, and no warp arrives twice for one use.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn barrier_sync(id: u32, threads: u32) {
    // SAFETY: passed on to the caller.
    unsafe { backend::barrier_sync(id, threads) }
}

/// Arrives at barrier `id` of the block as [`barrier_sync`] does, and does not wait (PTX
/// `bar.arrive id, threads`; CUTLASS `NamedBarrier::arrive`). The threads that wait there see this
/// thread's earlier writes.
///
/// NVIDIA's `compute-sanitizer --tool racecheck` (CUDA 13.0) reports a race where this thread
/// reads, arrives, and another thread writes behind the barrier. It reports none if this thread
/// waits.
///
/// # Safety
/// As [`barrier_sync`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn barrier_arrive(id: u32, threads: u32) {
    // SAFETY: passed on to the caller.
    unsafe { backend::barrier_arrive(id, threads) }
}

/// Waits for every thread of the grid, and makes their earlier writes visible to all of them (CUDA
/// C++ `cooperative_groups::this_grid().sync()`). The kernel is `cooperative`
/// ([`#[kernel]`](macro@crate::kernel)); in another launch, it ends the launch. It takes two block
/// barriers, and one thread of each block counts the blocks in global memory.
///
/// ```
/// use simt_std::prelude::*;
/// use simt_std::simulator::Simulator;
///
/// /// Adds 1 to each word, and then the word of the next block. Launch: a block for each word.
/// #[kernel(threads = 1, cooperative)]
/// fn rotate(words: Global<u32>, out: Global<u32>) {
///     let (block, blocks) = (thread::block_idx_x(), thread::grid_dim_x());
///     words.write(block as usize, words.read(block as usize) + 1);
///     // SAFETY: every thread of the grid is here.
///     unsafe { thread::sync_grid() };
///     out.write(block as usize, words.read(((block + 1) % blocks) as usize));
/// }
///
/// let mut gpu = Simulator::default();
/// let (words, out) = (gpu.alloc_from(&[10, 20, 30], "words"), gpu.alloc::<u32>(3, "out"));
/// gpu.launch_kernel(3, Rotate { words: words.handle(), out: out.handle() })?;
/// assert_eq!(gpu.download(&out, 3)?, [21, 31, 11]);
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// # Safety
/// Every thread of the grid calls it, those of a block from the same source position.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_grid() {
    // SAFETY: passed on to the caller.
    unsafe { backend::sync_grid() }
}

macro_rules! fences {
    ($($(#[$doc:meta])* $name:ident, $scope:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Before a relaxed atomic write, the fence makes a release; after a relaxed atomic read,
        /// it makes an acquire:
        ///
        /// ```text
        /// data.write(0, 42);         while atomic::load(flag, 0) == 0 {}
        /// fence                      fence
        /// atomic::store(flag, 0, 1)  data.read(0)   // 42
        /// ```
        ///
        /// Unlike a barrier, it does not wait for other threads.
        ///
        /// It acquires and releases (CUDA C++ `cuda::atomic_thread_fence`). Two types of algorithms
        /// need the sequentially consistent [`atomic::fence`](crate::atomic::fence): those that
        /// need one order of all accesses for all threads, such as Dekker's, and those whose fences
        /// and atomic operations are executed by different threads of a block.
        #[inline(always)]
        #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
        pub fn $name() {
            backend::fence(Scope::$scope);
        }
    )*};
}

fences! {
    /// Orders this thread's accesses before and after it, for the threads of its block (PTX
    /// `fence.acq_rel.cta`; `cuda_std` calls it `grid_fence`, although it reaches only the block).
    /// CUDA C++'s `__threadfence_block` is sequentially consistent.
    block_fence, Block;
    /// Orders this thread's accesses before and after it, for the threads of its GPU (PTX
    /// `fence.acq_rel.gpu`). CUDA C++'s `__threadfence` is sequentially consistent.
    device_fence, Device;
    /// Orders this thread's accesses before and after it, for all GPUs and the host (PTX
    /// `fence.acq_rel.sys`). CUDA C++'s `__threadfence_system` is sequentially consistent.
    system_fence, System;
}

/// Returns the lower 32 bits of [`clock64`] (PTX `%clock`, CUDA C++ `clock`).
#[inline(always)]
pub fn clock() -> u32 {
    backend::clock()
}

/// Returns the cycle counter of this thread's multiprocessor. The difference of two values is the
/// elapsed time, including other warps' work (PTX `%clock64`, CUDA C++ `clock64`). In the simulator
/// it is a number that grows, but does not measure time.
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, thread};
/// # Simulator::default().launch("clock", Grid::linear(1, 1), || {
/// let start = thread::clock64();
/// let cycles = thread::clock64() - start;
/// # assert!(cycles > 0);
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
#[inline(always)]
pub fn clock64() -> u64 {
    backend::clock64()
}

/// Sleeps for about `nanoseconds`, at most twice that long and at most a millisecond, in a loop
/// that waits for another block (PTX `nanosleep`, since PTX 6.3; CUDA C++ `__nanosleep`). Does
/// nothing in the simulator.
#[inline(always)]
pub fn nanosleep(nanoseconds: u32) {
    backend::nanosleep(nanoseconds);
}
