//! The interface of engines for many pairs: the CPU, or a device.

use super::cost::ABOVE;
use crate::device::Timings;
use crate::error::Result;
use crate::memory;
use std::sync::atomic::{AtomicU32, Ordering};

/// Called, from any thread, with a row, some columns, and the row's distances to these.
pub(super) type PutRow<'p> = &'p (dyn Fn(usize, &[usize], &[u32]) + Sync);

/// An engine that computes many pairs.
pub(super) trait PairEngine: Sync {
    /// Returns the approximate number of distances in a block of rows.
    fn block(&self) -> usize;

    /// Returns true if comparing a few candidates one by one is faster than comparing all pairs of
    /// a list.
    fn takes_candidates(&self) -> bool {
        false
    }

    /// Returns the times of the device so far; zero for the CPU.
    fn timings(&self) -> Timings {
        Timings::default()
    }

    /// Computes the pairs' distances in order, [`ABOVE`] for those above the maximum.
    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>>;

    /// Computes the distances of all rows to all columns; each pair is reported once, in any order.
    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()>;

    /// Calls `each` with blocks of rows of the matrix of distances, in order: the number of the
    /// first row, and for each string of `a` in the block a distance to each string of `b`;
    /// [`ABOVE`] for those above the maximum.
    fn all(&self, a: &[&[u8]], b: &[&[u8]], each: &mut dyn FnMut(usize, &[AtomicU32]) -> Result<()>) -> Result<()> {
        in_blocks(self.block(), a, b, &|rows, put| self.tile(rows, b, put), each)
    }
}

/// Calls `each` with blocks of about `block` distances of the matrix of two lists, each computed by
/// `tile` of some rows.
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
