//! A row of the table of algorithms: an algorithm that finds the nearest part of a text on a
//! device, and the choice of the fastest.

use super::numbers::Numbers;
use crate::algorithm::About;
use crate::best::end::BestEnd;
use crate::device::{Device, Timings};
use crate::error::Result;
use crate::search::gpu::Resident;
use crate::text::Pattern;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// An algorithm that finds the nearest part of a text on a device.
pub struct DeviceAlgorithm<D: Device> {
    /// Its name, source, cost and limits.
    pub about: &'static About,
    /// Returns the expected time on an H200 in seconds; `None` for sizes that the algorithm does
    /// not take, and if `auto` must not choose it.
    pub seconds: fn(Size) -> Option<f64>,
    /// Finds the end of the nearest part.
    ///
    /// # Errors
    /// As [`BestEnds::best_end`](crate::best::end::BestEnds::best_end).
    pub best_end: fn(&Job<'_, D>) -> Result<BestEnd>,
}

/// The size of a job, which its time depends on.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Number of symbols of the pattern.
    pub m: u64,
    /// Number of symbols of all records.
    pub n: u64,
    /// Number of records.
    pub records: u64,
    /// Number of multiprocessors of the device.
    pub multiprocessors: u32,
    /// True if no symbol of a text stands for two different symbols of the pattern.
    pub is_distinct: bool,
}

impl Size {
    /// Returns the size of a search for a pattern in records.
    pub fn new(pattern: &Pattern, records: &[Range<usize>], multiprocessors: u32) -> Self {
        let n = records.iter().map(|record| record.len() as u64).sum();
        let is_distinct = Numbers::new(pattern).is_some();
        Self { m: pattern.len() as u64, n, records: records.len() as u64, multiprocessors, is_distinct }
    }
}

/// A pattern, and a text in records.
pub struct Job<'j, D: Device> {
    /// The device.
    pub device: &'j Arc<D>,
    /// The algorithm's description.
    pub about: &'static About,
    /// Number of banks of the memory, for Nakano's algorithms.
    pub width: u32,
    /// Symbols of the text.
    pub symbols: &'j [u8],
    /// Sorted and disjoint parts of the symbols, at least one.
    pub records: &'j [Range<usize>],
    /// The pattern, 1 to 2^32 - 1 symbols.
    pub pattern: &'j Pattern,
    /// The symbols on the device, if they stay there.
    pub resident: Option<&'j Resident<D>>,
    /// Called with the number of symbols done since its last call.
    pub progress: &'j (dyn Fn(u64) + Sync),
    /// Times of kernels and copies.
    pub timings: &'j Mutex<Timings>,
}

impl<D: Device> Job<'_, D> {
    /// Returns the empty part, whose distance is m: the best end before any other is known.
    pub fn empty_part(&self) -> BestEnd {
        BestEnd { distance: self.pattern.len() as u32, record: 0, end: 0 }
    }

    /// Adds times.
    pub fn add(&self, more: Timings) {
        *self.timings.lock().unwrap_or_else(PoisonError::into_inner) += more;
    }
}

impl<D: Device> DeviceAlgorithm<D> {
    /// Returns the algorithm that should take the least time.
    pub fn fastest(size: Size) -> &'static Self {
        let timed = Self::ALL.iter().filter_map(|row| Some(((row.seconds)(size)?, row)));
        timed.min_by(|(a, _), (b, _)| a.total_cmp(b)).map_or(&Self::ALL[0], |(_, row)| row)
    }
}
