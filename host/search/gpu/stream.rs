//! Texts of any size, in memory or in a file: chunks pass through a few slots, so that copies and
//! kernels overlap.
//!
//! Each slot has pinned memory, device memory for a chunk, and a stream. The results of a slot are
//! fetched before it is filled again, so chunks finish in order. Several devices have the same
//! number of slots each, and take turns.
//!
//! ```text
//!             time ─────▶
//! all cores   | fill 0 | fill 1 | fill 2 |          | fill 3 |        | fill 4 | …
//! copies               |== copy 0 ==|== copy 1 ==|== copy 2 ==|== copy 3 ==| …
//! kernels                           | 0 |        | 1 |        | 2 |        | 3 | …
//! taken out                              0            1            2            3
//!
//!             fill: file ─▶ pinned memory; copy: pinned memory ─▶ device
//!
//! text        |------- chunk 0 -------|------- chunk 1 -------|---- chunk 2 ----|
//! copied      |-----------------------|
//!                              |-- c -|-----------------------|
//!                                                      |-- c -|-----------------|
//!             c: context before a chunk; ends in it are not reported
//! ```
//!
//! An occurrence with at most k errors has at most m + k symbols, so it lies within the chunk that
//! contains its end and the m + k symbols before that, rounded up to [`ROUND`]. It is found once.

use super::clock::Clock;
use super::needle::Symbols;
use super::passes::{Pass, passes};
use super::row::{DeviceAlgorithm, DeviceResult, Gaps, Request, ResultKind};
use super::search::DeviceSearch;
use super::size::Size;
use super::text::{DeviceText, ROUND};
use crate::device::{Device, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::job::Progress;
use crate::search::ends::{FindEnds, TakeEnds};
use crate::search::tuning::Tuning;
use crate::text::{Pattern, Text};
use simt_std::{U32x4, global::Global};
use std::sync::Arc;
use std::time::Instant;

/// Number of symbols of a chunk of a long text. Copies of this size run at full speed, and
/// page-locking memory for a few chunks takes little time.
pub const CHUNK: u64 = 32 << 20;

/// Number of chunks of a shorter text, such as a part of a file, so that its copies and kernels
/// overlap.
const TURNS: u64 = 4;

/// Lower bound on the symbols of such a chunk, for each pass over it: a pass has a fixed cost.
const LEAST_CHUNK: u64 = 4 << 20;

/// Largest number of symbols of a chunk: positions of a launch and the number of its hits fit 32
/// bits.
const LARGEST_CHUNK: u64 = 1 << 30;

/// Number of chunks in progress per device: one is filled while another is copied and a third is
/// searched.
const SLOTS: u64 = 3;

/// One or more devices, and the patterns to search for.
pub struct DeviceEnds<'p, D: Device> {
    devices: Vec<Arc<D>>,
    patterns: Vec<Pattern>,
    k: u32,
    gaps: Gaps,
    tuning: Tuning,
    passes: Vec<Pass<D>>,
    chunk: u64,
    progress: Progress<'p>,
    /// The slots of the last text, to be reused for the next one.
    kept: Option<Slots<D>>,
    clock: Clock,
}

/// A chunk of the text, with the context before it.
#[derive(Clone, Copy)]
struct Chunk {
    /// The first symbol that is copied, including the context.
    from: u64,
    /// Number of symbols of context, a multiple of [`ROUND`].
    before: u64,
    /// The chunk's end, exclusive.
    end: u64,
}

struct Slots<D: Device> {
    slots: Vec<Slot<D>>,
    format: ResultKind,
    /// Number of symbols of a chunk with its context.
    room: u64,
    /// True if chunks have the largest size that the memory allows.
    is_limited: bool,
}

impl<D: Device> Slots<D> {
    /// Returns the number of symbols of a chunk of a text of n symbols: the whole text if a slot
    /// has room for it and it has hardly more than the wanted number.
    fn chunk_of(&self, n: u64, wanted: u64, context: u64) -> u64 {
        let is_one_chunk = n <= self.room.min(wanted + context);
        if is_one_chunk { self.room } else { self.room.saturating_sub(context).min(wanted) }
    }
}

struct Slot<D: Device> {
    /// The searches, at least one. Dropped first, because that waits for the stream, whose launches
    /// use the counters.
    searches: Vec<DeviceSearch<D>>,
    /// A counter of ends for each search, so that one copy fetches all.
    counts: D::Buffer<u32>,
    pinned: D::Pinned,
    chunk: Option<Chunk>,
    /// The time when copy and kernels were enqueued, if times are measured.
    launched: Option<Instant>,
}

impl<D: Device> Slot<D> {
    /// Fills the slot, and enqueues the copy and the searches on its stream.
    fn begin(&mut self, text: &Text<'_>, chunk: Chunk, clock: &Clock) -> Result<()> {
        let Some(first) = self.searches.first() else { return Ok(()) };
        let on_device = &first.text;
        let n = chunk.end - chunk.from;
        text.read(chunk.from, &mut on_device.device.pinned_bytes(&mut self.pinned)?[..n as usize])?;
        self.chunk = Some(chunk);
        self.launched = clock.now();
        let vectors = n.next_multiple_of(ROUND) as usize / size_of::<U32x4>();
        on_device.device.upload_async(&on_device.stream, &on_device.text, &mut self.pinned, vectors)?;
        on_device.device.zero(&on_device.stream, &mut self.counts)?;
        let counts = on_device.device.handle(&self.counts).address();
        self.searches.iter_mut().zip(0..).try_for_each(|(search, number)| {
            search.n = n;
            // SAFETY: there is a counter for each search; the slot has them for as long as its
            // searches, which wait for the stream.
            unsafe { search.begin_counting(chunk.before, Global::at(counts + number * size_of::<u32>() as u64)) }
        })
    }

    /// Waits for the slot's work, if there is any, and passes the results of each pass to `take`,
    /// with positions in the whole text.
    fn finish(&mut self, job: &mut ChunkJob<'_, D>, take: TakeResult<'_>) -> Result<()> {
        let ChunkJob { passes, progress, clock } = job;
        let Some(chunk) = self.chunk.take() else { return Ok(()) };
        let Some(first) = self.searches.first() else { return Ok(()) };
        if let Some(launched) = self.launched.take() {
            first.wait()?;
            clock.add_kernels(Some(launched));
        }
        let counts = first.text.device.download(&first.text.stream, &self.counts, passes.len())?;
        for ((search, pass), count) in self.searches.iter_mut().zip(*passes).zip(counts) {
            let begun = clock.now();
            let mut found = search.finish_counted(chunk.before, count)?;
            if search.one_launch_per_k() {
                clock.add_kernels(begun)
            } else {
                clock.add_download(begun)
            }
            if let DeviceResult::Hits(all) = &mut found {
                all.iter_mut().flatten().for_each(|end| end.end += chunk.from);
            }
            take(pass.patterns.start, found)?;
            progress((chunk.end - chunk.from - chunk.before) * pass.patterns.len() as u64);
        }
        Ok(())
    }
}

/// The arguments for finishing a chunk's search.
struct ChunkJob<'j, D: Device> {
    passes: &'j [Pass<D>],
    progress: Progress<'j>,
    clock: &'j mut Clock,
}

/// Takes the number of a pass's first pattern, and the results of the pass.
type TakeResult<'t> = &'t mut (dyn FnMut(usize, DeviceResult) -> Result<()> + Send);

impl<'p, D: Device> DeviceEnds<'p, D> {
    /// Prepares patterns with at most k errors, each of more than k symbols, for one algorithm or
    /// the fastest ones, on at least one device.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if no algorithm takes one of the patterns.
    pub fn new(
        devices: Vec<Arc<D>>,
        (patterns, k): (Vec<Pattern>, u32),
        (algorithm, tuning): (Option<&'static DeviceAlgorithm<D>>, Tuning),
        progress: Progress<'p>,
    ) -> Result<Self> {
        let passes = passes_of(&patterns, k, algorithm)?;
        Ok(Self {
            devices,
            patterns,
            k,
            gaps: Gaps::ANY,
            tuning,
            passes,
            chunk: CHUNK,
            progress,
            kept: None,
            clock: Clock::default(),
        })
    }

    /// Limits the insertions and deletions, for an algorithm that does not find any number.
    pub fn with_gaps(self, gaps: Gaps) -> Self {
        Self { gaps, ..self }
    }

    /// Measures the times of kernels and copies.
    pub fn timed(self) -> Self {
        Self { clock: Clock::running(), ..self }
    }

    /// Sets the number of symbols of a chunk, a multiple of [`ROUND`]. Chunks are smaller if a
    /// device lacks memory.
    ///
    /// # Errors
    /// [`Error::Usage`] for a number that is 0, no multiple, or too large.
    pub fn with_chunk(self, chunk: u64) -> Result<Self> {
        if chunk == 0 || !chunk.is_multiple_of(ROUND) || chunk > LARGEST_CHUNK {
            return Err(UsageFault::Range.error(format!(
                "the chunk must be a multiple of {ROUND} symbols, up to {LARGEST_CHUNK}, not {chunk}"
            )));
        }
        Ok(Self { chunk, ..self })
    }

    /// Returns the number of symbols of context before a chunk.
    fn context(&self) -> u64 {
        let longest = self.patterns.iter().map(Pattern::len).max().unwrap_or(0) as u64;
        (longest + u64::from(self.k)).next_multiple_of(ROUND)
    }

    /// Returns the number of symbols of a chunk of a text of n symbols, if there is memory for it.
    fn wanted(&self, n: u64) -> u64 {
        let each = n.div_ceil(TURNS * self.devices.len() as u64).next_multiple_of(ROUND);
        each.max(LEAST_CHUNK * self.passes.len() as u64).min(self.chunk)
    }

    /// Returns the number of symbols of a chunk: `wanted`, at most what fits the free memory of
    /// each device (the text, and one byte per position for the scans; half of the free memory is
    /// left for hits), and such that 32 bits can count the ends of a pass.
    fn size(&self, wanted: u64) -> Result<u64> {
        let mut size = wanted;
        for device in &self.devices {
            size = size.min(device.free_memory()? / (2 * 2 * SLOTS) / ROUND * ROUND);
        }
        let together = self.passes.iter().map(Pass::counted).max().unwrap_or(1);
        Ok(size.min((u64::from(u32::MAX) / together).saturating_sub(self.context()) / ROUND * ROUND).max(ROUND))
    }

    /// Returns slots for a text of n symbols: those of the text before, if there are enough and
    /// they are large enough.
    fn slots(&mut self, n: u64, format: ResultKind) -> Result<Slots<D>> {
        let (wanted, context) = (self.wanted(n), self.context());
        let room_of = |size: u64| (size + context).min(n.next_multiple_of(ROUND));
        let count_of = |size: u64| n.div_ceil(size).min(SLOTS * self.devices.len() as u64);
        if let Some(kept) = self.kept.take()
            && kept.format == format
            && (kept.is_limited || kept.room >= room_of(wanted))
            && kept.slots.len() as u64 >= count_of(kept.chunk_of(n, wanted, context))
        {
            return Ok(kept);
        }
        let size = self.size(wanted)?;
        let (room, count) = (room_of(size), count_of(size));
        let slot = |number: u64| -> Result<Slot<D>> {
            let device = &self.devices[number as usize % self.devices.len()];
            let text = Arc::new(DeviceText::with_room(device.clone(), room)?);
            let prepare = |pass: &Pass<D>| {
                // Algorithms that write bytes do not count.
                let format = if pass.algorithm.writes.only_bytes() { ResultKind::Hits } else { format };
                let patterns = &self.patterns[pass.patterns.clone()];
                text.prepare(
                    pass.algorithm,
                    &Request { patterns, k: self.k, gaps: self.gaps, tuning: self.tuning },
                    format,
                )
            };
            let searches = self.passes.iter().map(prepare).collect::<Result<_>>()?;
            let counts = device.alloc(self.passes.len(), "counts")?;
            Ok(Slot { searches, counts, pinned: device.pinned(room as usize)?, chunk: None, launched: None })
        };
        let is_limited = size < wanted && room == size + context;
        Ok(Slots { slots: (0..count).map(slot).collect::<Result<_>>()?, format, room, is_limited })
    }

    /// Searches a text in chunks. `take` gets the results of each pass, in order.
    fn search(&mut self, text: &Text<'_>, format: ResultKind, take: TakeResult<'_>) -> Result<()> {
        let n = text.len();
        if n == 0 || self.passes.is_empty() {
            return Ok(());
        }
        let context = self.context();
        let mut kept = self.slots(n, format)?;
        let size = kept.chunk_of(n, self.wanted(n), context);
        let (chunks, count) = (n.div_ceil(size), kept.slots.len() as u64);
        let mut job = ChunkJob { passes: &self.passes, progress: self.progress, clock: &mut self.clock };
        // A slot is filled when its chunk before is finished. After the last chunk, the remaining
        // slots are finished.
        for number in 0..chunks + count {
            let slot = &mut kept.slots[(number % count) as usize];
            slot.finish(&mut job, take)?;
            if number < chunks {
                let first = number * size;
                let before = first.min(context);
                let chunk = Chunk { from: first - before, before, end: (first + size).min(n) };
                slot.begin(text, chunk, job.clock)?;
            }
        }
        self.kept = Some(kept);
        Ok(())
    }
}

/// Returns the passes of a search.
pub(super) fn passes_of<D: Device>(
    patterns: &[Pattern],
    k: u32,
    algorithm: Option<&'static DeviceAlgorithm<D>>,
) -> Result<Vec<Pass<D>>> {
    // Periods matter only for the choice of an algorithm without errors; the test reads all
    // symbols.
    let needs_periods = algorithm.is_none() && k == 0;
    let has_periods = |pattern: &Pattern| {
        needs_periods && Symbols::from_pattern(pattern).is_some_and(|symbols| symbols.as_string().is_some())
    };
    let size = |pattern: &Pattern| Size {
        has_periods: has_periods(pattern),
        ..Size::from_patterns(std::slice::from_ref(pattern), k)
    };
    let sizes: Vec<Size> = patterns.iter().map(size).collect();
    passes(&sizes, algorithm).ok_or_else(|| Error::Unsupported {
        algorithm: "a GPU".into(),
        reason: format!("has no algorithm for one of these patterns with {k} errors; use the CPU"),
    })
}

/// Returns the number of ends of a result.
pub(super) fn counted(found: DeviceResult) -> Result<u64> {
    match found {
        DeviceResult::Count(ends) => Ok(ends),
        DeviceResult::Hits(all) => Ok(all.iter().map(|ends| ends.len() as u64).sum()),
        _ => Err(Error::Verification("a search for a count returned another type of result".into())),
    }
}

/// Passes the hits of a pass to `take`.
pub(super) fn hand_on(first: usize, found: DeviceResult, take: TakeEnds<'_>) -> Result<()> {
    match found {
        DeviceResult::Hits(all) => all.into_iter().enumerate().try_for_each(|(i, ends)| take(first + i, ends)),
        _ => Err(Error::Verification("a search for hits returned another type of result".into())),
    }
}

impl<D: Device> FindEnds for DeviceEnds<'_, D> {
    fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
        self.search(text, ResultKind::Hits, &mut |first, found| hand_on(first, found, take))
    }

    fn ran(&mut self) -> Vec<&'static str> {
        self.passes.iter().map(|pass| pass.algorithm.about.name).collect()
    }

    fn timings(&mut self) -> Timings {
        self.clock.take()
    }

    fn count(&mut self, text: &Text<'_>) -> Result<u64> {
        let mut count = 0;
        self.search(text, ResultKind::Count, &mut |_, found| {
            count += counted(found)?;
            Ok(())
        })?;
        Ok(count)
    }
}
