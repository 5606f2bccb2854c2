//! The length of a longest common subsequence, which several scorers use.

use super::text::Text;
use crate::cpu::words;
use crate::lcs::Comparison;
use crate::pairs::Symbols;
use crate::pairs::affixes::trimmed;
use crate::pairs::ids::Ids;
use crate::pairs::pair_codes::by_bytes;
use crate::pairs::word_masks::{WORD, WordMasks};
use crate::text::numbered::number;
use std::sync::OnceLock;

/// Returns the length of a longest common subsequence.
#[inline]
pub(super) fn lcs_length(a: Symbols<'_>, b: Symbols<'_>) -> u64 {
    match (a, b) {
        (Symbols::Bytes(a), Symbols::Bytes(b)) => of_bytes(a, b),
        _ => of_numbers(a, b),
    }
}

#[inline]
fn of_bytes(a: &[u8], b: &[u8]) -> u64 {
    // Only if there is no memory for a long comparison, the table is computed one word at a time.
    words::lcs_length(a, b).unwrap_or_else(|| {
        crate::lcs::lcs_length(a, b).unwrap_or_else(|_| by_strips(Symbols::Bytes(a), Symbols::Bytes(b)))
    })
}

fn of_numbers(a: Symbols<'_>, b: Symbols<'_>) -> u64 {
    let [x, y] = trimmed(a, b);
    let common = (a.len() - x.len()) as u64;
    if x.is_empty() || y.is_empty() {
        return common;
    }
    let of_two = |x: Symbols<'_>, y: Symbols<'_>| match (x, y) {
        (Symbols::Bytes(x), Symbols::Bytes(y)) => of_bytes(x, y),
        _ => of_many_symbols(x, y),
    };
    common + by_bytes(x, y, of_two)
}

/// Compares strings with many different symbols.
fn of_many_symbols(a: Symbols<'_>, b: Symbols<'_>) -> u64 {
    let (ids, a_numbers) = Ids::new(a);
    let numbered = number(&a_numbers, &ids.of(b));
    let length = numbered.and_then(|numbered| Comparison::new().length_of_numbers(&numbered));
    length.unwrap_or_else(|_| by_strips(a, b))
}

/// Takes the columns through a table of at most 64 rows.
#[inline]
pub(super) fn by_word(masks: &WordMasks, columns: Symbols<'_>) -> u64 {
    let mut v = !0u64;
    masks.each(columns, |equal| v = next(v, equal));
    v.count_zeros().into()
}

/// Returns a word of the next column. A row whose bit is 0 adds 1 to the length.
#[inline(always)]
pub(super) fn next(v: u64, equal: u64) -> u64 {
    let matched = v & equal;
    v.wrapping_add(matched) | v & !matched
}

/// Takes the columns through the table, 64 rows at a time. Memory is linear in the lengths.
pub(super) fn by_strips(a: Symbols<'_>, b: Symbols<'_>) -> u64 {
    let (ids, rows) = Ids::new(a);
    let columns = ids.of(b);
    let mut equal = vec![0u64; ids.count];
    let mut carries = vec![false; columns.len()];
    let mut length = 0;
    for strip in rows.chunks(WORD) {
        crate::threads::check();
        strip.iter().enumerate().for_each(|(bit, &id)| equal[id as usize] |= 1 << bit);
        let mut v = !0u64;
        for (&id, carry) in columns.iter().zip(&mut carries) {
            let matched = v & equal[id as usize];
            let (sum, first) = v.overflowing_add(matched);
            let (sum, second) = sum.overflowing_add(u64::from(*carry));
            *carry = first || second;
            v = sum | v & !matched;
        }
        length += u64::from(v.count_zeros());
        strip.iter().for_each(|&id| equal[id as usize] = 0);
    }
    length
}

/// Returns the number of insertions and deletions. A result above `most` may be too small.
#[inline]
pub(super) fn indel(a: Symbols<'_>, b: Symbols<'_>, most: u64) -> u64 {
    indel_of(a.len(), b.len(), most, || lcs_length(a, b))
}

/// As [`indel`], for strings of m and n symbols.
#[inline]
fn indel_of(m: usize, n: usize, most: u64, lcs_length: impl FnOnce() -> u64) -> u64 {
    let least = m.abs_diff(n) as u64;
    if least > most { least } else { (m + n) as u64 - 2 * lcs_length() }
}

/// A string that is prepared for many comparisons.
pub(super) struct Common {
    text: Text,
    /// Made at the first comparison with symbols other than bytes.
    masks: OnceLock<WordMasks>,
}

impl Common {
    pub(super) fn new(text: Text) -> Self {
        Self { text, masks: OnceLock::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.text.symbols().len()
    }

    pub(super) fn lcs_length(&self, other: Symbols<'_>) -> u64 {
        match (self.text.symbols(), other) {
            (Symbols::Bytes(a), Symbols::Bytes(b)) => of_bytes(a, b),
            (a, b) if a.len() <= WORD => by_word(self.masks.get_or_init(|| WordMasks::new(a)), b),
            (a, b) => of_numbers(a, b),
        }
    }

    pub(super) fn indel(&self, other: Symbols<'_>, most: u64) -> u64 {
        indel_of(self.len(), other.len(), most, || self.lcs_length(other))
    }
}
