//! The two strands of a nucleotide string, and a quick estimate of the strand on which two strings
//! are similar.
//!
//! Two genomes may be stored in opposite directions. Then one is similar to the *reverse
//! complement* of the other: its bases from the last to the first, each replaced by its complement.
//! [`estimate_strand`] counts k-mers (substrings of k bases) instead of comparing the strings. It
//! takes a sample of the shorter string's k-mers, and counts those that occur in the longer string
//! as they are, and those that occur as their reverse complement.
//!
//! - k is odd, so that no k-mer is its own reverse complement, and the smallest such that 4^k is a
//!   hundred times the length of the longer string: a random k-mer occurs in it with a probability
//!   of 1 % or less.
//! - The sample holds the k-mers whose hash is below a threshold, and a k-mer and its reverse
//!   complement have one hash. So a k-mer is in the samples of both strings or of neither (Broder
//!   1997, On the resemblance and containment of documents; with a threshold instead of the s
//!   smallest hashes, Irber et al. 2022, FracMinHash). About 32,768 k-mers of the shorter string
//!   are sampled, or all.
//! - Both strings are read once, by all threads of the current rayon pool: O(m + n) time, and
//!   memory for the sample, whatever the lengths.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;
use std::sync::atomic::{AtomicU8, Ordering};

use super::alphabet::complement;
use crate::threads;
use crate::{Result, memory};

/// Approximate number of k-mers of the shorter string in the sample.
const SAMPLE: u64 = 1 << 15;
/// The number of possible k-mers is at least this multiple of the length of the longer string.
const RARITY: u64 = 100;
/// Largest k: its k-mers have 62 bits.
const MAX_K: usize = 31;
/// Number of positions that a thread reads at a time.
const PIECE: usize = 1 << 18;
/// The counts of the two strands must differ by more than this many standard deviations.
const DEVIATIONS: f64 = 5.0;

/// A strand of a nucleotide string: the string as given, or its reverse complement.
///
/// ```
/// use carrywave::text::Strand;
///
/// assert_eq!((Strand::Forward.sign(), Strand::Reverse.name()), ('+', "reverse"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Strand {
    /// The string as given.
    #[serde(rename = "+")]
    Forward,
    /// Its reverse complement.
    #[serde(rename = "-")]
    Reverse,
}

impl Strand {
    /// Returns `+` or `-`, as in the [example](Self).
    pub fn sign(self) -> char {
        match self {
            Self::Forward => '+',
            Self::Reverse => '-',
        }
    }

    /// Returns `forward` or `reverse`, as in the [example](Self).
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Reverse => "reverse",
        }
    }
}

/// Returns the reverse complement of nucleotides: the [complement](super::complement) of each
/// symbol, from the last to the first. Case stays. If the symbols have U and no T, the complement
/// of A is U.
///
/// ```
/// use carrywave::text::reverse_complement;
///
/// assert_eq!(reverse_complement(b"GATTACA")?, b"TGTAATC");
/// assert_eq!(reverse_complement(b"GAUUACA")?, b"UGUAAUC");
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory) if a second copy of the symbols does not fit.
pub fn reverse_complement(symbols: &[u8]) -> Result<Vec<u8>> {
    let has = |letter: u8| memchr::memchr2(letter, letter.to_ascii_lowercase(), symbols).is_some();
    let is_rna = has(b'U') && !has(b'T');
    let table: [u8; 256] = std::array::from_fn(|symbol| {
        let own = complement(symbol as u8);
        // U and T differ in one bit, in both cases.
        if is_rna && own.eq_ignore_ascii_case(&b'T') { own ^ b'T' ^ b'U' } else { own }
    });
    let mut reverse = Vec::new();
    memory::reserve(&mut reverse, symbols.len(), "the reverse complement")?;
    reverse.extend(symbols.iter().rev().map(|&symbol| table[usize::from(symbol)]));
    Ok(reverse)
}

/// The number of sampled k-mers that two strings share on each strand, by [`estimate_strand`]. As
/// in its [example](estimate_strand).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StrandEstimate {
    /// k, the symbols of a k-mer.
    pub k: usize,
    /// The number of different k-mers of the shorter string in the sample.
    pub sampled: u64,
    /// The number of these k-mers that occur in the longer string.
    pub forward: u64,
    /// The number of these k-mers whose reverse complement occurs in the longer string.
    pub reverse: u64,
}

impl StrandEstimate {
    /// Returns the strand with more of the k-mers, if the counts differ by more than five standard
    /// deviations of their sum. `None` if the counts are no evidence: for strings that are short,
    /// unrelated, or similar on both strands. As in the [example](estimate_strand).
    pub fn strand(&self) -> Option<Strand> {
        let [forward, reverse] = [self.forward, self.reverse].map(|count| count as f64);
        let clear = (forward - reverse).abs() > DEVIATIONS * (forward + reverse).sqrt();
        clear.then_some(if forward > reverse { Strand::Forward } else { Strand::Reverse })
    }
}

/// Estimates the strand on which two nucleotide strings are similar, from the k-mers that they
/// share. The order of the strings does not matter. Case does not count, U is T, and k-mers with
/// other symbols than the four bases are skipped.
///
/// ```
/// use carrywave::text::{Strand, estimate_strand, reverse_complement};
///
/// let mut random = fastrand::Rng::with_seed(1);
/// let a: Vec<u8> = (0..1000).map(|_| b"ACGT"[random.usize(..4)]).collect();
/// let same = estimate_strand(&a, &a);
/// assert_eq!((same.strand(), same.forward), (Some(Strand::Forward), same.sampled));
/// assert_eq!(estimate_strand(&a, &reverse_complement(&a)?).strand(), Some(Strand::Reverse));
/// assert_eq!(estimate_strand(&a, b"GATTACA").strand(), None);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub fn estimate_strand(a: &[u8], b: &[u8]) -> StrandEstimate {
    threads::run(|| estimated(a, b))
}

fn estimated(a: &[u8], b: &[u8]) -> StrandEstimate {
    let (shorter, longer) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let k = kmer_length(longer.len() as u64);
    // 2^64 times the share of the k-mers to sample.
    let threshold = match shorter.len() as u64 {
        0..=SAMPLE => u64::MAX,
        len => u64::MAX / len * SAMPLE,
    };
    let table = SampledKmers::new(shorter, k, threshold);
    pieces(longer, k).for_each(|piece| {
        kmers(piece, k, threshold, |kmer, reverse| table.mark(kmer, if reverse { LONGER_REVERSE } else { LONGER }))
    });
    let mut estimate = StrandEstimate { k, sampled: 0, forward: 0, reverse: 0 };
    for marks in table.marks.iter().map(|marks| marks.load(Ordering::Relaxed)).filter(|&marks| marks != 0) {
        let [short, short_reverse, long, long_reverse] =
            [SHORTER, SHORTER_REVERSE, LONGER, LONGER_REVERSE].map(|mark| marks & mark != 0);
        estimate.sampled += 1;
        estimate.forward += u64::from(short && long || short_reverse && long_reverse);
        estimate.reverse += u64::from(short && long_reverse || short_reverse && long);
    }
    estimate
}

/// Returns the smallest odd k with enough possible k-mers for a string of `longer` symbols.
fn kmer_length(longer: u64) -> usize {
    let least = u128::from(longer.max(1)) * u128::from(RARITY);
    (1..MAX_K).step_by(2).find(|&k| 1u128 << (2 * k) >= least).unwrap_or(MAX_K)
}

// Occurrences of the smaller of a k-mer and its reverse complement, as bits of a table's mark.
const SHORTER: u8 = 1;
const SHORTER_REVERSE: u8 = 2;
const LONGER: u8 = 4;
const LONGER_REVERSE: u8 = 8;

/// A hash table of sampled k-mers with open addressing, and the strands on which they occur.
struct SampledKmers {
    /// [`EMPTY`], or a k-mer.
    slots: Vec<u64>,
    marks: Vec<AtomicU8>,
}

const EMPTY: u64 = u64::MAX;

impl SampledKmers {
    /// Samples the k-mers of the shorter string.
    fn new(shorter: &[u8], k: usize, threshold: u64) -> Self {
        let found: Vec<Vec<(u64, bool)>> = pieces(shorter, k)
            .map(|piece| {
                let mut found = Vec::new();
                kmers(piece, k, threshold, |kmer, reverse| found.push((kmer, reverse)));
                found
            })
            .collect();
        // At most half full, which keeps searches short.
        let count = (2 * found.iter().map(Vec::len).sum::<usize>()).max(2).next_power_of_two();
        let mut table = Self { slots: vec![EMPTY; count], marks: Vec::new() };
        table.marks.resize_with(count, AtomicU8::default);
        for (kmer, reverse) in found.into_iter().flatten() {
            let slot = table.slot(kmer);
            table.slots[slot] = kmer;
            *table.marks[slot].get_mut() |= if reverse { SHORTER_REVERSE } else { SHORTER };
        }
        table
    }

    /// Returns the slot of the k-mer, or the slot to insert it.
    fn slot(&self, kmer: u64) -> usize {
        let last = self.slots.len() - 1;
        // The upper bits of the hash chose the sample; the lower bits are still random.
        let mut slot = hash(kmer) as usize & last;
        while self.slots[slot] != kmer && self.slots[slot] != EMPTY {
            slot = (slot + 1) & last;
        }
        slot
    }

    /// Marks a k-mer as seen, if it is in the sample.
    fn mark(&self, kmer: u64, mark: u8) {
        let slot = self.slot(kmer);
        if self.slots[slot] == kmer && self.marks[slot].load(Ordering::Relaxed) & mark == 0 {
            self.marks[slot].fetch_or(mark, Ordering::Relaxed);
        }
    }
}

/// Splits the string into pieces that overlap by k - 1 symbols, so that each k-mer is in one of
/// them.
fn pieces(symbols: &[u8], k: usize) -> impl ParallelIterator<Item = &[u8]> {
    let piece = move |number: usize| {
        let start = number * PIECE;
        &symbols[start..symbols.len().min(start + PIECE + k - 1)]
    };
    (0..symbols.len().div_ceil(PIECE)).into_par_iter().map(piece)
}

/// Calls `seen` with each sampled k-mer: the smaller of itself and its reverse complement, as a
/// number of two bits a base, and true if that is the reverse complement.
fn kmers(symbols: &[u8], k: usize, threshold: u64, mut seen: impl FnMut(u64, bool)) {
    let mask = (1u64 << (2 * k)) - 1;
    let top = 2 * (k - 1);
    let mut own = 0;
    let mut reverse = 0;
    let mut len = 0;
    for &symbol in symbols {
        let code = CODES[usize::from(symbol)];
        if code > 3 {
            len = 0;
            continue;
        }
        own = (own << 2 | u64::from(code)) & mask;
        reverse = reverse >> 2 | u64::from(3 - code) << top;
        len += 1;
        let kmer = own.min(reverse);
        if len >= k && hash(kmer) <= threshold {
            seen(kmer, reverse < own);
        }
    }
}

/// Number of each base, such that the complement of c is 3 - c; 4 for other symbols.
const CODES: [u8; 256] = {
    let mut codes = [4; 256];
    let letters = *b"AaCcGgTtUu";
    let mut at = 0;
    while at < letters.len() {
        codes[letters[at] as usize] = if at < 8 { at as u8 / 2 } else { 3 };
        at += 1;
    }
    codes
};

/// Returns a number whose bits all depend on all bits of the k-mer: the last steps of MurmurHash3
/// (Appleby).
fn hash(kmer: u64) -> u64 {
    let mixed = (kmer ^ kmer >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    mixed ^ mixed >> 33
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn random(len: usize, seed: u64) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..len).map(|_| b"ACGT"[random.usize(..4)]).collect()
    }

    /// Changes every `apart`-th base.
    fn mutated(symbols: &[u8], apart: usize) -> Vec<u8> {
        let next = |base| b"CGTA"[b"ACGT".iter().position(|&own| own == base).unwrap()];
        symbols.iter().enumerate().map(|(at, &base)| if at % apart == 0 { next(base) } else { base }).collect()
    }

    /// Computes the reverse complement by its definition.
    fn turned(symbols: &[u8]) -> Vec<u8> {
        let pair = |base: &u8| b"TGCA"[b"ACGT".iter().position(|own| own == base).unwrap()];
        symbols.iter().rev().map(pair).collect()
    }

    #[test]
    fn complements_in_reverse() {
        assert_eq!(reverse_complement(b"acGTN-").unwrap(), b"-NACgt");
        assert_eq!(reverse_complement(b"RYKMBVDHSWN").unwrap(), b"NWSDHBVKMRY");
        assert_eq!(reverse_complement(b"aCu").unwrap(), b"aGu");
        // With T and U in one string, T is assumed, as the usual one.
        assert_eq!(reverse_complement(b"AUT").unwrap(), b"AAT");
        assert_eq!(reverse_complement(b"").unwrap(), b"");
    }

    #[test]
    fn k_grows_with_the_length() {
        let k = [0, 1, 100, 1_000, 4_600_000, 1_000_000_000, u64::MAX].map(kmer_length);
        assert_eq!(k, [5, 5, 7, 9, 15, 19, 31]);
        for longer in [1u64, 2, 41, 1000, 123_456, 1 << 31] {
            let k = kmer_length(longer) as u32;
            assert!(k % 2 == 1 && 4u128.pow(k) >= 100 * u128::from(longer), "{longer}: {k}");
            assert!(k == 1 || 4u128.pow(k - 2) < 100 * u128::from(longer), "{longer}: {k}");
        }
    }

    #[test]
    fn strands_of_strings_of_all_lengths() {
        for (len, apart) in [(100, 20), (1_000, 10), (32_768, 15), (32_769, 15), (700_000, 18)] {
            let a = random(len, len as u64);
            let b = mutated(&a, apart);
            let forward = estimate_strand(&a, &b);
            let reverse = estimate_strand(&a, &turned(&b));
            assert_eq!(forward.strand(), Some(Strand::Forward), "{len}: {forward:?}");
            assert_eq!(reverse.strand(), Some(Strand::Reverse), "{len}: {reverse:?}");
            // Mirror images of each other, and the same for both orders of the strings.
            assert_eq!(
                (forward.forward, forward.reverse, forward.sampled),
                (reverse.reverse, reverse.forward, reverse.sampled)
            );
            assert_eq!(estimate_strand(&turned(&b), &a), estimate_strand(&b, &turned(&a)));
            assert!((20_000..45_000).contains(&forward.sampled) || len < 32_768, "{forward:?}");
        }
    }

    #[test]
    fn a_read_is_found_in_a_genome() {
        let genome = random(500_000, 3);
        let read = mutated(&genome[321_000..322_000], 25);
        assert_eq!(estimate_strand(&read, &genome).strand(), Some(Strand::Forward));
        assert_eq!(estimate_strand(&genome, &turned(&read)).strand(), Some(Strand::Reverse));
    }

    #[test]
    fn what_tells_nothing() {
        let (a, b) = (random(50_000, 5), random(60_000, 6));
        assert_eq!(estimate_strand(&a, &b).strand(), None);
        for (a, b) in
            [(&b""[..], &b""[..]), (b"", b"ACGT"), (b"A", b"A"), (b"NNNN", b"NNNN"), (b"ACGTACGT", b"ACGTACGT")]
        {
            assert_eq!(estimate_strand(a, b).strand(), None, "{a:?} {b:?}");
        }
        // Similar on both strands.
        let palindrome = [a.clone(), turned(&a)].concat();
        let both = estimate_strand(&palindrome, &a);
        assert_eq!((both.strand(), both.forward), (None, both.reverse));
    }

    proptest! {
        /// If every k-mer is sampled, the counts are those of sets of substrings.
        #[test]
        fn counts_are_those_of_sets(
            a in proptest::collection::vec(proptest::sample::select(b"ACGTacgtuN".to_vec()), 0..300),
            b in proptest::collection::vec(proptest::sample::select(b"ACGTacgtuN".to_vec()), 0..300),
            shared in 0usize..200,
        ) {
            let b = [&b[..], &a[..shared.min(a.len())]].concat();
            let found = estimate_strand(&a, &b);
            let plain = |symbols: &[u8]| -> Vec<u8> {
                symbols.iter().map(|symbol| symbol.to_ascii_uppercase()).map(|symbol| if symbol == b'U' { b'T' } else { symbol }).collect()
            };
            let set = |symbols: &[u8]| -> BTreeSet<Vec<u8>> {
                plain(symbols).windows(found.k).filter(|kmer| !kmer.contains(&b'N')).map(<[u8]>::to_vec).collect()
            };
            let (shorter, longer) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
            let canonical = |kmer: &Vec<u8>| kmer.clone().min(turned(kmer));
            let (short, long) = (set(shorter), set(longer));
            let either = |has: &dyn Fn(&Vec<u8>) -> bool| -> u64 {
                let hit = short.iter().filter(|kmer| has(kmer));
                hit.map(canonical).collect::<BTreeSet<_>>().len() as u64
            };
            prop_assert_eq!(found.sampled, either(&|_| true));
            prop_assert_eq!(found.forward, either(&|kmer| long.contains(kmer)));
            prop_assert_eq!(found.reverse, either(&|kmer| long.contains(&turned(kmer))));
        }
    }
}
