//! 64 rows of an edit-distance table as two bit-vectors, and the step from one column to the next: G. Myers, A fast bit-vector
//! algorithm for approximate string matching based on dynamic programming, Journal of the ACM 46(3), 1999, in blocks as in H. Hyyrö, A
//! bit-vector algorithm for computing Levenshtein and Damerau edit distances, Nordic Journal of Computing 10, 2003.
//!
//! 17 instructions a block and column.

/// 64 rows of a column: where D increases and where it decreases from row to row.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    pv: u64,
    mv: u64,
}

impl Block {
    /// D increases by 1 from row to row, as in column 0.
    pub(crate) const RISING: Self = Self { pv: !0, mv: 0 };

    /// D in the last of some rows, 1 to 64, less D in the row above the first.
    pub(crate) fn rise(self, rows: u32) -> i64 {
        self.rise_between(0, rows)
    }

    /// The same from the row of bit `from` on, less than `rows`.
    pub(crate) fn rise_between(self, from: u32, rows: u32) -> i64 {
        let rows = !0 >> (64 - rows) & !0 << from;
        i64::from((self.pv & rows).count_ones()) - i64::from((self.mv & rows).count_ones())
    }

    /// Whether D increases by 1 to the row of a bit.
    pub(crate) fn rises(self, bit: u32) -> bool {
        self.pv >> bit & 1 == 1
    }

    /// The next column. `from_above` is D's difference from column to column in the row above, 1, 0 or -1; the answer
    /// is that in the row `last` of the block.
    #[inline(always)]
    pub(crate) fn advance(&mut self, eq: u64, from_above: i32, last: u32) -> i32 {
        let Self { pv, mv } = *self;
        let (plus, minus) = (u64::from(from_above > 0), u64::from(from_above < 0));
        let xv = eq | mv;
        let eq = eq | minus;
        let xh = ((eq & pv).wrapping_add(pv) ^ pv) | eq;
        let ph = mv | !(xh | pv);
        let mh = pv & xh;
        let difference = (ph >> last & 1) as i32 - (mh >> last & 1) as i32;
        let (ph, mh) = (ph << 1 | plus, mh << 1 | minus);
        self.pv = mh | !(xv | ph);
        self.mv = ph & xv;
        difference
    }
}
