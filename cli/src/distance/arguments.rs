//! The options of `carrywave distance`.

use crate::shared::engine::{EngineArguments, algorithms_help, long_help};
use crate::shared::members::MemberArguments;
use crate::shared::strings::{StringArguments, UnitArguments};
use carrywave::Result;
use carrywave::algorithm::{Algorithm, Problem};
use carrywave::distance::{Comparison, Global, Mode};
use carrywave::error::UsageFault;
use carrywave::pairs::ManyPairs;
use carrywave::text::Equality;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::num::IntErrorKind;
use std::path::PathBuf;
use std::str::FromStr;

/// Text after the options in the help.
const HELP: &str = "\
Examples:
  carrywave distance human.fa mouse.fa                      the edit distance of two genomes
  carrywave distance -e kitten sitting --output cigar       a cheapest script: 1X3=1X1=1D
  carrywave distance a.fa.gz b.fa.gz --output blocks --gaps rightmost
  carrywave distance read.fa genome.fa --mode infix --output places --max 20
  carrywave distance -e GATTNCA TTGATTACATT --mode infix --equal iupac
  carrywave distance --pairs pairs.tsv --max 10 -o distances.tsv
  carrywave distance --all reads.fa --max 3                 all that are near one another
  carrywave distance --all reads.fa --max 3 --clusters      which are nearly the same, as groups

A symbol of texts that are UTF-8 (-e, --raw, lines) is a character; with --bytes, and with --equal, it is a byte. Substitutions,
insertions and deletions of a symbol cost 1 each. In nucleotides case is ignored, and U is T beside
DNA. In the modes prefix and infix a script is that of A and the first of the places in B, and positions are those in B. Of codes of
nucleotides (--equal iupac) the CPU computes. The nearest part of a text with many records: carrywave best.";

/// The edit distance of two strings.
#[derive(Debug, Args)]
#[command(after_help = HELP, after_long_help = all_algorithms())]
pub struct Arguments {
    #[command(flatten)]
    pub strings: Option<StringArguments>,

    #[command(flatten)]
    pub unit: UnitArguments,

    #[command(flatten)]
    pub many: PairArguments,

    #[command(flatten)]
    pub meaning: MeaningArguments,

    #[command(flatten)]
    pub engine: EngineArguments,

    #[command(flatten)]
    pub members: MemberArguments,

    #[arg(long, default_value = "auto", help = algorithms())]
    algorithm: String,

    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Distance)]
    pub output: Output,

    /// Where a script has its gaps if several places cost the same.
    #[arg(long, value_enum, default_value_t = Gaps::Leftmost)]
    pub gaps: Gaps,

    /// Write to this file instead of standard output; it appears whole or not at all.
    #[arg(short = 'o', value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Draw a dot plot with the script as a path; the file's name ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

impl Arguments {
    /// The algorithm for two strings, or for many pairs.
    pub fn algorithm<P: Problem>(&self) -> Result<Algorithm<P>> {
        Algorithm::named(&self.algorithm)
    }
}

/// The names of the algorithms for two strings and for many pairs.
fn algorithms() -> String {
    let many = algorithms_help::<ManyPairs>();
    format!("{}. With --pairs and --all {}", algorithms_help::<Global>(), many.trim_start_matches("How: "))
}

/// The text after the options in the long help.
fn all_algorithms() -> String {
    long_help::<ManyPairs>(&long_help::<Global>(HELP))
        .replacen("\n\nAlgorithms:\n", "\n\nAlgorithms for two strings:\n", 1)
        .replacen("\n\nAlgorithms:\n", "\n\nAlgorithms for many pairs:\n", 1)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// The distance.
    Distance,
    /// A line for each place of B that is as near to A as any: start, end and distance, positions from 0, the end not included. For each
    /// end the longest place.
    Places,
    /// =, X, I and D: A is the query, B the reference.
    Cigar,
    /// Both strings side by side.
    Blocks,
    /// Names, lengths, the distance and runs of matches; where in B the script starts and ends.
    Json,
    /// A line as aligners write it, with the tag cg:Z.
    Paf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Gaps {
    Leftmost,
    Rightmost,
}

/// The arguments that say what the distance is.
#[derive(Debug, Args)]
pub struct MeaningArguments {
    /// Which part of B is compared with A, the pattern: `global`, all of it; `prefix`, the nearest prefix; `infix`, the nearest part. (edlib's NW,
    /// SHW and HW.)
    #[arg(long, default_value = "global", conflicts_with_all = ["pairs", "all"])]
    pub mode: Mode,

    /// Symbols that count as equal beside the same ones: `case`, the small and the capital form of a letter; `iupac`, codes of nucleotides
    /// that share one, so that N is equal to all and U to T; or symbols themselves, such as `XY`, each equal to the others. Several with
    /// commas.
    #[arg(long, value_name = "case|iupac|XY", value_delimiter = ',', conflicts_with_all = ["pairs", "all"])]
    equal: Vec<String>,
}

impl MeaningArguments {
    /// Returns which symbols are equal.
    pub fn equality(&self) -> Result<Equality> {
        self.equal.iter().try_fold(Equality::exact(), |equality, word| match word.as_str() {
            "case" => Ok(equality.ignore_case()),
            "iupac" => Ok(equality.iupac()),
            symbols if symbols.len() >= 2 && symbols.is_ascii() => Ok(equality.group(symbols.as_bytes())),
            _ => Err(UsageFault::Syntax
                .error(format!("--equal takes case, iupac, or two or more ASCII symbols, not `{word}`"))),
        })
    }

    /// Sets the mode and the equality of a comparison.
    pub fn set<'p>(&self, comparison: Comparison<'p>, equality: &Equality) -> Comparison<'p> {
        comparison.mode(self.mode).equality(equality.clone())
    }
}

/// The arguments of many pairs.
#[derive(Debug, Args)]
pub struct PairArguments {
    /// Compare many pairs: each line of FILE has two strings with a tab between them. Prints a distance a line, in the same order, and what
    /// else is in the line after a second tab; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["StringArguments", "all", "output", "gaps", "plot"])]
    pub pairs: Option<OsString>,

    /// Compare all strings of LIST with one another: its records, or its lines if it is no FASTA or FASTQ file. Prints a line for each pair:
    /// names or line numbers, and the distance.
    #[arg(long, value_name = "LIST", conflicts_with_all = ["StringArguments", "output", "gaps", "plot"])]
    pub all: Option<OsString>,

    /// Distances above K are of no interest, and the smaller K is, the faster: of two strings `>K` is printed in the place of such a
    /// distance, null in JSON, and no line of places and PAF; with --pairs nothing in its place, with --all no line. K is a number, or a
    /// share of the longer string's symbols as 10%, rounded down (in the modes prefix and infix of A's).
    #[arg(short = 'k', long, value_name = "K")]
    pub max: Option<Maximum>,

    /// With --all: of each string the N nearest others only, nearest first.
    #[arg(long, value_name = "N", requires = "all")]
    pub top: Option<usize>,

    /// With --all and --max: the strings grouped, so that each is at most K from another one of its group. A line for each string, tsv: the group's
    /// number, how many strings it has, its first string, this string, and the distance of these two; lines, the group's number, how many
    /// strings it has, the distance from its first one, and the string itself; or json, an object for each group.
    #[arg(long, value_name = "FORMAT", value_enum, requires_all = ["all", "max"], conflicts_with = "top")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "tsv")]
    pub clusters: Option<ClusterFormat>,

    /// What a substitution costs: `levenshtein` 1, `indel` 2, so that the distance is m + n less twice the LCS.
    #[arg(long, value_enum, default_value_t = CostArgument::Levenshtein)]
    pub cost: CostArgument,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CostArgument {
    Levenshtein,
    Indel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClusterFormat {
    Tsv,
    Lines,
    Json,
}

/// The largest distance that is of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maximum {
    Number(u32),
    /// A share of a string's symbols.
    Percent(u32),
}

impl FromStr for Maximum {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let digits = text.strip_suffix('%');
        match digits.unwrap_or(text).parse() {
            Ok(share) if digits.is_some() && share > 100 => Err("a share is at most 100%".into()),
            Ok(share) if digits.is_some() => Ok(Self::Percent(share)),
            Ok(number) => Ok(Self::Number(number)),
            Err(fault) if *fault.kind() == IntErrorKind::PosOverflow => Err("this number is too large".into()),
            Err(_) => Err("give a whole number, as 3, or a share of the longer string's symbols, as 10%".into()),
        }
    }
}

impl Maximum {
    /// The maximum for a string with `symbols` symbols.
    pub fn for_len(self, symbols: usize) -> u32 {
        match self {
            Self::Number(number) => number,
            Self::Percent(share) => u32::try_from(symbols as u128 * u128::from(share) / 100).unwrap_or(u32::MAX),
        }
    }
}

impl PairArguments {
    /// Returns true for a call that compares many pairs.
    pub fn are_given(&self) -> bool {
        self.pairs.is_some() || self.all.is_some()
    }

    /// Refuses options for many pairs alone.
    pub fn refuse(&self) -> Result<()> {
        match self.cost {
            CostArgument::Indel => Err(UsageFault::Combination.error("--cost is for --pairs and --all")),
            CostArgument::Levenshtein => Ok(()),
        }
    }

    /// Refuses a share where one limit is needed for all pairs.
    pub fn check(&self) -> Result<()> {
        let option = if self.top.is_some() { "--top" } else { "--clusters" };
        match self.max {
            Some(Maximum::Percent(_)) if self.top.is_some() || self.clusters.is_some() => {
                Err(UsageFault::Combination.error(format!(
                    "--max as a share is another number for each pair, and {option} needs one for all: give a number, as --max 3"
                )))
            }
            _ => Ok(()),
        }
    }
}
