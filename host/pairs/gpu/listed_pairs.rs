//! Listed pairs, computed in batches of groups of similar lengths. While the device computes a
//! batch, the host writes the next one.

use super::algorithm::DeviceAlgorithm;
use super::device_pairs::{Block, DevicePairs};
use super::kernel_cost::kernel_cost;
use super::listed_input::Batch;
use super::listed_order::{Cuts, GROUP_PAIRS, GroupSize, Part};
use super::listed_slot::{Done, Slot};
use super::listed_source::{Gathered, Source};
use crate::algorithm::About;
use crate::device::{Device, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::last_row::LONGEST;
use carrywave_kernels::distance::listed_pairs::{self, WARPS};
use carrywave_kernels::distance::long_pairs;
use rayon::prelude::*;
use simt_std::WARP;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The algorithm's name, source and cost.
pub const ABOUT: About = About::new(
    "listed-pairs",
    "listed pairs: a lane holds 32 pairs of similar lengths, one bit of a word each",
    "Myers 1999; Crochemore et al. 2001; Hyyrö 2003",
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

/// Maximum number of batches in flight: the host writes one, another one is copied, and the others
/// are computed, as one does not fill a GPU. The device keeps their pinned memory.
const SLOTS: usize = 4;

/// Bytes of device memory that a batch needs beside its arrays: space between them, and columns
/// past the end.
const SLACK: u64 = 1 << 20;

/// Place of the distances of a list: on the host, or on the device.
pub(super) enum Distances<'o, D: Device> {
    Host(&'o [AtomicU32]),
    /// The distances of fewer than 2^32 pairs.
    Device(&'o D::Buffer<u32>),
}

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
        self.of_source(&Gathered(pairs), pairs.len(), cost)
    }

    /// Computes the distances of a source's `count` pairs; 0 for pairs that are not compared.
    pub(super) fn of_source(&self, source: &dyn Source, count: usize, cost: Cost) -> Result<Vec<u32>> {
        crate::memory::check::<u32>(count, "the distances")?;
        let distances: Vec<AtomicU32> = (0..count).into_par_iter().map(|_| AtomicU32::new(0)).collect();
        self.in_batches(source, cost, &Distances::Host(&distances))?;
        Ok(distances.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// Computes the distances of a source's pairs. Those of pairs that are not compared keep their
    /// values.
    pub(super) fn in_batches(&self, source: &dyn Source, cost: Cost, distances: &Distances<'_, D>) -> Result<()> {
        let started = Instant::now();
        let Cuts { ranges, longest } = Cuts::new(source);
        if longest > LONGEST as usize {
            return Err(UsageFault::TooLarge
                .error(format!("many pairs on a GPU support strings of up to {LONGEST} symbols, not {longest}")));
        }
        if ranges.is_empty() {
            return Ok(());
        }
        self.note(&ABOUT);
        let free = self.device.free_memory()? / 8 * 7;
        let bytes = |part: &Part| needed(part, cost);
        let fitting = |range| Part::fitting(source, range, &bytes, free / SLOTS as u64);
        let parts: Vec<Part> = ranges.into_par_iter().flat_map(fitting).collect();
        let largest = parts.iter().map(bytes).max().unwrap_or(0);
        if largest > free {
            return Err(Error::DeviceMemory { needed: largest, free });
        }
        let at_once = if largest > free / SLOTS as u64 { 1 } else { SLOTS.min(parts.len()) };
        let mut slots = (0..at_once).map(|_| Slot::new(self.device)).collect::<Result<Vec<_>>>()?;
        let mut clock = Clock::new(self.device)?;
        let mut put = |slot: &mut Slot<'_, '_, D>| -> Result<()> {
            let Some(done) = slot.finish()? else { return Ok(()) };
            if let Distances::Host(distances) = distances {
                let distances = &distances[done.part.pairs.clone()];
                let found = done.part.turns.par_iter().zip(done.distances).with_min_len(GROUP_PAIRS);
                found.for_each(|(turn, distance)| {
                    distances[turn.number as usize].store(u32::from_ne_bytes(*distance), Ordering::Relaxed);
                });
            }
            clock.add(&done)?;
            (self.progress)(done.part.cells());
            Ok(())
        };
        let out = match distances {
            Distances::Host(_) => None,
            Distances::Device(out) => Some(*out),
        };
        for (number, part) in parts.iter().enumerate() {
            let slot = &mut slots[number % at_once];
            put(slot)?;
            slot.start(Batch { source, part }, cost, self.limit.unwrap_or(u32::MAX), self.tuning.long, out)?;
        }
        for step in 0..at_once {
            put(&mut slots[(parts.len() + step) % at_once])?;
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
fn needed(part: &Part, cost: Cost) -> u64 {
    let arrays: usize = part.groups.iter().map(GroupSize::bytes).sum();
    let warps = part.groups.len().next_multiple_of(WARPS as usize) as u64;
    // The kernel for long strings has up to 32 times as many warps.
    let (cost, rows) = (kernel_cost(cost), part.longest()[0] as u32);
    let edges = listed_pairs::edge_words(cost, rows).max(long_pairs::edge_words(cost, rows) * u64::from(WARP));
    arrays as u64 + edges * 4 * warps + SLACK
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
        self.times += Timings { kernels, download: done.download, cells: done.part.cells(), ..Timings::default() };
        self.ended = self.ended.max(ended);
        Ok(())
    }
}
