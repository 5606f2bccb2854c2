//! The options of `carrywave barcodes`.

use crate::shared::help::{EXIT_STATUS, MATCHING, OUTPUT, TEMPLATE, few};
use carrywave::barcodes::Place;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

const EXAMPLES: &str = "\
Examples:
  carrywave barcodes plate.tsv reads.fastq.gz > assigned.tsv    the first bases are the barcode
  carrywave barcodes -k 2 --count plate.tsv reads.fastq.gz      number of reads of each barcode
  carrywave barcodes --within 0-4 -k 2 --margin 2 plate.tsv reads.fastq.gz
  carrywave barcodes --split 'out/{name}.fq.gz' plate.tsv reads.fastq.gz   a file for each barcode
  carrywave barcodes --umi 16-26 whitelist.txt.gz r1.fastq.gz   molecules of each cell
  carrywave barcodes --anywhere --format json plate.fa reads.fa";

const SHORT: &str = "All options, and the rules: carrywave barcodes --help";

const LONG: &str = "\
Barcodes:
  BARCODES has a barcode a line, with its name after a tab if it has one, or FASTA records. Barcodes
  have the bases A, C, G and T, and one of two equal ones is refused. Lengths may differ.
  `-` is standard input.

Errors:
  The errors of a barcode are the least edit distance between the whole barcode and a part of the
  read that starts at the place. The end of the part is free. An N of the read matches nothing.
  A read is assigned to the nearest barcode, if no other has less than --margin errors more.

Output:
  tsv has the read, barcode, errors, start, end, number of barcodes with these errors, errors of the
  second best if they are less than the margin away, and `assigned`, `ambiguous` or `none`. Fields
  without a value are `*`. Positions are 0-based, half-open.
  --count prints a line for each barcode: reads with 0, 1, ... errors, and all. The last two lines
  are for the reads that are ambiguous, and for those that have no barcode.
  --umi and --umi-after print a line for each barcode with reads: reads with a UMI of the bases A, C,
  G and T, different UMIs, and molecules: clusters of UMIs by the directional method of UMI-tools.";

/// Assigns reads to the nearest of many barcodes.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave barcodes [OPTIONS] BARCODES READS...")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = SHORT)]
#[command(after_long_help = format!("{LONG}\n\n{EXIT_STATUS}"))]
pub struct Arguments {
    /// File of barcodes: one a line, with a name after a tab, or FASTA; and files of reads: FASTQ
    /// or FASTA, plain or compressed.
    #[arg(value_name = "BARCODES READS", num_args = 0..)]
    pub words: Vec<OsString>,

    /// Errors allowed in a barcode: mismatches, and bases that are missing or added.
    #[arg(short = 'k', long, value_name = "N", default_value_t = 1, help_heading = MATCHING)]
    pub errors: u32,

    /// Allow mismatches alone.
    #[arg(long, help_heading = MATCHING)]
    pub mismatches_only: bool,

    /// Errors that the second best barcode has more than the best, at least, in an assigned read.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = MATCHING)]
    pub margin: u32,

    /// The barcode starts at position N of the read, 0-based [default: 0].
    #[arg(long, value_name = "N", conflicts_with_all = ["within", "anywhere"], help_heading = MATCHING)]
    at: Option<usize>,

    /// The barcode starts at one of the positions FIRST to LAST, 0-based, both included.
    #[arg(long, value_name = "FIRST-LAST", conflicts_with = "anywhere", help_heading = MATCHING)]
    within: Option<Positions>,

    /// The barcode starts anywhere in the read.
    #[arg(long, help_heading = MATCHING)]
    anywhere: bool,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t = Format::Tsv, help_heading = OUTPUT)]
    pub format: Format,

    /// Print only the number of reads of each barcode, by the number of errors.
    #[arg(short, long, conflicts_with = "format", help_heading = OUTPUT)]
    pub count: bool,

    /// Print the number of UMIs and of molecules of each barcode. The UMI is at positions START to
    /// END of the read, 0-based, without END.
    #[arg(long, value_name = "START-END", conflicts_with_all = ["format", "count"], help_heading = OUTPUT)]
    umi: Option<Positions>,

    /// Like --umi, for a UMI of N bases directly behind the barcode's end in the read.
    #[arg(long, value_name = "N", conflicts_with_all = ["format", "count", "umi"], help_heading = OUTPUT)]
    umi_after: Option<usize>,

    /// Write the reads of each barcode to a file; {name} in FILE is the barcode's name, or
    /// `unknown`. Files that end in .gz are compressed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "count", "umi", "umi_after"])]
    #[arg(help_heading = OUTPUT)]
    pub split: Option<PathBuf>,

    /// Write to FILE, which appears when it is complete [default: standard output].
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line for each read, with a heading.
    Tsv,
    /// One JSON object for each read.
    Json,
}

/// Two positions with a hyphen between them.
#[derive(Debug, Clone, Copy)]
struct Positions {
    first: usize,
    last: usize,
}

impl FromStr for Positions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let position =
            |digits: &str| digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()));
        let positions = text.split_once('-').and_then(|(first, last)| {
            Some(Self { first: position(first)?, last: position(last)? }).filter(|own| own.first <= own.last)
        });
        positions.ok_or_else(|| "give two positions with a hyphen between them, the lesser first, such as 0-4".into())
    }
}

/// Position of the UMI in a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UmiPlace {
    /// At positions of the read.
    At(Range<usize>),
    /// This many bases behind the barcode.
    Behind(usize),
}

impl UmiPlace {
    /// Returns the number of bases of a UMI.
    pub fn bases(&self) -> usize {
        match self {
            Self::At(range) => range.len(),
            Self::Behind(bases) => *bases,
        }
    }
}

impl Arguments {
    /// Returns where barcodes start.
    pub fn place(&self) -> Place {
        match (self.anywhere, self.within, self.at) {
            (true, ..) => Place::Anywhere,
            (false, Some(Positions { first, last }), _) => Place::Within { first, last },
            (false, None, at) => Place::At(at.unwrap_or(0)),
        }
    }

    /// Returns where UMIs are, if they are counted.
    pub fn umi_place(&self) -> Option<UmiPlace> {
        let range = self.umi.map(|Positions { first, last }| UmiPlace::At(first..last));
        range.or(self.umi_after.map(UmiPlace::Behind))
    }
}
