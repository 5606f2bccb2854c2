//! The GPU kernels of carrywave, in Rust, sorted by the problem that they solve.
//!
//! One source runs in two places: compiled for `nvptx64` it becomes PTX for NVIDIA GPUs; compiled for any other target
//! it runs on the CPU under the simulator of [`simt_std`], which checks and counts every memory access.
//!
//! | module | problem |
//! |---|---|
//! | [`lcs`] | the longest common subsequence of two strings |
//! | [`search`] | where patterns occur in a text, exactly or with errors |
//! | [`distance`] | the edit distance of two strings, and of many pairs of strings |
//! | [`align`] | what aligning two strings takes, whatever the problem |
//! | [`published`] | these problems, and the substring of a text that is nearest to a pattern, as papers have them |
//! | [`collectives`] | what the lanes of a warp compute together, as pieces for the kernels |
//! | [`measure`] | how fast a GPU is, and whether it does what the simulator does |
//!
//! **Where to begin.** `docs/kernels.md` explains threads, warps, lanes and blocks, and `simt/examples` has the kernels
//! of every GPU course. The pieces in [`collectives`] are small, each with a picture and an example: start with
//! [`collectives::add`], an addition across a warp, which [`published::block_step`] uses. [`published::nakano`] is one loop with four ways to lay out its matrix.
//! [`search::wu_manber`] is short, since [`search::lane_runs`] does its reading and writing.
//!
//! **How a file reads.** Its head says what problem it solves, by which idea and paper, who does what, and what that
//! costs. A kernel is a struct of parameters, with a function that [`simt_std::kernel`](macro@simt_std::kernel) makes a
//! PTX entry of. Both sides use the same struct, so a launch with the wrong arguments does not compile. The
//! documentation of the struct is the contract that the host has to meet: after *Launch* it says how many blocks, and a
//! field whose documentation begins with *Out* is written by the kernel. Sizes are in elements of the array unless they
//! say bytes.
//!
//! | word | what it means in all files |
//! |---|---|
//! | m, n | symbols of the pattern and of the text; for two strings A and B, of A (the rows of the table) and of B (its columns) |
//! | k | the most errors of an occurrence: insertions, deletions and substitutions together |
//! | σ, code | the size of the alphabet; a symbol as a number from 0 to σ - 1 |
//! | word | 32 bits, unless it says otherwise; word 0 is the lowest, and in it bit 0 |
//! | match word | for one symbol a bit a position of the pattern (or of A). In [`lcs`] 1 is a match; in [`search`] 1 is a mismatch |
//! | level | the automaton's state for at most d errors, d = 0 to k: so there are k + 1 |
//! | halo | the symbols before a thread's part of the text that it reads as well, because an occurrence may begin there |
//! | strip | the rows of a table that one warp, or one launch, takes through all columns |
//! | ceiling | what the hardware allows at most, measured by a kernel of [`measure`] |
//!
//! | entries of the PTX | what the numbers in their names are |
//! |---|---|
//! | `wavefront_W`, `wavefront_ahead_W` | words a lane |
//! | `wavefront_digits_D_W`, `wavefront_digits_ahead_D_W` | digits of a symbol, words a lane |
//! | `shift_or_W_S` | words a lane, symbols between two looks at the accepting bits |
//! | `wu_manber_W_k`, `packed_W_k`, `marked_blocks_W_k`, `xbitpar_W_k` | words a lane, errors |
//! | `piece_grams_W_S` | words of a gram, symbols from one place that is looked at to the next |
//! | `myers_W`; `myers_top`, `myers_middle`, `myers_bottom` | words a lane; a strip of four words with others below it, above and below it, above it |
//! | `all_pairs_TABLE_C_L`, `all_pairs_indel_TABLE_C_L` | columns of a block, every so manieth by logic alone |
//! | `listed_pairs_P`, `listed_pairs_indel_P` | bit planes of a symbol |
//! | `shift_or_scan_w_α`, `shift_or_wildcards_w_α` | bits of a word, symbols that a thread takes at a time |
//! | `wu_manber_scan_w_α_k`, `wu_manber_wildcards_w_α_k`, `gbpr_w_α_k` | the same, and errors |
//!
//! Where a paper is, from the kernel to the host code that launches it and the page that explains it:
//!
//! | paper | kernel | host | page |
//! |---|---|---|---|
//! | Kawanami, Fujimoto 2014: LCS with carries across blocks | [`published::block_step`], [`collectives::add`] | `host/lcs/gpu/block_step.rs`, `host/lcs/published.rs` | `docs/block-step.md`, `docs/papers/kawanami-fujimoto-2014.md` |
//! | Crochemore, Iliopoulos, Pinzon, Reid 2001: LCS by bit-vectors | [`lcs::lane_column`], [`lcs::wavefront`] (the arrangement is our own) | `host/pairwise/wavefront` | `docs/wavefront.md` |
//! | Hirschberg 1975: LCS in linear space | [`align::split`] | `host/pairwise/hirschberg.rs` | `docs/wavefront.md` |
//! | Baeza-Yates, Gonnet 1992: Shift-Or | [`search::shift_or`] | `host/search/gpu/shift_or.rs` | `docs/search.md` |
//! | Wu, Manber 1992: search with k errors | [`search::wu_manber`] | `host/search/gpu/wu_manber.rs` | `docs/search.md` |
//! | Kusudo, Ino, Hagihara 2015: patterns packed into words | [`search::packed`] | `host/search/gpu/packed.rs` | `docs/search.md` |
//! | Wu, Manber 1992: pieces without errors as a filter (the arrangement is our own) | [`search::pieces`] | `host/search/gpu/pieces.rs` | `docs/search.md` |
//! | Myers 1999, Hyyrö 2003: differences of a column as bits | [`search::myers`] | `host/search/gpu/myers.rs` | `docs/search.md` |
//! | the same, for many pairs (the arrangement is our own) | [`distance::pair_cell`], [`distance::all_pairs`], [`distance::listed_pairs`] | `host/pairs/gpu` | |
//! | Ukkonen 1985: a band for a maximum distance | [`distance::band`] | `host/pairs/gpu` | |
//! | Lin, Wang, Huang 2014: GBPR | [`published::gbpr`] | `host/search/gpu/gbpr.rs` | `docs/search.md` |
//! | Melo, Canalli 2014: Myers by slices of the text | [`published::myers_slices`], and its future work [`published::myers_slices_shared`] | `host/search/gpu/myers_slices.rs`, `host/search/gpu/myers_slices_shared.rs` | `docs/papers/melo-canalli-2014.md` |
//! | Tran, Liu, Schmidt 2016: XBitPar | [`published::xbitpar`] | `host/search/gpu/xbitpar.rs` | `docs/search.md` |
//! | Mitani, Ino, Hagihara 2017: search as inclusive scans | [`published::scan_search`] | `host/search/gpu/scan.rs` | `docs/search.md` |
//! | Knuth, Morris, Pratt 1977: an automaton that reads no symbol twice | [`search::exact::kmp`] | `host/search/gpu/kmp.rs` | `docs/search.md` |
//! | Vishkin 1985, JáJá 1992: the witnesses of a pattern | [`search::exact::witness`] | `host/search/gpu/witness.rs` | |
//! | Wang 2018, JáJá 1992, Vishkin 1985: exact search by duels | [`published::duel_global`], [`published::duel_shared`], [`published::brute_force`] | `host/search/gpu/duel_global.rs`, `host/search/gpu/duel_shared.rs`, `host/search/gpu/brute_force.rs` | `docs/papers/wang-2018.md` |
//! | Nakano 2012: matching on the memory machines | [`published::nakano`], [`measure::contiguous`] | `host/best/gpu`, `host/machine` | `docs/papers/nakano-2012.md` |

pub mod align;
pub mod collectives;
pub mod distance;
pub mod lcs;
pub mod measure;
// The PTX has them always, so that there is one packaged PTX.
#[cfg(any(target_arch = "nvptx64", feature = "published"))]
pub mod published;
pub mod search;

#[cfg(not(target_arch = "nvptx64"))]
mod source;

#[cfg(not(target_arch = "nvptx64"))]
pub use source::source;
