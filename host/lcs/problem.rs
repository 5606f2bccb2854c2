//! The LCS as a problem: its algorithms, and the computation of its tables.

use super::cpu::columns::CpuColumns;
use super::cpu::{LastColumn, bit_parallel, bit_table};
use super::gpu::DeviceAlgorithm;
use super::thresholds::{LEAF_CELLS, LENGTH_COSTS, SUBSEQUENCE_COSTS};
use crate::algorithm::{About, Problem};
use crate::alignment::Run;
use crate::cost::JobCosts;
use crate::cpu::words;
use crate::device::{Cpu, Device};
use crate::error::Result;
use crate::job::Progress;
use crate::pairwise::cluster::{Bands, CpuMember};
use crate::pairwise::columns::{Columns, LcsColumn};
use crate::pairwise::problem::{Open, Pairwise, Spread};
use crate::pairwise::rows::{CpuRow, DeviceRow};
use crate::pairwise::similar::Costs;
use crate::pairwise::wavefront::{Lengths, Wavefront};
use crate::text::Equality;

/// The problem of an [`Algorithm`] for the LCS of two strings. As in the [example](Algorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lcs;

impl Problem for Lcs {
    const WHAT: &'static str = "LCS algorithm";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = super::gpu::ABOUTS;
}

/// The algorithm for the last column of an LCS table: `auto`, or a named one.
///
/// ```
/// use carrywave::lcs::{Algorithm, Comparison};
///
/// let plain = Algorithm::named("dp")?;
/// assert_eq!(Comparison::new().algorithm(plain).length(b"ABCBDAB", b"BDCABA")?, 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub type Algorithm = crate::algorithm::Algorithm<Lcs>;

impl Spread for Lcs {
    type Column = LcsColumn;

    /// L is 0 in row 0.
    const TOP: &'static [u64] = &[0];

    fn total(rise: i64, _n: u64) -> u64 {
        rise.cast_unsigned()
    }

    fn member_on_cpu<'s>(
        cpu: &Cpu,
        strings: [&'s [u8]; 2],
        _: &'s Equality,
        progress: Progress<'s>,
    ) -> Box<dyn Bands<Column = LcsColumn> + 's> {
        let columns = CpuColumns { strings, last_column: bit_parallel::last_column, progress };
        Box::new(CpuMember { cpu: cpu.clone(), columns })
    }

    fn member_on_devices<'d, D: Device>(
        devices: &[&'d D],
        [a, b]: [&'d [u8]; 2],
        streams: bool,
        progress: Progress<'d>,
    ) -> Result<Box<dyn Bands<Column = LcsColumn> + 'd>> {
        Ok(Box::new(Wavefront::<_, Lengths>::new(devices, a, b, progress)?.streaming(streams)))
    }
}

impl Pairwise for Lcs {
    type Engine<'s> = Box<dyn Columns + 's>;
    type LastColumn = LastColumn;

    const NAME: &'static str = "lcs";
    const LEAF_CELLS: u64 = LEAF_CELLS;
    const VALUE_COSTS: JobCosts = LENGTH_COSTS;
    const ALIGNMENT_COSTS: JobCosts = SUBSEQUENCE_COSTS;
    const COSTS: Costs = Costs::Indel;
    const CPU_ROWS: &'static [CpuRow<LastColumn>] = super::cpu::ALGORITHMS;

    fn leaf(a: &[u8], b: &[u8], _: &Equality) -> Vec<Run> {
        bit_table::lcs(a, b)
    }

    fn short(a: &[u8], b: &[u8]) -> Option<u64> {
        words::lcs_length(a, b)
    }

    fn value_of_distance(distance: u64, m: u64, n: u64) -> u64 {
        (m + n).saturating_sub(distance) / 2
    }

    fn device_rows<D: Device>() -> &'static [DeviceRow<Open<D, Self>>] {
        DeviceAlgorithm::<D>::ALL
    }

    fn on_cpu<'s>(
        last_column: LastColumn,
        strings: [&'s [u8]; 2],
        _: &'s Equality,
        progress: Progress<'s>,
    ) -> Self::Engine<'s> {
        Box::new(CpuColumns { strings, last_column, progress })
    }
}
