//! Whole records: the records (or lines) that match a pattern from the first symbol to the last
//! with at most k errors.
//!
//! A record is compared with a pattern only if the difference of their lengths is within the
//! limits. If there are many patterns, only those that share a piece with the record are compared
//! (`pieces`). Then the edit distance is computed in a band about the diagonal. The computation
//! stops when the distance is known to exceed k: after about k columns for an unrelated record.

use super::query::Query;
use super::row::{CompareRecords, CpuAlgorithm, RecordMatch, Takes};
use crate::algorithm::{About, Limits};
use crate::error::Result;
use crate::infix::cut_off;
use crate::infix::extent::whole_within;
use crate::pairwise::pieces::{Pieces, Scratch};
use crate::text::{Class, MatchWords, Pattern};
use crate::threads;
use rayon::prelude::*;
use std::ops::Range;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "whole-records",
        "whole records only: records of a similar length that share a piece with the pattern, then bit-vectors about the diagonal",
        "Ukkonen 1985; pieces: Wu, Manber 1992; Myers 1999",
        "a few instructions per record, and 17 k ⌈2k / 64⌉ per compared record",
    )
    .limited(Limits { whole_records: true, together: true, ..Limits::NONE }),
    check: |_| Ok(()),
    takes: Takes::WholeRecords { prepare: |queries| Ok(Box::new(WholeRecords::new(queries)?)) },
};

/// Number of patterns below which all are compared with each record.
const FEW: usize = 8;
/// Largest number of match words that are kept: 64 MiB. Beyond that, they are made for each
/// comparison.
const MAX_KEPT: usize = 8 << 20;

/// Patterns that are compared with whole records.
struct WholeRecords {
    queries: Vec<Query>,
    /// The patterns whose positions stand for one code each, by number, and the table of their
    /// pieces.
    by_pieces: Option<(Vec<usize>, Pieces)>,
    /// The numbers of the other patterns, ordered by length.
    others: Vec<usize>,
    /// The largest numbers of insertions and deletions that any of the others allows.
    reach: (usize, usize),
    /// A code for each byte. Bytes that no pattern distinguishes share a code.
    codes: [u8; 256],
    /// The match words of each pattern, unless they take too much memory.
    matches: Vec<MatchWords>,
}

/// Returns a code for each byte. Bytes that no class distinguishes share a code.
fn codes(classes: &[Class]) -> [u8; 256] {
    let mut codes = [0u8; 256];
    for class in classes {
        // The bytes of a code that are in the class get a new code, unless all of them are.
        let mut news: [Option<u8>; 256] = [None; 256];
        let mut next = u16::from(codes.iter().copied().max().unwrap_or(0)) + 1;
        let within = |code: u8, codes: &[u8; 256]| {
            (0..=255u8).filter(|&byte| codes[usize::from(byte)] == code).all(|byte| class.contains(byte))
        };
        let before = codes;
        for byte in class.symbols() {
            let code = before[usize::from(byte)];
            if news[usize::from(code)].is_none() {
                // There are no more codes than bytes.
                news[usize::from(code)] = Some(if within(code, &before) { code } else { next as u8 });
                next += u16::from(news[usize::from(code)] != Some(code));
            }
            codes[usize::from(byte)] = news[usize::from(code)].unwrap_or(code);
        }
    }
    codes
}

/// Returns the different classes of patterns.
fn distinct<'p>(patterns: impl Iterator<Item = &'p Pattern>) -> Vec<Class> {
    // Indexed by smallest symbol: nearly every symbol has few classes.
    let mut known: Vec<Vec<Class>> = vec![Vec::new(); 256];
    for class in patterns.flat_map(Pattern::classes) {
        let Some(least) = class.symbols().next() else { continue };
        let known = &mut known[usize::from(least)];
        if !known.contains(class) {
            known.push(*class);
        }
    }
    known.into_iter().flatten().collect()
}

impl WholeRecords {
    fn new(queries: Vec<Query>) -> Result<Self> {
        let patterns = || queries.iter().map(|query| &query.pattern);
        let codes = codes(&distinct(patterns()));
        let mut of_code = [Class::default(); 256];
        for byte in 0..=255u8 {
            of_code[usize::from(codes[usize::from(byte)])].insert(byte);
        }
        let literal = |pattern: &Pattern| -> Option<Vec<u8>> {
            let code = |class: &Class| {
                let code = codes[usize::from(class.symbols().next()?)];
                (of_code[usize::from(code)] == *class).then_some(code)
            };
            pattern.classes().iter().map(code).collect()
        };
        let strings: Vec<Option<Vec<u8>>> = patterns().map(literal).collect();
        let is_many = strings.iter().flatten().count() >= FEW;
        let is_other = |number: &usize| !is_many || strings[*number].is_none();
        let (mut others, numbers): (Vec<usize>, Vec<usize>) = (0..queries.len()).partition(is_other);
        others.sort_by_key(|&number| queries[number].len());
        let by_pieces = if is_many {
            let strings: Vec<&[u8]> = numbers.iter().filter_map(|&number| strings[number].as_deref()).collect();
            let pieces = Pieces::new(&strings, |string| queries[numbers[string]].k)?;
            Some((numbers, pieces))
        } else {
            None
        };
        let most =
            |kind: fn(&Query) -> u32| others.iter().map(|&other| kind(&queries[other]) as usize).max().unwrap_or(0);
        let reach = (most(|own| own.allowed.insertions), most(|own| own.allowed.deletions));
        let words: usize = patterns().map(|pattern| 256 * pattern.len().div_ceil(64)).sum();
        let are_kept = words <= MAX_KEPT;
        let matches = if are_kept { patterns().map(Pattern::match_words).collect() } else { Vec::new() };
        Ok(Self { queries, by_pieces, others, reach, codes, matches })
    }

    /// Returns the patterns that a record matches.
    fn matches_of(&self, number: usize, record: &[u8], buffers: &mut Buffers) -> Vec<RecordMatch> {
        let mut found = Vec::new();
        let mut compare = |pattern: usize| {
            if let Some(errors) = self.errors(pattern, record) {
                found.push(RecordMatch { record: number, pattern, errors });
            }
        };
        if let Some((numbers, pieces)) = &self.by_pieces {
            let Buffers { coded, scratch, candidates } = buffers;
            coded.clear();
            coded.extend(record.iter().map(|&symbol| self.codes[usize::from(symbol)]));
            pieces.candidates(&&coded[..], 0, scratch, &(), candidates);
            candidates.iter().for_each(|&candidate| compare(numbers[candidate as usize]));
        }
        let (insertions, deletions) = self.reach;
        let length = |other: &usize| self.queries[*other].len();
        let first = self.others.partition_point(|other| length(other) + insertions < record.len());
        let last = self.others.partition_point(|other| length(other) <= record.len() + deletions);
        self.others[first..last.max(first)].iter().for_each(|&other| compare(other));
        found.sort_unstable_by_key(|own| own.pattern);
        found
    }

    /// Returns the errors of a record that matches a pattern, or `None` if it does not match.
    fn errors(&self, number: usize, record: &[u8]) -> Option<u32> {
        let Query { pattern, allowed, .. } = &self.queries[number];
        let (m, n, allowed) = (pattern.len(), record.len(), *allowed);
        if n > m + allowed.insertions as usize || m > n + allowed.deletions as usize {
            return None;
        }
        if !allowed.is_any() || pattern.has_fixed() {
            return whole_within(pattern, record, allowed);
        }
        if m == n {
            let wrong = pattern.classes().iter().zip(record).filter(|(class, symbol)| !class.contains(**symbol));
            // At equal lengths gaps come in pairs, so up to two substitutions are optimal.
            let wrong = wrong.take(3).count() as u32;
            if wrong < 3 {
                return (wrong <= allowed.errors).then_some(wrong);
            }
        }
        if allowed.errors == 0 {
            return None;
        }
        let within = |matches: &MatchWords| cut_off::last_within(record.iter().copied(), matches, m, allowed.errors);
        let distance = match self.matches.get(number) {
            Some(matches) => within(matches),
            None => within(&pattern.match_words()),
        };
        distance.and_then(|distance| u32::try_from(distance).ok())
    }
}

/// The buffers of a thread.
#[derive(Default)]
struct Buffers {
    coded: Vec<u8>,
    scratch: Scratch,
    candidates: Vec<u32>,
}

impl CompareRecords for WholeRecords {
    fn matches(&self, symbols: &[u8], records: &[Range<usize>]) -> Vec<RecordMatch> {
        let stop = threads::stop();
        let of_record = |buffers: &mut Buffers, (number, range): (usize, &Range<usize>)| {
            stop.check();
            self.matches_of(number, &symbols[range.clone()], buffers)
        };
        let records = records.par_iter().enumerate().with_min_len(256);
        let found: Vec<Vec<RecordMatch>> = records.map_init(Buffers::default, of_record).collect();
        found.concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Beyond, Hit, Search};
    use crate::text::{Alphabet, Strand, Text};

    /// Returns the fewest errors of an alignment of all classes with all symbols, within the limits
    /// on substitutions, insertions and deletions. Tries all alignments, by the definition.
    fn naive(pattern: &Pattern, at: usize, text: &[u8], left: [u32; 3]) -> Option<u32> {
        let spend = |kind: usize| -> Option<[u32; 3]> {
            let mut rest = left;
            rest[kind] = rest[kind].checked_sub(1)?;
            Some(rest)
        };
        let one_more = |errors: u32| errors + 1;
        let m = pattern.len();
        let before = at == 0 || pattern.is_fixed(at - 1);
        let behind = at == m || pattern.is_fixed(at);
        let inserts = !(pattern.has_fixed() && before && behind);
        let mut best: Option<u32> = None;
        let mut take = |errors: Option<u32>| best = best.into_iter().chain(errors).min();
        if at == m && text.is_empty() {
            return Some(0);
        }
        if let Some((&symbol, rest)) = text.split_first() {
            if at < m {
                if pattern.classes()[at].contains(symbol) {
                    take(naive(pattern, at + 1, rest, left));
                } else if let Some(left) = spend(0).filter(|_| !pattern.is_fixed(at)) {
                    take(naive(pattern, at + 1, rest, left).map(one_more));
                }
            }
            if let Some(left) = spend(1).filter(|_| inserts) {
                take(naive(pattern, at, rest, left).map(one_more));
            }
        }
        if let Some(left) = spend(2).filter(|_| at < m && !pattern.is_fixed(at)) {
            take(naive(pattern, at + 1, text, left).map(one_more));
        }
        best
    }

    #[test]
    fn whole_records_by_the_definition() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut found_some = [0; 2];
        for round in 0..60 {
            let letters: &[u8] = [&b"ACGT"[..], b"ACGTNacgt", b"AC"][round % 3];
            let string = |random: &mut fastrand::Rng, most: usize| -> Vec<u8> {
                (0..random.usize(1..=most)).map(|_| letters[random.usize(..letters.len())]).collect()
            };
            // Few patterns, and enough patterns for a table of pieces.
            let count = [1, 3, 20][round / 3 % 3];
            let strings: Vec<Vec<u8>> = (0..count).map(|_| string(&mut random, 7)).collect();
            let (k, limits) = (random.u32(..3), random.bool());
            let kinds = [random.u32(..3), random.u32(..2), random.u32(..2)];
            let fixed = random.usize(..4);
            let patterns: Vec<Pattern> = strings
                .iter()
                .map(|string| {
                    let pattern = Pattern::parse(string, Alphabet::Iupac).unwrap();
                    if limits { pattern.with_fixed([fixed % string.len()]).unwrap() } else { pattern }
                })
                .collect();
            let mut text = Vec::new();
            let mut records = Vec::new();
            for _ in 0..40 {
                let mut record =
                    if random.bool() { string(&mut random, 8) } else { strings[random.usize(..count)].clone() };
                let at = random.usize(..record.len());
                match random.u8(..3) {
                    0 => record.insert(at, b'A'),
                    1 => drop(record.remove(at)),
                    _ => record[at] = b'C',
                }
                records.push(text.len()..text.len() + record.len());
                text.extend(record);
                text.push(b'\n');
            }
            let mut search = Search::many(patterns.clone()).errors(k).whole_records(true).both_strands(round % 2 == 0);
            let mut left = [k; 3];
            if limits {
                search = search.substitutions(kinds[0]).insertions(kinds[1]).deletions(kinds[2]);
                left = [0, 1, 2].map(|kind| kinds[kind].min(k));
            }
            let hits = search.hits(Text::with_records(&text, &records).unwrap()).unwrap();
            let mut expected = Vec::new();
            for (record, range) in records.iter().enumerate() {
                for (number, pattern) in patterns.iter().enumerate() {
                    let reverse = pattern.reverse_complement();
                    let strands = [(Strand::Forward, pattern), (Strand::Reverse, &reverse)];
                    let both = round % 2 == 0 && reverse != *pattern;
                    for (strand, pattern) in strands.into_iter().take(if both { 2 } else { 1 }) {
                        let errors = naive(pattern, 0, &text[range.clone()], left).filter(|&errors| errors <= k);
                        let end = range.len() as u64;
                        let hit = |errors| Hit {
                            record,
                            start: 0,
                            end,
                            pattern: number,
                            strand,
                            errors,
                            beyond: Beyond::NONE,
                        };
                        expected.extend(errors.map(hit));
                    }
                }
            }
            assert_eq!(hits, expected, "{strings:?} {k} {left:?}");
            assert_eq!(search.count(Text::with_records(&text, &records).unwrap()).unwrap(), hits.len() as u64);
            found_some[usize::from(limits)] += hits.len();
        }
        assert!(found_some.iter().all(|&hits| hits > 100), "{found_some:?}");
    }

    #[test]
    fn bytes_with_one_code_are_in_the_same_classes() {
        let dna = |symbols: &[u8]| Pattern::parse(symbols, Alphabet::Iupac).unwrap();
        for patterns in [vec![dna(b"ACGT")], vec![dna(b"ACGTN"), dna(b"RY")], vec![Pattern::literal(b"ab")]] {
            let classes = distinct(patterns.iter());
            let codes = codes(&classes);
            for a in 0..=255u8 {
                for b in 0..=255u8 {
                    let same = classes.iter().all(|class| class.contains(a) == class.contains(b));
                    assert_eq!(codes[usize::from(a)] == codes[usize::from(b)], same, "{a} {b}");
                }
            }
        }
        let every: Vec<u8> = (0..=255).collect();
        let mut all = codes(&distinct([Pattern::literal(&every)].iter()));
        all.sort_unstable();
        assert_eq!(all.to_vec(), every);
    }
}
