//! A device as the job's engine.

use super::algorithm::DeviceAlgorithm;
use super::device_pairs::{Block, DevicePairs};
use super::listed_columns::Columns;
use crate::device::{Device, Timings};
use crate::error::Result;
use crate::pairs::cost::{ABOVE, Cost};
use crate::pairs::engine::{PairEngine, PutRow, converted};
use crate::pairs::host_columns::HostColumns;
use crate::pairs::resident::{ResidentColumn, ResidentDistances};
use rayon::prelude::*;

/// A device as an engine for pairs.
pub(in crate::pairs) struct OnDevice<'d, D: Device> {
    pub(in crate::pairs) pairs: DevicePairs<'d, D>,
    pub(in crate::pairs) cost: Cost,
    pub(in crate::pairs) maximum: Option<u32>,
    /// Algorithm that the caller has named.
    pub(in crate::pairs) named: Option<&'static DeviceAlgorithm<D>>,
}

impl<D: Device> OnDevice<'_, D> {
    fn known(&self, distance: u32) -> u32 {
        if self.maximum.is_some_and(|maximum| distance > maximum) { ABOVE } else { distance }
    }

    /// Replaces the distances above the maximum by [`ABOVE`].
    fn mark(&self, distances: &mut [u32]) {
        if self.maximum.is_some() {
            distances.par_iter_mut().for_each(|distance| *distance = self.known(*distance));
        }
    }
}

impl<D: Device> PairEngine for OnDevice<'_, D> {
    /// Returns a larger block than the CPU's, since both lists are copied to the device for each
    /// block.
    fn block(&self) -> usize {
        1 << 27
    }

    fn timings(&self) -> Timings {
        self.pairs.timings()
    }

    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>> {
        let mut distances = match self.named {
            None => self.pairs.listed(pairs, self.cost)?,
            Some(DeviceAlgorithm { listed: Some(listed), .. }) => listed(&self.pairs, pairs, self.cost)?,
            Some(row) => {
                let reason = "compares all strings of one or two lists, but not listed pairs";
                return Err(row.about.unsupported(reason.into()));
            }
        };
        self.mark(&mut distances);
        Ok(distances)
    }

    fn columns(&self, columns: HostColumns<'_>) -> Result<Vec<u32>> {
        let count = columns.offsets[0].len() - 1;
        let mut distances = self.pairs.of_source(&Columns::from(columns), count, self.cost)?;
        self.mark(&mut distances);
        Ok(distances)
    }

    fn resident(&self, a: &ResidentColumn, b: &ResidentColumn) -> Result<ResidentDistances> {
        self.pairs.of_columns(a, b, self.cost)
    }

    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()> {
        let mut each = |block: Block<'_>| {
            let numbers: Vec<usize> = (block.first_b..block.first_b + block.columns).collect();
            let rows = block.distances.par_chunks(block.columns.max(1)).enumerate();
            rows.for_each(|(row, distances)| {
                let put = |columns: &[usize], distances: &[u32]| put(block.first_a + row, columns, distances);
                converted(&numbers, distances, |&distance| self.known(distance), put);
            });
            Ok(())
        };
        match self.named {
            Some(row) => (row.all)(&self.pairs, rows, columns, self.cost, &mut each),
            None => self.pairs.all(rows, columns, self.cost, &mut each),
        }
    }
}
