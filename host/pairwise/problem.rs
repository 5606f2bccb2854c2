//! The traits that the two problems, LCS and distance, implement: how they fill tables, their
//! engines, and the costs of an alignment.

use super::cluster::{Bands, Steps};
use super::cuts::Cuts;
use super::hirschberg::Symbols;
use super::rows::{CpuRow, DeviceRow, Whole};
use super::similar::Costs;
use crate::algorithm::{Algorithm, Problem};
use crate::alignment::Run;
use crate::cost::JobCosts;
use crate::device::{Cpu, Device, EngineKind};
use crate::error::Result;
use crate::job::Progress;
use crate::text::Equality;
use std::marker::PhantomData;

/// A problem whose tables can be distributed over several members.
pub(crate) trait Spread {
    /// Last column of a band of rows.
    type Column: Steps;

    /// Word of the carries above the first row, for each bit of a column.
    const TOP: &'static [u64];

    /// Returns the value of a table of n columns whose last column rises by `rise`.
    fn total(rise: i64, n: u64) -> u64;

    /// Returns the CPU as a member.
    fn member_on_cpu<'s>(
        cpu: &Cpu,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Box<dyn Bands<Column = Self::Column> + 's>;

    /// Returns devices that can access one another's memory as a member. If `streams`, launches
    /// return before they are done.
    ///
    /// # Errors
    /// Errors of the device.
    fn member_on_devices<'d, D: Device>(
        devices: &[&'d D],
        strings: [&'d [u8]; 2],
        streams: bool,
        progress: Progress<'d>,
    ) -> Result<Box<dyn Bands<Column = Self::Column> + 'd>>;
}

/// Engine that computes cuts and columns of two strings.
pub(crate) trait Pairwise: Problem + Spread + Send + Sync {
    /// The engine that computes cuts and columns of two strings.
    type Engine<'s>: Cuts;

    /// Computes the last column of a table on the CPU.
    type LastColumn: Copy + 'static;

    /// Name in the log.
    const NAME: &'static str;

    /// Time of the value of a table on each engine.
    const VALUE_COSTS: JobCosts;

    /// Time of an alignment on each engine.
    const ALIGNMENT_COSTS: JobCosts;

    /// Upper bound on the cells of a table that is solved without recursion: the same for every
    /// engine, so that all give the same alignment.
    const LEAF_CELLS: u64;

    /// Solves a table without recursion, like [`Recursion::leaf`].
    fn leaf(a: &[u8], b: &[u8], equality: &Equality) -> Vec<Run>;

    /// Returns the value of the table of two strings if one of them is so short that its rows fit
    /// into a few words.
    fn short(a: &[u8], b: &[u8]) -> Option<u64>;

    /// Algorithms of the CPU. `auto` tries those of whole strings, in this order; otherwise the
    /// first of the others computes the table.
    const CPU_ROWS: &'static [CpuRow<Self::LastColumn>];

    /// Returns the algorithms of devices; `auto` tries those of bands first, in the same way.
    fn device_rows<D: Device>() -> &'static [DeviceRow<Open<D, Self>>];

    /// Returns an engine for two strings on the CPU.
    fn on_cpu<'s>(
        last_column: Self::LastColumn,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Self::Engine<'s>;

    /// Costs of an alignment's steps.
    const COSTS: Costs;

    /// Returns the value of a table of m × n, given the distance of the strings by
    /// [`COSTS`](Self::COSTS).
    fn value_of_distance(distance: u64, m: u64, n: u64) -> u64;

    /// Returns the CPU's entry of an algorithm of last columns; the fastest for `auto`, and for an
    /// algorithm of whole strings.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for an algorithm that the CPU lacks.
    fn columns_on_cpu(algorithm: Algorithm<Self>) -> Result<Row<Self::LastColumn>> {
        let named = algorithm.row(Self::CPU_ROWS, EngineKind::Cpu, |row| &row.about)?;
        let mut rows = std::iter::once(named).chain(Self::CPU_ROWS);
        let found = rows.find_map(|row| Some(Row { name: row.about.name, computes: row.columns()? }));
        found.ok_or_else(|| algorithm.missing_on(EngineKind::Cpu))
    }

    /// Returns the name of the fastest algorithm of full tables on an engine.
    fn full_table_on(engine: EngineKind) -> Option<&'static str> {
        let on_device = || Self::device_rows::<simt_launch::Simt>().iter().find(|row| row.bands.is_none());
        match engine {
            EngineKind::Cpu => Self::columns_on_cpu(Algorithm::AUTO).ok().map(|row| row.name),
            EngineKind::Gpu | EngineKind::Simt => on_device().map(|row| row.about.name),
        }
    }

    /// Returns the algorithms of whole strings to try on the CPU: all of them for `auto`, or the
    /// named one.
    fn whole_on_cpu(algorithm: Algorithm<Self>) -> impl Iterator<Item = Row<Whole>> {
        let rows = Self::CPU_ROWS.iter().filter(move |row| algorithm.is_auto() || algorithm.name() == row.about.name);
        rows.filter_map(|row| Some(Row { name: row.about.name, computes: row.whole()? }))
    }
}

/// Name of an algorithm, and its function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<C> {
    pub name: &'static str,
    pub computes: C,
}

/// Opens two strings on at least one device.
pub(crate) type Open<D, P> = for<'d> fn(&[&'d D], [&'d [u8]; 2], Progress<'d>) -> Result<<P as Pairwise>::Engine<'d>>;

/// Bytes as symbols, where different bytes may be equal.
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
