//! A strip of rows in a few words, taken through columns by Myers' blocks: shared by all algorithms
//! that use words.

use crate::cpu::myers::{Block, Step};

/// Words per strip.
pub(super) const STRIP_WORDS: usize = 4;
/// Rows per strip.
pub(super) const STRIP_ROWS: usize = STRIP_WORDS * 64;

/// The differences of 64 columns in a row, the first column in the lowest bit. A bit of `plus` is
/// set if D increases by 1 from the column before, a bit of `minus` if it decreases by 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    pub plus: u64,
    pub minus: u64,
}

impl Steps {
    /// D increases by 1 from column to column, as in row 0.
    pub(super) const RISING: Self = Self { plus: !0, minus: 0 };
}

/// The rows of a strip that match each code. The table has 256 entries, so that a `u8` needs no
/// bounds check.
pub(super) struct MatchTable([[u64; STRIP_WORDS]; 256]);

impl MatchTable {
    /// Creates an empty table.
    #[inline]
    pub(super) fn new() -> Self {
        Self([[0; STRIP_WORDS]; 256])
    }

    /// Refills the entries of codes 0..`symbols` for these rows, at most those of one strip.
    /// `equal` returns the codes that match a row's code.
    pub(super) fn fill<'c>(&mut self, symbols: usize, rows: &'c [u8], equal: impl Fn(&'c u8) -> &'c [u8]) {
        self.0.iter_mut().take(symbols).for_each(|entry| *entry = [0; STRIP_WORDS]);
        for (word, rows) in rows.chunks(64).enumerate().take(STRIP_WORDS) {
            for (bit, row) in rows.iter().enumerate() {
                equal(row).iter().for_each(|&code| self.0[usize::from(code)][word] |= 1 << bit);
            }
        }
    }
}

/// Takes a strip of W words, at most those of the table, through `cols`. `above` has ⌈columns / 64⌉
/// elements: on entry the differences in the row above, on return those in the strip's last row.
/// For each column and each word, `keep` gets two words: the rows where D increases by 1 from the
/// row above, and those where it increases by 1 from the column before.
#[inline(always)]
pub(super) fn advance<const W: usize>(
    strip: &mut [Block; W],
    table: &MatchTable,
    cols: &[u8],
    above: &mut [Steps],
    mut keep: impl FnMut(u64, u64),
) {
    let mut blocks = *strip;
    for (cols, above) in cols.chunks(64).zip(above) {
        let mut plus = above.plus;
        let mut minus = above.minus;
        let mut plus_out = 0;
        let mut minus_out = 0;
        for (bit, &code) in cols.iter().enumerate() {
            let mut step = Step::from_bits(plus, minus);
            (plus, minus) = (plus >> 1, minus >> 1);
            let mut last_plus = 0;
            let mut last_minus = 0;
            for (block, &eq) in blocks.iter_mut().zip(&table.0[usize::from(code)]) {
                let (ph, mh) = block.advance_to(eq, step);
                step = Step::from_bits(ph >> 63, mh >> 63);
                keep(block.words().0, ph);
                (last_plus, last_minus) = (ph >> 63, mh >> 63);
            }
            plus_out |= last_plus << bit;
            minus_out |= last_minus << bit;
        }
        *above = Steps { plus: plus_out, minus: minus_out };
    }
    *strip = blocks;
}
