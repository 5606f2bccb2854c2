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
        (Symbols::Bytes(a), Symbols::Bytes(b)) => furthest::common_prefix(a, b),
        (Symbols::Numbers(a), Symbols::Numbers(b)) => furthest::common_prefix(a, b),
        _ => on_numbers!(a, b, |a, b| a.zip(b).take_while(|(a, b)| a == b).count()),
    }
}

/// Returns the length of the longest common suffix.
#[inline]
pub(crate) fn common_suffix(a: Symbols<'_>, b: Symbols<'_>) -> usize {
    match (a, b) {
        (Symbols::Bytes(a), Symbols::Bytes(b)) => furthest::common_suffix(a, b),
        (Symbols::Numbers(a), Symbols::Numbers(b)) => furthest::common_suffix(a, b),
        _ => on_numbers!(a, b, |a, b| a.rev().zip(b.rev()).take_while(|(a, b)| a == b).count()),
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
