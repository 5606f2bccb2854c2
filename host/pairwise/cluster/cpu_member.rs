//! The CPU as a member: computes whole tables and cuts on its own threads.

use crate::device::Cpu;
use crate::error::Result;
use crate::pairwise::cuts::{Cut, CutRequest, Cuts, Part};

/// Number of rows of a band that occupy a thread at full speed.
const THREAD_ROWS: u64 = 1 << 15;

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

    /// Returns the number of rows of a band that occupy all threads at full speed.
    pub fn rows_at_full_speed(&self) -> u64 {
        THREAD_ROWS * self.threads() as u64
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
