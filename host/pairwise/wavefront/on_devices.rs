//! Two strings on devices: resident data, the best plan for some tables, and the memory budget.

use super::codes::Codes;
use super::kernels::Kernels;
use super::layout::{self, CodeSizes, Demand, Grid};
use super::lengths::{Lengths, MAX_TOKENS};
use super::member::Member;
use super::plan::{Estimate, Shape, WavefrontPlan};
use super::stairs;
use super::strings::Strings;
use super::table::{BatchTable, Positions, shares_rows};
use crate::device::{Device, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::pairwise::cuts::Part;
use carrywave_kernels::lcs::digits::Digits;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Approximate clock rate, in cycles per second, to estimate the time of a batch.
const CLOCK: f64 = 2e9;

/// Bytes of device memory that are left to other users.
const RESERVE: u64 = 64 << 20;

/// Maximum age of a known budget of memory. A short call needs the budget several times, and a
/// driver takes 8 µs to report it.
const BUDGET_AGE: Duration = Duration::from_millis(2);

/// Lower bound on the memory in bytes, enough for any table in bands and blocks: with less, no
/// strings stay on a device.
const MIN_MEMORY: u64 = 1 << 20;

/// A budget that is too large decreases by one part in this many at a time.
const SMALLER: u64 = 4;

/// Two strings on one or more devices of the same type, with the working memory for any of their
/// parts.
pub struct Wavefront<'d, D: Device, K: Kernels> {
    pub(super) devices: Vec<&'d D>,
    pub(super) strings: Strings<'d>,
    /// True if both strings are on the devices, A first. If not, a batch uploads its parts.
    pub(super) resident: bool,
    pub(super) lengths: [usize; 2],
    /// Room after each resident string, in symbols.
    pub(super) room: usize,
    pub(super) symbols: u32,
    pub(super) sizes: CodeSizes,
    /// Plans that fit, and the requested one.
    pub(super) plans: Vec<WavefrontPlan<K>>,
    pub(super) plan: Option<WavefrontPlan<K>>,
    /// The last estimate, and the tables that it is for: a call asks several times for the same.
    estimated: Mutex<Option<Estimated<K>>>,
    memory: Option<u64>,
    /// Number of chunks of columns of a launch with carries in and out (`relay.rs`); `None` if a
    /// launch returns before it is done, so that carries can be exchanged while it runs.
    pub(super) chunks_at_once: Option<u64>,
    work: Mutex<Work<D>>,
    pub(super) progress: &'d (dyn Fn(u64) + Sync),
}

/// The devices' buffers, and counters.
pub(super) struct Work<D: Device> {
    pub(super) members: Vec<Member<D>>,
    /// Tags up to this one have been used.
    tag: u32,
    /// The last budget of memory that the devices reported.
    budget: Cell<Option<Budget>>,
    pub(super) timings: Timings,
}

/// Bytes for working memory, on the device with the least memory, at some time.
#[derive(Clone, Copy)]
struct Budget {
    bytes: u64,
    at: Instant,
}

/// The plan that should be fastest for tables of some shapes.
struct Estimated<K> {
    shapes: Vec<Shape>,
    estimate: Estimate<K>,
}

/// Plan for some tables, and the expected time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned<K> {
    pub(super) plan: WavefrontPlan<K>,
    pub(super) expected: Duration,
}

impl<K> Planned<K> {
    pub(super) fn new(plan: WavefrontPlan<K>, cycles: f64) -> Self {
        Self { plan, expected: Duration::from_secs_f64((cycles / CLOCK).min(1e6)) }
    }
}

impl<'d, D: Device, K: Kernels> Wavefront<'d, D, K> {
    /// Opens two strings on one or more devices. Each device must be able to write to the others'
    /// memory.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn new(devices: &[&'d D], a: &'d [u8], b: &'d [u8], progress: &'d (dyn Fn(u64) + Sync)) -> Result<Self> {
        Self::with_strings(devices, Strings::Bytes([a, b], Box::new(Codes::new(a, b))), progress)
    }

    /// Opens strings of bytes or of numbers on devices.
    fn with_strings(devices: &[&'d D], strings: Strings<'d>, progress: &'d (dyn Fn(u64) + Sync)) -> Result<Self> {
        let started = Instant::now();
        let lengths = strings.lengths();
        let symbols = strings.symbols();
        let room = if devices.len() > 1 { 0 } else { stairs::room::<K>(lengths) };
        let count = codes_of(lengths, room);
        let bytes = count.saturating_mul(strings.code_bytes());
        let mut free = u64::MAX;
        for device in devices {
            free = free.min(device.free_memory()?.saturating_sub(RESERVE));
        }
        let free_at = Instant::now();
        let mut resident = stay(bytes, free);
        let mut codes = strings.no_codes(if resident { count as usize } else { 0 });
        if resident {
            for (side, length) in lengths.into_iter().enumerate() {
                strings.encode(side, 0..length, &mut codes);
                codes.pad(room);
            }
        }
        let members = |codes: &_| devices.iter().map(|&device| Member::new(device, codes)).collect::<Result<Vec<_>>>();
        let members = match members(&codes) {
            // Others have taken the memory since it was queried.
            Err(Error::DeviceMemory { .. }) if resident => {
                resident = false;
                members(&strings.no_codes(0))
            }
            opened => opened,
        }?;
        let timings = Timings { upload: started.elapsed(), ..Timings::default() };
        let budget = Budget { bytes: free.saturating_sub(if resident { bytes } else { 0 }), at: free_at };
        Ok(Self {
            devices: devices.to_vec(),
            resident,
            lengths,
            room,
            symbols,
            sizes: CodeSizes::for_symbols::<K>(symbols, strings.code_bytes()),
            strings,
            plans: WavefrontPlan::all(symbols, devices[0].limits()),
            plan: None,
            estimated: Mutex::default(),
            memory: None,
            chunks_at_once: Some(1),
            work: Mutex::new(Work { members, tag: 0, budget: Cell::new(Some(budget)), timings }),
            progress,
        })
    }

    /// Sets a plan instead of the one that should be fastest: for measurements and tests.
    ///
    /// # Errors
    /// [`Error::Usage`] for a plan without a kernel, or one that does not fit a multiprocessor.
    pub fn with_plan(mut self, plan: WavefrontPlan<K>) -> Result<Self> {
        if !plan.fits(self.symbols, self.devices[0].limits()) {
            return Err(UsageFault::Engine.error(format!("{plan:?} does not fit for {} symbols", self.symbols)));
        }
        self.plan = Some(plan);
        Ok(self)
    }

    /// Sets the memory of a device, in bytes, instead of the free memory: for tests.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        if !stay(self.string_bytes(), bytes) {
            self.resident = false;
            for member in &mut self.work.get_mut().unwrap_or_else(PoisonError::into_inner).members {
                member.strings.clear();
            }
        }
        self
    }

    /// Marks all tags up to this one as used: for tests.
    #[doc(hidden)]
    pub fn skip_to_tag(&self, tag: u32) {
        self.lock().tag = tag;
    }

    /// Returns the bytes of both strings on a device.
    fn string_bytes(&self) -> u64 {
        codes_of(self.lengths, self.room).saturating_mul(self.sizes.code)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Work<D>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bytes of symbols that a batch of tables uploads.
    pub(super) fn symbol_bytes(&self, tables: &[BatchTable]) -> u64 {
        if self.resident {
            return 0;
        }
        let rows = tables.iter().enumerate().filter(|&(i, _)| !shares_rows(tables, i)).map(|(_, t)| t.size().m);
        (rows.sum::<u64>() + tables.iter().map(|t| t.size().n).sum::<u64>()).saturating_mul(self.sizes.code)
    }

    /// Returns the position of a part's symbols, for resident strings.
    pub(super) fn position(&self, part: &Part) -> u64 {
        (part.side as usize * (self.lengths[0] + self.room) + part.range.start) as u64
    }

    /// Returns the start of the symbols of each table's rows and columns on the devices; uploads
    /// them if necessary.
    pub(super) fn positions(&self, work: &mut Work<D>, tables: &[BatchTable]) -> Result<Vec<Positions>> {
        if self.resident {
            let stay = |t: &BatchTable| Positions { rows: self.position(&t.rows), columns: self.position(&t.columns) };
            return Ok(tables.iter().map(stay).collect());
        }
        let started = Instant::now();
        let mut symbols = self.strings.no_codes(0);
        let mut positions = Vec::<Positions>::new();
        let mut add = |part: &Part| {
            let position = symbols.len() as u64;
            self.strings.encode(part.side as usize, part.range.clone(), &mut symbols);
            position
        };
        for (i, table) in tables.iter().enumerate() {
            let rows = if shares_rows(tables, i) { positions[i - 1].rows } else { add(&table.rows) };
            positions.push(Positions { rows, columns: add(&table.columns) });
        }
        for (&device, member) in self.devices.iter().zip(&mut work.members) {
            member.strings.upload(device, &member.stream, &symbols, 0)?;
        }
        work.timings.upload += started.elapsed();
        Ok(positions)
    }

    /// Returns the plan that should be fastest for some tables, or the requested one.
    pub(super) fn plan(&self, tables: &[BatchTable]) -> Planned<K> {
        let shapes = tables.iter().map(BatchTable::shape);
        let mut estimated = self.estimated.lock().unwrap_or_else(PoisonError::into_inner);
        let best = match &*estimated {
            Some(last) if last.shapes.iter().copied().eq(shapes.clone()) => last.estimate,
            _ => {
                let shapes: Vec<Shape> = shapes.collect();
                let estimate = WavefrontPlan::best(&self.plans, &shapes, self.symbols, self.multiprocessors());
                *estimated = Some(Estimated { shapes, estimate });
                estimate
            }
        };
        Planned::new(self.plan.unwrap_or(best.plan), best.cycles)
    }

    /// Returns the bytes for working memory, of the device with the least memory.
    pub(super) fn budget(&self, work: &Work<D>) -> Result<u64> {
        let strings = if self.resident { self.string_bytes() } else { 0 };
        if let Some(bytes) = self.memory {
            return Ok(bytes.saturating_sub(strings));
        }
        if let Some(budget) = work.budget.get().filter(|budget| budget.at.elapsed() < BUDGET_AGE) {
            return Ok(budget.bytes);
        }
        let mut bytes = u64::MAX;
        for (device, member) in self.devices.iter().zip(&work.members) {
            bytes = bytes.min((device.free_memory()? + member.held(self.resident)).saturating_sub(RESERVE));
        }
        work.budget.set(Some(Budget { bytes, at: Instant::now() }));
        Ok(bytes)
    }

    /// Computes something within a budget of working memory, from the free memory downwards. Others
    /// may take memory between the query and the allocations: when an allocation fails, this frees
    /// the buffers and calls `compute` again with a smaller budget. `compute` must allocate all
    /// buffers before it starts the first launch. If the budget is too small for it, it must return
    /// [`Error::DeviceMemory`] with more bytes than the budget.
    ///
    /// # Errors
    /// The error of the last allocation, or those of `compute`.
    pub(super) fn in_room<R>(
        &self,
        work: &mut Work<D>,
        mut compute: impl FnMut(&mut Work<D>, u64) -> Result<R>,
    ) -> Result<R> {
        let mut budget = self.budget(work)?;
        let mut failure = None;
        loop {
            match compute(work, budget) {
                Err(error @ Error::DeviceMemory { needed, .. }) if needed > budget => {
                    return Err(failure.unwrap_or(error));
                }
                Err(error @ Error::DeviceMemory { .. }) => {
                    log::debug!("{error}: the next plan takes less than {budget} bytes");
                    for (device, member) in self.devices.iter().zip(&mut work.members) {
                        member.clear(device, self.resident)?;
                    }
                    work.budget.set(None);
                    budget = self.budget(work)?.min(budget - budget / SMALLER);
                    failure = Some(error);
                }
                done => return done,
            }
        }
    }

    pub(super) fn demand(&self, plan: WavefrontPlan<K>, tables: &[BatchTable]) -> Demand {
        Demand::for_tables(plan, self.sizes, tables.iter().map(BatchTable::size), self.symbol_bytes(tables))
    }

    /// Returns true if tables must be computed out of core, one by one in bands of rows and blocks
    /// of columns: because they do not fit into the devices' memory, or because the blocks of
    /// columns that fit are so short that filling the pipeline would take most of the time.
    pub(super) fn is_out_of_core(&self, work: &Work<D>, tables: &[BatchTable]) -> Result<bool> {
        let plan = self.plan(tables).plan;
        let budget = self.budget(work)?;
        let demand = self.demand(plan, tables);
        let block = demand.block(plan, budget);
        if block.is_some_and(|block| tables.iter().all(|t| t.size().n <= block)) {
            return Ok(false);
        }
        let workers = u64::from(plan.warps * self.devices[0].limits().multiprocessors);
        let mut idle = 0u64;
        for table in tables {
            match Grid::fit(self.plan(std::slice::from_ref(table)).plan, self.sizes, table.size(), budget) {
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

    /// Reserves `count` tags that no word of carries holds; returns the first.
    pub(super) fn tags(&self, work: &mut Work<D>, count: u64) -> Result<u32> {
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

    /// Returns the splitting of codes into digits by a plan.
    pub(super) fn digits(&self, plan: WavefrontPlan<K>) -> Digits {
        Digits::with_fewest_rows(self.symbols, plan.digits).unwrap_or(Digits { count: plan.digits, bits: 8 })
    }

    /// Returns the number of multiprocessors of all devices.
    pub(super) fn multiprocessors(&self) -> u32 {
        self.devices[0].limits().multiprocessors * self.devices.len() as u32
    }
}

impl<'d, D: Device> Wavefront<'d, D, Lengths> {
    /// Opens two strings of numbers on one or more devices. Each device must be able to write to
    /// the others' memory. Memory grows with the greatest number: numbers from 0 on without gaps
    /// are best.
    ///
    /// # Errors
    /// [`Error::Usage`] for numbers above 2^30; others if a device fails.
    pub fn of_tokens(
        devices: &[&'d D],
        a: &'d [u32],
        b: &'d [u32],
        progress: &'d (dyn Fn(u64) + Sync),
    ) -> Result<Self> {
        let greatest = a.par_iter().chain(b).copied().max().unwrap_or(0);
        if greatest >= MAX_TOKENS {
            return Err(UsageFault::TooLarge
                .error(format!("the token {greatest} is too large; kernels support tokens below {MAX_TOKENS}")));
        }
        Self::with_strings(devices, Strings::Tokens([a, b], greatest + 1), progress)
    }
}

impl<D: Device, K: Kernels> Drop for Wavefront<'_, D, K> {
    fn drop(&mut self) {
        // After an error launches may still use the buffers that are freed here.
        let work = self.work.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (device, member) in self.devices.iter().zip(&work.members) {
            if let Err(error) = device.wait(&member.stream) {
                log::warn!("{error}");
            }
        }
    }
}

/// Returns the number of codes of two strings with `room` more codes each.
fn codes_of(lengths: [usize; 2], room: usize) -> u64 {
    lengths.into_iter().map(|length| length as u64 + room as u64).sum()
}

/// Returns true if strings of `bytes` bytes stay on devices with `memory` bytes: they must leave at
/// least half.
fn stay(bytes: u64, memory: u64) -> bool {
    memory >= MIN_MEMORY && bytes <= memory / 2
}
