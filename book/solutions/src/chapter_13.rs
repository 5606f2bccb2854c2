//! Solutions of chapter 13: Kawanami, Fujimoto 2014: carries.

use simt_std::prelude::*;

// ANCHOR: lcs_words
/// Exercise `lcs_words`: `lengths[i]` is the length of an LCS of the text and pattern i, for
/// `count` patterns of 32 symbols. Symbol k of pattern i is `patterns[count * k + i]`; all symbols
/// are 0 to 3. Each thread has one pattern: collect the match words of the four symbols, then
/// compute V from column to column. Launch: `count` / 64 blocks, rounded up.
#[kernel(threads = 64)]
pub fn lcs_words(patterns: Global<u8>, count: u32, text: Global<u8>, n: u32, lengths: Global<u32>) {
    let i = thread::index_1d();
    if i >= count {
        return;
    }
    let mut matches = [0; 4];
    for k in 0..32 {
        let symbol = patterns.read(count * k + i);
        for c in 0..4 {
            matches[usize::from(c)] |= u32::from(symbol == c) << k;
        }
    }
    let mut v = u32::MAX;
    for j in 0..n {
        let m = matches[usize::from(text.read(j) % 4)];
        v = v.wrapping_add(v & m) | (v & !m);
    }
    lengths.write(i, v.count_zeros());
}
// ANCHOR_END: lcs_words

// ANCHOR: lcs_masks
/// Exercise `lcs_masks`: `column` is the last column of the table of a pattern of m symbols,
/// m ≤ 1,024, and a text of n symbols, as 32 words; all symbols are 0 to 3. In round k, the warp
/// reads the symbols 32k to 32k + 31 of the pattern, and a ballot for each symbol gives word k of
/// its matches. Positions from m on match nothing. Launch: one block.
#[kernel(threads = WARP)]
pub fn lcs_masks(pattern: Global<u8>, m: u32, text: Global<u8>, n: u32, column: Global<u32>) {
    shared_array!(matches: [u32; 128]);
    let lane = warp::lane_id();
    let mut own = [0; 4];
    for k in 0..32 {
        let i = 32 * k + lane;
        let symbol = if i < m { pattern.read(i) } else { 4 };
        for c in 0..4 {
            // SAFETY: all lanes are here.
            let word = unsafe { warp::warp_vote_ballot(FULL_WARP, symbol == c) };
            if lane == k {
                own[usize::from(c)] = word;
            }
        }
    }
    for c in 0..4 {
        matches.write(32 * c + lane, own[c as usize]);
    }
    let mut v = u32::MAX;
    for j in 0..n {
        let m = matches.read(32 * u32::from(text.read(j)) + lane);
        let (sum, overflow) = v.overflowing_add(v & m);
        // SAFETY: all lanes are here.
        let generate = unsafe { warp::warp_vote_ballot(FULL_WARP, overflow) };
        // SAFETY: all lanes are here.
        let propagate = unsafe { warp::warp_vote_ballot(FULL_WARP, sum == u32::MAX) };
        let carries = (generate << 1).wrapping_add(propagate) ^ propagate;
        v = sum.wrapping_add(carries >> lane & 1) | (v & !m);
    }
    column.write(lane, v);
}
// ANCHOR_END: lcs_masks

// ANCHOR: add_long
/// Exercise `add_long`: `sum` is `a` + `b`. The numbers have 32 words of 64 bits, the lowest first,
/// and `sum` has a word more, for the carry out. Launch: one block.
#[kernel(threads = WARP)]
pub fn add_long(a: Global<u64>, b: Global<u64>, sum: Global<u64>) {
    let lane = warp::lane_id();
    let (word, overflow) = a.read(lane).overflowing_add(b.read(lane));
    // SAFETY: all lanes are here.
    let generate = unsafe { warp::warp_vote_ballot(FULL_WARP, overflow) };
    // SAFETY: all lanes are here.
    let propagate = unsafe { warp::warp_vote_ballot(FULL_WARP, word == u64::MAX) };
    // Bit 32 is the carry out of lane 31.
    let carries = (2 * u64::from(generate) + u64::from(propagate)) ^ u64::from(propagate);
    sum.write(lane, word.wrapping_add(carries >> lane & 1));
    if lane == 31 {
        sum.write(32, carries >> 32);
    }
}
// ANCHOR_END: add_long
