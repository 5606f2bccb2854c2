//! The threads that jobs run on, also in a forked process.
//!
//! A fork copies only the thread that calls it. The workers of every [rayon] pool do not exist in
//! the child, and a job that waits for them never ends. So each forked process gets pools of its
//! own when it first needs them. The child never drops the pools of its parent, whose threads
//! cannot end.
//!
//! A job can be stopped from another thread: [`Stop`]. Loops that take long and report no progress
//! call [`check`].
//!
//! Values that are computed once are kept in a [`OnceBox`] and not behind a lock, because another
//! thread might hold the lock when the process forks.

#[cfg(feature = "io")]
pub mod crew;

use once_cell::race::OnceBox;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Number of forks between the process that first used this module and this process.
static GENERATION: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// True if this thread was a worker of a pool when it forked: its pool has no other threads.
    static LAST_OF_POOL: Cell<bool> = const { Cell::new(false) };
    /// Stop of the job that this thread runs.
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// Ends a job early. The job unwinds with [`Stopped`], as it would from a panic, up to the caller
/// that catches it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_stopped: AtomicBool,
    /// Function that [`check`] calls; it returns true to end the job.
    ends: Option<fn() -> bool>,
}

/// Panic payload of a stopped job.
#[derive(Debug)]
pub struct Stopped;

impl Stop {
    /// Creates a stop for a job that checks itself whether to end: each [`check`] of its own thread
    /// calls `ends`.
    pub fn if_true(ends: fn() -> bool) -> Self {
        Self(Arc::new(State { is_stopped: AtomicBool::new(false), ends: Some(ends) }))
    }

    /// Runs a job that this stop can end.
    pub fn watch<R>(&self, job: impl FnOnce() -> R) -> R {
        watched(Some(self.clone()), job)
    }

    /// Ends the job at its next check.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Unwinds if the job is to end.
    #[inline]
    pub fn check(&self) {
        if self.0.is_stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }
}

/// Runs a job under a stop, if there is one.
fn watched<R>(stop: Option<Stop>, job: impl FnOnce() -> R) -> R {
    struct Restore(Option<Stop>);
    impl Drop for Restore {
        fn drop(&mut self) {
            STOP.set(self.0.take());
        }
    }
    let _restore = Restore(STOP.replace(stop));
    job()
}

/// Unwinds if the job that this thread runs is to end. Takes a few nanoseconds.
pub fn check() {
    // The borrow ends before `ends` is called, because it may run anything.
    let ends = STOP.with_borrow(|stop| {
        let stop = stop.as_ref()?;
        stop.check();
        stop.0.ends
    });
    if ends.is_some_and(|ends| ends()) {
        resume_unwind(Box::new(Stopped));
    }
}

/// Returns the stop of the job that this thread runs, for its loops on other threads. If there is
/// none, returns a stop that nobody uses.
pub fn stop() -> Stop {
    STOP.with_borrow(|stop| stop.clone().unwrap_or_default())
}

/// Number of items that a loop processes between two checks, if each takes a few nanoseconds.
pub(crate) const CHECK: usize = 1 << 18;

/// Returns consecutive parts of a slice, of these lengths, so that each thread can write its own.
pub(crate) fn parts_mut<T>(
    slice: &mut [T],
    lengths: impl IntoIterator<Item = usize>,
) -> impl Iterator<Item = &mut [T]> {
    let mut rest = slice;
    lengths.into_iter().map(move |length| {
        let (part, after) = std::mem::take(&mut rest).split_at_mut(length);
        rest = after;
        part
    })
}

/// Returns the number of forks since the process that called this first. Two calls return the same
/// number only in the same process.
#[inline]
pub fn generation() -> u64 {
    #[cfg(unix)]
    unix::watch();
    GENERATION.load(Ordering::Relaxed)
}

#[cfg(unix)]
mod unix {
    use super::{GENERATION, LAST_OF_POOL};
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A function that a fork calls.
    type Handler = Option<extern "C" fn()>;

    unsafe extern "C" {
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> c_int;
    }

    static WATCHED: AtomicBool = AtomicBool::new(false);

    /// Watches forks from the start of the program, before `main`: another user of rayon may start
    /// its global pool before this crate is called.
    // SAFETY: the section lists functions without arguments that the loader calls once. This
    // function only calls `pthread_atfork`.
    #[used]
    #[cfg_attr(
        any(target_os = "linux", target_os = "android", target_os = "freebsd"),
        unsafe(link_section = ".init_array")
    )]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    static AT_START: extern "C" fn() = at_start;

    extern "C" fn at_start() {
        begin();
    }

    /// Starts counting forks, if the program's start did not.
    #[inline]
    pub fn watch() {
        if !WATCHED.load(Ordering::Relaxed) {
            begin();
        }
    }

    #[cold]
    fn begin() {
        if !WATCHED.swap(true, Ordering::Relaxed) {
            // SAFETY: the handler only writes an atomic and a variable of its thread, which a child
            // may do between fork and exec.
            unsafe { pthread_atfork(None, None, Some(forked)) };
        }
    }

    extern "C" fn forked() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
        LAST_OF_POOL.set(rayon::current_thread_index().is_some());
    }
}

/// A job without a result. [`erased`] turns every job into one, so that what rayon needs to move a
/// job to a pool is compiled once, not for each job.
type Erased<'j> = &'j mut (dyn FnMut() + Send);

/// Runs a job that may use [rayon], on the pool that it is called from, or else on the global pool.
/// In a forked process, whose global pool has no threads, it runs on a pool of that process.
#[inline]
pub fn run<R: Send>(job: impl FnOnce() -> R + Send) -> R {
    match generation() {
        0 => job(),
        generation => erased(job, |job| in_child(generation, job)),
    }
}

/// Passes a job to `run`, which must call it once, and returns its result.
fn erased<R: Send>(job: impl FnOnce() -> R + Send, run: impl FnOnce(Erased<'_>)) -> R {
    let mut job = Some(job);
    let mut result = None;
    run(&mut || result = job.take().map(|job| job()));
    result.expect("`run` calls the job")
}

#[cold]
fn in_child(generation: u64, job: Erased<'_>) {
    static POOL: Pool = Pool { threads: 0, first: OnceBox::new() };
    if rayon::current_thread_index().is_some() && !LAST_OF_POOL.get() {
        return job();
    }
    match POOL.for_generation(generation) {
        Ok(pool) => installed(pool, job),
        // The system starts no threads, so this thread works alone.
        Err(_) => match ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
            Ok(alone) => {
                alone.install(job);
                std::mem::forget(alone);
            }
            Err(_) => job(),
        },
    }
}

/// Runs a job on a pool. The stop of this thread's job applies there too.
fn installed(pool: &ThreadPool, job: Erased<'_>) {
    let stop = STOP.with_borrow(Clone::clone);
    pool.install(|| watched(stop, job));
}

/// A chosen number of threads, in each process that uses them.
pub(crate) struct Pool {
    /// Number of threads; 0 for one per core, or the number that the environment sets.
    threads: usize,
    first: OnceBox<Made>,
}

/// A pool of one process, and the pools of its children.
struct Made {
    generation: u64,
    /// `Some` until the value is dropped.
    pool: Option<ThreadPool>,
    next: OnceBox<Made>,
}

/// Error of a pool that cannot be started.
type Failed = rayon::ThreadPoolBuildError;

impl Pool {
    /// Starts the threads.
    pub(crate) fn new(threads: usize) -> Result<Self, Failed> {
        let pool = Self { threads, first: OnceBox::new() };
        pool.for_generation(generation())?;
        Ok(pool)
    }

    /// Runs a job on these threads.
    pub(crate) fn run<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        match self.for_generation(generation()) {
            Ok(pool) => erased(job, |job| installed(pool, job)),
            Err(_) => run(job),
        }
    }

    /// Returns the pool of the process of this generation.
    fn for_generation(&self, generation: u64) -> Result<&ThreadPool, Failed> {
        let mut slot = &self.first;
        loop {
            let made = slot.get_or_try_init(|| {
                let pool = Some(ThreadPoolBuilder::new().num_threads(self.threads).build()?);
                Ok(Box::new(Made { generation, pool, next: OnceBox::new() }))
            })?;
            match &made.pool {
                Some(pool) if made.generation == generation => return Ok(pool),
                _ => slot = &made.next,
            }
        }
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads).finish()
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if self.generation != generation() {
            // The threads belong to another process.
            std::mem::forget(self.pool.take());
        }
    }
}
