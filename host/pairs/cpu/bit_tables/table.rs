//! Tables in lanes: the lanes that have a column, the cells of a block of columns, and the
//! distances from the numbers of differences.

use crate::cpu::vector::{Isa, Vector};
use crate::pairs::cost::ABOVE;
use crate::pairs::cpu::band::BandWidth;
use crate::pairs::cpu::recurrence::Recurrence;

/// Number of words of the widest vector.
pub(super) const MAX_WORDS: usize = 8;
/// Number of blocks between two calls of the progress callback.
pub(super) const CHECK: usize = 16;

/// Number of blocks between two checks whether all tables are above the maximum.
pub(super) const LOOK: usize = 4;

/// Returns the maximum number of tables in a group.
pub(in crate::pairs::cpu) const fn lanes<I: Isa>() -> usize {
    64 * I::Vector::WORDS
}

/// Ends of the lanes' strings, in order, with the lanes that end there.
pub(super) struct Ends(pub(super) Vec<(usize, [u64; MAX_WORDS])>);

impl Ends {
    pub(super) fn new(lengths: &[u32]) -> Self {
        let mut sorted: Vec<usize> = (0..lengths.len()).collect();
        radsort::sort_by_key(&mut sorted, |&lane| lengths[lane]);
        let mut ends: Vec<(usize, [u64; MAX_WORDS])> = Vec::new();
        for lane in sorted {
            let length = lengths[lane] as usize;
            match ends.last_mut() {
                Some((last, lanes)) if *last == length => lanes[lane / 64] |= 1 << (lane % 64),
                _ => {
                    let mut lanes = [0; MAX_WORDS];
                    lanes[lane / 64] = 1 << (lane % 64);
                    ends.push((length, lanes));
                }
            }
        }
        Self(ends)
    }

    pub(super) fn longest(&self) -> usize {
        self.0.last().map_or(0, |&(length, _)| length)
    }
}

/// Lanes that have a column, column by column.
pub(super) struct Active<'e, V> {
    ends: std::iter::Peekable<std::slice::Iter<'e, (usize, [u64; MAX_WORDS])>>,
    lanes: V,
    column: usize,
}

impl<'e, V: Vector> Active<'e, V> {
    pub(super) fn new(isa: V::Isa, ends: &'e Ends) -> Self {
        Self { ends: ends.0.iter().peekable(), lanes: V::splat(isa, !0), column: 0 }
    }

    /// Returns the lanes of the next columns.
    #[inline(always)]
    pub(super) fn next<const C: usize>(&mut self, isa: V::Isa) -> [V; C] {
        let mut all = [self.lanes; C];
        for lanes in &mut all {
            while let Some((_, ended)) = self.ends.next_if(|(length, _)| *length <= self.column) {
                self.lanes = self.lanes.and_not(V::load(isa, ended));
            }
            *lanes = self.lanes;
            self.column += 1;
        }
        all
    }
}

/// Compares a row's symbols with those of a block's columns.
pub(super) trait Differences<V, const C: usize> {
    type Row: Copy;

    fn row(&self, row: usize) -> Self::Row;

    /// Returns a bit for each table: 1 if the symbols of its row and its column differ.
    fn differ(&self, row: Self::Row, column: usize) -> V;
}

/// Computes rows of a block of columns.
#[expect(clippy::needless_range_loop, reason = "the same index in an array and in a block's columns")]
#[inline(always)]
pub(super) fn rows<R: Recurrence, V: Vector, const C: usize>(
    symbols: &impl Differences<V, C>,
    first: usize,
    vertical: &mut [R::Vertical<V>],
    horizontal: &mut [R::Horizontal<V>; C],
) {
    let mut h = *horizontal;
    for (row, vertical) in (first..).zip(vertical) {
        let row = symbols.row(row);
        let mut v = *vertical;
        for column in 0..C {
            (v, h[column]) = R::cell(symbols.differ(row, column), v, h[column]);
        }
        *vertical = v;
    }
    *horizontal = h;
}

/// Returns the band of a table of m rows and n columns; `None` if the distance is certainly above
/// the maximum.
pub(super) fn band<R: Recurrence>(m: usize, n: usize, maximum: Option<u32>) -> Option<BandWidth> {
    let band = BandWidth::new(m, n, maximum.map(|k| k as usize))?;
    Some(if R::NEEDS_NEIGHBOURS { band.with_neighbours() } else { band })
}

/// Sizes of a group's tables.
pub(super) struct Tables<'l> {
    /// Number of rows.
    pub(super) m: &'l [u32],
    /// Number of columns.
    pub(super) n: &'l [u32],
    /// Maximum, or [`ABOVE`].
    pub(super) most: u32,
}

impl Tables<'_> {
    /// Computes the distances from the numbers of bits counted in the first columns. A table with
    /// more columns has been abandoned: its distance is above the maximum.
    #[inline(always)]
    pub(super) fn distances<R: Recurrence>(&self, columns: usize, counted: &[u32], distances: &mut [u32]) {
        let columns = u32::try_from(columns).unwrap_or(u32::MAX);
        for (((distance, &m), &n), &counted) in distances.iter_mut().zip(self.m).zip(self.n).zip(counted) {
            let total = R::total(m, n, counted);
            let above = (total > self.most) | (m.abs_diff(n) > self.most) | (n > columns);
            *distance = if above { ABOVE } else { total };
        }
    }

    /// Returns true if no table with more columns than these can reach a distance of at most the
    /// maximum. D is known in the lowest computed row, or in the table's last row. Further up, D is
    /// smaller by at most the number of rows in between; and from there to the last row and column
    /// it increases by at least the number of diagonals in between.
    #[inline(always)]
    pub(super) fn are_above<R: Recurrence>(&self, columns: usize, row: usize, counted: &[u32]) -> bool {
        let columns = columns as u32;
        let row = row as u32;
        let mut all = true;
        for ((&m, &n), &counted) in self.m.iter().zip(self.n).zip(counted) {
            let row = row.min(m);
            let d = R::total(row, columns, counted);
            // Rows between the computed row and the diagonal that leads to the last row and column.
            let below =
                (row.wrapping_add(n).wrapping_sub(columns).wrapping_sub(m)).cast_signed().max(0).cast_unsigned();
            all &= (n <= columns) | (m.abs_diff(n) > self.most) | (d > self.most.saturating_add(below));
        }
        all
    }
}
