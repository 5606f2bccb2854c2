//! Strings that scorers make and keep, and what they read of symbols of both widths.

use crate::pairs::affixes::on_numbers;
use crate::pairs::{PairString, Symbols};
use std::cmp::Ordering;

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

/// Compares two strings by the numbers of their symbols.
pub(super) fn compare(a: Symbols<'_>, b: Symbols<'_>) -> Ordering {
    on_numbers!(a, b, |a, b| a.cmp(b))
}
