//! The limits on the errors of a part of a pattern, whose other symbols lie beyond a record.

use super::overhang::Overhang;
use crate::infix::allowed::Allowed;
use std::ops::Range;

/// A share of symbols that may be errors.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Share {
    pub errors: u64,
    /// Number of symbols that the errors are for.
    pub symbols: u64,
}

/// The limits on the errors of a pattern's parts.
#[derive(Debug, Clone)]
pub(in crate::search) struct PartLimits {
    /// The limits of the whole pattern.
    allowed: Allowed,
    overhang: Option<Overhang>,
    share: Share,
    /// Item i is the number of positions before position i that can mismatch.
    before: Vec<u32>,
}

impl PartLimits {
    /// Makes the limits of a pattern. `mismatchable` tells for each position whether it can
    /// mismatch.
    pub fn new(allowed: Allowed, overhang: Option<Overhang>, share: Share, mismatchable: &[bool]) -> Self {
        let counts = mismatchable.iter().scan(0, |count, &can_mismatch| {
            *count += u32::from(can_mismatch);
            Some(*count)
        });
        Self { allowed, overhang, share, before: std::iter::once(0).chain(counts).collect() }
    }

    /// Returns the limits of the pattern read from its end.
    pub fn reversed(&self) -> Self {
        let all = self.before.last().copied().unwrap_or(0);
        let before = self.before.iter().rev().map(|before| all - before).collect();
        Self { before, ..self.clone() }
    }

    /// Returns the limits of the whole pattern.
    pub fn whole(&self) -> Allowed {
        self.allowed
    }

    /// Returns the number of the pattern's symbols.
    pub fn symbols(&self) -> usize {
        self.before.len() - 1
    }

    /// Returns the fewest symbols of a part; `None` if no symbol may lie beyond a record.
    pub fn least(&self) -> Option<usize> {
        Some(self.overhang?.least())
    }

    /// Returns the limits of a part; `None` if it may not be within the record alone.
    pub fn of(&self, part: Range<usize>) -> Option<Allowed> {
        let m = self.symbols();
        if part.len() == m {
            return Some(self.allowed);
        }
        let overhang = self.overhang.filter(|overhang| part.len() >= overhang.least())?;
        let errors = match overhang.cost(m - part.len()) {
            Some(cost) => u64::from(self.allowed.errors).checked_sub(cost)?,
            None => {
                let symbols = u64::from(self.before[part.end] - self.before[part.start]);
                symbols * self.share.errors / self.share.symbols.max(1)
            }
        };
        let errors = errors.min(u64::from(self.allowed.errors)).min(part.len().saturating_sub(1) as u64);
        Some(self.allowed.at_most(errors as u32))
    }
}
