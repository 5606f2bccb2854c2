//! The order of listed pairs: groups of 1,024 pairs of similar lengths, and their sizes.

use carrywave_kernels::distance::string_planes::GROUP;
use rayon::prelude::*;
use simt_std::WARP;

/// Number of pairs of a group, which one warp of the kernel takes.
pub(super) const GROUP_PAIRS: usize = GROUP as usize;

/// Number of successive pairs of the list that are sorted by length: whole groups, enough for
/// groups of similar lengths, and few enough for all threads to have some.
const SORTED: usize = 64 * GROUP_PAIRS;
/// Number of pairs that are sorted by the shorter string after they were sorted by the longer one:
/// as many groups as there are such parts.
const SLAB: usize = 8 * GROUP_PAIRS;

/// A pair in the order of computation. Its longer string has the columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub(super) longer: u32,
    pub(super) shorter: u32,
    /// Number of the pair in the list.
    pub(super) number: u32,
}

impl Turn {
    /// Returns the pair's strings: the rows' and the columns'.
    pub(super) fn strings<'p>(self, pairs: &[[&'p [u8]; 2]]) -> [&'p [u8]; 2] {
        let [a, b] = pairs[self.number as usize];
        if a.len() <= b.len() { [a, b] } else { [b, a] }
    }
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

/// Sorts turns by a number. Takes a pointer to the function, so that it is compiled once.
fn sort(turns: &mut [Turn], key: fn(&Turn) -> u32) {
    radsort::sort_by_key(turns, key);
}

/// Pairs in groups of similar lengths.
pub(super) struct Order {
    pub(super) turns: Vec<Turn>,
    pub(super) groups: Vec<GroupSize>,
}

impl Order {
    /// Sorts parts of a list of at most 2^32 pairs, long strings first.
    pub(super) fn new(pairs: &[[&[u8]; 2]]) -> Self {
        let turn = |(number, [a, b]): (usize, &[&[u8]; 2])| {
            let (a, b) = (a.len() as u32, b.len() as u32);
            Turn { longer: a.max(b), shorter: a.min(b), number: number as u32 }
        };
        let mut turns: Vec<Turn> = pairs.par_iter().enumerate().map(turn).collect();
        turns.par_chunks_mut(SORTED).for_each(|part| {
            sort(part, |turn| !turn.longer);
            part.chunks_mut(SLAB).for_each(|slab| sort(slab, |turn| !turn.shorter));
        });
        let groups = turns.par_chunks(GROUP_PAIRS).map(GroupSize::of).collect();
        Self { turns, groups }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_one_turn_and_groups_have_their_sizes() {
        let mut random = fastrand::Rng::with_seed(1);
        let text = vec![b'a'; 300];
        for count in [0, 1, GROUP_PAIRS, SORTED + 3 * GROUP_PAIRS + 5] {
            let mut string = || &text[..random.usize(..300)];
            let pairs: Vec<[&[u8]; 2]> = (0..count).map(|_| [string(), string()]).collect();
            let order = Order::new(&pairs);
            let mut seen = vec![false; count];
            for turn in &order.turns {
                assert!(!std::mem::replace(&mut seen[turn.number as usize], true));
                let [rows, columns] = turn.strings(&pairs).map(<[u8]>::len);
                assert_eq!((rows, columns), (turn.shorter as usize, turn.longer as usize));
            }
            assert!(seen.into_iter().all(|seen| seen));
            let symbols: usize = order.groups.iter().map(|group| group.symbols).sum();
            assert_eq!(symbols, pairs.iter().flatten().map(|string| string.len()).sum::<usize>());
            assert_eq!(order.groups.len(), count.div_ceil(GROUP_PAIRS));
        }
    }

    /// Groups of random lengths waste at most a quarter of their cells.
    #[test]
    fn groups_have_similar_lengths() {
        let mut random = fastrand::Rng::with_seed(2);
        let text = vec![b'a'; 300];
        let pairs: Vec<[&[u8]; 2]> = (0..SORTED).map(|_| [(); 2].map(|()| &text[..random.usize(..300)])).collect();
        let order = Order::new(&pairs);
        let computed: u64 = order.groups.iter().map(|group| (group.rows * group.columns * GROUP_PAIRS) as u64).sum();
        let needed: u64 = order.groups.iter().map(|group| group.cells).sum();
        assert!(computed < needed + needed / 4, "{computed} cells instead of {needed}");
    }

    #[test]
    fn even_groups_are_full_and_have_equal_lengths() {
        let text = [b'a'; 9];
        let even = |pairs: &[[&[u8]; 2]]| Order::new(pairs).groups[0].is_even;
        assert!(even(&[[&text[..4], &text[..9]]; GROUP_PAIRS]));
        assert!(!even(&[[&text[..4], &text[..9]]; GROUP_PAIRS - 1]));
        let mut pairs = [[&text[..4], &text[..9]]; GROUP_PAIRS];
        pairs[7][0] = &text[..3];
        assert!(!even(&pairs));
    }
}
