//! Which errors an occurrence may have: a limit for all, and one for each kind.

/// The most errors that an alignment of a pattern with a part of a text may have. An *insertion* is a symbol of the text that the pattern
/// does not have, a *deletion* one of the pattern that the text does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Allowed {
    /// Errors of all kinds together: k.
    pub errors: u32,
    /// Substitutions.
    pub substitutions: u32,
    /// Insertions.
    pub insertions: u32,
    /// Deletions.
    pub deletions: u32,
}

impl Allowed {
    /// At most k errors, of any kind.
    pub const fn any(k: u32) -> Self {
        Self { errors: k, substitutions: k, insertions: k, deletions: k }
    }

    /// At most k substitutions, and no gap: the Hamming distance.
    pub const fn mismatches(k: u32) -> Self {
        Self { errors: k, substitutions: k, insertions: 0, deletions: 0 }
    }

    /// At most `errors` in all, and a limit for each kind; no number is larger than the others leave room for.
    pub fn new(errors: u32, substitutions: u32, insertions: u32, deletions: u32) -> Self {
        let errors = errors.min(substitutions.saturating_add(insertions).saturating_add(deletions));
        let [substitutions, insertions, deletions] =
            [substitutions, insertions, deletions].map(|most| most.min(errors));
        Self { errors, substitutions, insertions, deletions }
    }

    /// Returns true if the kinds do not matter.
    pub fn is_any(self) -> bool {
        self == Self::any(self.errors)
    }

    /// Returns true if an occurrence may have gaps, which are insertions and deletions.
    pub fn has_gaps(self) -> bool {
        self.insertions > 0 || self.deletions > 0
    }
}
