//! Assigns the patterns of a device search to passes and algorithms, with the least estimated cost.

use super::row::{DeviceAlgorithm, Writes};
use super::size::Size;
use crate::device::Device;
use std::ops::Range;

/// Patterns that are searched for together.
pub(super) struct Pass<D: Device> {
    pub patterns: Range<usize>,
    pub algorithm: &'static DeviceAlgorithm<D>,
}

impl<D: Device> Pass<D> {
    /// Returns the number of ends at a position that a launch must count in 32 bits.
    pub fn counted(&self) -> u64 {
        if self.algorithm.writes == Writes::Candidates { 1 } else { self.patterns.len() as u64 }
    }
}

/// Returns the best algorithm for a single pattern, and its cost.
fn alone<D: Device>(size: Size) -> Option<(u32, &'static DeviceAlgorithm<D>)> {
    let costs = DeviceAlgorithm::<D>::ALL.iter().filter_map(|row| Some(((row.cost)(size)?, row)));
    costs.min_by_key(|&(cost, _)| cost)
}

/// Returns the best algorithm for several patterns together, and its cost; `None` if no algorithm
/// that `auto` may choose takes them together.
fn together<D: Device>(size: Size) -> Option<(u32, &'static DeviceAlgorithm<D>)> {
    let rows = DeviceAlgorithm::<D>::ALL.iter().filter(|row| (row.fits)(size));
    rows.filter_map(|row| Some(((row.cost)(size)?, row))).min_by_key(|&(cost, _)| cost)
}

/// Groups neighbouring patterns into passes, for one algorithm or for the best ones. `None` if a
/// pattern has no algorithm.
pub(super) fn passes<D: Device>(
    sizes: &[Size],
    algorithm: Option<&'static DeviceAlgorithm<D>>,
) -> Option<Vec<Pass<D>>> {
    let fits = |size: Size| match algorithm {
        Some(row) => (row.fits)(size),
        None => together::<D>(size).is_some(),
    };
    let cost_alone = |size: Size| alone::<D>(size).map_or(u32::MAX, |(cost, _)| cost);
    let mut passes = Vec::new();
    let mut first = 0;
    while first < sizes.len() {
        let (mut end, mut all, mut one_by_one) = (first + 1, sizes[first], cost_alone(sizes[first]));
        while end < sizes.len() && fits(all.and(sizes[end])) {
            all = all.and(sizes[end]);
            one_by_one = one_by_one.saturating_add(cost_alone(sizes[end]));
            end += 1;
        }
        match (algorithm, together::<D>(all)) {
            (Some(algorithm), _) => passes.push(Pass { patterns: first..end, algorithm }),
            (None, Some((cost, best))) if end > first + 1 && cost <= one_by_one => {
                passes.push(Pass { patterns: first..end, algorithm: best });
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

    fn passes_of(lengths: &[usize], k: u32, name: Option<&str>) -> Vec<(Range<usize>, &'static str)> {
        passes_of_symbols(1, lengths, k, name)
    }

    /// Returns the passes of patterns with `symbols` different symbols.
    fn passes_of_symbols(
        symbols: u32,
        lengths: &[usize],
        k: u32,
        name: Option<&str>,
    ) -> Vec<(Range<usize>, &'static str)> {
        let algorithm = name.and_then(|name| DeviceAlgorithm::<Simt>::ALL.iter().find(|row| row.about.name == name));
        let of = |&m: &usize| Size { m, k, has_periods: m != 65, count: 1, shortest: m, symbols };
        let sizes: Vec<Size> = lengths.iter().map(of).collect();
        let passes = passes(&sizes, algorithm).unwrap();
        passes.into_iter().map(|pass| (pass.patterns, pass.algorithm.about.name)).collect()
    }

    #[test]
    fn neighbours_go_together_while_there_is_room() {
        assert_eq!(passes_of(&[], 0, None), []);
        let lengths = [64, 64, 1, 128, 100, 28, 2];
        let expected = [0..2, 2..3, 3..4, 4..6, 6..7].map(|patterns| (patterns, "packed"));
        assert_eq!(passes_of(&lengths, 1, Some("packed")), expected);
        assert_eq!(passes_of(&[20; 7], 1, None), [(0..6, "packed"), (6..7, "packed")]);
        assert_eq!(passes_of(&[20; 3], 0, None), [(0..3, "packed")]);
        assert_eq!(passes_of(&[20; 2], 1, Some("wu-manber")), [(0..1, "wu-manber"), (1..2, "wu-manber")]);
        assert_eq!(
            passes_of(&[32; 300], 3, Some("mismatches")),
            [0..256, 256..300].map(|patterns| (patterns, "mismatches"))
        );
    }

    #[test]
    fn what_is_faster_alone_goes_alone() {
        assert_eq!(passes_of(&[20], 0, None), [(0..1, "shift-or")]);
        // With and without periods.
        assert_eq!(passes_of(&[66, 65], 0, None), [(0..1, "duel"), (1..2, "packed")]);
        assert_eq!(passes_of(&[40, 5000], 0, None), [(0..1, "duel"), (1..2, "duel")]);
        assert_eq!(passes_of(&[129, 20, 20], 4, None), [(0..1, "myers"), (1..2, "myers"), (2..3, "myers")]);
        assert_eq!(passes_of(&[20, 500, 20], 1, None), [(0..1, "packed"), (1..2, "myers"), (2..3, "packed")]);
        assert_eq!(passes_of(&[usize::MAX], 3, None), [(0..1, "myers")]);
    }
    #[test]
    fn pieces_are_looked_for_where_they_are_rare() {
        let names = |symbols, m, k| passes_of_symbols(symbols, &[m], k, None)[0].1;
        assert_eq!([1, 2, 3].map(|k| names(20, 32, k)), ["pieces"; 3]);
        assert_eq!([1, 2, 3].map(|k| names(4, 32, k)), ["pieces"; 3]);
        // Pieces of 8 symbols have grams of 8 at every position; a piece of 7 has none.
        assert_eq!((names(4, 16, 1), names(4, 15, 1), names(20, 15, 1)), ("pieces", "packed", "pieces"));
        // Two different symbols: grams are everywhere.
        assert_eq!((names(2, 32, 1), names(4, 129, 1)), ("packed", "myers"));
        // A primer and its reverse complement, and six of 20 bases; without errors, other
        // algorithms are faster.
        assert_eq!(passes_of_symbols(4, &[20; 2], 1, None), [(0..2, "pieces")]);
        assert_eq!(passes_of_symbols(4, &[20; 7], 1, None), [(0..6, "pieces"), (6..7, "pieces")]);
        assert_eq!(passes_of_symbols(4, &[20], 0, None), [(0..1, "shift-or")]);
    }
}
