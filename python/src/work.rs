//! Long work: without the interpreter's lock, so that other threads of Python run; with progress; and ended by Ctrl-C.
//!
//! The library tells how far it is from time to time, on any thread. That is where a job ends early: it unwinds, as it would from a panic, up
//! to the thread that it was begun on. The thread that Python called from meanwhile looks every 50 ms whether there is a signal.

use crate::errors::raised;
use carrywave::Result;
use carrywave::device::{Engine, EngineKind};
use carrywave::internal::threads::{self, Stop};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Told how much was done since its last call.
pub type Progress<'p> = &'p (dyn Fn(u64) + Sync);

/// Cells, or symbols of a search, of work that takes less time than to let go of the interpreter's lock.
const TINY: u64 = 1 << 15;

/// Cells of work that takes less time than a user notices in any case.
const QUICK: u64 = 1 << 20;

/// Cells of work that nearly always takes less time than a user notices. Larger jobs get a thread.
const SHORT: u64 = 1 << 26;

/// How often it is looked for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Steps that reading or numbering an item may take.
const STEPS_OF_ITEM: u64 = 64;

/// The size of a job.
#[derive(Clone, Copy)]
pub struct Size {
    /// Cells or symbols, which the progress is a part of.
    total: u64,
    /// Estimate of the time, in cells.
    effort: u64,
}

impl From<u64> for Size {
    fn from(total: u64) -> Self {
        Self { total, effort: total }
    }
}

impl Size {
    /// The size of an unknown job: it always ends at Ctrl-C.
    pub const UNKNOWN: Self = Self { total: SHORT, effort: u64::MAX };

    /// A job that also takes at least `steps` steps.
    pub fn and(self, steps: u64) -> Self {
        Self { effort: self.effort.max(steps), ..self }
    }

    /// A job that also goes through `items` items.
    pub fn and_items(self, items: usize) -> Self {
        self.and((items as u64).saturating_mul(STEPS_OF_ITEM))
    }

    /// A job on an engine. Any job may take long on the simulator.
    pub fn on(self, engine: Option<&Arc<dyn Engine>>) -> Self {
        let is_slow = engine.is_some_and(|engine| engine.kind() == EngineKind::Simt);
        if is_slow { self.and(u64::MAX) } else { self }
    }
}

/// Runs a job. `progress` is called with what was done so far and the total; or, if it has a method
/// `update`, as the bars of tqdm do, that is, with what was done since the last call.
pub fn run<R: Send>(
    py: Python<'_>,
    size: impl Into<Size>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(Progress<'_>) -> Result<R> + Send,
) -> PyResult<R> {
    let Size { total, effort } = size.into();
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
    let mut told = Told { progress, done: 0, total };
    let (sender, receiver) = sync_channel(1);
    let receiver = Mutex::new(receiver);
    let mut failed = None;
    let outcome = std::thread::scope(|scope| {
        let job = || stop.watch(|| threads::run(|| job(&on_progress)));
        scope.spawn(|| sender.send(catch_unwind(AssertUnwindSafe(job))));
        loop {
            match py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK)) {
                Ok(outcome) => return Some(outcome),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if failed.is_none() => {
                    let looked = py.check_signals().and_then(|()| told.tell(done.load(Ordering::Relaxed)));
                    failed = looked.err();
                    if failed.is_some() {
                        stop.stop();
                    }
                }
                // A kernel on the simulator tells nothing before it has ended.
                Err(RecvTimeoutError::Timeout) => simt_std::simulator::interrupt(),
            }
        }
    });
    match (failed, outcome) {
        (Some(error), _) => Err(error),
        (None, Some(Ok(result))) => {
            let result = result.map_err(raised)?;
            told.tell(total)?;
            Ok(result)
        }
        (None, Some(Err(panic))) => resume_unwind(panic),
        (None, None) => Err(PyRuntimeError::new_err("the thread of a job ended without a result")),
    }
}

thread_local! {
    /// The time of the last look for signals.
    static LOOKED: Cell<Option<Instant>> = const { Cell::new(None) };
    /// The exception that a signal raised.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Looks for signals, once in [`LOOK`]; true if one raised an exception.
fn is_interrupted() -> bool {
    let now = Instant::now();
    if LOOKED.get().is_some_and(|last| now - last < LOOK) {
        return false;
    }
    LOOKED.set(Some(now));
    match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            RAISED.set(Some(error));
            true
        }
    }
}

/// Runs a job on this thread, since a thread of its own would take as long as the job. It ends at Ctrl-C where it looks.
fn run_here<R: Send>(py: Python<'_>, job: impl FnOnce(Progress<'_>) -> Result<R> + Send) -> PyResult<R> {
    LOOKED.set(None);
    let stop = Stop::if_true(is_interrupted);
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(|| stop.watch(|| threads::run(|| job(&|_| ()))))));
    match (outcome, RAISED.take()) {
        (Ok(result), None) => result.map_err(raised),
        (_, Some(error)) => Err(error),
        (Err(panic), None) => resume_unwind(panic),
    }
}

/// Runs a job that may wait for another program, as for the writer of a pipe. Ctrl-C leaves the job behind on its thread.
pub fn run_apart<R: Send + 'static>(py: Python<'_>, job: impl FnOnce() -> Result<R> + Send + 'static) -> PyResult<R> {
    let stop = Stop::default();
    let (sender, receiver) = sync_channel(1);
    let receiver = Mutex::new(receiver);
    let watched = stop.clone();
    let job = move || {
        // Nobody waits for the result of a job that was left behind.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| watched.watch(|| threads::run(job)))));
    };
    std::thread::Builder::new().spawn(job)?;
    loop {
        match py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK)) {
            Ok(Ok(result)) => return result.map_err(raised),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the thread of a job ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| stop.stop())?,
        }
    }
}

/// What the caller was told.
struct Told<'a, 'py> {
    progress: Option<&'a Bound<'py, PyAny>>,
    done: u64,
    total: u64,
}

impl Told<'_, '_> {
    fn tell(&mut self, done: u64) -> PyResult<()> {
        let Some(progress) = self.progress else { return Ok(()) };
        let py = progress.py();
        // Some jobs do a little more than was foreseen.
        let done = done.min(self.total).max(self.done);
        let more = std::mem::replace(&mut self.done, done);
        match progress.getattr_opt(intern!(py, "update"))? {
            Some(update) => update.call1((done - more,))?,
            None => progress.call1((done, self.total))?,
        };
        Ok(())
    }
}
