//! The GPU kernels of carrywave, in Rust, by problem.
//!
//! One source runs in two places: compiled for `nvptx64` it becomes PTX for NVIDIA GPUs; compiled for any other
//! target it runs on the CPU under the simulator of [`simt_std`], which checks and counts every memory access.
//!
//! | module | problem |
//! |---|---|
//! | [`lcs`] | the longest common subsequence of two strings |
//! | [`search`] | the occurrences of patterns in a text, exact or with errors: our own kernels |
//! | [`search::published`] | the same, as papers have it |
//! | [`distance`] | the best approximate match of a whole string |
//! | [`measure`] | what a GPU can do, and whether it does what the simulator does |
//!
//! Where a paper is, from the kernel to the host code that launches it and the page that explains it:
//!
//! | paper | kernel | host | page |
//! |---|---|---|---|
//! | Kawanami, Fujimoto 2014: LCS with carries across blocks | [`lcs::block_step`], [`lcs::carry`] | `host/lcs/gpu/block_step.rs` | `docs/block-step.md` |
//! | Crochemore, Iliopoulos, Pinzon, Reid 2001: LCS by bit-vectors | [`lcs::lane_column`], [`lcs::wavefront`] (the arrangement is our own) | `host/lcs/gpu/wavefront` | `docs/wavefront.md` |
//! | Hirschberg 1975: LCS in linear space | [`lcs::split`] | `host/align/hirschberg.rs` | `docs/wavefront.md` |
//! | Baeza-Yates, Gonnet 1992: Shift-Or | [`search::shift_or`] | `host/search/gpu/mod.rs` | `docs/search.md` |
//! | Wu, Manber 1992: search with k errors | [`search::wu_manber`] | `host/search/gpu/mod.rs` | `docs/search.md` |
//! | Kusudo, Ino, Hagihara 2015: patterns packed into words | [`search::packed`] | `host/search/gpu/packed.rs` | `docs/search.md` |
//! | Myers 1999, Hyyrö 2003: differences of a column as bits | [`search::myers`] | `host/search/gpu/myers.rs` | `docs/search.md` |
//! | Lin, Wang, Huang 2014: GBPR | [`search::published::gbpr`] | `host/search/gpu/gbpr.rs` | `docs/search.md` |
//! | Tran, Liu, Schmidt 2016: XBitPar | [`search::published::xbitpar`] | `host/search/gpu/xbitpar.rs` | `docs/search.md` |
//! | Mitani, Ino, Hagihara 2017: search as inclusive scans | [`search::published::scan_search`] | `host/search/gpu/scan.rs` | `docs/search.md` |
//! | Nakano 2012: matching on the memory machines | [`distance::nakano`], [`measure::contiguous`] | `host/distance/gpu/nakano.rs`, `host/machine` | `docs/best.md`, `docs/memory-machine.md` |
//!
//! A kernel is a struct of parameters, with a function that [`simt_std::kernel`](macro@simt_std::kernel) makes a PTX entry of.
//! Both sides use the same struct, so a launch with the wrong arguments does not compile.

pub mod distance;
pub mod lcs;
pub mod measure;
pub mod search;

#[cfg(not(target_arch = "nvptx64"))]
mod source;

#[cfg(not(target_arch = "nvptx64"))]
pub use source::source;
