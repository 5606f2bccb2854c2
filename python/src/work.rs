//! Long work: without the interpreter's lock, so that other threads of Python run; with progress; and ended by Ctrl-C.
//!
//! The library tells how far it is from time to time, on any thread. That is where a job ends early: it unwinds, as it would from a panic, up
//! to the thread that it was begun on. The thread that Python called from meanwhile looks every 50 ms whether there is a signal.

use crate::errors::raised;
use carrywave::{Result, threads};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Told how much was done since its last call.
pub type Progress<'p> = &'p (dyn Fn(u64) + Sync);

/// Cells, or symbols of a search, of work that takes less time than to let go of the interpreter's lock.
const TINY: u64 = 1 << 15;

/// Those of work that takes less time than a user would notice.
const SHORT: u64 = 1 << 26;

/// How often it is looked for signals.
const LOOK: Duration = Duration::from_millis(50);

/// What a job that was stopped unwinds with.
struct Stopped;

/// Runs a job of so much work, in cells or symbols. `progress` is called with what was done so far and the total; or, if it has a method
/// `update`, as the bars of tqdm do, that is, with what was done since the last call.
pub fn run<R: Send>(
    py: Python<'_>,
    total: u64,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(Progress<'_>) -> Result<R> + Send,
) -> PyResult<R> {
    let progress = progress.filter(|progress| !progress.is_none());
    if progress.is_none() {
        if total < TINY {
            return threads::run(|| job(&|_| ())).map_err(raised);
        }
        if total < SHORT {
            return py.detach(|| threads::run(|| job(&|_| ()))).map_err(raised);
        }
    }
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let on_progress = |more: u64| {
        done.fetch_add(more, Ordering::Relaxed);
        if stop.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    };
    let mut told = Told { progress, done: 0, total };
    let (sender, receiver) = sync_channel(1);
    let receiver = Mutex::new(receiver);
    let mut failed = None;
    let outcome = std::thread::scope(|scope| {
        let job = || threads::run(|| job(&on_progress));
        scope.spawn(|| sender.send(catch_unwind(AssertUnwindSafe(job))));
        loop {
            match py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK)) {
                Ok(outcome) => return Some(outcome),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if failed.is_none() => {
                    let looked = py.check_signals().and_then(|()| told.tell(done.load(Ordering::Relaxed)));
                    failed = looked.err();
                    stop.store(failed.is_some(), Ordering::Relaxed);
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
