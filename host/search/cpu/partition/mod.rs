//! Search for very many patterns with at most k errors in one pass over the text, by partition into
//! exact pieces: S. Wu and U. Manber, Fast text searching allowing errors, Communications of the
//! ACM 35(10), 1992; R. Baeza-Yates and C. Perleberg, Fast and practical approximate pattern
//! matching, Combinatorial Pattern Matching, 1992.
//!
//! A pattern is cut into k + 1 disjoint pieces, so k errors leave at least one piece intact, and
//! every occurrence contains an exact piece. The pieces are found by their q-grams (strings of q
//! symbols, with the same q for all patterns). One index holds the q-grams of all patterns.
//!
//! ```text
//! pattern, k = 2      ..[GATTA]..[CCTGA]..[TTGAC]....          k + 1 q-grams, one at offset o
//! text                ....................CCTGA..............
//!                                         ^ t                  in the index: a possible occurrence
//! window                     [--------------------------]      from t - o - k, of m + 2k symbols
//! ```
//!
//! 1. *Scan*: the q-gram at each position of the text is looked up, first in a bit filter: about 15
//!    instructions per symbol, for any number of patterns.
//! 2. *Pairs*: adjacent pieces form pairs. If all pairs had two errors, and a piece without a
//!    partner one, there would be more than k errors. So a piece with a partner counts only if the
//!    partner is next to it with at most one error. This takes three comparisons of eight symbols.
//! 3. *Verify*: a position of a q-gram gives a window for each pattern with that q-gram, if the
//!    rest of the piece matches too. The windows of a pattern are merged where they touch, and
//!    searched by Myers' bit-vectors, eight at a time. Two windows with a common symbol are merged,
//!    so each end is found once, and with the fewest errors: the best occurrence with this end has
//!    a window too, which is part of the merged one.
//!
//! A random text of σ symbols has a given q-gram at one position in σ^q, and each window costs
//! about 100 ns. So if (k + 1) σ^-q is far below 1 / 500, a pattern costs next to nothing. If
//! windows are a large part of the text, as in repeats, the pattern is searched for in the whole
//! text as without the index (`costs.rs`), which bounds the time. Equal patterns are searched for
//! once.
//!
//! On one core, with 4.6 million bases (E. coli) and 20,000 patterns of 20 bases from it, both
//! strands: k = 0 takes 0.03 s instead of 10 s, k = 1 takes 0.07 s instead of 15 s, k = 2 takes 4 s
//! instead of 18 s; for k = 3 the index does not pay. The scan pays from about 20 patterns on.
//!
//! Memory in bytes: 2 m + 12 per pattern, 22 to 28 for each of its k + 1 pieces (less if patterns
//! share q-grams), and the ends; about twice that while the index is built. Each position of a
//! q-gram in 16 Mi symbols of the text takes another 12 bytes.

mod costs;
mod encoded;
mod grams;
mod index;
mod verify;
mod windows;

pub(super) use costs::{apart, together};

use super::row::{CpuAlgorithm, FallbacksUsed, FindMany, Group, Offer, Takes};
use crate::algorithm::{About, Limits};
use crate::error::Result;
use crate::infix::End;
use crate::job::Progress;
use crate::memory;
use crate::text::Pattern;
use index::{Index, has_pieces};
use rayon::prelude::*;
use std::ops::Range;
use verify::{ENDS, Fallbacks, Scratch, verify};
use windows::{GramPositions, TASK};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "partition",
        "very many patterns in one pass: an index of exact pieces of all patterns, then bit-vectors around those in the text",
        "Wu, Manber 1992; Baeza-Yates, Perleberg 1992; Myers 1999",
        "15 instructions, plus the windows of each pattern",
    )
    .limited(Limits { symbols: Some(index::LONGEST as u64), together: true, ..Limits::NONE }),
    check: |query| {
        let reason = "supports patterns with k + 1 pieces whose symbol classes do not partially overlap another class";
        has_pieces(&query.pattern, query.k).then_some(()).ok_or_else(|| ALGORITHM.about.unsupported(reason.into()))
    },
    takes: Takes::Many { prepare },
};

/// Least number of symbols of the text that are scanned before their windows are verified.
const CHUNK: usize = 16 << 20;
/// Least length of a chunk as a multiple of the halo before it, so that little is searched twice.
const HALOS: usize = 8;
/// Largest number of patterns that a thread verifies at a time.
const GROUP: usize = 64;
/// Least number of symbols of a block, and number of its symbols for each pattern: a thread
/// searches a block alone, and looks up each pattern once in it.
const BLOCK: usize = 256 << 10;
const BLOCK_PER_PATTERN: usize = 512;

/// Makes the index of the patterns that it finds faster, or of all patterns that it takes if the
/// user named the algorithm.
fn prepare(offer: &Offer<'_>) -> Vec<Group> {
    if offer.left.len() < 2 && !offer.is_named {
        return Vec::new();
    }
    let k = offer.left.iter().map(|&number| offer.queries[number].k).max().unwrap_or(0);
    let patterns: Vec<&Pattern> = offer.left.iter().map(|&number| &offer.queries[number].pattern).collect();
    let Some((index, left)) = Index::new(&patterns, k, offer.is_named) else { return Vec::new() };
    let mut left = left.into_iter().peekable();
    let is_taken = |i: &usize| left.next_if_eq(i).is_none();
    let taken: Vec<usize> = (0..patterns.len()).filter(is_taken).collect();
    let numbers = taken.iter().map(|&i| offer.left[i]).collect();
    let fallbacks = Fallbacks { rows: offer.rows, fallbacks_used: FallbacksUsed::default() };
    vec![Group { numbers, finder: Box::new(Taken { partition: Partition { index, fallbacks }, taken }) }]
}

/// The index, and the positions in the offer of the patterns that it holds.
struct Taken {
    partition: Partition,
    taken: Vec<usize>,
}

impl FindMany for Taken {
    fn ends(&self, text: &[u8], on_progress: Progress<'_>) -> Result<Vec<Vec<End>>> {
        let mut all = self.partition.all_ends(text, on_progress)?;
        Ok(self.taken.iter().map(|&i| std::mem::take(&mut all[i])).collect())
    }

    fn fallbacks_used(&self) -> Vec<&'static str> {
        self.partition.fallbacks.fallbacks_used.take(self.partition.fallbacks.rows)
    }
}

/// Patterns in an index.
struct Partition {
    index: Index,
    fallbacks: Fallbacks,
}

impl Partition {
    /// Returns, for each pattern in the index, every end of an occurrence with at most k errors, in
    /// order; patterns outside the index have no ends. Calls `progress`, from any thread, with the
    /// number of symbols searched since its last call, for all patterns together.
    ///
    /// # Errors
    /// [`Memory`](crate::Error::Memory) if the ends or the positions of q-grams do not fit in
    /// memory.
    fn all_ends(&self, text: &[u8], progress: Progress<'_>) -> Result<Vec<Vec<End>>> {
        let halo = self.index.longest + self.index.k as usize;
        let size = CHUNK.max(HALOS * halo);
        let mut found = memory::filled(self.index.chosen.len(), Vec::new(), ENDS)?;
        // Few patterns are searched for in blocks side by side; more patterns in one block at a
        // time, with all threads.
        let block = BLOCK.max(BLOCK_PER_PATTERN * self.index.chosen.len()).max(HALOS * halo).min(size);
        for first in (0..text.len()).step_by(size) {
            let end = first.saturating_add(size).min(text.len());
            if end - first <= block {
                self.block(text, first..end, &mut found, progress)?;
                continue;
            }
            let of_block = |from: usize| -> Result<Vec<Vec<End>>> {
                let mut found = memory::filled(self.index.chosen.len(), Vec::new(), ENDS)?;
                self.block(text, from..from.saturating_add(block).min(end), &mut found, progress)?;
                Ok(found)
            };
            let blocks: Vec<usize> = (first..end).step_by(block).collect();
            for of_block in blocks.into_par_iter().map(of_block).collect::<Result<Vec<_>>>()? {
                for (found, mut more) in found.iter_mut().zip(of_block) {
                    memory::reserve(found, more.len(), ENDS)?;
                    found.append(&mut more);
                }
            }
        }
        let mut ends = memory::filled(self.index.patterns.len(), Vec::new(), ENDS)?;
        for &(copy, same) in &self.index.copies {
            let (of, to) = (&found[same as usize], &mut ends[copy as usize]);
            memory::reserve(to, of.len(), ENDS)?;
            to.extend_from_slice(of);
        }
        for (number, found) in self.index.chosen.iter().zip(found) {
            ends[*number as usize] = found;
        }
        Ok(ends)
    }

    /// Adds the ends in a range of the text.
    fn block(
        &self,
        text: &[u8],
        range: Range<usize>,
        found: &mut [Vec<End>],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<()> {
        let index = &self.index;
        let own = range.len();
        // The symbols before the range belong to the block before.
        let halo = (index.longest + index.k as usize).min(range.start);
        let from = (range.start - halo) as u64;
        let text = &text[range.start - halo..range.end];
        // Half of the symbols are reported after the scan, the others as their windows are
        // verified.
        let scan = |start: usize| {
            let end = (start + TASK).min(text.len());
            let gram_positions = self.index.grams.scan(text, start, end);
            progress((end.saturating_sub(halo) / 2 - start.saturating_sub(halo) / 2) as u64);
            gram_positions
        };
        let tasks: Vec<usize> = (0..text.len()).step_by(TASK).collect();
        let scanned: Vec<_> = tasks.into_par_iter().map(scan).collect::<Result<_>>()?;
        let gram_positions =
            GramPositions::new(text, &self.index.grams.codes, &scanned, self.index.grams.hashes.len())?;
        drop(scanned);

        let group_size = (index.chosen.len() / (4 * rayon::current_num_threads())).clamp(1, GROUP);
        let groups = index.chosen.len().div_ceil(group_size) as u64;
        let reported = |group: u64| (own - own / 2) as u64 * group / groups;
        found.par_chunks_mut(group_size).enumerate().try_for_each_init(Scratch::new, |scratch, (group, found)| {
            for (member, found) in (group_size * group..).zip(found) {
                let before = found.len();
                verify(index, &self.fallbacks, &gram_positions, member, scratch, found)?;
                let mut kept = before;
                for i in before..found.len() {
                    let End { end, errors } = found[i];
                    if end > halo as u64 {
                        found[kept] = End { end: end + from, errors };
                        kept += 1;
                    }
                }
                found.truncate(kept);
            }
            progress(reported(group as u64 + 1) - reported(group as u64));
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::encoded::Encoded;
    use super::*;
    use crate::infix::cut_off;
    use crate::infix::sellers;
    use crate::search::cpu::ALGORITHMS;
    use crate::text::Alphabet;
    use crate::text::Class;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// Makes the index with this q, or returns `None` if q is too large for all patterns.
    fn with(patterns: &[Pattern], k: u32, q: usize) -> Option<(Partition, Vec<usize>)> {
        let patterns: Vec<&Pattern> = patterns.iter().collect();
        let (index, left) = Index::with(Encoded::new(&patterns).unwrap(), k, q, &|_, _| true)?;
        Some((
            Partition { index, fallbacks: Fallbacks { rows: ALGORITHMS, fallbacks_used: FallbacksUsed::default() } },
            left,
        ))
    }

    /// Checks that everything in the index is found as by dynamic programming. Returns the numbers
    /// of its patterns and of ends.
    #[track_caller]
    fn check(text: &[u8], patterns: &[Pattern], k: u32, q: usize) -> (usize, usize) {
        let Some((partition, left)) = with(patterns, k, q) else { return (0, 0) };
        let done = AtomicU64::new(0);
        let found = partition.all_ends(text, &|symbols| _ = done.fetch_add(symbols, Relaxed)).unwrap();
        assert_eq!(done.into_inner(), text.len() as u64);
        assert_eq!(found.len(), patterns.len());
        for (number, (pattern, found)) in patterns.iter().zip(&found).enumerate() {
            let expected = if left.contains(&number) { Vec::new() } else { sellers::ends(text, pattern, k) };
            assert_eq!(*found, expected, "pattern {number} of m = {}, k = {k}, q = {q}", pattern.len());
        }
        (patterns.len() - left.len(), found.iter().map(Vec::len).sum())
    }

    /// Returns a string with some random errors.
    fn near(random: &mut fastrand::Rng, string: &[u8], errors: usize, symbols: u8) -> Vec<u8> {
        let mut near = string.to_vec();
        for _ in 0..errors {
            let at = random.usize(..near.len().max(1));
            match random.u8(..3) {
                0 if at < near.len() => near[at] = random.u8(..symbols),
                1 if at < near.len() => drop(near.remove(at)),
                _ => near.insert(at, random.u8(..symbols)),
            }
        }
        near
    }

    #[test]
    fn ends_are_those_of_dynamic_programming() {
        let mut random = fastrand::Rng::with_seed(12);
        let (mut patterns_found, mut ends_found) = (0, 0);
        for case in 0..600u32 {
            let (symbols, k) = (1 + (case % 5) as u8, random.u32(0..7));
            // Classes that overlap, and one without symbols.
            let overlapping = case % 3 == 0;
            let classes: Vec<Class> = (0..8)
                .map(|_| Class::from_symbols((0..symbols).filter(|_| random.u8(..4) == 0)))
                .chain((0..symbols).map(Class::from_symbol))
                .chain([Class::ANY])
                .collect();
            let mut text: Vec<u8> = (0..random.usize(0..1500)).map(|_| random.u8(..symbols)).collect();
            let longest = [6, 30, 70, 200][random.usize(..4)];
            let mut patterns = Vec::new();
            for _ in 0..random.usize(1..30) {
                let m = random.usize(1..=longest);
                let symbols_of: Vec<u8> = match text.len().checked_sub(m) {
                    Some(rest) if random.bool() => {
                        let at = random.usize(..=rest);
                        text[at..at + m].to_vec()
                    }
                    _ => (0..m).map(|_| random.u8(..symbols)).collect(),
                };
                let errors = random.usize(..=k as usize + 1);
                let planted = near(&mut random, &symbols_of, errors, symbols);
                let at = random.usize(..=text.len());
                text.splice(at..at, planted);
                let rate = random.usize(2..40);
                let class = |symbol: &u8| match random.usize(..rate) {
                    0 if overlapping => classes[random.usize(..classes.len())],
                    _ => Class::from_symbol(*symbol),
                };
                patterns.push(Pattern::new(symbols_of.iter().map(class).collect()));
                if random.u8(..4) == 0 {
                    patterns.push(patterns[random.usize(..patterns.len())].clone());
                }
            }
            let (patterns, ends) = check(&text, &patterns, k, random.usize(1..12));
            patterns_found += patterns;
            ends_found += ends;
        }
        assert!(patterns_found > 1000 && ends_found > 100_000, "{patterns_found} patterns, {ends_found} ends");
    }

    /// Blocks that are searched side by side give what dynamic programming gives for the whole
    /// text.
    #[test]
    fn blocks_of_a_text() {
        let mut random = fastrand::Rng::with_seed(14);
        let mut text: Vec<u8> = (0..3 * BLOCK + 1000).map(|_| random.u8(..4)).collect();
        let patterns: Vec<Vec<u8>> = (0..3).map(|_| (0..16).map(|_| random.u8(..4)).collect()).collect();
        for (i, end) in [BLOCK, BLOCK + 3, 2 * BLOCK, 2 * BLOCK + 15, 3 * BLOCK + 1000].into_iter().enumerate() {
            text[end - 16..end].copy_from_slice(&patterns[i % 3]);
        }
        let patterns: Vec<Pattern> = patterns.iter().map(|pattern| Pattern::literal(pattern)).collect();
        let (taken, ends) = check(&text, &patterns, 2, 5);
        assert!(taken == 3 && ends >= 5, "{ends}");
    }

    /// Separate windows, so that several are searched at a time, some of them shorter or merged.
    #[test]
    fn many_windows_of_a_pattern() {
        let mut random = fastrand::Rng::with_seed(13);
        for (m, k) in [(12, 0), (12, 1), (20, 2), (30, 3), (63, 4), (64, 5), (65, 5), (130, 6)] {
            let patterns: Vec<Vec<u8>> = (0..20).map(|_| (0..m).map(|_| random.u8(..4)).collect()).collect();
            let mut text = Vec::new();
            for _ in 0..400 {
                let (pattern, errors) = (&patterns[random.usize(..20)], random.usize(..=k as usize + 1));
                text.extend(near(&mut random, pattern, errors, 4));
                text.extend((0..random.usize(..m)).map(|_| random.u8(..4)));
            }
            let patterns: Vec<Pattern> = patterns.iter().map(|pattern| Pattern::literal(pattern)).collect();
            let (taken, ends) = check(&text, &patterns, k, (m / (k as usize + 1)).min(9));
            assert!(taken == 20 && ends > 100, "{ends} ends");
        }
    }

    #[test]
    fn repeats_and_texts_of_one_symbol() {
        let ones = vec![1u8; 3000];
        let turns: Vec<u8> = (0..3000).map(|i| (i / 3 % 2) as u8).collect();
        for text in [&ones, &turns] {
            for m in [3, 40, 100] {
                let patterns = [&ones[..m], &turns[..m], &ones[..m], &turns[1..=m]].map(Pattern::literal);
                for k in [0, 1, 2] {
                    check(text, &patterns, k, 1);
                    check(text, &patterns, k, (m / (k as usize + 1)).min(8));
                }
            }
        }
    }

    #[test]
    fn texts_that_are_empty_or_short() {
        let patterns = [&b"carry"[..], b"wave", b"w", b""].map(Pattern::literal);
        for text in [&b""[..], b"w", b"wa", b"arr", b"carrywave"] {
            for (k, q) in [(0, 1), (0, 4), (1, 2), (3, 1)] {
                check(text, &patterns, k, q);
            }
        }
        let (partition, left) = with(&patterns, 1, 2).unwrap();
        assert_eq!(left, [2, 3]);
        let end = |end, errors| End { end, errors };
        let found = partition.all_ends(b"carrywave", &|_| ()).unwrap();
        assert_eq!(found, [vec![end(4, 1), end(5, 0), end(6, 1)], vec![end(8, 1), end(9, 0)], vec![], vec![]]);
        assert!(with(&[], 1, 1).is_none());
        assert!(with(&patterns, 1, 40).is_none());
    }

    /// More than one chunk, and more than one task per chunk.
    #[test]
    fn borders_of_tasks_and_chunks() {
        let mut random = fastrand::Rng::with_seed(14);
        let mut text: Vec<u8> = std::iter::repeat_with(|| random.u8(..4)).take(CHUNK + 2 * TASK + 50).collect();
        let patterns: Vec<Vec<u8>> = (0..6).map(|_| (0..40).map(|_| random.u8(..4)).collect()).collect();
        let mut planted = 0;
        for (number, border) in (TASK..text.len()).step_by(TASK).enumerate() {
            // `before` symbols of the pattern lie before the border, and only the piece at the
            // border is exact.
            let before = if border == CHUNK { 20 } else { number % 41 };
            let mut near = patterns[number % 6].clone();
            for piece in (0..3).filter(|piece| *piece != (before / 13).min(2)) {
                let symbol = &mut near[13 * piece + 6];
                *symbol = (*symbol + 1) % 4;
            }
            text[border - before..][..40].copy_from_slice(&near);
            planted += 1;
        }
        let patterns: Vec<Pattern> = patterns.iter().map(|pattern| Pattern::literal(pattern)).collect();
        let (partition, _) = with(&patterns, 2, 12).unwrap();
        let found = partition.all_ends(&text, &|_| ()).unwrap();
        for (pattern, found) in patterns.iter().zip(&found) {
            assert_eq!(*found, cut_off::ends(text.iter().copied(), &pattern.match_words(), 40, 2, &|_| ()));
        }
        assert!(found.iter().map(Vec::len).sum::<usize>() >= planted, "{planted} planted");
    }

    #[test]
    fn only_classes_that_overlap_have_no_code() {
        let dna = |symbols: &[u8]| Pattern::parse(symbols, Alphabet::Iupac).unwrap();
        let encoded = Encoded::new(&[&dna(b"GATNTACA"), &dna(b"gru")]).unwrap();
        let codes = |pattern: usize| encoded.codes(pattern).collect::<Vec<_>>();
        assert_eq!(codes(0), [1, 2, 3, 0, 3, 2, 4, 2]);
        assert_eq!(codes(1), [1, 0, 3]);
        let of_symbols = encoded.symbol_codes();
        assert_eq!(
            b"GgAaTtUuCcNnRrX\n".map(|symbol| of_symbols[usize::from(symbol)])[..10],
            [1, 1, 2, 2, 3, 3, 3, 3, 4, 4]
        );
        assert_eq!(b"NnRrX\n".map(|symbol| of_symbols[usize::from(symbol)]), [0; 6]);
        // Pieces next to the N, and none in a pattern of Ns.
        let (partition, left) = with(&[dna(b"NNGATTACANN"), dna(b"NNNNNNNN"), dna(b"GATNTACA")], 1, 3).unwrap();
        assert_eq!(left, [1]);
        assert_eq!(partition.index.pieces.iter().map(|piece| piece.offset).collect::<Vec<_>>(), [2, 5, 0, 4]);
        assert_eq!(partition.index.pieces.iter().map(|piece| piece.length).collect::<Vec<_>>(), [3, 4, 3, 4]);
    }

    #[test]
    fn an_index_is_made_where_it_pays() {
        let mut random = fastrand::Rng::with_seed(15);
        let mut dna = |count: usize, m: usize| -> Vec<Pattern> {
            (0..count).map(|_| Pattern::literal(&(0..m).map(|_| random.u8(..4)).collect::<Vec<_>>())).collect()
        };
        let left = |patterns: &[Pattern], k: u32| {
            let patterns: Vec<&Pattern> = patterns.iter().collect();
            Index::new(&patterns, k, false).map(|(_, left)| left.len())
        };
        assert_eq!(left(&dna(1000, 20), 1), Some(0));
        assert_eq!(left(&dna(1000, 100), 5), Some(0));
        assert_eq!(left(&dna(1, 20), 1), None);
        assert_eq!(left(&dna(1000, 20), 9), None);
        assert_eq!(left(&dna(1000, 4), 3), None);
        assert_eq!(left(&dna(1000, 4), 4), None);
        assert_eq!(left(&vec![Pattern::literal(&[7; 50]); 100], 1), None);
        assert_eq!(left(&[], 1), None);
        // Short patterns are left over.
        let mut both = dna(1000, 20);
        both.extend(dna(50, 4));
        assert_eq!(left(&both, 1), Some(50));
        // 256 symbols: a code has 9 bits.
        let bytes: Vec<Pattern> =
            (0..200).map(|_| Pattern::literal(&std::array::from_fn::<u8, 40, _>(|_| random.u8(..)))).collect();
        assert_eq!(left(&bytes, 1), Some(0));
    }
}
