//! The kernels of every GPU course, for reading. Each file explains one idea. If the lesson is a
//! comparison, the file has a simple and an optimised version, and the comment states the gain. The
//! tests check the numbers in the comments.
//!
//! | file | idea | read first |
//! |---|---|---|
//! | [`vector_add`] | one thread per element | |
//! | [`saxpy`] | a grid of any size: the grid-stride loop | `vector_add` |
//! | [`stencil`] | two dimensions; shared memory for words that neighbours share | `vector_add` |
//! | [`transpose`] | coalescing (global memory), bank conflicts (shared), padding | `stencil` |
//! | [`matmul`] | a tile is read once and used often | `stencil` |
//! | [`reduction`] | a sum in 7 steps: divergence, conflicts, idle threads, barriers | `saxpy` |
//! | [`fence_reduction`] | one launch: the last block adds the sums; two fences | `reduction` |
//! | [`histogram`] | atomics in global and in shared memory | `reduction` |
//! | [`blelloch`] | prefix sums by a tree; conflicts; 3 launches for many blocks | `reduction` |
//! | [`look_back`] | prefix sums in one launch: waiting blocks, acquire and release | `blelloch` |
//! | [`nbody`] | every pair of bodies: a tile in shared memory, and `rsqrt` | `stencil` |
//! | [`softmax`] | a warp per row; an exponential that does not overflow | `reduction` |
//! | [`black_scholes`] | functions of libm, or the hardware's approximations | `saxpy` |
//! | [`blur`] | a filter that separates into rows and columns | `stencil` |
//! | [`fft`] | ten steps in shared memory with other partners each | `blelloch` |
//! | [`network`] | two layers of a neural network: products with a fused end | `matmul` |
//! | [`gemm`] | the product of large matrices: tiles in registers | `matmul` |
//!
//! [`checks`] has kernels that are no lessons: they check the device layer on a GPU.
//!
//! One source is compiled to PTX for NVIDIA GPUs and for the simulator. [`cases`] runs every kernel
//! on either and checks the results. `cargo run -p simt_examples --example harris` prints the costs
//! of the seven steps of the reduction.
//!
//! Sizes can be arbitrary: the last block may have idle threads, and every kernel checks `if i <
//! n`. Up to `look_back`, all numbers are small integers, also those in `f32`, so that sums are
//! exact in any order. The others are compared with plain Rust in `f64`; `cargo run -p
//! simt_examples --example floats` prints their errors in ulp.

pub mod black_scholes;
pub mod blelloch;
pub mod blur;
pub mod checks;
pub mod fence_reduction;
pub mod fft;
pub mod gemm;
pub mod histogram;
pub mod look_back;
pub mod matmul;
pub mod nbody;
pub mod network;
pub mod reduction;
pub mod saxpy;
pub mod softmax;
pub mod stencil;
pub mod transpose;
pub mod vector_add;

#[cfg(not(target_arch = "nvptx64"))]
pub mod cases;
#[cfg(not(target_arch = "nvptx64"))]
mod float_cases;
#[cfg(not(target_arch = "nvptx64"))]
pub mod runner;
#[cfg(not(target_arch = "nvptx64"))]
pub mod ulps;

/// The kernels for GPUs.
#[cfg(not(target_arch = "nvptx64"))]
pub const MODULE: simt_launch::Module = simt_launch::module!();
