//! The GPU as a kernel in Rust sees it. Functions have the names of Rust-CUDA's `cuda_std`.
//!
//! One source runs in two ways. Compiled for `nvptx64`, it becomes PTX for NVIDIA GPUs. Compiled
//! for any other target, it runs on the CPU under the [`simulator`], which checks and counts every
//! memory access.
//!
//! The book in `book/chapters` of the repository teaches kernels step by step, with exercises in
//! `book/exercises`; `docs/kernels.md` is the reference.
//!
//! | here | CUDA C++ | PTX |
//! |---|---|---|
//! | [`thread::thread_idx`], [`_x`](thread::thread_idx_x), `_y`, `_z` | `threadIdx` | `%tid` |
//! | [`thread::block_idx`], [`_x`](thread::block_idx_x), `_y`, `_z` | `blockIdx` | `%ctaid` |
//! | [`thread::block_dim`], [`_x`](thread::block_dim_x), `_y`, `_z` | `blockDim` | `%ntid` |
//! | [`thread::grid_dim`], [`_x`](thread::grid_dim_x), `_y`, `_z` | `gridDim` | `%nctaid` |
//! | [`thread::index_1d`] | `blockIdx.x * blockDim.x + threadIdx.x` | `mad` |
//! | [`thread::index_2d`] | the same for x and y | `mad`, twice |
//! | [`thread::index_in_block`], [`first`](thread::first) | `threadIdx.x`, `threadIdx.x == 0` | |
//! | [`thread::sync_threads`] | `__syncthreads()` | `bar.sync 0` |
//! | [`thread::sync_threads_count`] | `__syncthreads_count(p)` | `bar.red.popc` |
//! | [`thread::sync_threads_and`] | `__syncthreads_and(p)` | `bar.red.and` |
//! | [`thread::sync_threads_or`] | `__syncthreads_or(p)` | `bar.red.or` |
//! | [`thread::barrier_sync`] | `cutlass::arch::NamedBarrier::sync` | `bar.sync id, n` |
//! | [`thread::barrier_arrive`] | `NamedBarrier::arrive` | `bar.arrive id, n` |
//! | [`thread::sync_grid`] | `this_grid().sync()` | `bar.sync`, `atom`, `ld` |
//! | [`thread::block_fence`] | `cuda::atomic_thread_fence` | `fence.acq_rel.cta` |
//! | [`thread::device_fence`] | the same | `fence.acq_rel.gpu` |
//! | [`thread::system_fence`] | the same | `fence.acq_rel.sys` |
//! | [`atomic::fence`] (`SeqCst`, `Block`) | `__threadfence_block()` | `fence.sc.cta` |
//! | `atomic::fence` (`SeqCst`, `Device`) | `__threadfence()` | `fence.sc.gpu` |
//! | `atomic::fence` (`SeqCst`, `System`) | `__threadfence_system()` | `fence.sc.sys` |
//! | [`thread::clock`] | `clock()` | `%clock` |
//! | [`thread::clock64`] | `clock64()` | `%clock64` |
//! | [`thread::nanosleep`] | `__nanosleep(n)` | `nanosleep` |
//! | [`thread::warp_size`], [`WARP`] | `warpSize` | `WARP_SZ` |
//! | [`warp::lane_id`] | `threadIdx.x % 32` | `%laneid` |
//! | [`warp::warp_id`] | `threadIdx.x / 32` | |
//! | [`warp::lanemask_lt`] | `(1u << lane) - 1` | `%lanemask_lt` |
//! | [`warp::lanemask_le`] | and so on | `%lanemask_le` |
//! | [`warp::lanemask_eq`] | | `%lanemask_eq` |
//! | [`warp::lanemask_ge`] | | `%lanemask_ge` |
//! | [`warp::lanemask_gt`] | | `%lanemask_gt` |
//! | [`warp::activemask`] | `__activemask()` | `activemask` |
//! | [`warp::sync_warp`] | `__syncwarp(mask)` | `bar.warp.sync` |
//! | [`warp::warp_shuffle_up`] | `__shfl_up_sync` | `shfl.sync.up` |
//! | [`warp::warp_shuffle_down`] | `__shfl_down_sync` | `shfl.sync.down` |
//! | [`warp::warp_shuffle_idx`] | `__shfl_sync` | `shfl.sync.idx` |
//! | [`warp::warp_shuffle_xor`] | `__shfl_xor_sync` | `shfl.sync.bfly` |
//! | [`warp::warp_vote_all`] | `__all_sync` | `vote.sync.all` |
//! | [`warp::warp_vote_any`] | `__any_sync` | `vote.sync.any` |
//! | [`warp::warp_vote_ballot`] | `__ballot_sync` | `vote.sync.ballot` |
//! | [`warp::shfl_sync`], `shfl_up_sync` and so on | `__shfl_sync` | without the flag |
//! | [`warp::warp_match_any`] | `__match_any_sync` | `match.any.sync` |
//! | [`warp::warp_match_all`] | `__match_all_sync` | `match.all.sync` |
//! | [`warp::warp_mask`] | | |
//! | [`warp::warp_reduce`] | `__reduce_add_sync` and so on | `shfl.sync.bfly`, five times |
//! | [`collective::reduce_sync`] | `__reduce_add_sync` and so on | `redux.sync` from sm_80 on |
//! | [`collective::warp_reduce`] | `cub::WarpReduce` | `shfl.sync` |
//! | [`collective::warp_inclusive_scan`], `_exclusive_` | `cub::WarpScan` | `shfl.sync` |
//! | [`collective::block_reduce`] | `cub::BlockReduce` | `shfl.sync`, `bar.sync` |
//! | [`collective::block_inclusive_scan`], `_exclusive_` | `cub::BlockScan` | the same |
//! | [`shared_array!`] | `__shared__ T x[N]` | `.shared .b8 x[…]` |
//! | [`shared::dynamic_shared_mem`] | `extern __shared__ T x[]` | `.extern .shared` |
//! | [`shared::Shared`]: `read`, `write`, `update` | `x[i]` | `ld.shared`, `st.shared` |
//! | [`global::Global`]: `read`, `write`, `update` | `T*`: `x[i]` | `ld.global`, `st.global` |
//! | [`global::Global::read_only`] | `__ldg(&x[i])` | `ld.global.nc` |
//! | `Global`: `ldca`, `ldcg`, `ldcs`, `ldlu`, `ldcv` | `__ldca(&x[i])`, … | `ld.global.ca`, … |
//! | `Global`: `stwb`, `stcg`, `stcs`, `stwt` | `__stwb(&x[i], v)`, … | `st.global.wb`, … |
//! | [`pipeline::memcpy_async`] | `__pipeline_memcpy_async` | `cp.async.ca.shared.global` |
//! | [`pipeline::commit`] | `__pipeline_commit` | `cp.async.commit_group` |
//! | [`pipeline::wait_prior`] | `__pipeline_wait_prior` | `cp.async.wait_group` |
//! | a kernel's parameter `[T; N]` | `__constant__ T x[N]` | `ld.param` |
//! | [`global::Slice`]: `read`, `write`, `get` | `cuda::std::span<T>` | the same, compared first |
//! | [`U8x4`] | `uchar4` | `.u32` |
//! | [`U32x2`], [`F32x2`] | `uint2`, `float2` | `.u64` |
//! | [`U32x4`], [`F32x4`] | `uint4`, `float4` | `.v4.u32` |
//! | [`atomic::fetch_add`] | `atomicAdd` | `atom.relaxed.gpu.add` |
//! | [`atomic`]: `fetch_min`, `_max`, `_and`, `_or`, `_xor` | `atomicMin` and so on | and so on |
//! | [`atomic::exchange`] | `atomicExch` | `atom.relaxed.gpu.exch` |
//! | [`atomic::compare_exchange`] | `atomicCAS` | `atom.relaxed.gpu.cas` |
//! | [`atomic::load`] | `load(memory_order_relaxed)` | `ld.relaxed.gpu` |
//! | [`atomic::store`] | `store(n, memory_order_relaxed)` | `st.relaxed.gpu` |
//! | [`atomic::load_acquire`] | `load(memory_order_acquire)` | `ld.acquire.gpu` |
//! | [`atomic::store_release`] | `store(n, memory_order_release)` | `st.release.gpu` |
//! | [`atomic::fetch_add_acq_rel`] | `fetch_add(memory_order_acq_rel)` | `atom.acq_rel.gpu.add` |
//! | [`atomic::block`] | `cuda::atomic_ref<T, cuda::thread_scope_block>` | `.cta` |
//! | [`atomic::device`] | the same with `thread_scope_device` | `.gpu` |
//! | [`atomic::system`] | the same with `thread_scope_system` | `.sys` |
//! | [`integer::dp4a`] | `__dp4a` | `dp4a` |
//! | [`integer::lop3`] | | `lop3.b32` |
//! | [`integer::funnel_shift_left`] | `__funnelshift_l` | `shf.l.wrap` |
//! | [`integer::funnel_shift_right`] | `__funnelshift_r` | `shf.r.wrap` |
//! | [`float::sqrt`], `x.sqrt()` | `sqrtf` | `sqrt.rn` |
//! | [`float::mul_add`], `x.mul_add(a, b)` | `fmaf` | `fma.rn` |
//! | [`float`]: `floor`, `ceil`, `trunc` | `floorf` and so on | `cvt.rmi`, `cvt.rpi`, `cvt.rzi` |
//! | [`float::round_ties_even`] | `rintf` | `cvt.rni` |
//! | [`float`]: `min`, `max`, `abs` | `fminf`, `fmaxf`, `fabsf` | `min`, `max`, `abs` |
//! | [`float`]: `exp`, `ln`, `sin`, `tanh`, `powf` … | `expf`, `logf` and so on | |
//! | [`float::fast`]: `exp2`, `log2` | `exp2f`, `__log2f` | `ex2.approx`, `lg2.approx` |
//! | [`float::fast`]: `exp`, `ln`, `powf` | `__expf`, `__logf`, `__powf` | the same and a `mul` |
//! | [`float::fast`]: `sin`, `cos`, `tanh` | `__sinf`, `__cosf` | `sin.approx` and so on |
//! | [`float::fast`]: `recip`, `rsqrt`, `sqrt` | `rsqrtf` | `rcp.approx` and so on |
//! | [`float::fast::div`] | `__fdividef` | `div.approx` |
//! | [`float::F16`], [`float::Bf16`] | `__half`, `__nv_bfloat16` | `cvt.rn.f16.f32` and so on |
//! | [`printf!`] | `printf` | a call of `vprintf` |
//! | `assert!`, `panic!` | `assert` | a call of `__assertfail` |
//! | [`unroll!`] | `#pragma unroll` | |
//!
//! On the host, [`exercise!`] checks results, faults and costs of a kernel.
//!
//! The loads, stores and `fetch_add` with a `memory_order` are methods of `cuda::atomic_ref`, and
//! the orders are in `cuda`.
//!
//! Every function has two bodies in `backend`: `nvptx` (an intrinsic or one instruction) and `simt`
//! (a call of the simulator). A function that contains a collective, such as a barrier or a
//! shuffle, is always inlined: LLVM must not duplicate or move a collective, and does not recognise
//! one inside a function of its own (`docs/kernels.md`, section 5).

#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(abi_ptx, abi_unadjusted, stdarch_nvptx, asm_experimental_arch, link_llvm_intrinsics)
)]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]

pub mod atomic;
pub mod collective;
pub mod float;
pub mod global;
pub mod index;
pub mod integer;
mod kernel;
mod ordering;
pub mod pipeline;
pub mod prelude;
pub mod print;
pub mod shared;
mod shuffle;
pub mod thread;
mod vector;
pub mod warp;

pub use vector::{F32x2, F32x4, U8x4, U32x2, U32x4};

pub(crate) mod backend;

#[cfg(not(target_arch = "nvptx64"))]
pub mod simulator;

pub use kernel::{Blocks, Grid, Kernel, Source, kernel};

/// Number of threads in a warp.
pub const WARP: u32 = 32;

/// Lane mask of a full warp: all 32 lanes, for collectives.
pub const FULL_WARP: u32 = !0;

/// Ends the launch when a kernel panics (`CUDA_ERROR_ASSERT`): the driver prints the source line,
/// the block and the thread. It does not print the panic message, because a kernel that indexes an
/// array would then have to carry Rust's formatting code.
#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    backend::fail(c"the kernel panicked", info.location())
}

/// A value that one load or store moves: 1, 2, 4, 8 or 16 bytes. Every bit pattern is valid. These
/// are the numbers and the small vectors [`U8x4`], [`U32x2`], [`U32x4`], [`F32x2`], [`F32x4`].
///
/// # Safety
/// Implementors are plain data without padding, aligned to their size. Access to a type of another
/// size does not compile:
///
/// ```compile_fail,E0080
/// # use simt_std::{Word, global::Global};
/// #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
/// #[repr(C)]
/// struct Rgb([u8; 3]);
/// // SAFETY: three plain bytes; but no instruction loads three.
/// unsafe impl Word for Rgb {}
///
/// fn first(pixels: Global<Rgb>) -> Rgb {
///     pixels.read(0)
/// }
/// # let _ = first(Global::at(0));
/// ```
pub unsafe trait Word: backend::Pod + Send + Sync {}

macro_rules! numbers {
    ($($t:ty)*) => {$(
        // SAFETY: plain numbers.
        unsafe impl Word for $t {}
    )*};
}
numbers!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

/// Makes a type of a wrong size a compile error. The backends call it in a `const` block.
pub(crate) const fn assert_word_size<T: Word>() {
    assert!(matches!(size_of::<T>(), 1 | 2 | 4 | 8 | 16), "a load or a store moves 1, 2, 4, 8 or 16 bytes");
}

/// Unrolls a loop: `unroll!(k in [0 1 2 3] { … });` repeats the block at compile time, once for
/// each literal, with `k` as a constant `u32`. A loop over an array that should stay in registers
/// must be unrolled, because registers cannot be indexed and LLVM does not always unroll it. In the
/// simulator it is a plain loop, which compiles faster.
#[macro_export]
macro_rules! unroll {
    ($k:ident in [$($value:literal)*] $body:block) => {
        #[cfg(target_arch = "nvptx64")]
        {
            $({
                let $k: u32 = $value;
                $body
            })*
        }
        #[cfg(not(target_arch = "nvptx64"))]
        for $k in [$($value),*] {
            let $k: u32 = $k;
            $body
        }
    };
}
