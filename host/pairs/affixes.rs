//! Common prefixes and suffixes of strings of both widths of symbols.

use super::strings::Symbols;
use crate::pairwise::furthest;
use std::ops::Range;

/// Runs an expression with both strings as iterators over numbers. It is compiled for each pair of
/// widths, so the expression should be short.
macro_rules! on_numbers {
    ($a:expr, $b:expr, |$x:ident, $y:ident| $run:expr) => {
        match ($a, $b) {
            ($crate::pairs::Symbols::Bytes(a), $crate::pairs::Symbols::Bytes(b)) => {
                let ($x, $y) = (a.iter().copied(), b.iter().copied());
                $run
            }
            ($crate::pairs::Symbols::Numbers(a), $crate::pairs::Symbols::Numbers(b)) => {
                let ($x, $y) = (a.iter().copied(), b.iter().copied());
                $run
            }
            ($crate::pairs::Symbols::Bytes(a), $crate::pairs::Symbols::Numbers(b)) => {
                let ($x, $y) = (a.iter().map(|&byte| u32::from(byte)), b.iter().copied());
                $run
            }
            ($crate::pairs::Symbols::Numbers(a), $crate::pairs::Symbols::Bytes(b)) => {
                let ($x, $y) = (a.iter().copied(), b.iter().map(|&byte| u32::from(byte)));
                $run
            }
        }
    };
}
pub(crate) use on_numbers;

/// Returns a part of a string. The range must be inside the string.
#[inline]
pub(crate) fn part(string: Symbols<'_>, range: Range<usize>) -> Symbols<'_> {
    match string {
        Symbols::Bytes(bytes) => Symbols::Bytes(bytes.get(range).unwrap_or_default()),
        Symbols::Numbers(numbers) => Symbols::Numbers(numbers.get(range).unwrap_or_default()),
    }
}

/// Returns the length of the longest common prefix.
#[inline]
pub(crate) fn common_prefix(a: Symbols<'_>, b: Symbols<'_>) -> usize {
    match (a, b) {
        (Symbols::Bytes(a), Symbols::Bytes(b)) => prefix_of_bytes(a, b),
        // Most strings begin with different symbols.
        (Symbols::Numbers(a), Symbols::Numbers(b)) if a.first() != b.first() => 0,
        (Symbols::Numbers(a), Symbols::Numbers(b)) => furthest::common_prefix(a, b),
        _ => on_numbers!(a, b, |a, b| a.zip(b).take_while(|(a, b)| a == b).count()),
    }
}

/// Returns the length of the longest common suffix.
#[inline]
pub(crate) fn common_suffix(a: Symbols<'_>, b: Symbols<'_>) -> usize {
    match (a, b) {
        (Symbols::Bytes(a), Symbols::Bytes(b)) => suffix_of_bytes(a, b),
        (Symbols::Numbers(a), Symbols::Numbers(b)) if a.last() != b.last() => 0,
        (Symbols::Numbers(a), Symbols::Numbers(b)) => furthest::common_suffix(a, b),
        _ => on_numbers!(a, b, |a, b| a.rev().zip(b.rev()).take_while(|(a, b)| a == b).count()),
    }
}

/// Number of bytes that are compared at a time, as a number.
const TOGETHER: usize = size_of::<u64>();

/// Reads bytes that are compared together. The string must have them.
#[inline(always)]
fn word(string: &[u8], start: usize) -> u64 {
    let bytes = string.get(start..).and_then(<[u8]>::first_chunk::<TOGETHER>);
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[inline]
fn prefix_of_bytes(a: &[u8], b: &[u8]) -> usize {
    let shorter = a.len().min(b.len());
    if shorter < TOGETHER {
        return a.iter().zip(b).take_while(|(a, b)| a == b).count();
    }
    let mut start = 0;
    loop {
        // The last bytes may include some that are equal.
        start = start.min(shorter - TOGETHER);
        let differences = word(a, start) ^ word(b, start);
        if differences != 0 {
            return start + differences.trailing_zeros() as usize / 8;
        }
        start += TOGETHER;
        if start >= shorter {
            return shorter;
        }
    }
}

#[inline]
fn suffix_of_bytes(a: &[u8], b: &[u8]) -> usize {
    let shorter = a.len().min(b.len());
    if shorter < TOGETHER {
        return a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    }
    let mut end = 0;
    loop {
        end = (end + TOGETHER).min(shorter);
        let differences = word(a, a.len() - end) ^ word(b, b.len() - end);
        if differences != 0 {
            return end - TOGETHER + differences.leading_zeros() as usize / 8;
        }
        if end == shorter {
            return shorter;
        }
    }
}

/// Returns both strings without their common prefix and suffix.
#[inline]
pub(crate) fn trimmed<'s>(a: Symbols<'s>, b: Symbols<'s>) -> [Symbols<'s>; 2] {
    let prefix = common_prefix(a, b);
    let (a, b) = (part(a, prefix..a.len()), part(b, prefix..b.len()));
    let suffix = common_suffix(a, b);
    [part(a, 0..a.len() - suffix), part(b, 0..b.len() - suffix)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affixes_of_all_lengths_and_widths() {
        for (m, n) in (0..28).flat_map(|m| (0..28).map(move |n| (m, n))) {
            for common in 0..=m.min(n) {
                let string = |len: usize, other: u8| {
                    let mut string = vec![7u8; len];
                    string.iter_mut().skip(common).for_each(|symbol| *symbol = other);
                    string
                };
                let (mut a, mut b) = (string(m, 1), string(n, 2));
                let wide = |string: &[u8]| string.iter().map(|&byte| byte.into()).collect::<Vec<u32>>();
                let check = |a: &[u8], b: &[u8], function: fn(Symbols<'_>, Symbols<'_>) -> usize| {
                    let (x, y) = (wide(a), wide(b));
                    let widths = |bytes, numbers| [Symbols::Bytes(bytes), Symbols::Numbers(numbers)];
                    for a in widths(a, &x) {
                        for b in widths(b, &y) {
                            assert_eq!(function(a, b), common, "{a:?} {b:?}");
                        }
                    }
                };
                check(&a, &b, common_prefix);
                a.reverse();
                b.reverse();
                check(&a, &b, common_suffix);
            }
        }
    }
}
