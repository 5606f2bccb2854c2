//! Limits on the errors of an occurrence: in total, and for each kind.

/// Upper bounds on the errors of an alignment of a pattern with a part of a text. An *insertion* is
/// a symbol of the text that the pattern lacks, a *deletion* is a symbol of the pattern that the
/// text lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Allowed {
    /// Errors of all kinds in total: k. An inserted or deleted symbol counts `gap` errors.
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
    /// Errors that an inserted or deleted symbol counts, at least 1.
    pub gap: u32,
}

impl Allowed {
    /// Allows k errors, of any kind.
    pub const fn any(k: u32) -> Self {
        Self { errors: k, substitutions: k, insertions: k, deletions: k, transpositions: false, gap: 1 }
    }

    /// Allows k substitutions, and no gap: the Hamming distance.
    pub const fn mismatches(k: u32) -> Self {
        Self { errors: k, substitutions: k, insertions: 0, deletions: 0, transpositions: false, gap: 1 }
    }

    /// Allows `errors` errors in total, with a limit for each kind. Limits that cannot be reached
    /// because of the others are lowered.
    pub fn new(errors: u32, substitutions: u32, insertions: u32, deletions: u32) -> Self {
        let kinds = Self { substitutions, insertions, deletions, ..Self::any(u32::MAX) };
        kinds.at_most(errors)
    }

    /// Returns these limits for at most `errors` errors.
    pub fn at_most(self, errors: u32) -> Self {
        let Self { substitutions, insertions, deletions, transpositions, gap, .. } = self;
        let errors = errors.min(self.errors);
        let [insertions, deletions] = [insertions, deletions].map(|most| most.min(errors / gap));
        let gap = if insertions.max(deletions) == 0 { 1 } else { gap };
        let substitutions = substitutions.min(errors);
        let most = insertions.saturating_add(deletions).saturating_mul(gap).saturating_add(substitutions);
        Self { errors: errors.min(most), substitutions, insertions, deletions, transpositions, gap }
    }

    /// Returns the errors of these numbers of substitutions and gaps.
    pub fn errors_of(self, substitutions: u32, gaps: u32) -> u32 {
        gaps.saturating_mul(self.gap).saturating_add(substitutions)
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
