//! Which patterns are searched together on a device, and by what: the least of measured costs.

use super::{DeviceAlgorithm, MOST_SYMBOLS, packed};
use std::ops::Range;

/// Patterns that are searched together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pass {
    pub patterns: Range<usize>,
    pub algorithm: DeviceAlgorithm,
}

/// Microseconds of an H200 to count the ends in 2^28 symbols: of the exact search with m up to 17, 32, 64.
const SHIFT_OR: [(usize, u32); 3] = [(17, 63), (32, 68), (64, 100)];

/// Of packed patterns by the symbols of all, for k = 0 to 3.
const PACKED: [(usize, [u32; 4]); 3] =
    [(32, [107, 148, 191, 230]), (64, [140, 257, 352, 462]), (128, [214, 471, 720, 900])];

/// Of Myers's algorithm, for any k; a longer pattern costs as much for each 128 symbols.
const MYERS: [(usize, u32); 3] = [(32, 213), (64, 370), (128, 693)];

/// The best algorithm for a pattern alone, and its cost.
fn alone(m: usize, k: u32) -> (u32, DeviceAlgorithm) {
    let myers = MYERS.iter().find(|&&(most, _)| m <= most).map(|&(_, cost)| cost);
    let myers = myers.unwrap_or_else(|| MYERS[2].1.saturating_mul(m.div_ceil(MYERS[2].0) as u32));
    let exact = SHIFT_OR.iter().find(|&&(most, _)| k == 0 && m <= most.min(MOST_SYMBOLS));
    let candidates = [
        Some((myers, DeviceAlgorithm::Myers)),
        together(m, k).map(|cost| (cost, DeviceAlgorithm::Packed)),
        exact.map(|&(_, cost)| (cost, DeviceAlgorithm::ShiftOr)),
    ];
    candidates.into_iter().flatten().min_by_key(|&(cost, _)| cost).unwrap_or((myers, DeviceAlgorithm::Myers))
}

/// The cost of packed patterns of m symbols together, if they can be packed.
fn together(m: usize, k: u32) -> Option<u32> {
    let costs = PACKED.iter().find(|&&(most, _)| m <= most)?.1;
    costs.get(k as usize).copied()
}

/// Which neighbours are searched together, by one algorithm or the best.
pub(super) fn passes(lengths: &[usize], k: u32, algorithm: Option<DeviceAlgorithm>) -> Vec<Pass> {
    let packs = |m: usize| match algorithm {
        Some(algorithm) => algorithm == DeviceAlgorithm::Packed,
        None => k <= packed::MOST_ERRORS && m <= packed::MOST_SYMBOLS,
    };
    let mut passes = Vec::new();
    let mut first = 0;
    while first < lengths.len() {
        let (mut end, mut m, mut one_by_one) = (first + 1, lengths[first], alone(lengths[first], k).0);
        while packs(m) && end < lengths.len() && packs(lengths[end]) && m + lengths[end] <= packed::MOST_SYMBOLS {
            m += lengths[end];
            one_by_one = one_by_one.saturating_add(alone(lengths[end], k).0);
            end += 1;
        }
        match algorithm {
            Some(algorithm) => passes.push(Pass { patterns: first..end, algorithm }),
            None if end > first + 1 && together(m, k).is_some_and(|cost| cost <= one_by_one) => {
                passes.push(Pass { patterns: first..end, algorithm: DeviceAlgorithm::Packed });
            }
            None => {
                let singles = (first..end).map(|i| Pass { patterns: i..i + 1, algorithm: alone(lengths[i], k).1 });
                passes.extend(singles);
            }
        }
        first = end;
    }
    passes
}

#[cfg(test)]
mod tests {
    use super::*;
    use DeviceAlgorithm::{Myers, Packed, ShiftOr, WuManber};

    fn of(lengths: &[usize], k: u32, algorithm: Option<DeviceAlgorithm>) -> Vec<(Range<usize>, DeviceAlgorithm)> {
        passes(lengths, k, algorithm).into_iter().map(|pass| (pass.patterns, pass.algorithm)).collect()
    }

    #[test]
    fn neighbours_go_together_while_there_is_room() {
        assert_eq!(of(&[], 0, None), []);
        let lengths = [64, 64, 1, 128, 100, 28, 2];
        let expected = [0..2, 2..3, 3..4, 4..6, 6..7].map(|patterns| (patterns, Packed));
        assert_eq!(of(&lengths, 1, Some(Packed)), expected);
        assert_eq!(of(&[20; 7], 1, None), [(0..6, Packed), (6..7, Packed)]);
        assert_eq!(of(&[20; 3], 0, None), [(0..3, Packed)]);
        assert_eq!(of(&[20; 2], 1, Some(WuManber)), [(0..1, WuManber), (1..2, WuManber)]);
    }

    #[test]
    fn what_is_faster_alone_goes_alone() {
        assert_eq!(of(&[20], 0, None), [(0..1, ShiftOr)]);
        assert_eq!(of(&[65], 0, None), [(0..1, Packed)]);
        assert_eq!(of(&[129, 20, 20], 4, None), [(0..1, Myers), (1..2, Myers), (2..3, Myers)]);
        assert_eq!(of(&[20, 500, 20], 1, None), [(0..1, Packed), (1..2, Myers), (2..3, Packed)]);
        assert_eq!(of(&[usize::MAX], 3, None), [(0..1, Myers)]);
    }
}
