//! A block of the matrix in flight: its launch, and its results.

use super::codes::Codes;
use super::device_pairs::{Block, DevicePairs};
use super::groups::Groups;
use super::launch::Launch;
use super::plan::PairsPlan;
use super::room::{pinned_room, room};
use crate::device::watch::Watch;
use crate::device::{Device, Timings};
use crate::error::Result;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// Number of cells of a long launch, whose progress is read while it runs.
const LONG: u64 = 1 << 40;

/// A value for the kernel's rows and one for its columns.
pub(super) struct Sides<T> {
    pub(super) rows: T,
    pub(super) columns: T,
}

impl<T> Sides<T> {
    /// Arranges the values for the lists `a` and `b`.
    pub(super) fn of_lists(a: T, b: T, a_is_rows: bool) -> Self {
        if a_is_rows { Self { rows: a, columns: b } } else { Self { rows: b, columns: a } }
    }
}

/// A block in flight.
pub(super) struct Flight<D: Device> {
    pub(super) groups: Sides<Arc<Groups<D>>>,
    /// Distance in `out` from a row to the next, and from a column to the next.
    pub(super) pitch: Sides<u64>,
    pub(super) a: Range<usize>,
    pub(super) b: Range<usize>,
    pub(super) cells: u64,
    pub(super) pairs_of_groups: u64,
    pub(super) started: Instant,
}

impl<D: Device> Flight<D> {
    fn block<'b>(&self, distances: &'b [u32]) -> Block<'b> {
        Block { first_a: self.a.start, first_b: self.b.start, rows: self.a.len(), columns: self.b.len(), distances }
    }
}

/// Buffers and streams of one of the two blocks in flight.
pub(super) struct Slot<'d, D: Device> {
    device: &'d D,
    pub(super) stream: D::Stream,
    /// Stream for reading the progress of the launch in `stream`.
    asking: D::Stream,
    out: Option<(D::Buffer<u32>, usize)>,
    edges: Option<(D::Buffer<u32>, usize)>,
    /// Distances on the host.
    distances: Option<(D::Pinned, usize)>,
    claimed: D::Buffer<u32>,
    flight: Option<Flight<D>>,
}

impl<'d, D: Device> Slot<'d, D> {
    pub(super) fn new(device: &'d D) -> Result<Self> {
        Ok(Self {
            device,
            stream: device.stream()?,
            asking: device.stream()?,
            out: None,
            edges: None,
            distances: None,
            claimed: device.alloc(1, "claimed")?,
            flight: None,
        })
    }

    pub(super) fn start(
        &mut self,
        plan: PairsPlan,
        codes: &Codes,
        limit: Option<u32>,
        flight: Flight<D>,
    ) -> Result<()> {
        let device = self.device;
        device.zero(&self.stream, &mut self.claimed)?;
        let results = flight.a.len() * flight.b.len();
        let edges = plan.edge_words(flight.groups.rows.longest) as usize;
        // Stored before anything can fail, so that the block in flight is waited for.
        let flight = self.flight.insert(flight);
        let launch = Launch {
            plan,
            rows: &flight.groups.rows,
            columns: &flight.groups.columns,
            table_rows: codes.table_rows,
            padding: codes.row_padding,
            limit,
            edges: room(device, &mut self.edges, edges, "edges")?,
            out: room(device, &mut self.out, results, "distances")?,
            row_pitch: flight.pitch.rows,
            column_pitch: flight.pitch.columns,
            claimed: &self.claimed,
        };
        // SAFETY: the groups are packed for the plan's columns and the codes' table, the edges are
        // the plan's, and `out` has an entry for each pair; all live until `finish` or `drop`,
        // which wait for the stream.
        unsafe { launch.start(device, &self.stream) }
    }

    /// Waits for the block in flight, if there is one, and hands it over.
    pub(super) fn finish(
        &mut self,
        pairs: &DevicePairs<'_, D>,
        ended: &mut Instant,
        each: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> Result<()> {
        let Some(flight) = self.flight.take() else { return Ok(()) };
        let device = self.device;
        let mut told = 0;
        let mut watch = Watch::new();
        while flight.cells > LONG && !device.is_done(&self.stream)? {
            if !watch.sleep() {
                continue;
            }
            let claimed = device.download(&self.asking, &self.claimed, 1)?.first().copied().unwrap_or(0);
            let part = u128::from(flight.cells) * u128::from(claimed) / u128::from(flight.pairs_of_groups.max(1));
            // A claimed group is not finished yet, and the last claims of all warps find nothing.
            let now = (part as u64).min(flight.cells / 100 * 99).max(told);
            (pairs.progress)(now - told);
            told = now;
        }
        device.wait(&self.stream)?;
        let done = Instant::now();
        (pairs.progress)(flight.cells - told);
        let results = flight.a.len() * flight.b.len();
        let Some((out, _)) = &self.out else { return Ok(()) };
        let pinned = pinned_room(device, &mut self.distances, 4 * results)?;
        device.download_to_pinned(&self.stream, out, pinned, results)?;
        // The previous launch ran until `ended`.
        let kernels = done.saturating_duration_since(flight.started.max(*ended));
        *ended = done;
        pairs.add_timings(Timings { kernels, download: done.elapsed(), ..Timings::default() });
        let bytes = &device.pinned_bytes(pinned)?[..4 * results];
        match bytemuck::try_cast_slice(bytes) {
            Ok(distances) => each(flight.block(distances)),
            // The simulator's memory need not be aligned.
            Err(_) => {
                let words = bytes.chunks_exact(4).map(|word| u32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
                each(flight.block(&words.collect::<Vec<_>>()))
            }
        }
    }
}

impl<D: Device> Drop for Slot<'_, D> {
    fn drop(&mut self) {
        // After an error a launch may still use the buffers that are freed here.
        if let Err(error) = self.device.wait(&self.stream) {
            log::warn!("{error}");
        }
    }
}
