//! Chapter 13: launches of its kernels.

use super::kernels::{LcsBlock, LcsWarp};
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: match_words
/// Returns the match words of a pattern for the symbols 0 to `symbols` - 1, `words` for each: bit i
/// of word l is set if the symbol is at position 32l + i.
pub fn match_words(pattern: &[u8], symbols: u8, words: usize) -> Vec<u32> {
    let mut matches = vec![0; usize::from(symbols) * words];
    for (i, &symbol) in pattern.iter().enumerate() {
        matches[usize::from(symbol) * words + i / 32] |= 1 << (i % 32);
    }
    matches
}
// ANCHOR_END: match_words

// ANCHOR: lcs_warp
/// Returns the length of an LCS of a pattern, up to 1,024 symbols, and a text; their symbols are 0
/// to 3.
pub fn lcs_warp(gpu: &mut Simulator, pattern: &[u8], text: &[u8]) -> Result<u32, Fault> {
    let matches = gpu.alloc_from(&match_words(pattern, 4, 32), "matches");
    let (on_text, column) = (gpu.alloc_from(text, "text"), gpu.alloc::<u32>(32, "column"));
    let n = text.len() as u32;
    let kernel = LcsWarp { matches: matches.handle(), text: on_text.handle(), n, column: column.handle() };
    gpu.launch_kernel(1, kernel)?;
    Ok(gpu.download(&column, 32)?.iter().map(|word| word.count_zeros()).sum())
}
// ANCHOR_END: lcs_warp

/// Returns the length of an LCS by a block of `warps` warps: 1 to 8, 1,024 symbols of the pattern
/// each.
pub fn lcs_block(gpu: &mut Simulator, pattern: &[u8], text: &[u8], warps: u32) -> Result<u32, Fault> {
    let threads = 32 * warps;
    let matches = gpu.alloc_from(&match_words(pattern, 4, threads as usize), "matches");
    let (on_text, column) = (gpu.alloc_from(text, "text"), gpu.alloc::<u32>(threads as usize, "column"));
    let n = text.len() as u32;
    let kernel = LcsBlock { matches: matches.handle(), text: on_text.handle(), n, column: column.handle(), threads };
    gpu.launch_kernel(1, kernel)?;
    Ok(gpu.download(&column, threads as usize)?.iter().map(|word| word.count_zeros()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    /// The length of an LCS, by the table.
    fn lcs(a: &[u8], b: &[u8]) -> u32 {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    fn symbols(n: u32, of: impl Fn(u32) -> u32) -> Vec<u8> {
        Vec::from_iter((0..n).map(|i| (of(i) % 4) as u8))
    }

    /// Pairs whose carries run far. In the last one, a carry runs from bit 5 to the last bit.
    fn pairs(len: u32) -> [(Vec<u8>, Vec<u8>); 5] {
        let random = |seed: u32| move |i: u32| (i + seed).wrapping_mul(2_654_435_769) >> 13;
        [
            (symbols(len, random(1)), symbols(200, random(77))),
            (symbols(len, |_| 1), symbols(70, |i| 1 + i / 40)),
            (symbols(len, |i| u32::from(i % 97 == 5)), symbols(90, |i| i % 2)),
            (symbols(len - 1, |i| i / 31), symbols(120, |i| i / 7)),
            (symbols(len, |i| u32::from(i == 5) + 2 * u32::from(i == len - 1)), vec![2, 1]),
        ]
    }

    #[test]
    fn a_warp_computes_the_length_of_the_table() {
        for len in [1, 31, 33, 992, 1024] {
            for (pattern, text) in pairs(len) {
                exercise! {
                    run: |gpu| lcs_warp(gpu, &pattern, &text),
                    expect: lcs(&pattern, &text),
                    schedules: 2,
                }
            }
        }
        assert_eq!(lcs(b"BCAEDAC", b"EABEDCBAAC"), 5);
    }

    #[test]
    fn a_block_computes_the_length_of_the_table() {
        for (len, warps) in [(1024, 1), (1025, 2), (3000, 3), (8 * 1024, 8)] {
            for (pattern, text) in pairs(len) {
                exercise! {
                    run: |gpu| lcs_block(gpu, &pattern, &text, warps),
                    expect: lcs(&pattern, &text),
                    schedules: 3,
                }
            }
        }
    }
}
