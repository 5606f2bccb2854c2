//! Jaro's similarities of one string to several others at a time, in vectors.

use super::lanes::{LANES, LaneNumber, Positions};

/// Maximum distance of the positions of a common symbol, for strings of at least two symbols.
#[inline]
pub(super) fn window(m: usize, n: usize) -> usize {
    (m.max(n) / 2).saturating_sub(1)
}

/// Returns the similarity of strings of these lengths, from their number of common symbols, and of
/// those in the same order; each transposition counts as one that is not.
#[inline(always)]
pub(super) fn value([m, n]: [f64; 2], common: f64, in_order: f64) -> f64 {
    (common / m + common / n + in_order / common) / 3.0
}

/// Jaro's similarity.
pub(super) struct Jaro;

impl LaneNumber for Jaro {
    type Number = f64;

    #[inline(always)]
    fn numbers<W: Positions>(
        m: u32,
        columns: &[[W; LANES]],
        common: &mut [[W; LANES]],
        lengths: &[u32; LANES],
    ) -> [f64; LANES] {
        let none = W::default();
        let mut window = [0; LANES];
        let mut near = [none; LANES];
        for lane in 0..LANES {
            let own = self::window(m as usize, lengths[lane] as usize) as u32;
            window[lane] = own;
            near[lane] = W::new(!0 >> (63 - own.min(63)));
        }
        let mut of_string = [none; LANES];
        // For each position in the others, `common` gets the position that it has in common with
        // the string.
        for (at, (equal, common)) in (0..).zip(columns.iter().zip(&mut *common)) {
            for lane in 0..LANES {
                let own = (equal[lane] & near[lane] & !of_string[lane]).lowest();
                common[lane] = own;
                of_string[lane] = of_string[lane] | own;
                near[lane] = near[lane] << 1 | W::new(u64::from(at < window[lane]));
            }
        }
        // Symbols in common whose position is not the next of those in common.
        let mut moved = [0u32; LANES];
        let mut left = of_string;
        for (equal, common) in columns.iter().zip(&*common) {
            for lane in 0..LANES {
                let next = left[lane].lowest();
                let is_common = common[lane] != none;
                moved[lane] += u32::from(is_common & (equal[lane] & next == none));
                left[lane] = if is_common { left[lane] ^ next } else { left[lane] };
            }
        }
        let mut similarities = [0.0; LANES];
        for lane in 0..LANES {
            let common = of_string[lane].count();
            let [n, common, in_order] = [lengths[lane], common, common - moved[lane] / 2].map(f64::from);
            let similarity = value([m.into(), n], common, in_order);
            similarities[lane] = if common == 0.0 { 0.0 } else { similarity };
        }
        similarities
    }
}
