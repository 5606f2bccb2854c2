//! The operations of an alignment, and their form in a CIGAR string.

use super::run::Run;
use crate::threads;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::io;
use std::ops::Range;

/// An operation on a stretch of the strings on the way from A to B, with SAM's letters: A is the
/// query and B the reference. As in the [example](crate::lcs::CommonSubsequence).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `=`: a run of matches.
    Match(Run),
    /// `I`: symbols of A that B lacks.
    Insertion {
        /// Start in A, 0-based.
        a_start: u64,
        /// Number of symbols, at least 1.
        len: u64,
    },
    /// `D`: symbols of B that A lacks.
    Deletion {
        /// Start in B, 0-based.
        b_start: u64,
        /// Number of symbols, at least 1.
        len: u64,
    },
    /// `X`: symbols of A that symbols of B replace. An LCS has none.
    Substitution {
        /// Start in A, 0-based.
        a_start: u64,
        /// Start in B, 0-based.
        b_start: u64,
        /// Number of symbols, at least 1.
        len: u64,
    },
}

/// Number of runs whose CIGAR a thread writes at a time.
pub(super) const PIECE: usize = 1 << 14;

/// Writes the CIGAR of the operations up to the end of each of a range of runs; the range may
/// include the end of the alignment, one past the last run.
pub(crate) fn write_cigar<I: Iterator<Item = Operation>>(
    out: &mut (impl io::Write + ?Sized),
    runs: usize,
    operations_of: impl Fn(Range<usize>) -> I + Sync,
) -> io::Result<()> {
    // There can be millions of operations, so pieces are formatted in parallel and without `fmt`. A
    // few pieces are in memory at a time.
    let pieces = runs.div_ceil(PIECE);
    let together = 4 * rayon::current_num_threads();
    let cigar_of = |range: Range<usize>| {
        let mut text = Vec::with_capacity(8 * range.len());
        let mut digits = itoa::Buffer::new();
        for operation in operations_of(range) {
            match operation.len() {
                // Most lengths have one digit.
                len @ 0..10 => text.push(b'0' + len as u8),
                len => text.extend_from_slice(digits.format(len).as_bytes()),
            }
            text.push(operation.letter());
        }
        text
    };
    for first in (0..pieces).step_by(together) {
        let of_piece = |piece: usize| cigar_of(piece * PIECE..((piece + 1) * PIECE).min(runs));
        let together = first..pieces.min(first + together);
        let texts: Vec<Vec<u8>> = threads::run(|| together.into_par_iter().map(of_piece).collect());
        texts.iter().try_for_each(|text| out.write_all(text))?;
    }
    Ok(())
}

impl Operation {
    /// Returns the number of symbols that the operation takes from each string that it involves, as
    /// in the [example](crate::lcs::CommonSubsequence).
    #[expect(clippy::len_without_is_empty, reason = "an operation is never empty")]
    pub fn len(&self) -> u64 {
        match *self {
            Self::Match(Run { len, .. })
            | Self::Insertion { len, .. }
            | Self::Deletion { len, .. }
            | Self::Substitution { len, .. } => len,
        }
    }

    /// Returns its letter in a CIGAR string, as in the [example](crate::lcs::CommonSubsequence).
    pub fn letter(&self) -> u8 {
        match self {
            Self::Match(_) => b'=',
            Self::Insertion { .. } => b'I',
            Self::Deletion { .. } => b'D',
            Self::Substitution { .. } => b'X',
        }
    }
}

/// Formats an operation as in a CIGAR string: the length and the letter.
impl std::fmt::Display for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.len(), char::from(self.letter()))
    }
}
