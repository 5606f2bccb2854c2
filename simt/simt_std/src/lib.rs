//! What a GPU kernel in Rust sees of the machine, with the function names of Rust-CUDA's `cuda_std`.
//!
//! One source runs in two places: compiled for `nvptx64` it becomes PTX for NVIDIA GPUs; compiled for any other
//! target it runs on the CPU under the [`simulator`], which checks and counts every memory access.
//!
//! | here | CUDA C++ | PTX |
//! |---|---|---|
//! | [`thread::thread_idx_x`] | `threadIdx.x` | `%tid.x` |
//! | [`thread::block_idx_x`] | `blockIdx.x` | `%ctaid.x` |
//! | [`thread::sync_threads`] | `__syncthreads()` | `bar.sync 0` |
//! | [`warp::sync_warp`] | `__syncwarp(mask)` | `bar.warp.sync` |
//! | [`warp::warp_shuffle_up`] | `__shfl_up_sync` | `shfl.sync.up` |
//! | [`warp::warp_vote_ballot`] | `__ballot_sync` | `vote.sync.ballot` |
//! | [`shared_array!`] | `__shared__ T x[N]` | `.shared .b8 x[…]` |
//! | [`shared::dynamic_shared_mem`] | `extern __shared__ T x[]` | `.extern .shared` |
//! | [`global::Global`] | `T*` | `ld.global`, `st.global` |
//! | [`atomic::fetch_add`] | `atomicAdd` | `atom.add` |
//! | [`integer::dp4a`] | `__dp4a` | `dp4a` |
//! | [`unroll!`] | `#pragma unroll` | |
//!
//! Every function has two bodies: `nvptx.rs` (an intrinsic or one instruction) and `simt.rs` (a call of the
//! simulator). What holds a collective is inlined always, since LLVM must not duplicate or move one.

#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, stdarch_nvptx, asm_experimental_arch, link_llvm_intrinsics))]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]

pub mod atomic;
pub mod global;
pub mod integer;
mod kernel;
pub mod prelude;
pub mod shared;
pub mod thread;
pub mod warp;

#[cfg_attr(target_arch = "nvptx64", path = "nvptx.rs")]
#[cfg_attr(not(target_arch = "nvptx64"), path = "simt.rs")]
pub(crate) mod backend;

#[cfg(not(target_arch = "nvptx64"))]
pub mod simulator;

pub use kernel::{Grid, Kernel, Source, kernel};

/// Threads in a warp.
pub const WARP: u32 = 32;

/// The mask of a whole warp.
pub const FULL_WARP: u32 = !0;

/// A kernel that panics stops the launch: the driver reports a trap.
#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: it ends the kernel, which is what a panic is for.
    unsafe { core::arch::nvptx::trap() }
}

/// A value that fits one load or store: 1, 4, 8 or 16 bytes, any bits valid.
///
/// # Safety
/// Implementors are plain data without padding, which the backend's loads and stores know by size.
pub unsafe trait Word: backend::Pod + Send + Sync {}

// SAFETY: plain integers.
unsafe impl Word for u8 {}
// SAFETY: plain integers.
unsafe impl Word for u32 {}
// SAFETY: plain integers.
unsafe impl Word for u64 {}
// SAFETY: four plain integers, no padding.
unsafe impl Word for U32x4 {}

/// Four 32-bit words, moved by one 128-bit access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(not(target_arch = "nvptx64"), derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C, align(16))]
pub struct U32x4(pub [u32; 4]);

/// A block once for each of some numbers, one after the other: `unroll!(k in [0 1 2 3] { … });`. A loop that holds an array
/// in registers must be unrolled, and LLVM does not always do it. For the simulator it is a loop, which compiles faster.
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
