//! `carrywave distance` of two strings with a mode, a maximum, or symbols that count as equal; and a script in its place.

use carrywave::alignment::runs::{Alignment, CommonSubsequence, Operation, Run};
use carrywave::distance::{Comparison, EditScript, Equality, Mode};
use carrywave::{Error, Result};
use clap::Args;
use std::ops::Range;

/// The arguments that say what the distance is.
#[derive(Debug, Args)]
pub(super) struct MeaningArguments {
    /// Which part of B is compared with A, the pattern: `global`, all of it; `prefix`, the nearest prefix; `infix`, the nearest part. (edlib's NW,
    /// SHW and HW.)
    #[arg(long, default_value = "global", value_parser = super::named::<Mode>, conflicts_with_all = ["pairs", "all"])]
    pub mode: Mode,

    /// Symbols that count as equal beside the same ones: `case`, the small and the capital form of a letter; `iupac`, codes of nucleotides
    /// that share one, so that N is equal to all and U to T; or symbols themselves, such as `XY`, each equal to the others. Several with
    /// commas.
    #[arg(long, value_name = "case|iupac|XY", value_delimiter = ',', conflicts_with_all = ["pairs", "all"])]
    equal: Vec<String>,
}

impl MeaningArguments {
    /// Which symbols are equal.
    pub fn equality(&self) -> Result<Equality> {
        self.equal.iter().try_fold(Equality::exact(), |equality, word| match word.as_str() {
            "case" => Ok(equality.ignore_case()),
            "iupac" => Ok(equality.iupac()),
            symbols if symbols.len() >= 2 && symbols.is_ascii() => Ok(equality.group(symbols.as_bytes())),
            _ => Err(Error::Usage(format!("--equal takes case, iupac, or two or more ASCII symbols, not `{word}`"))),
        })
    }

    /// A comparison with what they say.
    pub fn set<'p>(&self, comparison: Comparison<'p>, equality: &Equality) -> Comparison<'p> {
        comparison.mode(self.mode).equality(equality.clone())
    }
}

/// A script of A and a part of B, with positions in all of B.
pub(super) struct Placed {
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
