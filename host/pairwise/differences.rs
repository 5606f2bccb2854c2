//! The last column of an edit distance table, kept as two bits per row.

use super::cuts::Cut;
use std::ops::Range;

/// D in a table's first column, before any symbol of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstColumn {
    /// D\[i\] = i: all rows are aligned.
    Rising,
    /// D\[i\] = 0: an alignment may begin in any row, and the rows before it cost nothing (P. H.
    /// Sellers, The theory and computation of evolutionary distances: pattern recognition, Journal
    /// of Algorithms 1(4), 1980).
    Zero,
}

/// The last column of the edit distance table of a string of m symbols (the rows) and one of n (the
/// columns).
///
/// D\[i\] is the distance of the first i rows' symbols to all n columns' symbols (of the last ones,
/// if the table is filled backwards). D\[0\] = n, and from row to row the distance changes by +1, 0
/// or -1: bit i of `plus` is 1 if D\[i + 1\] = D\[i\] + 1, and bit i of `minus` if
/// D\[i + 1\] = D\[i\] - 1. These are Myers' vertical differences Pv and Mv (1999).
///
/// It has 2m bits instead of m + 1 integers. Engines compute it, and Hirschberg's split needs
/// nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differences {
    plus: Vec<u64>,
    minus: Vec<u64>,
    rows: usize,
    columns: u64,
}

impl Differences {
    /// Returns the column of m rows and n columns from its words, least significant bit first. Bits
    /// past row m are ignored; missing words mean rows without a change.
    pub fn from_words(plus: Vec<u64>, minus: Vec<u64>, m: usize, n: u64) -> Self {
        let cut = |mut words: Vec<u64>| {
            words.resize(m.div_ceil(64), 0);
            if let Some(last) = words.last_mut().filter(|_| !m.is_multiple_of(64)) {
                *last &= !(!0 << (m % 64));
            }
            words
        };
        Self { plus: cut(plus), minus: cut(minus), rows: m, columns: n }
    }

    /// Returns the column of a table given in full: `distances[i]` is D\[i\], m + 1 entries, the
    /// first of them n.
    pub fn from_distances(distances: &[u64]) -> Self {
        let m = distances.len().saturating_sub(1);
        let mut plus = vec![0u64; m.div_ceil(64)];
        let mut minus = vec![0u64; m.div_ceil(64)];
        for (i, pair) in distances.windows(2).enumerate() {
            plus[i / 64] |= u64::from(pair[1] > pair[0]) << (i % 64);
            minus[i / 64] |= u64::from(pair[1] < pair[0]) << (i % 64);
        }
        Self { plus, minus, rows: m, columns: distances.first().copied().unwrap_or(0) }
    }

    /// Returns m, the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns D\[i + 1\] - D\[i\]: +1, 0 or -1; 0 past the last row.
    pub fn step(&self, i: usize) -> i64 {
        let bit = |words: &[u64]| words.get(i / 64).map_or(0, |word| (word >> (i % 64) & 1) as i64);
        bit(&self.plus) - bit(&self.minus)
    }

    /// Returns D\[m\], the distance of the whole strings.
    pub fn last(&self) -> u64 {
        self.columns.wrapping_add_signed(self.rise(0..self.rows))
    }

    /// Returns D\[end\] - D\[start\] of some rows.
    pub fn rise(&self, rows: Range<usize>) -> i64 {
        let rows = rows.start..rows.end.min(self.rows);
        if rows.is_empty() {
            return 0;
        }
        let words = rows.start / 64..=(rows.end - 1) / 64;
        let rise = |word: usize| {
            let first = if word == rows.start / 64 { !0 << (rows.start % 64) } else { !0 };
            let last = if word == rows.end / 64 { !(!0 << (rows.end % 64)) } else { !0 };
            let ones = |words: &[u64]| i64::from((words.get(word).unwrap_or(&0) & first & last).count_ones());
            ones(&self.plus) - ones(&self.minus)
        };
        words.map(rise).sum()
    }

    /// Returns D\[0\] to D\[m\].
    pub fn distances(&self) -> Vec<u64> {
        let mut distance = self.columns;
        let steps = (0..self.rows).map(|i| {
            distance = distance.wrapping_add_signed(self.step(i));
            distance
        });
        std::iter::once(self.columns).chain(steps).collect()
    }

    /// Returns the least of D\[0\] to D\[m\], and the rows that have it, ascending. O(m).
    pub fn least(&self) -> (u64, Vec<usize>) {
        let mut least = self.columns;
        let mut rows = vec![0];
        let mut distance = self.columns;
        for i in 0..self.rows {
            distance = distance.wrapping_add_signed(self.step(i));
            if distance <= least {
                if distance < least {
                    rows.clear();
                    least = distance;
                }
                rows.push(i + 1);
            }
        }
        (least, rows)
    }
}

impl Differences {
    /// Returns the least of D\[0\] to D\[m\], and the first row that has it. About m / 64 steps: a
    /// word whose falls alone do not come below the least is taken as a whole.
    pub fn first_least(&self) -> (u64, usize) {
        let (mut least, mut row) = (self.columns, 0);
        let mut distance = self.columns as i64;
        for (number, (&plus, &minus)) in self.plus.iter().zip(&self.minus).enumerate() {
            if distance - i64::from(minus.count_ones()) < least as i64 {
                let mut here = distance;
                for bit in 0..64 {
                    here += (plus >> bit & 1) as i64 - (minus >> bit & 1) as i64;
                    if here < least as i64 {
                        (least, row) = (here as u64, 64 * number + bit + 1);
                    }
                }
            }
            distance += i64::from(plus.count_ones()) - i64::from(minus.count_ones());
        }
        (least, row)
    }
}

/// Returns the cut of Hirschberg's recursion for two halves of a table: the first row i with the
/// least D1\[i\] + D2\[m - i\], and that sum, the distance of the whole strings. `forward` is the
/// last column of the first half's table, `backward` that of the second half's, filled from both
/// strings' ends.
pub fn least_cut(forward: &Differences, backward: &Differences) -> Cut {
    let m = forward.rows();
    // Relative to i = 0, where the sum is D1[0] + D2[m].
    let mut best = 0;
    let mut row = 0;
    let mut sum = 0;
    for i in 0..m {
        sum += forward.step(i) - backward.step(m - 1 - i);
        if sum < best {
            (best, row) = (sum, i + 1);
        }
    }
    Cut { row, length: (forward.columns + backward.last()).wrapping_add_signed(best) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_its_distances() {
        let distances = [5, 4, 4, 5, 6, 5];
        let column = Differences::from_distances(&distances);
        assert_eq!((column.rows(), column.last()), (5, 5));
        for (start, end) in [(0, 5), (1, 4), (2, 2), (4, 9)] {
            let rise = distances[end.min(5)] as i64 - distances[start] as i64;
            assert_eq!(column.rise(start..end), rise, "{start}..{end}");
        }
        let long: Vec<u64> = (0..200).map(|i: u64| 100 + i.abs_diff(70)).collect();
        assert_eq!(Differences::from_distances(&long).rise(60..140), 60);
        assert_eq!(column.distances(), distances);
        assert_eq!(Differences::from_words(vec![0b01100 | 1 << 5], vec![0b10001 | !0 << 7], 5, 5), column);
        assert_eq!(Differences::from_words(vec![], vec![], 70, 3).distances(), vec![3; 71]);
    }

    #[test]
    fn the_least_rows() {
        let least = |distances: &[u64]| Differences::from_distances(distances).least();
        assert_eq!(least(&[3, 2, 1, 2, 1, 1]), (1, vec![2, 4, 5]));
        assert_eq!((least(&[2, 2, 3]), least(&[0])), ((2, vec![0, 1]), (0, vec![0])));
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let mut distance = random.u64(0..400);
            let mut next = || {
                distance = (distance + random.u64(..3)).saturating_sub(1);
                distance
            };
            let distances: Vec<u64> = (0..300).map(|_| next()).collect();
            let least = *distances.iter().min().unwrap();
            let row = distances.iter().position(|&distance| distance == least).unwrap();
            assert_eq!(Differences::from_distances(&distances).first_least(), (least, row));
        }
    }

    #[test]
    fn the_cut_is_the_least_row_of_the_least_sum() {
        let column = Differences::from_distances;
        // D1[i] + D2[3 - i]: 2 + 4, 3 + 3, 2 + 3, 3 + 2.
        assert_eq!(least_cut(&column(&[2, 3, 2, 3]), &column(&[2, 3, 3, 4])), Cut { row: 2, length: 5 });
        assert_eq!(least_cut(&column(&[1, 1]), &column(&[1, 1])), Cut { row: 0, length: 2 });
        assert_eq!(least_cut(&column(&[4]), &column(&[2])), Cut { row: 0, length: 6 });
    }
}
