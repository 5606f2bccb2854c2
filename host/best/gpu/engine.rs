//! The engine: one device, and an algorithm of the table.

use super::algorithm::{DeviceAlgorithm, Job};
use crate::best::end::{BestEnd, BestEnds};
use crate::device::{Device, Timings};
use crate::error::{Result, UsageFault};
use crate::search::gpu::Resident;
use crate::text::Pattern;
use simt_std::WARP;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// An engine that compares on a device.
pub struct DeviceBest<'p, D: Device> {
    device: Arc<D>,
    algorithm: &'static DeviceAlgorithm<D>,
    progress: &'p (dyn Fn(u64) + Sync),
    width: u32,
    resident: Option<Arc<Resident<D>>>,
    timings: Mutex<Timings>,
}

impl<'p, D: Device> DeviceBest<'p, D> {
    /// Returns an engine on a device. `progress` gets the number of symbols done since its last
    /// call.
    pub fn new(device: Arc<D>, algorithm: &'static DeviceAlgorithm<D>, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { device, algorithm, progress, width: WARP, resident: None, timings: Mutex::default() }
    }

    /// Sets the number of banks of the memory, at least 1, instead of a GPU's 32: lemma 3's matrix
    /// has rows of a multiple of w words.
    #[must_use]
    pub fn of_width(self, width: u32) -> Self {
        Self { width: width.max(1), ..self }
    }

    /// Sets a copy of the symbols in the device's memory, for algorithms that can use it.
    #[must_use]
    pub fn with_resident(self, resident: Option<Arc<Resident<D>>>) -> Self {
        Self { resident, ..self }
    }

    /// Returns the times of kernels and of copies so far.
    pub fn timings(&self) -> Timings {
        *self.timings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Device> BestEnds for DeviceBest<'_, D> {
    fn best_end(&self, symbols: &[u8], records: &[Range<usize>], pattern: &Pattern) -> Result<BestEnd> {
        if records.is_empty() {
            return Err(UsageFault::Empty.error("there is no record to search; give a text with at least one record"));
        }
        let about = self.algorithm.about;
        about.check(pattern.len(), 0, true)?;
        (self.algorithm.best_end)(&Job {
            device: &self.device,
            about,
            width: self.width,
            symbols,
            records,
            pattern,
            resident: self.resident.as_deref().filter(|resident| resident.len() == symbols.len() as u64),
            progress: self.progress,
            timings: &self.timings,
        })
    }
}
