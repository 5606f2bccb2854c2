//! The order of listed pairs: groups of 1,024 pairs of similar lengths, and their sizes.

use carrywave_kernels::distance::string_planes::GROUP;
use rayon::prelude::*;
use simt_std::WARP;
use std::ops::Range;

/// Number of pairs of a group, which one warp of the kernel takes.
pub(super) const GROUP_PAIRS: usize = GROUP as usize;

/// Number of successive pairs that are sorted by length: whole groups, enough for groups of similar
/// lengths, and few enough for all threads to have some.
const SORTED: usize = 64 * GROUP_PAIRS;
/// Number of pairs that are sorted by the shorter string after they were sorted by the longer one:
/// as many groups as there are such parts.
const SLAB: usize = 8 * GROUP_PAIRS;

/// The lengths of pairs of strings.
pub(super) trait Lengths: Sync {
    /// Returns the number of pairs.
    fn len(&self) -> usize;

    /// Returns the lengths of a pair's strings; `None` if the pair is not compared.
    fn lengths(&self, pair: usize) -> Option<[usize; 2]>;

    /// Returns true if some pairs are not compared.
    fn has_missing(&self) -> bool {
        false
    }

    /// Returns the limits of a batch.
    fn limits(&self) -> BatchLimits {
        BatchLimits::COPIED
    }
}

/// Upper bounds on a batch, unless it has fewer pairs than a group.
#[derive(Clone, Copy)]
pub(super) struct BatchLimits {
    pub pairs: usize,
    pub symbols: usize,
}

impl BatchLimits {
    /// Limits for symbols that are copied: few enough for the host to write the next batch
    /// meanwhile, and for the pinned memory that the device keeps; enough to make a launch
    /// negligible.
    pub const COPIED: Self = Self { pairs: 1 << 17, symbols: 48 << 20 };

    /// Limits for symbols that are on the device: enough pairs to fill a good part of a GPU.
    pub const ON_DEVICE: Self = Self { pairs: 1 << 18, symbols: usize::MAX };
}

/// A pair in the order of computation. Its longer string has the columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub(super) longer: u32,
    pub(super) shorter: u32,
    /// Number of the pair in its part of the list.
    pub(super) number: u32,
}

impl Turn {
    const MISSING: Self = Self { longer: 0, shorter: 0, number: u32::MAX };

    /// Returns the strings of this pair of a part: the rows' and the columns'.
    pub(super) fn strings<'p>(self, part: &[[&'p [u8]; 2]]) -> [&'p [u8]; 2] {
        let strings = part[self.number as usize];
        let rows = side_of_rows(strings.map(<[u8]>::len));
        [strings[rows], strings[1 - rows]]
    }
}

/// Returns the side of the rows' string, 0 or 1, from the lengths of a pair's strings.
pub(super) fn side_of_rows([a, b]: [usize; 2]) -> usize {
    usize::from(a > b)
}

/// Sizes of a group of pairs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GroupSize {
    /// Number of symbols of the longest string that is a row.
    pub(super) rows: usize,
    /// Number of symbols of the longest string that is a column.
    pub(super) columns: usize,
    /// Number of symbols of all strings.
    pub(super) symbols: usize,
    /// Number of cells of all pairs.
    pub(super) cells: u64,
    /// True if it has all its pairs, and those have the same lengths.
    pub(super) is_even: bool,
}

impl GroupSize {
    fn of(group: &[Turn]) -> Self {
        let mut size = Self::default();
        for turn in group {
            size.rows = size.rows.max(turn.shorter as usize);
            size.columns = size.columns.max(turn.longer as usize);
            size.symbols += turn.shorter as usize + turn.longer as usize;
            size.cells += u64::from(turn.shorter) * u64::from(turn.longer);
        }
        size.is_even = size.symbols == (size.rows + size.columns) * GROUP_PAIRS;
        size
    }

    /// Returns an upper bound on the bytes of device memory for the group, without the edges.
    pub(super) fn bytes(&self) -> usize {
        // The symbols, nine planes, and the starts, lengths and results.
        (self.rows + self.columns) * (GROUP_PAIRS + 9 * 4 * WARP as usize) + 64 * GROUP_PAIRS
    }
}

/// Sorts turns by a length of at most `longest`, the longest first; roughly if there are lengths
/// above 2^16. Takes a pointer to the function, so that it is compiled once.
fn sort(turns: &mut [Turn], longest: u32, length: fn(&Turn) -> u32) {
    // Numbers of 16 bits take half the time of longer ones.
    let shift = (u32::BITS - longest.leading_zeros()).saturating_sub(u16::BITS);
    let key = |turn: &Turn| !((length(turn) >> shift) as u16);
    if !turns.is_sorted_by_key(key) {
        radsort::sort_by_key(turns, key);
    }
}

/// Successive pairs of a list, in groups of similar lengths: a batch of the device.
pub(super) struct Part {
    pub(super) pairs: Range<usize>,
    pub(super) turns: Vec<Turn>,
    pub(super) groups: Vec<GroupSize>,
}

impl Part {
    /// Sorts successive pairs of a list, fewer than 2^32, long strings first.
    pub(super) fn new(source: &dyn Lengths, pairs: Range<usize>) -> Self {
        let turn = |number: usize| match source.lengths(pairs.start + number) {
            Some([a, b]) => Turn { longer: a.max(b) as u32, shorter: a.min(b) as u32, number: number as u32 },
            None => Turn::MISSING,
        };
        let mut turns: Vec<Turn> = (0..pairs.len()).into_par_iter().map(turn).collect();
        if source.has_missing() {
            turns.retain(|turn| turn.number != Turn::MISSING.number);
        }
        turns.par_chunks_mut(SORTED).for_each(|part| {
            let longest = part.iter().map(|turn| turn.longer).max().unwrap_or(0);
            sort(part, longest, |turn| turn.longer);
            part.chunks_mut(SLAB).for_each(|slab| sort(slab, longest, |turn| turn.shorter));
        });
        let groups = turns.par_chunks(GROUP_PAIRS).map(GroupSize::of).collect();
        Self { pairs, turns, groups }
    }

    /// Sorts the pairs of a range, in parts of at most `memory` bytes by `needed` unless a part has
    /// a single pair. Leaves out parts without pairs to compare.
    pub(super) fn fitting(
        source: &dyn Lengths,
        pairs: Range<usize>,
        needed: &(dyn Fn(&Self) -> u64 + Sync),
        memory: u64,
    ) -> Vec<Self> {
        let (mut fit, mut rest) = (Vec::new(), vec![pairs]);
        while let Some(pairs) = rest.pop() {
            let part = Self::new(source, pairs.clone());
            if pairs.len() > 1 && needed(&part) > memory {
                let middle = pairs.start + pairs.len() / 2;
                rest.extend([middle..pairs.end, pairs.start..middle]);
            } else if !part.turns.is_empty() {
                fit.push(part);
            }
        }
        fit
    }

    /// Returns the greatest lengths of strings that are rows, and columns.
    pub(super) fn longest(&self) -> [usize; 2] {
        let longest = |side: fn(&GroupSize) -> usize| self.groups.iter().map(side).max().unwrap_or(0);
        [longest(|group| group.rows), longest(|group| group.columns)]
    }

    /// Returns the sum of these lengths over the groups.
    pub(super) fn group_symbols(&self) -> [usize; 2] {
        let sum = |side: fn(&GroupSize) -> usize| self.groups.iter().map(side).sum();
        [sum(|group| group.rows), sum(|group| group.columns)]
    }

    pub(super) fn cells(&self) -> u64 {
        self.groups.iter().map(|group| group.cells).sum()
    }
}

/// A list in ranges of whole groups, each within the source's limits.
pub(super) struct Cuts {
    pub(super) ranges: Vec<Range<usize>>,
    /// Length of the longest string.
    pub(super) longest: usize,
}

impl Cuts {
    pub(super) fn new(source: &dyn Lengths) -> Self {
        let limits = source.limits();
        let size = |first: usize| {
            let mut size = RangeSize::default();
            for [a, b] in (first..source.len().min(first + GROUP_PAIRS)).filter_map(|pair| source.lengths(pair)) {
                size.symbols = size.symbols.saturating_add(a).saturating_add(b);
                size.longest = size.longest.max(a).max(b);
            }
            size
        };
        let count = source.len().div_ceil(GROUP_PAIRS);
        let sizes: Vec<RangeSize> = (0..count).into_par_iter().map(|group| size(group * GROUP_PAIRS)).collect();
        let longest = sizes.iter().map(|size| size.longest).max().unwrap_or(0);
        let (mut ranges, mut first, mut sum) = (Vec::new(), 0, 0usize);
        for (start, RangeSize { symbols, .. }) in (0..).step_by(GROUP_PAIRS).zip(sizes) {
            let pairs = start - first;
            if pairs > 0 && (pairs >= limits.pairs || symbols > limits.symbols.saturating_sub(sum)) {
                ranges.push(first..start);
                (first, sum) = (start, 0);
            }
            sum = sum.saturating_add(symbols);
        }
        if first < source.len() {
            ranges.push(first..source.len());
        }
        Self { ranges, longest }
    }
}

/// Sizes of a range of pairs.
#[derive(Clone, Copy, Default)]
struct RangeSize {
    symbols: usize,
    /// Length of the longest string.
    longest: usize,
}

#[cfg(test)]
mod tests {
    use super::super::listed_source::Gathered;
    use super::*;

    fn whole(pairs: &[[&[u8]; 2]]) -> Part {
        Part::new(&Gathered(pairs), 0..pairs.len())
    }

    fn parts(pairs: &[[&[u8]; 2]], needed: &(dyn Fn(&Part) -> u64 + Sync), memory: u64) -> Vec<Part> {
        let source = Gathered(pairs);
        Cuts::new(&source).ranges.into_iter().flat_map(|range| Part::fitting(&source, range, needed, memory)).collect()
    }

    #[test]
    fn each_pair_has_one_turn_and_groups_have_their_sizes() {
        let mut random = fastrand::Rng::with_seed(1);
        let text = vec![b'a'; 300];
        for count in [0, 1, GROUP_PAIRS, SORTED + 3 * GROUP_PAIRS + 5] {
            let mut string = || &text[..random.usize(..300)];
            let pairs: Vec<[&[u8]; 2]> = (0..count).map(|_| [string(), string()]).collect();
            let part = whole(&pairs);
            let mut seen = vec![false; count];
            for turn in &part.turns {
                assert!(!std::mem::replace(&mut seen[turn.number as usize], true));
                let [rows, columns] = turn.strings(&pairs).map(<[u8]>::len);
                assert_eq!((rows, columns), (turn.shorter as usize, turn.longer as usize));
            }
            assert!(seen.into_iter().all(|seen| seen));
            let symbols: usize = part.groups.iter().map(|group| group.symbols).sum();
            assert_eq!(symbols, pairs.iter().flatten().map(|string| string.len()).sum::<usize>());
            assert_eq!(part.groups.len(), count.div_ceil(GROUP_PAIRS));
        }
    }

    /// Parts follow one another and have all pairs, also where a few pairs or a single one take the
    /// memory of a batch.
    #[test]
    fn parts_have_all_pairs_and_fit() {
        let text = vec![b'a'; 1 << 20];
        let needed = |part: &Part| part.groups.iter().map(|group| group.bytes() as u64).sum();
        for (count, len, memory) in
            [(300_000, 20, u64::MAX), (20_000, 9_000, u64::MAX), (3_000, 5, 200_000), (3, 900, 1)]
        {
            let pairs = vec![[&text[..len], &text[..2 * len]]; count];
            let parts = parts(&pairs, &needed, memory);
            let mut end = 0;
            for part in &parts {
                assert_eq!(part.pairs.start, end);
                end = part.pairs.end;
                assert_eq!(part.turns.len(), part.pairs.len());
                assert!(part.pairs.len() <= BatchLimits::COPIED.pairs);
                assert!(part.pairs.len() == 1 || needed(part) <= memory);
            }
            assert_eq!(end, count);
            assert!(parts.len() > 1);
        }
        assert!(parts(&[], &needed, 1).is_empty());
    }

    /// Groups of random lengths waste at most a quarter of their cells.
    #[test]
    fn groups_have_similar_lengths() {
        let mut random = fastrand::Rng::with_seed(2);
        let text = vec![b'a'; 300];
        let pairs: Vec<[&[u8]; 2]> = (0..SORTED).map(|_| [(); 2].map(|()| &text[..random.usize(..300)])).collect();
        let groups = whole(&pairs).groups;
        let computed: u64 = groups.iter().map(|group| (group.rows * group.columns * GROUP_PAIRS) as u64).sum();
        let needed: u64 = groups.iter().map(|group| group.cells).sum();
        assert!(computed < needed + needed / 4, "{computed} cells instead of {needed}");
    }

    #[test]
    fn even_groups_are_full_and_have_equal_lengths() {
        let text = [b'a'; 9];
        let even = |pairs: &[[&[u8]; 2]]| whole(pairs).groups[0].is_even;
        assert!(even(&[[&text[..4], &text[..9]]; GROUP_PAIRS]));
        assert!(!even(&[[&text[..4], &text[..9]]; GROUP_PAIRS - 1]));
        let mut pairs = [[&text[..4], &text[..9]]; GROUP_PAIRS];
        pairs[7][0] = &text[..3];
        assert!(!even(&pairs));
    }
}
