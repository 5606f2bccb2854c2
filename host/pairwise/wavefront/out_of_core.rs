//! Tables that are too large for a device: bands of rows, each in blocks of columns, one after the
//! other.
//!
//! The strings stay on the host. The device holds the planes and V of a band, and the columns and
//! the rows of carries of a block ([`Grid`]). A block continues from the V of the block before it.
//! The carries out of a band's highest strip return to the host, a word of 32 bits a tile, and
//! enter below the next band's lowest strip.
//!
//! This uses one device: such a table takes long anyway, and its parts soon fit in memory again.

use super::block::StripEntries;
use super::kernels::Kernels;
use super::last_columns::{download, in_order, order};
use super::launch::{PrepareColumns, PrepareRows, preparing_blocks};
use super::layout::{self, Grid, pieces};
use super::member::Member;
use super::on_devices::{Planned, Wavefront, Work};
use super::plan::{Size, WavefrontPlan};
use super::strip::{Strip, tags};
use super::table::{BatchTable, Walk};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pairwise::columns::Direction;
use crate::pairwise::differences::FirstColumn;
use carrywave_kernels::lcs::wavefront::NO_NEIGHBOUR;
use carrywave_kernels::lcs::{column_tiles, row_planes};
use simt_std::global::Global;
use std::ops::Range;
use std::time::{Duration, Instant};

/// A pass over the bands and blocks of a table.
struct Pass<'t, K> {
    table: &'t BatchTable,
    plan: WavefrontPlan<K>,
    grid: Grid,
    /// Expected time of the whole table.
    expected: Duration,
    /// Carries between the last band and this one, a word a tile; empty if there is one band.
    row: Vec<u32>,
}

/// A block of a band.
struct BandBlock {
    size: Size,
    /// True for the table's first band, and for its last.
    is_first: bool,
    is_last: bool,
    /// Tiles of the columns.
    tiles: Range<u64>,
}

impl BandBlock {
    /// Returns a strip's entry: rows of carries are consecutive, from the one below the lowest
    /// strip on.
    fn strip<K: Kernels>(&self, plan: WavefrontPlan<K>, number: u64, tag: u32) -> Strip {
        let tiles = self.tiles.end - self.tiles.start;
        let is_lowest = number == 0 && self.is_first;
        let is_highest = number + 1 == plan.strips(self.size.m) && self.is_last;
        Strip {
            below: if is_lowest { NO_NEIGHBOUR } else { number * tiles },
            tiles_below: if is_lowest { 0 } else { tiles },
            above: if is_highest { NO_NEIGHBOUR } else { (number + 1) * tiles },
            tags: tags(tag, number),
            ..plan.strip(number, 0, self.size)
        }
    }
}

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// Computes the last column of a table, in the available memory.
    pub(super) fn out_of_core(&self, work: &mut Work<D>, table: &BatchTable) -> Result<K::Column> {
        self.in_room(work, |work, budget| self.in_bands_within(work, table, budget))
    }

    /// Implements [`out_of_core`](Self::out_of_core) with `budget` bytes for working memory.
    fn in_bands_within(&self, work: &mut Work<D>, table: &BatchTable, budget: u64) -> Result<K::Column> {
        let Planned { plan, expected } = self.plan(std::slice::from_ref(table));
        let grid = Grid::fit(plan, self.sizes, table.size(), budget)
            .map_err(|needed| Error::DeviceMemory { needed, free: budget })?;
        let Size { m, n } = table.size();
        let bands = grid.bands().len();
        let blocks = grid.blocks().len();
        log::debug!("{m} × {n}: {bands} bands of {blocks} blocks, {plan:?}");
        work.members[0].make_room(self.devices[0], self.resident, grid.bytes(plan, self.sizes), budget)?;
        let tiles = if bands > 1 { n.div_ceil(plan.tile()) as usize } else { 0 };
        let mut pass = Pass { table, plan, grid, expected, row: vec![0; tiles] };
        let mut vectors = vec![Vec::with_capacity(m.div_ceil(64) as usize); K::VECTORS];
        for band in grid.bands() {
            self.prepare_band(work, &pass, &band)?;
            for block in grid.blocks() {
                self.band_block(work, &mut pass, &band, &block)?;
            }
            let started = Instant::now();
            let device = self.devices[0];
            let member = &mut work.members[0];
            let rows = band.end - band.start;
            let half = layout::words(plan, rows);
            order(device, member, plan, &[rows], &[0], half)?;
            // All bands except the last are whole words of 64 rows.
            for (vector, words) in vectors.iter_mut().enumerate() {
                words.extend(download(device, member, in_order::<D, K>(member), vector * half as usize, rows)?);
            }
            work.timings.download += started.elapsed();
        }
        work.timings.cells += table.cells();
        Ok(K::column(vectors, m as usize, n))
    }

    /// Computes the planes of a band, from a few rows at a time.
    fn prepare_band(&self, work: &mut Work<D>, pass: &Pass<'_, K>, band: &Range<u64>) -> Result<()> {
        let started = Instant::now();
        let device = self.devices[0];
        let member = &mut work.members[0];
        let rows = band.end - band.start;
        let words = layout::words(pass.plan, rows);
        member.rows.take(device, &member.stream, (words * u64::from(self.sizes.planes)) as usize)?;
        if K::REORDERS {
            member.ordered.take(device, &member.stream, words as usize * K::VECTORS)?;
        }
        let v = member.v.take(device, &member.stream, words as usize * K::VECTORS)?;
        if pass.table.first == FirstColumn::Zero {
            device.zero(&member.stream, v)?;
        }
        let chunks = pieces(rows, pass.grid.symbols());
        let count = chunks.len();
        for (i, chunk) in chunks.enumerate() {
            let Walk { first, step } =
                self.window(member, pass, true, &(band.start + chunk.start..band.start + chunk.end))?;
            let start = chunk.start / 32;
            // The last chunk includes the words past the end.
            let end = if i + 1 < count { chunk.end / 32 } else { words };
            let len = chunk.end - chunk.start;
            let buffer = member.fields.take(device, &member.stream, row_planes::FIELDS)?;
            device.upload(&member.stream, buffer, &[first, step, len, start, end - start])?;
            let parts = preparing_blocks(len, 1);
            let rows = PrepareRows {
                blocks: parts,
                parts,
                codes: member.strings.handle(device),
                tables: member.fields.handle(device),
                form: pass.plan.form(),
                planes: self.sizes.planes,
                plane_words: words,
                words: member.rows.handle(device),
            };
            // SAFETY: the entry describes symbols that have just been uploaded, and a position in
            // planes that are long enough.
            unsafe { K::prepare_rows(device, &member.stream, rows)? };
        }
        work.timings.upload += started.elapsed();
        Ok(())
    }

    /// Takes a band through a block.
    fn band_block(
        &self,
        work: &mut Work<D>,
        pass: &mut Pass<'_, K>,
        band: &Range<u64>,
        block: &Range<u64>,
    ) -> Result<()> {
        let started = Instant::now();
        let plan = pass.plan;
        let m = pass.table.size().m;
        let cell = BandBlock {
            size: Size { m: band.end - band.start, n: block.end - block.start },
            is_first: band.start == 0,
            is_last: band.end == m,
            tiles: block.start / plan.tile()..block.end.div_ceil(plan.tile()),
        };
        let strips = plan.strips(cell.size.m);
        // One tag for the row below the lowest strip, and one for each row above a strip.
        let tag = self.tags(work, strips + 1)?;
        for (&device, member) in self.devices.iter().zip(&mut work.members) {
            device.zero(&member.stream, &mut member.progress)?;
        }
        self.upload_carries(&mut work.members[0], pass, &cell, tag)?;
        let entries = self.prepare_block(&mut work.members[0], pass, &cell, block, tag)?;
        let device = self.devices[0];
        let member = &work.members[0];
        let strips_on_device = StripEntries {
            plan,
            entries,
            count: strips as u32,
            resume: block.start > 0 || pass.table.first == FirstColumn::Zero,
            plane_words: layout::words(plan, cell.size.m),
            v: member.v.handle(device),
        };
        let launch = self.launch(device, member, strips_on_device);
        // SAFETY: the entries describe the planes and V of this band, the groups of this block, and
        // rows of carries without words that have a tag of this launch, except for the row below,
        // which has been written.
        unsafe { K::start(&launch, device, &member.stream)? };
        work.timings.upload += started.elapsed();

        let started = Instant::now();
        let cells = cell.size.m * cell.size.n;
        let all = m as f64 * pass.table.size().n as f64;
        let tiles = cell.tiles.end - cell.tiles.start;
        self.wait(work, cells, strips * tiles, pass.expected.mul_f64(cells as f64 / all))?;
        work.timings.kernels += started.elapsed();
        let started = Instant::now();
        self.keep_carries(&mut work.members[0], pass, &cell)?;
        work.timings.download += started.elapsed();
        Ok(())
    }

    /// Writes the carries of the band below into the row below the lowest strip.
    fn upload_carries(&self, member: &mut Member<D>, pass: &Pass<'_, K>, cell: &BandBlock, tag: u32) -> Result<()> {
        let device = self.devices[0];
        let carries = member.carries.take_zeroed(device, &member.stream, pass.grid.carries() as usize)?;
        if !cell.is_first {
            let row = &pass.row[cell.tiles.start as usize..cell.tiles.end as usize];
            let words: Vec<u64> = row.iter().map(|&word| u64::from(tag) << 32 | u64::from(word)).collect();
            device.upload(&member.stream, carries, &words)?;
        }
        Ok(())
    }

    /// Stores the carries out of the highest strip, for the band above.
    fn keep_carries(&self, member: &mut Member<D>, pass: &mut Pass<'_, K>, cell: &BandBlock) -> Result<()> {
        if cell.is_last {
            return Ok(());
        }
        let tiles = cell.tiles.end - cell.tiles.start;
        let start = pass.plan.strips(cell.size.m) * tiles;
        let carries = member.carries.take(self.devices[0], &member.stream, 0)?;
        let words = self.devices[0].download_from(&member.stream, carries, start as usize, tiles as usize)?;
        for (kept, word) in pass.row[cell.tiles.start as usize..cell.tiles.end as usize].iter_mut().zip(words) {
            *kept = word as u32;
        }
        Ok(())
    }

    /// Prepares the columns of a block, uploads the entries of the strips, and returns the entries'
    /// position.
    fn prepare_block(
        &self,
        member: &mut Member<D>,
        pass: &Pass<'_, K>,
        cell: &BandBlock,
        block: &Range<u64>,
        tag: u32,
    ) -> Result<Global<u64>> {
        let device = self.devices[0];
        let plan = pass.plan;
        let columns = cell.size.n;
        let elements = K::elements(columns, plan.form(), self.symbols);
        member.groups.take(device, &member.stream, (elements * K::element(plan.form())).div_ceil(8) as usize)?;
        let Walk { first, step } = self.window(member, pass, false, block)?;
        let mut fields = vec![first, step, columns, 0];
        for strip in 0..plan.strips(cell.size.m) {
            fields.extend(K::fields(&cell.strip(plan, strip, tag)));
        }
        let buffer = member.fields.take(device, &member.stream, fields.len())?;
        device.upload(&member.stream, buffer, &fields)?;
        let fields = member.fields.handle(device);
        let parts = preparing_blocks(columns, 1);
        let prepare = PrepareColumns {
            blocks: parts,
            parts,
            codes: member.strings.handle(device),
            tables: fields,
            form: plan.form(),
            planes: self.sizes.planes,
            digits: self.digits(plan),
            prepared: member.groups.handle(device),
        };
        // SAFETY: the entry describes symbols that have just been uploaded, and the columns have
        // the room that it gives.
        unsafe { K::prepare_columns(device, &member.stream, prepare)? };
        Ok(fields.skip(column_tiles::FIELDS))
    }

    /// Ensures that a range of a table's rows or columns, in the table's order, is on the device.
    /// Returns how a kernel walks over them.
    fn window(&self, member: &mut Member<D>, pass: &Pass<'_, K>, is_rows: bool, range: &Range<u64>) -> Result<Walk> {
        let part = if is_rows { &pass.table.rows } else { &pass.table.columns };
        let direction = pass.table.direction;
        if self.resident {
            let all = Walk::new(self.position(part), part.range.len() as u64, direction);
            return Ok(all.after(range.start));
        }
        let start = range.start as usize;
        let end = range.end as usize;
        let within = match direction {
            Direction::Forward => part.range.start + start..part.range.start + end,
            Direction::Backward => part.range.end - end..part.range.end - start,
        };
        let mut symbols = self.strings.no_codes(0);
        self.strings.encode(part.side as usize, within, &mut symbols);
        member.strings.upload(self.devices[0], &member.stream, &symbols, pass.grid.symbols() as usize)?;
        Ok(Walk::new(0, symbols.len() as u64, direction))
    }
}
