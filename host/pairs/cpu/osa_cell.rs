//! A cell of a table of optimal string alignment (Hyyrö 2003), for lanes that are strips of one
//! table (see `cpu::lanes`): the cell of an edit distance, and transpositions.

use crate::cpu::lanes::LaneCell;
use crate::cpu::vector::Vector;
use crate::distance::cpu::lane_cell::EditCell;

/// Cell of a table of optimal string alignment. Vertical: Pv and Mv as in [`EditCell`]; whether D
/// stays the same along the diagonal to the cell (D0); whether its symbols match. Horizontal: ~Ph
/// and Mh; whether a transposition ends in the cell below, given that the symbols of the cell on
/// that one's left match; an unused bit.
#[derive(Debug)]
pub(super) struct OsaCell;

impl LaneCell<4> for OsaCell {
    const FIRST: [u64; 4] = [!0, 0, 0, 0];
    const IDLE: [u64; 4] = [!0, 0, 0, 0];
    const UNMATCHED_KEEPS_VERTICAL: bool = false;

    #[inline(always)]
    fn next<V: Vector>(matches: V, [pv, mv, left_d0, matched]: &mut [V; 4], [not_ph, mh, candidate, _]: &mut [V; 4]) {
        let d0 = matches.or(*mv).or(*mh).or(candidate.and(*matched));
        let next_not_ph = d0.or(*pv).and_not(*mv);
        let next_mh = d0.and(*pv);
        *pv = mh.or(not_ph.and_not(d0));
        *mv = d0.and_not(*not_ph);
        (*not_ph, *mh, *candidate) = (next_not_ph, next_mh, matches.and_not(*left_d0));
        (*left_d0, *matched) = (d0, matches);
    }

    fn cycles(planes: usize, height: usize) -> f64 {
        EditCell::cycles(planes, height) + 3.0 * height as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::lane_parallel::cases;

    /// Returns the vertical bits of the last column, by the definition.
    fn last_column(rows: &[u8], columns: &[u8]) -> [Vec<u64>; 4] {
        // Columns 0 to n of the table.
        let mut table: Vec<Vec<u32>> = vec![(0..=rows.len() as u32).collect()];
        for (j, y) in columns.iter().enumerate() {
            let left = &table[j];
            let mut column = vec![j as u32 + 1];
            for (i, x) in rows.iter().enumerate() {
                let gap = left[i + 1].min(column[i]) + 1;
                let mut d = gap.min(left[i] + u32::from(x != y));
                if i > 0 && j > 0 && *x == columns[j - 1] && rows[i - 1] == *y {
                    d = d.min(table[j - 1][i - 1] + 1);
                }
                column.push(d);
            }
            table.push(column);
        }
        let (last, before) = (&table[columns.len()], &table[columns.len() - 1]);
        let words = |is_set: &dyn Fn(usize) -> bool| {
            let mut words = vec![0; rows.len().div_ceil(64)];
            (0..rows.len()).for_each(|i| words[i / 64] |= u64::from(is_set(i)) << (i % 64));
            words
        };
        [
            words(&|i| last[i + 1] == last[i] + 1),
            words(&|i| last[i + 1] + 1 == last[i]),
            words(&|i| last[i + 1] == before[i]),
            words(&|i| rows[i] == columns[columns.len() - 1]),
        ]
    }

    #[test]
    fn lanes_against_the_plain_table() {
        cases::run::<4, OsaCell>(&|rows, columns, backward| {
            let in_order = |string: &[u8]| -> Vec<u8> {
                if backward { string.iter().rev().copied().collect() } else { string.to_vec() }
            };
            last_column(&in_order(rows), &in_order(columns))
        });
    }
}
