//! The overlap of two strings: an alignment whose ends in both strings cost nothing.
//!
//! ```text
//!   A  ------------            A      --------      A  --------------      A     ------
//!   B        ----------        B  --------          B     ------           B  --------------
//! ```
//!
//! The empty overlap has distance 0, so overlaps are compared by a score: the symbols of both parts
//! less four times their edit distance. That is 2 for a match, -2 for a substitution and -3 for a
//! symbol that only one part has: twice the score of Zhang, Schwartz, Wagner and Miller (2000). It
//! is the only linear score that follows from the parts' lengths and their edit distance. Free ends
//! are those of Gusfield (1997), 11.6.4: all cells at the left and upper border of the table have
//! score 0, and the best cell of the last row and column is the end. The start is the end of an
//! overlap of both strings read backwards.
//!
//! The table S is kept as the differences of neighbours, one byte each (Suzuki, Kasahara 2018):
//!
//! ```text
//!   u(i, j) = S(i, j) - S(i - 1, j) + 3      0 to 8     x = max(8 or 4, u(i, j - 1), v(i - 1, j))
//!   v(i, j) = S(i, j) - S(i, j - 1) + 3      0 to 8     u(i, j) = x - v(i - 1, j)
//!                                                       v(i, j) = x - u(i, j - 1)
//! ```
//!
//! Takes mn cells and at most as many again for the start, 64 cells at a time on a CPU with
//! AVX-512, on one thread; 2 (m + n) bytes.

use super::comparison::Comparison;
use crate::cpu::vector::by_widest_vectors;
use crate::error::{Error, Result};
use crate::job::Progress;
use crate::memory;
use crate::pairwise::antidiagonals::{Antidiagonal, for_each};
use crate::text::numbered::{Numbered, number};
use std::hash::Hash;
use std::ops::Range;

/// The best overlap of two strings, as in the [example](Comparison::overlap). The overlap is empty
/// if no overlap has a positive score.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overlap {
    /// Number of symbols of both parts, less four times their distance.
    pub score: u64,
    /// Edit distance of both parts.
    pub distance: u64,
    /// Part of A, half-open. It begins at the start of A, or the other part at the start of B; it
    /// ends at the end of A, or the other part at the end of B.
    pub a: Range<u64>,
    /// Part of B, half-open.
    pub b: Range<u64>,
}

/// Cost of an edit in scores.
const EDIT: u64 = 4;
/// Difference that is stored as 0: the score of a symbol that only one string has is -3.
const OFFSET: u8 = 3;
/// Score of a match, and of a substitution, as the larger of three differences: plus 2 `OFFSET`.
const MATCH: u8 = 2 + 2 * OFFSET;
const SUBSTITUTION: u8 = 2 * OFFSET - 2;
/// Differences along the first row and column: of free ends, and of symbols that count as gaps.
const FREE: u8 = OFFSET;
const GAP: u8 = 0;

/// A cell in the last row or the last column.
struct Cell {
    /// Number of symbols of A before the cell's lower right corner.
    i: usize,
    /// Number of symbols of B.
    j: usize,
    score: i64,
}

/// Calls `each` with all cells of the last row and the last column of a table of scores.
/// `reversed_a` has the symbols of the first string from the last one to the first one.
fn last_cells<T: Copy>(
    [reversed_a, b]: [&[T]; 2],
    border: u8,
    equal: impl Fn(T, T) -> bool,
    progress: Progress<'_>,
    mut each: impl FnMut(Cell),
) {
    let m = reversed_a.len();
    let n = b.len();
    let difference = |byte: u8| i64::from(byte) - i64::from(OFFSET);
    let mut down = vec![border; m];
    let mut right = vec![border; n];
    // Scores of the cells of the last row and column so far.
    let mut below = difference(border) * m as i64;
    let mut behind = difference(border) * n as i64;
    each(Cell { i: m, j: 0, score: below });
    each(Cell { i: 0, j: n, score: behind });
    by_widest_vectors(
        #[inline(always)]
        || {
            for_each(m, n, progress, |Antidiagonal { reversed_rows: rows, columns }| {
                let differences = down[rows.clone()].iter_mut().zip(&mut right[columns.clone()]);
                let symbols = reversed_a[rows.clone()].iter().zip(&b[columns.clone()]);
                for ((down, right), (&x, &y)) in differences.zip(symbols) {
                    let before = [*down, *right];
                    let diagonal = if equal(x, y) { MATCH } else { SUBSTITUTION };
                    let greatest = diagonal.max(before[0]).max(before[1]);
                    *down = greatest - before[1];
                    *right = greatest - before[0];
                }
                if rows.start == 0 {
                    below += difference(right[columns.start]);
                    each(Cell { i: m, j: columns.start + 1, score: below });
                }
                if columns.end == n {
                    behind += difference(down[rows.end - 1]);
                    each(Cell { i: m + 1 - rows.end, j: n, score: behind });
                }
            });
        },
    );
}

/// Returns the best overlap. Of several with the same score, it is the one that ends first in B,
/// then first in A; of these, the one that starts first in A, then first in B.
fn best<T: Copy>(a: &[T], b: &[T], equal: impl Fn(T, T) -> bool + Copy, progress: Progress<'_>) -> Result<Overlap> {
    let m = a.len();
    let n = b.len();
    // Copies of both strings, and the differences.
    memory::check::<u8>((m + n).saturating_mul(size_of::<T>() + 1), "the table of an overlap")?;
    let mut end = Cell { i: m, j: 0, score: 0 };
    let reversed = |symbols: &[T]| symbols.iter().rev().copied().collect::<Vec<T>>();
    last_cells([&reversed(a), b], FREE, equal, progress, |cell| {
        if cell.score > end.score || cell.score == end.score && (cell.j, cell.i) < (end.j, end.i) {
            end = cell;
        }
    });
    if end.score <= 0 {
        return Ok(Overlap { score: 0, distance: 0, a: m as u64..m as u64, b: 0..0 });
    }
    // More symbols than these would cost more than the score: the distance is at least the
    // difference of the lengths.
    let longest = |own: usize, other: usize| {
        let gaps = (5 * other as u64).saturating_sub(end.score.unsigned_abs()) / 3;
        own.min(usize::try_from(gaps).unwrap_or(usize::MAX))
    };
    let part_of_a = &a[end.i - longest(end.i, end.j)..end.i];
    let part_of_b = &b[end.j - longest(end.j, end.i)..end.j];
    let mut start: Option<(usize, usize)> = None;
    // The first string is A read backwards, so its reverse is A.
    last_cells([part_of_a, &reversed(part_of_b)], GAP, equal, progress, |cell| {
        let (i, j) = (end.i - cell.i, end.j - cell.j);
        if cell.score == end.score && (i == 0 || j == 0) {
            start = Some(start.map_or((i, j), |known| known.min((i, j))));
        }
    });
    let Some((i, j)) = start else { return Err(Error::Verification("an overlap without a start".into())) };
    let symbols = (end.i - i + end.j - j) as u64;
    let score = end.score.unsigned_abs();
    Ok(Overlap {
        score,
        distance: symbols.saturating_sub(score) / EDIT,
        a: i as u64..end.i as u64,
        b: j as u64..end.j as u64,
    })
}

impl Comparison<'_> {
    /// Finds the best overlap of two strings: a suffix of one with a prefix of the other (a
    /// dovetail), or all of one with a part of the other. Symbols outside the overlap cost nothing.
    /// Also called semi-global alignment with free ends in both strings.
    ///
    /// The score of an overlap is the number of symbols of both parts, less four times their edit
    /// distance: 2 for a match, -2 for a substitution, -3 for an insertion or deletion. This is
    /// twice the score of Zhang, Schwartz, Wagner and Miller, A greedy algorithm for aligning DNA
    /// sequences, 2000. If no overlap has a positive score, the result is the empty overlap of the
    /// end of `a` and the start of `b`. Of several overlaps with the same score, the result is the
    /// one that ends first in `b`, then first in `a`; of these, the one that starts first in `a`,
    /// then first in `b`.
    ///
    /// The [`script`](Self::script) of both parts is an alignment with this score. Takes at most
    /// 2 mn cells of time, 64 cells at once on a CPU with AVX-512, on one thread of the CPU, and
    /// about 2 (m + n) bytes of space. The [`mode`](Self::mode) and the [`maximum`](Self::maximum)
    /// do not matter.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// let comparison = Comparison::new();
    /// let (a, b) = (b"TTTTGATTACA", b"GATACACCC");
    /// let overlap = comparison.overlap(a, b)?;
    /// assert_eq!((overlap.a, overlap.b), (4..11, 0..6));
    /// assert_eq!((overlap.distance, overlap.score), (1, 9));
    /// assert_eq!(comparison.script(&a[4..11], &b[0..6])?.cigar().as_str(), "2=1I4=");
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an engine other than one CPU and for a named algorithm;
    /// [`Error::Memory`] if the host's memory is too small.
    pub fn overlap(&self, a: &[u8], b: &[u8]) -> Result<Overlap> {
        let prepared = self.prepared(a, b);
        let equality = &prepared.settings.equality;
        self.settings.on_one_cpu("an overlap", |progress| {
            if equality.is_exact() {
                best(prepared.a(), prepared.b(), |x, y| x == y, progress)
            } else {
                best(prepared.a(), prepared.b(), |x, y| equality.equal(x, y), progress)
            }
        })
    }

    /// Finds the [`overlap`](Self::overlap) of two sequences of items.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// let [a, b] = [["not", "to", "be"], ["to", "be", "or"]];
    /// let overlap = Comparison::new().overlap_of(&a, &b)?;
    /// assert_eq!((overlap.a, overlap.b, overlap.score), (1..3, 0..2, 4));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlap`](Self::overlap), and [`Error::Unsupported`] for an
    /// [equality](Self::equality).
    pub fn overlap_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<Overlap> {
        self.overlap_of_numbers(&number(a, b)?)
    }

    /// Finds the [`overlap`](Self::overlap) of two numbered sequences; as in the
    /// [example](Self::overlap_of).
    ///
    /// # Errors
    /// As [`overlap_of`](Self::overlap_of).
    pub fn overlap_of_numbers(&self, Numbered { a, b, .. }: &Numbered) -> Result<Overlap> {
        self.check_items()?;
        self.settings.on_one_cpu("an overlap", |progress| best(a, b, |x, y| x == y, progress))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::naive;
    use crate::text::Equality;

    /// Finds the best overlap by its definition: compares all overlaps.
    fn by_definition(a: &[u8], b: &[u8]) -> Overlap {
        let m = a.len();
        let n = b.len();
        let mut overlaps = Vec::new();
        for (i, i_end) in (0..=m).flat_map(|i| (i..=m).map(move |end| (i, end))) {
            for (j, j_end) in (0..=n).flat_map(|j| (j..=n).map(move |end| (j, end))) {
                if (i == 0 || j == 0) && (i_end == m || j_end == n) {
                    let distance = naive::distance(&a[i..i_end], &b[j..j_end]);
                    let score = (i_end - i + j_end - j) as i64 - 4 * distance as i64;
                    overlaps.push((-score, j_end, i_end, i, j, distance));
                }
            }
        }
        let &(score, j_end, i_end, i, j, distance) = overlaps.iter().min().unwrap();
        if score >= 0 {
            return Overlap { score: 0, distance: 0, a: m as u64..m as u64, b: 0..0 };
        }
        let [a, b] = [(i, i_end), (j, j_end)].map(|(start, end)| start as u64..end as u64);
        Overlap { score: score.unsigned_abs(), distance, a, b }
    }

    /// Computes the greatest score by the recurrence of the scores.
    fn by_recurrence(a: &[u8], b: &[u8]) -> i64 {
        let mut row = vec![0; b.len() + 1];
        let mut best = 0;
        for x in a {
            let mut next = vec![0];
            for (j, y) in b.iter().enumerate() {
                let diagonal = row[j] + if x == y { 2 } else { -2 };
                next.push(diagonal.max(row[j + 1] - 3).max(next[j] - 3));
            }
            best = best.max(next[b.len()]);
            row = next;
        }
        row.into_iter().fold(best, i64::max)
    }

    fn random(len: usize, kinds: u8, random: &mut fastrand::Rng) -> Vec<u8> {
        (0..len).map(|_| b'a' + random.u8(..kinds)).collect()
    }

    #[test]
    fn short_strings_by_the_definition() {
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..400 {
            let [m, n] = [rng.usize(0..9), rng.usize(0..9)];
            let [a, b] = [m, n].map(|len| random(len, 2 + (round % 3) as u8, &mut rng));
            assert_eq!(Comparison::new().overlap(&a, &b).unwrap(), by_definition(&a, &b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn long_strings_by_the_recurrence() {
        let mut rng = fastrand::Rng::with_seed(2);
        for common in [0, 40, 150, 300] {
            let shared = random(common, 4, &mut rng);
            let mut copy = shared.clone();
            for _ in 0..common / 20 {
                let at = rng.usize(..copy.len());
                copy[at] = b'x';
                copy.remove(rng.usize(..copy.len()));
            }
            let [x, y, z] = [200, 170, 90].map(|len| random(len, 4, &mut rng));
            let pairs = [
                ([&x[..], &shared].concat(), [&copy[..], &y].concat()),
                ([&shared[..], &x].concat(), [&y[..], &copy].concat()),
                ([&x[..], &shared, &y].concat(), copy.clone()),
                (shared.clone(), [&z[..], &copy, &y].concat()),
            ];
            for (a, b) in pairs {
                let found = Comparison::new().overlap(&a, &b).unwrap();
                let Overlap { score, distance, a: in_a, b: in_b } = &found;
                assert_eq!(*score as i64, by_recurrence(&a, &b));
                let [x, y] = [&a[in_a.start as usize..in_a.end as usize], &b[in_b.start as usize..in_b.end as usize]];
                assert_eq!(naive::distance(x, y), *distance);
                assert_eq!((x.len() + y.len()) as u64 - 4 * distance, *score);
                assert!(in_a.start == 0 || in_b.start == 0);
                assert!(in_a.end == a.len() as u64 || in_b.end == b.len() as u64);
                let [a, b] = [&a, &b].map(|text| text.iter().map(|&byte| u64::from(byte)).collect::<Vec<_>>());
                assert_eq!(Comparison::new().overlap_of(&a, &b).unwrap(), found);
            }
        }
    }

    #[test]
    fn symbols_that_count_as_equal() {
        let [case, chain] = [Equality::exact().ignore_case(), Equality::exact().group(b"AC").group(b"CG")]
            .map(|equality| Comparison::new().equality(equality).overlap(b"xxACGT", b"acAtyy").unwrap());
        assert_eq!((case.a, case.b, case.score, case.distance), (2..6, 0..4, 4, 1));
        assert_eq!((chain.a, chain.b, chain.score), (6..6, 0..0, 0));
        let items = Comparison::new().equality(Equality::exact().ignore_case()).overlap_of(&[1], &[1]);
        assert!(matches!(items, Err(Error::Unsupported { .. })));
    }

    #[test]
    fn a_named_algorithm_is_refused() {
        let comparison = Comparison::new().algorithm(crate::distance::Algorithm::named("dp").unwrap());
        let error = comparison.overlap(b"a", b"a").unwrap_err().to_string();
        assert!(error.contains("an overlap is computed on one CPU, by the algorithm `auto` only"), "{error}");
    }
}
