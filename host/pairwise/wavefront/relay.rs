//! A band of a table whose other bands are elsewhere: the carries into the lowest strip and out of the highest go through the host.
//!
//! ```text
//!                        chunks of columns
//!   another member   ↓       ↓       ↓       from the link: words with tags, written into the row below the lowest strip, while
//!                  +-------+-------+---      the launch runs; the strip waits for them as for those of another strip
//!       strip 0    |       |       |
//!         ⋮        |       |       |         (drawn with row 0 at the top)
//!       strip s    |       |       |
//!                  +-------+-------+---
//!   another member   ↓       ↓       ↓       read back where the tags say that they are there
//! ```
//!
//! So there is one launch for all columns, as far as memory allows. On the simulator, where a launch returns when it is done, each chunk is a launch, which
//! goes on from V.

use super::layout::Demand;
use super::{Kernels, Piece, Plan, Table, Wavefront, Work, layout};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pairwise::cluster::{Bands, Border, Steps};
use crate::pairwise::column::Direction;
use crate::pairwise::cuts::{Part, check};
use std::ops::Range;
use std::time::{Duration, Instant};

/// How long to wait before the device is asked again, where nothing has come in or out.
const ASK: Duration = Duration::from_micros(200);

/// A row of carries between a band and the host.
pub(super) struct Rim {
    /// The device that has it.
    pub device: usize,
    /// Its columns, of this launch.
    pub columns: Range<u64>,
    /// Where it starts among that device's carries.
    pub start: u64,
    pub tag: u32,
}

/// The rows of carries of a launch that the host writes and reads.
#[derive(Default)]
pub(super) struct Rims {
    /// Into the lowest strip.
    pub below: Option<Rim>,
    /// Out of the highest.
    pub above: Option<Rim>,
}

impl Rims {
    /// Those of a band's border, whose highest strip is on device `last`; none without a border.
    pub fn of(border: Option<&Border<'_>>, batch: &[Piece], last: usize) -> Self {
        let (Some(border), [piece]) = (border, batch) else { return Self::default() };
        let rim = |device| Rim { device, columns: 0..piece.n, start: 0, tag: 0 };
        Self { below: (!border.is_first()).then(|| rim(0)), above: (!border.is_last()).then(|| rim(last)) }
    }

    /// The devices that have them, and their columns.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Range<u64>)> {
        self.below.iter().chain(&self.above).map(|rim| (rim.device, &rim.columns))
    }
}

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// With launches that return before they are done, or not.
    pub(crate) fn streaming(mut self, streams: bool) -> Self {
        self.chunks_at_once = if streams { None } else { Some(1) };
        self
    }

    /// The plan for a band, in whole strips unless it is a table's last one, and how long it should take.
    fn plan_of_band(&self, table: &Table, whole: bool) -> Result<(Plan<K>, Duration)> {
        let (m, n) = table.size();
        let (best, expected) = self.plan(std::slice::from_ref(table));
        if !whole || m.is_multiple_of(best.height()) {
            return Ok((best, expected));
        }
        let plans: Vec<_> = self.plans.iter().copied().filter(|plan| m.is_multiple_of(plan.height())).collect();
        if plans.is_empty() || self.plan.is_some() {
            return Err(Error::Usage(format!("a band of {m} rows is not of whole strips")));
        }
        let (plan, cycles) = Plan::best(&plans, &[(m, n).into()], self.symbols, self.multiprocessors());
        Ok((plan, Duration::from_secs_f64((cycles / super::CLOCK).min(1e6))))
    }

    /// The last column of a band.
    fn relayed(&self, table: &Table, border: &mut Border<'_>) -> Result<K::Column> {
        let (m, n) = table.size();
        let (plan, expected) = self.plan_of_band(table, !border.is_last())?;
        let mut work = self.lock();
        let work = &mut *work;
        // Two strips more, for the rows of carries in and out.
        let rows = m.saturating_add(2 * plan.height());
        let symbols = self.bytes_of_symbols(std::slice::from_ref(table));
        let demand = Demand::of(plan, self.sizes, std::iter::once((rows, n)), symbols);
        let (budget, chunk) = (self.budget(work)?, border.chunk() as u64);
        let room = demand.block(plan, budget).unwrap_or(0);
        let block = match self.chunks_at_once {
            Some(chunks) => (chunk * chunks).min(n),
            None if room >= n => n,
            None => room / chunk * chunk,
        };
        if block == 0 || room < block {
            return Err(Error::DeviceMemory { needed: demand.of_block(plan, chunk.min(n)), free: budget });
        }
        for member in &mut work.members {
            member.make_room(self.resident, demand.of_block(plan, block), budget);
        }
        let places = self.places(work, std::slice::from_ref(table))?[0];
        let words = layout::words(plan, m);
        for columns in layout::pieces(n, block) {
            let started = Instant::now();
            let piece = Piece { table, places, start: 0, n: columns.end - columns.start };
            let share = expected.mul_f64((columns.end - columns.start) as f64 / n as f64);
            self.block(work, plan, &[piece], columns.start, words, (share, Some(border)))
                .inspect_err(|_| self.abort(work))?;
            work.timings.kernels += started.elapsed();
        }
        self.put_in_order(work, plan, std::slice::from_ref(table), &[0], words)?;
        work.timings.cells += table.cells();
        self.download(work, &super::Batch { starts: vec![0], half: words }, table, 0)
    }

    /// Before a launch: the first chunk's carries, without which it could not begin, or all of them if none can come in while it runs.
    pub(super) fn feed_before(
        &self,
        work: &mut Work<D>,
        plan: Plan<K>,
        rims: &Rims,
        border: &mut Border<'_>,
    ) -> Result<()> {
        let Some(rim) = &rims.below else { return Ok(()) };
        let chunk = border.chunk() as u64;
        for number in 0..self.fed_before(rim.columns.end.div_ceil(chunk)) {
            let row = border.take()?;
            self.feed(work, plan, rim, number, &row, chunk)?;
        }
        Ok(())
    }

    /// How many of a launch's chunks are fed before it.
    fn fed_before(&self, chunks: u64) -> u64 {
        if self.chunks_at_once.is_some() { chunks } else { chunks.min(1) }
    }

    /// Writes a chunk's carries into the row below the lowest strip.
    fn feed(&self, work: &mut Work<D>, plan: Plan<K>, rim: &Rim, number: u64, row: &[u64], chunk: u64) -> Result<()> {
        let columns = columns_of(rim, number, chunk);
        let (first, end) = (columns.start / plan.tile(), columns.end.div_ceil(plan.tile()));
        let tiles = K::to_tiles(row).into_iter().take((end - first) as usize);
        let words: Vec<u64> = tiles.map(|tile| u64::from(rim.tag) << 32 | u64::from(tile)).collect();
        let (device, member) = (self.devices[rim.device], &mut work.members[rim.device]);
        let (carries, _) = member.carries.take(device, 0)?;
        device.upload_to(&member.asking, carries, (rim.start + first) as usize, &words)?;
        Ok(())
    }

    /// The carries of a chunk in the row above the highest strip, if all are there.
    fn read(&self, work: &mut Work<D>, plan: Plan<K>, rim: &Rim, number: u64, chunk: u64) -> Result<Option<Vec<u64>>> {
        let columns = columns_of(rim, number, chunk);
        let (first, end) = (columns.start / plan.tile(), columns.end.div_ceil(plan.tile()));
        let (device, member) = (self.devices[rim.device], &mut work.members[rim.device]);
        let (carries, _) = member.carries.take(device, 0)?;
        let (start, len) = ((rim.start + first) as usize, (end - first) as usize);
        // The last one is written last; nothing says that it is also seen last.
        let is_there = |word: &u64| (word >> 32) as u32 == rim.tag;
        let last = device.download_from(&member.asking, carries, start + len - 1, 1)?;
        if !last.iter().all(is_there) {
            return Ok(None);
        }
        let words = device.download_from(&member.asking, carries, start, len)?;
        if !words.iter().all(is_there) {
            return Ok(None);
        }
        let tiles: Vec<u32> = words.iter().map(|&word| word as u32).collect();
        Ok(Some(K::from_tiles(&tiles, (columns.end - columns.start) as usize)))
    }

    /// While a launch runs: carries in and out, until all have gone through.
    pub(super) fn relay(&self, work: &mut Work<D>, plan: Plan<K>, rims: &Rims, border: &mut Border<'_>) -> Result<()> {
        let chunk = border.chunk() as u64;
        let chunks = |rim: &Option<Rim>| rim.as_ref().map_or(0, |rim| rim.columns.end.div_ceil(chunk));
        let (to_feed, to_read) = (chunks(&rims.below), chunks(&rims.above));
        let (mut fed, mut read) = (self.fed_before(to_feed), 0);
        while fed < to_feed || read < to_read {
            let mut idle = true;
            if let (Some(rim), true) = (&rims.below, fed < to_feed)
                && let Some(row) = border.take_now()?
            {
                self.feed(work, plan, rim, fed, &row, chunk)?;
                fed += 1;
                idle = false;
            }
            if let (Some(rim), true) = (&rims.above, read < to_read) {
                // Asked before: what a launch that is done has not written will not come.
                let done = self.all_done(work)?;
                match self.read(work, plan, rim, read, chunk)? {
                    Some(row) => {
                        border.give(row)?;
                        read += 1;
                        idle = false;
                    }
                    None if done => return Err(Error::Verification("a launch ended without its carries".into())),
                    None => {}
                }
            }
            if idle {
                std::thread::sleep(ASK);
            }
        }
        Ok(())
    }
}

/// The columns of a chunk of a launch.
fn columns_of(rim: &Rim, number: u64, chunk: u64) -> Range<u64> {
    number * chunk..((number + 1) * chunk).min(rim.columns.end)
}

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// The plan for a table of so many rows and columns.
    fn plan_of(&self, rows: u64, columns: u64) -> Plan<K> {
        let shape = (rows.max(1), columns.max(1)).into();
        let best = || Plan::best(&self.plans, &[shape], self.symbols, self.multiprocessors()).0;
        self.plan.unwrap_or_else(best)
    }
}

impl<D: Device, K: Kernels> Bands for Wavefront<'_, D, K>
where
    K::Column: Steps,
{
    type Column = K::Column;

    fn unit(&self, rows: u64, columns: u64) -> u64 {
        self.plan_of(rows, columns).height()
    }

    fn at_once(&self, rows: u64, columns: u64) -> u64 {
        // A strip for each warp of the blocks that run, one on a multiprocessor.
        let plan = self.plan_of(rows, columns);
        plan.height() * u64::from(plan.warps) * u64::from(self.multiprocessors())
    }

    fn band(&self, rows: &Part, columns: &Part, direction: Direction, border: &mut Border<'_>) -> Result<K::Column> {
        check(rows, columns, None, self.lengths)?;
        self.relayed(&Table::new(rows.clone(), columns.clone(), direction), border)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Distances, Lengths};
    use super::*;
    use crate::pairwise::cluster::{CarryLink, HostMemory, Neighbours};
    use crate::pairwise::cuts::Side;

    /// A table in two bands, in launches of several chunks.
    #[test]
    fn launches_of_several_chunks() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut text = |len: usize| -> Vec<u8> { (0..len).map(|_| random.u8(..3)).collect() };
        let (a, b) = (text(2500), text(1100));
        let simt = simt_launch::Simt::default();
        let mut wavefront = Wavefront::<_, Lengths>::new(&[&simt], &a, &b, &|_| ()).unwrap();
        wavefront.chunks_at_once = Some(3);
        let (rows, columns) = (Part { side: Side::A, range: 0..2500 }, Part { side: Side::B, range: 0..1100 });
        let (upper, lower) = rows.split(1024);
        let links = HostMemory::of(2);
        let border = |rank: usize| {
            let neighbours = Neighbours { above: (rank == 1).then_some(0), below: (rank == 0).then_some(1) };
            Border::new(&links[rank], neighbours, 5, 1100, 128, &[0])
        };
        let first = wavefront.band(&upper, &columns, Direction::Forward, &mut border(0)).unwrap();
        let second = wavefront.band(&lower, &columns, Direction::Forward, &mut border(1)).unwrap();
        assert!(links[1].receive(0, 5, Duration::ZERO).unwrap().is_none(), "all chunks are taken");
        let whole = wavefront.column_of(&rows, &columns).unwrap();
        assert!((0..1024).all(|i| first.step(i) == whole.step(i)));
        assert!((0..2500 - 1024).all(|i| second.step(i) == whole.step(1024 + i)));
    }

    #[test]
    fn carries_go_into_tiles_and_come_back() {
        let mut random = fastrand::Rng::with_seed(1);
        for columns in [1, 16, 31, 32, 63, 64, 65, 300] {
            let mut words = |count: usize| -> Vec<u64> {
                (0..count * usize::div_ceil(columns, 64)).map(|_| random.u64(..)).collect()
            };
            let (one, two) = (words(1), words(2));
            assert_eq!(Lengths::from_tiles(&Lengths::to_tiles(&one), columns), one);
            assert_eq!(Distances::from_tiles(&Distances::to_tiles(&two), columns), two);
        }
        // The first column's is the highest bit; of differences Ph is the low half.
        assert_eq!(Lengths::to_tiles(&[1])[0], 1 << 31);
        assert_eq!(Distances::to_tiles(&[1, 2])[0], 1 << 15 | 1 << 30);
    }
}
