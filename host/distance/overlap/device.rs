//! Tables of the scores of overlaps on GPUs and the simulator: bit lanes that follow one another
//! ([`overlap_wavefront`](carrywave_kernels::distance::overlap_wavefront)).

use super::table::{Border, LastDifferences, Tables};
use crate::device::{Device, Timings};
use crate::error::Result;
use crate::job::Progress;
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{Part, Side};
use crate::pairwise::wavefront::{Overlaps, Wavefront};
use std::cell::Cell;
use std::ops::Range;

/// Name of the algorithm in reports.
pub const NAME: &str = "wavefront";

/// The stored differences of both borders.
const FREE: u32 = Border::Free.difference() as u32;
const GAPS: u32 = Border::Gaps.difference() as u32;

/// Two strings, and devices that can access one another's memory.
pub struct DeviceTables<'d, D> {
    pub devices: &'d [&'d D],
    pub strings: [&'d [u8]; 2],
    pub progress: Progress<'d>,
    /// Sum of the times of all tables.
    pub timings: Cell<Timings>,
}

impl<D: Device> DeviceTables<'_, D> {
    /// Computes a table whose borders have the stored difference `BORDER`.
    fn by_border<const BORDER: u32>(&self, [a, b]: [Range<usize>; 2], direction: Direction) -> Result<LastDifferences> {
        let [first, second] = self.strings;
        // Every cell is computed twice: the last row is the last column of a table of its own.
        let progress = |cells: u64| (self.progress)(cells / 2);
        let wavefront: Wavefront<'_, D, Overlaps<BORDER>> = Wavefront::new(self.devices, first, second, &progress)?;
        let rows = Part { side: Side::A, range: a };
        let columns = Part { side: Side::B, range: b };
        let [column, row] = wavefront.column_and_row(&rows, &columns, direction)?;
        let mut timings = self.timings.get();
        timings += wavefront.timings_of_tables();
        self.timings.set(timings);
        Ok(LastDifferences { column, row })
    }
}

impl<D: Device> Tables for DeviceTables<'_, D> {
    fn last_differences(
        &self,
        a: Range<usize>,
        b: Range<usize>,
        direction: Direction,
        border: Border,
    ) -> Result<LastDifferences> {
        match border {
            Border::Free => self.by_border::<FREE>([a, b], direction),
            Border::Gaps => self.by_border::<GAPS>([a, b], direction),
        }
    }
}
