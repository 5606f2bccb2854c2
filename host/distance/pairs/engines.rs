//! What the job of many pairs asks of an engine: the CPU, or a device.

use super::cpu::CpuPairs;
use super::gpu::DevicePairs;
use super::{ABOVE, Cost};
use crate::device::{Device, Timings};
use crate::error::Result;
use crate::memory;
use std::sync::atomic::{AtomicU32, Ordering};

/// Called, from any thread, with a row, some columns, and the row's distances to these.
pub(super) type PutRow<'p> = &'p (dyn Fn(usize, &[usize], &[u32]) + Sync);

/// An engine that computes many pairs.
pub(super) trait PairEngine: Sync {
    /// Distances of a block of rows, about.
    fn block(&self) -> usize;

    /// Whether few pairs of a list are compared faster one by one than all of them.
    fn takes_candidates(&self) -> bool {
        false
    }

    /// Is told of cells of pairs that were left out.
    fn left_out(&self, _cells: u64) {}

    /// Where the time of a device went so far; nowhere for an engine that is none.
    fn timings(&self) -> Timings {
        Timings::default()
    }

    /// The pairs' distances in order, [`ABOVE`] where they are above the maximum.
    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>>;

    /// The distances of all rows to all columns; each pair comes once, in any order.
    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()>;

    /// Calls `each` with blocks of rows of the matrix of distances, in order: the first row's number, and as many distances for each
    /// string of `a` as `b` has; [`ABOVE`] where they are.
    fn all(&self, a: &[&[u8]], b: &[&[u8]], each: &mut dyn FnMut(usize, &[AtomicU32]) -> Result<()>) -> Result<()> {
        in_blocks(self.block(), a, b, &|rows, put| self.tile(rows, b, put), each)
    }
}

/// Calls `each` with blocks of about `block` distances of the matrix of two lists, each computed by `tile` of some rows.
pub(super) fn in_blocks<S: Sync>(
    block: usize,
    a: &[S],
    b: &[S],
    tile: &dyn Fn(&[S], PutRow<'_>) -> Result<()>,
    each: &mut dyn FnMut(usize, &[AtomicU32]) -> Result<()>,
) -> Result<()> {
    let rows = (block / b.len().max(1)).clamp(1, 1 << 16).min(a.len());
    let len = rows.saturating_mul(b.len());
    memory::check::<AtomicU32>(len, "a block of distances")?;
    let matrix: Vec<AtomicU32> = (0..len).map(|_| AtomicU32::new(ABOVE)).collect();
    for (number, part) in a.chunks(rows.max(1)).enumerate() {
        tile(part, &|row, columns, distances| {
            let row = &matrix[row * b.len()..][..b.len()];
            for (&column, &distance) in columns.iter().zip(distances) {
                row[column].store(distance, Ordering::Relaxed);
            }
        })?;
        each(number * rows, &matrix[..part.len() * b.len()])?;
    }
    Ok(())
}

impl PairEngine for CpuPairs<'_> {
    fn block(&self) -> usize {
        1 << 22
    }

    fn takes_candidates(&self) -> bool {
        true
    }

    fn left_out(&self, cells: u64) {
        self.left_out(cells);
    }

    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>> {
        self.listed(pairs)
    }

    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()> {
        self.tile(rows, columns, put);
        Ok(())
    }
}

/// A device, and what it computes.
pub(super) struct OnDevice<'d, D: Device> {
    pub pairs: DevicePairs<'d, D>,
    pub cost: Cost,
    pub maximum: Option<u32>,
}

impl<D: Device> OnDevice<'_, D> {
    fn known(&self, distance: u32) -> u32 {
        if self.maximum.is_some_and(|maximum| distance > maximum) { ABOVE } else { distance }
    }
}

impl<D: Device> PairEngine for OnDevice<'_, D> {
    /// Larger than the CPU's: both lists are taken to the device for each.
    fn block(&self) -> usize {
        1 << 27
    }

    fn timings(&self) -> Timings {
        self.pairs.timings()
    }

    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>> {
        let pairs: Vec<(&[u8], &[u8])> = pairs.iter().map(|[a, b]| (*a, *b)).collect();
        let distances = self.pairs.listed(&pairs, self.cost)?;
        Ok(distances.into_iter().map(|distance| self.known(distance)).collect())
    }

    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()> {
        self.pairs.all(rows, columns, self.cost, &mut |block| {
            let numbers: Vec<usize> = (block.first_b..block.first_b + block.columns).collect();
            let mut row = Vec::with_capacity(block.columns);
            for (number, distances) in (block.first_a..).zip(block.distances.chunks(block.columns.max(1))) {
                row.clear();
                row.extend(distances.iter().map(|&distance| self.known(distance)));
                put(number, &numbers, &row);
            }
            Ok(())
        })
    }
}
