//! What the project's own tests, benchmarks and programs take from inside: no part of the interface, and it may change with any version.

// lcs, distance, pairwise

// sequences of items, diff

// search, best, infix

// pairs
pub use crate::pairs::gpu::{Block as PairBlock, DevicePairs, Tuning as PairTuning};

// the rest
