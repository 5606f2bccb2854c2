//! Listed pairs, computed in batches of groups of similar lengths. While the device computes a
//! batch, the host writes the next one.

use super::algorithm::DeviceAlgorithm;
use super::device_pairs::{Block, DevicePairs};
use super::listed_input::Batch;
use super::listed_order::{GROUP_PAIRS, GroupSize, Order};
use super::listed_slot::{Done, Slot};
use crate::algorithm::About;
use crate::device::{Device, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::last_row::LONGEST;
use carrywave_kernels::distance::listed_pairs::{WARPS, edge_words};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The algorithm's name, source and cost.
pub const ABOUT: About = About::new(
    "listed-pairs",
    "listed pairs: a lane holds 32 pairs of similar lengths, one bit of a word each",
    "Myers 1999; Crochemore et al. 2001",
    "mn / 32 word steps for 32 pairs",
);

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        listed: Some(|pairs, list, cost| pairs.listed(list, cost)),
        all: |pairs, a, b, cost, each| pairs.all_by_list(a, b, cost, each),
    }
}

/// Number of pairs that fill a GPU.
pub(super) const MANY: usize = 1 << 18;

/// Upper bounds on the pairs of a batch, and on the bytes of its symbols unless it has a single
/// group: few enough for the host to write the next batch meanwhile, and enough to make a launch
/// negligible.
const BATCH: usize = 1 << 17;
const BATCH_SYMBOLS: usize = 48 << 20;

/// Number of cells of a long pair. A group of these takes longer to compute than to copy, so a
/// batch of them has more groups, with this many bytes of symbols.
const LONG_CELLS: usize = 1 << 22;
const LONG_BATCH_SYMBOLS: usize = 240 << 20;

/// Maximum number of batches in flight: the host writes one, another one is copied, and the others
/// are computed, as one does not fill a GPU. The device keeps their pinned memory.
const SLOTS: usize = 4;

/// Bytes of device memory that a batch needs beside its arrays: space between them, and columns
/// past the end.
const SLACK: u64 = 1 << 20;

/// Most pairs of a list that are sorted at once: their numbers have 32 bits.
const LISTED: usize = 1 << 30;

impl<D: Device> DevicePairs<'_, D> {
    /// Computes the distances of listed pairs, in the order of the list.
    ///
    /// A GPU computes 1,024 pairs of similar lengths together, so this suits lists of at least
    /// thousands of pairs. For strings of up to about a thousand symbols, the time is that of
    /// copying them to the device.
    ///
    /// # Errors
    /// As [`all`](Self::all).
    pub fn listed(&self, pairs: &[[&[u8]; 2]], cost: Cost) -> Result<Vec<u32>> {
        let longest = pairs.par_iter().map(|[a, b]| a.len().max(b.len())).max().unwrap_or(0);
        if longest > LONGEST as usize {
            return Err(UsageFault::TooLarge
                .error(format!("many pairs on a GPU support strings of up to {LONGEST} symbols, not {longest}")));
        }
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        self.note(&ABOUT);
        crate::memory::check::<u32>(pairs.len(), "the distances")?;
        let distances: Vec<AtomicU32> = pairs.par_iter().map(|_| AtomicU32::new(0)).collect();
        for (pairs, distances) in pairs.chunks(LISTED).zip(distances.chunks(LISTED)) {
            self.in_batches(pairs, cost, distances)?;
        }
        Ok(distances.into_iter().map(AtomicU32::into_inner).collect())
    }

    fn in_batches(&self, pairs: &[[&[u8]; 2]], cost: Cost, distances: &[AtomicU32]) -> Result<()> {
        let started = Instant::now();
        let order = Order::new(pairs);
        let free = self.device.free_memory()? / 8 * 7;
        let largest = order.groups.iter().map(|group| needed(std::slice::from_ref(group), cost)).max().unwrap_or(0);
        if largest > free {
            return Err(Error::DeviceMemory { needed: largest, free });
        }
        let at_once = if largest > free / SLOTS as u64 { 1 } else { SLOTS };
        let free = free / at_once as u64;
        let mut rest = Batch { pairs, turns: &order.turns, groups: &order.groups };
        let mut slots = (0..at_once).map(|_| Slot::new(self.device)).collect::<Result<Vec<_>>>()?;
        let mut clock = Clock::new(self.device)?;
        let mut put = |slot: &mut Slot<'_, '_, D>| -> Result<()> {
            let Some(done) = slot.finish()? else { return Ok(()) };
            let found = done.batch.turns.par_iter().zip(done.distances).with_min_len(GROUP_PAIRS);
            found.for_each(|(turn, distance)| {
                distances[turn.number as usize].store(u32::from_ne_bytes(*distance), Ordering::Relaxed);
            });
            clock.add(&done)?;
            (self.progress)(done.batch.cells());
            Ok(())
        };
        let mut turn = 0;
        while !rest.groups.is_empty() {
            let groups = batch_len(rest.groups, cost, free);
            let [batch, after] = rest.split_at(groups);
            let slot = &mut slots[turn];
            put(slot)?;
            slot.start(batch, cost, self.limit.unwrap_or(u32::MAX))?;
            (turn, rest) = ((turn + 1) % at_once, after);
        }
        for step in 0..at_once {
            put(&mut slots[(turn + step) % at_once])?;
        }
        // Preparing and copying the input, as far as no kernel runs meanwhile.
        let upload = started.elapsed().saturating_sub(clock.times.kernels + clock.times.download);
        self.add_timings(Timings { upload, ..clock.times });
        Ok(())
    }

    /// Like [`all`](Self::all), for short lists.
    pub(super) fn all_by_list(
        &self,
        a: &[&[u8]],
        b: &[&[u8]],
        cost: Cost,
        each: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> Result<()> {
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        let most = self.tuning.many.unwrap_or(MANY);
        // Takes the shorter list as a whole, if it is not too long by itself.
        let (step_a, step_b) = if a.len() <= b.len() {
            (a.len().min(most), (most / a.len()).max(1))
        } else {
            ((most / b.len()).max(1), b.len().min(most))
        };
        for (i, part_a) in a.chunks(step_a).enumerate() {
            for (j, part_b) in b.chunks(step_b).enumerate() {
                let pairs: Vec<[&[u8]; 2]> = part_a.iter().flat_map(|&a| part_b.iter().map(move |&b| [a, b])).collect();
                let distances = self.listed(&pairs, cost)?;
                each(Block {
                    first_a: i * step_a,
                    first_b: j * step_b,
                    rows: part_a.len(),
                    columns: part_b.len(),
                    distances: &distances,
                })?;
            }
        }
        Ok(())
    }
}

/// Returns an upper bound on the bytes of device memory for a batch.
fn needed(groups: &[GroupSize], cost: Cost) -> u64 {
    let arrays: usize = groups.iter().map(GroupSize::bytes).sum();
    let rows = groups.iter().map(|group| group.rows).max().unwrap_or(0);
    let warps = groups.len().next_multiple_of(WARPS as usize) as u64;
    arrays as u64 + edge_words(cost == Cost::Indel, rows as u32) * 4 * warps + SLACK
}

/// Returns the number of groups of the next batch: as many as fit, at least one.
fn batch_len(groups: &[GroupSize], cost: Cost, free: u64) -> usize {
    let is_long = groups.first().is_some_and(|first| first.rows.saturating_mul(first.columns) > LONG_CELLS);
    let most_symbols = if is_long { LONG_BATCH_SYMBOLS } else { BATCH_SYMBOLS };
    let mut symbols = 0;
    let fits = |&len: &usize| {
        symbols += groups[len - 1].symbols;
        symbols <= most_symbols && needed(&groups[..len], cost) <= free
    };
    (1..=groups.len().min(BATCH / GROUP_PAIRS)).take_while(fits).count().max(1)
}

/// Sums up the times of batches, whose kernels may run at the same time.
struct Clock<'d, D: Device> {
    device: &'d D,
    start: D::Event,
    /// Time from the start to the end of the last kernel so far.
    ended: Duration,
    times: Timings,
}

impl<'d, D: Device> Clock<'d, D> {
    fn new(device: &'d D) -> Result<Self> {
        let start = device.record(&device.stream()?)?;
        Ok(Self { device, start, ended: Duration::ZERO, times: Timings::default() })
    }

    fn add(&mut self, done: &Done<'_, '_, D>) -> Result<()> {
        let [started, ended] = &done.kernels;
        let started = self.device.elapsed(&self.start, started)?.max(self.ended);
        let ended = self.device.elapsed(&self.start, ended)?;
        let kernels = ended.saturating_sub(started);
        self.times += Timings { kernels, download: done.download, cells: done.batch.cells(), ..Timings::default() };
        self.ended = self.ended.max(ended);
        Ok(())
    }
}
