//! Pairs of similar lengths, with a bit lane for each: the algorithm [`bit_tables`], and its cost.

use super::algorithm::{CpuAlgorithm, Lists, Together, Way};
use super::bit_tables;
use super::estimates::{Lengths, Options, Settings};
use crate::algorithm::About;
use crate::cpu::planes::planes;
use crate::cpu::vector::Lanes;
use crate::pairs::cost::Cost;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bit-pairs",
        "one bit lane per pair, for up to 512 pairs of similar lengths",
        "Myers 1999; Hyyrö 2003; Crochemore et al. 2001",
        "mn / 200 cycles a pair",
    ),
    way: Way::Together(Together { listed_cycles, shared_cycles, listed, shared }),
};

/// Clock cycles for preparing a group, and for each symbol of a string in it. Measured on Sapphire
/// Rapids and Zen.
const GROUP_CYCLES: f64 = 20_000.0;
const SYMBOL_CYCLES: f64 = 0.25;
/// Clock cycles for a vector of cells if the tables share a row string; the LCS takes half.
const SHARED_CELL_CYCLES: f64 = 2.6;

/// Calls a function of `bit_tables` with the token of the lanes' instruction set.
macro_rules! with_isa {
    ($lanes:expr, $isa:ident => $call:expr) => {
        match $lanes {
            #[cfg(target_arch = "x86_64")]
            Lanes::Avx512($isa) => $call,
            #[cfg(target_arch = "x86_64")]
            Lanes::Avx2($isa) => $call,
            #[cfg(test)]
            Lanes::Plain($isa) => $call,
        }
    };
}

/// Like [`bit_tables::listed`], in lanes of a given type.
pub(super) fn listed(lanes: Lanes, pairs: &[[&[u8]; 2]], options: Options<'_>, distances: &mut [u32]) {
    with_isa!(lanes, isa => bit_tables::listed(isa, pairs, options, distances));
}

/// Like [`bit_tables::shared`], in lanes of a given type.
pub(super) fn shared(
    lanes: Lanes,
    patterns: &[&[u8]],
    texts: &[&[u8]],
    options: Options<'_>,
    each: &mut dyn FnMut(usize, &[u32]),
) {
    with_isa!(lanes, isa => bit_tables::shared(isa, patterns, texts, options, each));
}

/// Estimates the clock cycles of a group, for strings with an alphabet of size `alphabet`.
fn listed_cycles(settings: &Settings, lanes: Lanes, group: &[Lengths], alphabet: usize) -> f64 {
    let m = group.iter().map(|pair| pair.m).max().unwrap_or(0);
    let n = f64::from(group.iter().map(|pair| pair.n).max().unwrap_or(0));
    let symbols: f64 = group.iter().map(|pair| f64::from(pair.m + pair.n)).sum();
    let planes = planes(alphabet) as f64;
    // Two instructions per cycle; AVX2 needs more of them, as they have two operands. Measured with
    // AVX2 (Zen), and 2 and 6 planes.
    let cell = match (settings.cost, lanes.words() == 8) {
        (Cost::Levenshtein, true) => 2.5 + planes / 2.0,
        (Cost::Levenshtein, false) => 2.0 + planes,
        (Cost::Osa, true) => 4.0 + planes / 2.0,
        (Cost::Osa, false) => 4.0 + planes,
        (Cost::Indel, true) => 1.0 + planes / 2.0,
        (Cost::Indel, false) => planes,
    };
    GROUP_CYCLES + SYMBOL_CYCLES * symbols + settings.width(m as usize) * n * cell
}

/// Estimates the clock cycles of all pairs of two lists, where each string of one list is a row
/// string shared by all lanes.
fn shared_cycles(settings: &Settings, lanes: Lanes, Lists { few, many, m, n }: Lists) -> f64 {
    let cell = match settings.cost {
        Cost::Levenshtein => SHARED_CELL_CYCLES,
        Cost::Osa => SHARED_CELL_CYCLES * 1.5,
        Cost::Indel => SHARED_CELL_CYCLES / 2.0,
    };
    let operands = if lanes.words() == 8 { 1.0 } else { 1.5 };
    (few * many.div_ceil(64 * lanes.words())) as f64 * settings.width(m) * n as f64 * cell * operands
}
