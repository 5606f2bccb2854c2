//! The least edit distance of X, of m symbols, to any substring of Y, of n: four algorithms of K. Nakano, Efficient
//! implementations of the approximate string matching on the memory machine models, 2012.
//!
//! Sellers' matrix, d\[0\]\[j\] = 0 and d\[i\]\[0\] = i, a diagonal at a time: its cells need those of the two diagonals before
//! alone. In step k thread i has row i, and j = k - i + 1:
//!
//! ```text
//!            Y   1   2   3   4   5                      j - 1   j
//!      X     0   0   0   0   0   0
//!      1     1   k1  k2  k3  k4  k5             i - 1     ╲     │      d[i][j] = min(d[i][j-1] + 1, d[i-1][j] + 1,
//!      2     2   k2  k3  k4  k5  k6             i        ── d[i][j]                  d[i-1][j-1] + (x[i] ≠ y[j]))
//!      3     3   k3  k4  k5  k6  k7
//! ```
//!
//! One loop (`Strings::fill` in `matrix.rs`) for all of the paper's algorithms, which differ in where the values lie (`Matrix`):
//!
//! | file | of the paper | words of memory | where d\[i\]\[j\] lies | a step's accesses are |
//! |---|---|---|---|---|
//! | [`dmm`] | lemma 3 | (m + 1) n', w divides n' | d\[i\]\[j\] | in different banks |
//! | [`umm`] | lemma 4 | (n + m + 1)(n + 1) | s\[i + j\]\[j\] | side by side |
//! | [`umm_3m`] | theorem 5 | 3m | s'\[(i + j) mod 3\]\[j mod m\] | side by side, column 0 after m - 1 |
//! | [`umm_n`] | theorem 6 | 3n, and m + 1 flags | the same in each of n / m - 2 windows | the same |
//!
//! **Cost** a cell: 5 reads and a write of a word each, one barrier a step. All arrays are words of 32 bits in global memory,
//! also for the DMM: a symbol is a word, as in the paper.
//!
//! Beyond the paper: the end of the best substring is found too, the first of several; m and n are any; with more rows than a
//! block has threads, thread i has the rows i, i + 1,024 and so on. All differences: `docs/papers/nakano-2012.md`.

pub mod dmm;
mod matrix;
pub mod umm;
pub mod umm_3m;
pub mod umm_n;

pub use matrix::{FOUND, MOST_SYMBOLS, MOST_THREADS, Strings};
