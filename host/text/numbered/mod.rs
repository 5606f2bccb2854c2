//! Items of any type as numbers: equal items of two sequences have equal numbers.
//!
//! [`number`] numbers long sequences on all threads (`parts`), and short ones one item after the
//! other.

mod items;
mod parts;

use crate::error::UsageFault;
use crate::{Result, memory, threads};
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;
use std::hash::{BuildHasher, Hash};

pub(crate) use items::Items;

/// Two sequences as numbers. See the [example](number).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// Number of each item of the first sequence.
    pub a: Vec<u32>,
    /// Number of each item of the second sequence.
    pub b: Vec<u32>,
    /// Number of different items. All numbers are below it.
    pub kinds: u32,
}

/// The most kinds of items that both sequences may share if each kind has a code of one byte. The
/// other two codes are for items of one sequence alone.
pub const SHARED: u32 = 254;

impl Numbered {
    /// Returns both sequences with one byte for each item: an item of A equals an item of B if
    /// their bytes are equal. Items of A alone share a byte, and items of B alone share another.
    /// `None` if the sequences share more than [`SHARED`] kinds. O(items).
    ///
    /// ```
    /// use carrywave::text::numbered::number;
    ///
    /// let [a, b] = number(&["to", "be", "or"], &["not", "to", "be"])?.bytes().unwrap();
    /// assert_eq!(carrywave::distance::distance(&a, &b)?, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn bytes(&self) -> Option<[Vec<u8>; 2]> {
        const ONLY_A: u8 = 254;
        const ONLY_B: u8 = 255;
        const SEEN: u16 = 256;
        const UNSEEN: u16 = 257;
        let mut codes = vec![UNSEEN; self.kinds as usize];
        for &number in &self.a {
            codes[number as usize] = SEEN;
        }
        let mut shared = 0;
        for &number in &self.b {
            let code = &mut codes[number as usize];
            match *code {
                SEEN if u32::from(shared) == SHARED => return None,
                SEEN => (*code, shared) = (shared, shared + 1),
                _ => {}
            }
        }
        let bytes = |numbers: &[u32], only: u8| {
            let code = |&number: &u32| u8::try_from(codes[number as usize]).unwrap_or(only);
            threads::run(|| numbers.par_iter().with_min_len(PARALLEL).map(code).collect())
        };
        Some([bytes(&self.a, ONLY_A), bytes(&self.b, ONLY_B)])
    }
}

/// Minimum number of items, of both sequences together, for several threads.
const PARALLEL: usize = 1 << 17;

/// Minimum number of threads that number items side by side. Two threads take as long as one, which
/// hashes few items of B if A and B are similar.
const THREADS: usize = 3;

/// The items of two slices, one after the other.
struct Two<'i, T> {
    a: &'i [T],
    b: &'i [T],
}

impl<T> Clone for Two<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Two<'_, T> {}

impl<'i, T: Eq + Hash + Sync> Items<'i> for Two<'i, T> {
    type Item = &'i T;

    fn len(&self) -> usize {
        self.a.len() + self.b.len()
    }

    fn item(&self, at: usize) -> &'i T {
        if at < self.a.len() { &self.a[at] } else { &self.b[at - self.a.len()] }
    }
}

/// Numbers the items of two sequences from 0 on, in order of first appearance, A before B. Equal
/// items have equal numbers.
///
/// The hash table has a random seed, so that no input can slow it down on purpose; the numbers
/// depend neither on the seed nor on the number of threads. An item is hashed at most once. On few
/// threads, an item of B is first compared with the item of A after the previous match, which is
/// equal within a common stretch, and is near in memory. Long sequences are numbered by all threads
/// of the current rayon pool. O(items) expected.
///
/// ```
/// use carrywave::text::numbered::number;
///
/// let numbered = number(&["to", "be", "or"], &["not", "to", "be"])?;
/// assert_eq!((numbered.a, numbered.b, numbered.kinds), (vec![0, 1, 2], vec![3, 0, 1], 4));
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// [`Error::Usage`](crate::Error::Usage) of the kind [`TooLarge`](UsageFault::TooLarge) for more
/// than 2^32 - 1 different items, [`Error::Memory`](crate::Error::Memory).
pub fn number<T: Eq + Hash + Sync>(a: &[T], b: &[T]) -> Result<Numbered> {
    number_items(Two { a, b }, a.len())
}

/// Numbers items as [`number`] does: the first `len_a` are those of A, the others those of B.
///
/// # Errors
/// As for [`number`].
pub(crate) fn number_items<'i>(items: impl Items<'i>, len_a: usize) -> Result<Numbered> {
    if items.len() >= PARALLEL
        && items.len() <= u32::MAX as usize
        && let Some(numbered) = threads::run(|| number_in_parallel(items, len_a))?
    {
        return Ok(numbered);
    }
    let mut numbers = Numbers::new();
    let a = numbers.number_all((0..len_a).map(|at| items.item(at)), &[])?;
    let b = numbers.number_all((len_a..items.len()).map(|at| items.item(at)), &a)?;
    // At most `most` numbers exist.
    Ok(Numbered { a, b, kinds: numbers.first.len() as u32 })
}

/// Numbers items on all threads; `None` if there are too few threads, or if different items have
/// the same hash.
fn number_in_parallel<'i>(items: impl Items<'i>, len_a: usize) -> Result<Option<Numbered>> {
    if rayon::current_num_threads() < THREADS {
        return Ok(None);
    }
    let mut a = memory::filled(len_a, 0, NUMBERS)?;
    let mut b = memory::filled(items.len() - len_a, 0, NUMBERS)?;
    let kinds = parts::number(items, [&mut a, &mut b], &RandomState::default())?;
    Ok(kinds.map(|kinds| Numbered { a, b, kinds }))
}

/// Name of the numbers in an error.
const NUMBERS: &str = "the numbers of lines, words or other items";

/// Numbers the items of several sequences: equal items of any of them have equal numbers, as in
/// [`number`].
///
/// ```
/// use carrywave::text::numbered::number_lists;
///
/// let lists = [&["to", "be"][..], &["not", "to", "be"]];
/// assert_eq!(number_lists(lists)?, [vec![0, 1], vec![2, 0, 1]]);
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As for [`number`].
pub fn number_lists<'l, T: Eq + Hash + 'l>(lists: impl IntoIterator<Item = &'l [T]>) -> Result<Vec<Vec<u32>>> {
    let mut numbers = Numbers::new();
    lists.into_iter().map(|list| numbers.number_all(list.iter(), &[])).collect()
}

struct Numbers<T> {
    hasher: RandomState,
    /// Half of an item's hash, and its number.
    table: HashTable<(u32, u32)>,
    /// First item with each number.
    first: Vec<T>,
    /// Upper bound on the numbers.
    most: u32,
}

/// Extends half of a hash to 64 bits, with bits in the positions that the table uses: the lowest
/// and the highest.
fn spread(half: u32) -> u64 {
    u64::from(half) << 32 | u64::from(half)
}

/// Returns the first position of each number in a sequence that has them in the order of their
/// appearance.
fn places(numbers: &[u32]) -> Result<Vec<u32>> {
    let mut places = Vec::new();
    for (at, &number) in numbers.iter().enumerate() {
        if number as usize == places.len() {
            memory::reserve(&mut places, 1, "the places of different lines, words or other items")?;
            // Beyond 2^32 the position wraps, and is only a guess that fails.
            places.push(at as u32);
        }
    }
    Ok(places)
}

impl<T: Eq + Hash> Numbers<T> {
    fn new() -> Self {
        Self { hasher: RandomState::default(), table: HashTable::new(), first: Vec::new(), most: u32::MAX }
    }

    /// Does not look up items that are in the same order as in `other`, which is numbered already.
    fn number_all(&mut self, items: impl ExactSizeIterator<Item = T>, other: &[u32]) -> Result<Vec<u32>> {
        let mut numbers = Vec::new();
        memory::reserve(&mut numbers, items.len(), NUMBERS)?;
        let places = places(other)?;
        // Position of the next item in `other`, if both sequences continue alike.
        let mut expected = usize::MAX;
        for item in items {
            let guess = other.get(expected).filter(|&&number| self.first.get(number as usize) == Some(&item));
            let number = match guess {
                Some(&number) => number,
                None => {
                    let number = self.number(item)?;
                    // An item that `other` lacks replaces an item or is inserted; then the next
                    // item is looked up.
                    expected = places.get(number as usize).map_or(expected, |&place| place as usize);
                    number
                }
            };
            expected = expected.saturating_add(1);
            numbers.push(number);
            if numbers.len().is_multiple_of(threads::CHECK) {
                threads::check();
            }
        }
        Ok(numbers)
    }

    /// Returns the number of an item, a new one if it has none yet.
    fn number(&mut self, item: T) -> Result<u32> {
        let half = (self.hasher.hash_one(&item) >> 32) as u32;
        if self.table.len() == self.table.capacity() {
            self.grow()?;
        }
        let first = &self.first;
        let is_same = |&(other, number): &(u32, u32)| other == half && first.get(number as usize) == Some(&item);
        match self.table.entry(spread(half), is_same, |&(half, _)| spread(half)) {
            Entry::Occupied(entry) => Ok(entry.get().1),
            Entry::Vacant(entry) => {
                let number = u32::try_from(first.len()).ok().filter(|&number| number < self.most);
                let Some(number) = number else {
                    return Err(UsageFault::TooLarge.error(format!("too many distinct items: more than {}", self.most)));
                };
                entry.insert((half, number));
                memory::reserve(&mut self.first, 1, "different lines, words or other items")?;
                self.first.push(item);
                Ok(number)
            }
        }
    }

    /// Makes the table twice as large.
    #[cold]
    fn grow(&mut self) -> Result<()> {
        let more = self.table.len().max(1 << 10);
        // A slot takes an entry and a byte, and up to half of the slots stay empty.
        memory::check::<[u8; 9]>(4 * more, "a table of different lines, words or other items")?;
        self.table.reserve(more, |&(half, _)| spread(half));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn equal_items_have_equal_numbers_in_the_order_of_their_appearance() {
        let mut random = fastrand::Rng::with_seed(1);
        for kinds in [1, 2, 50, 5_000, 100_000] {
            let mut items = |len: usize| (0..len).map(|_| random.u32(..kinds).to_string()).collect::<Vec<_>>();
            let (a, b) = (items(20_000), items(3_000));
            let mut known = HashMap::new();
            let mut expected = |items: &[String]| {
                let number = |item: &String| {
                    let next = known.len() as u32;
                    *known.entry(item.clone()).or_insert(next)
                };
                items.iter().map(number).collect::<Vec<_>>()
            };
            let (expected_a, expected_b) = (expected(&a), expected(&b));
            let numbered = number(&a, &b).unwrap();
            assert_eq!(numbered, Numbered { a: expected_a, b: expected_b, kinds: known.len() as u32 }, "{kinds} kinds");
        }
        assert_eq!(number::<u8>(&[], &[]).unwrap(), Numbered { a: vec![], b: vec![], kinds: 0 });
    }

    /// Long sequences have the same numbers from any number of threads: those of one thread.
    #[test]
    fn numbers_do_not_depend_on_the_threads() {
        let mut random = fastrand::Rng::with_seed(3);
        for (kinds, len_a, len_b) in [
            (1, PARALLEL, 0),
            (2, 0, PARALLEL),
            (1000, 150_000, 90_001),
            (300_000, 65_536, 200_000),
            (u32::MAX, 200_000, 70_000),
        ] {
            let mut items = |len: usize| (0..len).map(|_| random.u32(..kinds)).collect::<Vec<_>>();
            let a = items(len_a);
            let mut b = items(len_b);
            // A stretch in common.
            let common = len_a.min(len_b) / 2;
            b[..common].copy_from_slice(&a[len_a - common..]);
            let on = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| number(&a, &b)).unwrap()
            };
            let expected = on(1);
            for threads in [2, 3, 5] {
                assert!(on(threads) == expected, "{kinds} kinds, {threads} threads");
            }
        }
    }

    /// Different items with equal hashes, in sequences that several threads number.
    #[test]
    fn equal_hashes_of_long_sequences_are_told_apart() {
        #[derive(PartialEq, Eq)]
        struct Item(u32);
        impl Hash for Item {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                // The last two items have the same hash.
                self.0.min(PARALLEL as u32).hash(state);
            }
        }
        let items: Vec<Item> = (0..PARALLEL as u32 + 2).map(Item).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let numbered = pool.install(|| number(&items, &items[1..])).unwrap();
        assert!(numbered.a == (0..PARALLEL as u32 + 2).collect::<Vec<_>>());
        assert!(numbered.b == numbered.a[1..]);
    }

    /// B continues as A does, has other items, or goes back, among items that occur many times: the
    /// numbers are the same as without using A's order.
    #[test]
    fn stretches_in_common_have_the_same_numbers() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..200 {
            let kinds = [3, 30, 1000][random.usize(..3)];
            let a: Vec<u32> = (0..random.usize(..300)).map(|_| random.u32(..kinds)).collect();
            let mut b = Vec::new();
            while b.len() < 300 {
                let from = random.usize(..=a.len());
                b.extend_from_slice(&a[from..a.len().min(from + random.usize(..50))]);
                b.extend((0..random.usize(..3)).map(|_| random.u32(..kinds + 5)));
            }
            let numbered = number(&a, &b).unwrap();
            let both = number(&[&a[..], &b[..]].concat(), &[]).unwrap();
            assert_eq!([numbered.a, numbered.b].concat(), both.a, "{a:?} {b:?}");
            assert_eq!(numbered.kinds, both.kinds);
        }
    }

    /// Different items with equal hashes.
    #[test]
    fn items_with_equal_hashes_are_told_apart() {
        #[derive(PartialEq, Eq)]
        struct Item(u32);
        impl Hash for Item {
            fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
        }
        let items: Vec<Item> = (0..200).map(Item).collect();
        let numbered = number(&items, &items[100..]).unwrap();
        assert_eq!((numbered.a, numbered.b), ((0..200).collect(), (100..200).collect()));
    }

    #[test]
    fn too_many_kinds_are_an_error() {
        let mut numbers =
            Numbers { hasher: RandomState::default(), table: HashTable::new(), first: Vec::new(), most: 3 };
        assert_eq!(numbers.number_all([5, 6, 5, 7].into_iter(), &[]).unwrap(), [0, 1, 0, 2]);
        assert!(matches!(numbers.number_all([8].into_iter(), &[0, 1]), Err(crate::Error::Usage { .. })));
        assert_eq!(numbers.number_all([7].into_iter(), &[0, 1]).unwrap(), [2]);
    }
}
