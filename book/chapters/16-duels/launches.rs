//! Chapter 16: launches of its kernels.

use super::kernels::{DuelRounds, SearchEverywhere, VerifyWinners};
use simt_std::simulator::{Fault, Simulator};

/// Returns 1 for each position where the pattern begins, else 0, by comparing it with the text at
/// every position. The text is at least as long as the pattern, which has one symbol at least.
pub fn everywhere(gpu: &mut Simulator, text: &[u8], pattern: &[u8]) -> Result<Vec<u8>, Fault> {
    let starts = text.len() - pattern.len() + 1;
    let on_text = gpu.alloc_from(text, "text");
    let on_pattern = gpu.alloc_from(pattern, "pattern");
    let found = gpu.alloc::<u8>(starts, "found");
    let kernel = SearchEverywhere {
        text: on_text.handle(),
        pattern: on_pattern.handle(),
        m: pattern.len() as u32,
        starts: starts as u32,
        found: found.handle(),
    };
    gpu.launch_kernel(starts.div_ceil(256) as u32, kernel)?;
    gpu.download(&found, starts)
}

// ANCHOR: witness_array
/// Returns, for each shift d from 1 to ⌈m / 2⌉ - 1, the first position k where the pattern differs
/// from its copy at d. Entry 0 is 0. `None` if the pattern equals a copy as far as both overlap.
pub fn witness_array(pattern: &[u8]) -> Option<Vec<u32>> {
    let mut witnesses = vec![0];
    for d in 1..pattern.len().div_ceil(2) {
        let k = (0..pattern.len() - d).find(|&k| pattern[k] != pattern[d + k])?;
        witnesses.push(k as u32);
    }
    Some(witnesses)
}
// ANCHOR_END: witness_array

// ANCHOR: by_duels
/// Returns 1 for each position where the pattern begins, else 0. The pattern has 1 to 2,048 symbols
/// and a period of more than m / 2; the text is at least as long.
pub fn by_duels(gpu: &mut Simulator, text: &[u8], pattern: &[u8]) -> Result<Vec<u8>, Fault> {
    let starts = text.len() - pattern.len() + 1;
    let r = pattern.len().div_ceil(2);
    let groups = starts.div_ceil(r);
    let witnesses = witness_array(pattern).expect("the period is more than m / 2");
    let on_text = gpu.alloc_from(text, "text");
    let on_pattern = gpu.alloc_from(pattern, "pattern");
    let on_witnesses = gpu.alloc_from(&witnesses, "witnesses");
    let winners = gpu.alloc::<u32>(groups, "winners");
    let found = gpu.alloc_from(&vec![0u8; starts], "found");
    let rounds = DuelRounds {
        text: on_text.handle(),
        pattern: on_pattern.handle(),
        witnesses: on_witnesses.handle(),
        starts: starts as u32,
        r: r as u32,
        winners: winners.handle(),
    };
    gpu.launch_kernel(groups as u32, rounds)?;
    let verify = VerifyWinners {
        text: on_text.handle(),
        pattern: on_pattern.handle(),
        m: pattern.len() as u32,
        winners: winners.handle(),
        groups: groups as u32,
        found: found.handle(),
    };
    gpu.launch_kernel(groups.div_ceil(256) as u32, verify)?;
    gpu.download(&found, starts)
}
// ANCHOR_END: by_duels

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    /// Returns symbols A, C, G and T without a pattern, more A's than others.
    fn random(n: usize, mut seed: u32) -> Vec<u8> {
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b"AAAAACGT"[(seed >> 29) as usize]
        };
        (0..n).map(|_| next()).collect()
    }

    /// Returns A…AT, whose period is its length.
    fn tail(m: usize) -> Vec<u8> {
        let mut pattern = vec![b'A'; m];
        pattern[m - 1] = b'T';
        pattern
    }

    /// Returns pairs of a text and a pattern that is not periodic.
    fn cases() -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut cases = Vec::new();
        for m in [1, 2, 3, 7, 8, 63, 64, 65, 600] {
            let mut patterns = vec![tail(m)];
            patterns.extend((1..4).map(|seed| random(m, seed)).filter(|pattern| witness_array(pattern).is_some()));
            for pattern in patterns {
                cases.push((pattern.clone(), pattern.clone()));
                cases.push((vec![b'A'; m + 100], pattern.clone()));
                let mut text = random(3 * m + 300, 9);
                for at in [0, m + 1, 2 * m + 150, 2 * m + 300] {
                    text[at..at + m].copy_from_slice(&pattern);
                }
                cases.push((text, pattern));
            }
        }
        cases
    }

    fn starts(text: &[u8], pattern: &[u8]) -> Vec<u8> {
        text.windows(pattern.len()).map(|part| u8::from(part == pattern)).collect()
    }

    #[test]
    fn duels_find_what_plain_rust_finds() {
        for (text, pattern) in cases() {
            exercise! {
                run: |gpu| by_duels(gpu, &text, &pattern),
                expect: starts(&text, &pattern),
                schedules: 3,
            }
        }
    }

    #[test]
    fn every_position_is_compared() {
        for (text, pattern) in cases() {
            exercise! {
                run: |gpu| everywhere(gpu, &text, &pattern),
                expect: starts(&text, &pattern),
            }
        }
    }

    #[test]
    fn witnesses_of_the_example() {
        assert_eq!(witness_array(b"AATAACAA"), Some(vec![0, 1, 0, 2]));
        assert_eq!(witness_array(b"AATAATAA"), None);
    }
}
