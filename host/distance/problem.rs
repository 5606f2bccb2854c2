//! The edit distance of two whole strings as a problem: its algorithms, and the computation of its
//! tables.

use super::cpu::columns::CpuColumns;
use super::cpu::{LastColumn, bit_parallel, bit_table};
use super::gpu::DeviceAlgorithm;
use super::thresholds::{DISTANCE_COSTS, SCRIPT_COSTS};
use crate::algorithm::{About, Problem};
use crate::alignment::Run;
use crate::cost::JobCosts;
use crate::cpu::words;
use crate::device::{Cpu, Device};
use crate::error::Result;
use crate::job::Progress;
use crate::pairwise::cluster::{Bands, CpuMember};
use crate::pairwise::columns::EditColumns;
use crate::pairwise::differences::Differences;
use crate::pairwise::problem::{Open, Pairwise, Spread};
use crate::pairwise::rows::{CpuRow, DeviceRow};
use crate::pairwise::similar::Costs;
use crate::pairwise::wavefront::{Distances, Wavefront};
use crate::text::Equality;

/// The problem of an [`Algorithm`] for the edit distance of two whole strings. As in the
/// [example](Algorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Global;

impl Problem for Global {
    const WHAT: &'static str = "edit distance algorithm";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = super::gpu::ABOUTS;
}

/// The algorithm for the edit distance of two strings: `auto`, or a named one.
///
/// ```
/// use carrywave::distance::{Algorithm, Comparison};
///
/// let plain = Algorithm::named("dp")?;
/// assert_eq!(Comparison::new().algorithm(plain).distance(b"kitten", b"sitting")?, 3);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub type Algorithm = crate::algorithm::Algorithm<Global>;

impl Spread for Global {
    type Column = Differences;

    /// D grows by one from column to column in row 0.
    const TOP: &'static [u64] = &[!0, 0];

    fn total(rise: i64, n: u64) -> u64 {
        n.wrapping_add_signed(rise)
    }

    fn member_on_cpu<'s>(
        cpu: &Cpu,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Box<dyn Bands<Column = Differences> + 's> {
        let columns = CpuColumns { strings, equality, last_column: bit_parallel::last_column, progress };
        Box::new(CpuMember { cpu: cpu.clone(), columns })
    }

    fn member_on_devices<'d, D: Device>(
        devices: &[&'d D],
        [a, b]: [&'d [u8]; 2],
        streams: bool,
        progress: Progress<'d>,
    ) -> Result<Box<dyn Bands<Column = Differences> + 'd>> {
        Ok(Box::new(Wavefront::<_, Distances>::new(devices, a, b, progress)?.streaming(streams)))
    }
}

impl Pairwise for Global {
    type Engine<'s> = Box<dyn EditColumns + 's>;
    type LastColumn = LastColumn;

    const NAME: &'static str = "distance";
    const LEAF_CELLS: u64 = bit_table::LEAF_CELLS;
    const VALUE_COSTS: JobCosts = DISTANCE_COSTS;
    const ALIGNMENT_COSTS: JobCosts = SCRIPT_COSTS;
    const COSTS: Costs = Costs::Levenshtein;
    const CPU_ROWS: &'static [CpuRow<LastColumn>] = super::cpu::ALGORITHMS;

    fn leaf(a: &[u8], b: &[u8], equality: &Equality) -> Vec<Run> {
        bit_table::script_by(a, b, equality)
    }

    fn short(a: &[u8], b: &[u8]) -> Option<u64> {
        words::levenshtein_distance(a, b)
    }

    fn value_of_distance(distance: u64, _m: u64, _n: u64) -> u64 {
        distance
    }

    fn device_rows<D: Device>() -> &'static [DeviceRow<Open<D, Self>>] {
        DeviceAlgorithm::<D>::ALL
    }

    fn on_cpu<'s>(
        last_column: LastColumn,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Self::Engine<'s> {
        Box::new(CpuColumns { strings, equality, last_column, progress })
    }
}
