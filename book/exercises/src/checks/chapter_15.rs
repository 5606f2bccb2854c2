//! Checks of chapter 15.

use crate::chapter_15::{OneMismatch, Segment, StatesOf32, WarpSearch, combine};
use simt_std::exercise;

/// Returns n symbols, each one of these, at random.
fn random(n: u32, symbols: &[u8]) -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        symbols[(state >> 16) as usize % symbols.len()]
    };
    (0..n).map(|_| next()).collect()
}

/// Returns a mask for each symbol: bit i is 0 if the pattern's symbol i is the symbol.
fn mismatch_masks(pattern: &[u8]) -> Vec<u32> {
    let mut masks = vec![u32::MAX; 256];
    for (i, &symbol) in pattern.iter().enumerate() {
        masks[symbol as usize] &= !(1 << i);
    }
    masks
}

/// Returns the state after a part of the text.
fn apply(state: u32, segment: Segment) -> u32 {
    state.checked_shl(segment.symbols).unwrap_or(0) | segment.mask
}

#[test]
fn combine_is_the_effect_of_both_and_associative() {
    let lengths = [0, 1, 2, 5, 31, 32, 40];
    let masks = [0, 1, 2, 0b1101, 0x8000_0000, 0xdead_beef, u32::MAX];
    let segments = Vec::from_iter(lengths.iter().flat_map(|&symbols| masks.map(|mask| Segment { symbols, mask })));
    for &first in &segments {
        for &second in &segments {
            let both = combine(first, second);
            for state in masks {
                assert_eq!(
                    apply(state, both),
                    apply(apply(state, first), second),
                    "combine({first:?}, {second:?}) is {both:?}, which has another effect on the state {state:#x}\n  \
                     hint: (state << u1 | x1) << u2 | x2 is state << (u1 + u2) | what?"
                );
            }
            for &third in &segments {
                assert_eq!(
                    combine(both, third),
                    combine(first, combine(second, third)),
                    "combine is not associative for {first:?}, {second:?} and {third:?}\n  \
                     hint: do `symbols` and `mask` of the result depend on these three alone?"
                );
            }
        }
    }
}

#[test]
fn states_of_32() {
    let text = random(256, b"AAAAAAAC");
    let table = mismatch_masks(&text[100..132]);
    let masks = Vec::from_iter(text.iter().map(|&symbol| table[symbol as usize]));
    let mut state = u32::MAX;
    let mut expected = Vec::new();
    for mask in &masks {
        state = state << 1 | mask;
        expected.push(state);
    }
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&masks, "masks");
            let states = gpu.alloc::<u32>(256, "states");
            gpu.launch_kernel(1, StatesOf32 { masks: on_gpu.handle(), states: states.handle() })?;
            gpu.download(&states, 256)
        } => "in step s, write to half s % 2 and read from it; the half is written again only two steps later",
        expect: expected
            => "thread t combines the segment of thread t - distance, if it exists, with its own; all ones come first",
        schedules: 20,
        barriers: 5 * 8 => "32 symbols take five steps, with one barrier each, between the write and the read",
    }
}

#[test]
fn warp_search() {
    for (n, m) in [(500, 12), (33, 1), (31, 3), (200, 16), (5, 9)] {
        let text = random(n, b"AAAAAAAAAAAC");
        let pattern = vec![b'A'; m as usize];
        let blocks = 1 + n.saturating_sub(32).div_ceil(33 - m);
        let steps = u64::from(m.next_power_of_two().trailing_zeros());
        exercise! {
            run: |gpu| {
                let masks = gpu.alloc_from(&mismatch_masks(&pattern), "masks");
                let on_gpu = gpu.alloc_from(&text, "text");
                let ends = gpu.alloc::<u8>(n as usize, "ends");
                let kernel = WarpSearch { masks: masks.handle(), text: on_gpu.handle(), n, m, ends: ends.handle() };
                gpu.launch_kernel(blocks, kernel)?;
                gpu.download(&ends, n as usize)
            } => "all 32 lanes shuffle; only lanes with m symbols in the block write, and in block 0 all lanes",
            expect: (1..=text.len()).map(|end| u8::from(text[..end].ends_with(&pattern))).collect()
                => "`warp_shuffle_up` returns false for a lane that has no lane `symbols` below: take all ones there",
            schedules: 5,
            barriers: 0 => "a shuffle needs no barrier",
            wavefronts: 0 => "the state goes from lane to lane in registers",
            steps: u64::from(blocks) * (3 + steps)
                => "a warp reads the symbol and its mask, shuffles log2 m times, rounded up, and writes",
        }
    }
}

#[test]
fn one_mismatch() {
    for (n, m) in [(600, 8), (256, 32), (300, 1), (10, 3), (900, 5)] {
        let text = random(n, b"AAACAAAC");
        let pattern = random(m + 7, b"AAACAAAC")[7..].to_vec();
        let differ = |end: usize| text[end - pattern.len()..end].iter().zip(&pattern).filter(|(a, b)| a != b).count();
        let is_end = |end: usize| end >= pattern.len() && differ(end) <= 1;
        let blocks = 1 + n.saturating_sub(256).div_ceil(257 - m);
        let steps = u64::from(m.next_power_of_two().trailing_zeros());
        exercise! {
            run: |gpu| {
                let masks = gpu.alloc_from(&mismatch_masks(&pattern), "masks");
                let on_gpu = gpu.alloc_from(&text, "text");
                let ends = gpu.alloc::<u8>(n as usize, "ends");
                let kernel = OneMismatch { masks: masks.handle(), text: on_gpu.handle(), n, m, ends: ends.handle() };
                gpu.launch_kernel(blocks, kernel)?;
                gpu.download(&ends, n as usize)
            } => "a step has two barriers, as in `scan`; which array does a thread write while others still read it?",
            expect: (1..=text.len()).map(|end| u8::from(is_end(end))).collect()
                => "a symbol's effect is (state << 1) & keep | mask & keep; keep is `exact << 1` of the thread before",
            schedules: 5,
            barriers: 8 * u64::from(blocks) * (2 + 4 * steps)
                => "one barrier for the table, one for `exact` of the thread before, and two a step in two scans",
        }
    }
}
