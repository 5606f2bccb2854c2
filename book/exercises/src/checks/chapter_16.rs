//! Checks of chapter 16.

use crate::chapter_16::{DuelsAsPrinted, VerifyByWarps, WitnessArray};
use simt_std::exercise;

/// Returns symbols A, C, G and T without a pattern, more A's than others.
fn random(n: usize, mut seed: u32) -> Vec<u8> {
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"AAAAACGT"[(seed >> 29) as usize]
    };
    (0..n).map(|_| next()).collect()
}

/// Returns, for each shift d below ⌈m / 2⌉, the first k with `pattern[k] != pattern[d + k]`; entry
/// 0 is 0.
fn witnesses(pattern: &[u8]) -> Vec<u32> {
    let first = |d: usize| pattern.iter().zip(&pattern[d..]).position(|(a, b)| a != b);
    (0..pattern.len().div_ceil(2)).map(|d| first(d).unwrap_or(0) as u32).collect()
}

/// Returns a text of `n` symbols with copies of the pattern at these positions.
fn text_with(n: usize, pattern: &[u8], positions: &[usize]) -> Vec<u8> {
    let mut text = random(n, 9);
    for &at in positions {
        text[at..at + pattern.len()].copy_from_slice(pattern);
    }
    text
}

#[test]
fn witness_array() {
    // A long tail of A's has its witnesses at the end.
    let pattern = [vec![b'A'; 700], random(301, 1)].concat();
    exercise! {
        run: |gpu| {
            let on_pattern = gpu.alloc_from(&pattern, "pattern");
            let found = gpu.alloc::<u32>(501, "witnesses");
            gpu.launch_kernel(2, WitnessArray { pattern: on_pattern.handle(), r: 501, witnesses: found.handle() })?;
            gpu.download(&found, 501)
        } => "thread d writes one witness; d = 0 has none, and the last block has threads without a d",
        expect: witnesses(&pattern) => "compare from k = 0 on, and stop at the first difference",
        schedules: 5,
    }
}

#[test]
fn duels_as_printed() {
    let pattern = random(101, 5);
    let text = text_with(1100, &pattern, &[20, 130, 270, 480, 999]);
    exercise! {
        run: |gpu| {
            let on_text = gpu.alloc_from(&text, "text");
            let on_pattern = gpu.alloc_from(&pattern, "pattern");
            let on_witnesses = gpu.alloc_from(&witnesses(&pattern), "witnesses");
            let winners = gpu.alloc::<u32>(20, "winners");
            let kernel = DuelsAsPrinted {
                text: on_text.handle(),
                pattern: on_pattern.handle(),
                witnesses: on_witnesses.handle(),
                starts: 1000,
                r: 51,
                winners: winners.handle(),
            };
            gpu.launch_kernel(20, kernel)?;
            // Groups with an occurrence; the winners of the others do not matter.
            let winners = gpu.download(&winners, 20)?;
            Ok([0, 2, 5, 9, 19].map(|group| winners[group]).to_vec())
        } => "which of the two candidates is the smaller position, after some rounds?",
        expect: vec![20, 130, 270, 480, 999]
            => "an occurrence has lost a duel: which string is the witness a position of?",
        schedules: 5,
    }
}

#[test]
fn verify_by_warps() {
    let pattern = random(200, 3);
    let text = text_with(4000, &pattern, &[7, 1100, 3800]);
    // Groups of 100 positions: three have an occurrence, and the others any position.
    let mut winners: Vec<u32> = (0..39).map(|group| 100 * group + 50).collect();
    (winners[0], winners[11], winners[38]) = (7, 1100, 3800);
    exercise! {
        run: |gpu| {
            let on_text = gpu.alloc_from(&text, "text");
            let on_pattern = gpu.alloc_from(&pattern, "pattern");
            let on_winners = gpu.alloc_from(&winners, "winners");
            let found = gpu.alloc_from(&[0u8; 3801], "found");
            let kernel = VerifyByWarps {
                text: on_text.handle(),
                pattern: on_pattern.handle(),
                m: 200,
                winners: on_winners.handle(),
                groups: 39,
                found: found.handle(),
            };
            gpu.launch_kernel(5, kernel)?;
            gpu.download(&found, 3801)
        } => "warp w of the grid, that is `index_1d() / 32`, verifies winner w; the lanes of a warp vote together",
        expect: text.windows(200).map(|part| u8::from(part == pattern)).collect()
            => "the pattern begins there if all lanes agree in every round; lanes from m on agree always",
        schedules: 10,
        // Each warp reads its winner; the text in at most 2 sectors a round, and the pattern in 1.
        sectors: 39 + 3 + 36 * 3 + 3 * 7 * 3
            => "the lanes read neighbouring symbols, and a vote of the warp ends its loop at the first difference",
    }
}
