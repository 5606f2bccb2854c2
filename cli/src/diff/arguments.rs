//! Options of `carrywave diff`. GNU diff's options keep their names and meaning; some options are
//! git's. `words` expands abbreviated GNU option names before clap reads them.

use crate::shared::engine::EngineArguments;
use crate::shared::help::{INPUT, MATCHING, OUTPUT, PERFORMANCE, TEMPLATE, algorithm_names, algorithms, few, one_of};
use carrywave::Result;
use carrywave::diff::{Algorithm, Comparison, Matches, WhiteSpace};
use carrywave::error::UsageFault;
use carrywave::text;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carrywave diff -u old.txt new.txt            hunks with context, for patch
  carrywave diff -ruN old new > new.patch      two folders
  carrywave diff --unit words a.md b.md        words, marked within the lines
  carrywave diff --stat -r old new             number of changed lines in each file
  GIT_EXTERNAL_DIFF='carrywave diff' git diff  as git's external diff program
  git difftool -y -x 'carrywave diff -u'       as its difftool";

const SHORT: &str = "All options of GNU diff are in: carrywave diff --help";

const LONG: &str = "\
Script:
  The script of deleted and inserted lines (words, characters) is always a shortest one, except with
  --patience. Options, formats and templates: docs/diff.md.";

const EXIT: &str = "\
Exit status:
  0  no difference
  1  differences (as git's external program, only with diff.trustExitCode)
  2  error";

/// Options of `carrywave diff`.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave diff [OPTIONS] A B")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = SHORT, args_override_self = true)]
#[command(after_long_help = format!("{LONG}\n\n{}\n\n{EXIT}", algorithms::<Matches>("Algorithms")))]
pub struct Arguments {
    /// Two files or folders, or one of each: the file is compared with its namesake; `-` is stdin.
    /// As git's external diff program: git's seven or nine words.
    #[arg(value_name = "A B", num_args = 0..)]
    pub words: Vec<OsString>,

    #[command(flatten)]
    pub files: FileArguments,

    /// Unit to compare; words and characters are marked within lines.
    #[arg(long, value_enum, default_value_t = Unit::Lines, help_heading = MATCHING)]
    pub unit: Unit,

    #[command(flatten)]
    pub ignored: IgnoredArguments,

    /// Keep lines that both files have once in the same order fixed, as git does. The script may
    /// get longer.
    #[arg(long, help_heading = MATCHING, hide_short_help = true)]
    pub patience: bool,

    /// Among equal positions of a change, choose one where the indentation begins a block: the
    /// default for git.
    #[arg(long, overrides_with = "no_indent_heuristic", help_heading = MATCHING, hide_short_help = true)]
    pub indent_heuristic: bool,

    /// Choose the position as GNU diff does: the default for two files and folders.
    #[arg(long, hide = true, overrides_with = "indent_heuristic")]
    pub no_indent_heuristic: bool,

    /// Among shortest scripts, print that of GNU diff -d instead of that of GNU diff.
    #[arg(short = 'd', long, help_heading = MATCHING, hide_short_help = true)]
    pub minimal: bool,

    /// Heuristics of GNU diff, which are not used here.
    #[arg(short = 'H', long, hide = true)]
    pub speed_large_files: bool,

    /// Lines at the start and the end of both files over which a change can move; at least those of
    /// context.
    #[arg(long, hide = true, value_name = "N", value_parser = number)]
    pub horizon_lines: Option<usize>,

    /// For systems that distinguish text files from others.
    #[arg(long, hide = true)]
    pub binary: bool,

    #[command(flatten)]
    pub formats: FormatArguments,

    /// Write to FILE, whole or not at all [default: standard output].
    #[arg(short = 'o', value_name = "FILE", help_heading = OUTPUT)]
    pub file: Option<PathBuf>,

    #[command(flatten)]
    pub engine: EngineArguments,

    /// Algorithm; the list is at the end of --help.
    #[arg(long, default_value = "auto", hide_possible_values = true, help_heading = PERFORMANCE)]
    #[arg(value_parser = one_of::<Algorithm>(algorithm_names::<Matches>()), hide_short_help = true)]
    pub algorithm: Algorithm,
}

/// Options for the form of the output.
#[derive(Debug, Args)]
#[command(next_help_heading = OUTPUT)]
pub struct FormatArguments {
    /// Print deleted and inserted lines with their numbers: the default for two files and folders.
    #[arg(long, hide_short_help = true)]
    pub normal: bool,

    /// Print unified hunks with three lines of context: the default for git.
    #[arg(short = 'u')]
    pub unified: bool,

    /// Print unified hunks with N lines of context.
    #[arg(short = 'U', value_name = "N", value_parser = number)]
    pub unified_lines: Option<usize>,

    /// Print unified hunks with N lines of context, or three.
    #[arg(long = "unified", value_name = "N", num_args = 0..=1, require_equals = true, value_parser = number)]
    #[arg(hide_short_help = true)]
    pub unified_long: Option<Option<usize>>,

    /// Print context hunks with three lines of context.
    #[arg(short = 'c', hide_short_help = true)]
    pub context: bool,

    /// Print context hunks with N lines of context.
    #[arg(short = 'C', value_name = "N", value_parser = number, hide_short_help = true)]
    pub context_lines: Option<usize>,

    /// Print context hunks with N lines of context, or three.
    #[arg(long = "context", value_name = "N", num_args = 0..=1, require_equals = true, value_parser = number)]
    #[arg(hide_short_help = true)]
    pub context_long: Option<Option<usize>>,

    /// Print a script for the editor ed.
    #[arg(short = 'e', long, hide_short_help = true)]
    pub ed: bool,

    /// Lines of context of -u, -c and -p: `-5`.
    #[arg(long, hide = true, value_name = "NUM", value_parser = number)]
    pub num: Option<usize>,

    /// Print commands of the editor ed in the order of the lines.
    #[arg(short = 'f', long, hide = true)]
    pub forward_ed: bool,

    /// Print a script for RCS.
    #[arg(short = 'n', long, hide_short_help = true)]
    pub rcs: bool,

    /// Print both files as one, with #ifdef NAME and #ifndef NAME around lines of one file.
    #[arg(short = 'D', long, value_name = "NAME", hide_short_help = true)]
    pub ifdef: Vec<OsString>,

    /// Print all lines by TEMPLATE (docs/diff.md describes templates).
    #[arg(long, value_name = "TEMPLATE", hide_short_help = true)]
    pub line_format: Vec<OsString>,

    /// Template for lines of both files.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub unchanged_line_format: Vec<OsString>,

    /// Template for lines of the first file only.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub old_line_format: Vec<OsString>,

    /// Template for lines of the second file only.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub new_line_format: Vec<OsString>,

    /// Template for groups of lines of both files.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub unchanged_group_format: Vec<OsString>,

    /// Template for groups of lines of the first file only.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub old_group_format: Vec<OsString>,

    /// Template for groups of lines of the second file only.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub new_group_format: Vec<OsString>,

    /// Template for groups of lines that are replaced by others.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub changed_group_format: Vec<OsString>,

    /// Print both files side by side.
    #[arg(short = 'y', long)]
    pub side_by_side: bool,

    /// Columns of -y [default: 130].
    #[arg(short = 'W', long, value_name = "N", value_parser = columns, hide_short_help = true)]
    pub width: Vec<usize>,

    /// With -y: print common lines on the left only.
    #[arg(long, hide_short_help = true)]
    pub left_column: bool,

    /// With -y: leave out common lines.
    #[arg(long, hide_short_help = true)]
    pub suppress_common_lines: bool,

    /// Print tabs as spaces.
    #[arg(short = 't', long, hide_short_help = true)]
    pub expand_tabs: bool,

    /// Print a tab before each line, so that the line's own tabs line up.
    #[arg(short = 'T', long, hide_short_help = true)]
    pub initial_tab: bool,

    /// Columns of a tab [default: 8].
    #[arg(long, value_name = "N", value_parser = columns, hide_short_help = true)]
    pub tabsize: Vec<usize>,

    /// Print no space or tab before an empty line.
    #[arg(long, hide_short_help = true)]
    pub suppress_blank_empty: bool,

    /// Print pages, by the program pr.
    #[arg(short = 'l', long, hide_short_help = true)]
    pub paginate: bool,

    /// Print the number of changed lines of each file, with a bar.
    #[arg(long)]
    pub stat: bool,

    /// Print a JSON object for each pair of files that differ.
    #[arg(long)]
    pub json: bool,

    /// Report only that files differ.
    #[arg(short = 'q', long)]
    pub brief: bool,

    /// Also report identical files.
    #[arg(short = 's', long, hide_short_help = true)]
    pub report_identical_files: bool,

    /// Show before each hunk the last line that begins with a letter, in C the function. Implies
    /// -c.
    #[arg(short = 'p', long, hide_short_help = true)]
    pub show_c_function: bool,

    /// Show before each hunk the last line that matches RE.
    #[arg(short = 'F', long, value_name = "RE", hide_short_help = true)]
    pub show_function_line: Vec<OsString>,

    /// Name in the header instead of the file's name and time; twice for both files.
    #[arg(short = 'L', long, value_name = "LABEL", hide_short_help = true)]
    pub label: Vec<OsString>,

    /// Colour lines: always, never, auto (on a terminal).
    #[arg(long, alias = "colour", value_name = "WHEN", num_args = 0..=1, require_equals = true)]
    #[arg(default_value = "auto", default_missing_value = "auto", hide_possible_values = true)]
    pub color: Color,

    /// Colours by the names rs, hd, ad, de and ln, such as ad=33:de=1;35.
    #[arg(long, value_name = "PALETTE", hide_short_help = true)]
    pub palette: Option<OsString>,
}

/// Options for differences that do not count.
#[derive(Debug, Args)]
#[command(next_help_heading = MATCHING)]
pub struct IgnoredArguments {
    /// Ignore case: of A to Z, with words and characters of all letters.
    #[arg(short = 'i', long)]
    pub ignore_case: bool,

    /// With -i: ignore the case of all letters of Unicode.
    #[arg(long, requires = "ignore_case", hide_short_help = true)]
    pub unicode_case: bool,

    /// Ignore the difference between a tab and the spaces that it stands for.
    #[arg(short = 'E', long, hide_short_help = true)]
    pub ignore_tab_expansion: bool,

    /// Ignore white space at the ends of lines.
    #[arg(short = 'Z', long, hide_short_help = true)]
    pub ignore_trailing_space: bool,

    /// Ignore differences in the amount of white space.
    #[arg(short = 'b', long)]
    pub ignore_space_change: bool,

    /// Ignore all white space.
    #[arg(short = 'w', long)]
    pub ignore_all_space: bool,

    /// Ignore changes whose lines are all blank.
    #[arg(short = 'B', long)]
    pub ignore_blank_lines: bool,

    /// Ignore changes whose lines all match RE.
    #[arg(short = 'I', long, value_name = "RE", hide_short_help = true)]
    pub ignore_matching_lines: Vec<OsString>,

    /// Ignore a carriage return at the end of a line.
    #[arg(long, hide_short_help = true)]
    pub strip_trailing_cr: bool,
}

/// Options that choose files.
#[derive(Debug, Args)]
#[command(next_help_heading = INPUT)]
pub struct FileArguments {
    /// Also compare subfolders that both folders have.
    #[arg(short = 'r', long)]
    pub recursive: bool,

    /// Treat a file that is missing in one folder as empty there.
    #[arg(short = 'N', long)]
    pub new_file: bool,

    /// Treat a file that is missing in the first folder as empty there.
    #[arg(short = 'P', long, hide_short_help = true)]
    pub unidirectional_new_file: bool,

    /// Compare symbolic links themselves, not the files that they point to.
    #[arg(long, hide_short_help = true)]
    pub no_dereference: bool,

    /// Pair files whose names differ only in case.
    #[arg(long, overrides_with = "no_ignore_file_name_case", hide_short_help = true)]
    pub ignore_file_name_case: bool,

    /// Pair files whose names are equal, which is the default.
    #[arg(long, hide = true, overrides_with = "ignore_file_name_case")]
    pub no_ignore_file_name_case: bool,

    /// Skip files and folders whose names match GLOB.
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub exclude: Vec<OsString>,

    /// Values of --exclude after --ignore-file-name-case.
    #[arg(long, hide = true, value_name = "GLOB")]
    pub exclude_any_case: Vec<OsString>,

    /// Skip files and folders whose names match a line of FILE.
    #[arg(short = 'X', long, value_name = "FILE", hide_short_help = true)]
    pub exclude_from: Vec<PathBuf>,

    /// Values of --exclude-from after --ignore-file-name-case.
    #[arg(long, hide = true, value_name = "FILE")]
    pub exclude_from_any_case: Vec<PathBuf>,

    /// Begin with NAME in folders, and skip names before it.
    #[arg(short = 'S', long, value_name = "NAME", hide_short_help = true)]
    pub starting_file: Vec<OsString>,

    /// Compare FILE with each of the words.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub from_file: Vec<OsString>,

    /// Compare each of the words with FILE.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub to_file: Vec<OsString>,

    /// Compare all files as text, also those with a zero byte near their start.
    #[arg(short = 'a', long, hide_short_help = true)]
    pub text: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Unit {
    /// Lines with their line feeds.
    Lines,
    /// Words, runs of white space, and single other characters.
    Words,
    /// Unicode characters.
    #[value(alias = "characters")]
    Chars,
    /// Grapheme clusters: letters with their accents.
    Graphemes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Arguments {
    /// Returns the columns between tab stops.
    pub fn tab_size(&self) -> Result<usize> {
        Ok(only_value("--tabsize", &self.formats.tabsize)?.copied().unwrap_or(8))
    }

    /// Returns the comparison that the options choose, with `context` lines around hunks.
    pub fn comparison<'l>(&self, is_for_git: bool, context: usize) -> Result<Comparison<'l>> {
        let ignored = &self.ignored;
        let white_space = [
            (ignored.ignore_all_space, WhiteSpace::All),
            (ignored.ignore_space_change, WhiteSpace::Amount),
            (ignored.ignore_trailing_space, WhiteSpace::AtLineEnd),
        ];
        let white_space =
            white_space.into_iter().find(|(asked, _)| *asked).map_or(WhiteSpace::Kept, |(_, which)| which);
        let unit = match self.unit {
            Unit::Lines => text::Unit::Line,
            Unit::Words => text::Unit::Word,
            Unit::Chars => text::Unit::Character,
            Unit::Graphemes => text::Unit::Grapheme,
        };
        let any_case = ignored.ignore_case && (ignored.unicode_case || self.unit != Unit::Lines);
        let has_indents = self.indent_heuristic || is_for_git && !self.no_indent_heuristic;
        Ok(Comparison::new()
            .unit(unit)
            .white_space(white_space)
            .ignore_case(any_case)
            .ignore_ascii_case(ignored.ignore_case && !any_case)
            .ignore_tab_expansion(ignored.ignore_tab_expansion)
            .tab_size(self.tab_size()?)
            // With lines as the unit, carriage returns are removed before the comparison.
            .strip_trailing_returns(ignored.strip_trailing_cr && self.unit != Unit::Lines)
            .ignore_blank_lines(ignored.ignore_blank_lines)
            .anchors(self.patience)
            .algorithm(self.algorithm)
            .indent_heuristic(has_indents)
            .minimal(self.minimal)
            .horizon(context.max(self.horizon_lines.unwrap_or(0))))
    }
}

/// Returns the value of an option. As in GNU diff, the option may be repeated only with the same
/// value.
pub fn only_value<'v, T: PartialEq + ?Sized>(
    name: &str,
    values: impl IntoIterator<Item = &'v T>,
) -> Result<Option<&'v T>> {
    let mut values = values.into_iter();
    let first = values.next();
    match first.is_some_and(|first| values.any(|other| other != first)) {
        true => {
            Err(UsageFault::Combination.error(format!("{name} is given twice with different values; give one value")))
        }
        false => Ok(first),
    }
}

/// Parses a number of lines. A number that does not fit stands for all lines.
fn number(text: &str) -> std::result::Result<usize, String> {
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if text.is_empty() => Ok(0),
        true => Ok(text.parse().unwrap_or(usize::MAX)),
        false => Err("not a number of lines; give a whole number, 0 or more".into()),
    }
}

/// Upper bound on a number of columns.
const MOST_COLUMNS: usize = 1 << 20;

/// Parses a number of columns.
fn columns(text: &str) -> std::result::Result<usize, String> {
    match number(text) {
        Ok(columns @ 1..=MOST_COLUMNS) => Ok(columns),
        _ => Err(format!("give a number of columns from 1 to {MOST_COLUMNS}")),
    }
}
