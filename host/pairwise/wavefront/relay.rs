//! A band of a table whose other bands are on other members: the carries into the lowest strip and
//! out of the highest go through the host.
//!
//! ```text
//!                        chunks of columns
//!   another member   ↓       ↓       ↓     from the link: words with tags, written into the row
//!                  +-------+-------+---    below the lowest strip during the launch; the strip
//!       strip 0    |       |       |       waits for them as for those of another strip
//!         ⋮        |       |       |
//!       strip s    |       |       |       (drawn with row 0 at the top)
//!                  +-------+-------+---
//!   another member   ↓       ↓       ↓     read back where the tags say that they are there
//! ```
//!
//! So there is one launch for all columns, if memory allows. On the simulator, where a launch
//! returns when it is done, each chunk is a launch, which continues from V.

use super::block::Block;
use super::kernels::Kernels;
use super::last_columns::LastColumns;
use super::layout::{self, Demand};
use super::on_devices::{Planned, Wavefront, Work};
use super::plan::{Shape, Size, WavefrontPlan};
use super::table::{BatchTable, Piece};
use crate::device::Device;
use crate::error::{Error, Result, UsageFault};
use crate::pairwise::cluster::{Bands, Border, Steps};
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{Cuts, Part, check};
use std::time::Instant;

/// Number of strips of each table that measures a device's speed: few, so that they all start soon.
/// There are as many tables as fill the device.
const REHEARSED_STRIPS: u64 = 8;

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// Sets whether launches return before they are done.
    pub(crate) fn streaming(mut self, streams: bool) -> Self {
        self.chunks_at_once = if streams { None } else { Some(1) };
        self
    }

    /// Returns the plan for a band, in whole strips unless it is a table's last one, and the
    /// expected time.
    fn plan_for_band(&self, table: &BatchTable, whole: bool) -> Result<Planned<K>> {
        let size = table.size();
        let best = self.plan(std::slice::from_ref(table));
        if !whole || size.m.is_multiple_of(best.plan.height()) {
            return Ok(best);
        }
        let plans: Vec<_> = self.plans.iter().copied().filter(|plan| size.m.is_multiple_of(plan.height())).collect();
        if plans.is_empty() || self.plan.is_some() {
            return Err(
                UsageFault::Mismatch.error(format!("a band of {} rows is not a whole number of strips", size.m))
            );
        }
        let best = WavefrontPlan::best(&plans, &[size.into()], self.symbols, self.multiprocessors());
        Ok(Planned::new(best.plan, best.cycles))
    }

    /// Computes the last column of a band.
    fn relayed(&self, table: &BatchTable, border: &mut Border<'_>) -> Result<K::Column> {
        let planned = self.plan_for_band(table, !border.is_last())?;
        let mut work = self.lock();
        self.in_room(&mut work, |work, budget| self.relayed_within(work, table, border, planned, budget))
    }

    /// Implements [`relayed`](Self::relayed) with `budget` bytes for working memory.
    fn relayed_within(
        &self,
        work: &mut Work<D>,
        table: &BatchTable,
        border: &mut Border<'_>,
        Planned { plan, expected }: Planned<K>,
        budget: u64,
    ) -> Result<K::Column> {
        let Size { m, n } = table.size();
        // Two more strips, for the rows of carries in and out.
        let rows = m.saturating_add(2 * plan.height());
        let symbols = self.symbol_bytes(std::slice::from_ref(table));
        let demand = Demand::for_tables(plan, self.sizes, std::iter::once(Size { m: rows, n }), symbols);
        let chunk = border.chunk() as u64;
        let room = demand.block(plan, budget).unwrap_or(0);
        let most = self.chunks_at_once.map_or(n, |chunks| chunk * chunks).min(n);
        let block = if room >= most { most } else { room / chunk * chunk };
        if block == 0 {
            return Err(Error::DeviceMemory { needed: demand.block_bytes(plan, chunk.min(n)), free: budget });
        }
        for (device, member) in self.devices.iter().zip(&mut work.members) {
            member.make_room(device, self.resident, demand.block_bytes(plan, block), budget)?;
        }
        let positions = self.positions(work, std::slice::from_ref(table))?[0];
        let words = layout::words(plan, m);
        for columns in layout::pieces(n, block) {
            let started = Instant::now();
            let width = columns.end - columns.start;
            let block = Block {
                plan,
                pieces: vec![Piece { table, positions, start: 0, n: width }],
                first: columns.start,
                words,
                expected: expected.mul_f64(width as f64 / n as f64),
            };
            self.block(work, &block, Some(&mut *border)).inspect_err(|_| self.abort(work))?;
            work.timings.kernels += started.elapsed();
        }
        self.put_in_order(work, plan, std::slice::from_ref(table), &[0], words)?;
        work.timings.cells += table.cells();
        self.download(work, &LastColumns { starts: vec![0], half: words, strips: Vec::new() }, table, 0)
    }

    /// Returns the plan for a table of `rows` rows and `columns` columns, and the expected time.
    fn plan_for_size(&self, rows: u64, columns: u64) -> Planned<K> {
        self.plan_for_sizes(&[Size { m: rows.max(1), n: columns.max(1) }])
    }

    /// Returns the plan for tables of these sizes, and the expected time.
    fn plan_for_sizes(&self, sizes: &[Size]) -> Planned<K> {
        let plans = self.plan.as_ref().map_or(&self.plans[..], std::slice::from_ref);
        let shapes: Vec<Shape> = sizes.iter().copied().map(Shape::from).collect();
        let best = WavefrontPlan::best(plans, &shapes, self.symbols, self.multiprocessors());
        Planned::new(best.plan, best.cycles)
    }

    /// Returns the plan for a whole table, both of whose halves are computed at once, as
    /// [`Cuts::value`] does. Either string may be the rows.
    fn plan_for_halves(&self, m: u64, n: u64) -> Planned<K> {
        let halves = |m: u64, n: u64| [n / 2, n - n / 2].map(|n| Size { m, n: n.max(1) });
        let [one, other] = [(m, n), (n, m)].map(|(m, n)| self.plan_for_sizes(&halves(m.max(1), n.max(1))));
        if one.expected <= other.expected { one } else { other }
    }
}

impl<D: Device, K: Kernels> Bands for Wavefront<'_, D, K>
where
    K::Column: Steps,
    Self: Cuts,
{
    type Column = K::Column;

    fn unit(&self, rows: u64, columns: u64) -> u64 {
        self.plan_for_size(rows, columns).plan.height()
    }

    fn at_once(&self, rows: u64, columns: u64) -> u64 {
        // One strip for each warp of the running blocks, with one block on a multiprocessor.
        let plan = self.plan_for_size(rows, columns).plan;
        plan.height() * u64::from(plan.warps) * u64::from(self.multiprocessors())
    }

    fn full_rows(&self, rows: u64, columns: u64) -> u64 {
        self.at_once(rows, columns)
    }

    fn knows_waiting(&self) -> bool {
        self.chunks_at_once.is_some()
    }

    fn seconds(&self, rows: u64, columns: u64) -> f64 {
        self.plan_for_size(rows, columns).expected.as_secs_f64()
    }

    fn seconds_alone(&self, rows: u64, columns: u64) -> f64 {
        self.plan_for_halves(rows, columns).expected.as_secs_f64()
    }

    fn rehearse(&self, rows: &Part, columns: &Part, _border: &mut Border<'_>) -> Result<f64> {
        // The plan of the whole table, whose kernel is compiled anyway, with as many warps at work.
        let plan = self.plan_for_halves(self.lengths[0] as u64, self.lengths[1] as u64).plan;
        let workers = u64::from(plan.warps) * u64::from(self.multiprocessors());
        let m = (rows.range.len() as u64).min(workers.saturating_mul(plan.height()));
        let tables: Vec<BatchTable> = layout::pieces(m, REHEARSED_STRIPS * plan.height())
            .map(|piece| {
                let rows = rows.split(piece.end as usize).0.split(piece.start as usize).1;
                BatchTable::new(rows, columns.clone(), Direction::Forward)
            })
            .collect();
        let shapes: Vec<Shape> = tables.iter().map(BatchTable::shape).collect();
        let best = WavefrontPlan::best(&[plan], &shapes, self.symbols, self.multiprocessors());
        let planned = Planned::new(plan, best.cycles);
        self.run_by(&mut self.lock(), &tables, planned)?;
        Ok(planned.expected.as_secs_f64())
    }

    fn band(&self, rows: &Part, columns: &Part, direction: Direction, border: &mut Border<'_>) -> Result<K::Column> {
        check(rows, columns, None, self.lengths)?;
        self.relayed(&BatchTable::new(rows.clone(), columns.clone(), direction), border)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Distances, Lengths};
    use super::*;
    use crate::pairwise::cluster::{CarryLink, HostMemory, Neighbours};
    use crate::pairwise::cuts::Side;
    use std::time::Duration;

    /// A table in two bands, in launches of several chunks, or of fewer if memory is short.
    #[test]
    fn launches_of_several_chunks() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut text = |len: usize| -> Vec<u8> { (0..len).map(|_| random.u8(..3)).collect() };
        let a = text(2500);
        let b = text(1100);
        let simt = simt_launch::Simt::default();
        let mut wavefront = Wavefront::<_, Lengths>::new(&[&simt], &a, &b, &|_| ()).unwrap();
        wavefront.chunks_at_once = Some(3);
        check_two_bands(&wavefront);
        // Launches of all columns, with a budget of more than the device has: an allocation fails.
        let simt = simt_launch::Simt::with_memory(7_000);
        let mut wavefront = Wavefront::<_, Lengths>::new(&[&simt], &a, &b, &|_| ()).unwrap().with_memory(1 << 20);
        wavefront.chunks_at_once = Some(9);
        check_two_bands(&wavefront);
    }

    /// Computes a table in two bands, the upper one first.
    fn check_two_bands<D: Device>(wavefront: &Wavefront<'_, D, Lengths>) {
        let rows = Part { side: Side::A, range: 0..2500 };
        let columns = Part { side: Side::B, range: 0..1100 };
        let (upper, lower) = rows.split(1024);
        let links = HostMemory::between(2);
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
            let one = words(1);
            let two = words(2);
            assert_eq!(Lengths::from_tiles(&Lengths::to_tiles(&one), columns), one);
            assert_eq!(Distances::from_tiles(&Distances::to_tiles(&two), columns), two);
        }
        // The first column's bit is the highest; of differences Ph is the low half.
        assert_eq!(Lengths::to_tiles(&[1])[0], 1 << 31);
        assert_eq!(Distances::to_tiles(&[1, 2])[0], 1 << 15 | 1 << 30);
    }
}
