//! The LCS of two sequences of tokens from the bit-vectors of all columns, like
//! [`bit_table`](crate::lcs::cpu::bit_table) for bytes: the leaves of Hirschberg's recursion.

use super::strips::Strips;
use crate::alignment::Run;
use crate::lcs::cpu::bit_table::{keeping, runs_of};
use crate::lcs::cpu::word_parallel::{STRIP_ROWS, STRIP_WORDS};
use crate::pairwise::hirschberg::Symbols;
use std::collections::HashMap;

/// Tokens as the symbols of Hirschberg's recursion.
pub struct Tokens;

impl Symbols<u32> for Tokens {
    fn match_each_other(&self, a: u32, b: u32) -> bool {
        a == b
    }

    fn leaf(&self, a: &[u32], b: &[u32]) -> Vec<Run> {
        lcs(a, b)
    }
}

/// Finds an LCS of `a` and `b` as maximal runs of matches in ascending order, with positions
/// relative to the slices. Among several LCSs, it picks the same as
/// [`bit_table::lcs`](crate::lcs::cpu::bit_table::lcs).
fn lcs(a: &[u32], b: &[u32]) -> Vec<Run> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    // Renumbers the tokens that occur here: those of A from 1 on, and 0 for all others.
    let mut codes = HashMap::new();
    let rows: Vec<u32> = a
        .iter()
        .map(|&token| {
            let next = codes.len() as u32 + 1;
            *codes.entry(token).or_insert(next)
        })
        .collect();
    let columns: Vec<u32> = b.iter().map(|token| codes.get(token).copied().unwrap_or(0)).collect();
    let mut strips = Strips::new(codes.len() + 1);
    let words = a.len().div_ceil(64);
    let n = b.len();
    let mut table = vec![0u64; words.saturating_mul(n)];
    let mut carries = vec![0; n.div_ceil(64)];
    for (rows, kept) in rows.chunks(STRIP_ROWS).zip(table.chunks_mut(STRIP_WORDS * n)) {
        match rows.len().div_ceil(64) {
            1 => strip::<1>(&mut strips, rows, &columns, &mut carries, kept),
            2 => strip::<2>(&mut strips, rows, &columns, &mut carries, kept),
            3 => strip::<3>(&mut strips, rows, &columns, &mut carries, kept),
            _ => strip::<STRIP_WORDS>(&mut strips, rows, &columns, &mut carries, kept),
        }
    }
    runs_of(&table, a.len(), n)
}

/// Takes a strip through all columns and stores its W words after each.
fn strip<const W: usize>(strips: &mut Strips, rows: &[u32], columns: &[u32], carries: &mut [u64], kept: &mut [u64]) {
    strips.strip(&mut [!0; W], rows, columns, carries, keeping(kept));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcs::cpu::bit_table;

    #[test]
    fn the_same_runs_as_of_bytes() {
        let mut random = fastrand::Rng::with_seed(1);
        for symbols in [1, 2, 20, 256] {
            for m in [0, 1, 63, 64, 65, 255, 256, 257, 520] {
                for n in [0, 1, 2, 63, 64, 65, 300] {
                    let mut text = |len| (0..len).map(|_| random.usize(..symbols) as u8).collect::<Vec<u8>>();
                    let (a, b) = (text(m), text(n));
                    // Far apart, so that tokens cannot serve as codes.
                    let tokens = |text: &[u8]| text.iter().map(|&s| u32::from(s) * 9_999_991).collect::<Vec<_>>();
                    assert_eq!(lcs(&tokens(&a), &tokens(&b)), bit_table::lcs(&a, &b), "{m} × {n}, {symbols} symbols");
                }
            }
        }
    }
}
