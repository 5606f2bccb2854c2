//! The options of `carrywave diff`: those of GNU diff have its names and meaning, and some of git's have theirs.

use super::HELP;
use crate::engine::EngineArguments;
use carrywave::diff::{Comparison, WhiteSpace};
use carrywave::text;
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Which lines, words or characters two files differ in.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave diff [OPTIONS] A B")]
#[command(after_help = HELP, args_override_self = true)]
pub struct Arguments {
    /// Two files or two folders, or a folder and a file that is compared with the file of that name in it; `-` is standard input. git gives
    /// seven or nine words to an external diff program.
    #[arg(value_name = "A B", num_args = 1..=9, required = true)]
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

    /// Put a change that could be at several places at the last one, as GNU diff does, whatever the indentation.
    #[arg(long, overrides_with = "indent_heuristic")]
    pub no_indent_heuristic: bool,

    /// Put it where the indentation says that a block begins. It is so without it.
    #[arg(long, hide = true, overrides_with = "no_indent_heuristic")]
    pub indent_heuristic: bool,

    /// Find a shortest script. It is so without it.
    #[arg(short = 'd', long, hide = true)]
    pub minimal: bool,

    /// For GNU diff's heuristics, of which there are none here.
    #[arg(long, hide = true)]
    pub speed_large_files: bool,

    /// For GNU diff's heuristics, of which there are none here.
    #[arg(long, hide = true, value_name = "N")]
    pub horizon_lines: Option<u64>,

    #[command(flatten)]
    pub engine: EngineArguments,

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
    #[arg(short = 'U', value_name = "N")]
    pub unified_lines: Option<usize>,

    /// Print unified hunks, with three lines of context or as many as are given.
    #[arg(long = "unified", value_name = "N", num_args = 0..=1, require_equals = true)]
    pub unified_long: Option<Option<usize>>,

    /// Print context hunks with three lines of context.
    #[arg(short = 'c')]
    pub context: bool,

    /// Print context hunks with so many lines of context.
    #[arg(short = 'C', value_name = "N")]
    pub context_lines: Option<usize>,

    /// Print context hunks, with three lines of context or as many as are given.
    #[arg(long = "context", value_name = "N", num_args = 0..=1, require_equals = true)]
    pub context_long: Option<Option<usize>>,

    /// Print a script for the editor ed.
    #[arg(short = 'e', long)]
    pub ed: bool,

    /// Print both files side by side.
    #[arg(short = 'y', long)]
    pub side_by_side: bool,

    /// Columns of the output side by side.
    #[arg(short = 'W', long, value_name = "N", default_value_t = 130)]
    pub width: usize,

    /// Print common lines side by side on the left only.
    #[arg(long)]
    pub left_column: bool,

    /// Leave common lines out side by side.
    #[arg(long)]
    pub suppress_common_lines: bool,

    /// Print tabs as spaces side by side.
    #[arg(short = 't', long)]
    pub expand_tabs: bool,

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

    /// A name for the header, in place of the file's name and time; twice for both files.
    #[arg(short = 'L', long, value_name = "LABEL")]
    pub label: Vec<OsString>,

    /// When lines are coloured: on a terminal, always or never.
    #[arg(long, alias = "colour", value_name = "WHEN", num_args = 0..=1, require_equals = true, default_value = "auto", default_missing_value = "auto")]
    pub color: Color,
}

/// What does not count as a difference.
#[derive(Debug, Args)]
pub struct IgnoredArguments {
    /// Ignore the case of letters.
    #[arg(short = 'i', long)]
    pub ignore_case: bool,

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

    /// Leave out files and folders whose names fit a pattern.
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Leave out those that fit a pattern of a file, one a line.
    #[arg(short = 'X', long, value_name = "FILE")]
    pub exclude_from: Vec<PathBuf>,

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

/// A format, with its lines of context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Normal,
    Unified(usize),
    Context(usize),
    Ed,
    SideBySide,
    Stat,
    Json,
    Brief,
    /// Of words and characters.
    Marked(usize),
}

/// Lines of context where nothing else is said.
const CONTEXT: usize = 3;

impl Arguments {
    /// The format that is asked for.
    ///
    /// # Errors
    /// [`Error::Usage`] for two formats, and for one of lines where the unit is another.
    pub fn format(&self, is_for_git: bool) -> Result<Format> {
        let &FormatArguments { normal, unified, context, ed, side_by_side, stat, json, brief, .. } = &self.formats;
        // As in GNU diff the largest number counts, where an option without one stands for three.
        let lines = |short: bool, lines: Option<usize>, long: Option<Option<usize>>| {
            let asked = [short.then_some(CONTEXT), lines, long.map(|lines| lines.unwrap_or(CONTEXT))];
            asked.into_iter().flatten().max()
        };
        let unified = lines(unified, self.formats.unified_lines, self.formats.unified_long);
        let context = lines(context, self.formats.context_lines, self.formats.context_long);
        let asked = [
            normal.then_some(Format::Normal),
            unified.map(Format::Unified),
            context.map(Format::Context),
            ed.then_some(Format::Ed),
            side_by_side.then_some(Format::SideBySide),
            stat.then_some(Format::Stat),
            json.then_some(Format::Json),
            brief.then_some(Format::Brief),
        ];
        let mut asked = asked.into_iter().flatten();
        let format = match (asked.next(), asked.next()) {
            (Some(_), Some(_)) => return Err(Error::Usage("there are two formats among the options; give one".into())),
            (Some(format), None) => format,
            (None, _) if self.unit != Unit::Lines => Format::Marked(CONTEXT),
            (None, _) if is_for_git => Format::Unified(CONTEXT),
            // As in GNU diff: the normal format has no place for it.
            (None, _) if self.formats.show_c_function => Format::Context(CONTEXT),
            (None, _) => Format::Normal,
        };
        match format {
            _ if self.unit == Unit::Lines => Ok(format),
            Format::Unified(lines) => Ok(Format::Marked(lines)),
            Format::Json | Format::Brief | Format::Stat | Format::Marked(_) => Ok(format),
            _ => Err(Error::Usage(
                "words and characters are printed with marks in unified hunks, as --json, --stat or -q: this format is of lines".into(),
            )),
        }
    }

    /// The comparison that is asked for.
    pub fn comparison(&self) -> Comparison<'static> {
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
        Comparison::new()
            .unit(unit)
            .white_space(white_space)
            .ignore_case(ignored.ignore_case)
            .ignore_tab_expansion(ignored.ignore_tab_expansion)
            .strip_trailing_returns(ignored.strip_trailing_cr)
            .ignore_blank_lines(ignored.ignore_blank_lines)
            .anchors(self.patience)
            .indent_heuristic(!self.no_indent_heuristic)
    }
}
