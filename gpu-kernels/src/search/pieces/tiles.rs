//! How both kernels cut the text.

/// Symbols of a tile: 4 rows of 16 symbols a lane.
pub const TILE: u64 = 2048;

/// Symbols of a block: its ends are looked for together.
pub const BLOCK: u64 = 64;
