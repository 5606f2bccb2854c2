//! The errors that a search allows for each of its patterns: in all, and by kind.

use super::borders::limits::Share;
use crate::error::{Result, UsageFault};
use crate::infix::allowed::Allowed;
use crate::text::characters::TextPattern;

/// The limit on the sum of all errors.
#[derive(Debug, Clone)]
pub(super) enum Errors {
    /// One number for all patterns.
    Same(u32),
    /// A percentage of each pattern's symbols that can mismatch, rounded down.
    Percent(u32),
    /// One number per pattern.
    Each(Vec<u32>),
}

/// The limits of a search.
#[derive(Debug, Clone, Default)]
pub(super) struct Bounds {
    /// k; `None` if k is the sum of the limits by kind.
    pub errors: Option<Errors>,
    pub substitutions: Option<u32>,
    pub insertions: Option<u32>,
    pub deletions: Option<u32>,
    pub transpositions: bool,
    /// Errors that an inserted or deleted symbol counts; `None` for 1.
    pub gap_cost: Option<u32>,
}

impl Bounds {
    /// Returns the limits of each pattern.
    pub(super) fn allowed_for(&self, patterns: &[TextPattern]) -> Result<Vec<Allowed>> {
        if let Some(Errors::Each(each)) = &self.errors
            && each.len() != patterns.len()
        {
            let (given, patterns) = (each.len(), patterns.len());
            return Err(UsageFault::Mismatch
                .error(format!("got {given} numbers of errors for {patterns} patterns; give one per pattern")));
        }
        let gap = self.gap_cost.unwrap_or(1);
        if gap == 0 {
            return Err(UsageFault::Range.error("a gap costs at least one error; give 1 or more"));
        }
        let kinds = [self.substitutions, self.insertions, self.deletions];
        let allowed = |(number, pattern): (usize, &TextPattern)| {
            let k = match &self.errors {
                Some(Errors::Same(k)) => *k,
                Some(Errors::Percent(share)) => {
                    let symbols = pattern.mismatchable_len() as u128;
                    u32::try_from(symbols * u128::from(*share) / 100).unwrap_or(u32::MAX)
                }
                Some(Errors::Each(each)) => each[number],
                None => {
                    // A kind of error without a limit is not allowed.
                    let [substitutions, insertions, deletions] = kinds.map(|most| most.unwrap_or(0));
                    return Allowed { substitutions, insertions, deletions, gap, ..Allowed::any(u32::MAX) }
                        .at_most(u32::MAX);
                }
            };
            let [substitutions, insertions, deletions] = kinds.map(|most| most.unwrap_or(k));
            Allowed { substitutions, insertions, deletions, gap, ..Allowed::any(u32::MAX) }.at_most(k)
        };
        let transpositions = self.transpositions;
        Ok(patterns.iter().enumerate().map(allowed).map(|own| Allowed { transpositions, ..own }).collect())
    }

    /// Returns the share of symbols that may be errors in a part of a pattern, which has `symbols`
    /// symbols that can mismatch.
    pub(super) fn share(&self, allowed: Allowed, symbols: usize) -> Share {
        match self.errors {
            Some(Errors::Percent(share)) => Share { errors: share.into(), symbols: 100 },
            _ => Share { errors: allowed.errors.into(), symbols: symbols as u64 },
        }
    }
}
