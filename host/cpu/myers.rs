//! 64 rows of an edit-distance table as two bit-vectors, and the step from one column to the next:
//! G. Myers, A fast bit-vector algorithm for approximate string matching based on dynamic
//! programming, Journal of the ACM 46(3), 1999, in blocks as in H. Hyyrö, A bit-vector algorithm
//! for computing Levenshtein and Damerau edit distances, Nordic Journal of Computing 10, 2003.
//!
//! The step takes 17 instructions per block and column.

/// Difference of D from one column to the next in a row: 1, 0 or -1. It is kept as the bits that
/// the row below takes, so that no comparison is needed between blocks.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// 1 if D increases by 1.
    plus: u64,
    /// 1 if D decreases by 1.
    minus: u64,
}

impl Step {
    /// Returns the step of a difference.
    pub(crate) fn from_difference(difference: i32) -> Self {
        Self { plus: u64::from(difference > 0), minus: u64::from(difference < 0) }
    }

    /// Returns the step whose bits are the lowest of two words: `plus` is 1 if D increases by 1,
    /// `minus` if it decreases by 1.
    pub(crate) fn from_bits(plus: u64, minus: u64) -> Self {
        Self { plus: plus & 1, minus: minus & 1 }
    }

    /// Returns the difference: 1, 0 or -1.
    pub(crate) fn difference(self) -> i64 {
        self.plus as i64 - self.minus as i64
    }
}

/// 64 rows of a column as bits: whether D increases, and whether it decreases, from the row above.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    pv: u64,
    mv: u64,
}

impl Block {
    /// D increases by 1 from row to row, as in column 0.
    pub(crate) const RISING: Self = Self { pv: !0, mv: 0 };

    /// D is equal in all rows, as in column 0 if an alignment may begin in any row.
    pub(crate) const LEVEL: Self = Self { pv: 0, mv: 0 };

    /// Returns the block of these [`words`](Self::words).
    pub(crate) fn of_words(pv: u64, mv: u64) -> Self {
        Self { pv, mv }
    }

    /// Returns D in the last of the first `rows` rows, 1 to 64, minus D in the row above the block.
    pub(crate) fn rise(self, rows: u32) -> i64 {
        self.rise_between(0, rows)
    }

    /// Like [`rise`](Self::rise), from the row of bit `from` on, less than `rows`.
    pub(crate) fn rise_between(self, from: u32, rows: u32) -> i64 {
        let rows = !0 >> (64 - rows) & !0 << from;
        i64::from((self.pv & rows).count_ones()) - i64::from((self.mv & rows).count_ones())
    }

    /// Returns two words. Bit i of the first is 1 if D increases by 1 to the row of bit i; bit i of
    /// the second is 1 if D decreases by 1.
    pub(crate) fn words(self) -> (u64, u64) {
        (self.pv, self.mv)
    }

    /// Returns true if D increases by 1 to the row of a bit.
    pub(crate) fn rises(self, bit: u32) -> bool {
        self.pv >> bit & 1 == 1
    }

    /// Advances to the next column. Takes D's step in the row above the block, and returns that in
    /// row `last` of it.
    #[inline(always)]
    pub(crate) fn advance(&mut self, eq: u64, above: Step, last: u32) -> Step {
        let (ph, mh) = self.advance_to(eq, above);
        Step { plus: ph >> last & 1, minus: mh >> last & 1 }
    }

    /// Advances to the next column. Takes D's step in the row above the block. Returns two words:
    /// rows where D increases by 1 from column to column, and rows where it decreases by 1.
    #[inline(always)]
    pub(crate) fn advance_to(&mut self, eq: u64, above: Step) -> (u64, u64) {
        let Self { pv, mv } = *self;
        let xv = eq | mv;
        let eq = eq | above.minus;
        let xh = ((eq & pv).wrapping_add(pv) ^ pv) | eq;
        let ph = mv | !(xh | pv);
        let mh = pv & xh;
        let steps = (ph, mh);
        let (ph, mh) = (ph << 1 | above.plus, mh << 1 | above.minus);
        self.pv = mh | !(xv | ph);
        self.mv = ph & xv;
        steps
    }
}
