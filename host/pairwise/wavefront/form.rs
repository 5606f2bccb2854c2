//! The form of a kernel: what it is compiled for.

/// The form of a kernel: what it is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form {
    /// Words a lane.
    pub words: u32,
    /// Digits of a symbol, each with a table of match words for its values; 1 where symbols are not
    /// cut into digits.
    pub digits: u32,
}

impl Form {
    /// A form of `words` words a lane, for symbols that are one digit.
    pub const fn of_words(words: u32) -> Self {
        Self { words, digits: 1 }
    }
}
