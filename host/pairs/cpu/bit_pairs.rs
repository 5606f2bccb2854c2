//! Pairs of similar lengths, with a bit lane for each: the algorithm [`bit_tables`], and its cost.

use super::algorithm::{CpuAlgorithm, Lists, Together, Way};
use super::bit_tables::{self, Symbol};
use super::estimates::{Lengths, Options, Settings};
use crate::algorithm::About;
use crate::cpu::planes::planes;
use crate::cpu::vector::{Lanes, with_isa};
use crate::pairs::cost::Cost;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bit-pairs",
        "one bit lane per pair, for up to 512 pairs of similar lengths",
        "Myers 1999; Hyyrö 2003; Crochemore et al. 2001",
        "mn / 200 cycles a pair",
    ),
    way: Way::Together(Together { listed_cycles, shared_cycles, listed, shared, shared_codes: shared }),
};

/// Clock cycles for preparing a group, and for each symbol of a string in it. Measured on Sapphire
/// Rapids and Zen.
const GROUP_CYCLES: f64 = 20_000.0;
const SYMBOL_CYCLES: f64 = 0.25;
/// Clock cycles for a vector of cells if the tables share a row string; the LCS takes half.
const SHARED_CELL_CYCLES: f64 = 2.6;

/// Like [`bit_tables::listed`], in lanes of a given type.
pub(super) fn listed(lanes: Lanes, pairs: &[[&[u8]; 2]], options: Options<'_>, distances: &mut [u32]) {
    with_isa!(lanes, isa => bit_tables::listed(isa, pairs, options, distances));
}

/// Like [`bit_tables::shared`], in lanes of a given type.
pub(super) fn shared<S: Symbol>(
    lanes: Lanes,
    patterns: &[&[S]],
    texts: &[&[S]],
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
    GROUP_CYCLES + SYMBOL_CYCLES * symbols + settings.width(m as usize, n as usize) * n * cell
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
    (few * many.div_ceil(64 * lanes.words())) as f64 * settings.width(m, n) * n as f64 * cell * operands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::cost::ABOVE;
    use crate::pairs::naive::{self, ALPHABETS, COSTS, LENGTHS, borrowed, pairs};

    /// Tests `bit_pairs` itself, independent of the choice.
    #[test]
    fn groups_of_all_sizes() {
        let mut random = fastrand::Rng::with_seed(1);
        for lanes in Lanes::all() {
            let count = 64 * lanes.words();
            for (i, size) in [1, 2, 63, 64, 65, count - 1, count].into_iter().enumerate() {
                let symbols = ALPHABETS[i % ALPHABETS.len()];
                let lengths = [&LENGTHS[..9], &[40, 50], &[129]][i % 3];
                let pairs = pairs(&mut random, size.min(count), lengths, symbols);
                let pairs = borrowed(&pairs);
                let texts: Vec<&[u8]> = pairs.iter().map(|pair| pair[0]).collect();
                let patterns: Vec<&[u8]> = pairs.iter().take(3).map(|pair| pair[1]).collect();
                for cost in COSTS {
                    let exact = |a: &[u8], b: &[u8]| naive::distance(a, b, cost, None);
                    let listed: Vec<u32> = pairs.iter().map(|[a, b]| exact(a, b)).collect();
                    let rows: Vec<Vec<u32>> =
                        patterns.iter().map(|a| texts.iter().map(|b| exact(a, b)).collect()).collect();
                    for maximum in [None, Some(0), Some(3), Some(10), Some(40)] {
                        let expected = |exact: &[u32]| -> Vec<u32> {
                            exact.iter().map(|&d| if d <= maximum.unwrap_or(ABOVE) { d } else { ABOVE }).collect()
                        };
                        let mut found = vec![0; pairs.len()];
                        super::listed(lanes, &pairs, Options { cost, maximum, progress: &|_| () }, &mut found);
                        assert_eq!(found, expected(&listed), "{lanes:?} {cost:?} {maximum:?}");
                        let mut next = 0;
                        let mut each = |pattern: usize, distances: &[u32]| {
                            let expected = expected(&rows[pattern]);
                            assert_eq!((pattern, distances), (next, &expected[..]), "{lanes:?} {cost:?} {maximum:?}");
                            next += 1;
                        };
                        super::shared(
                            lanes,
                            &patterns,
                            &texts,
                            Options { cost, maximum, progress: &|_| () },
                            &mut each,
                        );
                        assert_eq!(next, patterns.len());
                        // The strings again, as codes of two bytes.
                        let wide = |string: &&[u8]| string.iter().map(|&symbol| u16::from(symbol) * 64).collect();
                        let of_two_bytes = |list: &[&[u8]]| list.iter().map(wide).collect::<Vec<Vec<u16>>>();
                        let (patterns, texts) = (of_two_bytes(&patterns), of_two_bytes(&texts));
                        let [patterns, texts] =
                            [&patterns, &texts].map(|list| list.iter().map(|string| &string[..]).collect::<Vec<_>>());
                        let options = Options { cost, maximum, progress: &|_| () };
                        let mut next = 0;
                        super::shared(lanes, &patterns, &texts, options, &mut |pattern, distances| {
                            assert_eq!(
                                (pattern, distances),
                                (next, &expected(&rows[pattern])[..]),
                                "{lanes:?} {cost:?}"
                            );
                            next += 1;
                        });
                        assert_eq!(next, patterns.len());
                    }
                }
            }
        }
    }

    /// A maximum leaves only the cells of the alignments, and those beside them.
    #[test]
    fn one_transposition_anywhere_in_lanes() {
        let mut random = fastrand::Rng::with_seed(5);
        let a = naive::random(&mut random, 70, 256);
        let with_one = |at: usize| {
            let mut b = a.clone();
            b.swap(at, at + 1);
            b
        };
        let others: Vec<Vec<u8>> = (0..69).map(with_one).collect();
        for (lanes, at) in Lanes::all().into_iter().flat_map(|lanes| (0..69).map(move |at| (lanes, at))) {
            let options = Options { cost: Cost::Osa, maximum: Some(1), progress: &|_| () };
            let mut found = [0];
            super::listed(lanes, &[[&a, &others[at]]], options, &mut found);
            assert_eq!(found, [1], "{lanes:?} {at}");
            super::shared(lanes, &[&a], &[&others[at]], options, &mut |_, found| {
                assert_eq!(found, [1], "{lanes:?} {at}")
            });
        }
    }

    #[test]
    fn long_strings_in_lanes() {
        let mut random = fastrand::Rng::with_seed(2);
        for lanes in Lanes::all() {
            for symbols in [4, 256] {
                let pairs = pairs(&mut random, 5, &[511, 512, 513, 700], symbols);
                let pairs = borrowed(&pairs);
                for cost in COSTS {
                    for maximum in [None, Some(20), Some(300)] {
                        let mut found = vec![0; pairs.len()];
                        super::listed(lanes, &pairs, Options { cost, maximum, progress: &|_| () }, &mut found);
                        let naive = |[a, b]: &[&[u8]; 2]| naive::distance(a, b, cost, maximum);
                        assert_eq!(found, pairs.iter().map(naive).collect::<Vec<_>>());
                    }
                }
            }
        }
    }
}
