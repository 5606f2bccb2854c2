//! The traits of the two problems, LCS and distance: how they fill tables, on which engines, and the costs of an alignment.

use super::cluster::{Bands, Steps};
use super::cuts::Cuts;
use super::hirschberg::Symbols;
use super::similar::Costs;
use crate::algorithm::{About, Algorithm, Problem};
use crate::alignment::runs::Run;
use crate::device::{Cpu, Device, EngineKind};
use crate::error::Result;
use crate::text::Equality;
use std::marker::PhantomData;

/// Called with the number of cells done since its last call.
pub(crate) type Progress<'p> = &'p (dyn Fn(u64) + Sync);

/// Two strings on devices, and what they are cut by.
pub(crate) struct Opened<C> {
    pub about: &'static About,
    pub cuts: C,
    /// Returns true if a part of m × n symbols is faster on a GPU than on `threads` CPU threads; `level` is the cells of its level of the
    /// recursion.
    pub is_faster: fn(m: u64, n: u64, level: u64, threads: usize) -> bool,
}

/// A problem whose tables can be spread over several members.
pub(crate) trait Spread {
    /// The last column of a band of rows.
    type Column: Steps;

    /// A word of the carries above the first row, for each bit of a column.
    const TOP: &'static [u64];

    /// The value of a table of n columns whose last column rises by so much.
    fn total(rise: i64, n: u64) -> u64;

    /// The CPU as a member.
    fn member_on_cpu<'s>(
        cpu: &Cpu,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Box<dyn Bands<Column = Self::Column> + 's>;

    /// Devices that reach one another's memory as a member. If `streams`, launches return before they are done.
    ///
    /// # Errors
    /// When a device fails.
    fn member_on_devices<'d, D: Device>(
        devices: &[&'d D],
        strings: [&'d [u8]; 2],
        streams: bool,
        progress: Progress<'d>,
    ) -> Result<Box<dyn Bands<Column = Self::Column> + 'd>>;
}

/// A problem of two strings, whose tables are cut.
pub(crate) trait Pairwise: Problem + Spread + Send + Sync {
    /// The engine that computes cuts and columns of two strings.
    type Engine<'s>: Cuts;

    /// Name in the log.
    const NAME: &'static str;

    /// Most cells of a table that is solved whole: the same for every engine, so that all give the same alignment.
    const LEAF_CELLS: u64;

    /// Solves a table whole, as [`Recursion::leaf`].
    fn leaf(a: &[u8], b: &[u8], equality: &Equality) -> Vec<Run>;

    /// The value of the table of two strings if one of them is so short that its rows fit into a few words.
    fn short(a: &[u8], b: &[u8]) -> Option<u64>;

    /// Two strings on the CPU, by an algorithm or the fastest.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an algorithm that the CPU does not have.
    fn on_cpu<'s>(
        algorithm: Algorithm<Self>,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Result<(&'static About, Self::Engine<'s>)>;

    /// Two strings on devices, by an algorithm or the fastest.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an algorithm that they do not have, or that takes fewer; others when a device fails.
    fn on_devices<'d, D: Device>(
        algorithm: Algorithm<Self>,
        engine: EngineKind,
        devices: &[&'d D],
        strings: [&'d [u8]; 2],
        progress: Progress<'d>,
    ) -> Result<Opened<Self::Engine<'d>>>;

    /// The costs of an alignment's steps.
    const COSTS: Costs;

    /// The name of the algorithm that tries first whether the strings are similar; `auto` tries as well.
    const SIMILAR: &'static str;

    /// The name of the algorithm that it is on the CPU if they are not.
    const FULL: &'static str;

    /// Least error rate at which bands are faster on a device than on the CPU; `None` without kernels for bands.
    const BANDS_ON_DEVICES: Option<f64> = None;

    /// The matches of an alignment on the CPU, where there is a faster way to them than Hirschberg's recursion for these strings.
    fn directly_on_cpu(_a: &[u8], _b: &[u8], _progress: Progress<'_>) -> Option<Vec<Run>> {
        None
    }

    /// The value of a table of m × n from the distance of the strings by [`COSTS`](Self::COSTS).
    fn value_of_distance(distance: u64, m: u64, n: u64) -> u64;

    /// Returns true if a GPU compares strings of m and n symbols faster than `threads` CPU threads.
    fn gpu_is_faster(m: u64, n: u64, threads: usize) -> bool;
}

/// Bytes as symbols, where different ones may count as equal.
pub(super) struct Bytes<'e, P> {
    equality: &'e Equality,
    problem: PhantomData<P>,
}

impl<'e, P> Bytes<'e, P> {
    pub fn new(equality: &'e Equality) -> Self {
        Self { equality, problem: PhantomData }
    }
}

impl<P: Pairwise> Symbols<u8> for Bytes<'_, P> {
    #[inline]
    fn match_each_other(&self, a: u8, b: u8) -> bool {
        self.equality.equal(a, b)
    }

    fn leaf(&self, a: &[u8], b: &[u8]) -> Vec<Run> {
        P::leaf(a, b, self.equality)
    }
}
