//! The wavefront on devices, from the host's side: last columns of many tables in one launch.
//!
//! A batch is a list of tables, each of a part of one string (its rows) and a part of the other (its columns), filled
//! forwards or backwards. For a batch: the columns and the rows' planes are prepared, then there is one launch of the wavefront: of
//! [LCS tables](carrywave_kernels::lcs::wavefront) or of [edit distance tables](carrywave_kernels::distance::wavefront), which
//! [`Kernels`] tells apart. Of Hirschberg's recursion a batch is a whole level: two tables a cut, and
//! [`Split`](carrywave_kernels::align::split) finds the cuts where the columns are.
//!
//! With several devices the strips of a batch, in order, are dealt out in bands. A strip hands its carries (of edit distances, the
//! horizontal differences) on by writing to the device of the strip above; bit-vectors go to the first device.
//!
//! Both strings stay on the devices where these have the memory. Where they have not, a batch brings its parts along, and
//! a table that is too large goes in bands and blocks (`out_of_core.rs`). Where a table's rows are shared with other members of a
//! cluster, the carries into the lowest strip and out of the highest go through the host (`relay.rs`).

mod bands;
mod distances;
mod kernels;
mod launch;
mod layout;
mod lengths;
mod member;
mod out_of_core;
mod plan;
mod relay;
mod strings;

pub use distances::Distances;
pub use kernels::{Form, Kernels};
pub use lengths::Lengths;
pub use plan::Plan;
use plan::Shape;
use strings::{CodeBuffer, Strings};

use super::cluster::Border;
use super::column::{Direction, widened};
use super::cuts::{BandCut, BandRequest, Cut, CutRequest, Cuts, Part, check};
use super::differences::FirstColumn;
use crate::device::{Device, Timings};
use crate::error::{Error, Result};
use crate::text::codes::Codes;
use bands::Band;
use carrywave_kernels::align::split;
use carrywave_kernels::lcs::digits::Digits;
use carrywave_kernels::lcs::wavefront::NONE;
use kernels::{Columns, Order, Rows, Splits};
use launch::Launch;
use layout::{CodeSizes, Demand, Grid, Strip};
use member::{Awaited, GrowingBuffer, Member};
use relay::Rims;
use simt_std::global::Global;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Blocks that prepare the tables of a batch, about.
const PREPARING: u32 = 1024;

/// Rows or columns that a block prepares at a time.
const PREPARED: u64 = 8192;

/// Clock cycles a second, about: to know how long a batch will take.
const CLOCK: f64 = 2e9;

/// How often a long batch is asked how far it is.
const ASK: Duration = Duration::from_millis(50);

/// What the progress of a launch is set to, so that it starts no strip any more: more are claimed than there are.
pub const NO_MORE_STRIPS: [u32; 2] = [u32::MAX / 2, 0];

/// Words of carries that are sent at a time in the place of a device that has failed.
const AT_ONCE: u64 = 1 << 20;

/// Bytes of device memory that are left to others.
const RESERVE: u64 = 64 << 20;

/// Bytes with which any table can be computed, in bands and blocks: less, and no strings stay on a device.
const LEAST: u64 = 1 << 20;

/// Two strings on one or more devices of the same kind, with the working memory for any of their parts.
pub struct Wavefront<'d, D: Device, K: Kernels> {
    devices: Vec<&'d D>,
    strings: Strings<'d>,
    /// Whether both strings are on the devices, A first. If not, a batch brings along what it needs of them.
    resident: bool,
    lengths: [usize; 2],
    symbols: u32,
    sizes: CodeSizes,
    /// Those that fit, and the one that was asked for.
    plans: Vec<Plan<K>>,
    plan: Option<Plan<K>>,
    memory: Option<u64>,
    /// Chunks of columns of a launch that carries come into and go out of (`relay.rs`); none where a launch returns before it is done, so that
    /// carries can do so while it runs.
    chunks_at_once: Option<u64>,
    work: Mutex<Work<D>>,
    progress: &'d (dyn Fn(u64) + Sync),
}

/// What a batch needs.
struct Work<D: Device> {
    members: Vec<Member<D>>,
    /// Tags up to this one have been used.
    tag: u32,
    timings: Timings,
}

/// A table of a batch.
#[derive(Debug, Clone)]
struct Table {
    rows: Part,
    columns: Part,
    direction: Direction,
    first: FirstColumn,
    /// Where strips have only the columns near the diagonal: these.
    band: Option<Band>,
}

impl Table {
    /// With all columns, from a first column that rises.
    fn new(rows: Part, columns: Part, direction: Direction) -> Self {
        Self { rows, columns, direction, first: FirstColumn::Rising, band: None }
    }

    fn shape(&self) -> Shape {
        let (m, n) = self.size();
        Shape { m, n, reach: self.band.map_or(u64::MAX, |band| band.reach()) }
    }

    /// The columns of a strip, of those that there are: n.
    fn columns_of<K: Kernels>(&self, plan: Plan<K>, strip: u64, n: u64) -> Range<u64> {
        let start = strip * plan.height();
        let rows = start..(start + plan.height()).min(self.size().0);
        self.band.map_or(0..n, |band| band.columns(rows, n, plan.tile()))
    }

    fn size(&self) -> (u64, u64) {
        (self.rows.range.len() as u64, self.columns.range.len() as u64)
    }

    fn cells(&self) -> u64 {
        self.size().0.saturating_mul(self.size().1)
    }

    /// Cells that are computed of the next n columns.
    fn cells_of<K: Kernels>(&self, plan: Plan<K>, n: u64) -> u64 {
        let m = self.size().0;
        if self.band.is_none() {
            return m * n;
        }
        let of_strip = |strip: u64| {
            let columns = self.columns_of(plan, strip, n);
            (columns.end - columns.start) * plan.height().min(m - strip * plan.height())
        };
        (0..plan.strips(m)).map(of_strip).sum()
    }
}

/// Where a table's words start in a plane and in V.
type Start = u64;

/// A batch that was run: its columns are in the memory of the first device.
struct Batch {
    starts: Vec<Start>,
    /// Words of a vector of all columns.
    half: u64,
}

/// A table's next columns.
struct Piece<'t> {
    table: &'t Table,
    /// Where the symbols of its rows and of its columns start on the devices.
    places: [u64; 2],
    start: Start,
    /// How many columns.
    n: u64,
}

impl<'d, D: Device, K: Kernels> Wavefront<'d, D, K> {
    /// Takes two strings to devices, at least one. Of several, each can write to the others' memory.
    ///
    /// # Errors
    /// When a device fails.
    pub fn new(devices: &[&'d D], a: &'d [u8], b: &'d [u8], progress: &'d (dyn Fn(u64) + Sync)) -> Result<Self> {
        Self::of_strings(devices, Strings::Bytes([a, b], Box::new(Codes::new(a, b))), progress)
    }

    /// The same of strings of bytes or of other symbols.
    fn of_strings(devices: &[&'d D], strings: Strings<'d>, progress: &'d (dyn Fn(u64) + Sync)) -> Result<Self> {
        let started = Instant::now();
        let (lengths, symbols) = (strings.lengths(), strings.symbols());
        let bytes = (lengths[0] as u64 + lengths[1] as u64).saturating_mul(strings.code_bytes());
        let mut resident = true;
        for device in devices {
            resident &= stay(bytes, device.free_memory()?.saturating_sub(RESERVE));
        }
        let mut codes = strings.no_codes();
        if resident {
            strings.encode(0, 0..lengths[0], &mut codes);
            strings.encode(1, 0..lengths[1], &mut codes);
        }
        let mut members = Vec::new();
        for &device in devices {
            let stream = device.stream()?;
            let mut room = CodeBuffer::new();
            room.upload(device, &stream, &codes, 0)?;
            members.push(Member {
                stream,
                asking: device.stream()?,
                strings: room,
                fields: GrowingBuffer::new("strips"),
                groups: GrowingBuffer::new("columns"),
                rows: GrowingBuffer::new("row planes"),
                v: GrowingBuffer::new("V"),
                ordered: GrowingBuffer::new("columns in order"),
                carries: GrowingBuffer::new("carries"),
                found: GrowingBuffer::new("cuts"),
                progress: device.alloc(NO_MORE_STRIPS.len(), "progress")?,
                awaited: Vec::new(),
            });
        }
        let timings = Timings { transfer: started.elapsed(), ..Timings::default() };
        Ok(Self {
            devices: devices.to_vec(),
            resident,
            lengths,
            symbols,
            sizes: CodeSizes::of::<K>(symbols, strings.code_bytes()),
            strings,
            plans: Plan::all(symbols, devices[0].limits()),
            plan: None,
            memory: None,
            chunks_at_once: Some(1),
            work: Mutex::new(Work { members, tag: 0, timings }),
            progress,
        })
    }

    /// With this plan instead of the one that should be fastest: for measuring, and for tests.
    ///
    /// # Errors
    /// [`Error::Usage`] for one that there is no kernel for or that does not fit a multiprocessor.
    pub fn with_plan(mut self, plan: Plan<K>) -> Result<Self> {
        if !plan.fits(self.symbols, self.devices[0].limits()) {
            return Err(Error::Usage(format!("{plan:?} does not fit for {} symbols", self.symbols)));
        }
        self.plan = Some(plan);
        Ok(self)
    }

    /// With so many bytes of memory a device, instead of what is free: for tests.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        if !stay(self.bytes_of_strings(), bytes) {
            self.resident = false;
            for member in &mut self.work.get_mut().unwrap_or_else(PoisonError::into_inner).members {
                member.strings.clear();
            }
        }
        self
    }

    /// As if all tags up to this one had been used: for tests.
    #[doc(hidden)]
    pub fn skip_to_tag(&self, tag: u32) {
        self.lock().tag = tag;
    }

    /// Bytes of both strings on a device.
    fn bytes_of_strings(&self) -> u64 {
        (self.lengths[0] as u64 + self.lengths[1] as u64).saturating_mul(self.sizes.code)
    }

    fn lock(&self) -> MutexGuard<'_, Work<D>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of symbols that a batch of tables brings along.
    fn bytes_of_symbols(&self, tables: &[Table]) -> u64 {
        if self.resident {
            return 0;
        }
        let rows = tables.iter().enumerate().filter(|&(i, _)| !shares_rows(tables, i)).map(|(_, t)| t.size().0);
        (rows.sum::<u64>() + tables.iter().map(|t| t.size().1).sum::<u64>()).saturating_mul(self.sizes.code)
    }

    /// Where the symbols of a part start, of strings that stay.
    fn place(&self, part: &Part) -> u64 {
        (part.side as usize * self.lengths[0] + part.range.start) as u64
    }

    /// Where the symbols of each table's rows and columns start on the devices, which they are taken to if need be.
    fn places(&self, work: &mut Work<D>, tables: &[Table]) -> Result<Vec<[u64; 2]>> {
        if self.resident {
            return Ok(tables.iter().map(|t| [self.place(&t.rows), self.place(&t.columns)]).collect());
        }
        let started = Instant::now();
        let (mut symbols, mut places) = (self.strings.no_codes(), Vec::<[u64; 2]>::new());
        let mut add = |part: &Part| {
            let place = symbols.len() as u64;
            self.strings.encode(part.side as usize, part.range.clone(), &mut symbols);
            place
        };
        for (i, table) in tables.iter().enumerate() {
            let rows = if shares_rows(tables, i) { places[i - 1][0] } else { add(&table.rows) };
            places.push([rows, add(&table.columns)]);
        }
        for (&device, member) in self.devices.iter().zip(&mut work.members) {
            member.strings.upload(device, &member.stream, &symbols, 0)?;
        }
        work.timings.transfer += started.elapsed();
        Ok(places)
    }

    fn plan(&self, tables: &[Table]) -> (Plan<K>, Duration) {
        let shapes: Vec<_> = tables.iter().map(Table::shape).collect();
        let (best, cycles) = Plan::best(&self.plans, &shapes, self.symbols, self.multiprocessors());
        (self.plan.unwrap_or(best), Duration::from_secs_f64((cycles / CLOCK).min(1e6)))
    }

    /// Bytes for working memory, of the device that has least.
    fn budget(&self, work: &Work<D>) -> Result<u64> {
        let strings = if self.resident { self.bytes_of_strings() } else { 0 };
        if let Some(bytes) = self.memory {
            return Ok(bytes.saturating_sub(strings));
        }
        let mut budget = u64::MAX;
        for (device, member) in self.devices.iter().zip(&work.members) {
            budget = budget.min((device.free_memory()? + member.held(self.resident)).saturating_sub(RESERVE));
        }
        Ok(budget)
    }

    fn demand(&self, plan: Plan<K>, tables: &[Table]) -> Demand {
        Demand::of(plan, self.sizes, tables.iter().map(Table::size), self.bytes_of_symbols(tables))
    }

    /// Whether tables are computed out of core, one by one in bands of rows and blocks of columns: where they do not fit the devices' memory,
    /// or where the blocks of columns that fit are so short that filling the pipeline would take most of the time.
    fn is_out_of_core(&self, work: &Work<D>, tables: &[Table]) -> Result<bool> {
        let (plan, _) = self.plan(tables);
        let (budget, demand) = (self.budget(work)?, self.demand(plan, tables));
        let block = demand.block(plan, budget);
        if block.is_some_and(|block| tables.iter().all(|t| t.size().1 <= block)) {
            return Ok(false);
        }
        let workers = u64::from(plan.warps * self.devices[0].limits().multiprocessors);
        let mut idle = 0u64;
        for table in tables {
            match Grid::fit(self.plan(std::slice::from_ref(table)).0, self.sizes, table.size(), budget) {
                Ok(grid) => idle = idle.saturating_add(grid.idle(workers)),
                Err(least) if block.is_none() => {
                    return Err(Error::DeviceMemory { needed: least.min(demand.least()), free: budget });
                }
                Err(_) => return Ok(false),
            }
        }
        let blocks = block.map(|block| demand.idle(block, workers * self.devices.len() as u64));
        Ok(blocks.is_none_or(|blocks| idle < blocks))
    }

    /// Computes the last columns of all tables; their words are then in V of the first device.
    fn run(&self, work: &mut Work<D>, tables: &[Table]) -> Result<Batch> {
        let (plan, expected) = self.plan(tables);
        let (budget, demand) = (self.budget(work)?, self.demand(plan, tables));
        let most = tables.iter().map(|t| t.size().1).max().unwrap_or(0);
        let (block, bytes) = if tables.iter().any(|table| table.band.is_some()) {
            // In one piece: whoever asks for bands has seen to it that they fit.
            (most, budget)
        } else {
            let Some(block) = demand.block(plan, budget) else {
                return Err(Error::DeviceMemory { needed: demand.least(), free: budget });
            };
            (block, demand.of_block(plan, block))
        };
        for member in &mut work.members {
            member.make_room(self.resident, bytes, budget);
        }
        let places = self.places(work, tables)?;
        let mut starts = Vec::with_capacity(tables.len());
        let mut words = 0;
        for table in tables {
            starts.push(words);
            words += layout::words(plan, table.size().0);
        }
        let mut first = 0;
        while first < most {
            let started = Instant::now();
            let batch: Vec<Piece> = tables
                .iter()
                .zip(&starts)
                .zip(&places)
                .filter(|((t, _), _)| t.size().1 > first)
                .map(|((table, &start), &places)| Piece {
                    table,
                    places,
                    start,
                    n: (table.size().1 - first).min(block),
                })
                .collect();
            self.block(work, plan, &batch, first, words, (expected, None)).inspect_err(|_| self.abort(work))?;
            log::debug!(
                "{} tables, the longest {most} columns, from column {first} on: {} words a lane, {} warps a block, \
                 expected {:.6} s, took {:.6} s",
                batch.len(),
                plan.words,
                plan.warps,
                expected.as_secs_f64(),
                started.elapsed().as_secs_f64(),
            );
            work.timings.kernels += started.elapsed();
            first += block;
        }
        self.put_in_order(work, plan, tables, &starts, words)?;
        work.timings.cells += tables.iter().map(|table| table.cells_of(plan, table.size().1)).sum::<u64>();
        Ok(Batch { starts, half: words })
    }

    /// Puts the columns of a batch into the order of the rows, on the first device.
    fn put_in_order(
        &self,
        work: &mut Work<D>,
        plan: Plan<K>,
        tables: &[Table],
        starts: &[Start],
        words: u64,
    ) -> Result<()> {
        let rows: Vec<u64> = tables.iter().map(|table| table.size().0).collect();
        let member = &mut work.members[0];
        order(self.devices[0], member, plan, &rows, starts, words)
    }

    /// The first of so many tags that no word of carries holds; they are used up then.
    fn tags(&self, work: &mut Work<D>, count: u64) -> Result<u32> {
        if layout::tags_end(work.tag, count) {
            for (&device, member) in self.devices.iter().zip(&mut work.members) {
                if let Some(buffer) = &mut member.carries.buffer {
                    device.zero(&member.stream, buffer)?;
                    device.wait(&member.stream)?;
                }
            }
            work.tag = 0;
        }
        let first = work.tag + 1;
        work.tag += count as u32;
        Ok(first)
    }

    /// Takes tables through their columns from `first` on, in about so long. With a border it is one table, a band of a larger one.
    fn block(
        &self,
        work: &mut Work<D>,
        plan: Plan<K>,
        batch: &[Piece],
        first: u64,
        words: u64,
        (expected, mut border): (Duration, Option<&mut Border<'_>>),
    ) -> Result<()> {
        let strips: u64 = batch.iter().map(|p| plan.strips(p.table.size().0)).sum();
        if strips >= u64::from(u32::MAX / 2) {
            return Err(Error::Usage(format!("{strips} strips are more than can be counted")));
        }
        let tag = self.tags(work, strips + 1)?;
        // All tables of a batch have the same: the kernel begins with a column of zeros, or goes on from one.
        let is_zero = batch.iter().any(|p| p.table.first == FirstColumn::Zero);

        // Columns and rows of all tables, on every device.
        let (mut columns, mut rows, mut group_starts, mut all_groups) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for &Piece { table, places, start, n } in batch {
            let (m, all) = table.size();
            let (position, step) = first_and_step(places[1], all, table.direction);
            columns.extend([position.wrapping_add(first.wrapping_mul(step)), step, n, all_groups]);
            group_starts.push(all_groups);
            all_groups += K::elements(n, plan.form(), self.symbols);
            let (position, step) = first_and_step(places[0], m, table.direction);
            rows.extend([position, step, m, start, layout::words(plan, m)]);
        }

        // The strips of each device: bands of equal length. A row of carries lies on the device that reads it.
        let devices = self.devices.len() as u64;
        let device_of = |strip: u64| layout::device_of(strip, strips, devices);
        let (mut rows_of_carries, mut counts) = (vec![0u64; self.devices.len()], vec![0u64; self.devices.len()]);
        let mut number = 0;
        let tiles = |columns: &Range<u64>| (columns.end - columns.start).div_ceil(plan.tile());
        let mut all_tiles = 0;
        let mut rows_of_border = Rims::of(border.as_deref(), batch, device_of(strips.saturating_sub(1)));
        for (device, columns) in rows_of_border.iter() {
            rows_of_carries[device] += tiles(columns);
        }
        for &Piece { table, n, .. } in batch {
            let count = plan.strips(table.size().0);
            for strip in 0..count {
                let own = tiles(&table.columns_of(plan, strip, n));
                all_tiles += own;
                counts[device_of(number)] += 1;
                number += 1;
                if strip + 1 < count {
                    rows_of_carries[device_of(number)] += own;
                }
            }
        }
        for (i, (&device, member)) in self.devices.iter().zip(&mut work.members).enumerate() {
            let fields = columns.len() + rows.len() + counts[i] as usize * K::FIELDS;
            member.fields.take(device, fields)?;
            member.groups.take(device, (all_groups * K::ELEMENT).div_ceil(8) as usize)?;
            member.rows.take(device, (words * u64::from(self.sizes.planes)) as usize)?;
            let (carries, new) = member.carries.take(device, rows_of_carries[i] as usize)?;
            if new {
                device.zero(&member.stream, carries)?;
                device.wait(&member.stream)?;
            }
            if i == 0 {
                let (v, _) = member.v.take(device, words as usize * K::VECTORS)?;
                if is_zero && first == 0 {
                    device.zero(&member.stream, v)?;
                    device.wait(&member.stream)?;
                }
            }
        }
        work.members.iter_mut().for_each(|member| member.awaited.clear());
        let carries: Vec<u64> =
            self.devices.iter().zip(&work.members).map(|(&d, m)| m.carries.handle(d).address()).collect();
        let mut entries: Vec<Vec<(u64, Strip)>> = vec![Vec::new(); self.devices.len()];
        let (mut number, mut used) = (0, vec![0u64; self.devices.len()]);
        for (&Piece { table, start, n, .. }, &group_start) in batch.iter().zip(&group_starts) {
            let m = table.size().0;
            let count = plan.strips(m);
            // Where the row of carries from below starts, and the columns that it has.
            let mut below = (NONE, 0..0);
            if let Some(rim) = &mut rows_of_border.below {
                rim.start = used[rim.device];
                used[rim.device] += tiles(&rim.columns);
                rim.tag = tag;
                below = (rim.start, rim.columns.clone());
            }
            for strip in 0..count {
                let (device, upper) = (device_of(number), device_of(number + 1));
                let columns = table.columns_of(plan, strip, n);
                let mut next = NONE;
                let mut above = NONE;
                if strip + 1 < count {
                    next = used[upper];
                    used[upper] += tiles(&columns);
                    // As an index from this device's own carries: addresses wrap.
                    above = next.wrapping_add((carries[upper].wrapping_sub(carries[device]) as i64 / 8) as u64);
                } else if let Some(rim) = &mut rows_of_border.above {
                    rim.start = used[device];
                    used[device] += tiles(&rim.columns);
                    above = rim.start;
                }
                let tags = layout::tags(tag, number);
                if let (true, Some(rim)) = (strip + 1 == count, &mut rows_of_border.above) {
                    rim.tag = (tags >> 32) as u32;
                }
                // Tiles that the strip below has before this one's first, and those after.
                let (skipped, tiles_below) = if below.0 == NONE {
                    (0, 0)
                } else {
                    (
                        (columns.start - below.1.start) / plan.tile(),
                        tiles(&(columns.start..below.1.end.max(columns.start))),
                    )
                };
                if tiles_below > 0 && (number == 0 || device_of(number - 1) != device) {
                    let awaited = Awaited { start: below.0 + skipped, tiles: tiles_below, tag: tags as u32 };
                    work.members[device].awaited.push(awaited);
                }
                let entry = Strip {
                    columns: group_start + columns.start / plan.tile(),
                    n: columns.end - columns.start,
                    below: if below.0 == NONE { NONE } else { below.0 + skipped },
                    tiles_below,
                    above,
                    tags,
                    ..Strip::new(plan, strip, start, m, n)
                };
                entries[device].push((strip, entry));
                below = (next, columns);
                number += 1;
            }
        }
        // The lowest strips of all tables first: they wait for none.
        for entries in &mut entries {
            entries.sort_by_key(|(strip, _)| *strip);
        }

        if let Some(border) = border.as_deref_mut() {
            self.feed_before(work, plan, &rows_of_border, border)?;
        }
        let v = work.members[0].v.handle(self.devices[0]);
        let longest = batch.iter().map(|p| p.table.size().0.max(p.n)).max().unwrap_or(1);
        let parts = parts(longest, batch.len() as u64);
        for ((&device, member), entries) in self.devices.iter().zip(&mut work.members).zip(&entries) {
            device.zero(&member.stream, &mut member.progress)?;
            if entries.is_empty() {
                continue;
            }
            let count = entries.len() as u32;
            let mut fields = [&columns[..], &rows[..]].concat();
            fields.extend(entries.iter().flat_map(|(_, strip)| K::fields(strip)));
            let (buffer, _) = member.fields.take(device, fields.len())?;
            device.upload(&member.stream, buffer, &fields)?;
            let fields = member.fields.handle(device);
            let codes = member.strings.handle(device);
            let blocks = parts * batch.len() as u32;
            let prepare_columns = Columns {
                blocks,
                parts,
                codes,
                tables: fields,
                lane_words: plan.words,
                planes: self.sizes.planes,
                digits: self.digits(plan),
                prepared: member.groups.handle(device),
            };
            let prepare_rows = Rows {
                blocks,
                parts,
                codes,
                tables: fields.skip(columns.len()),
                lane_words: plan.words,
                planes: self.sizes.planes,
                plane_words: words,
                words: member.rows.handle(device),
            };
            // SAFETY: the fields describe parts of the uploaded strings and places in buffers that were just made long
            // enough, and the buffers live as long as self, which waits for its streams.
            unsafe {
                K::prepare_columns(device, &member.stream, prepare_columns)?;
                K::prepare_rows(device, &member.stream, prepare_rows)?;
            }
            let strips = fields.skip(columns.len() + rows.len());
            let launch = self.launch(device, member, plan, (strips, count), first > 0 || is_zero, words, v);
            // SAFETY: as above; carries hold no tag of this launch: they were zeroed, and tags count up from there.
            unsafe { K::start(&launch, device, &member.stream)? };
        }
        if let Some(border) = border {
            self.relay(work, plan, &rows_of_border, border)?;
        }
        let cells = batch.iter().map(|p| p.table.cells_of(plan, p.n)).sum();
        self.wait(work, cells, all_tiles, expected)
    }

    /// How a plan cuts codes into digits.
    fn digits(&self, plan: Plan<K>) -> Digits {
        Digits::of(self.symbols, plan.digits).unwrap_or(Digits { count: plan.digits, bits: 8 })
    }

    /// The launch for some strips on a device.
    #[expect(clippy::too_many_arguments, reason = "what the launches of a batch differ in")]
    fn launch(
        &self,
        device: &D,
        member: &Member<D>,
        plan: Plan<K>,
        (strips, count): (Global<u64>, u32),
        resume: bool,
        plane_words: u64,
        v: Global<u32>,
    ) -> Launch<K> {
        let limits = device.limits();
        let warps = plan.warps.min(count);
        Launch {
            plan: Plan::of(plan.form(), warps),
            alone: plan.is_alone(),
            blocks: limits.multiprocessors.min(count.div_ceil(warps)),
            strips,
            count,
            symbols: self.symbols,
            planes: self.sizes.planes,
            digits: self.digits(plan),
            resume: u32::from(resume),
            // One block a multiprocessor, so that all have equally many warps.
            shared_bytes: (K::table_bytes(plan.form(), self.symbols).unwrap_or(0) * warps).max(limits.exclusive_shared),
            rows: member.rows.handle(device),
            plane_words,
            columns: member.groups.handle(device),
            v,
            carries: member.carries.handle(device),
            progress: device.handle(&member.progress),
        }
    }

    /// Waits for all devices; tells the progress of what takes long. Of several devices all are asked, so that one that has
    /// failed is seen while the others wait for its carries.
    fn wait(&self, work: &Work<D>, cells: u64, tiles: u64, expected: Duration) -> Result<()> {
        let started = Instant::now();
        let (mut told, mut done, mut counters) = (0, 0u64, vec![0u32; work.members.len()]);
        let members = || self.devices.iter().zip(&work.members);
        let long = expected > 2 * ASK;
        while (long || self.devices.len() > 1) && !self.all_done(work)? {
            let elapsed = started.elapsed();
            if !long {
                std::thread::yield_now();
                continue;
            }
            // Asked more often where the end is near; what is short is waited for.
            if elapsed + ASK > expected && elapsed < expected * 3 / 2 {
                std::thread::sleep(ASK / 100);
                continue;
            }
            std::thread::sleep(ASK);
            for ((device, member), counter) in members().zip(&mut counters) {
                let now = device.download(&member.asking, &member.progress, 2)?[1];
                done += layout::tiles_since(std::mem::replace(counter, now), now);
            }
            let now = (cells as f64 * (done as f64 / tiles as f64).min(1.0)) as u64;
            // Launches go on while this thread unwinds: they are ended as after an error.
            catch_unwind(AssertUnwindSafe(|| (self.progress)(now.saturating_sub(told))))
                .map_err(|_| Error::Interrupted)?;
            told = told.max(now);
        }
        for (device, member) in members() {
            device.wait(&member.stream)?;
        }
        (self.progress)(cells - told);
        Ok(())
    }

    /// Whether the launches on all devices are done.
    fn all_done(&self, work: &Work<D>) -> Result<bool> {
        let members = self.devices.iter().zip(&work.members);
        members.into_iter().try_fold(true, |all, (device, member)| Ok(all & device.is_done(&member.stream)?))
    }

    /// The multiprocessors of all devices.
    fn multiprocessors(&self) -> u32 {
        self.devices[0].limits().multiprocessors * self.devices.len() as u32
    }

    /// Ends the launches that still run. They may be waiting for the carries of a device that has failed: these are sent in its
    /// place, any, and no strip is started any more.
    fn abort(&self, work: &mut Work<D>) {
        for (&device, member) in self.devices.iter().zip(&mut work.members) {
            if let Err(error) = abort(device, member) {
                log::debug!("a launch cannot be ended: {error}");
            }
        }
    }

    /// The last column of a table that was run, the first of a batch or the second.
    fn download(&self, work: &Work<D>, batch: &Batch, table: &Table, number: usize) -> Result<K::Column> {
        let (m, n) = table.size();
        let mut vectors = Vec::new();
        for vector in 0..K::VECTORS as u64 {
            let start = (vector * batch.half + batch.starts[number]) as usize;
            vectors.push(download(self.devices[0], &work.members[0], in_order::<D, K>(&work.members[0]), start, m)?);
        }
        Ok(K::column(vectors, m as usize, n))
    }

    /// The tables of a cut.
    fn tables(request: &CutRequest) -> [Table; 2] {
        let (before, after) = request.columns.split(request.middle);
        let table = |columns, direction| Table::new(request.rows.clone(), columns, direction);
        [table(before, Direction::Forward), table(after, Direction::Backward)]
    }

    /// The cuts of requests that fit the devices' memory together, or of one.
    fn cut(&self, work: &mut Work<D>, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        let tables: Vec<Table> = requests.iter().flat_map(Self::tables).collect();
        if requests.len() == 1 && self.is_out_of_core(work, &tables)? {
            return Ok(vec![K::cut(&self.out_of_core(work, &tables[0])?, &self.out_of_core(work, &tables[1])?)]);
        }
        let batch = self.run(work, &tables)?;
        let started = Instant::now();
        let starts = batch.starts.chunks(2).zip(requests);
        let fields: Vec<u64> =
            starts.flat_map(|(starts, request)| [starts[0], starts[1], request.rows.range.len() as u64]).collect();
        let (device, member) = (self.devices[0], &mut work.members[0]);
        debug_assert_eq!(fields.len(), requests.len() * split::FIELDS);
        let (buffer, _) = member.fields.take(device, fields.len())?;
        device.upload(&member.stream, buffer, &fields)?;
        member.found.take(device, 2 * requests.len())?;
        let splits = Splits {
            count: requests.len() as u32,
            cuts: member.fields.handle(device),
            columns: in_order::<D, K>(member).handle(device),
            half: batch.half,
            found: member.found.handle(device),
        };
        // SAFETY: the columns of every cut are there, of as many rows.
        unsafe { K::split(device, &member.stream, splits)? };
        let (found, _) = member.found.take(device, 2 * requests.len())?;
        let found = device.download(&member.stream, found, 2 * requests.len())?;
        work.timings.kernels += started.elapsed();
        let cuts = found.chunks(2).zip(requests);
        Ok(cuts
            .map(|(found, request)| Cut {
                row: found[0] as usize,
                length: K::total(found[1], request.columns.range.len() as u64),
            })
            .collect())
    }

    /// The last column of a table, forwards.
    ///
    /// # Errors
    /// [`Error::Usage`] for parts that are not in the strings; others when a device fails.
    pub fn column_of(&self, rows: &Part, columns: &Part) -> Result<K::Column> {
        self.column_from(rows, columns, Direction::Forward, FirstColumn::Rising)
    }

    /// The last column of a table of this direction and first column.
    pub(crate) fn column_from(
        &self,
        rows: &Part,
        columns: &Part,
        direction: Direction,
        first: FirstColumn,
    ) -> Result<K::Column> {
        check(rows, columns, None, self.lengths)?;
        let table = Table { first, ..Table::new(rows.clone(), columns.clone(), direction) };
        let mut work = self.lock();
        if self.is_out_of_core(&work, std::slice::from_ref(&table))? {
            return self.out_of_core(&mut work, &table);
        }
        let batch = self.run(&mut work, std::slice::from_ref(&table))?;
        self.download(&work, &batch, &table, 0)
    }

    /// The last columns of both tables of a cut.
    ///
    /// # Errors
    /// As [`column_of`](Self::column_of).
    pub fn halves_of(&self, rows: &Part, columns: &Part, middle: usize) -> Result<(K::Column, K::Column)> {
        check(rows, columns, Some(middle), self.lengths)?;
        let tables = Self::tables(&CutRequest { rows: rows.clone(), columns: columns.clone(), middle });
        let mut work = self.lock();
        if self.is_out_of_core(&work, &tables)? {
            return Ok((self.out_of_core(&mut work, &tables[0])?, self.out_of_core(&mut work, &tables[1])?));
        }
        let batch = self.run(&mut work, &tables)?;
        Ok((self.download(&work, &batch, &tables[0], 0)?, self.download(&work, &batch, &tables[1], 1)?))
    }
}

/// The buffer that has a batch's columns in the order of the rows.
fn in_order<D: Device, K: Kernels>(member: &Member<D>) -> &GrowingBuffer<D, u32> {
    if K::REORDERS { &member.ordered } else { &member.v }
}

/// The words of a vector of m rows.
fn download<D: Device>(
    device: &D,
    member: &Member<D>,
    buffer: &GrowingBuffer<D, u32>,
    start: usize,
    m: u64,
) -> Result<Vec<u64>> {
    let Some(buffer) = &buffer.buffer else { return Err(Error::Verification("no column".into())) };
    let words = device.download_from(&member.stream, buffer, start, m.div_ceil(32) as usize)?;
    Ok(widened(&words).collect())
}

/// Puts columns of so many rows, whose words start there, into the order of the rows.
fn order<D: Device, K: Kernels>(
    device: &D,
    member: &mut Member<D>,
    plan: Plan<K>,
    rows: &[u64],
    starts: &[Start],
    words: u64,
) -> Result<()> {
    if !K::REORDERS {
        return Ok(());
    }
    let fields: Vec<u64> =
        rows.iter().zip(starts).flat_map(|(&m, &start)| [m, start, layout::words(plan, m)]).collect();
    let (buffer, _) = member.fields.take(device, fields.len())?;
    device.upload(&member.stream, buffer, &fields)?;
    member.ordered.take(device, words as usize * K::VECTORS)?;
    let parts = parts(rows.iter().copied().max().unwrap_or(1), rows.len() as u64);
    let order = Order {
        blocks: parts * rows.len() as u32,
        parts,
        tables: member.fields.handle(device),
        lane_words: plan.words,
        plane_words: words,
        lanes: member.v.handle(device),
        columns: member.ordered.handle(device),
    };
    // SAFETY: V has the columns of all tables, and the other buffer is as long.
    unsafe { K::put_in_order(device, &member.stream, order) }
}

/// See [`Wavefront::abort`].
fn abort<D: Device>(device: &D, member: &mut Member<D>) -> Result<()> {
    device.upload(&member.asking, &mut member.progress, &NO_MORE_STRIPS)?;
    let Some(carries) = &mut member.carries.buffer else { return Ok(()) };
    for &Awaited { start, tiles, tag } in &member.awaited {
        let part = vec![u64::from(tag) << 32; tiles.min(AT_ONCE) as usize];
        let mut sent = 0;
        while sent < tiles {
            let count = (tiles - sent).min(AT_ONCE) as usize;
            device.upload_to(&member.asking, carries, (start + sent) as usize, &part[..count])?;
            sent += count as u64;
        }
    }
    Ok(())
}

/// Whether strings of so many bytes stay on devices with so many bytes of memory: they leave at least half.
fn stay(bytes: u64, memory: u64) -> bool {
    memory >= LEAST && bytes <= memory / 2
}

/// Whether a table has the rows of the one before it, as the second of a cut.
fn shares_rows(tables: &[Table], i: usize) -> bool {
    i > 0 && tables[i - 1].rows == tables[i].rows
}

/// Of `len` symbols that start at a place, the first in a table's order, and the step to the next.
fn first_and_step(place: u64, len: u64, direction: Direction) -> (u64, u64) {
    match direction {
        Direction::Forward => (place, 1),
        Direction::Backward => (place + len - 1, u64::MAX),
    }
}

/// Blocks that prepare a table, of so many tables of which the longest side is so long.
fn parts(longest: u64, tables: u64) -> u32 {
    longest.div_ceil(PREPARED).min(u64::from(PREPARING) / tables).max(1) as u32
}

impl<D: Device, K: Kernels> Cuts for Wavefront<'_, D, K> {
    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        // Both halves at once fill the machine in half the time; and either string may be the rows.
        let request = |rows: &Part, columns: &Part| {
            let middle = columns.range.len() / 2;
            CutRequest { rows: rows.clone(), columns: columns.clone(), middle }
        };
        let requests = [request(rows, columns), request(columns, rows)];
        let best = requests.into_iter().filter(|r| r.middle > 0).min_by_key(|r| self.plan(&Self::tables(r)).1);
        match best {
            Some(request) => Ok(self.cuts(&[request])?[0].length),
            None => Ok(K::value(&self.column_of(rows, columns)?)),
        }
    }

    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        for request in requests {
            check(&request.rows, &request.columns, Some(request.middle), self.lengths)?;
        }
        let mut work = self.lock();
        let budget = self.budget(&work)?;
        let mut cuts = Vec::with_capacity(requests.len());
        let mut rest = requests;
        while !rest.is_empty() {
            // As many as fit with a row of carries for every strip; at least one, in blocks of columns then.
            let (mut bytes, mut count) = (0u64, 0);
            for request in rest {
                let tables = Self::tables(request);
                bytes = bytes.saturating_add(self.bytes_of_symbols(&tables));
                for table in tables {
                    bytes = bytes.saturating_add(layout::most_bytes::<K>(self.sizes, table.size()));
                }
                if count > 0 && bytes > budget {
                    break;
                }
                count += 1;
            }
            let (now, later) = rest.split_at(count);
            cuts.extend(self.cut(&mut work, now)?);
            rest = later;
        }
        Ok(cuts)
    }

    fn in_bands(&self, requests: &[BandRequest], share: f64) -> Result<Option<Vec<BandCut>>> {
        K::in_bands(self, requests, share)
    }

    fn timings(&self) -> Timings {
        self.lock().timings
    }
}

impl<D: Device, K: Kernels> Drop for Wavefront<'_, D, K> {
    fn drop(&mut self) {
        // After an error launches may still run on the buffers that go away now.
        let work = self.work.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (device, member) in self.devices.iter().zip(&work.members) {
            if let Err(error) = device.wait(&member.stream) {
                log::warn!("{error}");
            }
        }
    }
}
