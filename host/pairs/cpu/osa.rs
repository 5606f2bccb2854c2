//! Optimal string alignment: the distance by insertions, deletions, substitutions and
//! transpositions of neighbours, where no part is edited twice. A word has 64 rows of the table: H.
//! Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit distances, Nordic
//! Journal of Computing 10, 2003, figure 5.
//!
//! ```text
//!             j-1  j
//!           +----+----+   A transposition ends in cell (i, j) if the symbols of row i - 1 and
//!   i - 1   |  x |  y |   column j are equal, those of row i and column j - 1 too, and D rises
//!           +----+----+   along the diagonal to cell (i - 1, j - 1).
//!   i       |  z | end|
//!           +----+----+
//! ```
//!
//! A maximum limits the computation to a band of cells around the diagonal (Ukkonen 1985). Without
//! one, wider bands are tried until one is wide enough for the distance.

use super::band::BandWidth;
use crate::job::Progress;
use crate::pairs::affixes::trimmed;
use crate::pairs::ids::Ids;
use crate::pairs::pair_codes::by_bytes;
use crate::pairs::strings::Symbols;
use crate::pairs::word_masks::{WORD, WordMasks};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Maximum of the first band, and the factor to the maximum of the next one.
const FIRST: u64 = 64;
const GROWTH: u64 = 4;

/// Computes the distance; returns any number above `most` for a distance above it. Calls `progress`
/// with the numbers of cells done, at most mn in total.
pub(crate) fn distance(a: Symbols<'_>, b: Symbols<'_>, most: u64, progress: Progress<'_>) -> u64 {
    let least = a.len().abs_diff(b.len()) as u64;
    if least > most {
        return least;
    }
    let [a, b] = trimmed(a, b);
    let (rows, columns) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    match rows.len() {
        0 => columns.len() as u64,
        len @ 1..=WORD => by_bytes(rows, columns, |rows, columns| by_word(&WordMasks::new(rows), len, columns)),
        _ => Numbered::new(rows, columns).distance(most, progress),
    }
}

/// State of 64 rows in a column. The names are Hyyrö's.
pub(crate) struct Block {
    pub(crate) vp: u64,
    pub(crate) vn: u64,
    /// Zero where D rises along the diagonal.
    pub(crate) d0: u64,
    /// Rows with the column's symbol.
    pub(crate) equal: u64,
}

/// Bits that go from the rows above into the next 64 rows.
#[derive(Clone, Copy)]
pub(crate) struct Above {
    /// D increases in the row above.
    plus: bool,
    /// D decreases in the row above.
    minus: bool,
    /// A transposition may end in the first row.
    transposition: bool,
}

impl Above {
    /// Above the first row, D increases by 1 from column to column.
    pub(crate) const TOP: Self = Self { plus: true, minus: false, transposition: false };

    fn change(self) -> i64 {
        i64::from(self.plus) - i64::from(self.minus)
    }
}

impl Block {
    pub(crate) const NEW: Self = Self { vp: !0, vn: 0, d0: 0, equal: 0 };

    /// Takes the rows to the next column, and returns the bits at the row `last`.
    #[inline(always)]
    pub(crate) fn advance(&mut self, equal: u64, above: Above, last: u32) -> Above {
        let candidates = !self.d0 & equal;
        let transposed = (candidates << 1 | u64::from(above.transposition)) & self.equal;
        let x = equal | u64::from(above.minus);
        let d0 = ((x & self.vp).wrapping_add(self.vp) ^ self.vp) | x | self.vn | transposed;
        let hp = self.vn | !(d0 | self.vp);
        let hn = d0 & self.vp;
        let bit = |word: u64| word >> last & 1 == 1;
        let below = Above { plus: bit(hp), minus: bit(hn), transposition: bit(candidates) };
        let hp = hp << 1 | u64::from(above.plus);
        let hn = hn << 1 | u64::from(above.minus);
        self.vp = hn | !(d0 | hp);
        self.vn = hp & d0;
        self.d0 = d0;
        self.equal = equal;
        below
    }
}

/// Computes the distance of a string of 1 to 64 symbols and another.
#[inline]
pub(crate) fn by_word(masks: &WordMasks, rows: usize, columns: Symbols<'_>) -> u64 {
    let mut block = Block::NEW;
    let mut distance = rows as u64;
    let last = rows as u32 - 1;
    masks.each(columns, |equal| {
        let below = block.advance(equal, Above::TOP, last);
        distance = distance.wrapping_add_signed(below.change());
    });
    distance
}

/// Two strings, the shorter one as rows, by small numbers for their symbols.
struct Numbered {
    rows: Vec<u32>,
    columns: Vec<u32>,
    /// Number of different symbols.
    kinds: usize,
}

impl Numbered {
    fn new(rows: Symbols<'_>, columns: Symbols<'_>) -> Self {
        let (ids, rows) = Ids::new(rows);
        Self { rows, columns: ids.of(columns), kinds: ids.count }
    }

    /// Computes the distance, or `most` + 1 if it is greater than `most`.
    fn distance(&self, most: u64, progress: Progress<'_>) -> u64 {
        // Bands may have more cells in total than the table.
        let left = AtomicU64::new((self.rows.len() as u64).saturating_mul(self.columns.len() as u64));
        let progress = |more: u64| {
            let before = left.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(more))).unwrap_or(0);
            progress(more.min(before));
        };
        let greatest = most.min(self.columns.len() as u64);
        let mut maximum = FIRST;
        loop {
            // A wide band is as slow as the whole table.
            let is_last = maximum >= greatest.min(self.rows.len() as u64 / 2);
            let found = self.within(if is_last { greatest } else { maximum }, &progress);
            match found {
                Some(distance) => return distance,
                None if is_last => return most.saturating_add(1),
                None => maximum *= GROWTH,
            }
        }
    }

    /// Computes the distance, or `None` if it is above the maximum.
    fn within(&self, maximum: u64, progress: Progress<'_>) -> Option<u64> {
        let (m, n) = (self.rows.len(), self.columns.len());
        let band = BandWidth::new(m, n, usize::try_from(maximum).ok())?.with_neighbours();
        let mut equal = vec![0u64; self.kinds];
        let mut above = vec![Above::TOP; n];
        // D above the strip's rows, before its first column.
        let mut corner = 0i64;
        let (mut start, mut last) = (0, n as i64);
        for (number, strip) in self.rows.chunks(WORD).enumerate() {
            let row = number * WORD;
            let next = row.saturating_sub(band.below).min(n);
            corner += above[start..next].iter().map(|above| above.change()).sum::<i64>();
            start = next;
            let end = (row + strip.len()).saturating_add(band.right).min(n);
            strip.iter().enumerate().for_each(|(bit, &id)| equal[id as usize] |= 1 << bit);
            let mut block = Block::NEW;
            corner += strip.len() as i64;
            last = corner;
            let mut least = last;
            for (&id, above) in self.columns[start..end].iter().zip(&mut above[start..end]) {
                *above = block.advance(equal[id as usize], *above, strip.len() as u32 - 1);
                last += above.change();
                least = least.min(last);
            }
            strip.iter().for_each(|&id| equal[id as usize] = 0);
            crate::threads::check();
            progress(((end - start) * strip.len()) as u64);
            if least.cast_unsigned() > maximum {
                return None;
            }
        }
        Some(last.cast_unsigned()).filter(|&distance| distance <= maximum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::cost::Cost;
    use crate::pairs::naive;

    fn check(a: &[u8], b: &[u8]) {
        let numbers = |string: &[u8]| -> Vec<u32> { string.iter().map(|&byte| u32::from(byte) * 1000).collect() };
        let (x, y) = (numbers(a), numbers(b));
        let expected = u64::from(naive::distance(a, b, Cost::Osa, None));
        for most in [u64::MAX, 0, 1, 5, 31, 64, 130, 600, expected, expected.saturating_sub(1)] {
            let known = |distance: u64| if distance <= most { distance } else { u64::MAX };
            let of_bytes = distance(Symbols::Bytes(a), Symbols::Bytes(b), most, &|_| ());
            let of_numbers = distance(Symbols::Numbers(&x), Symbols::Numbers(&y), most, &|_| ());
            assert_eq!([of_bytes, of_numbers].map(known), [known(expected); 2], "{a:?} {b:?} {most}");
        }
    }

    #[test]
    fn all_lengths_and_alphabets() {
        naive::all_lengths_and_alphabets(check);
    }

    /// A maximum of 3 leaves only the cells of the alignment, and those beside them.
    #[test]
    fn one_transposition_anywhere() {
        let mut random = fastrand::Rng::with_seed(2);
        let a = naive::random(&mut random, 200, 256);
        for at in 0..199 {
            let mut b = a.clone();
            b.swap(at, at + 1);
            // A deletion, the transposition beside the main diagonal, and an insertion.
            check(&[&[a[0] ^ 1], &a[..]].concat(), &[&b[..], &[a[199] ^ 1]].concat());
        }
    }

    #[test]
    fn progress_ends_at_the_number_of_cells() {
        let mut random = fastrand::Rng::with_seed(3);
        let [a, b] = [700, 900].map(|len| naive::random(&mut random, len, 4));
        let done = AtomicU64::new(0);
        let progress = |cells| {
            done.fetch_add(cells, Relaxed);
        };
        distance(Symbols::Bytes(&a), Symbols::Bytes(&b), u64::MAX, &progress);
        let cells = done.into_inner();
        assert!(cells > 500_000 && cells <= 700 * 900, "{cells}");
    }
}
