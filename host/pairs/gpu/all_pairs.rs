//! All pairs of two lists, a block of the matrix at a time. Two blocks are in flight: while one is
//! computed, the results of the other are copied and handed over.

use super::algorithm::DeviceAlgorithm;
use super::codes::{Codes, present};
use super::device_pairs::{Block, DevicePairs};
use super::flight::{Flight, Sides, Slot};
use super::groups::{Groups, Order, Packing};
use super::kernel_cost::kernel_cost;
use super::listed_pairs::MANY;
use super::plan::{PairsPlan, Tuning};
use crate::algorithm::About;
use crate::device::{Device, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::pairs::cost::Cost;
use carrywave_kernels::distance::all_pairs::{WARPS, edge_words};
use carrywave_kernels::distance::last_row::LONGEST;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// The algorithm's name, source and cost.
pub const ABOUT: About = About::new(
    "all-pairs",
    "all strings of two lists: a lane holds one string against 32 others, one bit of a word each",
    "Myers 1999; Crochemore et al. 2001",
    "mn / 32 word steps for 32 pairs",
);

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        listed: None,
        all: |pairs, a, b, cost, each| pairs.all_in_blocks(a, b, cost, each),
    }
}

/// Number of rows and columns of a block of the matrix: enough for a launch that keeps a GPU busy,
/// and 64 MiB of results.
const SIDE: usize = 4096;

/// Upper bound on the strings of a short list: its pairs are computed as listed ones if they fill a
/// GPU.
const FEW: usize = 6;

/// Lower bound on the side of a block: blocks are halved down to it if memory is short.
const MIN_SIDE: usize = 32;

/// A number above the columns of any kernel's block.
const MAX_COLUMNS: usize = 96;

impl<D: Device> DevicePairs<'_, D> {
    /// Computes the distances of all pairs of a string of `a` and one of `b`, in blocks of the
    /// matrix whose rows are the list `a`.
    ///
    /// Each pair is in one block. Blocks come row by row of blocks, each from left to right: all
    /// blocks in a row of blocks have the same matrix rows. They have about ten million pairs at
    /// most, and at most two of them are in memory at a time. An error of `each` ends the
    /// computation.
    ///
    /// The time is about the number of cells divided by 10^14 per second on an H200.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for a string that is too long;
    /// [`Error::DeviceMemory`](crate::Error::DeviceMemory) if even small blocks do not fit; errors
    /// of the device, and of `each`.
    pub fn all(
        &self,
        a: &[&[u8]],
        b: &[&[u8]],
        cost: Cost,
        each: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> Result<()> {
        let many = self.tuning.many.unwrap_or(MANY);
        if a.len().min(b.len()) <= FEW && a.len() * b.len() >= many {
            // Most bits of a word, or most lanes of a warp, would have no pair.
            return self.all_by_list(a, b, cost, each);
        }
        self.all_in_blocks(a, b, cost, each)
    }

    /// Like [`all`](Self::all), by the kernel of this file.
    fn all_in_blocks(
        &self,
        a: &[&[u8]],
        b: &[&[u8]],
        cost: Cost,
        each: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> Result<()> {
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        self.note(&ABOUT);
        let longest = |strings: &[&[u8]]| strings.iter().map(|string| string.len()).max().unwrap_or(0);
        let most = longest(a).max(longest(b));
        if most > LONGEST as usize {
            return Err(UsageFault::TooLarge
                .error(format!("many pairs on a GPU support strings of up to {LONGEST} symbols, not {most}")));
        }
        let matrix = Matrix::new(a, b, cost, self.tuning.table);
        let mut side = self.tuning.side.unwrap_or(SIDE).max(MIN_SIDE);
        loop {
            match self.in_blocks(&matrix, matrix.size(side), each) {
                // No block has been handed over yet.
                Err(Stop::NoRoom(_)) if side > MIN_SIDE => side /= 2,
                Err(Stop::NoRoom(error) | Stop::Failed(error)) => return Err(error),
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Computes all blocks, at one block size.
    fn in_blocks(
        &self,
        matrix: &Matrix<'_>,
        size: Size,
        each: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> std::result::Result<(), Stop> {
        let device = self.device;
        let mut slots = [Slot::new(device)?, Slot::new(device)?];
        let mut turn = 0;
        let mut ended = Instant::now();
        let parts_a = parts(matrix.a, size.a);
        let parts_b = parts(matrix.b, size.b);
        let edge_bytes = matrix.edge_bytes(device, &parts_a, &parts_b, size)?;

        for part_a in &parts_a {
            let mut groups_a: Option<Arc<Groups<D>>> = None;
            for part_b in &parts_b {
                let parts = Sides::of_lists(part_a, part_b, matrix.a_is_rows);
                let plan = matrix.plan(device, &parts, edge_bytes, self.tuning)?;
                let slot = &mut slots[turn % 2];
                slot.finish(self, &mut ended, each)?;
                let started = Instant::now();
                let groups_a = match &groups_a {
                    Some(groups) => groups.clone(),
                    None => {
                        let packing = matrix.packing(matrix.a_is_rows, &plan);
                        let groups = Groups::new(device, &slot.stream, part_a.strings, &part_a.order, packing)?;
                        let groups = groups_a.insert(Arc::new(groups)).clone();
                        // Both streams read them.
                        device.wait(&slot.stream)?;
                        groups
                    }
                };
                let packing = matrix.packing(!matrix.a_is_rows, &plan);
                let groups_b = Groups::new(device, &slot.stream, part_b.strings, &part_b.order, packing)?;
                let cells = part_a.symbols() * part_b.symbols();
                self.add_timings(Timings { upload: started.elapsed(), cells, ..Timings::default() });
                let flight = Flight {
                    groups: Sides::of_lists(groups_a, Arc::new(groups_b), matrix.a_is_rows),
                    pitch: Sides::of_lists(part_b.strings.len() as u64, 1, matrix.a_is_rows),
                    a: part_a.range(),
                    b: part_b.range(),
                    cells,
                    pairs_of_groups: pairs_of_groups(&parts),
                    started: Instant::now(),
                };
                slot.start(plan, &matrix.codes, self.limit, flight)?;
                turn += 1;
            }
        }
        for slot in [turn, turn + 1] {
            slots[slot % 2].finish(self, &mut ended, each)?;
        }
        Ok(())
    }
}

/// Number of strings of each list in a block.
#[derive(Clone, Copy)]
struct Size {
    a: usize,
    b: usize,
}

/// The matrix of all distances, and which of its lists gives the kernel's rows.
struct Matrix<'m> {
    a: &'m [&'m [u8]],
    b: &'m [&'m [u8]],
    cost: Cost,
    codes: Codes,
    a_is_rows: bool,
}

impl<'m> Matrix<'m> {
    /// Prepares two lists, neither empty. `table` overrides the form of the table.
    fn new(a: &'m [&'m [u8]], b: &'m [&'m [u8]], cost: Cost, table: Option<u32>) -> Self {
        let total = |strings: &[&[u8]]| strings.iter().map(|string| string.len()).sum::<usize>();
        // Columns are padded to whole blocks, rows are not, so the longer strings are columns.
        let a_is_rows = total(b) / b.len() > total(a) / a.len() * 5 / 4;
        let present = |list: &[&[u8]]| present(list, |string| *string);
        let present = Sides::of_lists(present(a), present(b), a_is_rows);
        let codes = Codes::new(&present.rows, &present.columns, cost, table);
        Self { a, b, cost, codes, a_is_rows }
    }

    /// Returns the number of strings of each list in a block of about `side` rows and columns.
    fn size(&self, side: usize) -> Size {
        let most = side * side;
        // A short list leaves room for more strings of the other.
        let a = self.a.len().min(side);
        let b = self.b.len().min((most / a.max(1)).max(side));
        Size { a: self.a.len().min((most / b.max(1)).max(a)), b }
    }

    /// Returns the memory for the edges of a launch, in bytes: half of what the largest blocks
    /// leave, as two launches are in flight.
    fn edge_bytes<D: Device>(
        &self,
        device: &D,
        parts_a: &[Part<'_>],
        parts_b: &[Part<'_>],
        size: Size,
    ) -> std::result::Result<u64, Stop> {
        let rows = if self.a_is_rows { parts_a } else { parts_b };
        let longest_row = rows.iter().map(Part::longest).max().unwrap_or(0).next_multiple_of(2) as u32;
        let most = |parts: &[Part<'_>]| {
            parts.iter().map(|part| Groups::<D>::bytes(part.strings, &part.order, MAX_COLUMNS)).max().unwrap_or(0)
        };
        let fixed = 2 * most(parts_a) + 2 * most(parts_b) + 8 * size.a as u64 * size.b as u64;
        let needed = fixed + 2 * edge_words(kernel_cost(self.cost), longest_row) * 4 * u64::from(WARPS);
        let free = device.free_memory()?;
        if needed > free / 8 * 7 {
            return Err(Stop::NoRoom(Error::DeviceMemory { needed, free }));
        }
        Ok((free / 8 * 7 - fixed) / 2)
    }

    /// Plans the launch for a block.
    fn plan<D: Device>(
        &self,
        device: &D,
        parts: &Sides<&Part<'_>>,
        edge_bytes: u64,
        tuning: Tuning,
    ) -> Result<PairsPlan> {
        let columns = &parts.columns.order.longest;
        let Codes { table, table_rows, .. } = self.codes;
        let mut plan = PairsPlan::new(self.cost, table, table_rows, columns, device.limits(), tuning)?;
        plan.limit(pairs_of_groups(parts), parts.rows.longest().next_multiple_of(2) as u32, edge_bytes);
        Ok(plan)
    }

    /// Returns the packing of the list that gives the kernel's rows, or of the one that gives its
    /// columns.
    fn packing(&self, is_rows: bool, plan: &PairsPlan) -> Packing<'_> {
        let codes = &self.codes;
        if is_rows {
            Packing { multiple: 2, codes: &codes.rows, padding: codes.row_padding }
        } else {
            Packing { multiple: plan.columns, codes: &codes.columns, padding: codes.column_padding }
        }
    }
}

/// Returns the number of pairs of groups of strings in a block.
fn pairs_of_groups(parts: &Sides<&Part<'_>>) -> u64 {
    parts.columns.order.longest.len() as u64 * parts.rows.order.longest.len() as u64
}

/// Strings of a list in a block.
struct Part<'s> {
    first: usize,
    strings: &'s [&'s [u8]],
    order: Order,
}

/// Splits a list into parts of `step` strings.
fn parts<'s>(strings: &'s [&'s [u8]], step: usize) -> Vec<Part<'s>> {
    let part = |(i, strings)| Part { first: i * step, strings, order: Order::new(strings) };
    strings.chunks(step).enumerate().map(part).collect()
}

impl Part<'_> {
    fn longest(&self) -> usize {
        self.order.longest.first().copied().unwrap_or(0)
    }

    fn symbols(&self) -> u64 {
        self.strings.iter().map(|string| string.len() as u64).sum()
    }

    fn range(&self) -> Range<usize> {
        self.first..self.first + self.strings.len()
    }
}

/// Reason for stopping before all blocks of one size have been computed.
enum Stop {
    /// The first block does not fit.
    NoRoom(Error),
    /// Any other error.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}
