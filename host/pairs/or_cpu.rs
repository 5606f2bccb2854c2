//! A device that was chosen for a job, with the CPU for jobs that do not fit into the device's
//! memory.

use super::cpu::CpuPairs;
use super::engine::{PairEngine, PutRow};
use crate::device::Timings;
use crate::error::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

/// A device, with the CPU as a fallback.
pub(super) struct OrCpu<'e> {
    pub(super) device: &'e dyn PairEngine,
    pub(super) cpu: CpuPairs<'e>,
}

impl PairEngine for OrCpu<'_> {
    fn block(&self) -> usize {
        self.device.block()
    }

    fn timings(&self) -> Timings {
        self.device.timings()
    }

    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>> {
        PairEngine::listed(&self.cpu, pairs)
    }

    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()> {
        let has_begun = AtomicBool::new(false);
        let tile = self.device.tile(rows, columns, &|row, columns, distances| {
            has_begun.store(true, Ordering::Relaxed);
            put(row, columns, distances);
        });
        match tile {
            Err(error @ Error::DeviceMemory { .. }) if !has_begun.into_inner() => {
                log::warn!("{error}: on the CPU then");
                PairEngine::tile(&self.cpu, rows, columns, put)
            }
            other => other,
        }
    }
}
