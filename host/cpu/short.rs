//! Tables of at most 64 rows, computed directly: without allocation, match tables or other threads.
//!
//! The string of at most 64 symbols is the rows of a table, one bit each. Each symbol of the other
//! string is compared with all of them at once: three or four instructions per 16 rows and column.
//! For the few columns that short strings have, this costs less than a match table.

use super::myers::{Block, Step};
use super::vector::by_vectors;

/// Maximum number of rows.
pub(crate) const ROWS: usize = 64;

/// Removes the prefix and the suffix that both strings have in common, which change neither
/// distance. Also returns the number of symbols removed from each.
#[inline]
pub(crate) fn trimmed<'s>(a: &'s [u8], b: &'s [u8]) -> (&'s [u8], &'s [u8], usize) {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let a = &a[prefix..];
    let b = &b[prefix..];
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (&a[..a.len() - suffix], &b[..b.len() - suffix], prefix + suffix)
}

/// Returns the strings as rows, at most `most`, and columns, as few as possible; `None` if both
/// strings are too long.
#[inline]
pub(super) fn oriented<'s>(a: &'s [u8], b: &'s [u8], most: usize) -> Option<(&'s [u8], &'s [u8])> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    match (long.len() <= ROWS, short.len() <= most) {
        (true, _) => Some((long, short)),
        (false, true) => Some((short, long)),
        (false, false) => None,
    }
}

/// Returns the edit distance of Levenshtein, if one of the strings has at most 64 symbols without
/// their common prefix and suffix. Takes 20 instructions and the comparison per symbol of the other
/// string.
#[inline]
pub(crate) fn levenshtein(a: &[u8], b: &[u8]) -> Option<u64> {
    let (a, b, _) = trimmed(a, b);
    let (rows, columns) = oriented(a, b, ROWS)?;
    if rows.is_empty() {
        return Some(columns.len() as u64);
    }
    if columns.is_empty() {
        return Some(rows.len() as u64);
    }
    let mut block = Block::RISING;
    scan(rows, columns, |eq| {
        block.advance(eq, Step::from_difference(1), 0);
    });
    Some((columns.len() as i64 + block.rise(rows.len() as u32)).cast_unsigned())
}

/// Calls `each` for each symbol of a text, with the distance of a pattern of 1 to 64 symbols to the
/// text up to there. If `anywhere`, the match may begin anywhere: it is the distance to the nearest
/// part that ends there.
#[inline]
pub(crate) fn last_row(pattern: &[u8], text: &[u8], anywhere: bool, mut each: impl FnMut(u64)) {
    debug_assert!((1..=ROWS).contains(&pattern.len()));
    let top = Step::from_difference(i32::from(!anywhere));
    let last = pattern.len() as u32 - 1;
    let mut block = Block::RISING;
    let mut distance = pattern.len() as u64;
    scan(pattern, text, |eq| {
        distance = distance.wrapping_add_signed(block.advance(eq, top, last).difference());
        each(distance);
    });
}

/// Returns the length of a longest common subsequence, if one of the strings has at most 64 symbols
/// without their common prefix and suffix. Takes four instructions and the comparison per symbol of
/// the other string: M. Crochemore et al., A fast and practical bit-vector algorithm for the
/// longest common subsequence problem, 2001.
#[inline]
pub(crate) fn lcs_length(a: &[u8], b: &[u8]) -> Option<u64> {
    let (a, b, common) = trimmed(a, b);
    let (rows, columns) = oriented(a, b, ROWS)?;
    if rows.is_empty() || columns.is_empty() {
        return Some(common as u64);
    }
    let mut v = !0u64;
    scan(rows, columns, |eq| {
        let matched = v & eq;
        v = v.wrapping_add(matched) | v & !matched;
    });
    // A row whose bit is 0 adds 1 to the length.
    Some(common as u64 + u64::from((!v & !0 >> (ROWS - rows.len())).count_ones()))
}

/// Calls `step` for each column with the rows that have its symbol. Bits past the number of rows
/// (at least 1) have no meaning.
#[inline(always)]
fn scan(rows: &[u8], columns: &[u8], step: impl FnMut(u64)) {
    // Compiles the instructions for AVX2, which copies a symbol to all bytes of a vector in one
    // instruction, and not in four.
    by_vectors(
        #[inline(always)]
        || by_comparing(rows, columns, step),
    );
}

#[inline(always)]
fn by_comparing(rows: &[u8], columns: &[u8], mut step: impl FnMut(u64)) {
    let mut padded = [0; ROWS];
    padded[..rows.len()].copy_from_slice(rows);
    let parts = padded.as_chunks::<16>().0;
    match rows.len() {
        0..=16 => {
            let rows = Sixteen::new(&parts[0]);
            columns.iter().for_each(|&symbol| step(rows.equal(symbol)));
        }
        17..=32 => {
            let rows = [Sixteen::new(&parts[0]), Sixteen::new(&parts[1])];
            columns.iter().for_each(|&symbol| step(rows[0].equal(symbol) | rows[1].equal(symbol) << 16));
        }
        _ => {
            let rows: [Sixteen; 4] = std::array::from_fn(|part| Sixteen::new(&parts[part]));
            columns.iter().for_each(|&symbol| {
                let [a, b, c, d] = rows.map(|rows| rows.equal(symbol));
                step((a | b << 16) | (c | d << 16) << 32);
            });
        }
    }
}

/// Sixteen symbols to compare with.
#[derive(Clone, Copy)]
#[cfg(target_arch = "x86_64")]
struct Sixteen(core::arch::x86_64::__m128i);

#[cfg(target_arch = "x86_64")]
impl Sixteen {
    #[inline(always)]
    fn new(symbols: &[u8; 16]) -> Self {
        let low = &symbols[..8];
        let high = &symbols[8..];
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | i64::from(byte));
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { core::arch::x86_64::_mm_set_epi64x(word(high), word(low)) })
    }

    /// Compares a symbol with all sixteen: bit i is 1 if symbol i equals it.
    #[inline(always)]
    fn equal(self, symbol: u8) -> u64 {
        use core::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set1_epi8};
        // SAFETY: every x86-64 processor has SSE2.
        let equal = unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_set1_epi8(symbol.cast_signed()))) };
        u64::from(equal.cast_unsigned())
    }
}

/// Sixteen symbols to compare with, eight to a word.
#[derive(Clone, Copy)]
#[cfg(not(target_arch = "x86_64"))]
struct Sixteen([u64; 2]);

#[cfg(not(target_arch = "x86_64"))]
impl Sixteen {
    #[inline(always)]
    fn new(symbols: &[u8; 16]) -> Self {
        let halves = symbols.as_chunks::<8>().0;
        Self([u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1])])
    }

    /// Compares a symbol with all sixteen: bit i is 1 if symbol i equals it.
    #[inline(always)]
    fn equal(self, symbol: u8) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let [low, high] = self.0.map(|word| {
            let differ = word ^ u64::from(symbol) * 0x0101_0101_0101_0101;
            // Sets the top bit of each byte that is 0, without a carry from byte to byte; then
            // moves the eight bits side by side.
            let equal = !((differ & LOW) + LOW | differ | LOW);
            (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
        });
        low | high << 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes distance and LCS length by the definitions' tables.
    fn naive(a: &[u8], b: &[u8]) -> (u64, u64) {
        let width = b.len() + 1;
        let (mut d, mut l) = (vec![0; (a.len() + 1) * width], vec![0; (a.len() + 1) * width]);
        for i in 0..=a.len() {
            for j in 0..width {
                let at = i * width + j;
                if i == 0 || j == 0 {
                    d[at] = (i + j) as u64;
                    continue;
                }
                let (left, up, both) = (at - 1, at - width, at - width - 1);
                let equal = a[i - 1] == b[j - 1];
                d[at] = (d[left] + 1).min(d[up] + 1).min(d[both] + u64::from(!equal));
                l[at] = if equal { l[both] + 1 } else { l[left].max(l[up]) };
            }
        }
        (d[d.len() - 1], l[l.len() - 1])
    }

    #[test]
    fn all_lengths() {
        let mut random = fastrand::Rng::with_seed(1);
        for m in 0..70 {
            for n in [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100] {
                for symbols in [1, 2, 4, 256] {
                    let mut string = |len| -> Vec<u8> { (0..len).map(|_| random.u32(..symbols) as u8).collect() };
                    let (a, b) = (string(m), string(n));
                    let (x, y, _) = trimmed(&a, &b);
                    let expected = (x.len().min(y.len()) <= ROWS).then(|| naive(&a, &b));
                    assert_eq!(levenshtein(&a, &b).zip(lcs_length(&a, &b)), expected, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn last_rows_are_distances_to_prefixes_and_parts() {
        let mut random = fastrand::Rng::with_seed(2);
        for m in [1, 2, 15, 16, 17, 33, 63, 64] {
            let mut string = |len| -> Vec<u8> { (0..len).map(|_| random.u8(..3)).collect() };
            let (pattern, text) = (string(m), string(40));
            let row = |anywhere| {
                let mut row = Vec::new();
                last_row(&pattern, &text, anywhere, |distance| row.push(distance));
                row
            };
            let prefix = |start: usize, end: usize| naive(&pattern, &text[start..end]).0;
            assert_eq!(row(false), (1..=40).map(|end| prefix(0, end)).collect::<Vec<u64>>(), "{m}");
            let nearest = |end| (0..=end).map(|start| prefix(start, end)).min().unwrap();
            assert_eq!(row(true), (1..=40).map(nearest).collect::<Vec<u64>>(), "{m}");
        }
    }

    #[test]
    fn what_begins_and_ends_alike() {
        assert_eq!(trimmed(b"abcd", b"abxd"), (&b"c"[..], &b"x"[..], 3));
        assert_eq!(trimmed(b"aaa", b"aa"), (&b"a"[..], &b""[..], 2));
        let long = [7; 1000];
        assert_eq!((levenshtein(&long, &long), lcs_length(&long, &long[1..])), (Some(0), Some(999)));
        assert_eq!((levenshtein(&[1; 65], &[2; 65]), lcs_length(&[1; 65], &[2; 65])), (None, None));
    }
}
