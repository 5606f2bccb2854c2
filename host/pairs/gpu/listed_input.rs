//! The input of the kernels for a batch of listed pairs: all arrays in one piece of memory, so that
//! one copy takes them to the device.

use super::listed_order::{GROUP_PAIRS, GroupSize, Part};
use super::listed_source::{GroupStarts, Source};
use crate::threads::parts_mut;
use carrywave_kernels::distance::string_groups::NO_STRING;
use carrywave_kernels::distance::string_planes::FIELDS;
use rayon::prelude::*;
use simt_std::{Word, global::Global};

/// Number of arrays.
const ARRAYS: usize = 9;

/// A batch: a part of the pairs of a source.
#[derive(Clone, Copy)]
pub(super) struct Batch<'l> {
    pub(super) source: &'l dyn Source,
    pub(super) part: &'l Part,
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
        let groups = batch.part.groups.len();
        let slots = groups * GROUP_PAIRS;
        let symbols = batch.source.bytes(batch.part);
        let [of_groups, starts, lengths] = [8 * FIELDS * groups, 8 * slots, 4 * slots];
        Self { sizes: [of_groups, of_groups, starts, starts, lengths, lengths, lengths, 512, symbols] }
    }

    /// Returns the number of bytes of all arrays.
    pub(super) fn bytes(&self) -> usize {
        self.sizes.iter().sum()
    }

    fn array<T: Word>(&self, memory: Global<u8>, number: usize) -> Global<T> {
        memory.skip(self.sizes[..number].iter().sum::<usize>()).cast()
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

    /// Writes all arrays but the groups and the codes, on all threads. `first_index` is the index
    /// of the part's first pair in the list of distances, or `None` if the distances are in order
    /// of the turns. Returns the symbols that occur.
    pub(super) fn write_strings(
        &self,
        Batch { source, part }: Batch<'_>,
        first_index: Option<u32>,
        memory: &mut [u8],
    ) -> [bool; 256] {
        let [_, _, row_starts, column_starts, row_lengths, column_lengths, indices, _, symbols] = self.parts(memory);
        let [row_lengths, column_lengths, indices] =
            [row_lengths, column_lengths, indices].map(|array| array.as_chunks_mut::<4>().0);
        let lengths = row_lengths.par_iter_mut().zip(column_lengths).zip(indices).enumerate();
        lengths.with_min_len(GROUP_PAIRS).for_each(|(slot, ((rows, columns), index))| {
            let (of_rows, of_columns, number) = match (part.turns.get(slot), first_index) {
                (Some(turn), Some(first)) => (turn.shorter, turn.longer, first + turn.number),
                (Some(turn), None) => (turn.shorter, turn.longer, slot as u32),
                (None, _) => (0, 0, NO_STRING),
            };
            *rows = of_rows.to_ne_bytes();
            *columns = of_columns.to_ne_bytes();
            *index = number.to_ne_bytes();
        });
        let [row_starts, column_starts] = [row_starts, column_starts].map(|array| array.as_chunks_mut::<8>().0);
        // Missing strings are empty, and may be anywhere.
        for starts in [&mut *row_starts, &mut *column_starts] {
            starts[part.turns.len()..].fill([0; 8]);
        }
        let starts = row_starts.chunks_mut(GROUP_PAIRS).zip(column_starts.chunks_mut(GROUP_PAIRS));
        let groups = part.turns.chunks(GROUP_PAIRS).zip(starts);
        let groups = groups.map(|(turns, (rows, columns))| GroupStarts { turns, starts: [rows, columns] }).collect();
        source.write(part, groups, symbols)
    }

    /// Writes the groups, with `group_words` words for a number of symbols, and the codes.
    pub(super) fn write_groups(
        &self,
        part: &Part,
        group_words: impl Fn(usize) -> usize,
        codes: &[u16; 256],
        memory: &mut [u8],
    ) {
        let parts = self.parts(memory);
        parts[CODES].as_chunks_mut().0.iter_mut().zip(codes).for_each(|(to, code)| *to = code.to_ne_bytes());
        let [rows, columns, ..] = parts.map(|part| part.as_chunks_mut().0);
        let write = |fields: &mut [[u8; 8]], longest: fn(&GroupSize) -> usize| {
            let mut words = 0;
            for (fields, group) in fields.chunks_exact_mut(FIELDS).zip(&part.groups) {
                let values = [words as u64, longest(group) as u64];
                fields.iter_mut().zip(values).for_each(|(to, value)| *to = value.to_ne_bytes());
                words += group_words(longest(group));
            }
        };
        write(rows, |group| group.rows);
        write(columns, |group| group.columns);
    }
}
