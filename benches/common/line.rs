//! The command line of a benchmark, and its JSON output.

use super::Outcome;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// Options of every benchmark with JSON output.
#[derive(Default)]
pub struct Line {
    /// The whole command line, as given.
    given: String,
    json: Option<PathBuf>,
    commit: String,
}

/// The arguments after an option's name.
pub struct Arguments<'l> {
    name: &'l str,
    rest: &'l mut dyn Iterator<Item = String>,
}

impl Arguments<'_> {
    /// Returns the next value of the option.
    pub fn text(&mut self) -> Outcome<String> {
        self.rest.next().ok_or_else(|| format!("{} takes a value", self.name).into())
    }

    /// Returns the next value of the option as a number.
    pub fn number<T: FromStr<Err: std::fmt::Display>>(&mut self) -> Outcome<T> {
        let text = self.text()?;
        text.parse().map_err(|error| format!("{} {text}: {error}", self.name).into())
    }

    /// Returns the next value of the option as numbers with commas between them, each in a range.
    pub fn numbers(&mut self, range: RangeInclusive<u32>) -> Outcome<Vec<u32>> {
        let number = |part: &str| match part.parse() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => Err(format!("{part}: a number from {} to {} is needed", range.start(), range.end()).into()),
        };
        self.text()?.split(',').map(number).collect()
    }
}

impl Line {
    /// Reads the command line. `option` gets the name of each option and a reader for its values,
    /// and returns false if there is no such option; the error then lists `names`. All benchmarks
    /// have `--json FILE` and `--commit NAME`.
    pub fn read(names: &str, mut option: impl FnMut(&str, &mut Arguments<'_>) -> Outcome<bool>) -> Outcome<Self> {
        // Cargo adds `--bench`.
        let all: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
        let mut line = Self { given: all.join(" "), json: None, commit: "unknown".into() };
        let mut rest = all.into_iter();
        while let Some(name) = rest.next() {
            let mut arguments = Arguments { name: &name, rest: &mut rest };
            match name.as_str() {
                "--json" => line.json = Some(arguments.text()?.into()),
                "--commit" => line.commit = arguments.text()?,
                _ if option(&name, &mut arguments)? => {}
                _ => return Err(format!("{name}? There are {names} --json --commit").into()),
            }
        }
        Ok(line)
    }

    /// Writes the results, with the program's name and arguments, if the caller requested JSON.
    pub fn write(&self, program: &str, mut results: serde_json::Value) -> Outcome<()> {
        let Some(path) = &self.json else { return Ok(()) };
        results["command"] = format!("{program} {}", self.given).trim().into();
        results["commit"] = self.commit.as_str().into();
        std::fs::write(path, row_a_line(&results)).map_err(|error| format!("{}: {error}", path.display()).into())
    }
}

/// Formats results as JSON with one line for each entry and each row, so that a file of a thousand
/// rows can be read and compared.
pub fn row_a_line(results: &serde_json::Value) -> String {
    let entries = results.as_object().into_iter().flatten().map(|(key, value)| match value.as_array() {
        Some(rows) => {
            let rows: Vec<String> = rows.iter().map(|row| row.to_string()).collect();
            format!("{key:?}: [\n{}\n]", rows.join(",\n"))
        }
        None => format!("{key:?}: {value}"),
    });
    format!("{{\n{}\n}}\n", entries.collect::<Vec<_>>().join(",\n"))
}
