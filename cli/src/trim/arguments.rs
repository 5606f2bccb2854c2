//! The options of `carrywave trim`.

use crate::shared::help::{EXIT_STATUS, FILTERS, INPUT, MATCHING, OUTPUT, STEPS, TEMPLATE, few, one_of};
use carrywave::trim::{Action, PairFilter};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

const EXAMPLES: &str = "\
Examples:
  carrywave trim -a AGATCGGAAGAGC -m 20 -o out.fastq.gz reads.fastq.gz
  carrywave trim -a AGATCGGAAGAGC -A AGATCGGAAGAGC -o 1.fq.gz -p 2.fq.gz r1.fq.gz r2.fq.gz
  carrywave trim -g ^GTGYCAGCMGCCGCGGTAA -q 20 --discard-untrimmed reads.fq > amplicons.fq
  carrywave trim -e 1 -g ^file:barcodes.fa -o '{name}.fq.gz' reads.fq.gz      one file a barcode
  carrywave trim -a ^GGCATTC...ACCTTGA reads.fa                                linked adapters";

const SHORT: &str = "All options, and the notation of adapters: carrywave trim --help";

const LONG: &str = "\
Adapters:
  ACGT          anywhere in the read, or partly over the end of the read at which it is
  ^ACGT, ACGT$  the start (-g), the end (-a) of the read
  XACGT, ACGTX  at the start (-g), the end (-a) of the read, whole or in part
  ACGT...TTGA   a 5' adapter, then a 3' adapter; -g requires both, -a those with ^ or $
  NAME=ACGT     with a name, for the report and for {name}
  A{10}         a repeated base
  ACGT;e=0.2    with settings of its own: e, o, indels, noindels, rightmost, anywhere; in linked
                adapters required, optional
  file:NAME     all records of a FASTA file; ^file:NAME and file$:NAME add the mark to each

Matches:
  As in cutadapt: a match counts +1, a mismatch -1, an insertion or a deletion -2. The leftmost
  alignment whose error rate is allowed is taken, or one that overlaps it and has a higher score.
  The error rate is the errors per aligned symbol of the adapter that is not N. Of several
  adapters, the one with the highest score is removed.

Order of the steps:
  -u, --nextseq-trim, -q, adapters, --poly-a, -l, --trim-n, --length-tag, --strip-suffix, -x and
  -y, -z, --rename, then the filters: -m, -M, --max-n, --max-ee, --max-aer, --discard-casava,
  --discard-trimmed, --discard-untrimmed.

Templates of --rename:
  {header}          the header; {id} and {comment}: up to the first blank, and behind it
  {adapter_name}    the last adapter that was found, or no_adapter
  {match_sequence}  the bases that it matched
  {cut_prefix}, {cut_suffix}  the bases that -u removed
  {rc}              rc if the read is the other strand
  {rn}              1 or 2, in pairs; {r1.comment}: a value of the first read, {r2.…}: of the second

Output:
  A file whose name ends in .gz is compressed (BGZF, which every program for gzip reads). {name} in
  the name of an output stands for the adapter's name ({name1}, {name2}: of both reads of a pair);
  reads without one go to `unknown`, or to --untrimmed-output. FASTA is written if the input is
  FASTA, or if the name ends in .fa, .fna or .fasta.";

/// Removes adapters, primers and ends of low quality from reads.
#[derive(Debug, Args)]
#[command(override_usage = "\
carrywave trim [OPTIONS] -a ADAPTER READS
       carrywave trim [OPTIONS] -a ADAPTER -A ADAPTER -o OUT1 -p OUT2 READS1 READS2")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = SHORT)]
#[command(after_long_help = format!("{LONG}\n\n{EXIT_STATUS}"))]
pub struct Arguments {
    /// FASTA or FASTQ, plain or compressed; `-` is standard input. Two files are pairs in step.
    #[arg(value_name = "READS", num_args = 1..=2, required = true)]
    pub inputs: Vec<OsString>,

    /// 3' adapter: it is removed with what follows it; may be repeated.
    #[arg(short = 'a', long = "adapter", value_name = "ADAPTER", help_heading = INPUT)]
    pub three_prime: Vec<AdapterText>,

    /// 5' adapter: it is removed with what precedes it; may be repeated.
    #[arg(short = 'g', long = "front", value_name = "ADAPTER", help_heading = INPUT)]
    pub five_prime: Vec<AdapterText>,

    /// Adapter of either end: 5' if it matches the read's first base, else 3'; may be repeated.
    #[arg(short = 'b', long = "anywhere", value_name = "ADAPTER", help_heading = INPUT, hide_short_help = true)]
    pub either: Vec<AdapterText>,

    /// 3' adapter of the second reads of pairs; may be repeated.
    #[arg(short = 'A', value_name = "ADAPTER", help_heading = INPUT)]
    pub second_three_prime: Vec<AdapterText>,

    /// 5' adapter of the second reads; may be repeated.
    #[arg(short = 'G', value_name = "ADAPTER", help_heading = INPUT)]
    pub second_five_prime: Vec<AdapterText>,

    /// Adapter of either end of the second reads; may be repeated.
    #[arg(short = 'B', value_name = "ADAPTER", help_heading = INPUT, hide_short_help = true)]
    pub second_either: Vec<AdapterText>,

    /// The reads of a file are pairs, first and second in turn; without -p, so is the output.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub interleaved: bool,

    /// Errors allowed: below 1, per aligned base of the adapter; from 1 on, in a whole adapter.
    #[arg(short = 'e', long = "error-rate", visible_alias = "errors", value_name = "E", default_value_t = 0.1)]
    #[arg(help_heading = MATCHING)]
    pub errors: f64,

    /// Fewest bases of an adapter that must match.
    #[arg(short = 'O', long, value_name = "N", default_value_t = 3, help_heading = MATCHING)]
    pub overlap: usize,

    /// Allow no insertions and deletions.
    #[arg(long, help_heading = MATCHING, hide_short_help = true)]
    pub no_indels: bool,

    /// Most adapters to remove from a read.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, help_heading = MATCHING)]
    pub times: usize,

    /// IUPAC codes in reads match all their bases.
    #[arg(long, help_heading = MATCHING, hide_short_help = true)]
    pub match_read_wildcards: bool,

    /// IUPAC codes in adapters are letters like others.
    #[arg(short = 'N', long, help_heading = MATCHING, hide_short_help = true)]
    pub no_match_adapter_wildcards: bool,

    /// Also look in the reverse complement (in pairs: the swapped pair), and take the better.
    #[arg(long = "revcomp", visible_alias = "rc", help_heading = MATCHING, hide_short_help = true)]
    pub reverse_complement: bool,

    /// Remove the n-th adapters of both reads of a pair together, or not at all.
    #[arg(long, help_heading = MATCHING, hide_short_help = true)]
    pub pair_adapters: bool,

    /// Do this with a match: trim, retain (keep the adapter), mask (N), lowercase, crop (keep the
    /// adapter alone), none.
    #[arg(long, default_value = "trim", value_parser = one_of::<Action>(Action::NAMES.map(|(name, _)| name)))]
    #[arg(hide_possible_values = true, help_heading = MATCHING, hide_short_help = true)]
    pub action: Action,

    /// Remove N bases from the start, or -N from the end; may be given twice.
    #[arg(short = 'u', long, value_name = "N", allow_hyphen_values = true)]
    #[arg(help_heading = STEPS, hide_short_help = true)]
    pub cut: Vec<i64>,

    /// Remove N bases from the start of second reads, or -N from the end.
    #[arg(short = 'U', value_name = "N", allow_hyphen_values = true, help_heading = STEPS, hide_short_help = true)]
    pub second_cut: Vec<i64>,

    /// Remove ends below this quality (BWA's rule): the 3' end, or `5',3'`.
    #[arg(short = 'q', long, value_name = "[5',]3'", help_heading = STEPS)]
    pub quality_cutoff: Option<Cutoffs>,

    /// Remove ends of second reads below this quality [default: as -q].
    #[arg(short = 'Q', value_name = "[5',]3'", help_heading = STEPS, hide_short_help = true)]
    pub second_quality_cutoff: Option<Cutoffs>,

    /// Remove 3' ends below this quality, where G has none (two colors: NextSeq, NovaSeq).
    #[arg(long, value_name = "Q", help_heading = STEPS, hide_short_help = true)]
    pub nextseq_trim: Option<i64>,

    /// Character of quality 0, as a number.
    #[arg(long, value_name = "N", default_value_t = 33, help_heading = STEPS, hide_short_help = true)]
    pub quality_base: u8,

    /// Remove poly-A tails, and poly-T heads of second reads.
    #[arg(long, help_heading = STEPS, hide_short_help = true)]
    pub poly_a: bool,

    /// Keep the first N bases, or the last N if negative.
    #[arg(short = 'l', long, value_name = "N", allow_hyphen_values = true)]
    #[arg(help_heading = STEPS, hide_short_help = true)]
    pub length: Option<i64>,

    /// Keep the first N bases of second reads, or the last N [default: as -l].
    #[arg(short = 'L', value_name = "N", allow_hyphen_values = true, help_heading = STEPS, hide_short_help = true)]
    pub second_length: Option<i64>,

    /// Remove N at both ends.
    #[arg(long, help_heading = STEPS, hide_short_help = true)]
    pub trim_n: bool,

    /// Put the read's length behind TAG in the header, for example `length=`.
    #[arg(long, value_name = "TAG", help_heading = STEPS, hide_short_help = true)]
    pub length_tag: Option<String>,

    /// Remove TEXT from the end of headers; may be repeated.
    #[arg(long, value_name = "TEXT", help_heading = STEPS, hide_short_help = true)]
    pub strip_suffix: Vec<String>,

    /// Add TEXT before headers; `{name}` in it is the name of the adapter.
    #[arg(short = 'x', long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    #[arg(help_heading = STEPS, hide_short_help = true)]
    pub prefix: String,

    /// Add TEXT after headers; `{name}` in it is the name of the adapter.
    #[arg(short = 'y', long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    #[arg(help_heading = STEPS, hide_short_help = true)]
    pub suffix: String,

    /// Write headers by a template, for example `{id}_{cut_prefix} {comment}`.
    #[arg(long, value_name = "TEMPLATE", help_heading = STEPS, hide_short_help = true)]
    pub rename: Option<String>,

    /// Raise qualities below 0 to 0.
    #[arg(short = 'z', long, help_heading = STEPS, hide_short_help = true)]
    pub zero_cap: bool,

    /// Drop reads shorter than N; N:M for pairs, where either may be missing.
    #[arg(short = 'm', long, value_name = "N[:M]", help_heading = FILTERS)]
    pub minimum_length: Option<Lengths>,

    /// Drop reads longer than N; N:M for pairs.
    #[arg(short = 'M', long, value_name = "N[:M]", help_heading = FILTERS, hide_short_help = true)]
    pub maximum_length: Option<Lengths>,

    /// Drop reads with more N: below 1, per base.
    #[arg(long, value_name = "N", help_heading = FILTERS, hide_short_help = true)]
    pub max_n: Option<f64>,

    /// Drop reads whose qualities predict more errors.
    #[arg(long, visible_alias = "max-expected-errors", value_name = "N")]
    #[arg(help_heading = FILTERS, hide_short_help = true)]
    pub max_ee: Option<f64>,

    /// Drop reads whose qualities predict more errors per base.
    #[arg(long, visible_alias = "max-average-error-rate", value_name = "RATE", help_heading = FILTERS)]
    #[arg(hide_short_help = true)]
    pub max_aer: Option<f64>,

    /// Drop reads that failed the sequencer's filter (`1:Y:` in the header).
    #[arg(long, help_heading = FILTERS, hide_short_help = true)]
    pub discard_casava: bool,

    /// Drop reads with an adapter.
    #[arg(long, visible_alias = "discard", help_heading = FILTERS, hide_short_help = true)]
    pub discard_trimmed: bool,

    /// Drop reads without an adapter.
    #[arg(long, visible_alias = "trimmed-only", help_heading = FILTERS)]
    pub discard_untrimmed: bool,

    /// Drop a pair if this many of its reads fail: any, both, or first (the first read decides).
    #[arg(long, default_value = "any", value_parser = one_of::<PairFilter>(PairFilter::NAMES.map(|(name, _)| name)))]
    #[arg(hide_possible_values = true, help_heading = FILTERS, hide_short_help = true)]
    pub pair_filter: PairFilter,

    /// Write to FILE, which appears when it is complete [default: standard output].
    #[arg(short = 'o', long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Write the second reads of pairs to FILE.
    #[arg(short = 'p', long, value_name = "FILE", help_heading = OUTPUT)]
    pub paired_output: Option<PathBuf>,

    /// Write reads without an adapter to FILE [default: with the others].
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub untrimmed_output: Option<PathBuf>,

    /// Write second reads of pairs without an adapter to FILE.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub untrimmed_paired_output: Option<PathBuf>,

    /// Write reads that are too short to FILE [default: drop them].
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub too_short_output: Option<PathBuf>,

    /// Write second reads of pairs that are too short to FILE.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub too_short_paired_output: Option<PathBuf>,

    /// Write reads that are too long to FILE [default: drop them].
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub too_long_output: Option<PathBuf>,

    /// Write second reads of pairs that are too long to FILE.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub too_long_paired_output: Option<PathBuf>,

    /// Write FASTA.
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub fasta: bool,

    /// Compression of .gz files, 1 (fast) to 12 (small).
    #[arg(long = "compression-level", value_name = "N", default_value_t = 1, help_heading = OUTPUT)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=12), hide_short_help = true)]
    pub level: u32,

    /// Report on standard output, or on standard error if the reads are there: full, short, none.
    #[arg(long, value_enum, default_value_t = Report::Full, hide_possible_values = true)]
    #[arg(help_heading = OUTPUT, hide_short_help = true)]
    pub report: Report,

    /// Write the report to FILE as JSON, with the keys of cutadapt's.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub json: Option<PathBuf>,
}

/// The text of an adapter, with its position among all adapters of the command line.
#[derive(Debug, Clone)]
pub struct AdapterText {
    pub text: String,
    pub order: usize,
}

impl std::str::FromStr for AdapterText {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Options are parsed in the order of the command line.
        static ORDER: AtomicUsize = AtomicUsize::new(0);
        Ok(Self { text: text.into(), order: ORDER.fetch_add(1, Ordering::Relaxed) })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Report {
    /// Numbers of reads and bases, and a table for each adapter.
    Full,
    /// One line of numbers, with a heading.
    #[value(alias = "minimal")]
    Short,
    None,
}

/// Qualities below which the 5' and the 3' end are removed.
#[derive(Debug, Clone, Copy)]
pub struct Cutoffs(pub [i64; 2]);

impl std::str::FromStr for Cutoffs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            text.trim().parse().map_err(|_| format!("`{text}` is not a quality; write one number, or two with a comma"))
        };
        Ok(Self(match text.split_once(',') {
            None => [0, number(text)?],
            Some((front, back)) => [number(front)?, number(back)?],
        }))
    }
}

/// Lengths for the first and the second reads.
#[derive(Debug, Clone, Copy)]
pub struct Lengths {
    pub first: Option<usize>,
    /// `None` if the filter does not look at second reads.
    pub second: Option<usize>,
    /// True if there is no colon: the length is that of both.
    pub is_of_both: bool,
}

impl std::str::FromStr for Lengths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| format!("`{text}` is not a length")),
        };
        let lengths = match text.split_once(':') {
            None => Self { first: number(text)?, second: number(text)?, is_of_both: true },
            Some((first, second)) => Self { first: number(first)?, second: number(second)?, is_of_both: false },
        };
        match (lengths.first, lengths.second) {
            (None, None) => Err("give at least one length".into()),
            _ => Ok(lengths),
        }
    }
}

impl Arguments {
    /// Returns true if reads go to standard output.
    pub fn uses_stdout(&self) -> bool {
        self.output.as_ref().is_none_or(|path| path == Path::new("/dev/stdout"))
    }

    /// Returns true if the reads come in pairs.
    pub fn is_paired(&self) -> bool {
        self.interleaved || self.inputs.len() == 2
    }
}
