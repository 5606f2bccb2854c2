//! Strings that scorers make and keep, and what they read of symbols of both widths.

use crate::pairs::{PairString, Symbols};
use std::cmp::Ordering;
use std::ops::Range;

/// A string that a scorer keeps.
#[derive(Debug, Clone)]
pub(super) enum Text {
    Bytes(Vec<u8>),
    Numbers(Vec<u32>),
}

impl Text {
    pub(super) fn new(symbols: Symbols<'_>) -> Self {
        match symbols {
            Symbols::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            Symbols::Numbers(numbers) => Self::Numbers(numbers.to_vec()),
        }
    }

    pub(super) fn symbols(&self) -> Symbols<'_> {
        match self {
            Self::Bytes(bytes) => Symbols::Bytes(bytes),
            Self::Numbers(numbers) => Symbols::Numbers(numbers),
        }
    }
}

/// A text that a function of this module returns. Its symbols are bytes if the argument has bytes.
///
/// ```
/// use carrywave::pairs::{PairString, Symbols};
/// use carrywave::scorers::default_process;
///
/// let text = default_process(&"  Hello, World!");
/// assert!(matches!(text.symbols(), Symbols::Bytes(b"hello  world")));
/// ```
#[derive(Debug, Clone)]
pub struct ProcessedText(pub(super) Text);

impl PairString for ProcessedText {
    fn symbols(&self) -> Symbols<'_> {
        self.0.symbols()
    }
}

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
pub(super) use on_numbers;

/// Returns a part of a string. The range must be inside the string.
#[inline]
pub(super) fn part(string: Symbols<'_>, range: Range<usize>) -> Symbols<'_> {
    match string {
        Symbols::Bytes(bytes) => Symbols::Bytes(bytes.get(range).unwrap_or_default()),
        Symbols::Numbers(numbers) => Symbols::Numbers(numbers.get(range).unwrap_or_default()),
    }
}

/// Returns the length of the longest common prefix.
#[inline]
pub(super) fn common_prefix(a: Symbols<'_>, b: Symbols<'_>) -> usize {
    on_numbers!(a, b, |a, b| a.zip(b).take_while(|(a, b)| a == b).count())
}

/// Returns the length of the longest common suffix.
#[inline]
pub(super) fn common_suffix(a: Symbols<'_>, b: Symbols<'_>) -> usize {
    on_numbers!(a, b, |a, b| a.rev().zip(b.rev()).take_while(|(a, b)| a == b).count())
}

/// Returns both strings without their common prefix and suffix.
#[inline]
pub(super) fn trimmed<'s>(a: Symbols<'s>, b: Symbols<'s>) -> [Symbols<'s>; 2] {
    let prefix = common_prefix(a, b);
    let (a, b) = (part(a, prefix..a.len()), part(b, prefix..b.len()));
    let suffix = common_suffix(a, b);
    [part(a, 0..a.len() - suffix), part(b, 0..b.len() - suffix)]
}

/// Compares two strings by the numbers of their symbols.
pub(super) fn compare(a: Symbols<'_>, b: Symbols<'_>) -> Ordering {
    on_numbers!(a, b, |a, b| a.cmp(b))
}
