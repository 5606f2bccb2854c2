//! A cell of an edit distance table in bits, for lanes (see `cpu::lanes`).
//!
//! D's differences are +1, 0 or -1, from row to row (v) and from column to column (h). Each takes
//! two bits: Pv and Mv, Ph and Mh as in Myers (1999). With Eq, which is 1 if the symbols match, a
//! cell is
//!
//! ```text
//!   d0  = Eq | Mv | Mh           D[i][j] = D[i - 1][j - 1]
//!   Ph' = Mv | ~(d0 | Pv)        Mh' = d0 & Pv
//!   Pv' = Mh | ~(d0 | Ph)        Mv' = d0 & Ph
//! ```
//!
//! These are five gates of three inputs, each one instruction of AVX-512; no cell of four gates
//! exists for differences of two bits. Ph is kept as ~Ph. Then no gate needs a separate NOT on
//! processors with gates of two inputs only (eight gates with AVX2). Also, a carry of zeros means
//! that Ph is 1, as needed above the first row, where D grows by one from column to column.

use crate::cpu::lanes::LaneCell;
use crate::cpu::vector::Vector;

/// Cell of an edit distance table. Vertical: Pv and Mv. Horizontal: ~Ph and Mh.
#[derive(Debug)]
pub(crate) struct EditCell;

impl LaneCell<2> for EditCell {
    /// D grows by one from row to row in column 0.
    const FIRST: [u64; 2] = [!0, 0];
    const IDLE: [u64; 2] = [!0, 0];
    /// If D does not grow down the rows, a column that matches nothing makes it grow.
    const UNMATCHED_KEEPS_VERTICAL: bool = false;

    #[inline(always)]
    fn next<V: Vector>(eq: V, [pv, mv]: &mut [V; 2], [not_ph, mh]: &mut [V; 2]) {
        let d0 = eq.or(*mv).or(*mh);
        let next_not_ph = d0.or(*pv).and_not(*mv);
        let next_mh = d0.and(*pv);
        *pv = mh.or(not_ph.and_not(d0));
        *mv = d0.and_not(*not_ph);
        (*not_ph, *mh) = (next_not_ph, next_mh);
    }

    fn cycles(planes: usize, height: usize) -> f64 {
        let planes = planes as f64;
        let height = height as f64;
        24.0 + 5.0 * planes + height * (6.0 + 1.5 * planes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::dp;
    use super::*;
    use crate::cpu::lane_parallel::cases;
    use crate::pairwise::columns::Direction;

    #[test]
    fn lanes_against_the_plain_table() {
        cases::run::<2, EditCell>(&|rows, cols, backward| {
            let direction = if backward { Direction::Backward } else { Direction::Forward };
            let column = dp::last_column(rows, cols, direction);
            let words = |step| {
                let mut words = vec![0; rows.len().div_ceil(64)];
                for i in 0..rows.len() {
                    words[i / 64] |= u64::from(column.step(i) == step) << (i % 64);
                }
                words
            };
            [words(1), words(-1)]
        });
    }
}
