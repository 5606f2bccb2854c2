//! Checks of chapter 14.

use crate::chapter_14::{BestScores, SLICE, StagedSlices, slice_length};
use simt_std::exercise;

/// Returns n symbols of DNA.
fn dna(n: u32) -> Vec<u8> {
    (0..n).map(|i| b"ACGT"[(i.wrapping_mul(i ^ 0x9e37_79b9).wrapping_mul(2_654_435_761) >> 30) as usize]).collect()
}

/// Returns the positions of each symbol in the pattern, a bit for each.
fn match_masks(pattern: &[u8]) -> Vec<u32> {
    let mut masks = vec![0; 256];
    for (i, &symbol) in pattern.iter().enumerate() {
        masks[symbol as usize] |= 1 << i;
    }
    masks
}

/// Returns the fewest errors of the pattern and any part of the text that ends at each symbol.
fn scores(pattern: &[u8], text: &[u8]) -> Vec<u32> {
    let mut left = Vec::from_iter(0..=pattern.len() as u32);
    let mut scores = Vec::new();
    for symbol in text {
        let mut column = vec![0];
        for i in 1..left.len() {
            let replaced = left[i - 1] + u32::from(pattern[i - 1] != *symbol);
            column.push(replaced.min(left[i] + 1).min(column[i - 1] + 1));
        }
        scores.push(column[pattern.len()]);
        left = column;
    }
    scores
}

/// Returns the symbols that the threads read beyond those of the text.
fn extra(n: u32, overlap: u32, slice: u32) -> u64 {
    u64::from(n.div_ceil(slice) - 1) * u64::from(overlap)
}

#[test]
fn slice_length_is_the_shortest_within_the_limit() {
    for (n, overlap, percent) in [(40_000, 19, 10), (1000, 62, 5), (999, 1, 100), (7, 13, 1), (4_137_850, 33, 2)] {
        let slice = slice_length(n, overlap, percent);
        assert!(slice > 0, "a slice has at least one symbol");
        let (reads, limit) = (extra(n, overlap, slice), u64::from(n) * u64::from(percent) / 100);
        assert!(
            reads <= limit,
            "n = {n}, overlap = {overlap}: slices of {slice} read {reads} symbols more, and {limit} are allowed\n  \
             hint: the overlaps have (slices - 1) * overlap symbols; how many slices does the limit allow?"
        );
        assert!(
            slice == 1 || extra(n, overlap, slice - 1) > limit,
            "n = {n}, overlap = {overlap}: slices of {} are within the limit, too, and {slice} is longer\n  \
             hint: use as many slices as the limit allows; how long is the longest of them?",
            slice - 1
        );
    }
}

#[test]
fn best_scores() {
    for (m, slice) in [(1, 3), (6, 5), (20, 50), (32, 64)] {
        let mut text = dna(1000);
        let mut pattern = dna(3 * m)[2 * m as usize..].to_vec();
        pattern[0] = b'A';
        if m == 6 {
            // Occurrences with 3 insertions, which end at the first symbol of a slice.
            pattern = b"CGCGAG".to_vec();
            text = vec![b'T'; 1000];
            for at in (2..900).step_by(25) {
                text[at..at + 9].copy_from_slice(b"CGCGATTTG");
            }
        }
        let text = text;
        exercise! {
            run: |gpu| {
                let masks = gpu.alloc_from(&match_masks(&pattern), "masks");
                let on_gpu = gpu.alloc_from(&text, "text");
                let slices = 1000u32.div_ceil(slice);
                let best = gpu.alloc::<u32>(slices as usize, "best");
                let (masks, text) = (masks.handle(), on_gpu.handle());
                let kernel = BestScores { masks, text, n: 1000, m, slice, best: best.handle() };
                gpu.launch_kernel(slices.div_ceil(256), kernel)?;
                gpu.download(&best, slices as usize)
            } => "each thread with a slice writes one element, after its loop",
            expect: scores(&pattern, &text).chunks(slice as usize).map(|part| *part.iter().min().unwrap()).collect()
                => "a score of k needs m + k - 1 symbols before the slice; what is the largest score of interest?",
            schedules: 3,
        }
    }
}

#[test]
fn staged_slices() {
    const N: u32 = 5000;
    let mut text = dna(N);
    // Occurrences with 4 insertions.
    let pattern = b"ACGTTGCAAC";
    for at in (0..N as usize - 14).step_by(53) {
        text[at..at + 14].copy_from_slice(b"ACGTTTTTTGCAAC");
    }
    let (m, k) = (10, 4);
    let hits = Vec::from_iter(scores(pattern, &text).iter().map(|&score| u8::from(score <= k)));
    let found = hits.iter().map(|&hit| u64::from(hit)).sum::<u64>();
    let blocks = N.div_ceil(64 * SLICE);
    let text = text;
    exercise! {
        run: |gpu| {
            let masks = gpu.alloc_from(&match_masks(pattern), "masks");
            let on_gpu = gpu.alloc_from(&text, "text");
            let hits = gpu.alloc_from(&[0u8; N as usize], "hits");
            let (masks, text) = (masks.handle(), on_gpu.handle());
            gpu.launch_kernel(blocks, StagedSlices { masks, text, n: N, m, k, hits: hits.handle() })?;
            gpu.download(&hits, N as usize)
        } => "the tile begins 64 symbols before the block's first slice; put 0 where the text has no symbol",
        expect: hits => "in the tile, thread t's slice begins at 64 + SLICE * t, and its overlap m + k - 1 before that",
        schedules: 10,
        sectors: u64::from(blocks * (32 + 2 * (2 + 2 * SLICE))) + found
            => "thread t copies the symbols t, t + 64, t + 128, … of the tile; no thread reads its slice from `text`",
        conflicts: 1000 => "the slices of two lanes lie SLICE / 4 words apart; which numbers of words give 32 banks?",
        barriers: u64::from(blocks) * 2 => "one barrier, after both copies, is enough",
    }
}
