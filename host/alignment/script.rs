//! An edit script, by its runs of matches: how one string becomes another.

use super::operation::{Operation, write_cigar};
use super::placed::{leftmost, rightmost};
use super::run::Run;
use super::runs::{Alignment, CommonSubsequence};
use crate::error::{Error, Result};
use crate::text::Equality;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::io;
use std::ops::Range;

/// Position of the gaps (insertions and deletions) of a script, if several positions have the same
/// cost. As in the [example](EditScript).
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
    /// As far to the left as possible at the same cost, and before the substitutions beside the
    /// gap: as variants are normalised (VCF) and as most aligners do.
    #[default]
    Leftmost,
    /// As far to the right as possible, and after the substitutions beside the gap.
    Rightmost,
}

/// A cheapest way to turn string A into string B by substitutions, insertions and deletions of
/// single symbols (Levenshtein 1966): the runs of matches, and the operations between them.
///
/// The runs of matches determine the script: x symbols of A and y symbols of B between two runs
/// cost max(x, y), namely min(x, y) substitutions, and insertions or deletions for the rest.
/// Insertions are symbols of A that B lacks, and deletions are symbols of B that A lacks, as in SAM
/// with A as the query and B as the reference.
///
/// As JSON:
/// `{"distance": 1, "a_len": 3, "b_len": 4, "runs": [{"a_start": 0, "b_start": 0, "len": 3}]}`.
///
/// ```
/// use carrywave::alignment::Run;
/// use carrywave::distance::{EditScript, Placement};
/// use carrywave::text::Equality;
///
/// // Two symbols of A are left out: which of its three, costs nothing.
/// let runs = vec![Run { a_start: 0, b_start: 0, len: 2 }, Run { a_start: 4, b_start: 2, len: 1 }];
/// let script = EditScript::new(runs, 5, 3)?;
/// script.verify(b"TAAAC", b"TAC")?;
/// assert_eq!((script.distance(), script.matches(), script.runs().len()), (2, 3, 2));
/// assert_eq!((script.a_len(), script.b_len(), script.placement()), (5, 3, Placement::Leftmost));
/// let leftmost = script.placed(Placement::Leftmost, b"TAAAC", b"TAC")?;
/// assert_eq!([script.cigar(), leftmost.cigar()], ["2=2I1=", "1=2I2="]);
/// assert_eq!((script.operations().count(), script.common_subsequence().len()), (3, 3));
/// assert_eq!(script.placed_of(Placement::Leftmost, &[9, 1, 1, 1, 5], &[9, 1, 5])?, leftmost);
/// // Lower case is equal to upper case.
/// let equality = Equality::exact().ignore_case();
/// script.verify_by(b"taaac", b"TAC", &equality)?;
/// assert_eq!(script.placed_by(Placement::Leftmost, b"taaac", b"TAC", &equality)?, leftmost);
/// assert_eq!(script.with_placement(Placement::Rightmost).placement(), Placement::Rightmost);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditScript {
    matches: CommonSubsequence,
    placement: Placement,
}

impl EditScript {
    /// Returns the script for strings of `a_len` and `b_len` symbols with these runs of matches, in
    /// order, and the gaps where they are. O(runs). As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Verification`] if runs overlap, are out of order, or leave the strings.
    pub fn new(runs: Vec<Run>, a_len: u64, b_len: u64) -> Result<Self> {
        Ok(Self { matches: CommonSubsequence::new(runs, a_len, b_len)?, placement: Placement::default() })
    }

    /// Returns the side of adjacent substitutions on which gaps are, as in the [example](Self).
    pub fn placement(&self) -> Placement {
        self.placement
    }

    /// Sets the side of adjacent substitutions on which gaps are. The runs of matches stay the
    /// same; [`placed`](Self::placed) moves them, too. As in the [example](Self).
    pub fn with_placement(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }

    /// Moves the gaps of a script of `a` and `b` to other positions of the same cost: each run of
    /// insertions, or of deletions, moves past the matches and substitutions beside it as far as no
    /// match is lost, and takes along a gap of the same kind that it reaches. Placing a script
    /// again changes nothing. O(runs + symbols that gaps move by). As in the [example](Self).
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn placed(&self, placement: Placement, a: &[u8], b: &[u8]) -> Result<Self> {
        self.placed_by(placement, a, b, &Equality::exact())
    }

    /// Like [`placed`](Self::placed), with the symbols equal that `equality` defines as equal. As
    /// in the [example](Self).
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn placed_by(&self, placement: Placement, a: &[u8], b: &[u8], equality: &Equality) -> Result<Self> {
        self.verify_by(a, b, equality)?;
        if equality.is_exact() {
            return self.placed_where(placement, |x, y| a[x as usize] == b[y as usize]);
        }
        self.placed_where(placement, |x, y| equality.equal(a[x as usize], b[y as usize]))
    }

    /// Places the gaps of a script of two sequences of items of any type, as
    /// [`placed`](Self::placed) does for bytes. As in the [example](Self).
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn placed_of<T: PartialEq + Sync>(&self, placement: Placement, a: &[T], b: &[T]) -> Result<Self> {
        self.matches.verify_of(a, b)?;
        self.placed_where(placement, |x, y| a[x as usize] == b[y as usize])
    }

    fn placed_where(&self, placement: Placement, equal: impl Fn(u64, u64) -> bool + Sync) -> Result<Self> {
        let a_len = self.a_len();
        let b_len = self.b_len();
        let runs = match placement {
            Placement::Leftmost => leftmost(self.runs(), a_len, b_len, equal),
            Placement::Rightmost => rightmost(self.runs(), a_len, b_len, equal),
        };
        Ok(Self { matches: CommonSubsequence::new(runs, a_len, b_len)?, placement })
    }

    /// Returns the cost of the script: the number of its substitutions, insertions and deletions.
    /// As in the [example](Self). O(runs).
    pub fn distance(&self) -> u64 {
        self.gaps(0..self.runs().len() + 1).map(|(_, x, y, _)| x.max(y)).sum()
    }

    /// Returns the matches, ascending in both strings, as in the [example](Self).
    pub fn runs(&self) -> &[Run] {
        self.matches.runs()
    }

    /// Returns the number of symbols of A, as in the [example](Self).
    pub fn a_len(&self) -> u64 {
        self.matches.a_len()
    }

    /// Returns the number of symbols of B, as in the [example](Self).
    pub fn b_len(&self) -> u64 {
        self.matches.b_len()
    }

    /// Returns the number of symbols that match, as in the [example](Self).
    pub fn matches(&self) -> u64 {
        self.matches.len()
    }

    /// Returns the matches as a common subsequence, for its views; as in the [example](Self).
    pub fn common_subsequence(&self) -> &CommonSubsequence {
        &self.matches
    }

    /// Returns the gap before each run of a range, and the run: the gap's starts in both strings,
    /// its x symbols of A and y of B. One more run, of length 0, follows the last run, where both
    /// strings end.
    fn gaps(&self, range: Range<usize>) -> impl Iterator<Item = ((u64, u64), u64, u64, Run)> + '_ {
        let end = Run { a_start: self.a_len(), b_start: self.b_len(), len: 0 };
        let run = move |i: usize| self.runs().get(i).copied().unwrap_or(end);
        let mut ends = range.start.checked_sub(1).map_or((0, 0), |before| run(before).ends());
        range.map(run).map(move |run| {
            let start = std::mem::replace(&mut ends, run.ends());
            (start, run.a_start - start.0, run.b_start - start.1, run)
        })
    }

    /// Returns all operations from the start of both strings to their ends, without gaps; as in the
    /// [example](Self).
    pub fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        self.operations_of(0..self.runs().len() + 1)
    }

    fn operations_of(&self, range: Range<usize>) -> impl Iterator<Item = Operation> + '_ {
        self.gaps(range).flat_map(|((a, b), x, y, run)| {
            let pairs = x.min(y);
            // The gap is before or after the substitutions.
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

    /// Returns the script as a CIGAR string with `=`, `X`, `I` and `D`. A is the query and B the
    /// reference. Empty for two empty strings, where SAM would write `*`. O(runs).
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

    /// Writes [`cigar`](Self::cigar) without storing it, since it can be as long as the strings.
    ///
    /// ```
    /// let mut text = Vec::new();
    /// carrywave::distance::Comparison::new().script(b"wave", b"wave")?.write_cigar(&mut text)?;
    /// assert_eq!(text, b"4=");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_cigar(&self, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        write_cigar(out, self.runs().len() + 1, |range| self.operations_of(range))
    }

    /// Checks that the script turns `a` into `b`: each run of matches lies after the run before it,
    /// within both strings, and matches. It does not check that no script is cheaper. As in the
    /// [example](Self). O(matches).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Mismatch`](crate::error::UsageFault::Mismatch) if the
    /// strings do not have the lengths of this script, and [`Error::Verification`] with the first
    /// position that does not match.
    pub fn verify(&self, a: &[u8], b: &[u8]) -> Result<()> {
        self.matches.verify(a, b)
    }

    /// Like [`verify`](Self::verify), with the symbols equal that `equality` defines as equal. As
    /// in the [example](Self).
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_by(&self, a: &[u8], b: &[u8], equality: &Equality) -> Result<()> {
        self.matches.verify_by(a, b, equality)
    }

    /// Returns an error if the script's cost is not `expected`.
    ///
    /// # Errors
    /// [`Error::Verification`], with both costs.
    #[doc(hidden)]
    pub fn check_distance(&self, expected: u64) -> Result<()> {
        match self.distance() {
            distance if distance == expected => Ok(()),
            distance => {
                Err(Error::Verification(format!("the script costs {distance}, but the distance is {expected}")))
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

    /// Turns A into B by the script's operations, and counts their cost.
    fn replayed(script: &EditScript, a: &[u8], b: &[u8]) -> (Vec<u8>, u64) {
        let mut made = Vec::new();
        let mut taken = 0;
        let mut cost = 0;
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
                assert_eq!(placed.distance(), script.distance());
                assert_eq!(replayed(&placed, a, b), (b.to_vec(), placed.distance()));
            }
        }
    }

    /// Returns all scripts of some strings: each path from the start of both to their ends by
    /// matches, substitutions and gaps.
    fn scripts(a: &[u8], b: &[u8]) -> Vec<EditScript> {
        fn go(a: &[u8], b: &[u8], at: (usize, usize), runs: &mut Vec<Run>, all: &mut Vec<Vec<Run>>) {
            all.push(runs.clone());
            for i in at.0..a.len() {
                for j in (at.1..b.len()).filter(|&j| a[i] == b[j]) {
                    runs.push(run(i as u64, j as u64, 1));
                    go(a, b, (i + 1, j + 1), runs, all);
                    runs.pop();
                }
            }
        }
        let mut all = Vec::new();
        go(a, b, (0, 0), &mut Vec::new(), &mut all);
        let script = |runs| EditScript::new(runs, a.len() as u64, b.len() as u64).unwrap();
        all.into_iter().map(script).collect()
    }

    /// Returns true if a gap can move one symbol to the right: the symbol after the gap is matched,
    /// and the gap's first symbol would match in its place.
    fn can_move(script: &EditScript, a: &[u8], b: &[u8]) -> bool {
        let operations: Vec<Operation> = script.operations().collect();
        let is_gap =
            |operation: &Operation| matches!(operation, Operation::Insertion { .. } | Operation::Deletion { .. });
        operations.windows(2).enumerate().any(|(number, pair)| {
            let [gap, next] = pair else { return false };
            let Operation::Match(run) = next else { return is_gap(gap) && !is_gap(next) };
            // A gap of the other kind follows a single match: without the match between them both
            // would become a substitution.
            let behind = operations[number + 2..].iter().find(|next| !matches!(next, Operation::Substitution { .. }));
            let other_kind = |is_insertion: bool| match behind {
                Some(Operation::Deletion { .. }) => is_insertion,
                Some(Operation::Insertion { .. }) => !is_insertion,
                _ => false,
            };
            let alone = run.len == 1;
            match *gap {
                Operation::Insertion { a_start, .. } => {
                    a[a_start as usize] == b[run.b_start as usize] && !(alone && other_kind(true))
                }
                Operation::Deletion { b_start, .. } => {
                    a[run.a_start as usize] == b[b_start as usize] && !(alone && other_kind(false))
                }
                _ => false,
            }
        })
    }

    /// All scripts of all short strings: the cost stays the same, no gap can move, placing again
    /// changes nothing, and left is right in the mirror image.
    #[test]
    fn no_gap_can_move_farther() {
        let strings = |len: usize, letters: usize| -> Vec<Vec<u8>> {
            let string = |number: usize| (0..len as u32).map(|at| b"ABC"[number / letters.pow(at) % letters]).collect();
            (0..letters.pow(len as u32)).map(string).collect()
        };
        let backwards = |string: &[u8]| string.iter().rev().copied().collect::<Vec<u8>>();
        let mut placed_ones = 0;
        for (m, n, letters) in
            [(0, 3, 2), (2, 4, 2), (3, 3, 3), (3, 5, 2), (4, 4, 2), (5, 3, 2), (6, 2, 2), (4, 4, 3), (5, 5, 2)]
        {
            for a in &strings(m, letters) {
                for b in &strings(n, letters) {
                    for script in scripts(a, b) {
                        let right = script.placed(Placement::Rightmost, a, b).unwrap();
                        assert_eq!(right.distance(), script.distance(), "{a:?} {b:?} {script:?}");
                        assert!(!can_move(&right, a, b), "{a:?} {b:?} {script:?} {right:?}");
                        assert_eq!(right.placed(Placement::Rightmost, a, b).unwrap(), right);
                        assert_eq!(replayed(&right, a, b), (b.clone(), right.distance()));
                        assert_eq!(script.placed_of(Placement::Rightmost, a, b).unwrap(), right);
                        let mirror = EditScript { matches: script.matches.reversed(), ..script };
                        let left = mirror.placed(Placement::Leftmost, &backwards(a), &backwards(b)).unwrap();
                        assert_eq!(left.matches.reversed(), right.matches);
                        placed_ones += 1;
                    }
                }
            }
        }
        assert!(placed_ones > 50_000, "{placed_ones}");
    }

    #[test]
    fn gaps_that_meet_move_on_together() {
        // The deletion of the second B takes the deletion of A along.
        let script = EditScript::new(vec![run(0, 1, 1), run(1, 3, 1)], 2, 4).unwrap();
        assert_eq!(script.placed(Placement::Rightmost, b"BB", b"BBAB").unwrap().cigar(), "2=2D");
        // An insertion after a substitution moves past the match after it.
        let script = EditScript::new(vec![run(2, 1, 1)], 3, 2).unwrap();
        assert_eq!(script.placed(Placement::Rightmost, b"CAA", b"GA").unwrap().cigar(), "1X1=1I");
        // Many gaps in a long stretch of one symbol.
        let (a, b) = (vec![b'A'; 300_000], vec![b'A'; 200_000]);
        let runs = (0..100_000).map(|gap| run(3 * gap, 2 * gap, 2)).collect();
        let script = EditScript::new(runs, 300_000, 200_000).unwrap();
        assert_eq!(script.placed(Placement::Rightmost, &a, &b).unwrap().cigar(), "200000=100000I");
        assert_eq!(script.placed(Placement::Leftmost, &a, &b).unwrap().cigar(), "100000I200000=");
        // One symbol stops all gaps.
        let ends = |string: Vec<u8>| [string, b"CAC".to_vec()].concat();
        let a = ends(a);
        let b = ends(b);
        let mut runs: Vec<Run> = script.runs().to_vec();
        runs.push(run(300_000, 200_000, 3));
        let script = EditScript::new(runs, 300_003, 200_003).unwrap();
        assert_eq!(script.placed(Placement::Rightmost, &a, &b).unwrap().cigar(), "200000=100000I3=");
    }

    #[test]
    fn strings_that_the_script_is_not_for_are_refused() {
        let script = EditScript::new(vec![run(0, 0, 2)], 2, 3).unwrap();
        assert!(script.verify(b"AC", b"ACG").is_ok() && script.check_distance(1).is_ok());
        assert!(script.placed_of(Placement::Leftmost, &['A', 'C'], &['A', 'G', 'G']).is_err());
        assert!(script.placed_of(Placement::Leftmost, &['A', 'C'], &['A', 'C']).is_err());
        assert!(script.verify(b"AC", b"AGG").is_err() && script.verify(b"AC", b"AC").is_err());
        assert!(script.check_distance(2).is_err() && EditScript::new(vec![run(1, 0, 2)], 2, 3).is_err());
    }
}
