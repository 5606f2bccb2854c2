//! The GPU kernels of carrywave, in Rust.
//!
//! One source runs in two places: compiled for `nvptx64` it becomes PTX for NVIDIA GPUs; compiled for any other
//! target it runs on the CPU under the simulator of [`simt_std`], which checks and counts every memory access.
//!
//! | module | what |
//! |---|---|
//! | [`carry`] | the sum of two 1,024-bit numbers across a warp |
//! | [`device_test`] | every function of the device layer once, to compare a machine with the rules |
//! | [`issue_rate`] | the integer issue rates of a GPU, measured |
//! | [`memory_rate`] | the memory rates of a GPU, measured |
//! | [`match_vectors`] | the match vectors (PM) of a string, built on the device |
//! | [`block_step`] | LCS by bit-vectors with carries across blocks (Kawanami and Fujimoto 2014) |
//! | [`lane_column`] | one column of the LCS table in one lane |
//! | [`column_tiles`], [`row_planes`] | the strings as the wavefront reads them |
//! | [`wavefront`] | LCS by lanes that follow one another: the fastest here |
//! | [`match_table`] | the match words of a pattern in shared memory, without bank conflicts |
//! | [`shift_or`] | exact search at the speed of memory |
//! | [`lane_runs`] | a run of the text a lane, fetched and written by the warp together |
//! | [`wu_manber`] | search with k errors, a run of the text a lane |
//! | [`packed`] | many patterns in one pass, side by side in the words of a lane |
//! | [`myers`] | search with any m and k, a run of the text a lane |
//! | [`scan`], [`scan_search`] | both as inclusive scans, as published (Mitani, Ino and Hagihara 2017) |
//! | [`gbpr`] | both in a short segment a thread, as published (Lin, Wang and Huang 2014) |
//! | [`xbitpar`] | both in words of 1,024 bits, one a warp, as published (Tran, Liu and Schmidt 2016) |
//! | [`contiguous`] | the two access patterns of Nakano's memory machines |
//! | [`shared_access`] | accesses of shared memory at given places, to measure what they cost |
//! | [`alpha`] | what the published searches' threads read and write at a time |
//! | [`asm`] | the best approximate match on the memory machines (Nakano 2012) |
//! | [`search_output`] | what searches write |
//! | [`split`] | where Hirschberg's recursion cuts, found on the device |
//!
//! A kernel is a `#[repr(C)]` struct of parameters with a [`simt_std::Kernel`] implementation. Both sides use the same
//! struct, so a launch with the wrong arguments does not compile.

pub mod alpha;
pub mod asm;
pub mod block_step;
pub mod carry;
pub mod column_tiles;
pub mod contiguous;
pub mod device_test;
pub mod gbpr;
pub mod issue_rate;
pub mod lane_column;
pub mod lane_runs;
pub mod match_table;
pub mod match_vectors;
pub mod memory_rate;
pub mod myers;
pub mod packed;
pub mod row_planes;
pub mod scan;
pub mod scan_search;
pub mod search_output;
pub mod shared_access;
pub mod shift_or;
pub mod split;
pub mod wavefront;
pub mod wu_manber;
pub mod xbitpar;

#[cfg(not(target_arch = "nvptx64"))]
mod source;

#[cfg(not(target_arch = "nvptx64"))]
pub use source::source;
