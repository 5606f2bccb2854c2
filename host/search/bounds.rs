//! The errors that a search allows: in all, and of each kind, for each of its patterns.

use crate::error::{Result, UsageFault};
use crate::infix::allowed::Allowed;

/// Errors in all.
#[derive(Debug, Clone)]
pub(super) enum Errors {
    /// As many for each pattern.
    Same(u32),
    /// A share of each pattern's symbols in percent, rounded down.
    Percent(u32),
    /// A number for each pattern.
    Each(Vec<u32>),
}

/// What a search allows.
#[derive(Debug, Clone, Default)]
pub(super) struct Bounds {
    /// k; none where it is the sum of the kinds.
    pub errors: Option<Errors>,
    pub substitutions: Option<u32>,
    pub insertions: Option<u32>,
    pub deletions: Option<u32>,
}

impl Bounds {
    /// What is allowed of each of the patterns with so many symbols.
    pub(super) fn of(&self, lengths: &[usize]) -> Result<Vec<Allowed>> {
        if let Some(Errors::Each(each)) = &self.errors
            && each.len() != lengths.len()
        {
            let (given, patterns) = (each.len(), lengths.len());
            return Err(
                UsageFault::Mismatch.error(format!("{given} numbers of errors were given for {patterns} patterns"))
            );
        }
        let kinds = [self.substitutions, self.insertions, self.deletions];
        let allowed = |(number, &m): (usize, &usize)| {
            let k = match &self.errors {
                Some(Errors::Same(k)) => *k,
                Some(Errors::Percent(share)) => u32::try_from(m as u128 * u128::from(*share) / 100).unwrap_or(u32::MAX),
                Some(Errors::Each(each)) => each[number],
                None => {
                    // A kind that is not named is not allowed.
                    let [substitutions, insertions, deletions] = kinds.map(|most| most.unwrap_or(0));
                    return Allowed::new(u32::MAX, substitutions, insertions, deletions);
                }
            };
            let [substitutions, insertions, deletions] = kinds.map(|most| most.unwrap_or(k));
            Allowed::new(k, substitutions, insertions, deletions)
        };
        Ok(lengths.iter().enumerate().map(allowed).collect())
    }
}
