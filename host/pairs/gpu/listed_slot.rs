//! A batch of listed pairs in flight: its input, the launches of the kernels, and its results.

use super::listed_choice::Choice;
use super::listed_input::{Batch, Layout};
use super::listed_launch::Launch;
use super::listed_order::Part;
use super::room::pinned_room;
use crate::device::Device;
use crate::error::Result;
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::listed_pairs::{self, WARPS};
use carrywave_kernels::distance::long_pairs;
use simt_std::WARP;
use simt_std::global::Global;
use std::time::{Duration, Instant};

/// Number of blocks for each multiprocessor.
const BLOCKS: u32 = 3;

/// Length of long strings: 32 warps compute a group of them faster than one warp, if there are
/// fewer groups than this number for each multiprocessor.
const LONG: usize = 400;
const FEW_GROUPS: u32 = 4;
/// The bound in place of [`FEW_GROUPS`] for jobs with a maximum: there, the lanes of a warp compute
/// more cells outside the band.
const FEW_GROUPS_IN_A_BAND: u32 = 1;

/// Numbers of elements of a batch's arrays on the device.
#[derive(Clone, Copy)]
struct Sizes {
    /// The batch's input.
    input: usize,
    /// Planes of the rows' strings, and of the columns'.
    planes: [usize; 2],
    edges: usize,
    out: usize,
}

impl Sizes {
    fn fit_into(self, room: Self) -> bool {
        let all = |Self { input, planes: [rows, columns], edges, out }: Self| [input, rows, columns, edges, out];
        all(self).into_iter().zip(all(room)).all(|(size, room)| size <= room)
    }
}

/// A batch's arrays on the device.
struct Arrays<D: Device> {
    sizes: Sizes,
    input: D::Buffer<u8>,
    planes: [D::Buffer<u32>; 2],
    edges: D::Buffer<u32>,
    out: D::Buffer<u32>,
}

impl<D: Device> Arrays<D> {
    fn new(device: &D, sizes: Sizes) -> Result<Self> {
        let [rows, columns] = sizes.planes;
        Ok(Self {
            sizes,
            input: device.alloc(sizes.input, "pairs of strings")?,
            planes: [device.alloc(rows, "planes of strings")?, device.alloc(columns, "planes of strings")?],
            edges: device.alloc(sizes.edges, "edges")?,
            out: device.alloc(sizes.out, "distances")?,
        })
    }
}

/// Buffers and the stream of a batch.
pub(super) struct Slot<'d, 'l, D: Device> {
    device: &'d D,
    stream: D::Stream,
    /// The batch's input and results on the host.
    input: Option<(D::Pinned, usize)>,
    results: Option<(D::Pinned, usize)>,
    arrays: Option<Arrays<D>>,
    claimed: D::Buffer<u32>,
    flight: Option<Flight<'l, D>>,
}

/// A batch in flight.
struct Flight<'l, D: Device> {
    part: &'l Part,
    /// Before the first kernel, and after the last one.
    kernels: Option<[D::Event; 2]>,
}

/// A batch that is done: its pairs' distances, and its events.
pub(super) struct Done<'s, 'l, D: Device> {
    pub(super) part: &'l Part,
    /// The distance of each turn; empty if the distances stay on the device.
    pub(super) distances: &'s [[u8; 4]],
    /// Before the first kernel, and after the last one.
    pub(super) kernels: [D::Event; 2],
    /// Time of copying the distances to the host.
    pub(super) download: Duration,
}

impl<'d, 'l, D: Device> Slot<'d, 'l, D> {
    pub(super) fn new(device: &'d D) -> Result<Self> {
        Ok(Self {
            device,
            stream: device.stream()?,
            input: None,
            results: None,
            arrays: None,
            claimed: device.alloc(1, "claimed")?,
            flight: None,
        })
    }

    /// Writes a batch's input on all threads, and queues its copy and its kernels. The slot has no
    /// batch in flight. The distances go to `out` in the list's order, or else to the host.
    /// `is_long` overrides the choice of the kernel.
    pub(super) fn start(
        &mut self,
        batch: Batch<'l>,
        cost: Cost,
        limit: u32,
        is_long: Option<bool>,
        out: Option<&D::Buffer<u32>>,
    ) -> Result<()> {
        let device = self.device;
        let Batch { source, part } = batch;
        let layout = Layout::new(batch);
        let input = pinned_room(device, &mut self.input, layout.bytes())?;
        let memory = &mut device.pinned_bytes(input)?[..layout.bytes()];
        let symbols = layout.write_strings(batch, out.map(|_| part.pairs.start as u32), memory);
        let longest = part.longest();
        let groups = part.groups.len() as u32;
        let multiprocessors = device.limits().multiprocessors;
        let is_long = is_long.unwrap_or_else(|| {
            let few = if limit == u32::MAX { FEW_GROUPS } else { FEW_GROUPS_IN_A_BAND };
            groups < few * multiprocessors && longest.into_iter().all(|len| len >= LONG)
        });
        let choice = Choice::new(&symbols, cost, part.groups.iter().all(|group| group.is_even), is_long)?;
        let of_symbol = choice.planes * WARP as usize;
        layout.write_groups(part, |symbols| symbols * of_symbol, &choice.codes, memory);
        let rows = longest[0] as u32;
        let (tasks, edge_words) = match choice.is_long {
            false => (groups, listed_pairs::edge_words(choice.cost, rows)),
            true => (groups * WARP, long_pairs::edge_words(choice.cost, rows)),
        };
        let blocks = tasks.div_ceil(WARPS).min(multiprocessors * BLOCKS);
        let [rows, columns] = part.group_symbols();
        let sizes = Sizes {
            input: layout.bytes(),
            // The kernel reads a row ahead, and a block of columns past the end.
            planes: [(rows + 1) * of_symbol, (columns + choice.columns) * of_symbol],
            edges: (edge_words * u64::from(blocks * WARPS)) as usize,
            out: if out.is_some() { 0 } else { part.turns.len() },
        };
        if self.arrays.as_ref().is_some_and(|kept| !sizes.fit_into(kept.sizes)) {
            // All together, so that they never need more memory than one batch.
            self.arrays = None;
        }
        let arrays = match &mut self.arrays {
            Some(kept) => kept,
            none => none.insert(Arrays::new(device, sizes)?),
        };

        // Stored before anything is queued, so that the batch in flight is waited for.
        let flight = self.flight.insert(Flight { part, kernels: None });
        device.upload_async(&self.stream, &arrays.input, input, layout.bytes())?;
        let started = device.record(&self.stream)?;
        for planes in &mut arrays.planes {
            device.zero(&self.stream, planes)?;
        }
        device.zero(&self.stream, &mut self.claimed)?;
        let launch = Launch {
            device,
            stream: &self.stream,
            choice: &choice,
            layout: &layout,
            input: device.handle(&arrays.input),
            symbols: if source.is_on_device() { Global::at(0) } else { layout.symbols(device.handle(&arrays.input)) },
            planes: [device.handle(&arrays.planes[0]), device.handle(&arrays.planes[1])],
            longest,
            groups,
            limit,
            edges: device.handle(&arrays.edges),
            edge_words,
            out: device.handle(out.unwrap_or(&arrays.out)),
            claimed: device.handle(&self.claimed),
            blocks,
        };
        launch.pack(0)?;
        launch.pack(1)?;
        launch.compute()?;
        flight.kernels = Some([started, device.record(&self.stream)?]);
        Ok(())
    }

    /// Waits for the batch in flight, if there is one, and returns its distances.
    pub(super) fn finish(&mut self) -> Result<Option<Done<'_, 'l, D>>> {
        let Some(Flight { part, kernels }) = self.flight.take() else { return Ok(None) };
        let device = self.device;
        device.wait(&self.stream)?;
        let started = Instant::now();
        let (Some(arrays), Some(kernels)) = (&self.arrays, kernels) else { return Ok(None) };
        if arrays.sizes.out == 0 {
            return Ok(Some(Done { part, distances: &[], kernels, download: Duration::ZERO }));
        }
        let len = part.turns.len();
        let results = pinned_room(device, &mut self.results, 4 * len)?;
        device.download_to_pinned(&self.stream, &arrays.out, results, len)?;
        let distances = &device.pinned_bytes(results)?.as_chunks().0[..len];
        Ok(Some(Done { part, distances, kernels, download: started.elapsed() }))
    }
}

impl<D: Device> Drop for Slot<'_, '_, D> {
    fn drop(&mut self) {
        // After an error, commands may still use the memory that is freed here.
        if let Err(error) = self.device.wait(&self.stream) {
            log::warn!("{error}");
        }
    }
}
