//! Partition of the text by both kernels.

/// Number of symbols per tile: 4 rows of 16 symbols per lane.
pub const TILE: u64 = 2048;

/// Number of symbols per block. The automaton runs on whole blocks.
pub const BLOCK: u64 = 64;
