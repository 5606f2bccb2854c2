//! Numbers by several threads: the same numbers as those of one thread.
//!
//! 1. Each thread takes parts of the sequences, and numbers the items of a part from 0 in order of
//!    first appearance. It compares only their hashes, of 64 bits.
//! 2. The bits of a hash choose one of [`SHARDS`] shards. Each shard finds the first part that has
//!    each of its hashes.
//! 3. A part gives numbers to the hashes that no earlier part has, from the count of all those in
//!    earlier parts on. So the numbers are in order of first appearance in the sequences.
//! 4. Each item is compared with the first item of its number. Different items with one hash, of
//!    which 20 million items have a pair in one of 100,000 runs, are an error that the caller
//!    repairs: it numbers the items one after the other.

use super::items::Items;
use crate::{Result, memory, threads};
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;
use std::hash::BuildHasher;
use std::ops::Range;

/// Number of items of a part: its table fits into a core's cache.
const PART: usize = 1 << 16;

/// Number of shards. With 10 million different hashes, the table of a shard fits into that cache.
const SHARDS: usize = 256;

/// Memory for an item that differs from all others, in bytes: its hash, its entry in both tables,
/// its positions in the orders of its part and its shard, its numbers, and its first position.
const BYTES_PER_ITEM: usize = 48;

/// Returns the shard of a hash: bits that the tables do not use first.
fn shard_of(hash: u64) -> usize {
    (hash >> 40) as usize % SHARDS
}

/// Returns the position of a hash in `hashes`, and appends a new one. `table` has these positions.
fn kind_of(hash: u64, hashes: &mut Vec<u64>, table: &mut HashTable<u32>) -> u32 {
    let hash_of = |&kind: &u32| hashes.get(kind as usize).copied().unwrap_or_default();
    match table.entry(hash, |kind| hash_of(kind) == hash, hash_of) {
        Entry::Occupied(entry) => *entry.get(),
        Entry::Vacant(entry) => {
            let kind = hashes.len() as u32;
            entry.insert(kind);
            hashes.push(hash);
            kind
        }
    }
}

/// The different hashes of a part.
struct Kinds {
    /// Each hash once, in order of first appearance.
    hashes: Vec<u64>,
    /// Positions in `hashes`, by shards.
    order: Vec<u32>,
    /// Start of each shard in `order`, and the end of the last one.
    starts: Vec<u32>,
}

impl Kinds {
    /// Numbers the items of a part from 0 on.
    fn new<'i>(
        items: impl Items<'i>,
        from: usize,
        numbers: &mut [u32],
        table: &mut HashTable<u32>,
        hasher: &RandomState,
    ) -> Self {
        let mut hashes: Vec<u64> = Vec::new();
        table.clear();
        for (at, number) in (from..).zip(numbers) {
            *number = kind_of(hasher.hash_one(items.item(at)), &mut hashes, table);
        }
        let mut starts = vec![0; SHARDS + 1];
        hashes.iter().for_each(|&hash| starts[shard_of(hash) + 1] += 1);
        (0..SHARDS).for_each(|shard| starts[shard + 1] += starts[shard]);
        let mut next = starts.clone();
        let mut order = vec![0; hashes.len()];
        for (kind, &hash) in (0..).zip(&hashes) {
            let next = &mut next[shard_of(hash)];
            order[*next as usize] = kind;
            *next += 1;
        }
        Self { hashes, order, starts }
    }

    /// Returns the kinds of a shard, as positions in `hashes`.
    fn of_shard(&self, shard: usize) -> &[u32] {
        &self.order[self.starts[shard] as usize..self.starts[shard + 1] as usize]
    }
}

/// The hashes of one shard, in all parts.
struct Shard {
    /// Kind of each of the shard's hashes, for one part after the other.
    kinds: Vec<u32>,
    /// Start of each part in `kinds`, and the end of the last one.
    starts: Vec<usize>,
    /// The first part that has each kind, and the position in its `hashes`.
    firsts: Vec<First>,
    /// Start in `firsts` of the kinds that each part has first, and the end of the last one.
    first_starts: Vec<usize>,
}

#[derive(Clone, Copy)]
struct First {
    part: u32,
    kind: u32,
}

impl Shard {
    fn new(shard: usize, parts: &[Kinds]) -> Self {
        let count = parts.iter().map(|part| part.of_shard(shard).len()).sum();
        let mut all =
            Self { kinds: Vec::with_capacity(count), starts: vec![0], firsts: Vec::new(), first_starts: vec![0] };
        let mut hashes: Vec<u64> = Vec::new();
        let mut table = HashTable::new();
        for (number, part) in (0..).zip(parts) {
            for &own in part.of_shard(shard) {
                let known = hashes.len();
                all.kinds.push(kind_of(part.hashes[own as usize], &mut hashes, &mut table));
                if hashes.len() > known {
                    all.firsts.push(First { part: number, kind: own });
                }
            }
            all.starts.push(all.kinds.len());
            all.first_starts.push(all.firsts.len());
        }
        all
    }

    /// Returns the kinds of a part.
    fn of_part(&self, part: usize) -> &[u32] {
        &self.kinds[self.starts[part]..self.starts[part + 1]]
    }

    /// Returns the kinds that a part has first.
    fn first_in(&self, part: usize) -> &[First] {
        &self.firsts[self.first_starts[part]..self.first_starts[part + 1]]
    }
}

/// Some items, and their numbers.
struct Part<'n> {
    /// Position of the first item.
    from: usize,
    numbers: &'n mut [u32],
}

/// Numbers the items from 0 on, in order of first appearance: writes the numbers into `numbers`,
/// slices for consecutive items, and returns how many there are. `None` if two different items have
/// the same hash.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(super) fn number<'i>(items: impl Items<'i>, numbers: [&mut [u32]; 2], hasher: &RandomState) -> Result<Option<u32>> {
    memory::check::<[u8; BYTES_PER_ITEM]>(items.len(), "a table of different lines, words or other items")?;
    let stop = threads::stop();
    let mut from = 0;
    let mut parts = Vec::new();
    for numbers in numbers.into_iter().flat_map(|numbers| numbers.chunks_mut(PART)) {
        let len = numbers.len();
        parts.push(Part { from, numbers });
        from += len;
    }
    let kinds: Vec<Kinds> = parts
        .par_iter_mut()
        .map_init(HashTable::new, |table, part| {
            stop.check();
            Kinds::new(items, part.from, part.numbers, table, hasher)
        })
        .collect();
    let shards: Vec<Shard> = (0..SHARDS).into_par_iter().map(|shard| Shard::new(shard, &kinds)).collect();
    stop.check();
    // Numbers that begin in each part.
    let mut ranges: Vec<Range<u32>> = Vec::with_capacity(parts.len());
    for part in 0..parts.len() {
        let start = ranges.last().map_or(0, |range| range.end);
        let count: usize = shards.iter().map(|shard| shard.first_in(part).len()).sum();
        ranges.push(start..start + count as u32);
    }
    let count = ranges.last().map_or(0, |range| range.end);
    // First position of each number.
    let mut places = vec![0; count as usize];
    let mut numbers = first_numbers(&parts, &kinds, &shards, &ranges, &mut places);
    let numbers_of_shards: Vec<Vec<u32>> = shards
        .par_iter()
        .map(|shard| shard.firsts.iter().map(|first| numbers[first.part as usize][first.kind as usize]).collect())
        .collect();
    let are_equal = numbers.par_iter_mut().zip(&mut parts).enumerate().all(|(at, (numbers, part))| {
        stop.check();
        for (shard, (kinds_of_shard, of_shard)) in shards.iter().zip(&numbers_of_shards).enumerate() {
            for (&own, &kind) in kinds[at].of_shard(shard).iter().zip(kinds_of_shard.of_part(at)) {
                numbers[own as usize] = of_shard[kind as usize];
            }
        }
        (part.from..).zip(part.numbers.iter_mut()).all(|(at, number)| {
            *number = numbers[*number as usize];
            let first = places[*number as usize] as usize;
            first == at || items.are_equal(first, at)
        })
    });
    Ok(are_equal.then_some(count))
}

/// Returns, for each part, the numbers of the hashes that it has first, at their positions in its
/// `hashes`. Writes the first position of each number into `places`.
fn first_numbers(
    parts: &[Part<'_>],
    kinds: &[Kinds],
    shards: &[Shard],
    ranges: &[Range<u32>],
    places: &mut [u32],
) -> Vec<Vec<u32>> {
    const LATER: u32 = u32::MAX;
    let places: Vec<_> = threads::parts_mut(places, ranges.iter().map(ExactSizeIterator::len)).collect();
    let of_part = |(at, places): (usize, &mut [u32])| {
        let mut numbers = vec![LATER; kinds[at].hashes.len()];
        let firsts = shards.iter().flat_map(|shard| shard.first_in(at));
        firsts.for_each(|first| numbers[first.kind as usize] = 0);
        let mut next = ranges[at].start;
        let mut places = places.iter_mut();
        let mut seen = 0;
        for (place, &kind) in (parts[at].from..).zip(parts[at].numbers.iter()) {
            // The part's own numbers appear in order.
            if kind as usize != seen {
                continue;
            }
            if numbers[seen] != LATER
                && let Some(first) = places.next()
            {
                numbers[seen] = next;
                *first = place as u32;
                next += 1;
            }
            seen += 1;
        }
        numbers
    };
    places.into_par_iter().enumerate().map(of_part).collect()
}
