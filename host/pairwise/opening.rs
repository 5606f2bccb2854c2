//! Opening a GPU for a comparison that may not need it: the CPU tries meanwhile whether the strings
//! are similar.

use super::attempt::{Attempt, Wanted, lock};
use super::comparison::Comparing;
use super::problem::Pairwise;
use super::similar::Request;
use crate::cost::{Machine, Work};
use crate::device::Devices;
use crate::error::Result;
use crate::threads;
use std::sync::OnceLock;
use std::time::Instant;

/// Number of cells below which testing for similar strings does not pay off.
const SIMILAR_CELLS: u64 = 10_000_000;

/// Lower bound on the symbols of both strings for opening a GPU while the CPU tries whether they
/// are similar, if the job chooses its engine.
const MEANWHILE_SYMBOLS: f64 = 16e6;

impl<P: Pairwise> Comparing<'_, P> {
    pub(super) fn work(&self) -> Work {
        let [a, b] = self.strings;
        Work::of_table(a.len() as u64, b.len() as u64)
    }

    /// Opens a GPU, unless the strings are so similar that the CPU answers before. Long strings are
    /// tried while the GPU opens, because the attempt takes as long.
    pub(super) fn open_unless_similar(&self, open: &(dyn Fn() -> Result<Devices> + Sync)) -> Result<Option<Devices>> {
        let Work { shorter, longer, .. } = self.work();
        if shorter + longer >= MEANWHILE_SYMBOLS {
            let devices = OnceLock::new();
            let opened = self.attempt_during(&|| open().map(|opened| _ = devices.set(opened)));
            return if self.has_answer() { Ok(None) } else { opened.map(|()| devices.into_inner()) };
        }
        self.attempt();
        if self.has_answer() { Ok(None) } else { self.waiting(open).map(Some) }
    }

    /// Tries the CPU's algorithms of whole strings while another thread opens a GPU.
    pub(super) fn attempt_during(&self, open: &(dyn Fn() -> Result<()> + Sync)) -> Result<()> {
        std::thread::scope(|scope| {
            let opening = std::thread::Builder::new().spawn_scoped(scope, open);
            self.attempt();
            // If the thread does not start or panics, the GPU is opened here.
            let opened = || opening.ok().and_then(|opening| opening.join().ok());
            self.waiting(|| opened().unwrap_or_else(open))
        })
    }

    /// Runs a function that opens a GPU, and records its time.
    pub(super) fn waiting<R>(&self, open: impl FnOnce() -> R) -> R {
        let started = Instant::now();
        let opened = open();
        self.open.get_or_init(|| started.elapsed());
        opened
    }

    /// Returns true if the attempt has found the result.
    pub(super) fn has_answer(&self) -> bool {
        lock(&self.attempt).as_ref().is_some_and(Attempt::has_answer)
    }

    /// Tries the CPU's algorithms of whole strings, for at most a third of the time that the job
    /// should take with a GPU that is opened first.
    fn attempt(&self) {
        let (script, maximum) = match self.wanted {
            Wanted::Value { maximum } => (false, maximum),
            Wanted::Alignment => (true, None),
            Wanted::Columns => return,
        };
        let [a, b] = self.strings;
        let with_gpu = self.wanted.costs::<P>().here().gpu_seconds(self.work(), Machine::here());
        let by_one_thread = P::VALUE_COSTS.here().cpu_seconds(self.work(), 1);
        let most_cells = P::COSTS.most_cells(a.len(), b.len()) as f64 * with_gpu / by_one_thread;
        let request = Request {
            script,
            maximum,
            most_cells: (most_cells as u64).min(self.most_cells(rayon::current_num_threads())),
            beside_device: true,
            ..Request::new(P::COSTS)
        };
        let attempt = threads::run(|| Attempt::on_cpu(self.settings.algorithm, [a, b], &request, self.progress));
        *lock(&self.attempt) = Some(attempt);
    }

    /// Returns the most cells of bands that may be computed to find out whether the strings are
    /// similar, if `threads` threads compute the full table.
    pub(super) fn most_cells(&self, threads: usize) -> u64 {
        let [a, b] = self.strings;
        if (a.len() as u64).saturating_mul(b.len() as u64) < SIMILAR_CELLS {
            return if self.settings.algorithm.is_auto() { 0 } else { u64::MAX };
        }
        P::COSTS.most_cells(a.len(), b.len()) / threads.max(1) as u64
    }
}
