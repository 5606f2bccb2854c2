//! A lower bound on the differences of two sequences, from their trigrams (three consecutive
//! tokens).
//!
//! If a trigram of A is nowhere in B, an alignment of both sequences has an insertion or a deletion
//! there: it deletes one of the three tokens, or it inserts something between them. Disjoint
//! trigrams have different insertions and deletions, so their number is a lower bound. Sequences
//! with little in common have a bound of about a third of their length.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of tokens of a trigram.
const Q: usize = 3;
/// Number of tokens that a thread takes at a time.
const PART: usize = 1 << 15;
/// Number of bits of the filter for each token: among as many other trigrams, one in 17 passes.
const BITS: usize = 16;
/// An odd number with irregular bits, for hashing.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns a lower bound on the insertions and deletions between two sequences. O(m + n), on all
/// threads.
pub(super) fn least_differences(a: &[u32], b: &[u32]) -> u64 {
    let (of_a, of_b) = rayon::join(|| absent(a, b), || absent(b, a));
    of_a.max(of_b)
}

/// Returns the hash of the trigram that begins a slice.
#[inline(always)]
fn hash(tokens: &[u32; Q]) -> u64 {
    tokens.iter().fold(0, |hash: u64, &token| (hash.rotate_left(23) ^ u64::from(token)).wrapping_mul(MIX))
}

/// Counts disjoint trigrams of a sequence that are certainly not in the other one.
fn absent(own: &[u32], other: &[u32]) -> u64 {
    let words = (other.len() * BITS / 64).next_power_of_two();
    let filter: Vec<AtomicU64> = (0..words).into_par_iter().map(|_| AtomicU64::new(0)).collect();
    // The word and the bit of a trigram.
    let place = |tokens: &[u32; Q]| {
        let hash = hash(tokens);
        ((hash >> 6) as usize & (words - 1), 1 << (hash >> 58))
    };
    other.par_windows(Q).with_min_len(PART).for_each(|trigram| {
        if let Some(tokens) = trigram.first_chunk() {
            let (word, bit) = place(tokens);
            filter[word].fetch_or(bit, Ordering::Relaxed);
        }
    });
    let of_part = |part: &[u32]| {
        let mut rest = part;
        let mut count = 0;
        while let Some(tokens) = rest.first_chunk() {
            let (word, bit) = place(tokens);
            let is_absent = filter[word].load(Ordering::Relaxed) & bit == 0;
            count += u64::from(is_absent);
            rest = &rest[if is_absent { Q } else { 1 }..];
        }
        count
    };
    own.par_chunks(PART).map(of_part).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairwise::recurrence::lcs_length;

    #[test]
    fn no_alignment_has_fewer_differences() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut found = 0;
        for _ in 0..1000 {
            let kinds = [2, 4, 20, 300][random.usize(..4)];
            let mut tokens = |len: usize| (0..len).map(|_| random.u32(..kinds)).collect::<Vec<_>>();
            let mut a = tokens(60);
            let mut b = tokens(50);
            let common = tokens(20);
            let at = common[0] as usize % 40;
            a.splice(at..at, common.iter().copied());
            b.splice(at / 2..at / 2 + 5, common);
            let least = least_differences(&a, &b);
            let differences = (a.len() + b.len()) as u64 - 2 * lcs_length(&a, &b);
            assert!(least <= differences, "{least} {differences} {a:?} {b:?}");
            found += least;
        }
        assert!(found > 3000, "{found}");
        for len in 0..5 {
            let all = [1, 2, 3, 4, 5];
            assert_eq!(least_differences(&all[..len], &all[..len]), 0);
            assert_eq!(least_differences(&all[..len], &[9; 40]), u64::from(len >= 3).max(13));
        }
    }
}
