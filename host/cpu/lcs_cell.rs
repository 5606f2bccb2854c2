//! A cell of an LCS table in bits, for lanes (see `lanes`).
//!
//! Crochemore's V' = (V + (V & M)) | (V & ~M), computed one row at a time with a carry c, is
//!
//! ```text
//!   v' = c | (v & ~m)      c' = v & (m | c)
//! ```
//!
//! These are two instructions of three operands.

use super::lanes::LaneCell;
use super::vector::Vector;

/// Cell of an LCS table. Vertical: v, 0 where L increases from one row to the next. Horizontal: c,
/// 1 where L increases from one column to the next.
#[derive(Debug)]
pub(crate) struct LcsCell;

impl LaneCell<1> for LcsCell {
    const FIRST: [u64; 1] = [!0];
    const IDLE: [u64; 1] = [0];
    const UNMATCHED_KEEPS_VERTICAL: bool = true;

    #[inline(always)]
    fn next<V: Vector>(m: V, [v]: &mut [V; 1], [c]: &mut [V; 1]) {
        let next = c.or(v.and_not(m));
        *c = v.and(m.or(*c));
        *v = next;
    }

    /// Measured on Zen 4 with 512 lanes (2 and 6 planes, 2 to 64 rows); close to this with 256.
    fn cycles(planes: usize, height: usize) -> f64 {
        let planes = planes as f64;
        let height = height as f64;
        18.0 + 5.0 * planes + height * (2.5 + 1.5 * planes)
    }
}
