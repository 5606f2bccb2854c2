//! The options of `carrywave lcs`.

use crate::shared::engine::{EngineArguments, algorithms_help, long_help};
use crate::shared::members::MemberArguments;
use crate::shared::strings::{StringArguments, UnitArguments};
use carrywave::lcs::{self, Algorithm, Lcs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Text after the options in the help.
const HELP: &str = "\
Examples:
  carrywave lcs human.fa mouse.fa                      the length
  carrywave lcs -e ABCBDAB BDCABA --output blocks      two strings, side by side
  carrywave lcs a.fa.gz b.fa.gz --output cigar -o ab.cigar --plot ab.svg
  carrywave lcs a.fa.gz b.fa.gz --strand auto --output summary
                                                       whichever strand of B is like A, and what the length means
  carrywave lcs a.fa.gz b.fa.gz --records best         of each record of A the most similar one of B, as a table
  carrywave lcs -e ABCBDAB BDCABA --output cigar --engine simt --algorithm block-step --rules published

A symbol of two texts (-e, --raw) is a character, if both are UTF-8; with --bytes it is a byte. In nucleotides case is ignored, and U
is T beside DNA.

An LCS is global and in order: it sees no inversions and no pieces that moved. Of unrelated DNA it is 65 % of the length: --output summary
and --expected tell what random strings have. With --strand reverse, or auto where it takes that strand, the second string is the reverse
complement of B: cigar, subsequence and the runs of json are of A and that one, blocks number it downwards as it lies in B, paf and --plot have
positions on B's forward strand.";

/// The longest common subsequence of two strings.
#[derive(Debug, Args)]
#[command(after_help = HELP, after_long_help = long_help::<Lcs>(HELP))]
pub struct Arguments {
    #[command(flatten)]
    pub strings: StringArguments,

    #[command(flatten)]
    pub unit: UnitArguments,

    #[command(flatten)]
    pub engine: EngineArguments,

    #[command(flatten)]
    pub members: MemberArguments,

    #[arg(long, default_value = "auto", help = algorithms_help::<Lcs>())]
    pub algorithm: Algorithm,

    /// How the work is divided between GPU and CPU, and the table into parts.
    #[arg(long, value_enum, default_value_t = Rules::Measured)]
    pub rules: Rules,

    /// Which strand of B is compared, of nucleotides [default: forward].
    #[arg(long, value_enum)]
    pub strand: Option<StrandArgument>,

    /// Compare the records of two files that may have several, and print a table with a line for each pair: which they are, the strand of
    /// B, the lengths of both, the LCS, the identity (LCS over the longer one), and the LCS expected of random strings like them. With
    /// --output json objects, one a line.
    #[arg(long, value_enum, conflicts_with_all = ["literal", "raw", "no_decompress", "record_a", "record_b", "plot", "bytes", "expected"])]
    pub records: Option<RecordsArgument>,

    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Length)]
    pub output: Output,

    /// Tell besides what LCS is expected of random strings with the same lengths and frequencies of symbols: in json, else on standard error.
    #[arg(long)]
    pub expected: bool,

    /// Write to this file instead of standard output; it appears whole or not at all.
    #[arg(short = 'o', value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Draw a dot plot with the LCS as a path; the file's name ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    /// By measured speeds: to the GPU goes what it is faster at, and the longer string is cut.
    Measured,
    /// Those of Kawanami and Fujimoto (2014), for block-step and block-step-look-ahead: m + n >= 2,048 symbols go to the GPU; the CPU
    /// takes m < 96 or n < 256 by dynamic programming, the others by bit-vectors; B is cut, down to one symbol. For bit-parallel: their
    /// program without a GPU.
    Published,
}

impl From<Rules> for lcs::Rules {
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Measured => Self::Measured,
            Rules::Published => Self::Published,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// The length of the LCS.
    Length,
    /// The LCS itself.
    Subsequence,
    /// =, I and D: A is the query, B the reference.
    Cigar,
    /// Both strings side by side.
    Blocks,
    /// Names, lengths, identity and runs.
    Json,
    /// What the length means, for people: beside it the identity, and the length expected of random strings like these.
    Summary,
    /// A line as aligners write it, with the tag cg:Z.
    Paf,
}

/// Which strand of B is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrandArgument {
    /// B as it is.
    Forward,
    /// The reverse complement of B.
    Reverse,
    /// The strand that is like A, by the k-mers (substrings of k bases) that they share; of short strings, the one with the longer LCS. Of
    /// anything but nucleotides B as it is.
    Auto,
}

/// Which records are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordsArgument {
    /// Each record of A with each one of B.
    All,
    /// Each record of A with the record of B that has the greatest identity with it, the first one of several. Those that cannot have it, by their
    /// lengths and counts of symbols, are left out.
    Best,
    /// Each record of A with the record of B that has the same name.
    Same,
}
