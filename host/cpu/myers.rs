//! 64 rows of an edit-distance table as two bit-vectors, and the step from one column to the next: G. Myers, A fast bit-vector
//! algorithm for approximate string matching based on dynamic programming, Journal of the ACM 46(3), 1999, in blocks as in H. Hyyrö, A
//! bit-vector algorithm for computing Levenshtein and Damerau edit distances, Nordic Journal of Computing 10, 2003.
//!
//! 17 instructions a block and column.

/// D's difference from one column to the next in a row: 1, 0 or -1. As the bits that the row below takes, so that nothing is compared on the
/// way from block to block.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// 1 where D increases by 1.
    plus: u64,
    /// 1 where it decreases by 1.
    minus: u64,
}

impl Step {
    /// The one of a difference.
    pub(crate) fn of(difference: i32) -> Self {
        Self { plus: u64::from(difference > 0), minus: u64::from(difference < 0) }
    }

    /// The one whose bits are the lowest of two words: whether D increases by 1, and whether it decreases.
    pub(crate) fn of_bits(plus: u64, minus: u64) -> Self {
        Self { plus: plus & 1, minus: minus & 1 }
    }

    /// The difference.
    pub(crate) fn difference(self) -> i64 {
        self.plus as i64 - self.minus as i64
    }
}

/// 64 rows of a column: where D increases and where it decreases from row to row.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    pv: u64,
    mv: u64,
}

impl Block {
    /// D increases by 1 from row to row, as in column 0.
    pub(crate) const RISING: Self = Self { pv: !0, mv: 0 };

    /// D is the same in all rows, as in column 0 where an alignment may begin in any of them.
    pub(crate) const LEVEL: Self = Self { pv: 0, mv: 0 };

    /// The block of these [`words`](Self::words).
    pub(crate) fn of_words(pv: u64, mv: u64) -> Self {
        Self { pv, mv }
    }

    /// D in the last of some rows, 1 to 64, less D in the row above the first.
    pub(crate) fn rise(self, rows: u32) -> i64 {
        self.rise_between(0, rows)
    }

    /// The same from the row of bit `from` on, less than `rows`.
    pub(crate) fn rise_between(self, from: u32, rows: u32) -> i64 {
        let rows = !0 >> (64 - rows) & !0 << from;
        i64::from((self.pv & rows).count_ones()) - i64::from((self.mv & rows).count_ones())
    }

    /// Bit i: whether D increases by 1, and whether it decreases, to the row of bit i.
    pub(crate) fn words(self) -> (u64, u64) {
        (self.pv, self.mv)
    }

    /// Whether D increases by 1 to the row of a bit.
    pub(crate) fn rises(self, bit: u32) -> bool {
        self.pv >> bit & 1 == 1
    }

    /// The next column: from D's step in the row above, that in the row `last` of the block.
    #[inline(always)]
    pub(crate) fn advance(&mut self, eq: u64, above: Step, last: u32) -> Step {
        let (ph, mh) = self.advance_to(eq, above);
        Step { plus: ph >> last & 1, minus: mh >> last & 1 }
    }

    /// The next column: from D's step in the row above, in which rows D increases by 1 and in which it decreases from column to column.
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
