//! Checks of chapter 9.

use crate::chapter_09::{BestHit, CombinedCounts, CountsInCopies, SaturatingCounts};
use simt_std::exercise;

/// Returns n symbols of an alphabet, as random ones, the same each time.
fn random_text(n: usize, alphabet: &[u8]) -> Vec<u8> {
    let next = |&state: &u64| Some(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    let states = std::iter::successors(Some(n as u64), next);
    states.skip(1).take(n).map(|state| alphabet[(state >> 33) as usize % alphabet.len()]).collect()
}

fn count(text: &[u8], symbol: u8) -> u32 {
    text.iter().filter(|&&other| other == symbol).count() as u32
}

#[test]
fn combined_counts() {
    let text = random_text(1000, b"AAAAAAACGT\x00\xff");
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&text, "text");
            let counts = gpu.alloc_from(&[0u32; 256], "counts");
            let kernel = CombinedCounts { text: on_gpu.handle(), n: 1000, counts: counts.handle() };
            gpu.launch_kernel(4, kernel)?;
            gpu.download(&counts, 256)
        } => "all 32 lanes reach the match; give lanes without a symbol a value that no symbol has",
        expect: (0..=255).map(|symbol| count(&text, symbol)).collect()
            => "`warp_match_any` returns the mask of the lanes with the same value; one lane of each such group adds",
        schedules: 10,
        turns: 32 => "1,000 symbols are in 32 warps, and at each word there is one lane of a warp",
    }
}

#[test]
fn counts_in_copies() {
    let text = [vec![b'A'; 2048], random_text(2048, b"ACGT")].concat();
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&text, "text");
            let counts = gpu.alloc_from(&[0u32; 4], "counts");
            let kernel = CountsInCopies { text: on_gpu.handle(), n: 4096, counts: counts.handle() };
            gpu.launch_kernel(2, kernel)?;
            gpu.download(&counts, 4)
        } => "the bins are 0 before any thread adds, and complete before any thread reads them",
        expect: [b'A', b'C', b'T', b'G'].map(|letter| count(&text, letter)).to_vec()
            => "each block sets its 32 words to 0, counts, adds up 8 copies of each bin, and adds the sums to `counts`",
        schedules: 10,
        turns: 4 * 4096 / 32 + 2
            => "lanes l, l + 8, l + 16 and l + 24 share a copy: 4 turns for each 32 letters; one more for each block",
        wavefronts: 4 * 4096 / 32 + 2 * 20 => "the 8 copies of a bin belong in 8 banks",
    }
}

#[test]
fn saturating_counts() {
    let text = [vec![b'A'; 300], random_text(400, b"BCDxyz\x00\xff")].concat();
    let counts = Vec::from_iter((0..=255).map(|symbol| count(&text, symbol).min(255) as u8));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&text, "text");
            let counts = gpu.alloc_from(&[0u32; 64], "counts");
            let kernel = SaturatingCounts { text: on_gpu.handle(), n: 700, counts: counts.handle() };
            gpu.launch_kernel(3, kernel)?;
            gpu.download(&counts, 64)
        } => "all accesses of `counts` are atomic; a thread whose symbol has the count 255 is done",
        expect: counts.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect()
            => "if the exchange returns another word than expected, it has failed: check and add again, to that word",
        schedules: 5,
    }
}

#[test]
fn best_hit() {
    let scores = Vec::from_iter((0..180u32).map(|i| i * 37 % 101));
    let highest = *scores.iter().max().unwrap();
    let first = scores.iter().position(|&score| score == highest).unwrap() as u32;
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&scores, "scores");
            let lock = gpu.alloc_from(&[0u32], "lock");
            let best = gpu.alloc_from(&[0, u32::MAX], "best");
            let kernel = BestHit { scores: on_gpu.handle(), n: 180, lock: lock.handle(), best: best.handle() };
            gpu.launch_kernel(3, kernel)?;
            gpu.download(&best, 2)
        } => "read and write `best` between the two operations on the lock, and wait for no other lane there",
        expect: vec![highest, first]
            => "of equal scores, the one at the lower position wins, in whatever order the threads come",
        schedules: 20,
    }
}
