//! Two strings in memory: computes their distance, the nearest parts or a script, and prints it.

use super::arguments::{Arguments, Gaps, ModeArgument, Output};
use super::print::{Placed, Printer};
use crate::shared::output::{Targets, write};
use crate::shared::plot::{Advice, plot};
use crate::shared::span::Span;
use crate::shared::strings::Strings;
use carrywave::Result;
use carrywave::distance::{Comparison, Mode, PlacedScript, Placement};
use carrywave::text::{Equality, Strand};
use indicatif::ProgressBar;

/// Two strings in memory, and the parameters of their comparison.
pub struct StringComparison<'c> {
    pub arguments: &'c Arguments,
    pub strings: &'c Strings,
    pub equality: &'c Equality,
    pub comparison: Comparison<'c>,
    pub needs_script: bool,
    /// True for the first rank only.
    pub prints: bool,
    pub bar: &'c ProgressBar,
    /// Score, if the strings are the parts of an overlap.
    pub score: Option<u64>,
    /// Start of the rotation, if B is one.
    pub rotation: Option<u64>,
}

impl StringComparison<'_> {
    /// Computes the result and prints it.
    pub fn run(&self, targets: Targets) -> Result<()> {
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

    pub fn printer(&self) -> Printer<'_> {
        let Arguments { output, meaning, .. } = self.arguments;
        Printer {
            output: *output,
            mode: meaning.mode,
            strings: self.strings,
            score: self.score,
            rotation: self.rotation,
        }
    }

    /// Returns the upper bound on the distance, if there is one. A percentage refers to the longer
    /// string, or to A if only a part of B is compared.
    fn maximum(&self) -> Option<u64> {
        let [a, b] = [&self.strings.a, &self.strings.b].map(|string| string.symbols.len());
        let is_global = self.arguments.meaning.mode == ModeArgument::PartOfB(Mode::Global);
        let limited = if is_global { a.max(b) } else { a };
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
