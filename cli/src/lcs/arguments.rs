//! Options of `carrywave lcs`.

use crate::shared::engine::EngineArguments;
use crate::shared::help::{
    EXIT_STATUS, INPUT, MATCHING, OUTPUT, PERFORMANCE, TEMPLATE, algorithm_names, algorithms, few, one_of,
};
use crate::shared::members::MemberArguments;
use crate::shared::strings::{StringArguments, UnitArguments};
use carrywave::lcs::{self, Algorithm, Lcs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carrywave lcs human.fa mouse.fa                       the length
  carrywave lcs -e ABCBDAB BDCABA --output blocks       two strings, side by side
  carrywave lcs a.fa.gz b.fa.gz --output cigar -o ab.cigar --plot ab.svg
  carrywave lcs a.fa.gz b.fa.gz --strand auto --output summary     the strand of B that fits
  carrywave lcs a.fa.gz b.fa.gz --records best          for each record of A, its closest one of B
  carrywave lcs -e ABCBDAB BDCABA --engine simt --algorithm block-step --rules published";

const SHORT: &str = "All options, and the list of algorithms: carrywave lcs --help";

const LONG: &str = "\
Records:
  FILE:RECORD is one record, and FILE:RECORD:1001-2000 a part of it, 1-based with both ends; FILE:RECORD:5
  goes to the end. Output has positions in the whole record. An index beside the file is used (FILE.fai).

Symbols:
  In FASTA and FASTQ a symbol is a letter; nucleotides ignore case, and U equals T.
  In UTF-8 text (-e, --raw) a symbol is a character; --bytes makes it a byte.

Meaning:
  An LCS is global and in order: it does not follow inversions and moved pieces.
  The LCS of unrelated DNA is about 65 % of the length; --expected and --output summary compare with it.
  With --strand reverse, cigar, subsequence and json describe A and the reverse complement of B;
  blocks, paf and --plot give positions on the forward strand of B.
  With --circular, positions in B count on beyond its end: subtract its length. Not for PAF. One
  table of the CPU gives the LCS of all rotations; of several, the first is taken.";

/// The longest common subsequence of two strings.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave lcs [OPTIONS] A B")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = SHORT)]
#[command(after_long_help = format!("{LONG}\n\n{}\n\n{EXIT_STATUS}", algorithms::<Lcs>("Algorithms")))]
pub struct Arguments {
    #[command(flatten)]
    pub strings: StringArguments,

    /// Compare many records, and print one line for each pair.
    #[arg(long, value_enum, help_heading = INPUT)]
    #[arg(conflicts_with_all = ["literal", "raw", "no_decompress", "record_a", "record_b", "plot", "bytes", "expected"])]
    pub records: Option<RecordsArgument>,

    #[command(flatten)]
    pub unit: UnitArguments,

    /// Strand of B: forward, reverse or auto, for nucleotides [default: forward].
    #[arg(long, value_enum, help_heading = MATCHING)]
    pub strand: Option<StrandArgument>,

    /// B is circular: compare A with the rotation of B that has the longest LCS.
    #[arg(long, conflicts_with_all = ["records", "strand", "plot"], help_heading = MATCHING)]
    pub circular: bool,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t = Output::Length, help_heading = OUTPUT)]
    pub output: Output,

    /// Also report the LCS length expected of random strings with these symbol frequencies.
    #[arg(long, hide_short_help = true, help_heading = OUTPUT)]
    pub expected: bool,

    /// Write to FILE, whole or not at all [default: standard output].
    #[arg(short = 'o', value_name = "FILE", help_heading = OUTPUT)]
    pub file: Option<PathBuf>,

    /// Draw a dot plot with the LCS as a path: FILE.svg or FILE.png.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub plot: Option<PathBuf>,

    #[command(flatten)]
    pub engine: EngineArguments,

    /// Algorithm; the list is at the end of --help.
    #[arg(long, default_value = "auto", hide_possible_values = true, help_heading = PERFORMANCE)]
    #[arg(value_parser = one_of::<Algorithm>(algorithm_names::<Lcs>()))]
    pub algorithm: Algorithm,

    /// Rules that divide the work between GPU and CPU, and the table into parts.
    #[arg(long, value_enum, default_value_t = Rules::Measured, hide_short_help = true, help_heading = PERFORMANCE)]
    pub rules: Rules,

    #[command(flatten)]
    pub members: MemberArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    /// Each part runs where it is fastest, by measurement; the longer string is cut.
    Measured,
    /// As published by Kawanami and Fujimoto (2014), for block-step and bit-parallel.
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
    /// The LCS as a string.
    Subsequence,
    /// CIGAR with =, I and D: A is the query, B the reference.
    Cigar,
    /// Both strings side by side.
    Blocks,
    /// Names, lengths, identity (LCS over the longer string) and runs of matches.
    Json,
    /// The length, the identity, and the length expected of random strings.
    Summary,
    /// One line of PAF, with the CIGAR in the tag cg:Z.
    Paf,
}

/// Values of `--strand`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrandArgument {
    /// B as it is.
    Forward,
    /// The reverse complement of B.
    Reverse,
    /// The strand that shares more k-mers with A; of short strings, more symbols.
    Auto,
}

/// Values of `--records`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordsArgument {
    /// Each record of A with each one of B.
    All,
    /// Each record of A with the record of B of greatest identity (the first of equals).
    Best,
    /// Each record of A with the record of B that has the same name.
    Same,
}
