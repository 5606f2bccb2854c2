//! An entry of the table of algorithms that compare pairs of strings on the processor.

use super::estimates::{Lengths, Options, Settings, Size};
use crate::algorithm::About;
use crate::cpu::vector::Lanes;
use crate::job::Progress;

/// An algorithm that compares pairs of strings on the processor.
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// Type of pairs that it takes, and its functions.
    pub(in crate::pairs) way: Way,
}

/// Type of pairs that an algorithm takes, and its functions.
pub(in crate::pairs) enum Way {
    /// One pair of byte strings at a time.
    Single(Single),
    /// Pairs of byte strings, with the table of each in a bit lane.
    Together(Together),
    /// One pair of any symbols at a time.
    Numbers,
    /// A list; leaves out most pairs that are not near, and other algorithms compare the rest.
    Pieces,
}

/// Compares one pair at a time.
pub(in crate::pairs) struct Single {
    /// Number of cells of a table below which another algorithm is faster.
    pub(super) least_cells: u64,
    /// True if it needs a processor with AVX2.
    pub(super) needs_lanes: bool,
    /// Estimates the clock cycles of a pair.
    pub(super) cycles: fn(&Settings, Size) -> f64,
    /// Computes the distance, or [`ABOVE`](crate::pairs::cost::ABOVE). May call `progress`, with at
    /// most the number of cells in total.
    pub(super) distance: fn(&Settings, [&[u8]; 2], threads: usize, Progress<'_>) -> u32,
}

/// Compares pairs: takes lanes, pairs and options, and writes the distances.
type Listed = fn(Lanes, &[[&[u8]; 2]], Options<'_>, &mut [u32]);

/// Compares all patterns with all texts: takes lanes, patterns, texts and options.
pub(super) type Shared<S> = fn(Lanes, &[&[S]], &[&[S]], Options<'_>, Each<'_>);

/// Called with the number of a pattern and its distances.
type Each<'e> = &'e mut dyn FnMut(usize, &[u32]);

/// Functions that compare pairs together, one in each bit of a vector.
pub(in crate::pairs) struct Together {
    /// Estimates the clock cycles of a group of pairs, for strings with an alphabet of size
    /// `alphabet`.
    pub(super) listed_cycles: fn(&Settings, Lanes, &[Lengths], alphabet: usize) -> f64,
    /// Estimates the clock cycles of all pairs of two lists.
    pub(super) shared_cycles: fn(&Settings, Lanes, Lists) -> f64,
    /// Computes the distances of pairs, at most one per lane, in order.
    pub(super) listed: Listed,
    /// Calls `each` with the index of a pattern and its distances to all texts, at most one text
    /// per lane.
    pub(super) shared: Shared<u8>,
    /// Does the same for codes of two bytes.
    pub(super) shared_codes: Shared<u16>,
}

/// Sizes of two lists.
#[derive(Clone, Copy)]
pub(in crate::pairs) struct Lists {
    /// Number of strings of the shorter list.
    pub(super) few: usize,
    /// Number of strings of the longer list.
    pub(super) many: usize,
    /// Mean length of the rows' strings.
    pub(super) m: usize,
    /// Mean length of the columns' strings.
    pub(super) n: usize,
}
