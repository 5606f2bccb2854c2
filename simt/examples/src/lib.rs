//! The kernels of every GPU course, for reading. Each file is one idea; where the lesson is a comparison, the plain
//! way stands beside the good one, and the comment says what the good one saves. The tests hold the comments to their
//! numbers.
//!
//! | file | idea | read first |
//! |---|---|---|
//! | [`vector_add`] | one thread an element | |
//! | [`saxpy`] | a grid of any size: the grid-stride loop | `vector_add` |
//! | [`stencil`] | two dimensions; neighbours read a word again, and a tile in shared memory saves it | `vector_add` |
//! | [`transpose`] | coalescing in global memory, bank conflicts in shared memory, padding | `stencil` |
//! | [`matmul`] | a tile is read once and used often | `stencil` |
//! | [`reduction`] | a sum in Harris's seven steps: divergence, conflicts, idle threads, barriers | `saxpy` |
//! | [`histogram`] | atomics in global and in shared memory | `reduction` |
//! | [`blelloch`] | prefix sums by a tree, with and without conflicts; three launches for many blocks | `reduction` |
//! | [`look_back`] | prefix sums in one launch: blocks that wait for one another, acquire and release | `blelloch` |
//!
//! The same source is compiled to PTX for NVIDIA GPUs and for the simulator. [`cases`] runs every kernel on either,
//! with results to compare; `cargo run -p simt_examples --example harris` prints what the seven steps of the
//! reduction cost.
//!
//! Sizes need not be multiples of anything: the last block has threads without work, and every kernel says `if i <
//! n`. All numbers are small integers, also those in `f32`: sums are then exact in any order.

pub mod blelloch;
pub mod histogram;
pub mod look_back;
pub mod matmul;
pub mod reduction;
pub mod saxpy;
pub mod stencil;
pub mod transpose;
pub mod vector_add;

#[cfg(not(target_arch = "nvptx64"))]
pub mod cases;

/// The kernels for a GPU.
#[cfg(not(target_arch = "nvptx64"))]
pub const PTX: &str = simt_launch::ptx!();
