//! The best approximate match: which part of a text is nearest to a pattern?
//!
//! ASM(X, Y) = min over the substrings Y' of Y of the edit distance ED(X, Y'), of K. Nakano, Efficient implementations of the
//! approximate string matching on the memory machine models, 2012, and where that substring is. Nobody has to say how many
//! errors are allowed, as for a [`search`](crate::search).
//!
//! ```
//! let best = carrywave::best(b"carrywave", b"to carry a wave, or to carry, wave")?;
//! assert_eq!((best.distance, best.start, best.end), (2, 23, 34));
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! Of several nearest substrings it is the one that ends first, and of those with one end (or, then, one start) the one whose
//! alignment has the fewest gaps, then the longest: as for a hit of a [`search`](crate::search). All engines and algorithms agree.
//! Where no symbol of the text is of use, the nearest is the empty one at the start: its distance is m.
//!
//! The paper's figure 3 is the matrix of X = ababa and Y = aaabbbaa: d\[i\]\[j\] is the least distance of X's first i symbols to
//! any substring that ends after Y's first j. (Printed, d\[1\]\[1\] is 1 and d\[5\]\[6\] is 3; the recurrence gives 0 and 2.)
//!
//! ```
//! let (x, y) = (b"ababa", b"aaabbbaa");
//! let mut d = [[0; 9]; 6];
//! for i in 0..=5 {
//!     d[i][0] = i;
//! }
//! for i in 1..=5 {
//!     for j in 1..=8 {
//!         let differ = usize::from(x[i - 1] != y[j - 1]);
//!         d[i][j] = (d[i][j - 1] + 1).min(d[i - 1][j] + 1).min(d[i - 1][j - 1] + differ);
//!     }
//! }
//! assert_eq!(
//!     d,
//!     [
//!         [0, 0, 0, 0, 0, 0, 0, 0, 0],
//!         [1, 0, 0, 0, 1, 1, 1, 0, 0],
//!         [2, 1, 1, 1, 0, 1, 1, 1, 1],
//!         [3, 2, 1, 1, 1, 1, 2, 1, 1],
//!         [4, 3, 2, 2, 1, 1, 1, 2, 2],
//!         [5, 4, 3, 2, 2, 2, 2, 1, 2],
//!     ]
//! );
//! // The least of the last row, 1, is in column 7: abbba.
//! let best = carrywave::best(x, y)?;
//! assert_eq!((best.distance, best.start, best.end), (1, 2, 7));
//! assert_eq!(&y[2..7], b"abbba");
//! # Ok::<(), carrywave::Error>(())
//! ```

use crate::align::infix::extent::Reader;
use crate::distance::best_end::{BestEnd, BestEnds};
use crate::distance::cpu::best::{CpuBest, CpuBestAlgorithm};
use crate::distance::gpu::nakano::{AsmAlgorithm, DeviceBest};
use crate::error::{Error, Result};
use crate::lcs::Engine;
use crate::text::{Pattern, records};
use serde::Serialize;
use simt_launch::Simt;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// How the best match is found. All algorithms find the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// The engine's fastest.
    #[default]
    Auto,
    /// CPU: Myers' blocks as far as they matter (Ukkonen 1985), where the pattern's q-grams are (Jokinen and Ukkonen 1991).
    CutOff,
    /// CPU: Myers (1999), Hyyrö (2003), in 64-bit words.
    Myers,
    /// CPU: dynamic programming, Sellers (1980).
    Sellers,
    /// GPU: Nakano (2012), lemma 3: the matrix in memory, (m + 1) n words.
    Dmm,
    /// GPU: lemma 4: the slid matrix, (n + m + 1)(n + 1) words.
    Umm,
    /// GPU: theorem 5: three rows of it, 3m words.
    Umm3m,
    /// GPU: theorem 6: windows of the text side by side, 3n words.
    UmmN,
}

impl Algorithm {
    /// Every algorithm, by its name on the command line.
    pub const NAMES: [(&str, Algorithm); 8] = [
        ("auto", Algorithm::Auto),
        ("cut-off", Algorithm::CutOff),
        ("myers", Algorithm::Myers),
        ("sellers", Algorithm::Sellers),
        ("dmm", Algorithm::Dmm),
        ("umm", Algorithm::Umm),
        ("umm-3m", Algorithm::Umm3m),
        ("umm-n", Algorithm::UmmN),
    ];
}

named! {
    Algorithm, "algorithm";
}

/// The part of a text that is nearest to a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct BestMatch {
    /// In which record, from 0; 0 for a text that is one.
    pub record: usize,
    /// The edit distance: the fewest insertions, deletions and substitutions.
    pub distance: u32,
    /// The first symbol in the record, from 0.
    pub start: u64,
    /// The end in the record, exclusive; `start` where nothing is as near as anything.
    pub end: u64,
}

/// The part of `text` that is nearest to `pattern`, byte for byte. O(mn / 64) time at most, on the CPU; O(n) where the pattern is
/// in the text with few errors.
///
/// # Errors
/// [`Error::Usage`] for an empty pattern.
pub fn best(pattern: &[u8], text: &[u8]) -> Result<BestMatch> {
    Best::new(Pattern::literal(pattern)).run(text)
}

/// A search for the best match, with the engine and algorithm of your choice.
///
/// ```
/// use carrywave::distance::{Algorithm, Best};
/// use carrywave::lcs::Engine;
/// use carrywave::search::{Alphabet, Pattern};
///
/// let best = Best::new(Pattern::parse(b"GATTACA", Alphabet::Dna)?);
/// let found = best.clone().run(b"ccgattcaccc")?;
/// assert_eq!((found.distance, found.start, found.end), (1, 2, 8));
/// // The kernels that a GPU would run, on the simulator.
/// assert_eq!(best.engine(Engine::Simt).algorithm(Algorithm::Umm3m).run(b"ccgattcaccc")?, found);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
pub struct Best<'p> {
    pattern: Pattern,
    engine: Engine,
    algorithm: Algorithm,
    progress: &'p (dyn Fn(u64) + Sync),
}

impl fmt::Debug for Best<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Best")
            .field("pattern", &self.pattern.len())
            .field("engine", &self.engine)
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

impl<'p> Best<'p> {
    /// For a pattern, with [`Engine::Auto`] and its fastest algorithm.
    pub fn new(pattern: Pattern) -> Self {
        Self { pattern, engine: Engine::Auto, algorithm: Algorithm::Auto, progress: &|_| () }
    }

    /// What computes; `Auto` is the CPU, whose words of 64 rows outdo the paper's a word a cell.
    pub fn engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// How.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Told, now and then and from any thread, the number of symbols done since the last call: n in all.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// The best match in a text.
    ///
    /// # Errors
    /// [`Error::Usage`] for an empty pattern and for what the engine or algorithm does not take, [`Error::DeviceMemory`] when
    /// a device's memory is too small.
    pub fn run(&self, text: &[u8]) -> Result<BestMatch> {
        self.run_in(text, std::slice::from_ref(&(0..text.len())))
    }

    /// The best match in those parts of `symbols` that are `records`, none of them in two: of several with the least distance
    /// that in the first record. A device takes one record at a time.
    ///
    /// # Errors
    /// As [`run`](Self::run), and for no records, and records that are out of order, overlap or are not within the symbols.
    pub fn run_in(&self, symbols: &[u8], records: &[Range<usize>]) -> Result<BestMatch> {
        self.check(symbols, records)?;
        let started = Instant::now();
        let BestEnd { distance, record, end } = self.chosen_engine()?.best_end(symbols, records, &self.pattern)?;
        let (start, end) = self.part(&symbols[records[record].clone()], distance, end)?;
        let n: usize = records.iter().map(Range::len).sum();
        let (m, seconds) = (self.pattern.len(), started.elapsed().as_secs_f64());
        log::info!(
            "best match of {m} symbols in {n}: {seconds:.3} s, {:.1} GCUPS",
            m as f64 * n as f64 / 1e9 / seconds.max(1e-9)
        );
        Ok(BestMatch { record, distance, start, end })
    }

    fn check(&self, symbols: &[u8], records: &[Range<usize>]) -> Result<()> {
        if self.pattern.is_empty() {
            return Err(Error::Usage("the pattern is empty, which is everywhere".into()));
        }
        if u32::try_from(self.pattern.len()).is_err() {
            return Err(Error::Usage("the pattern has 2^32 symbols or more; compare with parts of it".into()));
        }
        self.pattern.check_memory()?;
        if records.is_empty() {
            return Err(Error::Usage("there is no record to search in".into()));
        }
        records::check(records, symbols.len())
    }

    /// The part of a record with this distance, the least there is, which the first such end leads to: the best of its end, of whose
    /// start it may not be the best, and so on. Each has fewer gaps than the one before, or is longer.
    fn part(&self, text: &[u8], distance: u32, end: u64) -> Result<(u64, u64)> {
        let m = self.pattern.len();
        if distance as usize == m {
            return Ok((end, end));
        }
        let none = || {
            let place = format!("that ends after {end} symbols is not {distance} from the pattern");
            Error::Verification(format!("the nearest part {place}"))
        };
        let backward = Reader::backward(&self.pattern);
        let mut end = end as usize;
        let found = backward.extent(&text[..end], distance).ok_or_else(none)?;
        let mut start = end - found.length as usize;
        if found.gaps > 0 {
            let forward = Reader::forward(&self.pattern);
            loop {
                let found = forward.extent(&text[start..], distance).ok_or_else(none)?;
                if start + found.length as usize == end {
                    break;
                }
                end = start + found.length as usize;
                let found = backward.extent(&text[..end], distance).ok_or_else(none)?;
                if start + found.length as usize == end {
                    break;
                }
                start = end - found.length as usize;
            }
        }
        Ok((start as u64, end as u64))
    }

    /// The engine that `Auto` stands for.
    fn chosen_engine(&self) -> Result<Box<dyn BestEnds + 'p>> {
        let progress = self.progress;
        match self.engine {
            Engine::Auto | Engine::Cpu => Ok(Box::new(CpuBest { algorithm: self.cpu_algorithm()?, progress })),
            Engine::Simt => {
                let simt = Arc::new(Simt::default());
                Ok(Box::new(DeviceBest::new(simt, self.device_algorithm()?, progress)))
            }
            #[cfg(feature = "gpu")]
            Engine::Gpu => {
                let algorithm = self.device_algorithm()?;
                Ok(Box::new(DeviceBest::new(crate::device::gpu::shared(0)?, algorithm, progress)))
            }
            #[cfg(not(feature = "gpu"))]
            Engine::Gpu => Err(Error::NoGpu("this build has no GPU engine (feature `gpu`)".into())),
        }
    }

    fn cpu_algorithm(&self) -> Result<CpuBestAlgorithm> {
        match self.algorithm {
            Algorithm::Auto | Algorithm::CutOff => Ok(CpuBestAlgorithm::CutOff),
            Algorithm::Myers => Ok(CpuBestAlgorithm::Myers),
            Algorithm::Sellers => Ok(CpuBestAlgorithm::Sellers),
            other => Err(Error::Usage(format!("{other} is for the engines gpu and simt; take --engine, or auto"))),
        }
    }

    fn device_algorithm(&self) -> Result<AsmAlgorithm> {
        match self.algorithm {
            Algorithm::Auto | Algorithm::UmmN => Ok(AsmAlgorithm::UmmN),
            Algorithm::Dmm => Ok(AsmAlgorithm::Dmm),
            Algorithm::Umm => Ok(AsmAlgorithm::Umm),
            Algorithm::Umm3m => Ok(AsmAlgorithm::Umm3m),
            other => Err(Error::Usage(format!(
                "the engine {} has no algorithm {other}: it has dmm, umm, umm-3m and umm-n",
                self.engine
            ))),
        }
    }
}
