//! The threads that jobs run on, also in a forked process.
//!
//! A fork copies only the thread that calls it. The workers of every [rayon] pool are gone in the child, and a job that waits for them waits for
//! ever. So each process that came out of a fork gets pools of its own, when it first needs them. The pools of its parent are never dropped there:
//! nobody is left who could end.
//!
//! Whatever is computed once and kept for all threads is kept in a [`OnceBox`] and not behind a lock: another thread might hold the lock
//! when the process is forked.

use once_cell::race::OnceBox;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many forks lie between the process that first used this module and this one.
static GENERATION: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Whether this thread was a worker of a pool when it forked, so that its pool has no other threads.
    static LAST_OF_POOL: Cell<bool> = const { Cell::new(false) };
}

/// The number of forks since the process that first asked. Two calls give the same number only in the same process.
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

    /// What is called at a fork.
    type Handler = Option<extern "C" fn()>;

    unsafe extern "C" {
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> c_int;
    }

    static WATCHED: AtomicBool = AtomicBool::new(false);

    /// Has forks counted from now on.
    #[inline]
    pub fn watch() {
        if !WATCHED.load(Ordering::Relaxed) {
            begin();
        }
    }

    #[cold]
    fn begin() {
        if !WATCHED.swap(true, Ordering::Relaxed) {
            // SAFETY: the handler only writes an atomic and a variable of its thread, which a child may do between fork and exec.
            unsafe { pthread_atfork(None, None, Some(forked)) };
        }
    }

    extern "C" fn forked() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
        LAST_OF_POOL.set(rayon::current_thread_index().is_some());
    }
}

/// Runs a job that may use [rayon]: on the pool that it is called from, else on the global one. In a forked process, where the global one has no threads,
/// it runs on a pool of that process.
#[inline]
pub fn run<R: Send>(job: impl FnOnce() -> R + Send) -> R {
    match generation() {
        0 => job(),
        generation => in_child(generation, job),
    }
}

#[cold]
fn in_child<R: Send>(generation: u64, job: impl FnOnce() -> R + Send) -> R {
    static POOL: Pool = Pool { threads: 0, first: OnceBox::new() };
    if rayon::current_thread_index().is_some() && !LAST_OF_POOL.get() {
        return job();
    }
    match POOL.of(generation) {
        Ok(pool) => pool.install(job),
        // The system starts no threads: this one works alone.
        Err(_) => match ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
            Ok(alone) => {
                let result = alone.install(job);
                std::mem::forget(alone);
                result
            }
            Err(_) => job(),
        },
    }
}

/// As many threads as were chosen, in each process that uses them.
pub(crate) struct Pool {
    /// 0: one thread a core, or as many as the environment says.
    threads: usize,
    first: OnceBox<Made>,
}

/// A pool of one process, and those of its children.
struct Made {
    generation: u64,
    /// Always there, until it is dropped.
    pool: Option<ThreadPool>,
    next: OnceBox<Made>,
}

/// A pool that cannot be made.
type Failed = rayon::ThreadPoolBuildError;

impl Pool {
    /// Starts so many threads.
    pub(crate) fn new(threads: usize) -> Result<Self, Failed> {
        let pool = Self { threads, first: OnceBox::new() };
        pool.of(generation())?;
        Ok(pool)
    }

    /// Runs a job on these threads.
    pub(crate) fn run<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        match self.of(generation()) {
            Ok(pool) => pool.install(job),
            Err(_) => run(job),
        }
    }

    /// The pool of the process of this generation.
    fn of(&self, generation: u64) -> Result<&ThreadPool, Failed> {
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
            // Its threads are those of another process.
            std::mem::forget(self.pool.take());
        }
    }
}
