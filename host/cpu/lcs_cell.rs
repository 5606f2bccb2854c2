//! A cell of an LCS table in bits, for lanes (see `cpu::lanes`).
//!
//! Crochemore's V' = (V + (V & M)) | (V & ~M), taken one row at a time with its carry c, is
//!
//! ```text
//!   v' = c | (v & ~m)      c' = v & (m | c)
//! ```
//!
//! Two instructions of three operands.

use crate::cpu::lanes::LaneCell;
use crate::cpu::vector::Vector;

/// Vertical: v, 0 where L increases from a row to the next. Horizontal: c, 1 where L increases from a column to the next.
#[derive(Debug)]
pub(super) struct LcsCell;

impl LaneCell<1> for LcsCell {
    const FIRST: [u64; 1] = [!0];
    const IDLE: [u64; 1] = [0];
    const KEEPS: bool = true;

    #[inline(always)]
    fn next<V: Vector>(m: V, [v]: &mut [V; 1], [c]: &mut [V; 1]) {
        let next = c.or(v.and_not(m));
        *c = v.and(m.or(*c));
        *v = next;
    }

    /// Measured on Zen 4 with 512 lanes (2 and 6 planes, 2 to 64 rows), and not far from it with 256.
    fn cycles(planes: usize, height: usize) -> f64 {
        let (planes, height) = (planes as f64, height as f64);
        18.0 + 5.0 * planes + height * (2.5 + 1.5 * planes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::column::Direction;
    use crate::cpu::lane_parallel::cases;
    use crate::lcs::cpu::dp;

    #[test]
    fn lanes_against_the_plain_table() {
        cases::run::<1, LcsCell>(&|rows, cols, backward| {
            let direction = if backward { Direction::Backward } else { Direction::Forward };
            let column = dp::last_column(rows, cols, direction);
            let mut words = vec![0; rows.len().div_ceil(64)];
            for i in 0..rows.len() {
                words[i / 64] |= u64::from(!column.step(i)) << (i % 64);
            }
            [words]
        });
    }
}
