//! An LCS as runs of matches, and what is derived from them.

use std::io;
use std::ops::Range;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::operation::{Operation, write_cigar};
use super::run::Run;
use crate::error::UsageFault;
use crate::text::Equality;
use crate::{Error, Result, memory, threads};
use rayon::prelude::*;

/// Several threads verify at least this number of runs.
const PARALLEL: usize = 1 << 15;

/// A longest common subsequence of two strings A and B.
///
/// Always well-formed: the runs ascend in both strings, lie within them, are not empty, and no two
/// adjacent runs could be merged. Only [`verify`](Self::verify) can check that they match.
///
/// As JSON (reading it checks the same properties, and the length):
/// `{"length": 3, "a_len": 4, "b_len": 5, "runs": [{"a_start": 0, "b_start": 1, "len": 3}]}`.
///
/// ```
/// use carrywave::alignment::{Operation, Run};
/// use carrywave::lcs::CommonSubsequence;
/// use carrywave::text::Equality;
///
/// // A = "abcd", B = "xbcyz"
/// let lcs = CommonSubsequence::new(vec![Run { a_start: 1, b_start: 1, len: 2 }], 4, 5)?;
/// assert_eq!((lcs.len(), lcs.a_len(), lcs.b_len(), lcs.runs().len()), (2, 4, 5, 1));
/// assert_eq!(
///     (lcs.is_empty(), lcs.identity(), lcs.subsequence(b"abcd")?),
///     (false, Some(0.4), b"bc".to_vec())
/// );
/// lcs.verify(b"abcd", b"xbcyz")?;
/// lcs.verify_by(b"abcd", b"xBCyz", &Equality::exact().ignore_case())?;
/// assert_eq!(lcs.operations().next(), Some(Operation::Insertion { a_start: 0, len: 1 }));
/// let letters: Vec<u8> = lcs.operations().map(|operation| operation.letter()).collect();
/// assert_eq!(letters, b"ID=ID");
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Document")]
pub struct CommonSubsequence {
    runs: Vec<Run>,
    a_len: u64,
    b_len: u64,
}

/// An alignment of two strings, A and B: an LCS, or an edit script.
///
/// ```
/// use carrywave::alignment::{Alignment, Run};
/// use carrywave::lcs::CommonSubsequence;
///
/// fn sizes(alignment: &impl Alignment) -> (u64, u64, usize) {
///     (alignment.a_len(), alignment.b_len(), alignment.operations().count())
/// }
/// let lcs = CommonSubsequence::new(vec![Run { a_start: 1, b_start: 1, len: 2 }], 4, 5)?;
/// assert_eq!(sizes(&lcs), (4, 5, 5));
/// # Ok::<(), carrywave::Error>(())
/// ```
pub trait Alignment {
    /// Returns the number of symbols of A, as in the [example](Self).
    fn a_len(&self) -> u64;

    /// Returns the number of symbols of B, as in the [example](Self).
    fn b_len(&self) -> u64;

    /// Returns the operations from the start of both strings to their ends, without gaps, as in the
    /// [example](Self).
    fn operations(&self) -> impl Iterator<Item = Operation> + '_;
}

impl Alignment for CommonSubsequence {
    fn a_len(&self) -> u64 {
        self.a_len
    }

    fn b_len(&self) -> u64 {
        self.b_len
    }

    fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        self.operations()
    }
}

impl CommonSubsequence {
    /// Returns the LCS of two strings of `a_len` and `b_len` symbols from its runs of matches, in
    /// order; as in the [example](Self).
    ///
    /// Merges runs that continue each other in both strings, and drops empty ones. O(runs).
    ///
    /// # Errors
    /// [`Error::Verification`] if runs overlap, are out of order, or leave the strings.
    pub fn new(runs: Vec<Run>, a_len: u64, b_len: u64) -> Result<Self> {
        let mut merged = runs;
        let mut kept = 0;
        let mut a_end = 0;
        let mut b_end = 0;
        for i in 0..merged.len() {
            let run = merged[i];
            if run.len == 0 {
                continue;
            }
            let ends = run.a_start.checked_add(run.len).zip(run.b_start.checked_add(run.len));
            let Some((next_a, next_b)) = ends.filter(|&(a, b)| a <= a_len && b <= b_len) else {
                return Err(Error::Verification(format!(
                    "run {i}, {run:?}, extends beyond the strings of {a_len} and {b_len} symbols"
                )));
            };
            if run.a_start < a_end || run.b_start < b_end {
                return Err(Error::Verification(format!(
                    "run {i}, {run:?}, starts before the end of the previous run, {a_end} and {b_end}"
                )));
            }
            if kept > 0 && (run.a_start, run.b_start) == (a_end, b_end) {
                merged[kept - 1].len += run.len;
            } else {
                merged[kept] = run;
                kept += 1;
            }
            (a_end, b_end) = (next_a, next_b);
        }
        merged.truncate(kept);
        Ok(Self { runs: merged, a_len, b_len })
    }

    /// Returns the length of the LCS, in symbols, as in the [example](Self). O(runs).
    pub fn len(&self) -> u64 {
        self.runs.iter().map(|run| run.len).sum()
    }

    /// Returns true if the strings have no symbol in common, as in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the matches, ascending in both strings, as in the [example](Self).
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Returns the number of symbols of A, as in the [example](Self).
    pub fn a_len(&self) -> u64 {
        self.a_len
    }

    /// Returns the number of symbols of B, as in the [example](Self).
    pub fn b_len(&self) -> u64 {
        self.b_len
    }

    /// Returns the length of the LCS over that of the longer string, from 0 to 1; only equal
    /// strings have 1. `None` for two empty strings. As in the [example](Self). O(runs).
    ///
    /// This differs from the identity that aligners report, which is relative to the columns of an
    /// alignment.
    pub fn identity(&self) -> Option<f64> {
        let longer = self.a_len.max(self.b_len);
        (longer > 0).then(|| self.len() as f64 / longer as f64)
    }

    /// Returns the alignment of both strings reversed, or of their opposite strands: an alignment
    /// of A with the reverse complement of B becomes that of the reverse complement of A with B.
    /// O(runs).
    ///
    /// ```
    /// use carrywave::alignment::Run;
    /// use carrywave::lcs::CommonSubsequence;
    ///
    /// let lcs = CommonSubsequence::new(vec![Run { a_start: 1, b_start: 1, len: 2 }], 4, 5)?;
    /// assert_eq!(
    ///     (lcs.cigar(), lcs.reversed().cigar()),
    ///     ("1I1D2=1I2D".into(), "1I2D2=1I1D".into())
    /// );
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn reversed(&self) -> Self {
        let turned = |run: &Run| {
            let (a_end, b_end) = run.ends();
            Run { a_start: self.a_len - a_end, b_start: self.b_len - b_end, len: run.len }
        };
        Self { runs: self.runs.iter().rev().map(turned).collect(), ..*self }
    }

    /// Returns the symbols of the LCS, taken from A, as in the [example](Self). O(LCS).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Mismatch`] if `a` does not have A's length;
    /// [`Error::Memory`] if the host's memory is too small.
    pub fn subsequence(&self, a: &[u8]) -> Result<Vec<u8>> {
        check_length("first", a, self.a_len)?;
        let mut symbols = Vec::new();
        memory::reserve(&mut symbols, self.len() as usize, "the subsequence")?;
        for run in &self.runs {
            symbols.extend_from_slice(stretch(a, run.a_start, run.len));
        }
        Ok(symbols)
    }

    /// Returns all operations from the start of both strings to their ends, without gaps.
    ///
    /// Between two runs the insertion comes before the deletion. There are at most 3 · runs + 2
    /// operations. As in the [example](Self).
    pub fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        self.operations_of(0..self.runs.len() + 1)
    }

    /// Returns the operations up to the end of each run of a range, each from the end of the run
    /// before it. One more run, of length 0, follows the last run, where both strings end.
    fn operations_of(&self, range: Range<usize>) -> impl Iterator<Item = Operation> + '_ {
        let end = Run { a_start: self.a_len, b_start: self.b_len, len: 0 };
        let run = move |i: usize| self.runs.get(i).copied().unwrap_or(end);
        let mut ends = range.start.checked_sub(1).map_or((0, 0), |before| run(before).ends());
        range.map(run).flat_map(move |run| {
            let (a_end, b_end) = ends;
            ends = run.ends();
            let insertion = Operation::Insertion { a_start: a_end, len: run.a_start - a_end };
            let deletion = Operation::Deletion { b_start: b_end, len: run.b_start - b_end };
            [insertion, deletion, Operation::Match(run)].into_iter().filter(|operation| operation.len() > 0)
        })
    }

    /// Returns the alignment as a CIGAR string with `=`, `I` and `D`. A is the query and B the
    /// reference: `I` takes symbols of A, `D` of B. Insertions come before deletions.
    ///
    /// Empty for two empty strings, where SAM would write `*`. O(runs).
    ///
    /// ```
    /// use carrywave::alignment::Run;
    /// use carrywave::lcs::CommonSubsequence;
    /// // A = "abcd", B = "xbcyz"
    /// let lcs = CommonSubsequence::new(vec![Run { a_start: 1, b_start: 1, len: 2 }], 4, 5)?;
    /// assert_eq!(lcs.cigar(), "1I1D2=1I2D");
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
    /// carrywave::lcs(b"wave", b"wave")?.write_cigar(&mut text)?;
    /// assert_eq!(text, b"4=");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_cigar(&self, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        write_cigar(out, self.runs.len() + 1, |range| self.operations_of(range))
    }

    /// Checks that this is a common subsequence of `a` and `b`: each run lies after the run before
    /// it, within both strings, and matches. It does not check that the subsequence is a longest
    /// one. As in the [example](Self). O(LCS).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Mismatch`] if the strings do not have the lengths of
    /// this result, and [`Error::Verification`] with the first position that does not match.
    pub fn verify(&self, a: &[u8], b: &[u8]) -> Result<()> {
        self.verify_by(a, b, &Equality::exact())
    }

    /// Checks that this is a common subsequence of two sequences of items of any type, as
    /// [`verify`](Self::verify) does for bytes.
    ///
    /// ```
    /// let lcs = carrywave::lcs(b"wave", b"wave")?;
    /// assert!(lcs.verify_of(&[1, 2, 3, 4], &[1, 2, 3, 4]).is_ok());
    /// assert!(lcs.verify_of(&[1, 2, 3, 4], &[1, 2, 3, 5]).is_err());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_of<T: PartialEq>(&self, a: &[T], b: &[T]) -> Result<()> {
        for (which, len, own) in [("first", a.len(), self.a_len), ("second", b.len(), self.b_len)] {
            if len as u64 != own {
                return Err(UsageFault::Mismatch
                    .error(format!("the {which} sequence has {len} items, but the result is for {own} items")));
            }
        }
        // The runs are in order, and within both sequences.
        for run in &self.runs {
            let differs = |&at: &u64| a[(run.a_start + at) as usize] != b[(run.b_start + at) as usize];
            if let Some(at) = (0..run.len).find(differs) {
                let x = run.a_start + at;
                let y = run.b_start + at;
                return Err(Error::Verification(format!(
                    "item {x} of the first sequence differs from item {y} of the second"
                )));
            }
        }
        Ok(())
    }

    /// Like [`verify`](Self::verify), with the symbols equal that `equality` defines as equal. As
    /// in the [example](Self).
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_by(&self, a: &[u8], b: &[u8], equality: &Equality) -> Result<()> {
        check_length("first", a, self.a_len)?;
        check_length("second", b, self.b_len)?;
        let check = |i: usize| self.check_run(i, [a, b], equality).err();
        let fault = if self.runs.len() < PARALLEL {
            (0..self.runs.len()).find_map(check)
        } else {
            let numbers = (0..self.runs.len()).into_par_iter().with_min_len(PARALLEL / 4);
            threads::run(|| numbers.find_map_first(check))
        };
        fault.map_or(Ok(()), Err)
    }

    /// Checks that a run pairs equal symbols.
    fn check_run(&self, i: usize, [a, b]: [&[u8]; 2], equality: &Equality) -> Result<()> {
        // The runs are in order, and within both strings.
        let run = self.runs[i];
        let x = stretch(a, run.a_start, run.len);
        let y = stretch(b, run.b_start, run.len);
        match x.iter().zip(y).enumerate().find(|&(_, (&x, &y))| !equality.equal(x, y)) {
            None => Ok(()),
            Some((at, (x, y))) => Err(Error::Verification(format!(
                "run {i}, {run:?}, pairs '{}' at {} of the first string with '{}' at {} of the second",
                x.escape_ascii(),
                run.a_start + at as u64,
                y.escape_ascii(),
                run.b_start + at as u64,
            ))),
        }
    }
}

impl Serialize for CommonSubsequence {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("CommonSubsequence", 4)?;
        document.serialize_field("length", &self.len())?;
        document.serialize_field("a_len", &self.a_len)?;
        document.serialize_field("b_len", &self.b_len)?;
        document.serialize_field("runs", &self.runs)?;
        document.end()
    }
}

/// The serialized form, not yet checked.
#[derive(Deserialize)]
struct Document {
    length: u64,
    a_len: u64,
    b_len: u64,
    runs: Vec<Run>,
}

impl TryFrom<Document> for CommonSubsequence {
    type Error = Error;

    fn try_from(document: Document) -> Result<Self> {
        let lcs = Self::new(document.runs, document.a_len, document.b_len)?;
        if lcs.len() == document.length {
            Ok(lcs)
        } else {
            Err(Error::Verification(format!("the runs have {} symbols in total, not {}", lcs.len(), document.length)))
        }
    }
}

pub(crate) fn check_length(which: &str, symbols: &[u8], len: u64) -> Result<()> {
    if symbols.len() as u64 == len {
        Ok(())
    } else {
        Err(UsageFault::Mismatch
            .error(format!("the {which} string has {} symbols, but the result is for {len} symbols", symbols.len())))
    }
}

/// Returns `len` symbols from `start` on, which lie in `symbols` after a successful
/// [`check_length`].
pub(crate) fn stretch(symbols: &[u8], start: u64, len: u64) -> &[u8] {
    // No position in a slice in memory is too large for usize.
    let start = start as usize;
    let len = len as usize;
    symbols.get(start..start + len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::operation::PIECE;
    use super::*;

    fn run(a_start: u64, b_start: u64, len: u64) -> Run {
        Run { a_start, b_start, len }
    }

    /// A = "abcdef", B = "xabdeyf": matches ab, de, f.
    const A: &[u8] = b"abcdef";
    const B: &[u8] = b"xabdeyf";

    fn example() -> CommonSubsequence {
        let runs = vec![run(0, 1, 1), run(1, 2, 1), run(3, 3, 2), run(5, 5, 0), run(5, 6, 1)];
        CommonSubsequence::new(runs, 6, 7).unwrap()
    }

    #[test]
    fn runs_that_continue_each_other_are_one() {
        let lcs = example();
        assert_eq!(lcs.runs(), [run(0, 1, 2), run(3, 3, 2), run(5, 6, 1)]);
        assert_eq!((lcs.len(), lcs.a_len(), lcs.b_len()), (5, 6, 7));
        // Adjacent in one string only: two runs.
        let lcs = CommonSubsequence::new(vec![run(0, 0, 1), run(1, 2, 1)], 2, 3).unwrap();
        assert_eq!(lcs.runs().len(), 2);
    }

    #[test]
    fn runs_out_of_place_are_refused() {
        for runs in [
            vec![run(0, 0, 3)],
            vec![run(2, 0, 1)],
            vec![run(0, 3, 1)],
            vec![run(u64::MAX, 0, 1)],
            vec![run(0, 0, u64::MAX)],
            vec![run(0, 0, 2), run(1, 2, 1)],
            vec![run(0, 0, 2), run(2, 1, 1)],
            vec![run(1, 1, 1), run(0, 2, 1)],
        ] {
            let fault = CommonSubsequence::new(runs.clone(), 2, 3);
            assert!(matches!(fault, Err(Error::Verification(_))), "{runs:?}");
        }
    }

    #[test]
    fn derived_forms() {
        let lcs = example();
        assert_eq!(lcs.subsequence(A).unwrap(), b"abdef");
        assert!(matches!(lcs.subsequence(B), Err(Error::Usage { .. })));
        assert_eq!(lcs.identity(), Some(5.0 / 7.0));
        assert_eq!(lcs.cigar(), "1D2=1I2=1D1=");
        let mut written = Vec::new();
        lcs.write_cigar(&mut written).unwrap();
        assert_eq!(written, lcs.cigar().into_bytes());
        lcs.verify(A, B).unwrap();
    }

    #[test]
    fn reversed_strings_have_the_same_matches() {
        let reversed = example().reversed();
        let [a, b] = [A, B].map(|string| string.iter().rev().copied().collect::<Vec<_>>());
        reversed.verify(&a, &b).unwrap();
        assert_eq!((reversed.len(), reversed.reversed()), (5, example()));
        assert_eq!(reversed.runs(), [run(0, 0, 1), run(1, 2, 2), run(4, 4, 2)]);
    }

    /// Replays the CIGAR by its definition: the symbols that it keeps of A are those that it keeps
    /// of B.
    #[test]
    fn the_cigar_replays() {
        let mut a = 0;
        let mut b = 0;
        let mut number = 0;
        for c in example().cigar().chars() {
            if let Some(digit) = c.to_digit(10) {
                number = number * 10 + digit as usize;
                continue;
            }
            match c {
                '=' => {
                    assert_eq!(A[a..a + number], B[b..b + number]);
                    a += number;
                    b += number;
                }
                'I' => a += number,
                'D' => b += number,
                _ => panic!("{c}"),
            }
            number = 0;
        }
        assert_eq!((a, b), (A.len(), B.len()));
    }

    #[test]
    fn a_cigar_in_several_pieces_has_no_seams() {
        for count in [PIECE - 1, PIECE, 2 * PIECE - 1, 2 * PIECE, 40 * PIECE + 3] {
            // Gaps of 1 in A and of 2 in B, lengths of one, two and three digits.
            let mut runs = Vec::new();
            let mut text = String::new();
            let mut a = 0;
            let mut b = 0;
            for i in 0..count as u64 {
                let len = 1 + i % 5 * i % 300;
                runs.push(run(a + 1, b + 2, len));
                text += &format!("1I2D{len}=");
                (a, b) = (a + 1 + len, b + 2 + len);
            }
            text += "7I";
            assert_eq!(CommonSubsequence::new(runs, a + 7, b).unwrap().cigar(), text, "{count} runs");
        }
    }

    #[test]
    fn empty_strings() {
        let none = CommonSubsequence::new(vec![], 0, 0).unwrap();
        assert_eq!((none.identity(), none.cigar().as_str()), (None, ""));
        assert!(none.is_empty());
        none.verify(b"", b"").unwrap();
        let left = CommonSubsequence::new(vec![], 3, 0).unwrap();
        assert_eq!((left.identity(), left.cigar().as_str()), (Some(0.0), "3I"));
        let apart = CommonSubsequence::new(vec![], 3, 2).unwrap();
        assert_eq!(apart.cigar(), "3I2D");
    }

    #[test]
    fn verification_says_where_it_broke() {
        let lcs = example();
        let fault = lcs.verify(b"abcdxf", B).unwrap_err().to_string();
        assert!(fault.contains("'x' at 4 of the first string with 'e' at 4"), "{fault}");
        assert!(matches!(lcs.verify(A, A), Err(Error::Usage { .. })));
    }

    #[test]
    fn json_goes_there_and_back() {
        let lcs = example();
        let json = serde_json::to_string(&lcs).unwrap();
        assert_eq!(
            json,
            r#"{"length":5,"a_len":6,"b_len":7,"runs":[{"a_start":0,"b_start":1,"len":2},{"a_start":3,"b_start":3,"len":2},{"a_start":5,"b_start":6,"len":1}]}"#
        );
        assert_eq!(serde_json::from_str::<CommonSubsequence>(&json).unwrap(), lcs);
        let broken = [json.replace(r#""length":5"#, r#""length":6"#), json.replace(r#""a_len":6"#, r#""a_len":5"#)];
        for broken in broken {
            assert!(serde_json::from_str::<CommonSubsequence>(&broken).is_err(), "{broken}");
        }
    }
}
