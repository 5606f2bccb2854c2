//! Listed pairs of two columns of strings, on the host or on the device.

use super::listed_order::{BatchLimits, Lengths, Part, side_of_rows};
use super::listed_source::{GroupStarts, Source, either};
use crate::cpu::symbols::{ALONE, occurring};
use crate::pairs::host_columns::{ColumnBytes, HostColumns};
use rayon::prelude::*;

/// Two columns: bytes and offsets. Symbols of the host are copied as they are.
pub(super) struct Columns<'c> {
    pub symbols: ColumnSymbols<'c>,
    /// The place of each string in its column's symbols, and the end of the last one.
    pub offsets: [&'c [u64]; 2],
    /// True for pairs that are not compared; empty if all are.
    pub missing: &'c [bool],
}

/// The symbols of two columns.
pub(super) enum ColumnSymbols<'c> {
    Host([&'c dyn ColumnBytes; 2]),
    Device {
        /// The device's address of each column's symbols.
        addresses: [u64; 2],
        /// The symbols that occur in either column.
        occurring: &'c [bool; 256],
    },
}

impl<'c> From<HostColumns<'c>> for Columns<'c> {
    fn from(HostColumns { symbols, offsets, missing }: HostColumns<'c>) -> Self {
        Self { symbols: ColumnSymbols::Host(symbols), offsets, missing }
    }
}

impl Columns<'_> {
    /// Returns the place of a string in its column's symbols.
    fn start(&self, side: usize, row: usize) -> usize {
        self.offsets[side][row] as usize
    }

    /// Returns the number of symbols of a pair's strings.
    fn symbols_of(&self, row: usize) -> [usize; 2] {
        [0, 1].map(|side| self.start(side, row + 1) - self.start(side, row))
    }

    /// Returns the number of bytes of a side's strings of a part.
    fn bytes_of(&self, side: usize, part: &Part) -> usize {
        self.start(side, part.pairs.end) - self.start(side, part.pairs.start)
    }

    fn is_on_device(&self) -> bool {
        matches!(self.symbols, ColumnSymbols::Device { .. })
    }
}

impl Lengths for Columns<'_> {
    fn len(&self) -> usize {
        self.offsets[0].len() - 1
    }

    fn lengths(&self, pair: usize) -> Option<[usize; 2]> {
        let is_missing = self.missing.get(pair).is_some_and(|&missing| missing);
        (!is_missing).then(|| self.symbols_of(pair))
    }

    fn has_missing(&self) -> bool {
        !self.missing.is_empty()
    }

    fn limits(&self) -> BatchLimits {
        if self.is_on_device() { BatchLimits::ON_DEVICE } else { BatchLimits::COPIED }
    }
}

impl Source for Columns<'_> {
    fn is_on_device(&self) -> bool {
        self.is_on_device()
    }

    fn bytes(&self, part: &Part) -> usize {
        if self.is_on_device() { 0 } else { self.bytes_of(0, part) + self.bytes_of(1, part) }
    }

    fn write(&self, part: &Part, groups: Vec<GroupStarts<'_>>, symbols: &mut [u8]) -> [bool; 256] {
        let (bases, occur) = match &self.symbols {
            ColumnSymbols::Device { addresses, occurring } => (addresses.map(|address| address as usize), **occurring),
            ColumnSymbols::Host(sides) => {
                let [first_a, first_b] = [0, 1].map(|side| self.start(side, part.pairs.start));
                let (of_a, of_b) = symbols.split_at_mut(self.bytes_of(0, part));
                // A string is as far behind the batch's first one as in its column.
                let bases = [0usize.wrapping_sub(first_a), of_a.len().wrapping_sub(first_b)];
                let occur = rayon::join(|| copied(sides[0], first_a, of_a), || copied(sides[1], first_b, of_b));
                (bases, either(occur.0, occur.1))
            }
        };
        groups.into_par_iter().for_each(|mut group| {
            for (slot, turn) in group.turns.iter().enumerate() {
                let row = part.pairs.start + turn.number as usize;
                let rows = side_of_rows(self.symbols_of(row));
                for (side, column) in [rows, 1 - rows].into_iter().enumerate() {
                    group.set(side, slot, bases[column].wrapping_add(self.start(column, row)));
                }
            }
        });
        occur
    }
}

/// Copies symbols on all threads, and returns those that occur.
fn copied(from: &dyn ColumnBytes, start: usize, to: &mut [u8]) -> [bool; 256] {
    let copy = |(number, to): (usize, &mut [u8])| {
        from.copy(start + number * ALONE, to);
        occurring(to)
    };
    to.par_chunks_mut(ALONE).enumerate().map(copy).reduce(|| [false; 256], either)
}
