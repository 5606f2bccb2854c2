//! The distances of many pairs of strings on a GPU, or on the simulator.
//!
//! | file | what |
//! |---|---|
//! | `all` | all pairs of two lists, a block of the matrix at a time |
//! | `codes` | the symbols of both lists as rows of the kernel's table |
//! | `groups` | strings sorted by length and packed in groups of 32 on the device |
//! | `plan` | which instance of the kernel, and in how many blocks |
//! | `launch` | a launch of that instance |
//! | `listed` | listed pairs, a batch of like lengths at a time |
//! | `planes` | strings as bit planes on the device |
//! | `room` | device memory that is kept |

mod all;
mod codes;
mod groups;
mod launch;
mod listed;
mod plan;
mod planes;
mod room;

pub use plan::Tuning;

use super::Cost;
use crate::device::{Device, Timings};
use crate::error::Result;
use std::sync::{Mutex, PoisonError};

/// Some rows and columns of the matrix of all distances.
#[derive(Debug, Clone, Copy)]
pub struct Block<'b> {
    /// The first row: a position in the list `a`.
    pub first_a: usize,
    /// The first column: a position in the list `b`.
    pub first_b: usize,
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// The distance of row r and column c at r × `columns` + c.
    pub distances: &'b [u32],
}

/// Computes the distances of many pairs on a device.
///
/// Strings are bytes of any value, of 0 to [`LONGEST`](carrywave_kernels::distance::last_row::LONGEST) symbols.
pub struct DevicePairs<'d, D: Device> {
    device: &'d D,
    limit: Option<u32>,
    tuning: Tuning,
    progress: &'d (dyn Fn(u64) + Sync),
    timings: Mutex<Timings>,
}

impl<'d, D: Device> DevicePairs<'d, D> {
    /// On this device.
    pub fn new(device: &'d D) -> Self {
        Self { device, limit: None, tuning: Tuning::default(), progress: &|_| {}, timings: Mutex::default() }
    }

    /// Distances above this maximum are given as one more than it.
    #[must_use]
    pub fn max_distance(self, limit: Option<u32>) -> Self {
        Self { limit, ..self }
    }

    /// Calls this with the number of cells (the product of both lengths, summed over pairs) done since its last call.
    #[must_use]
    pub fn progress(self, progress: &'d (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// Chooses the kernel by hand where something is set, for benchmarks and tests.
    #[must_use]
    pub fn tuning(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Where the time went, over all calls so far.
    pub fn timings(&self) -> Timings {
        *self.timings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The distances of all pairs of a string of `a` and one of `b`, in blocks of the matrix whose rows are the list `a`.
    ///
    /// Each pair is in one block. Blocks come row after row of blocks, each from left to right: all blocks of a row of blocks have the same
    /// rows. They are of some ten million pairs at most, and no more than two of them are in memory at a time. An error of `each` ends the
    /// computation.
    ///
    /// The time is about the number of cells over 10^14 a second on an H200.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for a string that is too long; [`Error::DeviceMemory`](crate::Error::DeviceMemory) when
    /// even small blocks do not fit; what the device reports, and what `each` does.
    pub fn all(
        &self,
        a: &[&[u8]],
        b: &[&[u8]],
        cost: Cost,
        each: &mut dyn FnMut(Block<'_>) -> Result<()>,
    ) -> Result<()> {
        all::all(self, a, b, cost, each)
    }

    /// The distances of listed pairs, in the order of the list.
    ///
    /// A GPU computes 1,024 pairs of like lengths together, so this is for thousands of pairs at least. The time of short strings is that of
    /// bringing them to the device.
    ///
    /// # Errors
    /// As [`all`](Self::all).
    pub fn listed(&self, pairs: &[(&[u8], &[u8])], cost: Cost) -> Result<Vec<u32>> {
        listed::listed(self, pairs, cost)
    }

    fn add_timings(&self, more: Timings) {
        let mut timings = self.timings.lock().unwrap_or_else(PoisonError::into_inner);
        timings.kernels += more.kernels;
        timings.transfer += more.transfer;
        timings.cells += more.cells;
    }
}
