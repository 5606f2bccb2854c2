//! A script of A and a part of B, in its place.

use carrywave::Result;
use carrywave::alignment::Alignment;
use carrywave::alignment::{Operation, Run};
use carrywave::distance::EditScript;
use carrywave::lcs::CommonSubsequence;
use std::ops::Range;

/// A script of A and a part of B, with positions in all of B.
pub struct Placed {
    pub script: EditScript,
    /// The part of B.
    pub place: Range<u64>,
    /// The symbols of B.
    pub b_len: u64,
}

impl Placed {
    /// The matches.
    pub fn runs(&self) -> impl Iterator<Item = Run> + '_ {
        self.script.runs().iter().map(|run| Run { b_start: run.b_start + self.place.start, ..*run })
    }

    /// The matches as a common subsequence of A and all of B.
    pub fn common_subsequence(&self) -> Result<CommonSubsequence> {
        CommonSubsequence::new(self.runs().collect(), self.script.a_len(), self.b_len)
    }
}

impl Alignment for Placed {
    fn a_len(&self) -> u64 {
        self.script.a_len()
    }

    fn b_len(&self) -> u64 {
        self.b_len
    }

    fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        let start = self.place.start;
        self.script.operations().map(move |operation| match operation {
            Operation::Match(run) => Operation::Match(Run { b_start: run.b_start + start, ..run }),
            Operation::Deletion { b_start, len } => Operation::Deletion { b_start: b_start + start, len },
            Operation::Substitution { a_start, b_start, len } => {
                Operation::Substitution { a_start, b_start: b_start + start, len }
            }
            insertion @ Operation::Insertion { .. } => insertion,
        })
    }
}
