//! Collects the steps of an alignment into operations.

use super::pattern_alignment::PatternAlignment;
use crate::alignment::Run;
use crate::alignment::operation::Operation;

/// Operations of an alignment; adjacent steps of the same kind are merged.
#[derive(Debug, Default)]
pub(super) struct Steps {
    operations: Vec<Operation>,
}

impl Steps {
    #[inline]
    pub(super) fn pair(&mut self, i: usize, j: usize, is_match: bool) {
        let a_start = i as u64;
        let b_start = j as u64;
        match self.operations.last_mut() {
            Some(Operation::Match(Run { len, .. })) if is_match => *len += 1,
            Some(Operation::Substitution { len, .. }) if !is_match => *len += 1,
            _ if is_match => self.operations.push(Operation::Match(Run { a_start, b_start, len: 1 })),
            _ => self.operations.push(Operation::Substitution { a_start, b_start, len: 1 }),
        }
    }

    /// Adds a symbol that only the pattern has.
    pub(super) fn pattern_alone(&mut self, i: usize) {
        match self.operations.last_mut() {
            Some(Operation::Insertion { len, .. }) => *len += 1,
            _ => self.operations.push(Operation::Insertion { a_start: i as u64, len: 1 }),
        }
    }

    /// Adds a symbol that only the text has.
    pub(super) fn text_alone(&mut self, j: usize) {
        match self.operations.last_mut() {
            Some(Operation::Deletion { len, .. }) => *len += 1,
            _ => self.operations.push(Operation::Deletion { b_start: j as u64, len: 1 }),
        }
    }

    pub(super) fn alignment(self, m: usize, n: usize) -> PatternAlignment {
        PatternAlignment { operations: self.operations, pattern_len: m as u64, part_len: n as u64 }
    }
}
