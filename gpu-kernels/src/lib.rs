//! The GPU kernels of carrywave, in Rust, sorted by the problem that they solve.
//!
//! One source runs in two places. Compiled for `nvptx64`, it becomes PTX for NVIDIA GPUs. Compiled
//! for any other target, it runs on the CPU under the simulator of [`simt_std`], which checks and
//! counts every memory access.
//!
//! | module | problem |
//! |---|---|
//! | [`lcs`] | the longest common subsequence of two strings |
//! | [`search`] | exact and approximate search of patterns in a text |
//! | [`distance`] | the edit distance of two strings, and of many pairs of strings |
//! | [`align`] | steps that all alignment problems share |
//! | [`published`] | algorithms of papers, also for the substring of a text nearest to a pattern |
//! | [`collectives`] | operations that the lanes of a warp compute together, used by the kernels |
//! | [`measure`] | the speed of a GPU, and its agreement with the simulator |
//!
//! **Where to begin.** The book in `book/chapters` teaches threads, warps, lanes and blocks, and
//! `simt/examples` has the kernels of every GPU course. The functions in [`collectives`] are small,
//! each with a picture and an example; start with [`collectives::add`], an addition across a warp,
//! which [`published::block_step`] uses. [`published::nakano`] is one loop with four layouts of its
//! matrix. [`search::wu_manber`] is short, since [`search::lane_runs`] reads and writes for it.
//!
//! **How a file is organised.** Its head states the problem, the idea and its paper, the work of
//! each thread, and the cost. A kernel is a struct of parameters, with a function that
//! [`simt_std::kernel`](macro@simt_std::kernel) turns into a PTX entry. Device and host use the
//! same struct, so a launch with the wrong arguments does not compile. The documentation of the
//! struct is the contract that the host must meet: it gives the number of blocks after *Launch*,
//! and the kernel writes the fields whose documentation begins with *Out*. Sizes are in elements of
//! the array unless the documentation says bytes.
//!
//! Words with one meaning in all files:
//!
//! - m, n: number of symbols of the pattern and of the text. For two strings A and B, m is the
//!   number of symbols of A (the rows of the table), n that of B (its columns).
//! - k: the greatest number of errors of an occurrence: insertions, deletions and substitutions
//!   together.
//! - σ, code: the size of the alphabet; a symbol as a number from 0 to σ - 1.
//! - word: 32 bits, unless stated otherwise; word 0 and bit 0 are the lowest.
//! - match word: for one symbol, one bit per position of the pattern (or of A). In [`lcs`] 1 is a
//!   match; in [`search`] 1 is a mismatch.
//! - level: the automaton's state for at most d errors, d = 0 to k; there are k + 1 levels.
//! - halo: the symbols before a thread's part of the text that the thread also reads, because an
//!   occurrence may begin there.
//! - strip: the rows of a table that one warp, or one launch, takes through all columns.
//! - ceiling: the greatest rate that the hardware allows, measured by a kernel of [`measure`].
//!
//! Meaning of the numbers in the names of the PTX's entries:
//!
//! - `wavefront_W`, `wavefront_ahead_W`: words per lane.
//! - `wavefront_digits_D_W`, `wavefront_digits_ahead_D_W`: digits of a symbol, words per lane.
//! - `shift_or_W_S`: words per lane, symbols between two checks of the accepting bits.
//! - `wu_manber_W_k`, `packed_W_k`, `marked_blocks_W_k`, `xbitpar_W_k`: words per lane, errors.
//! - `piece_grams_W_S`: words of a gram, symbols from one examined position to the next.
//! - `myers_W`; `myers_top`, `myers_middle`, `myers_bottom`: words per lane; a strip of four words
//!   with strips below it, above and below it, above it.
//! - `all_pairs_TABLE_C_L`, `all_pairs_indel_TABLE_C_L`: C columns per block; every L-th column
//!   uses logic instructions only.
//! - `listed_pairs_P`, `listed_pairs_indel_P`: bit planes of a symbol.
//! - `shift_or_scan_w_α`, `shift_or_wildcards_w_α`: bits of a word, symbols that a thread takes at
//!   a time.
//! - `wu_manber_scan_w_α_k`, `wu_manber_wildcards_w_α_k`, `gbpr_w_α_k`: bits of a word, symbols
//!   that a thread takes at a time, errors.
//!
//! For each paper, the kernel, the host code that launches it, and the page that explains it:
//!
//! - Kawanami, Fujimoto 2014, LCS with carries across blocks: [`published::block_step`],
//!   [`collectives::add`]; `host/lcs/gpu/published/block_step.rs`, `host/lcs/published.rs`;
//!   `docs/block-step.md`, `docs/papers/kawanami-fujimoto-2014.md`.
//! - Crochemore, Iliopoulos, Pinzon, Reid 2001, LCS by bit-vectors: [`lcs::lane_column`],
//!   [`lcs::wavefront`] (this project's own arrangement); `host/pairwise/wavefront`;
//!   `docs/wavefront.md`.
//! - Hirschberg 1975, LCS in linear space: [`align::split`]; `host/pairwise/hirschberg.rs`;
//!   `docs/wavefront.md`.
//! - Baeza-Yates, Gonnet 1992, Shift-Or: [`search::shift_or`]; `host/search/gpu/shift_or.rs`;
//!   `docs/search.md`.
//! - Wu, Manber 1992, search with k errors: [`search::wu_manber`]; `host/search/gpu/wu_manber.rs`;
//!   `docs/search.md`.
//! - Kusudo, Ino, Hagihara 2015, patterns packed into words: [`search::packed`];
//!   `host/search/gpu/packed.rs`; `docs/search.md`.
//! - Wu, Manber 1992, pieces without errors as a filter (this project's own arrangement):
//!   [`search::pieces`]; `host/search/gpu/pieces.rs`; `docs/search.md`.
//! - Myers 1999, Hyyrö 2003, differences of a column as bits: [`search::myers`];
//!   `host/search/gpu/myers.rs`; `docs/search.md`.
//! - The same, for many pairs (this project's own arrangement): [`distance::pair_cell`],
//!   [`distance::all_pairs`], [`distance::listed_pairs`]; `host/pairs/gpu`.
//! - Ukkonen 1985, a band for a maximum distance: [`distance::band`]; `host/pairs/gpu`.
//! - Lin, Wang, Huang 2014, GBPR: [`published::gbpr`]; `host/search/gpu/published/gbpr.rs`;
//!   `docs/search.md`.
//! - Melo, Canalli 2014, Myers by slices of the text: [`published::myers_slices`], and its future
//!   work [`published::myers_slices_shared`]; `host/search/gpu/published/myers_slices.rs`,
//!   `host/search/gpu/published/myers_slices_shared.rs`; `docs/papers/melo-canalli-2014.md`.
//! - Tran, Liu, Schmidt 2016, XBitPar: [`published::xbitpar`];
//!   `host/search/gpu/published/xbitpar.rs`; `docs/search.md`.
//! - Mitani, Ino, Hagihara 2017, search as inclusive scans: [`published::scan_search`],
//!   [`published::scan_steps`]; `host/search/gpu/published/scan.rs`,
//!   `host/search/gpu/published/scan_steps.rs`; `docs/search.md`.
//! - Knuth, Morris, Pratt 1977, an automaton that reads no symbol twice: [`search::exact::kmp`];
//!   `host/search/gpu/kmp.rs`; `docs/search.md`.
//! - Vishkin 1985, JáJá 1992, the witnesses of a pattern: [`search::exact::witness`];
//!   `host/search/gpu/witness.rs`.
//! - Wang 2018, JáJá 1992, Vishkin 1985, exact search by duels: [`published::duel_global`],
//!   [`published::duel_shared`], [`published::brute_force`];
//!   `host/search/gpu/published/duel_global.rs`, `host/search/gpu/published/duel_shared.rs`,
//!   `host/search/gpu/published/brute_force.rs`; `docs/papers/wang-2018.md`.
//! - Nakano 2012, matching on the memory machines: [`published::nakano`], [`measure::contiguous`];
//!   `host/best/gpu`, `host/machine`; `docs/papers/nakano-2012.md`.

pub mod align;
pub mod collectives;
pub mod distance;
pub mod lcs;
pub mod measure;
// The PTX always includes the published kernels, so that one packaged PTX suffices.
#[cfg(any(target_arch = "nvptx64", feature = "published"))]
pub mod published;
pub mod search;

#[cfg(not(target_arch = "nvptx64"))]
mod source;

#[cfg(not(target_arch = "nvptx64"))]
pub use source::source;
