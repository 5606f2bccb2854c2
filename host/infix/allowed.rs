//! Limits on the errors of an occurrence: in total, and for each kind.

/// Upper bounds on the errors of an alignment of a pattern with a part of a text. An *insertion* is
/// a symbol of the text that the pattern lacks, a *deletion* is a symbol of the pattern that the
/// text lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Allowed {
    /// Errors of all kinds in total: k.
    pub errors: u32,
    /// Substitutions.
    pub substitutions: u32,
    /// Insertions.
    pub insertions: u32,
    /// Deletions.
    pub deletions: u32,
    /// True if the exchange of two neighbours is one error, a *transposition*. By kind, it counts
    /// as a substitution. No symbol is part of two errors: optimal string alignment.
    pub transpositions: bool,
}

impl Allowed {
    /// Allows k errors, of any kind.
    pub const fn any(k: u32) -> Self {
        Self { errors: k, substitutions: k, insertions: k, deletions: k, transpositions: false }
    }

    /// Allows k substitutions, and no gap: the Hamming distance.
    pub const fn mismatches(k: u32) -> Self {
        Self { errors: k, substitutions: k, insertions: 0, deletions: 0, transpositions: false }
    }

    /// Allows `errors` errors in total, with a limit for each kind. Limits that cannot be reached
    /// because of the others are lowered.
    pub fn new(errors: u32, substitutions: u32, insertions: u32, deletions: u32) -> Self {
        let errors = errors.min(substitutions.saturating_add(insertions).saturating_add(deletions));
        let [substitutions, insertions, deletions] =
            [substitutions, insertions, deletions].map(|most| most.min(errors));
        Self { errors, substitutions, insertions, deletions, transpositions: false }
    }

    /// Returns true if the kinds have no limits of their own.
    pub fn is_any(self) -> bool {
        self == Self::any(self.errors)
    }

    /// Returns true if engines for substitutions alone do not find all occurrences, or find others.
    pub fn has_gaps(self) -> bool {
        self.insertions > 0 || self.deletions > 0 || self.transpositions
    }

    /// Returns a bound on the insertions, deletions and substitutions of an occurrence: a
    /// transposition is two substitutions.
    pub fn edits(self) -> u32 {
        if self.transpositions { self.errors.saturating_mul(2) } else { self.errors }
    }
}
