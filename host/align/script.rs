//! An edit script: how one string becomes another, from its runs of matches.

use super::runs::{Alignment, CommonSubsequence, Operation, Run, write_cigar};
use crate::error::{Error, Result};
use crate::text::Equality;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::io;
use std::ops::Range;

/// Where a script has its gaps, the insertions and deletions, if several places cost the same.
///
/// ```text
///                  leftmost       rightmost
/// A = TAAAC        TAAAC          TAAAC
/// B = TAC          T--AC          TA--C        both 2 insertions: CIGAR 1=2I2=, or 2=2I1=
///
/// A = GCT          GCT            GCT
/// B = GAAT         GAAT           GAAT
///                  1=1D1X1=       1=1X1D1=
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Placement {
    /// As far to the left as there are places that cost the same, and before the substitutions beside it: as variants are normalised
    /// (VCF) and as most aligners do.
    #[default]
    Leftmost,
    /// As far to the right, and after the substitutions beside it.
    Rightmost,
}

/// A cheapest way to make string B of string A by substitutions, insertions and deletions of single symbols (Levenshtein 1966): where the
/// strings match, and what is done between the matches.
///
/// The runs of matches say it all: x symbols of A and y of B that lie between two runs cost max(x, y), as many substitutions as there
/// are pairs, and insertions or deletions for the rest. Insertions are symbols of A that B lacks, deletions those of B that A
/// lacks, as in SAM with A the query and B the reference.
///
/// As JSON: `{"distance": 1, "a_len": 3, "b_len": 4, "runs": [{"a_start": 0, "b_start": 0, "len": 3}]}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditScript {
    matches: CommonSubsequence,
    placement: Placement,
}

impl EditScript {
    /// The script of strings of `a_len` and `b_len` symbols that keeps these runs of matches, given in order, with its gaps where they are.
    /// O(runs).
    ///
    /// # Errors
    /// [`Error::Verification`] when runs overlap, are out of order, or leave the strings.
    pub fn new(runs: Vec<Run>, a_len: u64, b_len: u64) -> Result<Self> {
        Ok(Self { matches: CommonSubsequence::new(runs, a_len, b_len)?, placement: Placement::default() })
    }

    /// The side of the substitutions beside it that a gap is on.
    pub fn placement(&self) -> Placement {
        self.placement
    }

    /// Puts each gap on this side of the substitutions beside it. The runs of matches stay.
    pub fn with_placement(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }

    /// The same script of `a` and `b` with its gaps at other places that cost the same: each run of insertions, or of deletions, moves past
    /// the matches beside it as far as symbols are equal. O(runs + symbols that gaps move by).
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn placed(&self, placement: Placement, a: &[u8], b: &[u8]) -> Result<Self> {
        self.placed_by(placement, a, b, &Equality::exact())
    }

    /// The same where these symbols are equal.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn placed_by(&self, placement: Placement, a: &[u8], b: &[u8], equality: &Equality) -> Result<Self> {
        self.verify_by(a, b, equality)?;
        let mut runs = self.runs().to_vec();
        let (a_len, b_len) = (self.a_len(), self.b_len());
        // Between run i and run i + 1 lies a gap if only one string has symbols there. The match before it may come after it if the gap's
        // last symbol is equal to the one that is matched there in the other string; and likewise the match after it.
        let slide = |run: &mut [Run]| {
            let [before, after] = run else { return };
            let (a_end, b_end) = before.ends();
            let (x, y) = (after.a_start - a_end, after.b_start - b_end);
            if (x > 0) == (y > 0) {
                return;
            }
            let equal = |a_at: u64, b_at: u64| equality.equal(a[a_at as usize], b[b_at as usize]);
            match placement {
                Placement::Leftmost => {
                    let fits = |&k: &u64| equal(after.a_start - 1 - k, after.b_start - 1 - k);
                    let moved = (0..before.len).take_while(fits).count() as u64;
                    before.len -= moved;
                    (after.a_start, after.b_start) = (after.a_start - moved, after.b_start - moved);
                    after.len += moved;
                }
                Placement::Rightmost => {
                    let fits = |&k: &u64| equal(a_end + k, b_end + k);
                    let moved = (0..after.len).take_while(fits).count() as u64;
                    before.len += moved;
                    (after.a_start, after.b_start) = (after.a_start + moved, after.b_start + moved);
                    after.len -= moved;
                }
            }
        };
        // A run past the last one, so that a gap at the end can move as well; and one before the first.
        runs.insert(0, Run { a_start: 0, b_start: 0, len: 0 });
        runs.push(Run { a_start: a_len, b_start: b_len, len: 0 });
        match placement {
            Placement::Leftmost => (0..runs.len() - 1).for_each(|i| slide(&mut runs[i..i + 2])),
            Placement::Rightmost => (0..runs.len() - 1).rev().for_each(|i| slide(&mut runs[i..i + 2])),
        }
        Ok(Self { matches: CommonSubsequence::new(runs, a_len, b_len)?, placement })
    }

    /// What the script costs: its substitutions, insertions and deletions. O(runs).
    pub fn distance(&self) -> u64 {
        self.gaps(0..self.runs().len() + 1).map(|(_, x, y, _)| x.max(y)).sum()
    }

    /// The matches, ascending in both strings.
    pub fn runs(&self) -> &[Run] {
        self.matches.runs()
    }

    /// The symbols of A.
    pub fn a_len(&self) -> u64 {
        self.matches.a_len()
    }

    /// The symbols of B.
    pub fn b_len(&self) -> u64 {
        self.matches.b_len()
    }

    /// Symbols that match.
    pub fn matches(&self) -> u64 {
        self.matches.len()
    }

    /// The matches as a common subsequence: for views of it.
    pub fn common_subsequence(&self) -> &CommonSubsequence {
        &self.matches
    }

    /// What lies before each run of a range, and the run: where it starts in both strings, x symbols of A, y of B. After the last run comes
    /// one more, of length 0, where both strings end.
    fn gaps(&self, range: Range<usize>) -> impl Iterator<Item = ((u64, u64), u64, u64, Run)> + '_ {
        let end = Run { a_start: self.a_len(), b_start: self.b_len(), len: 0 };
        let run = move |i: usize| self.runs().get(i).copied().unwrap_or(end);
        let mut ends = range.start.checked_sub(1).map_or((0, 0), |before| run(before).ends());
        range.map(run).map(move |run| {
            let start = std::mem::replace(&mut ends, run.ends());
            (start, run.a_start - start.0, run.b_start - start.1, run)
        })
    }

    /// All that happens from the start of both strings to their ends, without gaps.
    pub fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        self.operations_of(0..self.runs().len() + 1)
    }

    fn operations_of(&self, range: Range<usize>) -> impl Iterator<Item = Operation> + '_ {
        self.gaps(range).flat_map(|((a, b), x, y, run)| {
            let pairs = x.min(y);
            // The gap comes before the substitutions, or after them.
            let (first, second) = match self.placement {
                Placement::Leftmost => ((a, b), (a + x - pairs, b + y - pairs)),
                Placement::Rightmost => ((a + pairs, b + pairs), (a, b)),
            };
            let insertion = Operation::Insertion { a_start: first.0, len: x - pairs };
            let deletion = Operation::Deletion { b_start: first.1, len: y - pairs };
            let substitution = Operation::Substitution { a_start: second.0, b_start: second.1, len: pairs };
            let run = Operation::Match(run);
            let all = match self.placement {
                Placement::Leftmost => [insertion, deletion, substitution, run],
                Placement::Rightmost => [substitution, insertion, deletion, run],
            };
            all.into_iter().filter(|operation| operation.len() > 0)
        })
    }

    /// The script as a CIGAR string with `=`, `X`, `I` and `D`, A being the query and B the reference. Empty for two empty strings, where
    /// SAM would write `*`. O(runs).
    ///
    /// ```
    /// let script = carrywave::distance::Comparison::new().script(b"kitten", b"sitting")?;
    /// assert_eq!((script.distance(), script.cigar().as_str()), (3, "1X3=1X1=1D"));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn cigar(&self) -> String {
        let mut text = Vec::new();
        let written = self.write_cigar(&mut text);
        debug_assert!(written.is_ok(), "a vector takes everything");
        String::from_utf8(text).unwrap_or_default()
    }

    /// Writes [`cigar`](Self::cigar) without holding it: it can be as long as the strings.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_cigar(&self, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        write_cigar(out, self.runs().len() + 1, |range| self.operations_of(range))
    }

    /// Checks that the script makes `b` of `a`: that each run of matches lies after the one before it, within both strings, and matches. Not
    /// that no script is cheaper. O(matches).
    ///
    /// # Errors
    /// [`Error::Usage`] when the strings are not of the lengths that this script is for, and
    /// [`Error::Verification`] with the first position that does not match.
    pub fn verify(&self, a: &[u8], b: &[u8]) -> Result<()> {
        self.matches.verify(a, b)
    }

    /// The same where these symbols are equal.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_by(&self, a: &[u8], b: &[u8], equality: &Equality) -> Result<()> {
        self.matches.verify_by(a, b, equality)
    }

    /// An error if the script does not cost so much.
    ///
    /// # Errors
    /// [`Error::Verification`], with both.
    #[doc(hidden)]
    pub fn check_distance(&self, expected: u64) -> Result<()> {
        match self.distance() {
            distance if distance == expected => Ok(()),
            distance => {
                Err(Error::Verification(format!("the script costs {distance}, and the distance is {expected}")))
            }
        }
    }
}

impl Alignment for EditScript {
    fn a_len(&self) -> u64 {
        self.a_len()
    }

    fn b_len(&self) -> u64 {
        self.b_len()
    }

    fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        self.operations()
    }
}

impl Serialize for EditScript {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("EditScript", 4)?;
        document.serialize_field("distance", &self.distance())?;
        document.serialize_field("a_len", &self.a_len())?;
        document.serialize_field("b_len", &self.b_len())?;
        document.serialize_field("runs", &self.runs())?;
        document.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(a_start: u64, b_start: u64, len: u64) -> Run {
        Run { a_start, b_start, len }
    }

    /// Makes B of A by the script's operations, and counts what they cost.
    fn replayed(script: &EditScript, a: &[u8], b: &[u8]) -> (Vec<u8>, u64) {
        let (mut made, mut taken, mut cost) = (Vec::new(), 0, 0);
        for operation in script.operations() {
            let len = operation.len() as usize;
            match operation {
                Operation::Match(run) => {
                    assert_eq!((run.a_start as usize, run.b_start as usize), (taken, made.len()));
                    made.extend_from_slice(&a[taken..taken + len]);
                    taken += len;
                }
                Operation::Insertion { a_start, .. } => {
                    assert_eq!(a_start as usize, taken);
                    taken += len;
                    cost += len as u64;
                }
                Operation::Deletion { b_start, .. } => {
                    assert_eq!(b_start as usize, made.len());
                    made.extend_from_slice(&b[made.len()..made.len() + len]);
                    cost += len as u64;
                }
                Operation::Substitution { a_start, b_start, .. } => {
                    assert_eq!((a_start as usize, b_start as usize), (taken, made.len()));
                    made.extend_from_slice(&b[made.len()..made.len() + len]);
                    taken += len;
                    cost += len as u64;
                }
            }
        }
        assert_eq!(taken, a.len());
        (made, cost)
    }

    #[test]
    fn gaps_are_where_they_are_asked_for() {
        type Case = (&'static [u8], &'static [u8], Vec<Run>, &'static str, &'static str);
        let cases: [Case; 5] = [
            (b"TAAAC", b"TAC", vec![run(0, 0, 1), run(2, 1, 1), run(4, 2, 1)], "1=2I2=", "2=2I1="),
            (b"GCT", b"GAAT", vec![run(0, 0, 1), run(2, 3, 1)], "1=1D1X1=", "1=1X1D1="),
            (b"AAAA", b"AA", vec![run(1, 0, 2)], "2I2=", "2=2I"),
            (b"", b"AC", vec![], "2D", "2D"),
            (b"ACAC", b"AC", vec![run(0, 0, 2)], "2I2=", "2=2I"),
        ];
        for (a, b, runs, leftmost, rightmost) in cases {
            let script = EditScript::new(runs, a.len() as u64, b.len() as u64).unwrap();
            for (placement, cigar) in [(Placement::Leftmost, leftmost), (Placement::Rightmost, rightmost)] {
                let placed = script.placed(placement, a, b).unwrap();
                assert_eq!(placed.cigar(), cigar, "{placement:?}");
                assert!(placed.distance() <= script.distance());
                assert_eq!(replayed(&placed, a, b), (b.to_vec(), placed.distance()));
            }
        }
    }

    #[test]
    fn strings_that_the_script_is_not_for_are_refused() {
        let script = EditScript::new(vec![run(0, 0, 2)], 2, 3).unwrap();
        assert!(script.verify(b"AC", b"ACG").is_ok() && script.check_distance(1).is_ok());
        assert!(script.verify(b"AC", b"AGG").is_err() && script.verify(b"AC", b"AC").is_err());
        assert!(script.check_distance(2).is_err() && EditScript::new(vec![run(1, 0, 2)], 2, 3).is_err());
    }
}
