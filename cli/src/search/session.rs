//! The state of a call, shared by all files.

use super::arguments::Arguments;
use crate::shared::limits::OwnLimits;
use crate::shared::notes::note;
use crate::shared::patterns::{GivenPattern, located};
use crate::shared::progress::FileBar;
use carrywave::Result;
use carrywave::device::Engine;
use carrywave::job::Recorder;
use carrywave::search::Search;
use carrywave::text::Alphabet;
use carrywave::text::characters::TextPattern;

/// Number of steps of 64 cells per minute on one core. A note announces a search that exceeds it.
const STEPS_A_MINUTE: u64 = 15_000_000_000;

/// State of a call, shared by all files.
pub struct Session<'s> {
    pub arguments: &'s Arguments,
    pub patterns: &'s [GivenPattern],
    /// Engine, or `None` for `auto`.
    pub engine: Option<&'s dyn Engine>,
    /// True if matches are coloured.
    pub has_colors: bool,
    pub bar: &'s FileBar,
    /// Adds the given number of finished symbols to the progress bar.
    pub on_progress: &'s (dyn Fn(u64) + Sync),
    /// Recorder of the engine and algorithm, or `None` if they are not printed.
    pub recorder: Option<&'s Recorder>,
}

impl<'s> Session<'s> {
    /// Returns true if any pattern may have errors.
    pub fn allows_errors(&self) -> bool {
        self.arguments.limits.allow_errors(self.patterns.iter().map(|pattern| &pattern.limits))
    }

    /// Returns a search for the patterns, which are in an alphabet, with the options of the call.
    pub fn search(&self, patterns: Vec<TextPattern>, alphabet: Alphabet) -> Result<Search<'s>> {
        let arguments = self.arguments;
        arguments.limits.check(self.patterns.iter().map(|given| &given.limits))?;
        let own: Vec<&OwnLimits> = self.patterns.iter().map(|given| &given.limits).collect();
        let search = arguments
            .limits
            .search(patterns, &own)?
            .algorithm(arguments.algorithm)
            .tuning(arguments.tune)
            .ends(arguments.ends)
            .overlapping(arguments.overlapping)
            .both_strands(arguments.rc)
            .whole_records(arguments.lines.line_regexp)
            .on_progress(self.on_progress);
        let search = arguments.borders.set(search, self.patterns, alphabet)?;
        let search = match self.recorder {
            Some(recorder) => search.recorder(recorder),
            None => search,
        };
        Ok(match self.engine {
            Some(engine) => search.on(engine),
            None => search,
        })
    }

    /// Runs a search with a progress bar. `longest` is the length of the longest pattern, and
    /// `symbols` the length of the text, if it is known.
    pub fn with_bar<T>(&self, longest: u64, symbols: Option<u64>, search: impl FnOnce() -> Result<T>) -> Result<T> {
        let arguments = self.arguments;
        let strands = if arguments.rc { 2 } else { 1 };
        let symbols = symbols.map(|symbols| symbols.saturating_mul(self.patterns.len() as u64).saturating_mul(strands));
        // A long pattern with errors takes up to one step per word of 64 rows for each symbol.
        let is_band = arguments.lines.line_regexp;
        let words = if self.allows_errors() && !is_band { longest.div_ceil(64).max(1) } else { 1 };
        if let Some(symbols) = symbols
            && words > 1
            && symbols.saturating_mul(words) > STEPS_A_MINUTE
        {
            let steps = symbols.saturating_mul(words);
            note(&format!(
                "{symbols} symbols to search for a pattern of {longest} symbols: up to {:.0} × 10^9 steps of 64 cells, \
                 about {} minutes on one core",
                steps as f64 / 1e9,
                steps.div_ceil(STEPS_A_MINUTE)
            ));
        }
        self.bar.begin(symbols, words);
        let found = search();
        self.bar.end();
        found.map_err(|error| located(self.patterns, error))
    }
}
