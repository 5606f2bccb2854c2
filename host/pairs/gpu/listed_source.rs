//! Where the strings of listed pairs come from, and how a batch's symbols get to the device.

use super::listed_order::{Lengths, Part, Turn};
use crate::cpu::symbols::{ALONE, occurring};
use crate::threads::parts_mut;
use rayon::prelude::*;

/// Pairs of strings, for the device.
pub(super) trait Source: Lengths {
    /// Returns true if the symbols are in the device's memory: a string's start is then its
    /// address.
    fn is_on_device(&self) -> bool {
        false
    }

    /// Returns the number of bytes of symbols that a batch copies to the device.
    fn bytes(&self, part: &Part) -> usize;

    /// Writes the symbols that a batch copies, and the start of each of its strings. Returns the
    /// symbols that occur.
    fn write(&self, part: &Part, groups: Vec<GroupStarts<'_>>, symbols: &mut [u8]) -> [bool; 256];
}

/// The starts of a group's strings, to be written: of its rows, and of its columns.
pub(super) struct GroupStarts<'m> {
    pub turns: &'m [Turn],
    pub starts: [&'m mut [[u8; 8]]; 2],
}

impl GroupStarts<'_> {
    pub fn set(&mut self, side: usize, slot: usize, start: usize) {
        self.starts[side][slot] = (start as u64).to_ne_bytes();
    }
}

/// Returns the symbols that occur in either of two texts.
pub(super) fn either(one: [bool; 256], other: [bool; 256]) -> [bool; 256] {
    std::array::from_fn(|symbol| one[symbol] | other[symbol])
}

/// Strings in any places of the host's memory. They are copied in the order of computation.
pub(super) struct Gathered<'p>(pub &'p [[&'p [u8]; 2]]);

impl Lengths for Gathered<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn lengths(&self, pair: usize) -> Option<[usize; 2]> {
        Some(self.0[pair].map(<[u8]>::len))
    }
}

impl Source for Gathered<'_> {
    fn bytes(&self, part: &Part) -> usize {
        part.groups.iter().map(|group| group.symbols).sum()
    }

    fn write(&self, part: &Part, groups: Vec<GroupStarts<'_>>, symbols: &mut [u8]) -> [bool; 256] {
        let pairs = &self.0[part.pairs.clone()];
        let of_groups = parts_mut(symbols, part.groups.iter().map(|group| group.symbols));
        let mut first = 0;
        let mut all = Vec::with_capacity(groups.len());
        for (group, symbols) in groups.into_iter().zip(of_groups) {
            let len = symbols.len();
            all.push((group, first, symbols));
            first += len;
        }
        let write = |(mut group, first, symbols): (GroupStarts<'_>, usize, &mut [u8])| {
            let mut end = 0;
            for (slot, turn) in group.turns.iter().enumerate() {
                for (side, string) in turn.strings(pairs).into_iter().enumerate() {
                    group.set(side, slot, first + end);
                    symbols[end..][..string.len()].copy_from_slice(string);
                    end += string.len();
                }
            }
            // Parts that this thread reads alone.
            symbols.chunks(ALONE).map(occurring).fold([false; 256], either)
        };
        all.into_par_iter().map(write).reduce(|| [false; 256], either)
    }
}
