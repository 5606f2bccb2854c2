//! The input of the kernels for a batch of listed pairs: all arrays in one piece of memory, so that
//! one copy takes them to the device.

use super::listed_order::{GROUP_PAIRS, GroupSize, Turn};
use crate::cpu::symbols::{ALONE, occurring};
use crate::threads::parts_mut;
use carrywave_kernels::distance::string_groups::NO_STRING;
use carrywave_kernels::distance::string_planes::FIELDS;
use rayon::prelude::*;
use simt_std::{Word, global::Global};

/// Number of arrays.
const ARRAYS: usize = 9;

/// A batch: whole groups of pairs.
#[derive(Clone, Copy)]
pub(super) struct Batch<'l> {
    pub(super) pairs: &'l [[&'l [u8]; 2]],
    pub(super) turns: &'l [Turn],
    pub(super) groups: &'l [GroupSize],
}

impl Batch<'_> {
    /// Returns the first groups, and the others.
    pub(super) fn split_at(self, groups: usize) -> [Self; 2] {
        let (first_groups, other_groups) = self.groups.split_at(groups);
        let (first_turns, other_turns) = self.turns.split_at((groups * GROUP_PAIRS).min(self.turns.len()));
        [
            Self { turns: first_turns, groups: first_groups, ..self },
            Self { turns: other_turns, groups: other_groups, ..self },
        ]
    }

    /// Returns the greatest lengths of strings that are rows, and columns.
    pub(super) fn longest(&self) -> [usize; 2] {
        let longest = |side: fn(&GroupSize) -> usize| self.groups.iter().map(side).max().unwrap_or(0);
        [longest(|group| group.rows), longest(|group| group.columns)]
    }

    /// Returns the sum of these lengths over the groups.
    pub(super) fn group_symbols(&self) -> [usize; 2] {
        let sum = |side: fn(&GroupSize) -> usize| self.groups.iter().map(side).sum();
        [sum(|group| group.rows), sum(|group| group.columns)]
    }

    pub(super) fn cells(&self) -> u64 {
        self.groups.iter().map(|group| group.cells).sum()
    }
}

/// Offsets of a batch's arrays in bytes. Those of one item per side are the rows', then the
/// columns'.
pub(super) struct Layout {
    sizes: [usize; ARRAYS],
}

/// Numbers of the arrays.
const GROUPS: usize = 0;
const STARTS: usize = 2;
const LENGTHS: usize = 4;
const INDICES: usize = 6;
const CODES: usize = 7;
const SYMBOLS: usize = 8;

impl Layout {
    pub(super) fn new(batch: Batch<'_>) -> Self {
        let groups = batch.groups.len();
        let slots = groups * GROUP_PAIRS;
        let symbols = batch.groups.iter().map(|group| group.symbols).sum();
        let [of_groups, starts, lengths] = [8 * FIELDS * groups, 8 * slots, 4 * slots];
        Self { sizes: [of_groups, of_groups, starts, starts, lengths, lengths, lengths, 512, symbols] }
    }

    /// Returns the number of bytes of all arrays.
    pub(super) fn bytes(&self) -> usize {
        self.sizes.iter().sum()
    }

    fn array<T: Word>(&self, memory: Global<u8>, number: usize) -> Global<T> {
        memory.skip(self.sizes[..number].iter().sum()).cast()
    }

    pub(super) fn groups(&self, memory: Global<u8>, side: usize) -> Global<u64> {
        self.array(memory, GROUPS + side)
    }

    pub(super) fn starts(&self, memory: Global<u8>, side: usize) -> Global<u64> {
        self.array(memory, STARTS + side)
    }

    pub(super) fn lengths(&self, memory: Global<u8>, side: usize) -> Global<u32> {
        self.array(memory, LENGTHS + side)
    }

    pub(super) fn indices(&self, memory: Global<u8>) -> Global<u32> {
        self.array(memory, INDICES)
    }

    pub(super) fn codes(&self, memory: Global<u8>) -> Global<u16> {
        self.array(memory, CODES)
    }

    pub(super) fn symbols(&self, memory: Global<u8>) -> Global<u8> {
        self.array(memory, SYMBOLS)
    }

    fn parts<'m>(&self, memory: &'m mut [u8]) -> [&'m mut [u8]; ARRAYS] {
        let mut parts = parts_mut(memory, self.sizes);
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }

    /// Writes all arrays but the groups and the codes, on all threads. Returns the symbols that
    /// occur.
    pub(super) fn write_strings(&self, batch: Batch<'_>, memory: &mut [u8]) -> [bool; 256] {
        let [_, _, row_starts, column_starts, row_lengths, column_lengths, indices, _, symbols] = self.parts(memory);
        let lengths = batch.groups.iter().map(|group| group.symbols);
        let mut first = 0;
        let mut groups = Vec::with_capacity(batch.groups.len());
        let mut starts = row_starts.chunks_mut(8 * GROUP_PAIRS).zip(column_starts.chunks_mut(8 * GROUP_PAIRS));
        let mut all_lengths = row_lengths.chunks_mut(4 * GROUP_PAIRS).zip(column_lengths.chunks_mut(4 * GROUP_PAIRS));
        let mut indices = indices.chunks_mut(4 * GROUP_PAIRS);
        let turns = batch.turns.chunks(GROUP_PAIRS);
        for ((number, symbols), turns) in parts_mut(symbols, lengths).enumerate().zip(turns) {
            let (Some(starts), Some(lengths), Some(indices)) = (starts.next(), all_lengths.next(), indices.next())
            else {
                break;
            };
            first += symbols.len();
            groups.push(Group {
                turns,
                starts: <[_; 2]>::from(starts).map(|starts| starts.as_chunks_mut().0),
                lengths: <[_; 2]>::from(lengths).map(|lengths| lengths.as_chunks_mut().0),
                indices: indices.as_chunks_mut().0,
                first: first - symbols.len(),
                symbols,
                first_index: number * GROUP_PAIRS,
            });
        }
        let written = groups.into_par_iter().map(|group| group.write(batch.pairs));
        written.reduce(|| [false; 256], either)
    }

    /// Writes the groups, with `group_words` words for a number of symbols, and the codes.
    pub(super) fn write_groups(
        &self,
        batch: Batch<'_>,
        group_words: impl Fn(usize) -> usize,
        codes: &[u16; 256],
        memory: &mut [u8],
    ) {
        let parts = self.parts(memory);
        parts[CODES].as_chunks_mut().0.iter_mut().zip(codes).for_each(|(to, code)| *to = code.to_ne_bytes());
        let [rows, columns, ..] = parts.map(|part| part.as_chunks_mut().0);
        let write = |fields: &mut [[u8; 8]], longest: fn(&GroupSize) -> usize| {
            let mut words = 0;
            for (fields, group) in fields.chunks_exact_mut(FIELDS).zip(batch.groups) {
                let values = [words as u64, longest(group) as u64];
                fields.iter_mut().zip(values).for_each(|(to, value)| *to = value.to_ne_bytes());
                words += group_words(longest(group));
            }
        };
        write(rows, |group| group.rows);
        write(columns, |group| group.columns);
    }
}

/// Returns the symbols that occur in either of two texts.
fn either(one: [bool; 256], other: [bool; 256]) -> [bool; 256] {
    std::array::from_fn(|symbol| one[symbol] | other[symbol])
}

/// The parts of the arrays of one group.
struct Group<'m> {
    turns: &'m [Turn],
    starts: [&'m mut [[u8; 8]]; 2],
    lengths: [&'m mut [[u8; 4]]; 2],
    indices: &'m mut [[u8; 4]],
    symbols: &'m mut [u8],
    /// Number of symbols, and of pairs, of the groups before.
    first: usize,
    first_index: usize,
}

impl Group<'_> {
    /// Writes the group, and returns the symbols that occur.
    fn write(self, pairs: &[[&[u8]; 2]]) -> [bool; 256] {
        let turns = self.turns;
        let mut end = 0;
        for (slot, index) in self.indices.iter_mut().enumerate() {
            let strings = turns.get(slot).map_or([&[][..]; 2], |turn| turn.strings(pairs));
            for (side, string) in strings.into_iter().enumerate() {
                self.starts[side][slot] = ((self.first + end) as u64).to_ne_bytes();
                self.lengths[side][slot] = (string.len() as u32).to_ne_bytes();
                self.symbols[end..][..string.len()].copy_from_slice(string);
                end += string.len();
            }
            let number = if slot < turns.len() { (self.first_index + slot) as u32 } else { NO_STRING };
            *index = number.to_ne_bytes();
        }
        // Parts that this thread reads alone.
        self.symbols.chunks(ALONE).map(occurring).fold([false; 256], either)
    }
}
