//! Approximate search by the differences of a column, whatever k: G. Myers, A fast bit-vector algorithm for approximate
//! string matching based on dynamic programming, Journal of the ACM 46(3), 1999, in blocks of 64 rows as in H. Hyyrö,
//! A bit-vector algorithm for computing Levenshtein and Damerau edit distances, Nordic Journal of Computing 10, 2003.

use crate::engine::ends::End;
use crate::search::Pattern;
use crate::search::pattern::MatchWords;

/// 64 rows of a column: where D increases and where it decreases from row to row.
#[derive(Clone, Copy)]
struct Block {
    pv: u64,
    mv: u64,
}

impl Block {
    /// The next column. `from_above` is D's difference from column to column in the row above, 1, 0 or -1; the answer
    /// is that in the row `last` of the block.
    #[inline(always)]
    fn advance(&mut self, eq: u64, from_above: i32, last: u32) -> i32 {
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

/// The ends of occurrences with at most k errors: ⌈m / 64⌉ steps of some 17 instructions a symbol.
pub fn ends(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    ends_by(text, &pattern.match_words(), pattern.len(), k)
}

/// The same, from the match words of a pattern with m positions.
pub(crate) fn ends_by(text: &[u8], matches: &MatchWords, m: usize, k: u32) -> Vec<End> {
    let Some(last) = m.checked_sub(1) else { return Vec::new() };
    let mut blocks = vec![Block { pv: !0, mv: 0 }; matches.words()];
    let mut errors = m as i64;
    let mut found = Vec::new();
    for (j, &symbol) in (1..).zip(text) {
        let mut difference = 0;
        let words = matches.of(symbol);
        if let [block] = &mut blocks[..] {
            difference = block.advance(words[0], 0, last as u32);
        } else {
            let count = blocks.len();
            for (w, (block, &eq)) in blocks.iter_mut().zip(words).enumerate() {
                let bit = if w + 1 == count { last % 64 } else { 63 };
                difference = block.advance(eq, difference, bit as u32);
            }
        }
        errors += i64::from(difference);
        if errors <= i64::from(k) {
            found.push(End { end: j, errors: errors as u32 });
        }
    }
    found
}
