//! Search with up to k errors as three papers have it, to be compared with this project's own kernels in
//! [`search`](crate::search), which are faster. All three write a byte for each position of the text: 1 where an
//! occurrence ends.
//!
//! | module | paper |
//! |---|---|
//! | [`gbpr`] | Lin, Wang and Huang 2014: a short segment of the text for each thread |
//! | [`xbitpar`] | Tran, Liu and Schmidt 2016: words of 1,024 bits, one a warp |
//! | [`scan_search`] | Mitani, Ino and Hagihara 2017: Shift-Or and Wu-Manber as inclusive scans |
//! | [`scan`] | its operators, and the scans of a thread, a warp and a block |
//! | [`thread_symbols`] | the α symbols that a thread of [`gbpr`] and [`scan_search`] takes at a time |

pub mod gbpr;
pub mod scan;
pub mod scan_search;
pub mod thread_symbols;
pub mod xbitpar;
