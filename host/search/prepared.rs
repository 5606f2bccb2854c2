//! A search with its engine, ready for texts in memory, in files and in parts.

use super::borders::records::{Borders, EndRules};
use super::checked::JoinedEngines;
use super::cpu::{self, CompareRecords, CpuAlgorithm, Query, RecordMatch, Takes};
use super::ends::FindEnds;
use super::engines::{Wanted, engine};
use super::hits::groups::Searched;
use super::hits::hit::{Beyond, Hit};
use super::resident::Kept;
use super::settings::Settings;
use super::upgraded::{OnGpu, UpgradedEnds};
use crate::device::{Cpu, Devices, EngineKind, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::job::{Ran, Report};
use crate::text::{Pattern, Strand};
use std::ops::Range;
use std::time::Instant;

/// A search with its engine.
pub(super) struct PreparedSearch<'p> {
    pub settings: Settings<'p>,
    /// The patterns that the engine searches for: the given ones, in codes if they are of
    /// characters, and their reverse complements.
    pub patterns: Vec<Pattern>,
    /// For each of `patterns`, the number of the given pattern and its strands.
    pub searched: Vec<Searched>,
    engine: Box<dyn FindEnds + 'p>,
    /// True if the engine begins on the CPU and may go on on a GPU.
    is_upgraded: bool,
    /// The threads for the work that the engine does not do.
    pub cpu: Cpu,
    /// The patterns, if hits are whole records; the engine then has none.
    whole: Option<Whole>,
    /// The patterns at the ends of records, if there are anchors or an overhang. The engine has no
    /// pattern with an anchor.
    borders: Option<Borders>,
    /// For each of `patterns`, true if the engine searches for it.
    is_inside: Vec<bool>,
    pub kind: EngineKind,
    /// The number of given patterns.
    given: u64,
    /// Number of symbols searched since the last report, summed over patterns and strands.
    done: u64,
}

/// The work of a search between two reports.
struct Work {
    /// Number of symbols searched, summed over patterns and strands.
    done: u64,
    /// The algorithms that ran.
    ran: Vec<Ran>,
    timings: Timings,
}

/// Patterns to compare with whole records, and the algorithm that compares them.
struct Whole {
    name: &'static str,
    patterns: Box<dyn CompareRecords>,
}

impl Whole {
    /// Prepares the comparison by the named algorithm, or by the fastest for `auto`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an algorithm that does not compare whole records, and for tuning
    /// options.
    fn new(settings: &Settings<'_>, patterns: &[Pattern], searched: &[Searched]) -> Result<Self> {
        let algorithm = settings.algorithm;
        let is_requested = |row: &&CpuAlgorithm| algorithm.is_auto() || row.about.name == algorithm.name();
        for row in cpu::ALGORITHMS.iter().filter(is_requested) {
            if let Takes::WholeRecords { prepare } = row.takes {
                let queries = patterns.iter().zip(searched);
                let queries = queries.map(|(pattern, own)| Query::within(pattern.clone(), own.allowed));
                return Ok(Self { name: row.about.name, patterns: prepare(queries.collect())? });
            }
        }
        let reason = "finds hits within records, but whole records were requested; use `auto`";
        Err(Error::Unsupported { algorithm: algorithm.name().into(), reason: reason.into() })
    }
}

/// A pattern to search for.
pub(super) struct Sought {
    pub pattern: Pattern,
    /// Number of the pattern among all patterns of the user.
    pub number: usize,
    /// The limits on the pattern's errors.
    pub allowed: Allowed,
    /// The rules for its occurrences at the ends of records; `None` for those of the engine.
    pub at_ends: Option<EndRules>,
}

impl<'p> PreparedSearch<'p> {
    /// Prepares a search of the text that `kept` holds on a device, or of any text if `kept` is
    /// `None`.
    pub fn new(settings: &Settings<'p>, sought: Vec<Sought>, kept: Option<&Kept>) -> Result<Self> {
        let given = sought.len() as u64;
        let (mut searched, mut patterns) = (Vec::new(), Vec::new());
        let mut at_ends: Vec<Option<EndRules>> = Vec::new();
        for Sought { pattern, number, allowed, at_ends: rules } in sought {
            let reverse = settings.both_strands.then(|| pattern.reverse_complement());
            let own = reverse.as_ref() == Some(&pattern);
            let strands: &[Strand] = if own { &[Strand::Forward, Strand::Reverse] } else { &[Strand::Forward] };
            searched.push(Searched { number, strands, allowed });
            patterns.push(pattern);
            let reversed = rules.as_ref().map(EndRules::reversed);
            at_ends.push(rules);
            if let Some(reverse) = reverse.filter(|_| !own) {
                searched.push(Searched { number, strands: &[Strand::Reverse], allowed });
                patterns.push(reverse);
                at_ends.push(reversed);
            }
        }
        let is_inside: Vec<bool> =
            at_ends.iter().map(|rules| rules.as_ref().is_none_or(EndRules::take_inside)).collect();
        let kind = kept.map(Kept::kind).or_else(|| settings.devices.as_ref().map(Devices::kind));
        let kind = kind.unwrap_or(EngineKind::Cpu);
        let cpu = settings.cpu();
        let borders = Borders::new(&patterns, &searched, at_ends, settings.choice())?;
        if kind != EngineKind::Cpu && is_inside.contains(&false) {
            return Err(UsageFault::Engine.error("patterns with anchors are compared on the CPU only; set no engine"));
        }
        let (engine, whole) = if settings.whole_records {
            if kind != EngineKind::Cpu {
                return Err(UsageFault::Engine.error("whole records are compared on the CPU only; set no engine"));
            }
            let whole = cpu.run(|| Whole::new(settings, &patterns, &searched))?;
            (JoinedEngines::join(Vec::new()), Some(whole))
        } else {
            (engine(settings, &wanted(&patterns, &searched, &is_inside), kept, &cpu)?, None)
        };
        Ok(Self {
            settings: settings.clone(),
            patterns,
            searched,
            engine,
            is_upgraded: false,
            cpu,
            whole,
            borders,
            is_inside,
            kind,
            given,
            done: 0,
        })
    }

    /// Runs a job, and adds its report to the recorder, if there is one.
    pub fn recorded<R>(&mut self, job: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let Some(recorder) = self.settings.recorder else { return job(self) };
        // Work of a job that failed or unwound belongs to no report.
        self.take_work();
        let started = Instant::now();
        let result = job(self)?;
        let Work { done, ran, timings } = self.take_work();
        let ran = if done > 0 { ran } else { Vec::new() };
        let cells = if self.kind == EngineKind::Cpu { 0 } else { done };
        recorder.add(Report::since(started, ran, done, Timings { cells, ..timings }));
        Ok(result)
    }

    /// Returns the work since the last call, and resets it.
    fn take_work(&mut self) -> Work {
        let (names, on_gpu) = match &self.whole {
            Some(whole) => (vec![whole.name], Vec::new()),
            None => (self.engine.ran(), self.engine.ran_on_gpu()),
        };
        let on = |engine| move |algorithm| Ran { engine, algorithm };
        let ran = names.into_iter().map(on(self.kind)).chain(on_gpu.into_iter().map(on(EngineKind::Gpu)));
        Work { done: std::mem::take(&mut self.done), ran: ran.collect(), timings: self.engine.timings() }
    }

    /// Announces that the next texts have this number of symbols in total. If nobody chose an
    /// engine or an algorithm, the search may go on on a GPU from now on.
    pub fn expect(&mut self, symbols: u64) {
        let is_chosen = self.settings.devices.is_some() || !self.settings.algorithm.is_auto();
        let is_searched = self.is_inside.contains(&true) && self.whole.is_none();
        if self.kind == EngineKind::Cpu && !is_chosen && is_searched && !self.is_upgraded {
            self.is_upgraded = true;
            let (settings, cpu, patterns) = (self.settings.clone(), self.cpu.clone(), self.patterns.clone());
            let (searched, is_inside) = (self.searched.clone(), self.is_inside.clone());
            let on_gpu: OnGpu<'p> = Box::new(move |devices| {
                let settings = Settings { devices: Some(devices), ..settings.clone() };
                engine(&settings, &wanted(&patterns, &searched, &is_inside), None, &cpu)
            });
            let on_cpu = std::mem::replace(&mut self.engine, JoinedEngines::join(Vec::new()));
            self.engine = Box::new(UpgradedEnds::new(on_cpu, on_gpu));
        }
        self.engine.expect(symbols);
    }

    /// Counts symbols of the text as searched. Returns their number, summed over patterns and
    /// strands.
    fn add_done(&mut self, symbols: u64) -> u64 {
        let strands = if self.settings.both_strands { 2 } else { 1 };
        let done = symbols.saturating_mul(self.given).saturating_mul(strands);
        self.done = self.done.saturating_add(done);
        done
    }

    /// Returns the patterns at the ends of records, if there are anchors or an overhang.
    pub fn borders(&self) -> Option<&Borders> {
        self.borders.as_ref()
    }

    /// Returns true if the engine searches for any pattern.
    pub fn searches_inside(&self) -> bool {
        self.whole.is_none() && self.is_inside.contains(&true)
    }

    /// Counts symbols of a text whose records' ends alone are inspected.
    pub fn skip(&mut self, symbols: u64) {
        let done = self.add_done(symbols);
        (self.settings.progress)(done);
    }

    /// Returns true if hits are whole records.
    pub fn is_of_whole_records(&self) -> bool {
        self.whole.is_some()
    }

    /// Returns the records that are hits as a whole, or `None` if hits are not whole records.
    pub fn whole_records(&mut self, symbols: &[u8], records: &[Range<usize>]) -> Option<Vec<Hit>> {
        let whole = self.whole.as_ref()?;
        let found = self.cpu.clone().run(|| whole.patterns.matches(symbols, records));
        let hit = |RecordMatch { record, pattern, errors }| {
            let own = &self.searched[pattern];
            let strand = own.strands.first().copied().unwrap_or(Strand::Forward);
            Hit {
                record,
                start: 0,
                end: records[record].len() as u64,
                pattern: own.number,
                strand,
                errors,
                beyond: Beyond::NONE,
            }
        };
        let hits = found.into_iter().map(hit).collect();
        let done = self.add_done(symbols.len() as u64);
        (self.settings.progress)(done);
        Some(hits)
    }

    /// Runs a job with the engine on a text of `symbols` symbols, and logs the time.
    pub fn run<R: Send>(&mut self, symbols: u64, job: impl FnOnce(&mut dyn FindEnds) -> Result<R> + Send) -> Result<R> {
        let started = Instant::now();
        let (engine, cpu) = (&mut *self.engine, self.cpu.clone());
        let result = cpu.run(|| job(engine))?;
        if self.settings.both_strands {
            // A pattern that is its own reverse complement was searched for once.
            let own = self.searched.iter().filter(|searched| searched.strands.len() > 1).count() as u64;
            if own > 0 {
                (self.settings.progress)(symbols.saturating_mul(own));
            }
        }
        self.add_done(symbols);
        let seconds = started.elapsed().as_secs_f64();
        log::debug!(
            "search for {} patterns, k = {}, in {symbols} symbols: {seconds:.3} s, {:.2} GB/s for each pattern and strand",
            self.given,
            self.searched.iter().map(|searched| searched.allowed.errors).max().unwrap_or(0),
            symbols as f64 * self.patterns.len() as f64 / 1e9 / seconds.max(1e-9),
        );
        Ok(result)
    }

    /// Returns the ends of each pattern beyond the first `halo` symbols of a text, which are
    /// searched already.
    pub fn ends_beyond(&mut self, text: &[u8], halo: u64) -> Result<Vec<Vec<End>>> {
        let count = self.patterns.len();
        self.run(text.len() as u64 - halo, |engine| engine.all_beyond(text, halo, count))
    }

    /// Returns the index of the engine's pattern for the forward strand of a given pattern, by its
    /// number among all patterns.
    pub fn forward(&self, number: usize) -> Option<usize> {
        self.searched.iter().position(|searched| searched.number == number)
    }

    /// Returns the largest m + k of a pattern: an occurrence that ends in a part starts at most
    /// this many symbols before the part.
    pub fn context(&self) -> u64 {
        let each = self.patterns.iter().zip(&self.searched);
        each.map(|(pattern, own)| pattern.len() as u64 + u64::from(own.allowed.errors)).max().unwrap_or(0)
    }
}

/// Returns the patterns that the engine searches for, with their numbers and limits.
fn wanted<'w>(patterns: &'w [Pattern], searched: &[Searched], is_inside: &[bool]) -> Vec<(usize, Wanted<'w>)> {
    let all = patterns.iter().zip(searched).enumerate().zip(is_inside);
    let inside = all.filter(|(_, is_inside)| **is_inside);
    inside.map(|((number, (pattern, searched)), _)| (number, (pattern, searched.allowed))).collect()
}
