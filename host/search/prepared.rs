//! A search with its engine, ready for texts in memory, in files and in parts.

use super::checked::Shared;
use super::ends::FindEnds;
use super::engines::{Wanted, engine};
use super::hit::Hit;
use super::resident::Kept;
use super::searched::Searched;
use super::settings::Settings;
use super::whole::WholeRecords;
use crate::device::Cpu;
use crate::error::{Result, UsageFault};
use crate::infix::End;
use crate::text::{Pattern, Strand};
use std::ops::Range;
use std::time::Instant;

/// A search with its engine.
pub(super) struct PreparedSearch<'p> {
    pub settings: Settings<'p>,
    /// The patterns that the engine looks for: those given, and their reverse complements.
    pub patterns: Vec<Pattern>,
    /// For each of these, the given pattern and its strands.
    pub searched: Vec<Searched>,
    engine: Box<dyn FindEnds + 'p>,
    /// The threads that do what the engine does not.
    pub cpu: Cpu,
    /// For hits that are whole records; the engine then has no patterns.
    whole: Option<WholeRecords>,
}

impl<'p> PreparedSearch<'p> {
    /// For a text that is kept on a device, or for any text.
    pub fn new(settings: &Settings<'p>, kept: Option<&Kept>) -> Result<Self> {
        let allowed = settings.check()?;
        let (mut searched, mut patterns) = (Vec::new(), Vec::new());
        for (number, (pattern, &allowed)) in settings.patterns.iter().zip(&allowed).enumerate() {
            let reverse = settings.both_strands.then(|| pattern.reverse_complement());
            let own = reverse.as_ref() == Some(pattern);
            let strands: &[Strand] = if own { &[Strand::Forward, Strand::Reverse] } else { &[Strand::Forward] };
            searched.push(Searched { number, strands, allowed });
            patterns.push(pattern.clone());
            if let Some(reverse) = reverse.filter(|_| !own) {
                searched.push(Searched { number, strands: &[Strand::Reverse], allowed });
                patterns.push(reverse);
            }
        }
        let cpu = settings.cpu();
        let (engine, whole) = if settings.whole_records {
            if !settings.is_on_cpu() || kept.is_some() {
                return Err(UsageFault::Engine.error("whole records are compared on the CPU: leave the engine out"));
            }
            let whole = cpu.run(|| WholeRecords::new(&patterns, &searched))?;
            (Shared::of(Vec::new()), Some(whole))
        } else {
            let allowed = searched.iter().map(|searched| searched.allowed);
            let wanted: Vec<Wanted<'_>> = patterns.iter().zip(allowed).collect();
            (engine(settings, &wanted, kept, &cpu)?, None)
        };
        Ok(Self { settings: settings.clone(), patterns, searched, engine, cpu, whole })
    }

    /// Returns true if hits are whole records.
    pub fn is_of_whole_records(&self) -> bool {
        self.whole.is_some()
    }

    /// The hits among records, if these are searched as a whole.
    pub fn whole_records(&self, symbols: &[u8], records: &[Range<usize>]) -> Option<Vec<Hit>> {
        let (whole, patterns, searched) = (self.whole.as_ref()?, &self.patterns, &self.searched);
        let hits = self.cpu.clone().run(|| whole.hits((patterns, searched), symbols, records));
        let strands = if self.settings.both_strands { 2 } else { 1 };
        let patterns = self.settings.patterns.len() as u64;
        (self.settings.progress)((symbols.len() as u64).saturating_mul(patterns).saturating_mul(strands));
        Some(hits)
    }

    /// Runs the engine on a text of `symbols` symbols, and logs the time.
    pub fn run<R: Send>(&mut self, symbols: u64, job: impl FnOnce(&mut dyn FindEnds) -> Result<R> + Send) -> Result<R> {
        let started = Instant::now();
        let (engine, cpu) = (&mut *self.engine, self.cpu.clone());
        let result = cpu.run(|| job(engine))?;
        if self.settings.both_strands {
            // A pattern that is its own reverse complement was looked for once.
            let own = self.searched.iter().filter(|searched| searched.strands.len() > 1).count() as u64;
            if own > 0 {
                (self.settings.progress)(symbols.saturating_mul(own));
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        log::info!(
            "search for {} patterns, k = {}, by {}, in {symbols} symbols: {seconds:.3} s, {:.2} GB/s for each pattern and strand",
            self.settings.patterns.len(),
            self.searched.iter().map(|searched| searched.allowed.errors).max().unwrap_or(0),
            self.algorithms().join(", "),
            symbols as f64 * self.patterns.len() as f64 / 1e9 / seconds.max(1e-9),
        );
        Ok(result)
    }

    /// The names of the algorithms that search, each once.
    pub fn algorithms(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = match self.whole {
            Some(_) => vec![WholeRecords::NAME],
            None => self.engine.algorithms(),
        };
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The ends of each pattern beyond the first `halo` symbols of a text, which were searched before.
    pub fn ends_beyond(&mut self, text: &[u8], halo: u64) -> Result<Vec<Vec<End>>> {
        let count = self.patterns.len();
        self.run(text.len() as u64 - halo, |engine| engine.all_beyond(text, halo, count))
    }

    /// The largest m + k of a pattern: an occurrence that ends in a part begins at most so many symbols before it.
    pub fn context(&self) -> u64 {
        let each = self.patterns.iter().zip(&self.searched);
        each.map(|(pattern, own)| pattern.len() as u64 + u64::from(own.allowed.errors)).max().unwrap_or(0)
    }
}
