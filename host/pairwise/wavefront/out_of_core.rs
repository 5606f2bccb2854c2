//! Tables that are too large for a device: bands of rows, each in blocks of columns, one after the other.
//!
//! The strings stay on the host. Of a band the device holds the planes and V, of a block the columns and the rows of
//! carries ([`Grid`]); a block goes on from the V that the one before it left. The carries out of a band's highest strip
//! come back to the host, a word of 32 bits a tile, and go in below the next band's lowest strip.
//!
//! One device: what is computed here is long enough to be waited for, and what it is cut into soon fits again.

use super::kernels::{Columns, Kernels, Rows};
use super::layout::{self, Grid, Strip, pieces};
use super::{Member, NONE, Plan, Table, Wavefront, Work, download, first_and_step, in_order, order, parts};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pairwise::column::Direction;
use crate::pairwise::differences::FirstColumn;
use carrywave_kernels::lcs::{column_tiles, row_planes};
use std::ops::Range;
use std::time::{Duration, Instant};

/// What bands and blocks share.
struct Job<'t, K> {
    table: &'t Table,
    plan: Plan<K>,
    grid: Grid,
    /// How long it all should take.
    expected: Duration,
    /// The carries between the last band and this one, a word a tile; none where there is one band.
    row: Vec<u32>,
}

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// The last column of a table, in as much memory as there is.
    pub(super) fn out_of_core(&self, work: &mut Work<D>, table: &Table) -> Result<K::Column> {
        let (plan, expected) = self.plan(std::slice::from_ref(table));
        let budget = self.budget(work)?;
        let grid = Grid::fit(plan, self.sizes, table.size(), budget)
            .map_err(|needed| Error::DeviceMemory { needed, free: budget })?;
        let (m, n) = table.size();
        let (bands, blocks) = (grid.bands().len(), grid.blocks().len());
        log::debug!("{m} × {n}: {bands} bands of {blocks} blocks, {plan:?}");
        work.members[0].make_room(self.resident, grid.bytes(plan, self.sizes), budget);
        let tiles = if bands > 1 { n.div_ceil(plan.tile()) as usize } else { 0 };
        let mut job = Job { table, plan, grid, expected, row: vec![0; tiles] };
        let mut vectors = vec![Vec::with_capacity(m.div_ceil(64) as usize); K::VECTORS];
        for band in grid.bands() {
            self.band(work, &job, &band)?;
            for block in grid.blocks() {
                self.band_block(work, &mut job, &band, &block)?;
            }
            let started = Instant::now();
            let (device, member) = (self.devices[0], &mut work.members[0]);
            let rows = band.end - band.start;
            let half = layout::words(plan, rows);
            order(device, member, plan, &[rows], &[0], half)?;
            // All bands but the last are whole words of 64 rows.
            for (vector, words) in vectors.iter_mut().enumerate() {
                words.extend(download(device, member, in_order::<D, K>(member), vector * half as usize, rows)?);
            }
            work.timings.transfer += started.elapsed();
        }
        work.timings.cells += table.cells();
        Ok(K::column(vectors, m as usize, n))
    }

    /// Makes the planes of a band, from a few rows at a time.
    fn band(&self, work: &mut Work<D>, job: &Job<'_, K>, band: &Range<u64>) -> Result<()> {
        let started = Instant::now();
        let (device, member) = (self.devices[0], &mut work.members[0]);
        let rows = band.end - band.start;
        let words = layout::words(job.plan, rows);
        member.rows.take(device, (words * u64::from(self.sizes.planes)) as usize)?;
        let (v, _) = member.v.take(device, words as usize * K::VECTORS)?;
        if job.table.first == FirstColumn::Zero {
            device.zero(&member.stream, v)?;
        }
        let chunks = pieces(rows, job.grid.symbols());
        let count = chunks.len();
        for (i, chunk) in chunks.enumerate() {
            let (first, step) = self.window(member, job, true, &(band.start + chunk.start..band.start + chunk.end))?;
            let start = chunk.start / 32;
            // The last has the words past the end too.
            let end = if i + 1 < count { chunk.end / 32 } else { words };
            let len = chunk.end - chunk.start;
            let (buffer, _) = member.fields.take(device, row_planes::FIELDS)?;
            device.upload(&member.stream, buffer, &[first, step, len, start, end - start])?;
            let parts = parts(len, 1);
            let rows = Rows {
                blocks: parts,
                parts,
                codes: member.strings.handle(device),
                tables: member.fields.handle(device),
                lane_words: job.plan.words,
                planes: self.sizes.planes,
                plane_words: words,
                words: member.rows.handle(device),
            };
            // SAFETY: the entry describes symbols that were just uploaded and a place in planes that are long enough.
            unsafe { K::prepare_rows(device, &member.stream, rows)? };
        }
        work.timings.transfer += started.elapsed();
        Ok(())
    }

    /// Takes a band through a block.
    fn band_block(
        &self,
        work: &mut Work<D>,
        job: &mut Job<'_, K>,
        band: &Range<u64>,
        block: &Range<u64>,
    ) -> Result<()> {
        let started = Instant::now();
        let (m, n) = job.table.size();
        let (rows, columns) = (band.end - band.start, block.end - block.start);
        let (plan, tile) = (job.plan, job.plan.tile());
        let (strips, tiles) = (plan.strips(rows), columns.div_ceil(tile));
        let row = (block.start / tile) as usize..block.end.div_ceil(tile) as usize;
        let (is_first, is_last) = (band.start == 0, band.end == m);
        // A tag for the row below the lowest strip, and one for each row above a strip.
        let tag = self.tags(work, strips + 1)?;
        for (&device, member) in self.devices.iter().zip(&mut work.members) {
            device.zero(&member.stream, &mut member.progress)?;
        }
        let (device, member) = (self.devices[0], &mut work.members[0]);
        let (carries, new) = member.carries.take(device, job.grid.carries() as usize)?;
        if new {
            device.zero(&member.stream, carries)?;
        }
        if !is_first {
            let words: Vec<u64> = job.row[row.clone()].iter().map(|&w| u64::from(tag) << 32 | u64::from(w)).collect();
            device.upload(&member.stream, carries, &words)?;
        }
        let elements = K::elements(columns, plan.form(), self.symbols);
        member.groups.take(device, (elements * K::ELEMENT).div_ceil(8) as usize)?;
        let (first, step) = self.window(member, job, false, block)?;
        let mut fields = vec![first, step, columns, 0];
        for strip in 0..strips {
            let (is_lowest, is_highest) = (strip == 0 && is_first, strip + 1 == strips && is_last);
            let entry = Strip {
                below: if is_lowest { NONE } else { strip * tiles },
                tiles_below: if is_lowest { 0 } else { tiles },
                above: if is_highest { NONE } else { (strip + 1) * tiles },
                tags: layout::tags(tag, strip),
                ..Strip::new(plan, strip, 0, rows, columns)
            };
            fields.extend(K::fields(&entry));
        }
        let (buffer, _) = member.fields.take(device, fields.len())?;
        device.upload(&member.stream, buffer, &fields)?;
        let fields = member.fields.handle(device);
        let parts = parts(columns, 1);
        let prepare = Columns {
            blocks: parts,
            parts,
            codes: member.strings.handle(device),
            tables: fields,
            lane_words: plan.words,
            planes: self.sizes.planes,
            digits: self.digits(plan),
            prepared: member.groups.handle(device),
        };
        // SAFETY: the entry describes symbols that were just uploaded, and the columns have as much room as it says.
        unsafe { K::prepare_columns(device, &member.stream, prepare)? };
        let strip_entries = (fields.skip(column_tiles::FIELDS), strips as u32);
        let plane_words = layout::words(plan, rows);
        let v = member.v.handle(device);
        let resume = block.start > 0 || job.table.first == FirstColumn::Zero;
        let launch = self.launch(device, member, plan, strip_entries, resume, plane_words, v);
        // SAFETY: the entries describe the planes and V of this band, the groups of this block, and rows of carries that
        // no word with a tag of this launch is in, but for the row below, which has been written.
        unsafe { K::start(&launch, device, &member.stream)? };
        work.timings.transfer += started.elapsed();

        let started = Instant::now();
        let cells = rows * columns;
        let expected = job.expected.mul_f64(cells as f64 / (m as f64 * n as f64));
        self.wait(work, cells, strips * tiles, expected)?;
        work.timings.kernels += started.elapsed();
        if !is_last {
            let started = Instant::now();
            let member = &mut work.members[0];
            let (carries, _) = member.carries.take(device, 0)?;
            let words = device.download_from(&member.stream, carries, (strips * tiles) as usize, tiles as usize)?;
            for (kept, word) in job.row[row].iter_mut().zip(words) {
                *kept = word as u32;
            }
            work.timings.transfer += started.elapsed();
        }
        Ok(())
    }

    /// Sees to it that a range of a table's rows or columns, in the table's order, is on the device: where the first of
    /// them is, and the step to the next.
    fn window(
        &self,
        member: &mut Member<D>,
        job: &Job<'_, K>,
        is_rows: bool,
        range: &Range<u64>,
    ) -> Result<(u64, u64)> {
        let (part, direction) = (if is_rows { &job.table.rows } else { &job.table.columns }, job.table.direction);
        if self.resident {
            let (first, step) = first_and_step(self.place(part), part.range.len() as u64, direction);
            return Ok((first.wrapping_add(range.start.wrapping_mul(step)), step));
        }
        let (start, end) = (range.start as usize, range.end as usize);
        let within = match direction {
            Direction::Forward => part.range.start + start..part.range.start + end,
            Direction::Backward => part.range.end - end..part.range.end - start,
        };
        let mut symbols = self.strings.no_codes();
        self.strings.encode(part.side as usize, within, &mut symbols);
        member.strings.upload(self.devices[0], &member.stream, &symbols, job.grid.symbols() as usize)?;
        Ok(first_and_step(0, symbols.len() as u64, direction))
    }
}
