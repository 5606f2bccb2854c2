//! Kernels as published in papers, as baselines for this project's own kernels, which are faster.
//! The page of a paper in `docs/papers` lists all differences between the paper and its kernel.
//!
//! The feature `published` adds them to the library. The PTX always contains all of them.
//!
//! Kernels for the longest common subsequence:
//!
//! - [`block_step`]: Kawanami and Fujimoto 2014. The carries of a column's addition cross the warp
//!   in every column.
//! - [`match_vectors`]: the match vectors M that [`block_step`] reads.
//!
//! Kernels for the nearest substring:
//!
//! - [`nakano`]: Nakano 2012. Four layouts of Sellers' matrix, for two memory machines.
//!
//! Kernels for search. Each writes a byte for each position of the text, 1 where an occurrence
//! ends:
//!
//! - [`brute_force`]: Wang 2018, the baseline of his comparison. A thread compares the pattern at
//!   every position.
//! - [`duel_global`]: Wang 2018, on JáJá 1992. Duels leave one candidate in ⌈m / 2⌉ positions.
//! - [`duel_shared`]: as [`duel_global`], with the candidates in shared memory.
//! - [`gbpr`]: Lin, Wang and Huang 2014, as Mitani, Ino and Hagihara 2017 describe it. A short
//!   segment for each thread.
//! - [`myers_slices`]: Melo and Canalli 2014. Myers' bit-vectors in a slice of the text for each
//!   thread.
//! - [`myers_slices_shared`]: as [`myers_slices`], with text and results in shared memory, the
//!   future work of that paper.
//! - [`xbitpar`]: Tran, Liu and Schmidt 2016, as Mitani, Ino and Hagihara 2017 describe it. Words
//!   of 1,024 bits, one per warp.
//! - [`scan_search`]: Mitani, Ino and Hagihara 2017. Shift-Or and Wu-Manber as inclusive scans.
//! - [`scan_steps`]: the same scans over the whole text, with a launch for each step, or in
//!   segments that a launch joins.
//! - [`scan`]: the operators of [`scan_search`], and the scans within a thread, a warp and a block.
//! - [`thread_symbols`]: the α symbols that a thread of [`gbpr`] or [`scan_search`] loads at a
//!   time.

pub mod block_step;
pub mod brute_force;
pub mod duel_global;
pub mod duel_shared;
pub mod gbpr;
pub mod match_vectors;
pub mod myers_slices;
pub mod myers_slices_shared;
pub mod nakano;
pub mod scan;
pub mod scan_search;
pub mod scan_steps;
pub mod thread_symbols;
pub mod xbitpar;
