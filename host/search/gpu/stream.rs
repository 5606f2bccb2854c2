//! Texts of any size, in memory or in a file: chunks go through a few slots, so that copies and kernels overlap.
//!
//! Each slot has pinned memory, room for a chunk on the device, and a stream. Before a slot is filled again, what was found in
//! it is taken out, so chunks are done in order.
//!
//! ```text
//!             time ─────▶
//! all cores   | fill 0 | fill 1 | fill 2 |          | fill 3 |        | fill 4 | …     file or memory ─▶ pinned
//! copies               |== copy 0 ==|== copy 1 ==|== copy 2 ==|== copy 3 ==| …         pinned ─▶ device
//! kernels                           | 0 |        | 1 |        | 2 |        | 3 | …
//! taken out                              0            1            2            3
//!
//! text        |------- chunk 0 -------|------- chunk 1 -------|---- chunk 2 ----|
//! copied      |-----------------------|
//!                              |-- c -|-----------------------|                        c: what goes before a chunk,
//!                                                      |-- c -|-----------------|         of which nothing is reported
//! ```
//!
//! An occurrence with at most k errors has at most m + k symbols, so it lies within the chunk that it ends in and the
//! m + k symbols before that, rounded up to [`ROUND`]; and it is found once.

use super::passes::Pass;
use super::{DeviceSearch, DeviceText, Format, Found, ROUND};
use crate::device::Device;
use crate::error::Result;
use crate::text::{Pattern, Text};

/// Chunks under way: one is filled while another is copied and a third is searched.
const SLOTS: u64 = 3;

/// What is searched for.
pub(super) struct Job<'j> {
    pub patterns: &'j [Pattern],
    /// Of the patterns, in order: each chunk is searched so many times while it is on the device.
    pub passes: &'j [Pass],
    pub k: u32,
    pub format: Format,
}

/// A chunk of the text, with what goes before it.
#[derive(Clone, Copy)]
struct Chunk {
    /// The first symbol that is copied.
    from: u64,
    /// Symbols before the chunk, a multiple of [`ROUND`].
    before: u64,
    /// Behind the chunk's last symbol.
    end: u64,
}

struct Slot<'t, 'd, D: Device> {
    /// Go first, which waits for the stream: no copy then reads the pinned memory that goes next. At least one.
    searches: Vec<DeviceSearch<'t, 'd, D>>,
    pinned: D::Pinned,
    chunk: Option<Chunk>,
}

impl<D: Device> Slot<'_, '_, D> {
    /// Fills the slot, and puts copy and searches into its stream.
    fn begin(&mut self, text: &Text<'_>, chunk: Chunk) -> Result<()> {
        let on_device = self.searches[0].text;
        let device = on_device.device;
        let n = chunk.end - chunk.from;
        text.read(chunk.from, &mut device.pinned_bytes(&mut self.pinned)[..n as usize])?;
        self.chunk = Some(chunk);
        // SAFETY: `finish` waits for the stream, and only then is the slot filled again; when the slot goes away, its search
        // goes first, which waits, and the text's buffer outlives the search.
        unsafe {
            let len = n.next_multiple_of(ROUND) as usize;
            device.upload_async(&on_device.stream, &on_device.text, &self.pinned, len)?;
        }
        self.searches.iter_mut().try_for_each(|search| {
            search.n = n;
            search.begin(chunk.before)
        })
    }

    /// Waits for what was begun, if anything was, and gives what was found of each pass, from the text's start.
    fn finish(&mut self, job: &Job<'_>, progress: &(dyn Fn(u64) + Sync), take: TakeFound<'_>) -> Result<()> {
        let Some(chunk) = self.chunk.take() else { return Ok(()) };
        for (search, pass) in self.searches.iter_mut().zip(job.passes) {
            let mut found = search.finish(chunk.before)?;
            if let Found::Hits(all) = &mut found {
                all.iter_mut().flatten().for_each(|end| end.end += chunk.from);
            }
            take(pass.patterns.start, found)?;
            progress((chunk.end - chunk.from - chunk.before) * pass.patterns.len() as u64);
        }
        Ok(())
    }
}

/// Symbols of a chunk, of so many at most, for which there is memory: a text, and for the scans a byte a position; half of
/// what is free stays so, for hits.
fn fitting(device: &impl Device, most: u64) -> Result<u64> {
    let each = device.free_memory()? / (2 * 2 * SLOTS);
    Ok(most.min(each / ROUND * ROUND).max(ROUND))
}

/// Takes the number of a pass's first pattern, and what was found.
pub(super) type TakeFound<'t> = &'t mut dyn FnMut(usize, Found) -> Result<()>;

/// Searches a text in chunks of so many symbols at most; `take` is given what was found in each (a count or hits), in order,
/// `progress` the number of its symbols for each pattern.
pub(super) fn search<D: Device>(
    device: &D,
    text: &Text<'_>,
    job: &Job<'_>,
    most: u64,
    progress: &(dyn Fn(u64) + Sync),
    take: TakeFound<'_>,
) -> Result<()> {
    let n = text.len();
    let longest = job.patterns.iter().map(Pattern::len).max().unwrap_or(0) as u64;
    let context = (longest + u64::from(job.k)).next_multiple_of(ROUND);
    // All ends of a pass are counted in 32 bits.
    let together = job.passes.iter().map(|pass| pass.patterns.len()).max().unwrap_or(1) as u64;
    let size = fitting(device, most)?.min((u64::from(u32::MAX) / together).saturating_sub(context) / ROUND * ROUND);
    let size = size.max(ROUND);
    let chunks = n.div_ceil(size);
    let room = (size + context).min(n.next_multiple_of(ROUND));
    let texts: Vec<_> = (0..chunks.min(SLOTS)).map(|_| DeviceText::with_room(device, room)).collect::<Result<_>>()?;
    let slot = |text| {
        let prepare = |pass: &Pass| {
            // The published algorithms do not count.
            let format = if pass.algorithm.is_published() { Format::Hits } else { job.format };
            DeviceText::prepare_all(text, pass.algorithm, &job.patterns[pass.patterns.clone()], job.k, format)
        };
        let searches = job.passes.iter().map(prepare).collect::<Result<_>>()?;
        Ok(Slot { searches, pinned: device.pinned(room as usize)?, chunk: None })
    };
    let mut slots: Vec<_> = texts.iter().map(slot).collect::<Result<_>>()?;
    // A chunk goes into a slot when the one before it there is done; after the last chunk there are still some to be done.
    for number in 0..chunks + slots.len() as u64 {
        let slots_number = slots.len() as u64;
        let slot = &mut slots[(number % slots_number) as usize];
        slot.finish(job, progress, take)?;
        if number < chunks {
            let first = number * size;
            let before = first.min(context);
            slot.begin(text, Chunk { from: first - before, before, end: (first + size).min(n) })?;
        }
    }
    Ok(())
}
