//! Options of `carrywave distance`.

use crate::shared::engine::EngineArguments;
use crate::shared::help::{
    EXIT_STATUS, INPUT, MATCHING, OUTPUT, PERFORMANCE, TEMPLATE, algorithm_names, algorithms, few, one_of,
};
use crate::shared::members::MemberArguments;
use crate::shared::strings::{StringArguments, UnitArguments};
use carrywave::algorithm::{Algorithm, Problem};
use carrywave::distance::{Comparison, Global, Mode};
use carrywave::error::UsageFault;
use carrywave::pairs::{ManyPairs, Pairs};
use carrywave::text::Equality;
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::num::IntErrorKind;
use std::path::PathBuf;
use std::str::FromStr;

const EXAMPLES: &str = "\
Examples:
  carrywave distance human.fa mouse.fa                        the edit distance of two genomes
  carrywave distance -e kitten sitting --output cigar         a cheapest script: 1X3=1X1=1D
  carrywave distance a.fa.gz b.fa.gz --output blocks --gaps rightmost
  carrywave distance read.fa genome.fa --mode infix --output places --max 20
  carrywave distance -e GATTNCA TTGATTACATT --mode infix --equal iupac
  carrywave distance one.fa other.fa --mode overlap --output paf
  carrywave distance --pairs pairs.tsv --max 10 -o distances.tsv
  carrywave distance --all reads.fa --max 3                   all pairs of similar strings
  carrywave distance --all reads.fa --max 3 --clusters        groups of similar strings
  carrywave distance --all new.txt --with known.txt --max 2   pairs of similar lines of two files
  carrywave distance --all people.csv --column name --max 10% --clusters=lines
  carrywave distance -e recieve receive --transpositions      a typing error: 1";

const SHORT: &str = "All options, and the list of algorithms: carrywave distance --help";

const LONG: &str = "\
Records:
  FILE:RECORD is one record, and FILE:RECORD:1001-2000 a part of it, 1-based with both ends; FILE:RECORD:5
  goes to the end. Output has positions in the whole record. An index beside the file is used (FILE.fai).

Symbols:
  In FASTA and FASTQ a symbol is a letter; nucleotides ignore case, and U equals T.
  In UTF-8 text (-e, --raw, lines) a symbol is a character; --bytes and --equal make it a byte.

Limit:
  The smaller --max, the faster. For a larger distance, two strings print `>K` (null in JSON, nothing
  for places and PAF), --pairs prints an empty field, and --all no line. A share counts symbols of the
  longer string, rounded down; with --cost indel, of both; in the other modes than global, of A.

Pairs:
  --pairs prints, for each line of FILE, the distance and what follows a second tab.
  --all prints, for each pair, two names (or line numbers) and the distance.
  --column takes the fields of a table in place of lines: rows have numbers from 1, after the header.
  Fields are separated by tabs, semicolons or commas, as in the header, and may be quoted.

Overlap:
  --mode overlap finds a suffix of one string and a prefix of the other, or all of one and a part of
  the other, with the greatest score: the symbols of both less 4 times their distance, so 2 for a
  match, -2 for a substitution and -3 for a gap. It prints the score and the distance; with --output
  places start and end in A, start and end in B, distance, score. Without a positive score there is
  none: 0, and no places and no PAF line.

Circular B:
  --circular compares A with all rotations of B in one table, on the CPU, and takes the first of the
  nearest. Positions in B count on beyond its end: subtract its length. Not for PAF.

Meaning:
  A substitution, an insertion and a deletion of a symbol cost 1 each. With --transpositions, so does
  the exchange of two neighbours, and no part is edited twice: optimal string alignment.
  In the modes prefix, suffix and infix the script aligns A with the first of the nearest parts of B;
  positions are those in B. For a text with many records, use carrywave best.
  Comparisons with --equal iupac run on the CPU.

Clusters:
  In a group, each string is at most K from another one of the group; with --linkage star, from the
  first one, which has the most strings within K.
  tsv    group, its size, its first string, this string, and the distance of the two
  lines  group, its size, the distance to its first string, and the string itself
  json   one object for each group";

/// The edit distance of two strings, of many pairs, or of all pairs of a list.
#[derive(Debug, Args)]
#[command(override_usage = "\
carrywave distance [OPTIONS] A B
       carrywave distance [OPTIONS] --pairs FILE
       carrywave distance [OPTIONS] --all LIST [--with OTHER]")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = SHORT, after_long_help = long_help())]
pub struct Arguments {
    #[command(flatten)]
    pub many: PairArguments,

    #[command(flatten)]
    pub strings: Option<StringArguments>,

    #[command(flatten)]
    pub unit: UnitArguments,

    #[command(flatten)]
    pub meaning: MeaningArguments,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t = Output::Distance, help_heading = OUTPUT)]
    pub output: Output,

    /// Position of gaps, among positions of equal cost.
    #[arg(long, value_enum, default_value_t = Gaps::Leftmost, hide_short_help = true, help_heading = OUTPUT)]
    pub gaps: Gaps,

    /// Write to FILE, whole or not at all [default: standard output].
    #[arg(short = 'o', value_name = "FILE", help_heading = OUTPUT)]
    pub file: Option<PathBuf>,

    /// Draw a dot plot with the script as a path: FILE.svg or FILE.png.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = OUTPUT)]
    pub plot: Option<PathBuf>,

    #[command(flatten)]
    pub engine: EngineArguments,

    /// Algorithm; the lists are at the end of --help.
    #[arg(long, default_value = "auto", hide_possible_values = true, help_heading = PERFORMANCE)]
    #[arg(value_parser = one_of::<String>(all_algorithm_names()), hide_short_help = true)]
    algorithm: String,

    #[command(flatten)]
    pub members: MemberArguments,
}

impl Arguments {
    /// Returns the algorithm for two strings, or for many pairs.
    pub fn algorithm<P: Problem>(&self) -> Result<Algorithm<P>> {
        Algorithm::named(&self.algorithm)
    }
}

/// Returns the names of the algorithms for two strings and for many pairs.
fn all_algorithm_names() -> impl Iterator<Item = &'static str> {
    algorithm_names::<Global>().chain(Algorithm::<ManyPairs>::all().map(Algorithm::name))
}

/// Returns the end of the long help.
fn long_help() -> String {
    let two = algorithms::<Global>("Algorithms for two strings");
    let many = algorithms::<ManyPairs>("Algorithms for many pairs");
    format!("{LONG}\n\n{two}\n\n{many}\n\n{EXIT_STATUS}")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// The distance.
    Distance,
    /// Nearest parts of B: start (0-based), end (exclusive), distance.
    Places,
    /// CIGAR with =, X, I and D: A is the query, B the reference.
    Cigar,
    /// Both strings side by side.
    Blocks,
    /// Names, lengths, distance, runs of matches, and the part of B.
    Json,
    /// One line of PAF, with the CIGAR in the tag cg:Z.
    Paf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Gaps {
    Leftmost,
    Rightmost,
}

/// Options that define the distance.
#[derive(Debug, Args)]
#[command(next_help_heading = MATCHING)]
pub struct MeaningArguments {
    /// Part of B: global (all), prefix, suffix, infix; overlap.
    #[arg(long, default_value = "global", conflicts_with_all = ["pairs", "all"])]
    #[arg(value_parser = one_of::<ModeArgument>(ModeArgument::names()), hide_possible_values = true)]
    pub mode: ModeArgument,

    /// With --mode overlap: shorter overlaps, with fewer than N symbols of A or B, are none.
    #[arg(long, value_name = "N", hide_short_help = true, conflicts_with_all = ["pairs", "all"])]
    pub min_overlap: Option<u64>,

    /// Symbols that count as equal: case, iupac (codes that share a base), a set like XY.
    #[arg(long, value_name = "SETS", value_delimiter = ',', conflicts_with_all = ["pairs", "all"])]
    equal: Vec<String>,

    /// B is circular: compare A with the nearest rotation of B.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["mode", "pairs", "all", "plot", "transpositions"])]
    pub circular: bool,

    /// Also count a transposition of two neighbours as 1.
    #[arg(long, conflicts_with_all = ["mode", "equal", "cost", "gaps", "plot"])]
    pub transpositions: bool,
}

impl MeaningArguments {
    /// Returns which symbols are equal.
    pub fn equality(&self) -> Result<Equality> {
        self.equal.iter().try_fold(Equality::exact(), |equality, word| match word.as_str() {
            "case" => Ok(equality.ignore_case()),
            "iupac" => Ok(equality.iupac()),
            symbols if symbols.len() >= 2 && symbols.is_ascii() => Ok(equality.group(symbols.as_bytes())),
            _ => Err(UsageFault::Syntax.error(format!(
                "--equal does not take `{word}`; use case, iupac, or two or more ASCII symbols such as XY"
            ))),
        })
    }

    /// Sets the mode and the equality of a comparison.
    pub fn set<'p>(&self, comparison: Comparison<'p>, equality: &Equality) -> Comparison<'p> {
        match self.mode {
            ModeArgument::PartOfB(mode) => comparison.mode(mode).equality(equality.clone()),
            ModeArgument::Overlap => comparison.equality(equality.clone()),
        }
    }
}

/// The parts of both strings that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeArgument {
    /// All of A, and a part of B.
    PartOfB(Mode),
    Overlap,
}

impl ModeArgument {
    const OVERLAP: &str = "overlap";

    fn names() -> impl Iterator<Item = &'static str> {
        Mode::NAMES.into_iter().map(|(name, _)| name).chain([Self::OVERLAP])
    }
}

impl FromStr for ModeArgument {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        if name == Self::OVERLAP {
            return Ok(Self::Overlap);
        }
        let unknown = || Error::UnknownName { what: "mode", name: name.into(), known: Self::names().collect() };
        name.parse().map(Self::PartOfB).map_err(|_: Error| unknown())
    }
}

/// Options for many pairs.
#[derive(Debug, Args)]
#[command(next_help_heading = INPUT)]
pub struct PairArguments {
    /// Compare the two strings of each line, separated by a tab; `-` is stdin.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["StringArguments", "all", "output", "gaps", "plot"])]
    pub pairs: Option<OsString>,

    /// Compare all records of LIST with one another; of other files, lines.
    #[arg(long, value_name = "LIST", conflicts_with_all = ["StringArguments", "output", "gaps", "plot"])]
    pub all: Option<OsString>,

    /// With --all: compare all records of LIST with all of OTHER instead.
    #[arg(long, value_name = "OTHER", requires = "all")]
    pub with: Option<OsString>,

    /// Compare a column of CSV, TSV, JSON lines or Parquet; with --pairs, two.
    #[arg(long, value_name = "NAME", conflicts_with = "StringArguments")]
    pub column: Vec<String>,

    /// With --all --column: print this column in place of the numbers of rows.
    #[arg(long, value_name = "NAME", requires_all = ["all", "column"], hide_short_help = true)]
    pub id: Option<String>,

    /// Report distances up to K only: a number, or a share of the symbols like 10%.
    #[arg(short = 'k', long, value_name = "K", help_heading = MATCHING)]
    pub max: Option<Maximum>,

    /// Cost of a substitution: levenshtein (1), indel (2: m + n - 2 LCS).
    #[arg(long, value_enum, default_value_t = CostArgument::Levenshtein, help_heading = MATCHING)]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub cost: CostArgument,

    /// With --all: print the N nearest other strings of each string of LIST.
    #[arg(long, value_name = "N", requires = "all", help_heading = OUTPUT)]
    pub top: Option<usize>,

    /// With --all --max: print groups of similar strings: tsv, lines, json.
    #[arg(long, value_name = "FORMAT", value_enum, requires_all = ["all", "max"], conflicts_with_all = ["top", "with"])]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "tsv", help_heading = OUTPUT)]
    #[arg(hide_possible_values = true)]
    pub clusters: Option<ClusterFormat>,

    /// Groups by chains of similar strings (single), or around one string (star).
    #[arg(long, value_enum, default_value_t = Linkage::Single, requires = "clusters", help_heading = MATCHING)]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub linkage: Linkage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CostArgument {
    Levenshtein,
    Indel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Linkage {
    Single,
    Star,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClusterFormat {
    Tsv,
    Lines,
    Json,
}

/// Upper bound on the distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maximum {
    Number(u32),
    /// Percentage of the symbols.
    Percent(u32),
}

impl FromStr for Maximum {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let digits = text.strip_suffix('%');
        match digits.unwrap_or(text).parse() {
            Ok(share) if digits.is_some() && share > 100 => Err("a percentage is at most 100%".into()),
            Ok(share) if digits.is_some() => Ok(Self::Percent(share)),
            Ok(number) => Ok(Self::Number(number)),
            Err(fault) if *fault.kind() == IntErrorKind::PosOverflow => {
                Err("this number is too large; the maximum is 4294967295".into())
            }
            Err(_) => {
                Err("give a whole number such as 3, or a percentage of the longer string's symbols such as 10%".into())
            }
        }
    }
}

impl Maximum {
    /// Returns the maximum for a string of `symbols` symbols.
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

    /// Refuses options that only apply to many pairs.
    pub fn refuse(&self) -> Result<()> {
        match self.cost {
            CostArgument::Indel => Err(UsageFault::Combination.error("--cost needs --pairs or --all")),
            CostArgument::Levenshtein => Ok(()),
        }
    }

    /// Sets the bounds of a job, if there are any.
    pub fn limit<'p>(&self, pairs: Pairs<'p>) -> Pairs<'p> {
        match self.max {
            Some(Maximum::Number(number)) => pairs.maximum(number),
            Some(Maximum::Percent(share)) => pairs.similarity(1.0 - f64::from(share) / 100.0),
            None => pairs,
        }
    }

    /// Refuses too many columns or too few.
    pub fn check(&self) -> Result<()> {
        let wanted = match (&self.pairs, &self.with) {
            (Some(_), _) => 2..=2,
            (_, Some(_)) => 1..=2,
            _ => 1..=1,
        };
        if !self.column.is_empty() && !wanted.contains(&self.column.len()) {
            let reason = "--pairs needs two times --column, --all one, and --all --with one or two";
            return Err(UsageFault::Combination.error(reason));
        }
        Ok(())
    }
}
