//! A row of the table of algorithms: a way to compare pairs of strings on the processor.

use super::estimates::{Lengths, Options, Settings, Size};
use crate::algorithm::About;
use crate::cpu::vector::Lanes;
use crate::job::Progress;

/// A way to compare pairs of strings on the processor.
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// The pairs that it takes.
    pub(in crate::pairs) way: Way,
}

/// The pairs that an algorithm takes, and how it compares them.
pub(in crate::pairs) enum Way {
    /// One pair of byte strings at a time.
    Single(Single),
    /// Pairs of byte strings, a table of each in a bit lane.
    Together(Together),
    /// One pair of any symbols at a time.
    Numbers,
    /// A list, of whose pairs it leaves out most that are not near; other rows compare the rest.
    Pieces,
}

/// Compares one pair at a time.
pub(in crate::pairs) struct Single {
    /// Cells of a table below which another row is faster.
    pub(super) least_cells: u64,
    /// True if it needs a processor with AVX2.
    pub(super) needs_lanes: bool,
    /// Estimates the clock cycles of a pair.
    pub(super) cycles: fn(&Settings, Size) -> f64,
    /// The distance, or [`ABOVE`](crate::pairs::cost::ABOVE). `progress` may be called, with no more cells than there are.
    pub(super) distance: fn(&Settings, [&[u8]; 2], threads: usize, Progress<'_>) -> u32,
}

/// Takes lanes, pairs and options, and writes the distances.
type Listed = fn(Lanes, &[[&[u8]; 2]], Options<'_>, &mut [u32]);

/// Takes lanes, patterns, texts and options.
type Shared = fn(Lanes, &[&[u8]], &[&[u8]], Options<'_>, Each<'_>);

/// Called with the number of a pattern and its distances.
type Each<'e> = &'e mut dyn FnMut(usize, &[u32]);

/// Compares as many pairs together as a vector has bits.
pub(in crate::pairs) struct Together {
    /// Estimates the clock cycles of a group of pairs whose strings have an alphabet of this size.
    pub(super) listed_cycles: fn(&Settings, Lanes, &[Lengths], alphabet: usize) -> f64,
    /// Estimates the clock cycles of all pairs of two lists.
    pub(super) shared_cycles: fn(&Settings, Lanes, Lists) -> f64,
    /// The distances of pairs, no more than there are lanes, in order.
    pub(super) listed: Listed,
    /// Calls `each` with the number of a pattern and its distances to all texts, at most one text a lane.
    pub(super) shared: Shared,
}

/// The sizes of two lists.
#[derive(Clone, Copy)]
pub(in crate::pairs) struct Lists {
    /// Strings of the shorter list.
    pub(super) few: usize,
    /// Strings of the longer list.
    pub(super) many: usize,
    /// The mean length of the rows' strings.
    pub(super) m: usize,
    /// The mean length of the columns' strings.
    pub(super) n: usize,
}
