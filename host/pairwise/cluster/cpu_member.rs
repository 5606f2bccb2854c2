//! The CPU as a member: computes whole tables and cuts on its own threads.

use crate::device::Cpu;
use crate::error::Result;
use crate::pairwise::cuts::{Cut, CutRequest, Cuts, Part};

/// The CPU as a member, for two strings with exact equality, and bands of their tables.
pub(crate) struct CpuMember<C> {
    /// The CPU.
    pub cpu: Cpu,
    /// Computes whole tables.
    pub columns: C,
}

impl<C> CpuMember<C> {
    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.cpu.run(rayon::current_num_threads)
    }
}

impl<C: Cuts> Cuts for CpuMember<C> {
    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        self.cpu.run(|| self.columns.cuts(requests))
    }

    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        self.cpu.run(|| self.columns.value(rows, columns))
    }
}
