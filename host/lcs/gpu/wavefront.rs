//! The LCS by the wavefront: lanes that follow one another through the columns, on one or more
//! devices.

use super::algorithm::DeviceAlgorithm;
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::lcs::thresholds::LENGTH_COSTS;
use crate::pairwise::columns::{Columns, Direction, LcsColumn};
use crate::pairwise::cuts::Part;
use crate::pairwise::differences::FirstColumn;
use crate::pairwise::wavefront::{self, Wavefront};

pub use crate::pairwise::wavefront::{Form, Kernels, Lengths, NO_MORE_STRIPS};

/// Two strings on one or more devices, which compute last columns of LCS tables of their parts.
pub type WavefrontLcs<'d, D> = Wavefront<'d, D, Lengths>;

/// Division of a batch of tables among a machine's processors.
pub type LcsPlan = wavefront::WavefrontPlan<Lengths>;

/// Description of the algorithm.
pub const ABOUT: About = About::new(
    "wavefront",
    "lanes that follow one another through the columns and pass on carries by shuffles; on one or more GPUs",
    "this project, on the bit-vectors of Crochemore et al. 2001",
    "28 instructions per lane for 256 cells of DNA",
)
.limited(Limits { devices: usize::MAX, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        open: |devices, [a, b], progress| Ok(Box::new(WavefrontLcs::new(devices, a, b, progress)?)),
        is_faster: |_, _, level, threads| LENGTH_COSTS.level_is_faster_on_gpu(level, threads),
        bands: None,
    }
}

impl<D: Device> Columns for WavefrontLcs<'_, D> {
    fn directed_column(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<LcsColumn> {
        self.column_from(rows, columns, direction, FirstColumn::Rising)
    }

    fn halves(&self, rows: &Part, columns: &Part, middle: usize) -> Result<(LcsColumn, LcsColumn)> {
        self.halves_of(rows, columns, middle)
    }
}
