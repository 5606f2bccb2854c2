//! The numbers of a pair that depend on symbols at equal or nearby positions.

/// A number for two strings, from their symbols at equal or nearby positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PositionNumber {
    /// Number of positions with different symbols, and the difference of the lengths.
    Hamming,
    /// Length of the longest common prefix.
    Prefix,
    /// Length of the longest common suffix.
    Suffix,
    /// Symbols in common for Jaro's similarity, as the
    /// [kernel](carrywave_kernels::distance::position_matches::JARO) packs them.
    Jaro,
}
