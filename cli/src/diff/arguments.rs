//! The options of `carrywave diff`: those of GNU diff have its names and meaning, and some of git's have theirs. `words` spells GNU's with their whole
//! names before they are read here.

use crate::shared::engine::{EngineArguments, algorithms_help, long_help};
use carrywave::Result;
use carrywave::diff::{Algorithm, Comparison, Matches, WhiteSpace};
use carrywave::error::UsageFault;
use carrywave::text;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Text after the options in the help.
const HELP: &str = "\
Examples:
  carrywave diff -u old.txt new.txt            hunks with context, for patch
  carrywave diff -ruN old new > new.patch      two folders
  carrywave diff --unit words a.md b.md        words, marked within the lines
  carrywave diff --stat -r old new             how many lines of each file differ
  GIT_EXTERNAL_DIFF='carrywave diff' git diff  as git's external diff program
  git difftool -y -x 'carrywave diff -u'       or as its difftool

The script is a shortest one of deleted and inserted lines (words, characters), unless --patience asks for fixed points. Exit codes: 0 no
difference, 1 differences, 2 an error; where git calls, 1 only with its setting diff.trustExitCode.";

/// Which lines, words or characters two files differ in.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave diff [OPTIONS] A B")]
#[command(after_help = HELP, after_long_help = long_help::<Matches>(HELP), args_override_self = true)]
pub struct Arguments {
    /// Two files or two folders, or a folder and a file that is compared with the file of that name in it; `-` is standard input. git gives
    /// seven or nine words to an external diff program.
    #[arg(value_name = "A B", num_args = 0..)]
    pub words: Vec<OsString>,

    /// What is compared: lines, or words or characters, which are marked within the lines.
    #[arg(long, value_enum, default_value_t = Unit::Lines)]
    pub unit: Unit,

    #[command(flatten)]
    pub formats: FormatArguments,

    #[command(flatten)]
    pub ignored: IgnoredArguments,

    #[command(flatten)]
    pub files: FileArguments,

    /// Make lines that both files have once, in the same order, fixed points, as git does: the script may be longer than the shortest one.
    #[arg(long)]
    pub patience: bool,

    /// Put a change that could be at several places where the indentation says that a block begins, as git does: the default for git.
    #[arg(long, overrides_with = "no_indent_heuristic")]
    pub indent_heuristic: bool,

    /// Put it where GNU diff does: the default for two files and folders.
    #[arg(long, hide = true, overrides_with = "indent_heuristic")]
    pub no_indent_heuristic: bool,

    /// Of several shortest scripts, print that of GNU diff -d instead of that of GNU diff. The script is a shortest one without it, too.
    #[arg(short = 'd', long)]
    pub minimal: bool,

    /// For GNU diff's heuristics, of which there are none here.
    #[arg(short = 'H', long, hide = true)]
    pub speed_large_files: bool,

    /// Lines at the start and at the end of both files that a change can move over; at least those of context.
    #[arg(long, hide = true, value_name = "N", value_parser = number)]
    pub horizon_lines: Option<usize>,

    /// For systems that tell texts from other files.
    #[arg(long, hide = true)]
    pub binary: bool,

    #[command(flatten)]
    pub engine: EngineArguments,

    #[arg(long, default_value = "auto", help = algorithms_help::<Matches>())]
    pub algorithm: Algorithm,

    /// Write to this file instead of standard output; it appears whole or not at all.
    #[arg(short = 'o', value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// How differences are printed.
#[derive(Debug, Args)]
pub struct FormatArguments {
    /// Print the lines deleted and inserted, with their numbers: the default for two files and folders.
    #[arg(long)]
    pub normal: bool,

    /// Print unified hunks with three lines of context: the default for git.
    #[arg(short = 'u')]
    pub unified: bool,

    /// Print unified hunks with so many lines of context.
    #[arg(short = 'U', value_name = "N", value_parser = number)]
    pub unified_lines: Option<usize>,

    /// Print unified hunks, with three lines of context or as many as are given.
    #[arg(long = "unified", value_name = "N", num_args = 0..=1, require_equals = true, value_parser = number)]
    pub unified_long: Option<Option<usize>>,

    /// Print context hunks with three lines of context.
    #[arg(short = 'c')]
    pub context: bool,

    /// Print context hunks with so many lines of context.
    #[arg(short = 'C', value_name = "N", value_parser = number)]
    pub context_lines: Option<usize>,

    /// Print context hunks, with three lines of context or as many as are given.
    #[arg(long = "context", value_name = "N", num_args = 0..=1, require_equals = true, value_parser = number)]
    pub context_long: Option<Option<usize>>,

    /// Print a script for the editor ed.
    #[arg(short = 'e', long)]
    pub ed: bool,

    /// Lines of context of -u, -c and -p: `-5`.
    #[arg(long, hide = true, value_name = "NUM", value_parser = number)]
    pub num: Option<usize>,

    /// Print commands of the editor ed in the order of the lines.
    #[arg(short = 'f', long, hide = true)]
    pub forward_ed: bool,

    /// Print a script for RCS.
    #[arg(short = 'n', long)]
    pub rcs: bool,

    /// Print both files as one, with lines for C's preprocessor that tell them apart by NAME.
    #[arg(short = 'D', long, value_name = "NAME")]
    pub ifdef: Vec<OsString>,

    /// Print all lines by a template; docs/diff.md describes templates.
    #[arg(long, value_name = "TEMPLATE")]
    pub line_format: Vec<OsString>,

    /// Template of lines that both files have.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub unchanged_line_format: Vec<OsString>,

    /// Template of lines of the first file alone.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub old_line_format: Vec<OsString>,

    /// Template of lines of the second file alone.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub new_line_format: Vec<OsString>,

    /// Template of groups of lines that both files have.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub unchanged_group_format: Vec<OsString>,

    /// Template of groups of lines of the first file alone.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub old_group_format: Vec<OsString>,

    /// Template of groups of lines of the second file alone.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub new_group_format: Vec<OsString>,

    /// Template of groups of lines that others take the place of.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE")]
    pub changed_group_format: Vec<OsString>,

    /// Print both files side by side.
    #[arg(short = 'y', long)]
    pub side_by_side: bool,

    /// Columns of the output side by side [default: 130].
    #[arg(short = 'W', long, value_name = "N", value_parser = columns)]
    pub width: Vec<usize>,

    /// Print common lines side by side on the left only.
    #[arg(long)]
    pub left_column: bool,

    /// Leave common lines out side by side.
    #[arg(long)]
    pub suppress_common_lines: bool,

    /// Print tabs as spaces.
    #[arg(short = 't', long)]
    pub expand_tabs: bool,

    /// Print a tab before each line, so that its own tabs line up.
    #[arg(short = 'T', long)]
    pub initial_tab: bool,

    /// Columns from a tab stop to the next [default: 8].
    #[arg(long, value_name = "N", value_parser = columns)]
    pub tabsize: Vec<usize>,

    /// Print no space or tab before an empty line.
    #[arg(long)]
    pub suppress_blank_empty: bool,

    /// Print pages, by the program pr.
    #[arg(short = 'l', long)]
    pub paginate: bool,

    /// Print how many lines of each file differ, with a bar.
    #[arg(long)]
    pub stat: bool,

    /// Print a JSON object for each pair of files that differ.
    #[arg(long)]
    pub json: bool,

    /// Print only whether files differ.
    #[arg(short = 'q', long)]
    pub brief: bool,

    /// Say of files without a difference that they are identical.
    #[arg(short = 's', long)]
    pub report_identical_files: bool,

    /// Show with each hunk the last line before it that begins with a letter: in C the function. Without another format it is that of -c.
    #[arg(short = 'p', long)]
    pub show_c_function: bool,

    /// Show with each hunk the last line before it that matches a regular expression.
    #[arg(short = 'F', long, value_name = "RE")]
    pub show_function_line: Vec<OsString>,

    /// A name for the header, in place of the file's name and time; twice for both files.
    #[arg(short = 'L', long, value_name = "LABEL")]
    pub label: Vec<OsString>,

    /// When lines are coloured: on a terminal, always or never.
    #[arg(long, alias = "colour", value_name = "WHEN", num_args = 0..=1, require_equals = true, default_value = "auto", default_missing_value = "auto")]
    pub color: Color,

    /// Colours by the names rs, hd, ad, de and ln, such as ad=33:de=1;35.
    #[arg(long, value_name = "PALETTE")]
    pub palette: Option<OsString>,
}

/// What does not count as a difference.
#[derive(Debug, Args)]
pub struct IgnoredArguments {
    /// Ignore the case of letters: of A to Z, as GNU diff does, or of all letters where words or characters are compared.
    #[arg(short = 'i', long)]
    pub ignore_case: bool,

    /// With -i ignore the case of all letters of Unicode.
    #[arg(long, requires = "ignore_case")]
    pub unicode_case: bool,

    /// Ignore the difference between tabs and the spaces that they stand for.
    #[arg(short = 'E', long)]
    pub ignore_tab_expansion: bool,

    /// Ignore white space at the ends of lines.
    #[arg(short = 'Z', long)]
    pub ignore_trailing_space: bool,

    /// Ignore how much white space there is.
    #[arg(short = 'b', long)]
    pub ignore_space_change: bool,

    /// Ignore all white space.
    #[arg(short = 'w', long)]
    pub ignore_all_space: bool,

    /// Ignore changes of which all lines are blank.
    #[arg(short = 'B', long)]
    pub ignore_blank_lines: bool,

    /// Ignore a change if all its lines match a regular expression.
    #[arg(short = 'I', long, value_name = "RE")]
    pub ignore_matching_lines: Vec<OsString>,

    /// Leave out a carriage return at the end of a line.
    #[arg(long)]
    pub strip_trailing_cr: bool,
}

/// Which files are compared.
#[derive(Debug, Args)]
pub struct FileArguments {
    /// Also compare the folders that both folders have.
    #[arg(short = 'r', long)]
    pub recursive: bool,

    /// Take a file that is in one folder only for one that is empty in the other one.
    #[arg(short = 'N', long)]
    pub new_file: bool,

    /// Do so with files that are in the second folder only.
    #[arg(short = 'P', long)]
    pub unidirectional_new_file: bool,

    /// Compare symbolic links themselves, not the files that they lead to.
    #[arg(long)]
    pub no_dereference: bool,

    /// Pair files whose names are equal but for case.
    #[arg(long, overrides_with = "no_ignore_file_name_case")]
    pub ignore_file_name_case: bool,

    /// Pair files whose names are equal. It is so without it.
    #[arg(long, hide = true, overrides_with = "ignore_file_name_case")]
    pub no_ignore_file_name_case: bool,

    /// Leave out files and folders whose names fit a pattern.
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub exclude: Vec<OsString>,

    /// Those after --ignore-file-name-case.
    #[arg(long, hide = true, value_name = "GLOB")]
    pub exclude_any_case: Vec<OsString>,

    /// Leave out those that fit a pattern of a file, one a line.
    #[arg(short = 'X', long, value_name = "FILE")]
    pub exclude_from: Vec<PathBuf>,

    /// Those after --ignore-file-name-case.
    #[arg(long, hide = true, value_name = "FILE")]
    pub exclude_from_any_case: Vec<PathBuf>,

    /// Begin with this name in folders, and leave out those before it.
    #[arg(short = 'S', long, value_name = "NAME")]
    pub starting_file: Vec<OsString>,

    /// Compare this file or folder with each one that is named.
    #[arg(long, value_name = "FILE")]
    pub from_file: Vec<OsString>,

    /// Compare each one that is named with this file or folder.
    #[arg(long, value_name = "FILE")]
    pub to_file: Vec<OsString>,

    /// Compare files as text that have a zero byte near their start.
    #[arg(short = 'a', long)]
    pub text: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Unit {
    /// Lines with their line feeds.
    Lines,
    /// Words, stretches of white space, and single characters of other kinds.
    Words,
    /// Characters of Unicode.
    #[value(alias = "characters")]
    Chars,
    /// Grapheme clusters: letters with their accents.
    Graphemes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Also into files and pipes.
    Always,
    /// Nowhere.
    Never,
}

impl Arguments {
    /// Columns from a tab stop to the next.
    pub fn tab_size(&self) -> Result<usize> {
        Ok(only_value("--tabsize", &self.formats.tabsize)?.copied().unwrap_or(8))
    }

    /// The comparison that the options choose, for a call by git or another one, with `context` lines around hunks.
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
            // Of lines the texts lack it before they are compared.
            .strip_trailing_returns(ignored.strip_trailing_cr && self.unit != Unit::Lines)
            .ignore_blank_lines(ignored.ignore_blank_lines)
            .anchors(self.patience)
            .algorithm(self.algorithm)
            .indent_heuristic(has_indents)
            .minimal(self.minimal)
            .horizon(context.max(self.horizon_lines.unwrap_or(0))))
    }
}

/// The value of an option that may be repeated with the same value only, as in GNU diff.
pub fn only_value<'v, T: PartialEq + ?Sized>(
    name: &str,
    values: impl IntoIterator<Item = &'v T>,
) -> Result<Option<&'v T>> {
    let mut values = values.into_iter();
    let first = values.next();
    match first.is_some_and(|first| values.any(|other| other != first)) {
        true => Err(UsageFault::Combination.error(format!("{name} is given with two values; give one"))),
        false => Ok(first),
    }
}

/// A number of lines; one that is too large stands for all of them.
fn number(text: &str) -> std::result::Result<usize, String> {
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if text.is_empty() => Ok(0),
        true => Ok(text.parse().unwrap_or(usize::MAX)),
        false => Err("it is not a number of lines".into()),
    }
}

/// Columns at most.
const MOST_COLUMNS: usize = 1 << 20;

/// A number of columns.
fn columns(text: &str) -> std::result::Result<usize, String> {
    match number(text) {
        Ok(columns @ 1..=MOST_COLUMNS) => Ok(columns),
        _ => Err(format!("it takes 1 to {MOST_COLUMNS} columns")),
    }
}
