//! The interface of engines for many pairs: the CPU, or a device.

use super::cost::ABOVE;
use super::host_columns::{ColumnBytes, HostColumns};
use super::resident::{ResidentColumn, ResidentDistances};
use super::strings::PairString;
use crate::device::Timings;
use crate::error::{Result, UsageFault};
use crate::memory;
use rayon::prelude::*;
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

    /// Returns the number of pairs of a list that are best compared at once. Several threads may
    /// compare parts of a list at the same time.
    fn listed_at_once(&self) -> usize {
        usize::MAX
    }

    /// Computes the pairs' distances in order, [`ABOVE`] for those above the maximum.
    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>>;

    /// Computes the distances of two columns' strings, side by side: [`ABOVE`] for those above the
    /// maximum, and anything for pairs that are missing.
    fn columns(&self, columns: HostColumns<'_>) -> Result<Vec<u32>> {
        let HostColumns { symbols, offsets, missing } = columns;
        let copied = |(symbols, offsets): (&dyn ColumnBytes, &[u64])| {
            let [first, end] = [0, offsets.len() - 1].map(|place| offsets[place] as usize);
            symbols.copied(first..end)
        };
        let copies: Vec<Vec<u8>> = symbols.into_iter().zip(offsets).map(copied).collect::<Result<_>>()?;
        let string = |side: usize, row: usize| {
            let place = |row: usize| (offsets[side][row] - offsets[side][0]) as usize;
            &copies[side][place(row)..place(row + 1)]
        };
        let pair = |row: usize| match missing.get(row) {
            Some(true) => [&[][..]; 2],
            _ => [string(0, row), string(1, row)],
        };
        let pairs: Vec<[&[u8]; 2]> = (0..offsets[0].len() - 1).into_par_iter().map(pair).collect();
        self.listed(&pairs)
    }

    /// Computes the distances of the strings of two columns of a device, side by side.
    fn resident(&self, _a: &ResidentColumn, _b: &ResidentColumn) -> Result<ResidentDistances> {
        Err(UsageFault::Engine.error("columns of a GPU are compared on this GPU"))
    }

    /// Computes the distances of all rows to all columns; each pair is reported once, in any order.
    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()>;

    /// Returns true if the engine takes codes of two bytes.
    fn takes_two_bytes(&self) -> bool {
        false
    }

    /// Like [`tile`](Self::tile), for codes of two bytes, below
    /// [`TWO_BYTE_CODES`](super::symbol_codes::TWO_BYTE_CODES). Returns false, and does nothing, if
    /// single pairs are faster.
    fn tile_of_two_bytes(&self, _rows: &[&[u16]], _columns: &[&[u16]], _put: PutRow<'_>) -> Result<bool> {
        Ok(false)
    }

    /// Calls `each` with blocks of rows of the matrix of distances, in order of the rows.
    fn all(&self, a: &[&[u8]], b: &[&[u8]], each: EachRows<'_>) -> Result<()> {
        in_blocks(self.block(), a, b, &|rows, columns, put| self.tile(rows, columns, put), each)
    }
}

/// Computes the distances of some rows to all columns.
pub(super) type Tile<'f, S> = &'f dyn Fn(&[S], &[S], PutRow<'_>) -> Result<()>;

/// Receives rows.
pub(super) type EachRows<'f> = &'f mut dyn FnMut(Rows<'_>) -> Result<()>;

/// Some successive rows of the matrix of distances of two lists, with the columns in another order
/// than the list.
pub(super) struct Rows<'m> {
    /// Number of the first row.
    pub first: usize,
    /// Number of each column in its list.
    pub columns: &'m [usize],
    /// Distances row by row, [`ABOVE`] for those above the maximum.
    distances: &'m [AtomicU32],
}

impl Rows<'_> {
    /// Returns the number of each row, and its distances.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[AtomicU32])> {
        (self.first..).zip(self.distances.chunks(self.columns.len().max(1)))
    }

    /// Calls `put` with parts of all rows, from the threads of the current rayon pool.
    pub fn put(&self, put: PutRow<'_>) {
        let rows = self.distances.par_chunks(self.columns.len().max(1)).enumerate();
        rows.for_each(|(row, distances)| {
            let known = |distance: &AtomicU32| distance.load(Ordering::Relaxed);
            converted(self.columns, distances, known, |columns, distances| put(self.first + row, columns, distances));
        });
    }
}

/// Number of distances that [`converted`] hands over together: they fit into the first-level cache.
const CONVERTED: usize = 1024;

/// Converts the distances of some columns, and calls `put` with parts of them.
pub(super) fn converted<T, U: Copy + Default>(
    columns: &[usize],
    distances: &[T],
    convert: impl Fn(&T) -> U,
    mut put: impl FnMut(&[usize], &[U]),
) {
    let mut buffer = [U::default(); CONVERTED];
    for (columns, distances) in columns.chunks(CONVERTED).zip(distances.chunks(CONVERTED)) {
        let buffer = &mut buffer[..distances.len()];
        buffer.iter_mut().zip(distances).for_each(|(to, distance)| *to = convert(distance));
        put(columns, buffer);
    }
}

/// Calls `each` with blocks of about `block` distances of the matrix of two lists, each computed by
/// `tile` of some rows.
pub(super) fn in_blocks<S: PairString + Copy + Sync>(
    block: usize,
    a: &[S],
    b: &[S],
    tile: Tile<'_, S>,
    each: EachRows<'_>,
) -> Result<()> {
    let rows = (block / b.len().max(1)).clamp(1, 1 << 16).min(a.len());
    let len = rows.saturating_mul(b.len());
    memory::check::<AtomicU32>(len, "a block of distances")?;
    // Engines compare strings of similar lengths together. In this order they write distances of
    // successive columns.
    let mut order: Vec<usize> = (0..b.len()).collect();
    order.par_sort_by_key(|&column| b[column].symbols().len());
    let sorted: Vec<S> = order.iter().map(|&column| b[column]).collect();
    let matrix: Vec<AtomicU32> = (0..len).into_par_iter().map(|_| AtomicU32::new(ABOVE)).collect();
    for (number, part) in a.chunks(rows.max(1)).enumerate() {
        tile(part, &sorted, &|row, columns, distances| {
            let row = &matrix[row * b.len()..][..b.len()];
            for (&column, &distance) in columns.iter().zip(distances) {
                row[column].store(distance, Ordering::Relaxed);
            }
        })?;
        each(Rows { first: number * rows, columns: &order, distances: &matrix[..part.len() * b.len()] })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::cost::Cost;
    use super::super::naive;
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn blocks_have_all_rows_and_columns() {
        let mut random = fastrand::Rng::with_seed(1);
        for (rows, columns) in [(10, 7), (3, 2500), (1, 1), (0, 3), (3, 0)] {
            let mut list = |count: usize| -> Vec<Vec<u8>> {
                let mut string = |_| {
                    let len = random.usize(..9);
                    naive::random(&mut random, len, 3)
                };
                (0..count).map(&mut string).collect()
            };
            let (a, b) = (list(rows), list(columns));
            let [a, b] = [&a, &b].map(|list| list.iter().map(|string| &string[..]).collect::<Vec<_>>());
            let tile: Tile<'_, &[u8]> = &|rows, columns, put| {
                assert!(columns.is_sorted_by_key(|column| column.len()));
                for (number, row) in rows.iter().enumerate() {
                    let distances = columns.iter().map(|column| naive::distance(row, column, Cost::Levenshtein, None));
                    put(number, &(0..columns.len()).collect::<Vec<_>>(), &distances.collect::<Vec<_>>());
                }
                Ok(())
            };
            let found = Mutex::new(vec![vec![None; columns]; rows]);
            let mut next = 0;
            in_blocks(25, &a, &b, tile, &mut |block| {
                assert_eq!(block.first, next);
                next += block.iter().count();
                block.put(&|row, columns, distances| {
                    let row = &mut found.lock().unwrap()[row];
                    for (&column, &distance) in columns.iter().zip(distances) {
                        assert_eq!(row[column].replace(distance), None);
                    }
                });
                Ok(())
            })
            .unwrap();
            let distance = |row: &[u8], column: &[u8]| naive::distance(row, column, Cost::Levenshtein, None);
            for (row, found) in a.iter().zip(found.into_inner().unwrap()) {
                assert_eq!(found, b.iter().map(|column| Some(distance(row, column))).collect::<Vec<_>>());
            }
        }
    }
}
