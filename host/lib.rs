//! Exact comparison and approximate search of long strings on NVIDIA GPUs, and without one.
//!
//! ```
//! let (a, b) = (b"ABCBDAB", b"BDCABA");
//! let lcs = carrywave::lcs(a, b)?;
//! println!("{} of {} symbols: {}", lcs.len(), lcs.a_len(), lcs.cigar());
//! assert_eq!(lcs.subsequence(a)?, b"BCBA");
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! | job | module |
//! |---|---|
//! | the longest common subsequence of two long strings | [`lcs`](mod@lcs) |
//! | where a pattern occurs in a text | [`search`] |
//! | which part of a text is nearest to a pattern | [`distance`] |
//! | texts, patterns and alphabets | [`text`] |
//! | reading FASTA, FASTQ and raw files, and writing files | [`io`] |
//! | the side-by-side view and the dot plot | [`view`] |
//! | what computes: the CPU, GPUs, the simulator | [`device`] |
//! | what a kernel's memory accesses cost on Nakano's memory machines | [`machine`] |
//! | host memory that may not be there | [`memory`] |
//! | cross-checks of every engine | [`verify`](mod@verify) |
//! | the kernels and the simulator | [`kernels`] |
#[macro_use]
mod named;

pub mod algorithm;
#[doc(hidden)]
pub mod align;
#[doc(hidden)]
pub mod cpu;
pub mod device;
pub mod distance;
pub mod error;
pub mod io;
pub mod lcs;
pub mod machine;
pub mod memory;
pub mod search;
pub mod text;
pub mod verify;
pub mod view;

pub use carrywave_kernels as kernels;
pub use distance::best;
pub use error::{Error, Result};
pub use lcs::{lcs, lcs_length};

/// The listings of the page are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/kernels.md")]
struct KernelsPage;
