//! The least edit distance of X, of m symbols, to any substring of Y, of n symbols. These are the
//! four algorithms of K. Nakano, Efficient implementations of the approximate string matching on
//! the memory machine models, 2012.
//!
//! They compute Sellers' matrix, d\[0\]\[j\] = 0 and d\[i\]\[0\] = i, one diagonal at a time: a
//! cell depends only on cells of the two diagonals before it. In step k thread i has row i, and
//! j = k - i + 1:
//!
//! ```text
//!            Y   1   2   3   4   5                      j - 1   j
//!      X     0   0   0   0   0   0
//!      1     1   k1  k2  k3  k4  k5             i - 1     ╲     │
//!      2     2   k2  k3  k4  k5  k6             i        ── d[i][j]
//!      3     3   k3  k4  k5  k6  k7
//!
//! d[i][j] = min(d[i][j-1] + 1, d[i-1][j] + 1, d[i-1][j-1] + (x[i] ≠ y[j]))
//! ```
//!
//! All four algorithms run the same loop (`Strings::fill` in `matrix.rs`). They differ in the
//! memory layout of the values (`Matrix`):
//!
//! | file | of the paper | words of memory | position of d\[i\]\[j\] | accesses of a step |
//! |---|---|---|---|---|
//! | [`dmm`] | lemma 3 | (m + 1) n', w divides n' | d\[i\]\[j\] | in different banks |
//! | [`umm`] | lemma 4 | (n + m + 1)(n + 1) | s\[i + j\]\[j\] | side by side |
//! | [`umm_3m`] | theorem 5 | 3m | s'\[(i + j) mod 3\]\[j mod m\] | side by side, 0 after m - 1 |
//! | [`umm_n`] | theorem 6 | 3n; m + 1 flags | as [`umm_3m`], n / m - 2 windows | as [`umm_3m`] |
//!
//! **Cost** per cell: 5 reads and one write of a word; one barrier per step. All arrays consist of
//! 32-bit words in global memory, also for the DMM. A symbol is a word, as in the paper.
//!
//! Additions to the paper: the kernels also find the end of the best substring, the first of
//! several. m and n are arbitrary; if there are more rows than threads in a block, thread i has the
//! rows i, i + 1,024 and so on. All differences: `docs/papers/nakano-2012.md`.

pub mod dmm;
mod matrix;
pub mod umm;
pub mod umm_3m;
pub mod umm_n;

pub use matrix::{FOUND, MAX_SYMBOLS, MAX_THREADS, Strings};
