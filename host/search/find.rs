//! The search job: which engine and algorithm, then every occurrence or the best ones.

use super::choice::{Choice, Chooser, Occurrence};
use super::hit::{Hit, Strand};
use super::records::RecordEnd;
use super::tuning::Tuning;
use crate::align::infix::End;
use crate::error::{Error, Result};
use crate::lcs::Engine;
use crate::memory;
use crate::search::cpu::CpuEnds;
use crate::search::ends::Ends as EndsEngine;
use crate::search::gpu::{DeviceAlgorithm, DeviceEnds};
use crate::text::{Pattern, Text, records};
use rayon::prelude::*;
use simt_launch::Simt;
use std::fmt;
use std::ops::Range;
use std::path::Path;
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
    /// Myers (1999), Hyyrö (2003): in 64-bit words; on a GPU in long runs of the text, any m and k.
    Myers,
    /// Wu and Manber (1992); on a GPU in long runs of the text, m ≤ 64 and k ≤ 4.
    WuManber,
    /// GPU: Wu and Manber's on several patterns side by side, 128 symbols a pass; k ≤ 3.
    Packed,
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
    pub const NAMES: [(&str, Algorithm); 11] = [
        ("auto", Algorithm::Auto),
        ("segments", Algorithm::Segments),
        ("literal", Algorithm::Literal),
        ("myers", Algorithm::Myers),
        ("wu-manber", Algorithm::WuManber),
        ("shift-or", Algorithm::ShiftOr),
        ("scan", Algorithm::Scan),
        ("packed", Algorithm::Packed),
        ("gbpr", Algorithm::Gbpr),
        ("xbitpar", Algorithm::XBitPar),
        ("sellers", Algorithm::Sellers),
    ];
}

/// Which occurrences are told: of the many around each place where a pattern is, a few or all ends.
///
/// An occurrence is a part of the text with at most k errors. Of two the better has fewer errors, then fewer gaps (insertions and
/// deletions), then more symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ends {
    /// Those of which none with the same start or the same end is better; and of these, unless
    /// [`overlapping`](Search::overlapping) ones are asked for, none that overlaps a better one.
    #[default]
    Best,
    /// For every end, as the strand is read, the best occurrence that ends there.
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
    tuning: Tuning,
    ends: Ends,
    overlapping: bool,
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
            tuning: Tuning::default(),
            ends: Ends::Best,
            overlapping: false,
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

    /// The options of a published algorithm.
    pub fn tuning(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Which occurrences are hits.
    pub fn ends(self, ends: Ends) -> Self {
        Self { ends, ..self }
    }

    /// Whether hits of a pattern on a strand may overlap. If not, the default, the best is told; of several that are equally good the
    /// first, as the strand is read. For [`Ends::All`] they always may.
    pub fn overlapping(self, overlapping: bool) -> Self {
        Self { overlapping, ..self }
    }

    /// Whether to search for the patterns' reverse complements too. The hits are then the mirror image of those in the reverse
    /// complement of the text. Where a pattern that is its own reverse complement is found on both strands, it is told once, on the
    /// forward strand.
    pub fn both_strands(self, both: bool) -> Self {
        Self { both_strands: both, ..self }
    }

    /// Told, now and then and from any thread, the number of symbols done since the last call: n in all for each pattern
    /// and each strand.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// The hits in a text, in order. Beside the engine's time, O((m + k) ⌈k / 32⌉) for each.
    ///
    /// # Errors
    /// [`Error::Usage`] for no pattern, an empty one, k not less than its length, and an engine or algorithm that cannot do
    /// it.
    pub fn hits(&self, text: &[u8]) -> Result<Vec<Hit>> {
        self.hits_in(text, std::slice::from_ref(&(0..text.len())))
    }

    /// The hits in those parts of `symbols` that are `records`, none of them in two. What is between records is not
    /// searched.
    ///
    /// # Errors
    /// As [`hits`](Self::hits), and for records that are out of order, overlap or are not within the symbols.
    pub fn hits_in(&self, symbols: &[u8], records: &[Range<usize>]) -> Result<Vec<Hit>> {
        let mut hits: Vec<Hit> = Vec::new();
        self.each(symbols, records, &mut |searched, chooser, ends| {
            let near = |a: &RecordEnd, b: &RecordEnd| a.0 == b.0 && chooser.is_near(a.1, b.1);
            let groups: Vec<&[RecordEnd]> = ends.chunk_by(near).collect();
            let in_group = |group: &&[RecordEnd]| {
                let record = group.first().map_or(0, |&(record, _)| record);
                let ends: Vec<End> = group.iter().map(|&(_, end)| end).collect();
                let window = chooser.window(&ends);
                let text = &symbols[records[record].start..][window.start as usize..window.end as usize];
                searched.hits(record, chooser, text, &ends)
            };
            for groups in groups.chunks(GROUPS) {
                let found: Vec<Hit> = groups.par_iter().with_min_len(64).flat_map_iter(in_group).collect();
                memory::reserve(&mut hits, found.len(), "the hits")?;
                hits.extend(found);
            }
            Ok(())
        })?;
        hits.par_sort_unstable();
        Ok(hits)
    }

    /// How many hits there are in a text.
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count(&self, text: &[u8]) -> Result<u64> {
        self.count_in(text, std::slice::from_ref(&(0..text.len())))
    }

    /// How many hits there are in records. With [`Ends::All`] and one strand without where they start, so faster than
    /// [`hits_in`](Self::hits_in).
    ///
    /// # Errors
    /// As [`hits_in`](Self::hits_in).
    pub fn count_in(&self, symbols: &[u8], records: &[Range<usize>]) -> Result<u64> {
        if self.ends == Ends::All && !self.both_strands {
            let mut count = 0;
            self.each(symbols, records, &mut |_, _, ends| {
                count += ends.len() as u64;
                Ok(())
            })?;
            return Ok(count);
        }
        Ok(self.hits_in(symbols, records)?.len() as u64)
    }

    /// The hits in a text that may be larger than memory, in order: [`hits`](Self::hits) of all its symbols. Memory is
    /// needed for parts of the text and for the hits.
    ///
    /// # Errors
    /// As [`hits`](Self::hits), and when the text cannot be read.
    pub fn hits_text(&self, text: &Text<'_>) -> Result<Vec<Hit>> {
        let mut hits = Vec::new();
        self.each_part(text, &mut |found| {
            memory::reserve(&mut hits, found.len(), "the hits")?;
            hits.extend(found);
            Ok(())
        })?;
        hits.par_sort_unstable();
        Ok(hits)
    }

    /// How many hits there are in a text that may be larger than memory: [`count`](Self::count) of all its symbols.
    /// Fastest with [`Ends::All`] and one strand, which a GPU counts by itself.
    ///
    /// # Errors
    /// As [`hits_text`](Self::hits_text).
    pub fn count_text(&self, text: &Text<'_>) -> Result<u64> {
        let mut count = 0;
        if self.ends == Ends::All && !self.both_strands {
            self.with_engine(text.len(), &mut |engine, _, patterns| {
                count = engine.count(text, patterns, self.k)?;
                Ok(())
            })?;
        } else {
            self.each_part(text, &mut |found| {
                count += found.len() as u64;
                Ok(())
            })?;
        }
        Ok(count)
    }

    /// The hits in the bytes of a file, which is searched as one text and in parts: it may be larger than memory.
    ///
    /// # Errors
    /// As [`hits_text`](Self::hits_text) and [`Text::open`].
    pub fn hits_file(&self, path: impl AsRef<Path>) -> Result<Vec<Hit>> {
        self.hits_text(&Text::open(path)?)
    }

    /// How many hits there are in the bytes of a file, as [`hits_file`](Self::hits_file) finds them.
    ///
    /// # Errors
    /// As [`hits_file`](Self::hits_file).
    pub fn count_file(&self, path: impl AsRef<Path>) -> Result<u64> {
        self.count_text(&Text::open(path)?)
    }

    /// Calls `found` with the ends of every pattern as searched for.
    fn each(&self, symbols: &[u8], records: &[Range<usize>], found: Found<'_>) -> Result<()> {
        records::check(records, symbols.len())?;
        self.with_engine(symbols.len() as u64, &mut |engine, searched, patterns| {
            let mut all = vec![Vec::new(); patterns.len()];
            engine.each(&Text::from(symbols), patterns, self.k, &mut |i, ends| {
                memory::reserve(&mut all[i], ends.len(), "the ends of occurrences")?;
                all[i].extend(ends);
                Ok(())
            })?;
            for ((searched, pattern), ends) in searched.iter().zip(patterns).zip(all) {
                let ends = super::records::ends(symbols, records, &ends, pattern, self.k);
                found(searched, &Chooser::new(pattern, self.k, self.choice()), ends)?;
            }
            Ok(())
        })
    }

    /// Calls `found` with the hits of a text that may be larger than memory, as one record: some of a pattern at a time.
    fn each_part(&self, text: &Text<'_>, found: FoundPart<'_>) -> Result<()> {
        self.with_engine(text.len(), &mut |engine, searched, patterns| {
            let open = |(searched, pattern)| Groups::new(searched, Chooser::new(pattern, self.k, self.choice()));
            let mut all: Vec<Groups<'_>> = searched.iter().zip(patterns).map(open).collect();
            engine.each(text, patterns, self.k, &mut |i, ends| found(all[i].add(text, ends)?))?;
            all.into_iter().try_for_each(|groups| found(groups.finish(text)?))
        })
    }

    fn choice(&self) -> Choice {
        match self.ends {
            Ends::All => Choice::EachEnd,
            Ends::Best if self.overlapping => Choice::Overlapping,
            Ends::Best => Choice::Apart,
        }
    }

    /// Calls `search` with the engine, and every pattern as it is searched for.
    fn with_engine(&self, symbols: u64, search: WithEngine<'_>) -> Result<()> {
        self.check()?;
        let engine = self.chosen_engine()?;
        let started = Instant::now();
        let (mut searched, mut patterns) = (Vec::new(), Vec::new());
        for (number, pattern) in self.patterns.iter().enumerate() {
            let reverse = self.both_strands.then(|| pattern.reverse_complement());
            let own = reverse.as_ref() == Some(pattern);
            let strands: &[Strand] = if own { &[Strand::Forward, Strand::Reverse] } else { &[Strand::Forward] };
            searched.push(Searched { number, strands });
            patterns.push(pattern.clone());
            match reverse {
                Some(_) if own => (self.progress)(symbols),
                Some(reverse) => {
                    searched.push(Searched { number, strands: &[Strand::Reverse] });
                    patterns.push(reverse);
                }
                None => {}
            }
        }
        search(&*engine, &searched, &patterns)?;
        let seconds = started.elapsed().as_secs_f64();
        let work = symbols as f64 * patterns.len() as f64;
        log::info!(
            "search for {} patterns, k = {}, in {symbols} symbols: {seconds:.3} s, {:.2} GB/s for each pattern and strand",
            self.patterns.len(),
            self.k,
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
            pattern.check_memory()?;
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
                let gpu = crate::device::gpu::shared(0)?;
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
            Algorithm::Myers => Ok(Some(DeviceAlgorithm::Myers)),
            Algorithm::Scan => Ok(Some(DeviceAlgorithm::Scan(self.tuning.scan()))),
            Algorithm::Packed => Ok(Some(DeviceAlgorithm::Packed)),
            Algorithm::Gbpr => Ok(Some(DeviceAlgorithm::Gbpr(self.tuning.gbpr()))),
            Algorithm::XBitPar => Ok(Some(DeviceAlgorithm::XBitPar(self.tuning.xbitpar()))),
            other => Err(Error::Usage(format!(
                "the engine {} has no algorithm {other}: it has shift-or, wu-manber, packed, myers, scan, gbpr and xbitpar",
                self.engine
            ))),
        }
    }
}

/// A pattern as it is searched for.
struct Searched {
    /// Of those that were given.
    number: usize,
    /// Which strands it stands for: both if it is its own reverse complement.
    strands: &'static [Strand],
}

impl Searched {
    /// The hits of those whose ends these are, all near one another, in their window of a record.
    fn hits(&self, record: usize, chooser: &Chooser, text: &[u8], ends: &[End]) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        for &strand in self.strands {
            let pattern = self.number;
            let hit = |Occurrence { start, end, errors, .. }| Hit { record, start, end, pattern, strand, errors };
            hits.extend(chooser.choose(text, ends, strand).into_iter().map(hit));
        }
        if self.strands.len() > 1 {
            // One place on both strands is one hit, on the first strand.
            hits.sort_unstable();
            hits.dedup_by_key(|hit| (hit.start, hit.end));
        }
        hits
    }
}

/// Groups of ends whose hits are found before there must be memory for them.
const GROUPS: usize = 1 << 16;

/// Takes a pattern as it was searched for, and its ends; may refuse more.
type Found<'f> = &'f mut dyn FnMut(&Searched, &Chooser, Vec<RecordEnd>) -> Result<()>;

/// Takes an engine, and each pattern as it is searched for.
type WithEngine<'f> = &'f mut dyn FnMut(&dyn EndsEngine, &[Searched], &[Pattern]) -> Result<()>;

/// Takes some hits, those of a pattern and strand in order; may refuse more.
type FoundPart<'f> = &'f mut dyn FnMut(Vec<Hit>) -> Result<()>;

/// Ends that are kept until it is known which others they are near: a longer chain is cut, 256 MiB of them.
const MOST_OPEN: usize = 1 << 24;

/// The ends of a pattern in a text that comes in parts, in groups of those near one another.
struct Groups<'s> {
    searched: &'s Searched,
    chooser: Chooser,
    /// The last group so far, of so many ends at most.
    open: Vec<End>,
    most: usize,
    /// Where the last hit ends of a group that was cut: none of the rest may overlap it.
    cut: u64,
}

impl<'s> Groups<'s> {
    fn new(searched: &'s Searched, chooser: Chooser) -> Self {
        Self { searched, chooser, open: Vec::new(), most: MOST_OPEN, cut: 0 }
    }

    /// Takes ends that come after all before; the hits that are now known.
    fn add(&mut self, text: &Text<'_>, ends: Vec<End>) -> Result<Vec<Hit>> {
        let mut all = std::mem::take(&mut self.open);
        memory::reserve(&mut all, ends.len(), "the ends of occurrences")?;
        all.extend(ends);
        let open = all.chunk_by(|a, b| self.chooser.is_near(*a, *b)).last().map_or(0, <[End]>::len);
        let (closed, open) = all.split_at(all.len() - open);
        let mut hits = self.hits(text, closed)?;
        if open.len() <= self.most {
            self.open = open.to_vec();
            return Ok(hits);
        }
        hits.extend(self.hits(text, open)?);
        if self.chooser.choice() == Choice::Apart {
            self.cut = hits.last().map_or(self.cut, |hit| hit.end);
        }
        Ok(hits)
    }

    /// The hits of what is left.
    fn finish(self, text: &Text<'_>) -> Result<Vec<Hit>> {
        self.hits(text, &self.open)
    }

    fn hits(&self, text: &Text<'_>, ends: &[End]) -> Result<Vec<Hit>> {
        let groups: Vec<&[End]> = ends.chunk_by(|a, b| self.chooser.is_near(*a, *b)).collect();
        let in_group = |group: &&[End]| {
            let window = text.part(self.chooser.window(group))?;
            let mut hits = self.searched.hits(0, &self.chooser, &window, group);
            hits.retain(|hit| hit.start >= self.cut);
            Ok(hits)
        };
        let found: Result<Vec<Vec<Hit>>> = groups.par_iter().with_min_len(64).map(in_group).collect();
        Ok(found?.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::infix::sellers;

    /// The hits of ends that come a few at a time, with groups of so many ends at most.
    fn in_parts(text: &[u8], pattern: &Pattern, k: u32, choice: Choice, most: usize, seed: u64) -> Vec<Hit> {
        let mut random = fastrand::Rng::with_seed(seed);
        let searched = Searched { number: 0, strands: &[Strand::Forward] };
        let ends = sellers::ends(text, pattern, k);
        let text = Text::from(text);
        let mut groups = Groups { most, ..Groups::new(&searched, Chooser::new(pattern, k, choice)) };
        let (mut found, mut rest) = (Vec::new(), &ends[..]);
        while !rest.is_empty() {
            let (some, later) = rest.split_at(random.usize(..=rest.len().min(4)));
            found.extend(groups.add(&text, some.to_vec()).unwrap());
            rest = later;
        }
        found.extend(groups.finish(&text).unwrap());
        found
    }

    #[test]
    fn groups_that_come_in_parts() {
        let mut random = fastrand::Rng::with_seed(4);
        for seed in 0..300 {
            let symbols: Vec<u8> = (0..random.usize(..200)).map(|_| random.u8(..3)).collect();
            let pattern: Vec<u8> = (0..random.usize(2..6)).map(|_| random.u8(..3)).collect();
            let (pattern, k) = (Pattern::literal(&pattern), random.u32(..2));
            for (ends, overlapping, choice) in [
                (Ends::Best, false, Choice::Apart),
                (Ends::Best, true, Choice::Overlapping),
                (Ends::All, false, Choice::EachEnd),
            ] {
                let search = Search::new(pattern.clone()).errors(k).ends(ends).overlapping(overlapping);
                let mut found = in_parts(&symbols, &pattern, k, choice, MOST_OPEN, seed);
                found.sort_unstable();
                assert_eq!(found, search.hits(&symbols).unwrap(), "{choice:?}");
            }
            // Chains that are cut have other hits, but none that overlap, and none where there are none.
            let cut = in_parts(&symbols, &pattern, k, Choice::Apart, 2, seed);
            assert!(cut.windows(2).all(|pair| pair[0].end <= pair[1].start), "{cut:?}");
            let all = in_parts(&symbols, &pattern, k, Choice::EachEnd, MOST_OPEN, seed);
            assert!(cut.iter().all(|hit| all.contains(hit)), "{cut:?}");
        }
    }
}
