//! The common form of the help of all commands: examples first, then options in groups, then
//! further sections. [`crate::manual`] makes manual pages from the same parts.

use carrywave::algorithm::{Algorithm, Problem};
use carrywave::device::EngineKind;
use clap::builder::{PossibleValue, TypedValueParser};
use std::ffi::OsStr;
use std::str::FromStr;

/// Headings of the option groups, in the order of the help.
pub const INPUT: &str = "Input";
pub const MATCHING: &str = "What counts as a match";
pub const STEPS: &str = "Other steps";
pub const FILTERS: &str = "Filters";
pub const OUTPUT: &str = "Output";
pub const PERFORMANCE: &str = "Performance";
pub const DIAGNOSTICS: &str = "Diagnostics";
pub const GLOBAL: &str = "Options of all commands";

/// Order of the parts of help. `before_help` holds a command's examples, `after_help` its sections.
pub const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

{before-help}{all-args}{after-help}";

/// Section on exit codes, for commands that share the usual codes.
pub const EXIT_STATUS: &str = "\
Exit status:
  0  done
  1  failed; standard error has one line with the reason
  2  wrong call";

/// Returns the examples for the short help: the heading and the first four.
pub fn few(examples: &str) -> String {
    examples.lines().take(5).collect::<Vec<_>>().join("\n")
}

/// Maximum width of the help, in columns.
pub const WIDTH: usize = 100;

/// Parses a value by its type and offers names to shells. The type refuses other names.
#[derive(Clone)]
pub struct OneOf<F> {
    parse: F,
    names: Vec<&'static str>,
}

/// Returns a value parser that offers these names.
pub fn one_of<T>(
    names: impl IntoIterator<Item = &'static str>,
) -> OneOf<impl Fn(&str) -> Result<T, T::Err> + Clone + Send + Sync>
where
    T: FromStr,
{
    OneOf { parse: str::parse::<T>, names: names.into_iter().collect() }
}

/// Returns `auto` and the names of a problem's algorithms for all engines.
pub fn algorithm_names<P: Problem>() -> impl Iterator<Item = &'static str> {
    std::iter::once(Algorithm::<P>::AUTO).chain(Algorithm::all()).map(Algorithm::name)
}

impl<T, E, F> TypedValueParser for OneOf<F>
where
    F: Fn(&str) -> Result<T, E> + Clone + Send + Sync + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync + 'static>>,
    T: Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<T, clap::Error> {
        TypedValueParser::parse_ref(&self.parse, cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// Returns a section that lists a problem's algorithms by engine.
pub fn algorithms<P: Problem>(heading: &str) -> String {
    let engines = [("cpu", EngineKind::Cpu), ("gpu, simt", EngineKind::Gpu)];
    let rows = engines.into_iter().flat_map(|(engines, kind)| {
        P::algorithms(kind).iter().map(move |about| {
            (format!("{engines:<9} {:<22}", about.name), format!("{} ({})", about.summary, about.source))
        })
    });
    section(heading, rows)
}

/// Returns true if this call may print the long help or the manual. Other calls save the time to
/// fold their lists, about 0.1 ms.
fn is_requested() -> bool {
    std::env::args_os()
        .filter_map(|word| word.into_string().ok())
        .any(|word| word.starts_with("--h") || word == "help" || word == "man")
}

/// Returns a section of rows: a name, and its description folded at [`WIDTH`] columns.
pub fn section(heading: &str, rows: impl IntoIterator<Item = (String, String)>) -> String {
    let mut text = format!("{heading}:");
    if !is_requested() {
        return text;
    }
    for (name, description) in rows {
        let indent = " ".repeat(name.chars().count() + 2);
        let mut line = format!("  {name}");
        for word in description.split_whitespace() {
            if line.chars().count() + word.chars().count() >= WIDTH {
                text += &format!("\n{line}");
                line.clone_from(&indent);
            }
            line.push(' ');
            line += word;
        }
        text += &format!("\n{line}");
    }
    text
}
