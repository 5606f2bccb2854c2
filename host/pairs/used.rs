//! Records the algorithms that computed something in a job.

use super::problem::ManyPairs;
use crate::algorithm::{About, Problem};
use crate::device::EngineKind;
use crate::job::Ran;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Algorithms that ran: a bit for each entry of a table.
#[derive(Debug, Default)]
pub(super) struct Used {
    cpu: AtomicU32,
    device: AtomicU32,
}

impl Used {
    /// Records an algorithm of the CPU.
    pub(super) fn on_cpu(&self, about: &About) {
        note(&self.cpu, EngineKind::Cpu, about);
    }

    /// Records an algorithm of GPUs or the simulator.
    pub(super) fn on_device(&self, about: &About) {
        note(&self.device, EngineKind::Gpu, about);
    }

    /// Returns the algorithms that ran, in the order of the tables. `engine` is the job's engine.
    pub(super) fn ran(&self, engine: EngineKind) -> Vec<Ran> {
        let rows = |kind: EngineKind, bits: &AtomicU32| -> Vec<Ran> {
            let bits = bits.load(Relaxed);
            let all = ManyPairs::algorithms(kind).iter().enumerate();
            let used = all.filter(|(row, _)| bits >> row & 1 == 1);
            used.map(|(_, about)| Ran { engine: kind, algorithm: about.name }).collect()
        };
        let on_device = if engine == EngineKind::Cpu { Vec::new() } else { rows(engine, &self.device) };
        [on_device, rows(EngineKind::Cpu, &self.cpu)].concat()
    }
}

fn note(rows: &AtomicU32, kind: EngineKind, about: &About) {
    let Some(row) = ManyPairs::algorithms(kind).iter().position(|row| row.name == about.name) else { return };
    // Most calls find the bit set: a load does not take the cache line from other threads.
    if rows.load(Relaxed) >> row & 1 == 0 {
        rows.fetch_or(1 << row, Relaxed);
    }
}
