//! Search through the public interface, against a plain Sellers table.

use carrywave::engine::cpu::search::{CpuEnds, CpuSearch};
use carrywave::engine::ends::{End, Ends as _};
use carrywave::search::{Class, Pattern};

/// The last row of Sellers' table, at most k, from the whole table and nothing else.
fn oracle(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let (m, n) = (pattern.len(), text.len());
    let mut table = vec![vec![0u32; n + 1]; m + 1];
    for i in 1..=m {
        table[i][0] = i as u32;
        for j in 1..=n {
            let mismatch = u32::from(!pattern.classes()[i - 1].contains(text[j - 1]));
            let ways = [table[i - 1][j - 1] + mismatch, table[i - 1][j] + 1, table[i][j - 1] + 1];
            table[i][j] = ways.into_iter().min().unwrap();
        }
    }
    (1..=n).filter(|&j| table[m][j] <= k).map(|j| End { end: j as u64, errors: table[m][j] }).collect()
}

/// Every algorithm that takes the pattern and k.
fn algorithms(pattern: &Pattern, k: u32) -> Vec<CpuSearch> {
    let mut all = vec![CpuSearch::Auto, CpuSearch::Sellers, CpuSearch::WuManber, CpuSearch::Myers];
    if k == 0 {
        all.push(CpuSearch::ShiftOr);
        if pattern.as_literal().is_some() {
            all.push(CpuSearch::Literal);
        }
    }
    #[cfg(target_arch = "x86_64")]
    if k <= 15 && is_x86_feature_detected!("avx2") {
        all.push(CpuSearch::Segments);
    }
    all
}

#[track_caller]
fn check(text: &[u8], pattern: &Pattern, k: u32) -> usize {
    let expected = oracle(text, pattern, k);
    for algorithm in algorithms(pattern, k) {
        let found = CpuEnds { algorithm, progress: &|_| () }.ends(text, pattern, k).unwrap();
        let first = found.iter().zip(&expected).find(|(a, b)| a != b);
        let (m, n) = (pattern.len(), text.len());
        assert!(
            found == expected,
            "{algorithm:?}, m = {m}, n = {n}, k = {k}: {first:?}, {} {}",
            found.len(),
            expected.len()
        );
    }
    expected.len()
}

fn random(len: usize, symbols: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    (0..len).map(|_| random.usize(..symbols) as u8).collect()
}

/// The pattern with so many insertions, deletions and substitutions.
fn with_errors(pattern: &[u8], errors: u32, symbols: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut copy = pattern.to_vec();
    for _ in 0..errors {
        let at = random.usize(..=copy.len());
        let symbol = random.usize(..symbols) as u8;
        match random.u8(..3) {
            0 => copy.insert(at, symbol),
            1 if at < copy.len() => drop(copy.remove(at)),
            _ if at < copy.len() => copy[at] = symbol,
            _ => copy.push(symbol),
        }
    }
    copy
}

#[test]
fn every_algorithm_on_random_texts_with_planted_patterns() {
    let mut seed = fastrand::Rng::with_seed(7);
    let mut found = 0;
    for m in (1..=130).chain([191, 192, 193, 500]) {
        for symbols in [2, 4, 20, 256] {
            let k = seed.u32(0..=8).min(m as u32 - 1);
            let n = if m == 500 { 3000 } else { seed.usize(0..1500) };
            let symbols_of_pattern = random(m, symbols, &mut seed);
            let mut text = random(n, symbols, &mut seed);
            for _ in 0..3 {
                let errors = seed.u32(0..=k + 1);
                let copy = with_errors(&symbols_of_pattern, errors, symbols, &mut seed);
                if copy.len() <= text.len() {
                    let at = seed.usize(0..=text.len() - copy.len());
                    text[at..at + copy.len()].copy_from_slice(&copy);
                }
            }
            found += check(&text, &Pattern::literal(&symbols_of_pattern), k);
        }
    }
    assert!(found > 1000, "{found} ends");
}

#[test]
fn every_k_on_classes() {
    let mut seed = fastrand::Rng::with_seed(8);
    for k in 0..=17 {
        for m in [k as usize + 1, 20, 64, 65, 70] {
            let class = |_| match seed.u8(..8) {
                0 => Class::ANY,
                1 => Class::default(),
                2 => Class::of_all([0, 3, 200]),
                _ => Class::of(seed.u8(..4)),
            };
            let pattern = Pattern::new((0..m.max(k as usize + 1)).map(class).collect());
            let mut text = random(700, 4, &mut seed);
            text.extend([200, 255, 0, 128].repeat(3));
            check(&text, &pattern, k);
        }
    }
}

#[test]
fn texts_of_no_and_few_symbols() {
    let pattern = Pattern::literal(b"abcdefgh");
    for n in 0..=9 {
        for k in 0..=7 {
            check(&b"abcdefghi"[..n], &pattern, k);
        }
    }
    assert!(check(b"", &pattern, 7) == 0 && check(b"c", &pattern, 7) == 1);
}
