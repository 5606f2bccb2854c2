//! The options of `carrywave search`: those of grep have grep's names and meaning.

use crate::shared::engine::{EngineArguments, EngineName, algorithms_help, long_help};
use crate::shared::limits::LimitArguments;
use crate::shared::text_arguments::TextArguments;
use carrywave::Result;
use carrywave::device::EngineKind;
use carrywave::error::UsageFault;
use carrywave::search::{Algorithm, Ends, Occurrences, Tuning};
use clap::{ArgAction, Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Text after the options in the help.
const HELP: &str = "\
Examples:
  carrywave search -k 2 accomodation *.txt             lines with a word, however it is spelt
  carrywave search -k 1 --rc GATTACAGATTACA genome.fa.gz   occurrences on both strands, as BED
  carrywave search -k 3 -f primers.fa reads.fastq --format json
  carrywave search -k 2 --rc --format align GATTACAGATTACA genome.fa   each occurrence with its errors
  carrywave search --whole -c 'a signature' disk.img   as one text, which may be larger than memory

A file that starts with '>' is FASTA, one that starts with '@' and has a '+' line is FASTQ: their records are searched,
line ends left out. Any other file is searched line by line, and a symbol is a character (--bytes: a byte); places are bytes.
Exit codes: 0 found, 1 not found, 2 an error.";

/// Where a pattern occurs, with at most k errors.
#[derive(Debug, Args)]
#[command(override_usage = "\
carrywave search [OPTIONS] PATTERN [FILE]...
       carrywave search [OPTIONS] -e PATTERN... [FILE]...
       carrywave search [OPTIONS] -f PATTERNS [FILE]...")]
#[command(after_help = HELP, after_long_help = long_help::<Occurrences>(HELP))]
#[command(disable_help_flag = true, args_override_self = true)]
pub struct Arguments {
    /// The pattern, and the files to search, plain, gz, bz2, xz or zst; none or `-` is standard input, and with -r none is the
    /// working directory. With -e and -f only files.
    #[arg(value_name = "PATTERN FILE", num_args = 0..)]
    pub words: Vec<OsString>,

    #[command(flatten)]
    pub limits: LimitArguments,

    /// A pattern, one for each -e. Like PATTERN it is several where it has several lines (not with --whole).
    #[arg(short = 'e', long = "regexp", value_name = "PATTERN", allow_hyphen_values = true)]
    pub expressions: Vec<OsString>,

    /// Patterns from a file: one a line, or FASTA.
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    pub patterns: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: TextArguments,

    /// Ignore the case of letters, also in bytes.
    #[arg(short = 'i', long, short_alias = 'y', overrides_with = "no_ignore_case")]
    pub ignore_case: bool,

    /// Do not ignore it.
    #[arg(long, hide = true, overrides_with = "ignore_case")]
    pub no_ignore_case: bool,

    /// A byte of the pattern that stands for any, also in bytes.
    #[arg(long, value_name = "SYMBOL", value_parser = one_byte)]
    pub wildcard: Option<u8>,

    /// Read classes in the pattern: `.` is any symbol, [ab] a or b, [^ab] neither, [a-z] a range, and \ takes the next symbol as it is.
    #[arg(long, conflicts_with = "wildcard")]
    pub classes: bool,

    #[command(flatten)]
    pub unread: Unread,

    /// Search for the reverse complement too.
    #[arg(long)]
    pub rc: bool,

    /// Also tell hits that overlap a better one of the same pattern and strand.
    #[arg(long)]
    pub overlapping: bool,

    /// Which ends to tell: best, one for each occurrence; or all at which an occurrence ends, each with the best one.
    #[arg(long, default_value = "best")]
    pub ends: Ends,

    #[command(flatten)]
    pub lines: LineArguments,

    #[command(flatten)]
    pub files: FileArguments,

    /// Print only how many: lines that match, or occurrences in FASTA and FASTQ and with --whole.
    #[arg(short = 'c', long)]
    pub count: bool,

    /// Print only the parts that match, each on its line.
    #[arg(short = 'o', long)]
    pub only_matching: bool,

    /// Print before each line (with -o, each part) where it begins: in bytes from the file's start, or in symbols from the
    /// record's.
    #[arg(short = 'b', long)]
    pub byte_offset: bool,

    /// What to print: text (lines, or records as FASTA or FASTQ, as they were), bed, json, sam, paf, or align (the pattern above what it
    /// matches); by default text for lines and bed for FASTA and FASTQ and with --whole.
    #[arg(long, value_enum)]
    pub format: Option<OutputFormat>,

    /// In bed also where the errors are: the CIGAR string as a seventh column. The other formats of occurrences have it anyway.
    #[arg(long)]
    pub cigar: bool,

    /// Take every file as one text, as it is, line ends and all, and read it in parts: it may be larger than memory, and is not
    /// decompressed. Prints -c, -o, bed, json or align.
    #[arg(long)]
    pub whole: bool,

    /// Mark what matches, and names and numbers, with colours: always, never, or auto, when a terminal shows them.
    #[arg(long, value_enum, value_name = "WHEN", alias = "colour", default_value = "auto")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub color: Color,

    #[command(flatten)]
    pub engine: EngineArguments,

    #[arg(long, default_value = "auto", help = algorithms_help::<Occurrences>())]
    pub algorithm: Algorithm,

    /// Options of scan, gbpr and xbitpar, as alpha=16,variant=overlapping,table=paper,segment=64: the symbols that a thread takes
    /// at a time; disjoint or overlapping scans; the match table for banks or the paper's; the symbols of a thread or warp.
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    pub tune: Tuning,

    /// Print help; -h leaves out file names, as in grep.
    #[arg(long, action = ArgAction::HelpLong)]
    help: Option<bool>,
}

/// How grep reads a pattern.
#[derive(Debug, Args)]
pub struct Unread {
    /// Patterns are strings: so they are without it, too.
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,

    #[arg(short = 'E', long, hide = true)]
    extended_regexp: bool,

    #[arg(short = 'P', long, hide = true)]
    perl_regexp: bool,

    #[arg(short = 'G', long, hide = true)]
    basic_regexp: bool,
}

/// What is done with lines.
#[derive(Debug, Args)]
pub struct LineArguments {
    /// Take the lines that do not match.
    #[arg(short = 'v', long)]
    pub invert_match: bool,

    /// Whole words: beside what matches is no letter, digit or underscore.
    #[arg(short = 'w', long)]
    pub word_regexp: bool,

    /// Whole lines and records (--full): all of it is the pattern, with at most k errors; of a line without a carriage return at its end.
    #[arg(short = 'x', long, visible_alias = "full")]
    pub line_regexp: bool,

    /// Print before each line its number.
    #[arg(short = 'n', long)]
    pub line_number: bool,

    /// Print so many lines after each that is taken too.
    #[arg(short = 'A', long, value_name = "N")]
    pub after_context: Option<usize>,

    /// Print so many lines before each that is taken too.
    #[arg(short = 'B', long, value_name = "N")]
    pub before_context: Option<usize>,

    /// Print so many lines before and after.
    #[arg(short = 'C', long, value_name = "N")]
    pub context: Option<usize>,

    /// What is printed between groups of lines that are apart.
    #[arg(long, value_name = "TEXT", default_value = "--", overrides_with = "no_group_separator")]
    pub group_separator: OsString,

    /// Print nothing between them.
    #[arg(long, overrides_with = "group_separator")]
    pub no_group_separator: bool,

    /// End a file after so many lines (occurrences in FASTA and FASTQ, and with --format and --whole).
    #[arg(short = 'm', long, value_name = "N")]
    pub max_count: Option<u64>,

    /// Write out each line at once.
    #[arg(long)]
    pub line_buffered: bool,

    /// Take a binary file, one with a NUL byte, for text.
    #[arg(short = 'a', long)]
    text: bool,

    /// Take it for one in which nothing is found.
    #[arg(short = 'I')]
    without_binary: bool,

    /// What is told of lines in a binary file: binary, that there are some; text, them; or without-match, nothing.
    #[arg(long, value_enum, value_name = "TYPE", default_value = "binary")]
    binary_files: BinaryFiles,
}

/// Which files are searched, and what is told of each.
#[derive(Debug, Args)]
pub struct FileArguments {
    /// Search folders with all below them, but hidden files and what .gitignore and .ignore name; links only if they are given.
    #[arg(short = 'r', long)]
    pub recursive: bool,

    /// The same, and follow all links.
    #[arg(short = 'R', long)]
    pub dereference_recursive: bool,

    /// Only files whose name fits, as '*.txt'.
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,

    /// No files whose name fits.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// No folders whose name fits.
    #[arg(long, value_name = "GLOB")]
    pub exclude_dir: Vec<String>,

    /// Search also what .gitignore, .ignore and git's other lists name.
    #[arg(long)]
    pub no_ignore: bool,

    /// Search also files and folders whose name begins with a dot.
    #[arg(long)]
    pub hidden: bool,

    /// Print only the names of files in which something is found.
    #[arg(short = 'l', long, overrides_with = "files_without_match")]
    pub files_with_matches: bool,

    /// Print only the names of those in which nothing is.
    #[arg(short = 'L', long, overrides_with = "files_with_matches")]
    pub files_without_match: bool,

    /// Print nothing, and end with the first that is found: the exit code tells.
    #[arg(short = 'q', long, visible_alias = "silent")]
    pub quiet: bool,

    /// Say nothing of files that are missing or cannot be read.
    #[arg(short = 's', long)]
    pub no_messages: bool,

    /// Print the file's name before each line, also of a single file.
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub with_filename: bool,

    /// Do not print it, also of several.
    #[arg(short = 'h', long, overrides_with = "with_filename")]
    pub no_filename: bool,

    /// A NUL byte after each file's name, and the name as it is.
    #[arg(short = 'Z', long)]
    pub null: bool,

    /// What standard input is called.
    #[arg(long, value_name = "NAME", default_value = "(standard input)")]
    pub label: String,
}

/// Numbers of lines that are printed before and after each line that is taken.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContextLines {
    pub before: usize,
    pub after: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Lines that match; records that match, as FASTA or FASTQ.
    Text,
    /// Name, start, end, pattern, errors, strand; 0-based, half open.
    Bed,
    /// An object for each occurrence, one a line.
    Json,
    /// SAM: records as references, patterns as reads.
    Sam,
    /// PAF, with the CIGAR as cg.
    Paf,
    /// Each occurrence for people, the pattern above the text.
    Align,
}

impl OutputFormat {
    /// Whether it is occurrences that are printed, wherever they are.
    pub fn tells_occurrences(self) -> bool {
        self != Self::Text
    }

    /// Whether it is for the records of FASTA and FASTQ alone.
    pub fn needs_records(self) -> bool {
        matches!(self, Self::Sam | Self::Paf)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    #[value(aliases = ["tty", "if-tty"])]
    Auto,
    #[value(aliases = ["yes", "force"])]
    Always,
    #[value(aliases = ["no", "none"])]
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BinaryFiles {
    Binary,
    Text,
    WithoutMatch,
}

fn one_byte(symbol: &str) -> std::result::Result<u8, String> {
    match symbol.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err("a wildcard is one byte".into()),
    }
}

impl FileArguments {
    /// Whether folders are searched with all below them.
    pub fn is_recursive(&self) -> bool {
        self.recursive || self.dereference_recursive
    }
}

impl Arguments {
    /// Refuses what is wrong whatever the files are.
    pub fn check(&self) -> Result<()> {
        let Unread { extended_regexp, perl_regexp, basic_regexp, .. } = self.unread;
        let regular = [(extended_regexp, "-E"), (perl_regexp, "-P"), (basic_regexp, "-G")];
        if let Some((_, option)) = regular.into_iter().find(|(given, _)| *given) {
            return Err(UsageFault::Syntax.error(format!(
                "{option} asks for a regular expression, which is not searched for here: grep and rg do that, without errors; \
                 --classes reads . and [a-z]"
            )));
        }
        let usage = |reason: &str| Err(UsageFault::Combination.error(reason));
        let is_table = self.whole || self.format.is_some_and(OutputFormat::tells_occurrences);
        if let Some(option) = self.of_lines()
            && is_table
        {
            let other =
                if self.whole { "--whole has none" } else { "--format bed, json, sam, paf and align tell occurrences" };
            return usage(&format!("{option} is about lines: {other}"));
        }
        if self.is_bounded() && (self.overlapping || self.ends == Ends::All) {
            return usage(
                "-w and -x (--full) tell whole words, lines and records: take no --overlapping and no --ends all",
            );
        }
        if self.lines.line_regexp {
            if self.whole {
                return usage("-x (--full) tells whole lines and records: --whole has none");
            }
            if self.engine.engine != EngineName::Auto && self.engine.engine != EngineName::One(EngineKind::Cpu)
                || !self.algorithm.is_auto()
            {
                return usage(
                    "-x (--full) compares whole lines and records on the CPU: take no --engine and no --algorithm",
                );
            }
        } else if self.lines.word_regexp && self.rc {
            return usage("-w takes no --rc: words are read in one direction");
        }
        Ok(())
    }

    /// An option that was given and has a meaning for lines alone.
    pub fn of_lines(&self) -> Option<&'static str> {
        let lines = &self.lines;
        let given = [
            (lines.invert_match, "-v"),
            (lines.word_regexp, "-w"),
            (lines.line_number, "-n"),
            (lines.after_context.is_some(), "-A"),
            (lines.before_context.is_some(), "-B"),
            (lines.context.is_some(), "-C"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// Whether only whole words or lines count.
    pub fn is_bounded(&self) -> bool {
        self.lines.word_regexp || self.lines.line_regexp
    }

    /// Whether all that is asked of a file is whether something is in it.
    pub fn asks_whether(&self) -> bool {
        self.files.quiet || self.files.files_with_matches || self.files.files_without_match
    }

    /// Whether only a number or a name is printed of a file.
    pub fn prints_no_hits(&self) -> bool {
        self.count || self.asks_whether()
    }

    /// What is made of binary files: the options that decide say it for the lot.
    pub fn binary_files(&self) -> BinaryFiles {
        match self.lines {
            LineArguments { text: true, .. } => BinaryFiles::Text,
            LineArguments { without_binary: true, .. } => BinaryFiles::WithoutMatch,
            LineArguments { binary_files, .. } => binary_files,
        }
    }

    /// Hits (lines that are taken) after which a file is left.
    pub fn most(&self) -> u64 {
        self.lines.max_count.unwrap_or(u64::MAX).min(if self.asks_whether() { 1 } else { u64::MAX })
    }

    /// Returns true if each line is looked at as a whole: then it has to be in memory.
    pub fn prints_lines(&self) -> bool {
        match self.format {
            Some(format) if format.tells_occurrences() => false,
            _ => !self.prints_no_hits() || self.lines.invert_match || self.lines.word_regexp,
        }
    }

    /// Returns the lines around each that is taken which are printed too; `None` if no option asks for them.
    pub fn context(&self) -> Option<ContextLines> {
        let LineArguments { before_context, after_context, context, .. } = self.lines;
        let before = before_context.or(context);
        let after = after_context.or(context);
        let is_given = before.is_some() || after.is_some();
        is_given.then(|| ContextLines { before: before.unwrap_or(0), after: after.unwrap_or(0) })
    }
}
