//! The form of a kernel: its compile-time parameters.

/// Form of a kernel: its compile-time parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form {
    /// Number of words a lane.
    pub words: u32,
    /// Number of digits of a symbol, each with a table of match words for its values; 1 if symbols
    /// are not split into digits.
    pub digits: u32,
    /// True for kernels of edit distances whose words have neighbouring rows and carry
    /// ([`word_wavefront`](carrywave_kernels::distance::word_wavefront)).
    pub carries: bool,
}

impl Form {
    /// Returns a form of `words` words a lane, for symbols of one digit.
    pub const fn of_words(words: u32) -> Self {
        Self { words, digits: 1, carries: false }
    }

    /// Returns a form of `words` words a lane that carry.
    pub const fn with_carries(words: u32) -> Self {
        Self { words, digits: 1, carries: true }
    }
}
