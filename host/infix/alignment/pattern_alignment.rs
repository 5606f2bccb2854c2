//! An alignment of a pattern with a part of a text, as a result.

use crate::alignment::operation::Operation;
use crate::alignment::runs::Alignment;
use std::fmt::Write;

/// An alignment of a pattern with a part of a text. The pattern is string A (SAM's query), and the
/// part is string B (the reference). As in the [example](crate::search::Search::aligner).
///
/// Among those with the fewest errors it has the fewest gaps, and among those its gaps are furthest
/// to the left.
///
/// | | here, and in limits of a search | [`Operation`] | CIGAR |
/// |---|---|---|---|
/// | a symbol of each, which match | match | `Match` | `=` |
/// | a symbol of each, which do not | substitution | `Substitution` | `X` |
/// | a symbol that the text alone has | insertion (into the pattern) | `Deletion` | `D` |
/// | a symbol that the pattern alone has | deletion (from the pattern) | `Insertion` | `I` |
///
/// SAM describes the query as an edited reference, and a search describes the text as an edited
/// pattern. So an insertion of one is a deletion of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternAlignment {
    pub(super) operations: Vec<Operation>,
    pub(super) pattern_len: u64,
    pub(super) part_len: u64,
}

impl PatternAlignment {
    /// Returns all operations from the start of the pattern and of the part to their ends. As in
    /// the [example](crate::search::Search::aligner).
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Returns the CIGAR string, with `=`, `X`, `I` and `D`. O(operations). As in the
    /// [example](crate::search::Search::aligner).
    pub fn cigar(&self) -> String {
        self.operations.iter().fold(String::new(), |mut cigar, operation| {
            // Writing to a string cannot fail.
            let _ = write!(cigar, "{operation}");
            cigar
        })
    }

    fn count(&self, of: impl Fn(&Operation) -> bool) -> u64 {
        self.operations.iter().filter(|operation| of(operation)).map(Operation::len).sum()
    }

    /// Returns the number of symbols that match. As in the
    /// [example](crate::search::Search::aligner).
    pub fn matches(&self) -> u64 {
        self.count(|operation| matches!(operation, Operation::Match(_)))
    }

    /// Returns the number of symbols of the text that replace symbols of the pattern: `X`. As in
    /// the [example](crate::search::Search::aligner).
    pub fn substitutions(&self) -> u64 {
        self.count(|operation| matches!(operation, Operation::Substitution { .. }))
    }

    /// Returns the number of symbols that only the text has: `D`. As in the
    /// [example](crate::search::Search::aligner).
    pub fn insertions(&self) -> u64 {
        self.count(|operation| matches!(operation, Operation::Deletion { .. }))
    }

    /// Returns the number of symbols that only the pattern has: `I`. As in the
    /// [example](crate::search::Search::aligner).
    pub fn deletions(&self) -> u64 {
        self.count(|operation| matches!(operation, Operation::Insertion { .. }))
    }

    /// Returns the number of substitutions, insertions and deletions. As in the
    /// [example](crate::search::Search::aligner).
    pub fn errors(&self) -> u64 {
        self.count(|operation| !matches!(operation, Operation::Match(_)))
    }

    /// Returns the number of columns of the written alignment: pairs of symbols, and symbols of one
    /// string alone. As in the [example](crate::search::Search::aligner).
    pub fn columns(&self) -> u64 {
        self.count(|_| true)
    }
}

impl Alignment for PatternAlignment {
    fn a_len(&self) -> u64 {
        self.pattern_len
    }

    fn b_len(&self) -> u64 {
        self.part_len
    }

    fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        self.operations.iter().copied()
    }
}
