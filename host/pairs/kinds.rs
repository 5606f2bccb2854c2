//! Any number of different symbols on engines that compare bytes.
//!
//! A distance depends only on the equality of the symbols of its two strings. So strings are coded
//! with a byte for each symbol, anew for each part of a job whose strings together have few
//! different symbols:
//!
//! - listed pairs: each pair by itself;
//! - all pairs of two lists: as many rows as have up to 255 different symbols, and all columns,
//!   with one code for the symbols that no row has. If the engine compares codes of two bytes, rows
//!   that are not bytes get these, so that there are fewer groups.
//!
//! A pair that shares more than 254 different symbols has no such codes. The algorithm `numbers`
//! compares it on the CPU, whatever the engine. If all strings are given as bytes, they are not
//! coded.

use super::cost::{ABOVE, Cost};
use super::cpu::{numbers, pieces};
use super::engine::{EachRows, PairEngine, PutRow, in_blocks};
use super::limit::Limit;
use super::pair_codes::PairCodes;
use super::problem::Algorithm;
use super::strings::{Symbols, all_bytes};
use super::symbol_groups::{SymbolGroups, task};
use super::used::Used;
use crate::error::{Error, Result};
use crate::job::Progress;
use crate::memory;
use crate::text::numbered::{SHARED, number};
use rayon::prelude::*;
use std::hint::black_box;

/// Number of pairs that are coded and computed at a time.
const TOGETHER: usize = 1 << 18;

/// An engine that takes strings of any symbols.
pub(super) struct AnyKinds<'e> {
    pub engine: &'e dyn PairEngine,
    pub algorithm: Algorithm,
    pub cost: Cost,
    pub limit: Limit,
    pub progress: Progress<'e>,
    pub used: &'e Used,
}

/// Format for comparing a pair.
enum Coded {
    /// Both strings as given, in bytes.
    Given,
    /// Both strings in codes, with the number of symbols of each.
    Codes([usize; 2]),
    /// The strings share too many different symbols for codes.
    Many,
}

/// Some pairs in codes.
struct Part {
    pairs: Vec<Coded>,
    codes: Vec<u8>,
}

impl AnyKinds<'_> {
    /// Returns true if a distance, of two strings of these lengths, is within the least similarity.
    #[inline]
    pub(super) fn takes(&self, distance: u32, lengths: impl FnOnce() -> [usize; 2]) -> bool {
        self.limit.similarity.is_none() || self.limit.takes(self.cost, distance, lengths())
    }

    /// Computes the pairs' distances in order, [`ABOVE`] for those above the maximum.
    /// Some of the others may be below the least similarity: [`takes`](Self::takes) tells.
    pub(super) fn listed(&self, pairs: &[[Symbols<'_>; 2]]) -> Result<Vec<u32>> {
        if self.takes_numbers() {
            return self.of_many_kinds(pairs);
        }
        let is_bytes = |pair: &[Symbols<'_>; 2]| matches!(pair, [Symbols::Bytes(_), Symbols::Bytes(_)]);
        if pairs.iter().all(is_bytes) {
            let pairs: Vec<[&[u8]; 2]> = pairs.iter().map(|pair| pair.map(Symbols::as_bytes)).collect();
            return self.engine.listed(&pairs);
        }
        memory::check::<u32>(pairs.len(), "the distances")?;
        let mut distances = vec![ABOVE; pairs.len()];
        for (pairs, distances) in pairs.chunks(TOGETHER).zip(distances.chunks_mut(TOGETHER)) {
            self.listed_together(pairs, distances)?;
        }
        Ok(distances)
    }

    fn listed_together(&self, pairs: &[[Symbols<'_>; 2]], distances: &mut [u32]) -> Result<()> {
        let symbols = pairs.iter().flatten().map(Symbols::len).fold(0, usize::saturating_add);
        memory::check::<u8>(symbols.saturating_mul(2), "the codes of strings")?;
        let task = task(pairs.len(), symbols);
        let parts: Vec<Part> = pairs.par_chunks(task).map(code_pairs).collect::<Result<_>>()?;
        let (mut few, mut places, mut many) =
            (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()), vec![]);
        for ((part, own), first) in parts.iter().zip(pairs.chunks(task)).zip((0..).step_by(task)) {
            let mut rest = &part.codes[..];
            for ((coded, pair), place) in part.pairs.iter().zip(own).zip(first..) {
                match (coded, pair) {
                    (&Coded::Codes([m, n]), _) => {
                        let (a, after) = rest.split_at(m);
                        let (b, after) = after.split_at(n);
                        rest = after;
                        few.push([a, b]);
                        places.push(place);
                    }
                    (Coded::Given, &[Symbols::Bytes(a), Symbols::Bytes(b)]) => {
                        few.push([a, b]);
                        places.push(place);
                    }
                    _ => many.push(place),
                }
            }
        }
        for (place, distance) in places.into_iter().zip(self.engine.listed(&few)?) {
            distances[place] = distance;
        }
        let of_many: Vec<[Symbols<'_>; 2]> = many.iter().map(|&place| pairs[place]).collect();
        for (place, distance) in many.into_iter().zip(self.of_many_kinds(&of_many)?) {
            distances[place] = distance;
        }
        Ok(())
    }

    /// Returns true if the caller has named the algorithm for many different symbols, which then
    /// compares all pairs.
    fn takes_numbers(&self) -> bool {
        self.algorithm.name() == numbers::ALGORITHM.about.name
    }

    /// Computes the distances of pairs that share more different symbols than there are codes.
    fn of_many_kinds(&self, pairs: &[[Symbols<'_>; 2]]) -> Result<Vec<u32>> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let about = &numbers::ALGORITHM.about;
        let free = [Algorithm::AUTO.name(), about.name, pieces::ALGORITHM.about.name];
        if !free.contains(&self.algorithm.name()) {
            return Err(Error::Unsupported {
                algorithm: self.algorithm.to_string(),
                reason: format!(
                    "supports pairs that share up to {SHARED} distinct symbols; use `{}` for more",
                    about.name
                ),
            });
        }
        self.used.on_cpu(about);
        memory::check::<u32>(pairs.len(), "the distances")?;
        let distance = |pair: &[Symbols<'_>; 2]| {
            let [m, n] = pair.map(|string| string.len());
            numbers::distance(*pair, self.cost, self.limit.of(self.cost, m, n), self.progress)
        };
        pairs.par_iter().map(distance).collect()
    }

    /// Computes the distances of all rows to all columns; each pair is reported once, in any order.
    pub(super) fn tile(&self, rows: &[Symbols<'_>], columns: &[Symbols<'_>], put: PutRow<'_>) -> Result<()> {
        if self.takes_numbers() {
            return self.rows_by_pairs(rows, &(0..rows.len()).collect::<Vec<_>>(), columns, put);
        }
        if let Some([rows, columns]) = self.bytes_of(rows, columns) {
            return self.engine.tile(&rows, &columns, put);
        }
        if columns.len() < rows.len() && !self.engine.takes_two_bytes() {
            // This way round there are fewer groups of rows.
            return self.in_groups(columns, rows, &|column, rows, distances| {
                for (&row, distance) in rows.iter().zip(distances) {
                    put(row, &[column], std::slice::from_ref(distance));
                }
            });
        }
        self.in_groups(rows, columns, put)
    }

    /// Computes the distances of all rows to all columns, in groups of rows with few different
    /// symbols.
    fn in_groups(&self, rows: &[Symbols<'_>], columns: &[Symbols<'_>], put: PutRow<'_>) -> Result<()> {
        if self.engine.takes_two_bytes() {
            return self.groups_of(rows, columns, put);
        }
        // Engines sort columns by length; this sorts them once for all groups.
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.par_sort_by_key(|&column| columns[column].len());
        let sorted: Vec<Symbols<'_>> = order.iter().map(|&column| columns[column]).collect();
        let put: PutRow<'_> = &|row, numbers, distances| match successive(numbers, &order) {
            Some(columns) => put(row, columns, distances),
            None => put(row, &numbers.iter().map(|&number| order[number]).collect::<Vec<_>>(), distances),
        };
        self.groups_of(rows, &sorted, put)
    }

    fn groups_of(&self, rows: &[Symbols<'_>], columns: &[Symbols<'_>], put: PutRow<'_>) -> Result<()> {
        let by_pairs = |of_rows: &[usize]| self.rows_by_pairs(rows, of_rows, columns, put);
        SymbolGroups { engine: self.engine, rows, columns, put, by_pairs: &by_pairs }.compare()
    }

    /// Compares some rows, given by their numbers, with all columns pair by pair.
    fn rows_by_pairs(
        &self,
        rows: &[Symbols<'_>],
        numbers: &[usize],
        columns: &[Symbols<'_>],
        put: PutRow<'_>,
    ) -> Result<()> {
        let all: Vec<usize> = (0..columns.len()).collect();
        for own in numbers.chunks((TOGETHER / columns.len().max(1)).max(1)) {
            for part in all.chunks(TOGETHER) {
                let of = |&row: &usize| part.iter().map(move |&column| [rows[row], columns[column]]);
                let pairs: Vec<[Symbols<'_>; 2]> = own.iter().flat_map(of).collect();
                for (&row, distances) in own.iter().zip(self.listed(&pairs)?.chunks(part.len())) {
                    put(row, part, distances);
                }
            }
        }
        Ok(())
    }

    /// Calls `each` with blocks of rows of the matrix of distances, as [`PairEngine::all`].
    pub(super) fn all(&self, a: &[Symbols<'_>], b: &[Symbols<'_>], each: EachRows<'_>) -> Result<()> {
        match self.bytes_of(a, b) {
            Some([a, b]) => self.engine.all(&a, &b, each),
            None => in_blocks(self.engine.block(), a, b, &|rows, columns, put| self.tile(rows, columns, put), each),
        }
    }

    /// Does the same as [`tile`](Self::tile), but with large parts of rows for `put`.
    pub(super) fn all_in_parts(&self, a: &[Symbols<'_>], b: &[Symbols<'_>], put: PutRow<'_>) -> Result<()> {
        match self.bytes_of(a, b) {
            Some([a, b]) => self.engine.tile(&a, &b, put),
            None if self.engine.takes_two_bytes() => self.tile(a, b, put),
            None => self.all(a, b, &mut |rows| {
                rows.put(put);
                Ok(())
            }),
        }
    }

    /// Returns two lists as bytes, if the engine takes them so.
    fn bytes_of<'s>(&self, a: &[Symbols<'s>], b: &[Symbols<'s>]) -> Option<[Vec<&'s [u8]>; 2]> {
        if self.takes_numbers() { None } else { Some([all_bytes(a)?, all_bytes(b)?]) }
    }
}

/// Returns the part of a list that has these numbers, if they are consecutive.
fn successive<'l>(numbers: &[usize], list: &'l [usize]) -> Option<&'l [usize]> {
    let first = *numbers.first()?;
    let follow = numbers.iter().zip(first..).all(|(number, next)| *number == next);
    if follow { list.get(first..first + numbers.len()) } else { None }
}

/// Number of pairs whose strings are read at a time.
const TOUCHED: usize = 16;

/// Reads the first symbol of each string. Strings of near pairs are far from one another in memory,
/// and here their reads overlap.
fn touch(pairs: &[[Symbols<'_>; 2]]) {
    let first = |string: &Symbols<'_>| match string {
        Symbols::Bytes(bytes) => bytes.first().copied().map_or(0, u32::from),
        Symbols::Numbers(numbers) => numbers.first().copied().unwrap_or(0),
    };
    black_box(pairs.iter().flatten().fold(0, |all, string| all ^ first(string)));
}

/// Codes pairs; a pair that needs too many codes for that gets codes for the symbols that both its
/// strings have.
fn code_pairs(pairs: &[[Symbols<'_>; 2]]) -> Result<Part> {
    let mut codes = PairCodes::new();
    let mut part = Part { pairs: Vec::with_capacity(pairs.len()), codes: Vec::new() };
    for (at, pair) in pairs.iter().enumerate() {
        if at.is_multiple_of(TOUCHED) {
            touch(&pairs[at..pairs.len().min(at + TOUCHED)]);
        }
        if let [Symbols::Bytes(_), Symbols::Bytes(_)] = pair {
            part.pairs.push(Coded::Given);
            continue;
        }
        let mut coded = codes.code(*pair, &mut part.codes);
        if !coded {
            let [a, b] = pair.map(Symbols::to_numbers);
            if let Some(both) = number(&a, &b)?.bytes() {
                both.iter().for_each(|string| part.codes.extend_from_slice(string));
                coded = true;
            }
        }
        part.pairs.push(if coded { Coded::Codes(pair.map(|string| string.len())) } else { Coded::Many });
    }
    Ok(part)
}

#[cfg(all(test, feature = "simt"))]
mod tests {
    use super::super::{Near, Pairs, naive};
    use super::*;
    use crate::device::Simt;

    /// Returns random strings over `kinds` different symbols; half of them are near others.
    fn strings(count: usize, longest: usize, kinds: u32, random: &mut fastrand::Rng) -> Vec<Vec<u32>> {
        let mut list: Vec<Vec<u32>> = Vec::new();
        for number in 0..count {
            let kind = |random: &mut fastrand::Rng| match kinds {
                0..100 => random.u32(..kinds),
                // Spread over all numbers.
                _ => random.u32(..kinds).wrapping_mul(0x9e37_79b1),
            };
            let mut string: Vec<u32> = match number % 4 {
                1 | 2 => list[random.usize(..number)].clone(),
                _ => (0..random.usize(..=longest)).map(|_| kind(random)).collect(),
            };
            for _ in 0..random.usize(..4) {
                let at = random.usize(..=string.len());
                match random.u8(..3) {
                    0 if at < string.len() => drop(string.remove(at)),
                    1 if at < string.len() => string[at] = kind(random),
                    _ => string.insert(at, kind(random)),
                }
            }
            list.push(string);
        }
        list
    }

    /// Strings as a caller gives them: most as bytes where possible.
    struct Given(Vec<(Vec<u8>, Vec<u32>)>);

    impl Given {
        fn new(list: &[Vec<u32>]) -> Self {
            let bytes =
                |string: &Vec<u32>| string.iter().map(|&n| u8::try_from(n)).collect::<std::result::Result<_, _>>();
            Self(list.iter().map(|string| (bytes(string).unwrap_or_default(), string.clone())).collect())
        }

        fn symbols(&self) -> Vec<Symbols<'_>> {
            let of = |(number, (bytes, numbers)): (usize, &'_ (Vec<u8>, Vec<u32>))| {
                (bytes.len() == numbers.len() && number % 5 > 0, number)
            };
            let given = self.0.iter().enumerate().map(of);
            given
                .map(
                    |(is_bytes, n)| {
                        if is_bytes { Symbols::Bytes(&self.0[n].0) } else { Symbols::Numbers(&self.0[n].1) }
                    },
                )
                .collect()
        }
    }

    fn check(job: &Pairs<'_>, a: &[Vec<u32>], b: &[Vec<u32>]) {
        let distance = |x: &[u32], y: &[u32], maximum| naive::distance(x, y, job.cost, maximum);
        let optional = |distance: u32| Some(distance).filter(|&distance| distance != ABOVE);
        let (given_a, given_b) = (Given::new(a), Given::new(b));
        let (of_a, of_b) = (given_a.symbols(), given_b.symbols());
        let expected: Vec<Vec<Option<u32>>> =
            a.iter().map(|x| b.iter().map(|y| optional(distance(x, y, job.maximum))).collect()).collect();
        assert_eq!(job.matrix(&of_a, &of_b).unwrap(), expected);
        let pairs: Vec<_> = of_a.iter().flat_map(|&x| of_b.iter().map(move |&y| (x, y))).collect();
        assert_eq!(job.listed(&pairs).unwrap(), expected.concat());
        let near = |near: &[Near]| near.iter().map(|near| (near.distance, near.b)).collect::<Vec<_>>();
        for (found, row) in job.nearest(&of_a, &of_b, 3).unwrap().iter().zip(&expected) {
            let mut all: Vec<_> = row.iter().enumerate().filter_map(|(b, distance)| Some(((*distance)?, b))).collect();
            all.sort_unstable();
            all.truncate(3);
            assert_eq!(near(found), all);
        }
        let mut within = Vec::new();
        for (number, x) in a.iter().enumerate() {
            for (other, y) in a.iter().enumerate().skip(number + 1) {
                within.extend(optional(distance(x, y, Some(3))).map(|distance| Near { a: number, b: other, distance }));
            }
        }
        assert_eq!(job.clone().maximum(3).within(&of_a).unwrap(), within);
        let mut joined = Vec::new();
        for (a, x) in a.iter().enumerate() {
            let near = b.iter().enumerate().map(|(b, y)| (b, distance(x, y, Some(3))));
            joined.extend(near.filter_map(|(b, distance)| Some(Near { a, b, distance: optional(distance)? })));
        }
        assert_eq!(job.clone().maximum(3).join(&of_a, &of_b).unwrap(), joined);
        // A cluster's strings are those that the pairs above connect.
        let clusters = job.clone().maximum(3).clusters(&of_a).unwrap();
        let mut cluster_of = vec![usize::MAX; a.len()];
        for (cluster, member) in
            clusters.iter().flat_map(|members| members.iter().map(|member| (members[0].number, member)))
        {
            cluster_of[member.number] = cluster;
            assert_eq!(member.distance, distance(&a[cluster], &a[member.number], None));
        }
        assert!(within.iter().all(|near| cluster_of[near.a] == cluster_of[near.b]));
        let mut joined: Vec<usize> = (0..a.len()).collect();
        for _ in 0..a.len() {
            within.iter().for_each(|near| joined[near.b.max(near.a)] = joined[near.a].min(joined[near.b]));
            within.iter().rev().for_each(|near| joined[near.a] = joined[near.a].min(joined[near.b]));
        }
        assert_eq!(cluster_of, joined);
    }

    #[test]
    fn any_number_of_kinds() {
        let mut random = fastrand::Rng::with_seed(11);
        for kinds in [10, 200, 257, 3_000, 100_000] {
            // Long enough for more different symbols in one string than there are bytes.
            for (count, longest) in [(30, 30), (4, 500)] {
                let (a, b) =
                    (strings(count, longest, kinds, &mut random), strings(count + 5, longest, kinds, &mut random));
                for cost in naive::COSTS {
                    for maximum in [None, Some(6)] {
                        let job = Pairs { maximum, ..Pairs::new().cost(cost) };
                        check(&job, &a, &b);
                        check(&job, &b, &a[..1]);
                    }
                }
            }
        }
    }

    /// Enough strings for a bit lane each, of few and of many symbols, and one with thousands.
    #[test]
    fn tables_of_many_kinds() {
        let mut random = fastrand::Rng::with_seed(15);
        for (kinds, longest) in [(2_000, 12), (40_000, 70)] {
            let mut a = strings(150, longest, kinds, &mut random);
            a.extend(strings(20, longest, 26, &mut random));
            a.push((0..20_000).collect());
            let b = [&a[..], &strings(700, longest, kinds, &mut random)].concat();
            let (given_a, given_b) = (Given::new(&a), Given::new(&b));
            for (cost, maximum) in naive::COSTS.into_iter().zip([None, Some(6), None]) {
                let job = Pairs { maximum, ..Pairs::new().cost(cost) };
                let distances = job.matrix(&given_a.symbols(), &given_b.symbols()).unwrap();
                let turned = job.matrix(&given_b.symbols(), &given_a.symbols()).unwrap();
                // The table of the long string takes long.
                for (x, row) in a[..170].iter().enumerate().step_by(3) {
                    for (y, column) in b.iter().enumerate().filter(|(y, _)| *y != 170) {
                        let expected = naive::distance(row, column, cost, maximum);
                        let expected = Some(expected).filter(|&distance| distance != ABOVE);
                        assert_eq!((distances[x][y], turned[y][x]), (expected, expected), "{cost:?} {x} {y}");
                    }
                }
            }
        }
    }

    /// Many strings, so that candidates are found by their pieces.
    #[test]
    fn candidates_of_many_kinds() {
        let mut random = fastrand::Rng::with_seed(12);
        let list = strings(400, 60, 5_000, &mut random);
        let given = Given::new(&list);
        let found = Pairs::new().maximum(2).within(&given.symbols()).unwrap();
        let mut expected = Vec::new();
        for (a, x) in list.iter().enumerate() {
            for (b, y) in list.iter().enumerate().skip(a + 1) {
                let distance =
                    if x.len().abs_diff(y.len()) > 2 { 3 } else { naive::distance(x, y, Cost::Levenshtein, None) };
                expected.extend((distance <= 2).then_some(Near { a, b, distance }));
            }
        }
        assert!(expected.len() > 100);
        assert_eq!(found, expected);
        // The second half against all: candidates of two lists.
        let symbols = given.symbols();
        let joined = Pairs::new().maximum(2).join(&symbols[200..], &symbols).unwrap();
        let after = joined.iter().filter(|near| near.a + 200 < near.b);
        let after: Vec<Near> = after.map(|&near| Near { a: near.a + 200, ..near }).collect();
        let expected: Vec<Near> = expected.into_iter().filter(|near| near.a >= 200).collect();
        assert_eq!(
            (after.len(), joined.len()),
            (expected.len(), joined.iter().filter(|near| near.b < 200).count() + 200 + 2 * expected.len())
        );
        assert_eq!(after, expected);
    }

    #[test]
    fn any_number_of_kinds_on_the_simulator() {
        let mut random = fastrand::Rng::with_seed(13);
        for (kinds, cost) in [(300, Cost::Levenshtein), (100_000, Cost::Indel)] {
            let (mut a, mut b) = (strings(5, 9, kinds, &mut random), strings(6, 9, kinds, &mut random));
            a.push((0x4e00..0x4e00 + 300).collect());
            b.push((0x4e01..0x4e00 + 300).collect());
            check(&Pairs::new().cost(cost).maximum(5).on(&Simt::new()), &a, &b);
        }
    }

    /// Rows with hundreds of different symbols do not change the results of other rows.
    #[test]
    fn other_rows_change_nothing() {
        let mut random = fastrand::Rng::with_seed(14);
        let list = strings(30, 20, 90, &mut random);
        let (alone, mut more) = (Given::new(&list), list.clone());
        more.push((0x4e00..0x4e00 + 300).collect());
        more.insert(0, (0..2000).collect());
        let more = Given::new(&more);
        let (alone, more) = (alone.symbols(), more.symbols());
        let job = Pairs::new();
        let near = job.clone().maximum(9);
        for (row, with_more) in job.matrix(&alone, &alone).unwrap().iter().zip(&job.matrix(&more, &more).unwrap()[1..])
        {
            assert_eq!(row[..], with_more[1..31]);
        }
        let moved = |near: &Near| Near { a: near.a + 1, b: near.b + 1, distance: near.distance };
        let within: Vec<Near> = near.within(&alone).unwrap().iter().map(moved).collect();
        assert_eq!(near.within(&more).unwrap(), within);
        assert!(within.len() > 10);
    }
}
