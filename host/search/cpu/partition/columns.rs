//! Columns of Sellers' table for several windows at a time, by Myers' bit-vectors.

/// Columns of at most 64 rows side by side, each as in Myers' algorithm: where D increases and where it decreases from row
/// to row, and D in row m.
#[derive(Clone, Copy)]
pub struct LaneColumns<const L: usize> {
    plus: [u64; L],
    minus: [u64; L],
    pub errors: [i64; L],
}

impl<const L: usize> LaneColumns<L> {
    /// Column 0 of a pattern with m positions.
    pub fn new(m: usize) -> Self {
        Self { plus: [!0; L], minus: [0; L], errors: [m as i64; L] }
    }

    /// The column of one lane.
    pub fn lane(&self, lane: usize) -> LaneColumns<1> {
        LaneColumns { plus: [self.plus[lane]], minus: [self.minus[lane]], errors: [self.errors[lane]] }
    }

    /// The next columns, from the positions that match the symbol of each lane. Returns true if D in row m is at most k in any lane.
    #[inline(always)]
    pub fn take(&mut self, equal: &[u64; L], m: usize, k: i64) -> bool {
        let (pv, mv, eq, last) = (self.plus, self.minus, *equal, m - 1);
        // One step of all lanes after the other, for the compiler to make vectors of them.
        let xh: [u64; L] =
            std::array::from_fn(|lane| ((eq[lane] & pv[lane]).wrapping_add(pv[lane]) ^ pv[lane]) | eq[lane]);
        let ph: [u64; L] = std::array::from_fn(|lane| mv[lane] | !(xh[lane] | pv[lane]));
        let mh: [u64; L] = std::array::from_fn(|lane| pv[lane] & xh[lane]);
        self.errors = std::array::from_fn(|lane| {
            self.errors[lane] + (ph[lane] >> last & 1) as i64 - (mh[lane] >> last & 1) as i64
        });
        self.plus = std::array::from_fn(|lane| mh[lane] << 1 | !(eq[lane] | mv[lane] | ph[lane] << 1));
        self.minus = std::array::from_fn(|lane| ph[lane] << 1 & (eq[lane] | mv[lane]));
        self.errors.iter().fold(false, |any, errors| any | (*errors <= k))
    }
}
