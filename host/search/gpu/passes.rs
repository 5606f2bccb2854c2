//! Which patterns are searched together on a device, and by what: the least of the costs that the algorithms tell.

use super::{DeviceAlgorithm, Size};
use crate::device::Device;
use std::ops::Range;

/// Patterns that are searched together.
pub(super) struct Pass<D: Device> {
    pub patterns: Range<usize>,
    pub algorithm: &'static DeviceAlgorithm<D>,
}

/// The best algorithm for a pattern alone, and its cost.
fn alone<D: Device>(size: Size) -> Option<(u32, &'static DeviceAlgorithm<D>)> {
    let costs = DeviceAlgorithm::<D>::ALL.iter().filter_map(|row| Some(((row.cost)(size)?, row)));
    costs.min_by_key(|&(cost, _)| cost)
}

/// Which neighbours are searched together, by one algorithm or the best. None where there is no algorithm for a pattern.
pub(super) fn passes<D: Device>(
    sizes: &[Size],
    algorithm: Option<&'static DeviceAlgorithm<D>>,
) -> Option<Vec<Pass<D>>> {
    // The algorithm that takes several, and how many symbols of them.
    let several = algorithm.or_else(|| DeviceAlgorithm::<D>::ALL.iter().find(|row| row.patterns > 1));
    let several = several.filter(|row| row.patterns > 1);
    let most = several.and_then(|row| row.about.limits.symbols).unwrap_or(0) as usize;
    let k = sizes.first().map_or(0, |size| size.k);
    let together = |m: usize| {
        let size = Size { m, k, has_periods: false };
        several.filter(|_| m <= most).and_then(|row| (row.cost)(size))
    };
    let packs = |m: usize| m <= most && (algorithm.is_some() || together(m).is_some());
    let cost_alone = |size: Size| alone::<D>(size).map_or(u32::MAX, |(cost, _)| cost);
    let mut passes = Vec::new();
    let mut first = 0;
    while first < sizes.len() {
        let (mut end, mut m, mut one_by_one) = (first + 1, sizes[first].m, cost_alone(sizes[first]));
        while packs(m)
            && end < sizes.len()
            && packs(sizes[end].m)
            && m + sizes[end].m <= most
            && several.is_some_and(|row| end - first < row.patterns)
        {
            m += sizes[end].m;
            one_by_one = one_by_one.saturating_add(cost_alone(sizes[end]));
            end += 1;
        }
        match (algorithm, several) {
            (Some(algorithm), _) => passes.push(Pass { patterns: first..end, algorithm }),
            (None, Some(several)) if end > first + 1 && together(m).is_some_and(|cost| cost <= one_by_one) => {
                passes.push(Pass { patterns: first..end, algorithm: several });
            }
            _ => {
                for (number, &size) in (first..).zip(&sizes[first..end]) {
                    passes.push(Pass { patterns: number..number + 1, algorithm: alone(size)?.1 });
                }
            }
        }
        first = end;
    }
    Some(passes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_launch::Simt;

    fn of(lengths: &[usize], k: u32, name: Option<&str>) -> Vec<(Range<usize>, &'static str)> {
        let algorithm = name.and_then(|name| DeviceAlgorithm::<Simt>::ALL.iter().find(|row| row.about.name == name));
        let sizes: Vec<Size> = lengths.iter().map(|&m| Size { m, k, has_periods: m != 65 }).collect();
        let passes = passes(&sizes, algorithm).unwrap();
        passes.into_iter().map(|pass| (pass.patterns, pass.algorithm.about.name)).collect()
    }

    #[test]
    fn neighbours_go_together_while_there_is_room() {
        assert_eq!(of(&[], 0, None), []);
        let lengths = [64, 64, 1, 128, 100, 28, 2];
        let expected = [0..2, 2..3, 3..4, 4..6, 6..7].map(|patterns| (patterns, "packed"));
        assert_eq!(of(&lengths, 1, Some("packed")), expected);
        assert_eq!(of(&[20; 7], 1, None), [(0..6, "packed"), (6..7, "packed")]);
        assert_eq!(of(&[20; 3], 0, None), [(0..3, "packed")]);
        assert_eq!(of(&[20; 2], 1, Some("wu-manber")), [(0..1, "wu-manber"), (1..2, "wu-manber")]);
    }

    #[test]
    fn what_is_faster_alone_goes_alone() {
        assert_eq!(of(&[20], 0, None), [(0..1, "shift-or")]);
        // With and without periods.
        assert_eq!(of(&[66, 65], 0, None), [(0..1, "duel"), (1..2, "packed")]);
        assert_eq!(of(&[40, 5000], 0, None), [(0..1, "duel"), (1..2, "duel")]);
        assert_eq!(of(&[129, 20, 20], 4, None), [(0..1, "myers"), (1..2, "myers"), (2..3, "myers")]);
        assert_eq!(of(&[20, 500, 20], 1, None), [(0..1, "packed"), (1..2, "myers"), (2..3, "packed")]);
        assert_eq!(of(&[usize::MAX], 3, None), [(0..1, "myers")]);
    }
}
