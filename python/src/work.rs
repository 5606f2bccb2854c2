//! Long work: without the interpreter's lock, so that other threads of Python run; with progress;
//! and ended by Ctrl-C.
//!
//! The library reports progress from time to time, on any thread. A job ends early at such a
//! report: it unwinds, as from a panic, up to the thread that it began on. Meanwhile, the thread
//! that Python called from checks every 50 ms for signals.

use crate::errors::raised;
use carrywave::Result;
use carrywave::device::{Engine, EngineKind};
use carrywave::internal::threads::{self, Stop};
use carrywave::job::Progress;
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that takes less time than releasing the interpreter's lock, in cells or in symbols of a
/// search.
const TINY: u64 = 1 << 15;

/// Work that always takes less time than a user notices, in cells.
const QUICK: u64 = 1 << 20;

/// Work that nearly always takes less time than a user notices, in cells. Larger jobs get a thread.
const SHORT: u64 = 1 << 26;

/// Time between two checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum steps to read or number an item.
const STEPS_OF_ITEM: u64 = 64;

/// The size of a job.
#[derive(Clone, Copy)]
pub struct Size {
    /// Total work in cells or symbols, the unit of progress.
    total: u64,
    /// Estimated time, in cells.
    effort: u64,
}

impl From<u64> for Size {
    fn from(total: u64) -> Self {
        Self { total, effort: total }
    }
}

impl Size {
    /// Size of an unknown job: Ctrl-C always ends it.
    pub const UNKNOWN: Self = Self { total: SHORT, effort: u64::MAX };

    /// Adds work to a job: it also takes at least `steps` steps.
    pub fn and(self, steps: u64) -> Self {
        Self { effort: self.effort.max(steps), ..self }
    }

    /// Adds work to a job: it also processes `items` items.
    pub fn and_items(self, items: usize) -> Self {
        self.and((items as u64).saturating_mul(STEPS_OF_ITEM))
    }

    /// Sets the engine of a job. Any job may take long on the simulator.
    pub fn on(self, engine: Option<&Arc<dyn Engine>>) -> Self {
        let is_slow = engine.is_some_and(|engine| engine.kind() == EngineKind::Simt);
        if is_slow { self.and(u64::MAX) } else { self }
    }
}

/// Runs a job. `progress` is called with the work done so far and the total. If it has a method
/// `update`, like the bars of tqdm, that method is called with the work done since the last call.
pub fn run<R: Send>(
    py: Python<'_>,
    size: impl Into<Size>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(Progress<'_>) -> Result<R> + Send,
) -> PyResult<R> {
    let (mut job, mut result) = (Some(job), None);
    run_stored(py, size.into(), progress, &mut |progress| {
        if let Some(job) = job.take() {
            result = Some(job(progress)?);
        }
        Ok(())
    })?;
    result.ok_or_else(ended)
}

/// A job that stores its result. All jobs have this type, so their threads are compiled once.
type Job<'j> = &'j mut (dyn FnMut(Progress<'_>) -> Result<()> + Send);

fn ended() -> PyErr {
    PyRuntimeError::new_err("the thread of a job ended without a result")
}

/// Runs a job, as [`run`].
fn run_stored(py: Python<'_>, size: Size, progress: Option<&Bound<'_, PyAny>>, job: Job<'_>) -> PyResult<()> {
    let Size { total, effort } = size;
    let progress = progress.filter(|progress| !progress.is_none());
    if progress.is_none() {
        if effort < TINY {
            return threads::run(|| job(&|_| ())).map_err(raised);
        }
        if effort < QUICK {
            return py.detach(|| threads::run(|| job(&|_| ()))).map_err(raised);
        }
        if effort < SHORT {
            return run_here(py, job);
        }
    }
    let (done, stop) = (AtomicU64::new(0), Stop::default());
    let on_progress = |more: u64| {
        done.fetch_add(more, Ordering::Relaxed);
        stop.check();
    };
    let mut reporter = ProgressReporter { progress, done: 0, total };
    let (sender, receiver) = sync_channel(1);
    let receiver = Mutex::new(receiver);
    let mut failed = None;
    let outcome = std::thread::scope(|scope| {
        let job = || stop.watch(|| threads::run(|| job(&on_progress)));
        scope.spawn(|| sender.send(catch_unwind(AssertUnwindSafe(job))));
        loop {
            match py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNAL_INTERVAL)) {
                Ok(outcome) => return Some(outcome),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if failed.is_none() => {
                    let checked = py.check_signals().and_then(|()| reporter.report(done.load(Ordering::Relaxed)));
                    failed = checked.err();
                    if failed.is_some() {
                        stop.stop();
                    }
                }
                // A kernel on the simulator reports nothing before it ends.
                Err(RecvTimeoutError::Timeout) => simt_std::simulator::interrupt(),
            }
        }
    });
    match (failed, outcome) {
        (Some(error), _) => Err(error),
        (None, Some(Ok(result))) => {
            result.map_err(raised)?;
            reporter.report(total)
        }
        (None, Some(Err(panic))) => resume_unwind(panic),
        (None, None) => Err(ended()),
    }
}

thread_local! {
    /// Time of the last check for signals.
    static LAST_CHECK: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Exception that a signal raised.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Checks for signals, once per [`SIGNAL_INTERVAL`]. Returns true if a signal raised an exception.
fn is_interrupted() -> bool {
    let now = Instant::now();
    if LAST_CHECK.get().is_some_and(|last| now - last < SIGNAL_INTERVAL) {
        return false;
    }
    LAST_CHECK.set(Some(now));
    match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            RAISED.set(Some(error));
            true
        }
    }
}

/// Runs a job on this thread, because a separate thread would take as long as the job. Ctrl-C ends
/// it at its next check.
fn run_here(py: Python<'_>, job: Job<'_>) -> PyResult<()> {
    LAST_CHECK.set(None);
    let stop = Stop::if_true(is_interrupted);
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(|| stop.watch(|| threads::run(|| job(&|_| ()))))));
    match (outcome, RAISED.take()) {
        (Ok(result), None) => result.map_err(raised),
        (_, Some(error)) => Err(error),
        (Err(panic), None) => resume_unwind(panic),
    }
}

/// Runs a job that may wait for another program, such as the writer of a pipe. Ctrl-C abandons the
/// job on its thread.
pub fn run_apart<R: Send + 'static>(py: Python<'_>, job: impl FnOnce() -> Result<R> + Send + 'static) -> PyResult<R> {
    let stop = Stop::default();
    let (sender, receiver) = sync_channel(1);
    let receiver = Mutex::new(receiver);
    let watched = stop.clone();
    let job = move || {
        // Nobody waits for the result of an abandoned job.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| watched.watch(|| threads::run(job)))));
    };
    std::thread::Builder::new().spawn(job)?;
    loop {
        match py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNAL_INTERVAL)) {
            Ok(Ok(result)) => return result.map_err(raised),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| stop.stop())?,
        }
    }
}

/// Progress that the caller has received.
struct ProgressReporter<'a, 'py> {
    progress: Option<&'a Bound<'py, PyAny>>,
    done: u64,
    total: u64,
}

impl ProgressReporter<'_, '_> {
    fn report(&mut self, done: u64) -> PyResult<()> {
        let Some(progress) = self.progress else { return Ok(()) };
        let py = progress.py();
        // Some jobs do a little more work than expected.
        let done = done.min(self.total).max(self.done);
        let more = std::mem::replace(&mut self.done, done);
        match progress.getattr_opt(intern!(py, "update"))? {
            Some(update) => update.call1((done - more,))?,
            None => progress.call1((done, self.total))?,
        };
        Ok(())
    }
}
