//! Options of `carrywave search`. Options of grep keep their names and meaning.

use super::borders::BorderArguments;
use crate::shared::engine::{EngineArguments, EngineName};
use crate::shared::help::{
    DIAGNOSTICS, GLOBAL, INPUT, MATCHING, OUTPUT, PERFORMANCE, TEMPLATE, algorithm_names, algorithms, few, one_of,
};
use crate::shared::limits::LimitArguments;
use crate::shared::text_arguments::TextArguments;
use carrywave::Result;
use carrywave::device::EngineKind;
use carrywave::error::UsageFault;
use carrywave::search::{Algorithm, Ends, Occurrences, Tuning};
use clap::{ArgAction, Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carrywave search -k 2 accomodation *.txt                 lines with a word, also misspelt
  carrywave search -k 1 --rc GATTACAGATTACA genome.fa.gz   hits on both strands, as BED
  carrywave search -k 3 -f primers.fa reads.fastq --format json
  carrywave search -k 2 --rc --format align GATTACAGATTACA genome.fa   each hit with its errors
  carrywave search --whole -c 'a signature' disk.img       one text, which may exceed memory";

const SHORT: &str = "All options, and the list of algorithms: carrywave search --help";

const LONG: &str = "\
Files:
  Files may be compressed with gz, bz2, xz or zst. With -r, no file means the working directory.
  A file that starts with '>' is FASTA; one that starts with '@' and has a '+' line is FASTQ.
  Two-bit files of UCSC are read like FASTA.
  The alphabet auto is iupac or protein for them, by the first records, and bytes for other files.
  In both, records are searched without their line ends. Other files are searched line by line.
  FILE:RECORD searches one record, and FILE:RECORD:1001-2000 a part of it, 1-based with both ends;
  printed positions are those of the whole record. An index beside the file is used (FILE.fai).
  --whole searches any file as one text, in parts and without decompression; it prints -c, -o, bed,
  json or align.
  In lines a symbol is a UTF-8 character (--bytes: a byte); positions are in bytes.

Patterns:
  A pattern of several lines is several patterns, except with --whole. In a FASTA file of patterns (-f)
  a header may set the errors and the fixed positions of its pattern: `>name k=3 fixed=21-23`.";

const EXIT: &str = "\
Exit status:
  0  at least one hit
  1  no hit
  2  error";

/// Options of `carrywave search`.
#[derive(Debug, Args)]
#[command(override_usage = "\
carrywave search [OPTIONS] PATTERN [FILE]...
       carrywave search [OPTIONS] -e PATTERN... [FILE]...
       carrywave search [OPTIONS] -f PATTERNS [FILE]...")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = SHORT)]
#[command(after_long_help = format!("{LONG}\n\n{}\n\n{EXIT}", algorithms::<Occurrences>("Algorithms")))]
#[command(disable_help_flag = true, args_override_self = true)]
pub struct Arguments {
    /// Pattern (not with -e and -f), and files; none or `-` is standard input.
    #[arg(value_name = "PATTERN FILE", num_args = 0..)]
    pub words: Vec<OsString>,

    /// Pattern; may be repeated, or have several lines.
    #[arg(short = 'e', long = "regexp", value_name = "PATTERN", allow_hyphen_values = true, help_heading = INPUT)]
    #[arg(hide_short_help = true)]
    pub expressions: Vec<OsString>,

    /// Read patterns from FILE: one a line, or FASTA.
    #[arg(short = 'f', long = "file", value_name = "FILE", help_heading = INPUT)]
    pub patterns: Vec<PathBuf>,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub borders: BorderArguments,

    #[command(flatten)]
    pub reading: TextArguments,

    /// Ignore the case of letters, also in bytes.
    #[arg(short = 'i', long, short_alias = 'y', overrides_with = "no_ignore_case", help_heading = MATCHING)]
    pub ignore_case: bool,

    /// Do not ignore the case of letters.
    #[arg(long, hide = true, overrides_with = "ignore_case")]
    pub no_ignore_case: bool,

    /// Symbol of the pattern that matches any symbol.
    #[arg(long, value_name = "SYMBOL", value_parser = one_byte, hide_short_help = true, help_heading = MATCHING)]
    pub wildcard: Option<u8>,

    /// Read `.`, [ab], [^ab], [a-z] and \ in the pattern.
    #[arg(long, conflicts_with = "wildcard", help_heading = MATCHING, hide_short_help = true)]
    pub classes: bool,

    #[command(flatten)]
    pub unread: GrepSyntaxOptions,

    /// Also search for the reverse complement.
    #[arg(long, help_heading = MATCHING)]
    pub rc: bool,

    /// Also report hits that overlap a better one of the same pattern and strand.
    #[arg(long, hide_short_help = true, help_heading = MATCHING)]
    pub overlapping: bool,

    /// Ends to report: best (one for each hit), or all (every position where a hit ends).
    #[arg(long, default_value = "best", hide_short_help = true, help_heading = MATCHING)]
    #[arg(value_parser = one_of::<Ends>(["best", "all"]), hide_possible_values = true)]
    pub ends: Ends,

    #[command(flatten)]
    pub lines: LineArguments,

    #[command(flatten)]
    pub files: FileArguments,

    /// Print only the number of matching lines, or of hits.
    #[arg(short = 'c', long, help_heading = OUTPUT)]
    pub count: bool,

    /// Print only the matching parts, each on a line.
    #[arg(short = 'o', long, help_heading = OUTPUT)]
    pub only_matching: bool,

    /// Print the 0-based position before each line or part: bytes of the file, or symbols of the
    /// record.
    #[arg(short = 'b', long, hide_short_help = true, help_heading = OUTPUT)]
    pub byte_offset: bool,

    /// text, bed, json, sam, paf, align [default: text for lines, else bed].
    #[arg(long, value_enum, hide_possible_values = true, help_heading = OUTPUT)]
    pub format: Option<OutputFormat>,

    /// With --format bed: print the CIGAR string as a seventh column.
    #[arg(long, hide_short_help = true, help_heading = OUTPUT)]
    pub cigar: bool,

    /// Search a file as one text with its line ends; it may exceed memory.
    #[arg(long, help_heading = INPUT)]
    pub whole: bool,

    /// Colour hits, names and numbers: always, never, or auto (on a terminal).
    #[arg(long, value_enum, value_name = "WHEN", alias = "colour", default_value = "auto", help_heading = OUTPUT)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub color: Color,

    #[command(flatten)]
    pub engine: EngineArguments,

    /// Algorithm; the list is at the end of --help.
    #[arg(long, default_value = "auto", hide_possible_values = true, help_heading = PERFORMANCE)]
    #[arg(value_parser = one_of::<Algorithm>(algorithm_names::<Occurrences>()), hide_short_help = true)]
    pub algorithm: Algorithm,

    /// Parameters of the published algorithms, such as
    /// alpha=16,variant=overlapping,table=paper,segment=64.
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    #[arg(hide_short_help = true, help_heading = PERFORMANCE)]
    pub tune: Tuning,

    /// Print no messages about files that are missing or cannot be read.
    #[arg(short = 's', long, help_heading = DIAGNOSTICS, hide_short_help = true)]
    pub no_messages: bool,

    /// Print this help; with a pattern, -h leaves out file names, as in grep.
    #[arg(long, action = ArgAction::HelpLong, help_heading = GLOBAL)]
    help: Option<bool>,

    /// Print the short help: the meaning of `-h` as the only word.
    #[arg(long, hide = true, action = ArgAction::HelpShort)]
    short_help: Option<bool>,
}

/// Options of grep for the syntax of patterns.
#[derive(Debug, Args)]
pub struct GrepSyntaxOptions {
    /// Take patterns as strings, which is the default.
    #[arg(short = 'F', long, hide_short_help = true, help_heading = MATCHING)]
    pub fixed_strings: bool,

    #[arg(short = 'E', long, hide = true)]
    extended_regexp: bool,

    #[arg(short = 'P', long, hide = true)]
    perl_regexp: bool,

    #[arg(short = 'G', long, hide = true)]
    basic_regexp: bool,
}

/// Options for lines.
#[derive(Debug, Args)]
#[command(next_help_heading = OUTPUT)]
pub struct LineArguments {
    /// Select the lines, or the records, that do not match.
    #[arg(short = 'v', long, help_heading = MATCHING)]
    pub invert_match: bool,

    /// Match whole words: no letter, digit or underscore beside it.
    #[arg(short = 'w', long, help_heading = MATCHING)]
    pub word_regexp: bool,

    /// Match whole lines, or whole records; --full means the same.
    #[arg(short = 'x', long, alias = "full", help_heading = MATCHING)]
    pub line_regexp: bool,

    /// Print the line number before each line.
    #[arg(short = 'n', long)]
    pub line_number: bool,

    /// Print N lines of context after each match.
    #[arg(short = 'A', long, value_name = "N", hide_short_help = true)]
    pub after_context: Option<usize>,

    /// Print N lines of context before each match.
    #[arg(short = 'B', long, value_name = "N", hide_short_help = true)]
    pub before_context: Option<usize>,

    /// Print N lines of context before and after each match.
    #[arg(short = 'C', long, value_name = "N")]
    pub context: Option<usize>,

    /// Text between groups of lines.
    #[arg(long, value_name = "TEXT", default_value = "--", overrides_with = "no_group_separator")]
    #[arg(hide_short_help = true)]
    pub group_separator: OsString,

    /// Print nothing between groups of lines.
    #[arg(long, overrides_with = "group_separator", hide_short_help = true)]
    pub no_group_separator: bool,

    /// Stop a file after N lines, or N hits.
    #[arg(short = 'm', long, value_name = "N", hide_short_help = true)]
    pub max_count: Option<u64>,

    /// Write each line at once.
    #[arg(long, hide_short_help = true)]
    pub line_buffered: bool,

    /// Search binary files (with a NUL byte) as text.
    #[arg(short = 'a', long, help_heading = INPUT, hide_short_help = true)]
    text: bool,

    /// Skip binary files.
    #[arg(short = 'I', help_heading = INPUT, hide_short_help = true)]
    without_binary: bool,

    /// Report for matches in a binary file: binary (one note), text (the lines), without-match
    /// (nothing).
    #[arg(long, value_enum, value_name = "TYPE", default_value = "binary", help_heading = INPUT)]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    binary_files: BinaryFiles,
}

/// Options that choose files, and what is printed for each.
#[derive(Debug, Args)]
#[command(next_help_heading = INPUT)]
pub struct FileArguments {
    /// Search folders, except hidden files and those in .gitignore and .ignore.
    #[arg(short = 'r', long)]
    pub recursive: bool,

    /// Like -r, and follow all links; -r follows only links that are given.
    #[arg(short = 'R', long, hide_short_help = true)]
    pub dereference_recursive: bool,

    /// Search only files whose names match, such as '*.txt'.
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    pub include: Vec<String>,

    /// Skip files whose names match.
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    pub exclude: Vec<String>,

    /// Skip folders whose names match.
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    pub exclude_dir: Vec<String>,

    /// Also search files that .gitignore, .ignore and other lists of git name.
    #[arg(long, hide_short_help = true)]
    pub no_ignore: bool,

    /// Also search files and folders whose names begin with a dot.
    #[arg(long, hide_short_help = true)]
    pub hidden: bool,

    /// Print only the names of files with a match.
    #[arg(short = 'l', long, overrides_with = "files_without_match", help_heading = OUTPUT)]
    pub files_with_matches: bool,

    /// Print only the names of files without a match.
    #[arg(short = 'L', long, overrides_with = "files_with_matches", help_heading = OUTPUT, hide_short_help = true)]
    pub files_without_match: bool,

    /// Print nothing; exit with 0 at the first match.
    #[arg(short = 'q', long, alias = "silent", help_heading = OUTPUT)]
    pub quiet: bool,

    /// Print the file name before each line, also for a single file.
    #[arg(short = 'H', long, overrides_with = "no_filename", help_heading = OUTPUT, hide_short_help = true)]
    pub with_filename: bool,

    /// Print no file names, also for several files.
    #[arg(short = 'h', long, overrides_with = "with_filename", help_heading = OUTPUT, hide_short_help = true)]
    pub no_filename: bool,

    /// Print a NUL byte after each file name.
    #[arg(short = 'Z', long, help_heading = OUTPUT, hide_short_help = true)]
    pub null: bool,

    /// Name to print for standard input.
    #[arg(long, value_name = "NAME", default_value = "(standard input)", help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub label: String,
}

/// Numbers of context lines before and after each match.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContextLines {
    pub before: usize,
    pub after: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Lines that match, or records as FASTA or FASTQ.
    Text,
    /// Name, start, end, pattern, errors, strand; positions 0-based, half-open.
    Bed,
    /// One JSON object a line for each hit.
    Json,
    /// SAM: records as references, patterns as reads.
    Sam,
    /// PAF, with the CIGAR in the tag cg:Z.
    Paf,
    /// Each hit with the pattern above the text.
    Align,
}

impl OutputFormat {
    /// Returns true if hits are printed rather than lines or records.
    pub fn prints_hits(self) -> bool {
        self != Self::Text
    }

    /// Returns true if the format requires FASTA or FASTQ records.
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
        _ => Err("a wildcard is a single byte, such as ?".into()),
    }
}

impl FileArguments {
    /// Returns true if folders are searched recursively.
    pub fn is_recursive(&self) -> bool {
        self.recursive || self.dereference_recursive
    }
}

impl Arguments {
    /// Refuses combinations of options that are wrong for every file.
    pub fn check(&self) -> Result<()> {
        let GrepSyntaxOptions { extended_regexp, perl_regexp, basic_regexp, .. } = self.unread;
        let regular = [(extended_regexp, "-E"), (perl_regexp, "-P"), (basic_regexp, "-G")];
        if let Some((_, option)) = regular.into_iter().find(|(given, _)| *given) {
            return Err(UsageFault::Syntax.error(format!(
                "{option}: regular expressions are not supported; use grep or rg for them, or --classes for . and [a-z]"
            )));
        }
        let usage = |reason: &str| Err(UsageFault::Combination.error(reason));
        let is_table = self.whole || self.format.is_some_and(OutputFormat::prints_hits);
        if let Some(option) = self.line_only_option().or(self.lines.invert_match.then_some("-v"))
            && is_table
        {
            let other =
                if self.whole { "--whole has no lines" } else { "--format bed, json, sam, paf and align print hits" };
            return usage(&format!("{option} applies to lines, but {other}"));
        }
        if self.matches_whole_units() && (self.overlapping || self.ends == Ends::All) {
            return usage(
                "-w and -x (--full) match whole words, lines or records; remove --overlapping and --ends all",
            );
        }
        if self.borders.circular && self.format == Some(OutputFormat::Paf) {
            return usage("--circular: PAF has no positions beyond a record's end; use sam, bed or json");
        }
        if self.whole && self.borders.circular {
            return usage("--whole searches a file as one text, which is not circular; remove --circular");
        }
        if let Some(option) = self.borders.given().filter(|_| self.matches_whole_units()) {
            return usage(&format!("-w and -x (--full) match whole words, lines or records; remove {option}"));
        }
        if self.lines.line_regexp {
            if self.whole {
                return usage("-x (--full) matches whole lines or records, but --whole has none");
            }
            if self.engine.engine != EngineName::Auto && self.engine.engine != EngineName::One(EngineKind::Cpu)
                || !self.algorithm.is_auto()
            {
                return usage(
                    "-x (--full) compares whole lines and records on the CPU; remove --engine and --algorithm",
                );
            }
        } else if self.lines.word_regexp && self.rc {
            return usage("-w takes no --rc: words are read in one direction");
        }
        Ok(())
    }

    /// Returns a given option that applies to lines only, or `None` if there is none.
    pub fn line_only_option(&self) -> Option<&'static str> {
        let lines = &self.lines;
        let given = [
            (lines.word_regexp, "-w"),
            (lines.line_number, "-n"),
            (lines.after_context.is_some(), "-A"),
            (lines.before_context.is_some(), "-B"),
            (lines.context.is_some(), "-C"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// Returns true if only whole words or lines match.
    pub fn matches_whole_units(&self) -> bool {
        self.lines.word_regexp || self.lines.line_regexp
    }

    /// Returns true if the first match in a file determines the output.
    pub fn first_match_decides(&self) -> bool {
        self.files.quiet || self.files.files_with_matches || self.files.files_without_match
    }

    /// Returns true if the output for a file is only a number or a name.
    pub fn prints_no_hits(&self) -> bool {
        self.count || self.first_match_decides()
    }

    /// Returns the report for binary files.
    pub fn binary_files(&self) -> BinaryFiles {
        match self.lines {
            LineArguments { text: true, .. } => BinaryFiles::Text,
            LineArguments { without_binary: true, .. } => BinaryFiles::WithoutMatch,
            LineArguments { binary_files, .. } => binary_files,
        }
    }

    /// Returns the maximum number of hits, or of selected lines, per file.
    pub fn most(&self) -> u64 {
        self.lines.max_count.unwrap_or(u64::MAX).min(if self.first_match_decides() { 1 } else { u64::MAX })
    }

    /// Returns true if output or selection needs whole lines in memory.
    pub fn prints_lines(&self) -> bool {
        match self.format {
            Some(format) if format.prints_hits() => false,
            _ => {
                let needs_lines = self.lines.invert_match || self.lines.word_regexp;
                !self.prints_no_hits() || needs_lines || self.binary_files() == BinaryFiles::WithoutMatch
            }
        }
    }

    /// Returns true if only the number of matching lines matters, or whether there is one.
    pub fn counts_lines(&self) -> bool {
        self.prints_no_hits() && self.format.is_none()
    }

    /// Returns the context lines around each selected line, or `None` if no option requests them.
    pub fn context(&self) -> Option<ContextLines> {
        let LineArguments { before_context, after_context, context, .. } = self.lines;
        let before = before_context.or(context);
        let after = after_context.or(context);
        let is_given = before.is_some() || after.is_some();
        is_given.then(|| ContextLines { before: before.unwrap_or(0), after: after.unwrap_or(0) })
    }
}
