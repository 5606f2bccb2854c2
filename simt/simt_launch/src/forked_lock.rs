//! A lock for processes that may be forked: it detects that a thread of the parent process holds
//! it.

use crate::error::{Error, Result};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Generous upper bound on the time from taking the lock to recording the process.
const NOTED: Duration = Duration::from_secs(1);

/// A mutex that records which process took it last. If a thread of the parent holds it during a
/// fork, no thread of the child ever unlocks it.
#[derive(Debug)]
pub(crate) struct ForkedLock<T> {
    value: Mutex<T>,
    /// Number of the process that took the lock last; 0 before.
    holder: AtomicU32,
}

impl<T> ForkedLock<T> {
    pub fn new(value: T) -> Self {
        Self { value: Mutex::new(value), holder: AtomicU32::new(0) }
    }

    /// Waits for the lock. A panic while the lock was held is ignored.
    ///
    /// # Errors
    /// [`Error::Gpu`] if a thread of the parent process held it during the fork.
    pub fn lock(&self) -> Result<MutexGuard<'_, T>> {
        let own = std::process::id();
        let guard = match self.value.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let started = Instant::now();
                while self.holder.load(Ordering::Relaxed) != own {
                    if started.elapsed() > NOTED {
                        let reason = "another thread used it while this process was forked: make one in this process";
                        return Err(Error::Gpu { call: "using the simulated GPU".into(), reason: reason.into() });
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                self.value.lock().unwrap_or_else(PoisonError::into_inner)
            }
        };
        self.holder.store(own, Ordering::Relaxed);
        Ok(guard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_of_the_parent_is_an_error_and_one_of_this_process_is_waited_for() {
        let lock = ForkedLock::new(1);
        *lock.lock().unwrap() += 1;
        let held = lock.lock().unwrap();
        // Simulates the child of another process.
        lock.holder.store(std::process::id() + 1, Ordering::Relaxed);
        assert!(lock.lock().unwrap_err().to_string().contains("forked"));
        lock.holder.store(std::process::id(), Ordering::Relaxed);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| *lock.lock().unwrap());
            std::thread::sleep(Duration::from_millis(20));
            drop(held);
            assert_eq!(waits.join().unwrap(), 2);
        });
    }
}
