//! Pieces that are neighbours make pairs: a piece that has a partner counts only where the partner is beside it with one error at most.

/// Symbols of a partner that are compared at most: a text with one error has one more.
pub const BESIDE: usize = 7;

/// The neighbour of a piece: the piece that it makes a pair with, or the symbols of that which are nearest.
#[derive(Clone, Copy)]
pub struct Partner {
    /// Their codes' lowest bytes, from the piece on.
    pub codes: u64,
    /// The bytes that there are.
    pub mask: u64,
    /// True if it comes after the piece.
    pub is_after: bool,
}

impl Partner {
    /// Returns true if these symbols begin with the partner with at most one error.
    #[inline(always)]
    pub fn is_near(self, symbols: u64) -> bool {
        let differ = (self.codes ^ symbols) & self.mask;
        // Up to there they agree; the error may as well be there.
        let same = differ.trailing_zeros() & 56;
        let substituted = differ >> same >> 8;
        let inserted = ((self.codes ^ symbols >> 8) & self.mask) >> same;
        let deleted = ((self.codes >> 8 ^ symbols) & self.mask >> 8) >> same;
        differ == 0 || substituted == 0 || inserted == 0 || deleted == 0
    }
}
