//! `carrywave distance`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options |
//! | `print` | output for two strings |
//! | `transpositions` | two strings, with transpositions |
//! | `pairs`, `clusters` | many pairs, and groups of near strings |
//! | `columns`, `column` | the columns of a table |
//! | `parquet` | the columns of a Parquet file |

mod arguments;
mod clusters;
mod column;
mod columns;
mod pairs;
#[cfg(feature = "parquet")]
mod parquet;
mod print;
mod transpositions;

pub use arguments::Arguments;

use crate::shared::engine::GpuArguments;
use crate::shared::output::{Targets, write};
use crate::shared::parts::ReportAtEnd;
use crate::shared::plot::{Advice, plot};
use crate::shared::progress::{CELLS, bar};
use crate::shared::span::Span;
use crate::shared::strings::{ReadStrings, StringRequest, Strings};
use arguments::{Gaps, Output};
use carrywave::Result;
use carrywave::distance::{Comparison, Mode, PlacedScript, Placement};
use carrywave::error::UsageFault;
use carrywave::job::Recorder;
use carrywave::text::{Equality, Strand};
use indicatif::ProgressBar;
use print::{Placed, Printer};

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments, threads: Option<usize>) -> Result<()> {
    if arguments.many.are_given() {
        arguments.members.refuse("not available with --pairs and --all, which use one engine per pair")?;
        return pairs::run(arguments, gpus);
    }
    let none = || UsageFault::Empty.error("no strings; give two strings, or --pairs or --all");
    let strings = arguments.strings.as_ref().ok_or_else(none)?;
    arguments.many.refuse()?;
    if arguments.meaning.transpositions {
        return transpositions::run(arguments, strings, gpus);
    }
    let algorithm = arguments.algorithm()?;
    gpus.check(arguments.engine.engine, algorithm)?;
    let cluster = arguments.members.open(&arguments.engine, gpus, threads)?;
    // Only the first rank writes output.
    let prints = cluster.as_ref().is_none_or(|cluster| cluster.rank() == 0);
    let targets =
        if prints { Targets::open(arguments.file.as_deref(), arguments.plot.as_deref())? } else { Targets::NONE };
    let equality = arguments.meaning.equality()?;
    let request = StringRequest {
        strings,
        unit: &arguments.unit,
        needs_bytes: !equality.is_exact(),
        engine: arguments.engine.engine,
        gpus,
        has_members: cluster.is_some(),
    };
    let ReadStrings { strings, engine } = request.read()?;
    let Strings { a, b, .. } = &strings;

    let needs_script = !matches!(arguments.output, Output::Distance | Output::Places) || arguments.plot.is_some();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = bar(if needs_script { cells.saturating_mul(2) } else { cells }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    // The recorder makes comparisons of short strings appear in the log, too.
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let mut comparison = Comparison::new().algorithm(algorithm);
    comparison = comparison.on_progress(&on_progress).recorder(&recorder);
    comparison = arguments.meaning.set(comparison, &equality);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }
    if let Some(cluster) = &cluster {
        comparison = comparison.across(cluster);
    }
    StringComparison { arguments, strings: &strings, equality: &equality, comparison, needs_script, prints, bar: &bar }
        .run(targets)
}

/// Two strings in memory, and the parameters of their comparison.
struct StringComparison<'c> {
    arguments: &'c Arguments,
    strings: &'c Strings,
    equality: &'c Equality,
    comparison: Comparison<'c>,
    needs_script: bool,
    /// True for the first rank only.
    prints: bool,
    bar: &'c ProgressBar,
}

impl StringComparison<'_> {
    fn run(&self, targets: Targets) -> Result<()> {
        let output = self.arguments.output;
        if let Some(maximum) = self.maximum() {
            let within = self.within(maximum);
            match within? {
                None if !self.prints => return Ok(()),
                None => {
                    self.bar.finish_and_clear();
                    return self.printer().above(targets.output, maximum);
                }
                Some(distance) if output == Output::Distance && !self.needs_script => {
                    self.bar.finish_and_clear();
                    return if self.prints { write(targets.output, |out| writeln!(out, "{distance}")) } else { Ok(()) };
                }
                Some(_) => {}
            }
        }
        match output {
            _ if self.needs_script => self.script(targets),
            Output::Places => self.places(targets),
            _ => self.distance(targets),
        }
    }

    fn printer(&self) -> Printer<'_> {
        Printer { output: self.arguments.output, mode: self.arguments.meaning.mode, strings: self.strings }
    }

    /// Returns the upper bound on the distance, if there is one. A percentage refers to the longer
    /// string, or to A if only a part of B is compared.
    fn maximum(&self) -> Option<u64> {
        let [a, b] = [&self.strings.a, &self.strings.b].map(|string| string.symbols.len());
        let limited = if self.arguments.meaning.mode == Mode::Global { a.max(b) } else { a };
        self.arguments.many.max.map(|max| u64::from(max.for_len(limited)))
    }

    fn within(&self, maximum: u64) -> Result<Option<u64>> {
        let Strings { a, b, numbered, .. } = self.strings;
        let comparison = self.comparison.clone().maximum(maximum);
        match numbered {
            Some(numbered) => comparison.within_of_numbers(numbered),
            None => comparison.within(&a.symbols, &b.symbols),
        }
    }

    fn places(&self, targets: Targets) -> Result<()> {
        let Strings { a, b, numbered, .. } = self.strings;
        let places = match numbered {
            Some(numbered) => self.comparison.places_of_numbers(numbered),
            None => self.comparison.places(&a.symbols, &b.symbols),
        };
        self.bar.finish_and_clear();
        let places = places?;
        let distance = places.distance;
        let start = Span::new(b).start;
        write(targets.output, |out| {
            places
                .places
                .iter()
                .try_for_each(|place| writeln!(out, "{}\t{}\t{distance}", start + place.start, start + place.end))
        })
    }

    fn distance(&self, targets: Targets) -> Result<()> {
        let Strings { a, b, numbered, .. } = self.strings;
        let distance = match numbered {
            Some(numbered) => self.comparison.distance_of_numbers(numbered),
            None => self.comparison.distance(&a.symbols, &b.symbols),
        };
        self.bar.finish_and_clear();
        let distance = distance?;
        if self.prints { write(targets.output, |out| writeln!(out, "{distance}")) } else { Ok(()) }
    }

    fn script(&self, targets: Targets) -> Result<()> {
        let Strings { a, b, numbered, .. } = self.strings;
        let script = match numbered {
            Some(numbered) => self.comparison.placed_script_of_numbers(numbered),
            None => self.comparison.script_with_place(&a.symbols, &b.symbols),
        };
        self.bar.finish_and_clear();
        let placement = match self.arguments.gaps {
            Gaps::Leftmost => Placement::Leftmost,
            Gaps::Rightmost => Placement::Rightmost,
        };
        let PlacedScript { script, place, .. } = script?;
        if !self.prints {
            return Ok(());
        }
        let part = place.start as usize..place.end as usize;
        let script = match numbered {
            Some(numbered) => script.placed_of(placement, &numbered.a, &numbered.b[part])?,
            None => script.placed_by(placement, &a.symbols, &b.symbols[part], self.equality)?,
        };
        let placed = Placed { script, place, b_len: b.symbols.len() as u64 };
        if let Some(file) = targets.plot {
            plot(file, a, b, &placed.common_subsequence()?, Strand::Forward, Advice::Program)?;
        }
        self.printer().script(targets.output, &placed)
    }
}
