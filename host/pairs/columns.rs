//! The distances of two columns of strings, side by side.

use super::comparison::{Pairs, Workload};
use super::host_columns::HostColumns;
use super::resident::{ResidentColumn, ResidentDistances};
use crate::error::{Result, UsageFault};

impl Pairs<'_> {
    /// Computes the distances of the strings of two columns in a GPU's memory, side by side. They
    /// stay there, in order. Those above the maximum are the maximum plus 1. The columns' GPU
    /// computes, whatever engine is [set](Self::on). See the [example](ResidentColumn).
    ///
    /// # Errors
    /// [`Usage`](crate::Error::Usage) with [`Mismatch`](UsageFault::Mismatch) for columns of
    /// different lengths, with [`Combination`](UsageFault::Combination) for a
    /// [similarity](Self::similarity), and with [`TooLarge`](UsageFault::TooLarge) for strings that
    /// are too long; [`Unsupported`](crate::Error::Unsupported) for columns on different GPUs;
    /// [`DeviceMemory`](crate::Error::DeviceMemory) and [`Gpu`](crate::Error::Gpu) if the GPU lacks
    /// memory or fails.
    pub fn listed_resident(&self, a: &ResidentColumn, b: &ResidentColumn) -> Result<ResidentDistances> {
        self.refuse_pieces()?;
        if a.len() != b.len() {
            return Err(UsageFault::Mismatch.error(format!("the columns have {} and {} strings", a.len(), b.len())));
        }
        if self.similarity.is_some() {
            return Err(UsageFault::Combination.error("columns of a GPU take a maximum distance, not a similarity"));
        }
        let job = Self { devices: Some(a.devices.clone()), ..self.clone() };
        job.on_engine(Workload::OnCpu, |engine| engine.engine.resident(a, b))
    }

    /// Computes the distances of the strings of two columns, side by side: `u32::MAX` for those
    /// above the maximum, and anything for missing pairs.
    #[doc(hidden)]
    pub fn listed_columns(&self, columns: HostColumns<'_>) -> Result<Vec<u32>> {
        self.refuse_pieces()?;
        self.on_engine(Workload::OnCpu, |engine| engine.engine.columns(columns))
    }
}
