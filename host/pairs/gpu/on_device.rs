//! A device as the job's engine.

use super::device_pairs::DevicePairs;
use crate::device::{Device, Timings};
use crate::error::Result;
use crate::pairs::cost::{ABOVE, Cost};
use crate::pairs::engine::{PairEngine, PutRow};

/// A device, and what it computes.
pub(in crate::pairs) struct OnDevice<'d, D: Device> {
    pub(in crate::pairs) pairs: DevicePairs<'d, D>,
    pub(in crate::pairs) cost: Cost,
    pub(in crate::pairs) maximum: Option<u32>,
}

impl<D: Device> OnDevice<'_, D> {
    fn known(&self, distance: u32) -> u32 {
        if self.maximum.is_some_and(|maximum| distance > maximum) { ABOVE } else { distance }
    }
}

impl<D: Device> PairEngine for OnDevice<'_, D> {
    /// Larger than the CPU's: both lists are taken to the device for each.
    fn block(&self) -> usize {
        1 << 27
    }

    fn timings(&self) -> Timings {
        self.pairs.timings()
    }

    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>> {
        let distances = self.pairs.listed(pairs, self.cost)?;
        Ok(distances.into_iter().map(|distance| self.known(distance)).collect())
    }

    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()> {
        self.pairs.all(rows, columns, self.cost, &mut |block| {
            let numbers: Vec<usize> = (block.first_b..block.first_b + block.columns).collect();
            let mut row = Vec::with_capacity(block.columns);
            for (number, distances) in (block.first_a..).zip(block.distances.chunks(block.columns.max(1))) {
                row.clear();
                row.extend(distances.iter().map(|&distance| self.known(distance)));
                put(number, &numbers, &row);
            }
            Ok(())
        })
    }
}
