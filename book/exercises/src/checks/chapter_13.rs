//! Checks of chapter 13.

use crate::chapter_13::{AddLong, LcsMasks, LcsWords};
use simt_std::exercise;

/// The lengths of an LCS of the first 1, 2, … symbols of `a` and all of `b`: the last column of the
/// table.
fn last_column(a: &[u8], b: &[u8]) -> Vec<u32> {
    let mut row = vec![0; b.len() + 1];
    let mut column = Vec::new();
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
        column.push(row[b.len()]);
    }
    column
}

fn symbols(n: u32, seed: u32) -> Vec<u8> {
    Vec::from_iter((0..n).map(|i| ((i + seed).wrapping_mul(2_654_435_769) >> 13) as u8 % 4))
}

#[test]
fn lcs_words() {
    let text = symbols(75, 500);
    for count in [1, 100] {
        let mut all = Vec::from_iter((0..count).map(|i| symbols(32, 40 * i)));
        all[count as usize - 1] = vec![2; 32];
        let patterns = Vec::from_iter((0..32).flat_map(|k| all.iter().map(move |pattern| pattern[k])));
        let blocks = count.div_ceil(64);
        exercise! {
            run: |gpu| {
                let (on_patterns, on_text) = (gpu.alloc_from(&patterns, "patterns"), gpu.alloc_from(&text, "text"));
                let lengths = gpu.alloc::<u32>(count as usize, "lengths");
                let (patterns, text) = (on_patterns.handle(), on_text.handle());
                gpu.launch_kernel(blocks, LcsWords { patterns, count, text, n: 75, lengths: lengths.handle() })?;
                gpu.download(&lengths, count as usize)
            } => "threads from `count` on have no pattern and write nothing; the sum may overflow: `wrapping_add`",
            expect: all.iter().map(|pattern| last_column(pattern, &text)[31]).collect()
                => "V begins with 32 ones, and each zero of the last V counts one symbol",
            sectors: u64::from(2 * blocks * (2 * 32 + 75 + 5))
                => "read each symbol of the pattern once, and a symbol of the text once a column",
        }
    }
}

#[test]
fn lcs_masks() {
    let text = symbols(60, 9);
    let mut far = vec![0; 1024];
    (far[5], far[1023]) = (1, 2);
    for (pattern, text) in [
        (symbols(1024, 3000), &text),
        (symbols(77, 70), &text),
        (vec![1; 1000], &text),
        (symbols(1, 0), &vec![3, 1, 0, 0, 2]),
        (far, &vec![2, 1]),
    ] {
        let (m, n) = (pattern.len() as u32, text.len() as u32);
        let lengths = last_column(&pattern, text);
        let mut column = vec![u32::MAX; 32];
        for i in 0..lengths.len() {
            let grows = lengths[i] > if i == 0 { 0 } else { lengths[i - 1] };
            column[i / 32] ^= u32::from(grows) << (i % 32);
        }
        exercise! {
            run: |gpu| {
                let (on_pattern, on_text) = (gpu.alloc_from(&pattern, "pattern"), gpu.alloc_from(text, "text"));
                let column = gpu.alloc::<u32>(32, "column");
                let (pattern, text) = (on_pattern.handle(), on_text.handle());
                gpu.launch_kernel(1, LcsMasks { pattern, m, text, n, column: column.handle() })?;
                gpu.download(&column, 32)
            } => "all 32 lanes must reach each ballot; past its end, the pattern has a symbol that matches nothing",
            expect: column => "first compare the match words with those of `match_words` on the host",
            schedules: 5,
            conflicts: 0 => "at most one lane writes a word of a bank at a time",
            sectors: u64::from(2 * (32 + n) + 4) => "the lanes read 32 neighbouring symbols of the pattern, and each of them once",
        }
    }
}

/// The sum with one word after the other.
fn sum_of(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut carry = 0;
    let mut sum = Vec::new();
    for (&x, &y) in a.iter().zip(b) {
        let word = u128::from(x) + u128::from(y) + carry;
        sum.push(word as u64);
        carry = word >> 64;
    }
    sum.push(carry as u64);
    sum
}

#[test]
fn add_long() {
    let mixed = Vec::from_iter((0..32u64).map(|i| [u64::MAX, 0, u64::MAX - 1, i << 60][(i * i % 7 % 4) as usize]));
    let ones = vec![u64::MAX; 32];
    let one = Vec::from_iter((0..32u64).map(|i| u64::from(i == 0)));
    let upper = Vec::from_iter((0..32u64).map(|i| u64::from(i > 16) << 63));
    for (a, b) in [(&mixed, &one), (&ones, &one), (&ones, &ones), (&mixed, &mixed), (&upper, &upper), (&ones, &upper)] {
        exercise! {
            run: |gpu| {
                let (on_a, on_b, sum) = (gpu.alloc_from(a, "a"), gpu.alloc_from(b, "b"), gpu.alloc::<u64>(33, "sum"));
                gpu.launch_kernel(1, AddLong { a: on_a.handle(), b: on_b.handle(), sum: sum.handle() })?;
                gpu.download(&sum, 33)
            } => "`overflowing_add` gives a lane's sum and its overflow; one lane writes word 32",
            expect: sum_of(a, b)
                => "C has 33 bits: compute it in 64 bits, and bit 32 is the carry out of the last lane",
            schedules: 5,
            barriers: 0 => "two ballots are enough",
            sectors: 2 * 8 + 8 + 1 => "each lane reads one word of `a` and one of `b`",
        }
    }
}
