//! Many pairs on a device: options and results.

use super::plan::Tuning;
use crate::algorithm::About;
use crate::device::{Device, Timings};
use crate::pairs::used::Used;
use std::sync::{Mutex, PoisonError};

/// A block of the matrix of all distances.
#[derive(Debug, Clone, Copy)]
pub struct Block<'b> {
    /// First row: a position in the list `a`.
    pub first_a: usize,
    /// First column: a position in the list `b`.
    pub first_b: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Distances: that of row r and column c is at r × `columns` + c.
    pub distances: &'b [u32],
}

/// Computes the distances of many pairs on a device.
///
/// Strings are bytes of any value, of 0 to
/// [`LONGEST`](carrywave_kernels::distance::last_row::LONGEST) symbols.
pub struct DevicePairs<'d, D: Device> {
    pub(super) device: &'d D,
    /// Maximum; greater distances are returned as one more than this.
    pub(super) limit: Option<u32>,
    pub(super) tuning: Tuning,
    pub(super) progress: &'d (dyn Fn(u64) + Sync),
    timings: Mutex<Timings>,
    used: Option<&'d Used>,
}

impl<'d, D: Device> DevicePairs<'d, D> {
    /// Returns a job on a device.
    pub fn new(device: &'d D) -> Self {
        Self {
            device,
            limit: None,
            tuning: Tuning::default(),
            progress: &|_| {},
            timings: Mutex::default(),
            used: None,
        }
    }

    /// Sets the maximum: greater distances are returned as one more than it.
    #[must_use]
    pub fn max_distance(self, limit: Option<u32>) -> Self {
        Self { limit, ..self }
    }

    /// Sets the progress callback: it gets the number of cells (the product of both lengths, summed
    /// over pairs) done since its last call.
    #[must_use]
    pub fn progress(self, progress: &'d (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// Overrides the choice of the kernel, where a field is set, for benchmarks and tests.
    #[must_use]
    pub fn tuning(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Records the algorithms that run.
    #[must_use]
    pub(in crate::pairs) fn used(self, used: &'d Used) -> Self {
        Self { used: Some(used), ..self }
    }

    pub(super) fn note(&self, about: &About) {
        if let Some(used) = self.used {
            used.on_device(about);
        }
    }

    /// Returns the times of kernels and copies, over all calls so far.
    pub fn timings(&self) -> Timings {
        *self.timings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add_timings(&self, more: Timings) {
        *self.timings.lock().unwrap_or_else(PoisonError::into_inner) += more;
    }
}
