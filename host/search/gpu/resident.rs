//! A text that stays in a device's memory, and searches in it.

use super::clock::Clock;
use super::passes::Pass;
use super::row::{DeviceAlgorithm, DeviceResult, Gaps, Request, ResultKind};
use super::stream::{counted, hand_on, passes_of};
use super::text::{DeviceText, ROUND};
use crate::device::{Device, Limits, Timings};
use crate::error::{Error, Result};
use crate::infix::End;
use crate::search::ends::{FindEnds, TakeEnds};
use crate::search::tuning::Tuning;
use crate::text::{Pattern, Text};
use std::sync::Arc;

/// Number of symbols of a chunk: positions of a launch and the number of its hits fit 32 bits.
const CHUNK: u64 = 1 << 30;

/// Number of symbols kept before a chunk, if there are several chunks; it limits the length of
/// patterns.
const CONTEXT: u64 = 1 << 24;

/// A text in a device's memory, in chunks of 2^30 symbols.
pub struct Resident<D: Device> {
    chunks: Vec<Chunk<D>>,
    n: u64,
}

struct Chunk<D: Device> {
    text: Arc<DeviceText<D>>,
    /// The first symbol in this chunk's memory.
    from: u64,
    /// Symbols before the chunk, a multiple of [`ROUND`].
    before: u64,
}

impl<D: Device> Resident<D> {
    /// Copies a text to a device.
    ///
    /// # Errors
    /// [`Error::DeviceMemory`] if the text does not fit; [`Error::Io`] if it cannot be read.
    pub fn new(device: &Arc<D>, text: &Text<'_>) -> Result<Self> {
        Self::in_chunks(device, text, CHUNK, CONTEXT)
    }

    fn in_chunks(device: &Arc<D>, text: &Text<'_>, chunk: u64, context: u64) -> Result<Self> {
        let n = text.len();
        let chunk_of = |number: u64| -> Result<Chunk<D>> {
            let first = number * chunk;
            let before = first.min(context);
            let symbols = text.part(first - before..(first + chunk).min(n))?;
            Ok(Chunk { text: DeviceText::new(device.clone(), &symbols)?, from: first - before, before })
        };
        Ok(Self { chunks: (0..n.div_ceil(chunk)).map(chunk_of).collect::<Result<_>>()?, n })
    }

    /// Returns the number of symbols.
    pub fn len(&self) -> u64 {
        self.n
    }

    /// Returns true if every chunk has the `before` symbols before it, or all there are.
    pub fn has_context(&self, before: u64) -> bool {
        self.chunks.iter().all(|chunk| chunk.from == 0 || chunk.before >= before)
    }

    /// Finds the end with the fewest errors, at most k, and the first of several; `None` if there
    /// is no end. Each chunk has the m + k symbols before it ([`has_context`](Self::has_context)).
    ///
    /// # Errors
    /// Those of [`DeviceText::least`].
    pub fn least(&self, pattern: &Pattern, k: u32) -> Result<Option<End>> {
        let mut best = None;
        let mut bound = Some(k);
        for chunk in &self.chunks {
            let Some(k) = bound else { break };
            if let Some(End { end, errors }) = chunk.text.least(pattern, k)? {
                best = Some(End { end: chunk.from + end, errors });
                bound = errors.checked_sub(1);
            }
        }
        Ok(best)
    }

    /// Returns the device that holds the text; `None` if the text is empty.
    pub fn device(&self) -> Option<&Arc<D>> {
        self.chunks.first().map(|chunk| &chunk.text.device)
    }

    /// Returns the limits of the device that holds the text; `None` if the text is empty.
    pub(in crate::search) fn limits(&self) -> Option<Limits> {
        self.chunks.first().map(|chunk| chunk.text.device.limits())
    }

    /// Returns true if the text is empty.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }
}

/// A text on a device, and the patterns to search for in it.
pub(in crate::search) struct ResidentEnds<'p, D: Device> {
    text: Arc<Resident<D>>,
    patterns: Vec<Pattern>,
    k: u32,
    gaps: Gaps,
    tuning: Tuning,
    passes: Vec<Pass<D>>,
    /// Number of positions that a launch searches, a multiple of [`ROUND`].
    launch: u64,
    progress: &'p (dyn Fn(u64) + Sync),
    clock: Clock,
}

impl<'p, D: Device> ResidentEnds<'p, D> {
    /// Prepares patterns with at most k errors, for one algorithm or the fastest ones.
    pub fn new(
        text: Arc<Resident<D>>,
        (patterns, k): (Vec<Pattern>, u32),
        (algorithm, tuning): (Option<&'static DeviceAlgorithm<D>>, Tuning),
        progress: &'p (dyn Fn(u64) + Sync),
    ) -> Result<Self> {
        let passes = passes_of(&patterns, k, algorithm)?;
        let longest = patterns.iter().map(Pattern::len).max().unwrap_or(0) as u64 + u64::from(k);
        if let Some(chunk) = text.chunks.iter().find(|chunk| chunk.from > 0 && chunk.before < longest) {
            return Err(Error::Unsupported {
                algorithm: "a resident text".into(),
                reason: format!("of several chunks supports patterns of up to {} symbols, not {longest}", chunk.before),
            });
        }
        // A launch counts its ends in 32 bits.
        let together = passes.iter().map(Pass::counted).max().unwrap_or(1);
        let launch = (u64::from(u32::MAX) / together / ROUND * ROUND).max(ROUND);
        Ok(Self { text, patterns, k, gaps: Gaps::ANY, tuning, passes, launch, progress, clock: Clock::default() })
    }

    /// Limits the insertions and deletions, for an algorithm that does not find any number.
    pub fn with_gaps(self, gaps: Gaps) -> Self {
        Self { gaps, ..self }
    }

    /// Measures the times of kernels and copies.
    pub fn timed(self) -> Self {
        Self { clock: Clock::running(), ..self }
    }

    fn search(&mut self, format: ResultKind, take: &mut dyn FnMut(usize, DeviceResult) -> Result<()>) -> Result<()> {
        for chunk in &self.text.chunks {
            for pass in &self.passes {
                let format = if pass.algorithm.writes.only_bytes() { ResultKind::Hits } else { format };
                let patterns = &self.patterns[pass.patterns.clone()];
                let request = Request { patterns, k: self.k, gaps: self.gaps, tuning: self.tuning };
                let mut search = chunk.text.prepare(pass.algorithm, &request, format)?;
                let mut from = chunk.before / ROUND * ROUND;
                while from < chunk.text.room {
                    search.n = (from + self.launch).min(chunk.text.room);
                    let launched = self.clock.now();
                    search.begin(from)?;
                    if launched.is_some() {
                        search.wait()?;
                        self.clock.add_kernels(launched);
                    }
                    let begun = self.clock.now();
                    let mut found = search.finish(from)?;
                    if search.one_launch_per_k() {
                        self.clock.add_kernels(begun)
                    } else {
                        self.clock.add_download(begun)
                    }
                    if let DeviceResult::Hits(all) = &mut found {
                        all.iter_mut().flatten().for_each(|end| end.end += chunk.from);
                    }
                    take(pass.patterns.start, found)?;
                    (self.progress)((search.n - from) * patterns.len() as u64);
                    from = search.n;
                }
            }
        }
        Ok(())
    }
}

impl<D: Device> FindEnds for ResidentEnds<'_, D> {
    fn each(&mut self, _: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
        self.search(ResultKind::Hits, &mut |first, found| hand_on(first, found, take))
    }

    fn ran(&mut self) -> Vec<&'static str> {
        self.passes.iter().map(|pass| pass.algorithm.about.name).collect()
    }

    fn timings(&mut self) -> Timings {
        self.clock.take()
    }

    fn count(&mut self, _: &Text<'_>) -> Result<u64> {
        let mut count = 0;
        self.search(ResultKind::Count, &mut |_, found| {
            count += counted(found)?;
            Ok(())
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;
    use simt_launch::Simt;

    #[test]
    fn a_text_in_several_chunks_has_the_ends_of_the_whole() {
        let mut random = fastrand::Rng::with_seed(3);
        let symbols: Vec<u8> = (0..5 * ROUND as usize / 2 + 77).map(|_| b'a' + random.u8(..2)).collect();
        let resident =
            Resident::in_chunks(&Arc::new(Simt::default()), &Text::from(&symbols), 2 * ROUND, ROUND).unwrap();
        assert_eq!((resident.chunks.len(), resident.len()), (2, symbols.len() as u64));
        let resident = Arc::new(resident);
        for (m, k) in [(1, 0), (12, 0), (20, 2), (70, 3)] {
            let from = random.usize(..symbols.len() - m);
            let patterns = vec![Pattern::literal(&symbols[from..from + m]), Pattern::literal(&symbols[..m])];
            let progress = |_| ();
            let with = (patterns.clone(), k);
            let mut engine = ResidentEnds::new(resident.clone(), with, (None, Tuning::default()), &progress).unwrap();
            // Two launches for the first chunk.
            engine.launch = ROUND;
            let mut found = vec![Vec::new(); 2];
            engine
                .each(&Text::from(&symbols), &mut |number, ends| {
                    found[number].extend(ends);
                    Ok(())
                })
                .unwrap();
            for (pattern, found) in patterns.iter().zip(&found) {
                assert_eq!(*found, sellers::ends(&symbols, pattern, k), "m = {m}, k = {k}");
            }
            let count = engine.count(&Text::from(&symbols)).unwrap();
            assert_eq!(count, found.iter().map(|ends| ends.len() as u64).sum::<u64>());
        }
        let long = (vec![Pattern::literal(&symbols[..2 * ROUND as usize])], 0);
        let progress = |_| ();
        assert!(ResidentEnds::new(resident, long, (None, Tuning::default()), &progress).is_err());
    }

    #[test]
    fn the_fewest_errors_of_several_chunks() {
        let mut random = fastrand::Rng::with_seed(5);
        let device = Arc::new(Simt::default());
        for case in 0..20 {
            let mut symbols: Vec<u8> = (0..3 * ROUND as usize + case).map(|_| b'a' + random.u8(..4)).collect();
            let m = random.usize(1..80);
            let pattern: Vec<u8> = (0..m).map(|_| b'a' + random.u8(..4)).collect();
            for _ in 0..case % 3 {
                // On the border of the chunks.
                let at = random.usize(ROUND as usize - m..ROUND as usize + m) * random.usize(1..3);
                symbols[at..at + m].copy_from_slice(&pattern);
                symbols[at + m / 2] = b'x';
            }
            let resident = Resident::in_chunks(&device, &Text::from(&symbols), ROUND, ROUND).unwrap();
            let pattern = Pattern::literal(&pattern);
            let (errors, end) = sellers::least(&symbols, &pattern);
            let expected = (errors < m as u32).then_some(End { end, errors });
            assert!(resident.has_context(2 * m as u64) && !resident.has_context(ROUND + 1));
            assert_eq!(resident.least(&pattern, m as u32 - 1).unwrap(), expected, "case {case}, m = {m}");
        }
    }
}
