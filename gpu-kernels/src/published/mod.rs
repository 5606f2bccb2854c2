//! Kernels as papers have them, to be compared with this project's own, which are faster. The page of a paper in `docs/papers`
//! lists all differences between the paper and its kernel.
//!
//! The feature `published` brings them into the library. The PTX always has all.
//!
//! | module | paper |
//! |---|---|
//! | **longest common subsequence** | |
//! | [`block_step`] | Kawanami and Fujimoto 2014: the carries of a column's addition cross the warp in every column |
//! | [`match_vectors`] | the match vectors M that it reads |
//! | **nearest substring** | |
//! | [`nakano`] | Nakano 2012: four layouts of Sellers' matrix, for two memory machines |
//! | **search**: each writes a byte for each position of the text, 1 where an occurrence ends | |
//! | [`brute_force`] | Wang 2018: a comparison at every position, what he compares with |
//! | [`duel_global`] | Wang 2018, on JáJá 1992: duels leave one candidate in ⌈m / 2⌉ positions |
//! | [`duel_shared`] | the same with candidates in shared memory |
//! | [`gbpr`] | Lin, Wang and Huang 2014, as Mitani, Ino and Hagihara 2017 describe it: a short segment for each thread |
//! | [`myers_slices`] | Melo and Canalli 2014: Myers' bit-vectors in a slice of the text for each thread |
//! | [`myers_slices_shared`] | the same with text and results in shared memory, which is that paper's future work |
//! | [`xbitpar`] | Tran, Liu and Schmidt 2016, described there too: words of 1,024 bits, one a warp |
//! | [`scan_search`] | Mitani, Ino and Hagihara 2017: Shift-Or and Wu-Manber as inclusive scans |
//! | [`scan`] | its operators, and the scans of a thread, a warp and a block |
//! | [`thread_symbols`] | the α symbols that a thread of [`gbpr`] and [`scan_search`] takes at a time |

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
pub mod thread_symbols;
pub mod xbitpar;
