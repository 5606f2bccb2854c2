//! The longest common subsequence of two strings.
//!
//! | file | what |
//! |---|---|
//! | `compare` | the job: [`Comparison`], [`Engine`], [`Algorithm`] |
//! | `hirschberg` | the recursion, written once for every engine |
//! | [`column`](mod@column) | the last column of an LCS table, one bit a row |
//! | [`result`] | runs of matches; CIGAR, JSON, `verify` |
//! | [`blocks`] | the side-by-side view |
//! | `plot` | the dot plot |
pub mod blocks;
pub mod column;
mod compare;
mod hirschberg;
#[cfg(feature = "plot")]
pub mod plot;
pub mod result;

pub use compare::{Algorithm, Comparison, Engine, MOST_SIMULATED, Report, lcs, lcs_length};
