//! The four types of shuffles.

/// How a shuffle selects its source lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Idx,
    Xor,
}

impl Shuffle {
    /// Returns the lane that `lane` reads within its segment of `width` lanes, or `None` if the
    /// source is outside.
    #[inline(always)]
    pub(crate) fn source(self, lane: u32, operand: u32, width: u32) -> Option<u32> {
        let first = lane & !(width - 1);
        let last = first + width - 1;
        match self {
            Shuffle::Up => lane.checked_sub(operand).filter(|&s| s >= first),
            Shuffle::Down => lane.checked_add(operand).filter(|&s| s <= last),
            Shuffle::Idx => Some(first + (operand & (width - 1))),
            Shuffle::Xor => Some(lane ^ operand).filter(|&s| s <= last),
        }
    }
}
