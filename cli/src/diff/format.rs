//! The output format that the options choose.

use super::arguments::{Arguments, FormatArguments, Unit, only_value};
use carrywave::Result;
use carrywave::diff::Templates;
use carrywave::error::UsageFault;
use std::ffi::OsString;

/// An output format, with its lines of context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    Normal,
    Unified(usize),
    Context(usize),
    Ed,
    ForwardEd,
    Rcs,
    SideBySide,
    Templates(Box<Templates>),
    Stat,
    Json,
    Brief,
    /// Unified hunks with marked words or characters.
    Marked(usize),
}

/// Default number of context lines.
const CONTEXT: usize = 3;

impl Format {
    /// True for a table, or a list for programs, which have no line per file.
    pub fn is_own(&self) -> bool {
        matches!(self, Self::Stat | Self::Json)
    }

    /// True if the format prints the lines of files without a difference.
    pub fn prints_common(&self, formats: &FormatArguments) -> bool {
        match self {
            Self::SideBySide => !formats.suppress_common_lines,
            Self::Templates(templates) => templates.print_common(),
            _ => false,
        }
    }

    /// Returns the lines of context, over which changes can slide at the ends of the files.
    pub fn context(&self) -> usize {
        match self {
            Self::Unified(lines) | Self::Context(lines) | Self::Marked(lines) => *lines,
            _ => 0,
        }
    }
}

impl Arguments {
    /// Returns the format that the options choose. With -q, the format is `Brief`, whatever other
    /// formats are given.
    ///
    /// # Errors
    /// As for [`style`](Self::style), and [`Error::Usage`](carrywave::Error::Usage) for -q beside a
    /// table or JSON.
    pub fn format(&self, is_for_git: bool) -> Result<Format> {
        let style = self.style(is_for_git)?;
        match self.formats.brief {
            true if style.is_own() => {
                Err(UsageFault::Combination.error("-q conflicts with --stat and --json; give one of these options"))
            }
            true => Ok(Format::Brief),
            false => Ok(style),
        }
    }

    /// Returns the format that the options choose without -q.
    ///
    /// # Errors
    /// [`Error::Usage`](carrywave::Error::Usage) for two formats, and for a line format where the
    /// unit is not lines.
    pub fn style(&self, is_for_git: bool) -> Result<Format> {
        let formats = &self.formats;
        // As in GNU diff, the largest number of lines wins. -u and -c stand for three lines.
        let lines = |short: bool, lines: Option<usize>, long: Option<Option<usize>>| {
            let asked = [short.then_some(CONTEXT), lines, long.map(|lines| lines.unwrap_or(CONTEXT))];
            let lines = asked.into_iter().flatten().max()?;
            let is_explicit = asked.iter().skip(1).any(Option::is_some);
            // -NUM can increase an explicit number, and replaces the three lines of -u and -c.
            Some(self.formats.num.filter(|&num| num > lines || !is_explicit).unwrap_or(lines))
        };
        let unified = lines(formats.unified, formats.unified_lines, formats.unified_long);
        let context = lines(formats.context, formats.context_lines, formats.context_long);
        let asked = [
            formats.normal.then_some(Format::Normal),
            unified.map(Format::Unified),
            context.map(Format::Context),
            formats.ed.then_some(Format::Ed),
            formats.forward_ed.then_some(Format::ForwardEd),
            formats.rcs.then_some(Format::Rcs),
            formats.side_by_side.then_some(Format::SideBySide),
            formats.templates()?.map(|templates| Format::Templates(Box::new(templates))),
            formats.stat.then_some(Format::Stat),
            formats.json.then_some(Format::Json),
        ];
        let mut asked = asked.into_iter().flatten();
        let format = match (asked.next(), asked.next()) {
            (Some(_), Some(_)) => {
                return Err(UsageFault::Combination.error("two output formats are given; give one"));
            }
            (Some(format), None) => format,
            (None, _) if self.unit != Unit::Lines => Format::Marked(formats.num.unwrap_or(CONTEXT)),
            (None, _) if is_for_git => Format::Unified(formats.num.unwrap_or(CONTEXT)),
            // As in GNU diff: the normal format has no line for the function.
            (None, _) if formats.show_c_function => Format::Context(formats.num.unwrap_or(CONTEXT)),
            (None, _) => Format::Normal,
        };
        match format {
            _ if self.unit == Unit::Lines => Ok(format),
            Format::Unified(lines) => Ok(Format::Marked(lines)),
            Format::Json | Format::Brief | Format::Stat | Format::Marked(_) => Ok(format),
            _ => Err(UsageFault::Combination.error(
                "this format is for lines only; with --unit words, chars or graphemes use -u, --json, --stat or -q",
            )),
        }
    }
}

impl FormatArguments {
    /// Returns the given templates, or `None` if there are none.
    fn templates(&self) -> Result<Option<Templates>> {
        let names: Vec<Templates> = self.ifdef.iter().map(|name| Templates::ifdef(name.as_encoded_bytes())).collect();
        let of_groups = [
            ("--unchanged-group-format", &self.unchanged_group_format),
            ("--old-group-format", &self.old_group_format),
            ("--new-group-format", &self.new_group_format),
            ("--changed-group-format", &self.changed_group_format),
        ];
        let of_lines = [
            ("--unchanged-line-format", &self.unchanged_line_format),
            ("--old-line-format", &self.old_line_format),
            ("--new-line-format", &self.new_line_format),
        ];
        let is_empty = |all: &[(&str, &Vec<OsString>)]| all.iter().all(|(_, values)| values.is_empty());
        if names.is_empty() && is_empty(&of_groups) && is_empty(&of_lines) && self.line_format.is_empty() {
            return Ok(None);
        }
        let bytes = |value: &OsString| value.as_encoded_bytes().to_vec();
        let one = |name: &str, given: &[OsString], by_name: Vec<Vec<u8>>| {
            let values: Vec<Vec<u8>> = by_name.into_iter().chain(given.iter().map(bytes)).collect();
            only_value(name, &values).map(|value| value.cloned())
        };
        let [unchanged, old, new, changed] = of_groups;
        let by_name = |field: fn(&Templates) -> &Vec<u8>| names.iter().map(|names| field(names).clone()).collect();
        let unchanged_group = one(unchanged.0, unchanged.1, by_name(|names| &names.unchanged_group))?;
        let old_group = one(old.0, old.1, by_name(|names| &names.old_group))?;
        let new_group = one(new.0, new.1, by_name(|names| &names.new_group))?;
        let changed_group = one(changed.0, changed.1, by_name(|names| &names.changed_group))?;
        let line =
            |(name, given): (&str, &Vec<OsString>)| one(name, given, self.line_format.iter().map(bytes).collect());
        let [unchanged, old, new] = of_lines;
        let usual = Templates::default();
        let old_group = old_group.or(changed_group.clone()).unwrap_or(usual.old_group);
        let new_group = new_group.or(changed_group.clone()).unwrap_or(usual.new_group);
        Ok(Some(Templates {
            unchanged_line: line(unchanged)?.unwrap_or(usual.unchanged_line),
            old_line: line(old)?.unwrap_or(usual.old_line),
            new_line: line(new)?.unwrap_or(usual.new_line),
            unchanged_group: unchanged_group.unwrap_or(usual.unchanged_group),
            changed_group: changed_group.unwrap_or_else(|| [&old_group[..], &new_group].concat()),
            old_group,
            new_group,
        }))
    }
}
