//! The search job: which engine and algorithm, then every occurrence or the best ones.

use super::hit::{Hit, Strand};
use super::pattern::Pattern;
use super::records::{self, RecordEnd};
use super::start::start;
use crate::engine::cpu::search::CpuEnds;
use crate::engine::ends::Ends as EndsEngine;
use crate::engine::search::{DeviceAlgorithm, DeviceEnds, GbprOptions, ScanOptions, XBitParOptions};
use crate::engine::simt::Simt;
use crate::error::{Error, Result};
use crate::lcs::Engine;
use rayon::prelude::*;
use std::fmt;
use std::ops::Range;
use std::time::Instant;

/// How occurrences are found. All algorithms find the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// The fastest.
    #[default]
    Auto,
    /// CPU: Wu and Manber's operators on 64 symbols of each of 8 or 4 segments, by AVX-512 or AVX2; k ≤ 15.
    Segments,
    /// CPU: the crate memchr's `memmem`; k = 0, single symbols.
    Literal,
    /// CPU: Myers (1999), Hyyrö (2003), in 64-bit words.
    Myers,
    /// Wu and Manber (1992); on a GPU in long runs of the text, m ≤ 64 and k ≤ 4.
    WuManber,
    /// Baeza-Yates and Gonnet (1992), k = 0; on a GPU in tiles that lanes join, m ≤ 64.
    ShiftOr,
    /// GPU: both as inclusive scans, as Mitani, Ino and Hagihara (2017) published them; m ≤ 64, k ≤ 3.
    Scan,
    /// GPU: both in a short segment a thread, as Lin, Wang and Huang (2014) published them; m ≤ 64, k ≤ 3.
    Gbpr,
    /// GPU: both in words across a warp, as Tran, Liu and Schmidt (2016) published them; m ≤ 4,096, k ≤ 3.
    XBitPar,
    /// CPU: dynamic programming, Sellers (1980).
    Sellers,
}

impl Algorithm {
    /// Every algorithm, by its name on the command line.
    pub const NAMES: [(&str, Algorithm); 10] = [
        ("auto", Algorithm::Auto),
        ("segments", Algorithm::Segments),
        ("literal", Algorithm::Literal),
        ("myers", Algorithm::Myers),
        ("wu-manber", Algorithm::WuManber),
        ("shift-or", Algorithm::ShiftOr),
        ("scan", Algorithm::Scan),
        ("gbpr", Algorithm::Gbpr),
        ("xbitpar", Algorithm::XBitPar),
        ("sellers", Algorithm::Sellers),
    ];
}

/// Which ends are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ends {
    /// Of each run of adjacent ends one: the end with the fewest errors, the first of several. An occurrence with fewer
    /// than k errors has up to k more ends on either side, with the symbols around it as insertions and deletions.
    #[default]
    Best,
    /// Every symbol at which an occurrence with at most k errors ends.
    All,
}

impl Ends {
    /// By the name on the command line.
    pub const NAMES: [(&str, Ends); 2] = [("best", Ends::Best), ("all", Ends::All)];
}

named! {
    Algorithm, "algorithm";
    Ends, "choice of ends";
}

/// A search for patterns with at most k errors, with the engine and algorithm of your choice.
///
/// ```
/// use carrywave::search::{Alphabet, Pattern, Search};
///
/// let pattern = Pattern::parse(b"GATTACA", Alphabet::Dna)?;
/// let hits = Search::new(pattern).errors(1).both_strands(true).hits(b"ccGATTCAcc")?;
/// assert_eq!((hits[0].start, hits[0].end, hits[0].errors), (2, 8, 1));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
pub struct Search<'p> {
    patterns: Vec<Pattern>,
    k: u32,
    engine: Engine,
    algorithm: Algorithm,
    ends: Ends,
    both_strands: bool,
    progress: &'p (dyn Fn(u64) + Sync),
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("patterns", &self.patterns.len())
            .field("k", &self.k)
            .field("engine", &self.engine)
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

impl<'p> Search<'p> {
    /// For one pattern, without errors, with [`Engine::Auto`] and its fastest algorithm.
    pub fn new(pattern: Pattern) -> Self {
        Self::many(vec![pattern])
    }

    /// For several patterns, each on its own.
    pub fn many(patterns: Vec<Pattern>) -> Self {
        Self {
            patterns,
            k: 0,
            engine: Engine::Auto,
            algorithm: Algorithm::Auto,
            ends: Ends::Best,
            both_strands: false,
            progress: &|_| (),
        }
    }

    /// How many errors at most: k insertions, deletions and substitutions, less than any pattern has symbols.
    pub fn errors(self, k: u32) -> Self {
        Self { k, ..self }
    }

    /// What computes.
    pub fn engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// How.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Which ends.
    pub fn ends(self, ends: Ends) -> Self {
        Self { ends, ..self }
    }

    /// Whether to search for the patterns' reverse complements too. A pattern that is its own is found on the forward
    /// strand alone.
    pub fn both_strands(self, both: bool) -> Self {
        Self { both_strands: both, ..self }
    }

    /// Told, now and then and from any thread, the number of symbols done since the last call: n in all for each pattern
    /// and each strand.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// The occurrences in a text, in order. Beside the engine's time, O(m k) for each.
    ///
    /// Of several starts with the fewest errors for an end, a hit has the nearest to the end.
    ///
    /// # Errors
    /// [`Error::Usage`] for no pattern, an empty one, k not less than its length, and an engine or algorithm that cannot do
    /// it.
    pub fn hits(&self, text: &[u8]) -> Result<Vec<Hit>> {
        self.hits_in(text, std::slice::from_ref(&(0..text.len())))
    }

    /// The occurrences in those parts of `symbols` that are `records`, none of them in two. What is between records is not
    /// searched.
    ///
    /// # Errors
    /// As [`hits`](Self::hits), and for records that are out of order, overlap or are not within the symbols.
    pub fn hits_in(&self, symbols: &[u8], records: &[Range<usize>]) -> Result<Vec<Hit>> {
        let mut hits = Vec::new();
        self.each(symbols, records, &mut |number, strand, pattern, ends| {
            let hit = |&(record, end): &RecordEnd| {
                let range = &records[record];
                // No occurrence is longer.
                let to = range.start + end.end as usize;
                let from = range.start.max(to.saturating_sub(pattern.len() + end.errors as usize));
                let start = (from - range.start + start(&symbols[from..to], pattern, end.errors)) as u64;
                Hit { record, start, end: end.end, pattern: number, strand, errors: end.errors }
            };
            hits.par_extend(ends.par_iter().with_min_len(1 << 10).map(hit));
        })?;
        hits.par_sort_unstable();
        Ok(hits)
    }

    /// How many occurrences there are in a text.
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count(&self, text: &[u8]) -> Result<u64> {
        self.count_in(text, std::slice::from_ref(&(0..text.len())))
    }

    /// How many occurrences there are in records; without the starts, so a little faster than
    /// [`hits_in`](Self::hits_in).
    ///
    /// # Errors
    /// As [`hits_in`](Self::hits_in).
    pub fn count_in(&self, symbols: &[u8], records: &[Range<usize>]) -> Result<u64> {
        let mut count = 0;
        self.each(symbols, records, &mut |_, _, _, ends| count += ends.len() as u64)?;
        Ok(count)
    }

    /// Calls `found` with the number, strand, pattern as searched for, and ends of every pattern on every strand.
    fn each(&self, symbols: &[u8], records: &[Range<usize>], found: Found<'_>) -> Result<()> {
        self.check()?;
        records::check(records, symbols.len())?;
        let engine = self.chosen_engine()?;
        let started = Instant::now();
        for (number, pattern) in self.patterns.iter().enumerate() {
            let reverse = self.both_strands.then(|| pattern.reverse_complement()).filter(|reverse| reverse != pattern);
            let strands = [(Strand::Forward, Some(pattern)), (Strand::Reverse, reverse.as_ref())];
            for (strand, pattern) in strands.into_iter().filter_map(|(strand, pattern)| Some((strand, pattern?))) {
                let ends = engine.ends(symbols, pattern, self.k)?;
                let mut ends = records::ends(symbols, records, &ends, pattern, self.k);
                if self.ends == Ends::Best {
                    ends = best(&ends);
                }
                found(number, strand, pattern, ends);
            }
            if self.both_strands && reverse.is_none() {
                (self.progress)(symbols.len() as u64);
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        let work = symbols.len() as f64 * self.patterns.len() as f64 * if self.both_strands { 2.0 } else { 1.0 };
        log::info!(
            "search for {} patterns, k = {}, in {} symbols: {seconds:.3} s, {:.2} GB/s for each pattern and strand",
            self.patterns.len(),
            self.k,
            symbols.len(),
            work / 1e9 / seconds.max(1e-9),
        );
        Ok(())
    }

    /// Makes sure that there is something to search for.
    fn check(&self) -> Result<()> {
        if self.patterns.is_empty() {
            return Err(Error::Usage("there is no pattern to search for".into()));
        }
        for (number, pattern) in (1..).zip(&self.patterns) {
            let (m, k) = (pattern.len(), self.k);
            if m == 0 {
                return Err(Error::Usage(format!("pattern {number} is empty, which would match everywhere")));
            }
            if k as usize >= m {
                return Err(Error::Usage(format!(
                    "pattern {number} has {m} symbols, and with {k} errors would match everywhere; allow at most {}",
                    m - 1
                )));
            }
        }
        Ok(())
    }

    /// The engine that `Auto` stands for.
    fn chosen_engine(&self) -> Result<Box<dyn EndsEngine + 'p>> {
        match self.engine {
            Engine::Auto | Engine::Cpu => Ok(Box::new(CpuEnds { algorithm: self.algorithm, progress: self.progress })),
            Engine::Simt => {
                let simt = std::sync::Arc::new(Simt::default());
                Ok(Box::new(DeviceEnds::new(simt, self.device_algorithm()?, self.progress)))
            }
            #[cfg(feature = "gpu")]
            Engine::Gpu => {
                let algorithm = self.device_algorithm()?;
                let gpu = crate::engine::gpu::Gpu::shared(0)?;
                Ok(Box::new(DeviceEnds::new(gpu, algorithm, self.progress)))
            }
            #[cfg(not(feature = "gpu"))]
            Engine::Gpu => Err(Error::NoGpu("this build has no GPU engine (feature `gpu`)".into())),
        }
    }

    /// The device's algorithm of this name; `None` for its fastest.
    fn device_algorithm(&self) -> Result<Option<DeviceAlgorithm>> {
        match self.algorithm {
            Algorithm::Auto => Ok(None),
            Algorithm::ShiftOr => Ok(Some(DeviceAlgorithm::ShiftOr)),
            Algorithm::WuManber => Ok(Some(DeviceAlgorithm::WuManber)),
            Algorithm::Scan => Ok(Some(DeviceAlgorithm::Scan(ScanOptions::default()))),
            Algorithm::Gbpr => Ok(Some(DeviceAlgorithm::Gbpr(GbprOptions::default()))),
            Algorithm::XBitPar => Ok(Some(DeviceAlgorithm::XBitPar(XBitParOptions::default()))),
            other => Err(Error::Usage(format!(
                "the engine {} has no algorithm {other}: it has shift-or, wu-manber, scan, gbpr and xbitpar",
                self.engine
            ))),
        }
    }
}

/// Takes the number, strand, pattern as searched for, and ends of a pattern on a strand.
type Found<'f> = &'f mut dyn FnMut(usize, Strand, &Pattern, Vec<RecordEnd>);

/// Of each run of adjacent ends in a record the first with the fewest errors.
fn best(ends: &[RecordEnd]) -> Vec<RecordEnd> {
    let adjacent = |a: &RecordEnd, b: &RecordEnd| a.0 == b.0 && a.1.end + 1 == b.1.end;
    let runs = ends.chunk_by(adjacent);
    runs.filter_map(|run| run.iter().min_by_key(|(_, end)| end.errors).copied()).collect()
}
