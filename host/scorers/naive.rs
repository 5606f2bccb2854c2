//! The scorers by their definitions, for the tests.

use super::parameters::Weights;
use std::collections::BTreeSet;

/// Computes a table of distances. `exchange` returns the cost of an exchange that ends in a cell.
fn table(a: &[u32], b: &[u32], weights: Weights, exchange: impl Fn(&[Vec<u64>], usize, usize) -> u64) -> u64 {
    let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            d[i][j] = match (i, j) {
                (0, _) => j as u64 * weights.insertion,
                (_, 0) => i as u64 * weights.deletion,
                _ => {
                    let replacement = if a[i - 1] == b[j - 1] { 0 } else { weights.replacement };
                    let gap = (d[i - 1][j] + weights.deletion).min(d[i][j - 1] + weights.insertion);
                    gap.min(d[i - 1][j - 1] + replacement).min(exchange(&d, i, j))
                }
            };
        }
    }
    d[a.len()][b.len()]
}

pub fn levenshtein(a: &[u32], b: &[u32], weights: Weights) -> u64 {
    table(a, b, weights, |_, _, _| u64::MAX)
}

pub fn indel(a: &[u32], b: &[u32]) -> u64 {
    levenshtein(a, b, Weights { replacement: 2, ..Weights::UNIT })
}

pub fn osa(a: &[u32], b: &[u32]) -> u64 {
    table(a, b, Weights::UNIT, |d, i, j| {
        let is_exchange = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
        if is_exchange { d[i - 2][j - 2] + 1 } else { u64::MAX }
    })
}

/// Tries all pairs of exchanged symbols, with any deletions and insertions between them.
pub fn damerau(a: &[u32], b: &[u32]) -> u64 {
    table(a, b, Weights::UNIT, |d, i, j| {
        let starts = (1..i).flat_map(|k| (1..j).map(move |l| (k, l)));
        let exchanged = starts.filter(|&(k, l)| a[k - 1] == b[j - 1] && b[l - 1] == a[i - 1]);
        exchanged.map(|(k, l)| d[k - 1][l - 1] + (i - k - 1 + 1 + j - l - 1) as u64).min().unwrap_or(u64::MAX)
    })
}

pub fn hamming(a: &[u32], b: &[u32]) -> u64 {
    (0..a.len().max(b.len())).filter(|&at| a.get(at) != b.get(at)).count() as u64
}

pub fn prefix(a: &[u32], b: &[u32]) -> usize {
    (0..=a.len().min(b.len())).rev().find(|&len| a[..len] == b[..len]).unwrap()
}

pub fn jaro(a: &[u32], b: &[u32]) -> f64 {
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    let window = (a.len().max(b.len()) / 2).max(1) - 1;
    let mut in_a = vec![false; a.len()];
    let mut of_b = Vec::new();
    for (j, symbol) in b.iter().enumerate() {
        if let Some(i) = (0..a.len()).find(|&i| !in_a[i] && a[i] == *symbol && i.abs_diff(j) <= window) {
            in_a[i] = true;
            of_b.push(*symbol);
        }
    }
    let of_a: Vec<u32> = a.iter().zip(&in_a).filter(|(_, common)| **common).map(|(symbol, _)| *symbol).collect();
    let moved = of_a.iter().zip(&of_b).filter(|(a, b)| a != b).count() / 2;
    let common = of_b.len() as f64;
    if of_b.is_empty() {
        return 0.0;
    }
    (common / a.len() as f64 + common / b.len() as f64 + (of_b.len() - moved) as f64 / common) / 3.0
}

pub fn ratio(a: &[u32], b: &[u32]) -> f64 {
    let total = (a.len() + b.len()) as f64;
    if total == 0.0 { 100.0 } else { (1.0 - indel(a, b) as f64 / total) * 100.0 }
}

pub fn partial_ratio(a: &[u32], b: &[u32]) -> f64 {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let parts = |short: &[u32], long: &[u32]| {
        let mut best = ratio(short, &[]);
        for start in 0..long.len() {
            for end in start + 1..=long.len().min(start + short.len()) {
                // A part is a prefix, a suffix, or as long as the shorter string.
                if start == 0 || end == long.len() || end - start == short.len() {
                    best = f64::max(best, ratio(short, &long[start..end]));
                }
            }
        }
        best
    };
    if short.is_empty() {
        return if long.is_empty() { 100.0 } else { 0.0 };
    }
    let both = parts(short, long);
    if short.len() == long.len() { both.max(parts(long, short)) } else { both }
}

/// Returns the sorted words between spaces.
fn words(text: &[u32]) -> Vec<Vec<u32>> {
    let mut words: Vec<_> =
        text.split(|&symbol| symbol == 32).filter(|word| !word.is_empty()).map(<[u32]>::to_vec).collect();
    words.sort();
    words
}

/// A function of the joined words of two strings.
pub type OfJoined = fn(&[u32], &[u32]) -> f64;

pub fn of_sorted(a: &[u32], b: &[u32], score: OfJoined) -> f64 {
    score(&words(a).join(&32), &words(b).join(&32))
}

/// Returns the words that both strings have, and those that only one has.
fn sets(a: &[u32], b: &[u32]) -> [Vec<Vec<u32>>; 3] {
    let set = |text: &[u32]| -> BTreeSet<Vec<u32>> { words(text).into_iter().collect() };
    let (a, b) = (set(a), set(b));
    let both = a.intersection(&b).cloned().collect();
    [both, a.difference(&b).cloned().collect(), b.difference(&a).cloned().collect()]
}

pub fn token_set_ratio(a: &[u32], b: &[u32]) -> f64 {
    if words(a).is_empty() || words(b).is_empty() {
        return 0.0;
    }
    let [both, only_a, only_b] = sets(a, b);
    if !both.is_empty() && (only_a.is_empty() || only_b.is_empty()) {
        return 100.0;
    }
    let percent = |distance: u64, total: usize| 100.0 - (100 * distance) as f64 / total as f64;
    let with = |rest: &[Vec<u32>]| [&both[..], rest].concat().join(&32);
    let (of_a, of_b, both) = (with(&only_a), with(&only_b), both.join(&32));
    let distance = indel(&only_a.join(&32), &only_b.join(&32));
    let whole = percent(distance, of_a.len() + of_b.len());
    if both.is_empty() {
        return whole;
    }
    let part = |of: &[u32]| percent((of.len() - both.len()) as u64, of.len() + both.len());
    whole.max(part(&of_a)).max(part(&of_b))
}

pub fn token_ratio(a: &[u32], b: &[u32]) -> f64 {
    if words(a).is_empty() && words(b).is_empty() {
        return 100.0;
    }
    of_sorted(a, b, ratio).max(token_set_ratio(a, b))
}

pub fn partial_token_set_ratio(a: &[u32], b: &[u32]) -> f64 {
    if words(a).is_empty() || words(b).is_empty() {
        return 0.0;
    }
    let [both, only_a, only_b] = sets(a, b);
    if both.is_empty() { partial_ratio(&only_a.join(&32), &only_b.join(&32)) } else { 100.0 }
}

pub fn partial_token_ratio(a: &[u32], b: &[u32]) -> f64 {
    of_sorted(a, b, partial_ratio).max(partial_token_set_ratio(a, b))
}

pub fn weighted_ratio(a: &[u32], b: &[u32]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let lengths = a.len().max(b.len()) as f64 / a.len().min(b.len()) as f64;
    if lengths < 1.5 {
        return ratio(a, b).max(token_ratio(a, b) * 0.95);
    }
    let weight = if lengths <= 8.0 { 0.9 } else { 0.6 };
    ratio(a, b).max(partial_ratio(a, b) * weight).max(partial_token_ratio(a, b) * 0.95 * weight)
}
