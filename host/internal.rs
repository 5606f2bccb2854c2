//! What the project's own tests, benchmarks and programs take from inside: no part of the interface, and it may change with any version.

// lcs, distance, pairwise

// sequences of items, diff
pub use crate::distance::traced::{Choice, Step, traced};
pub use crate::lcs::items::cpu::columns::TokenColumns;

// search, best, infix

// pairs

// the rest
