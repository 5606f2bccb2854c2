//! Positions of a pattern that must match.

use crate::error::{Result, UsageFault};
use std::ops::Range;

/// Positions of a pattern that must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fixed(Vec<bool>);

impl Fixed {
    /// Adds positions, of a pattern of m symbols.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with `Position` for positions outside the pattern.
    pub fn with(mut self, m: usize, positions: impl IntoIterator<Item = usize>) -> Result<Self> {
        self.0.resize(m, false);
        for position in positions {
            let Some(fixed) = self.0.get_mut(position) else {
                let number = position.saturating_add(1);
                return Err(UsageFault::Position
                    .error(format!("position {number} is outside the pattern of {m} symbols; positions start at 1")));
            };
            *fixed = true;
        }
        if !self.0.contains(&true) {
            self.0.clear();
        }
        Ok(self)
    }

    /// Returns true if a position must match; false for one outside the pattern.
    pub fn has(&self, position: usize) -> bool {
        self.0.get(position).is_some_and(|&fixed| fixed)
    }

    /// Returns true if no position must match.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the positions of a part of the pattern.
    pub fn part(&self, positions: Range<usize>) -> Self {
        let own = self.0.get(positions).unwrap_or_default();
        Self(if own.contains(&true) { own.to_vec() } else { Vec::new() })
    }

    /// Returns the positions of the reversed pattern.
    pub fn reversed(&self) -> Self {
        Self(self.0.iter().rev().copied().collect())
    }
}
