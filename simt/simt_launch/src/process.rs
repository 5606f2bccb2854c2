//! Processes as owners of driver objects: memory and handles of the driver cannot be used in a
//! forked child.

use crate::error::{Error, Result};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};

/// A process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process(u32);

/// Advice in error messages.
const ADVICE: &str =
    "start worker processes by `spawn` or `forkserver` instead of `fork`, or use the GPU in the workers only";

impl Process {
    pub fn current() -> Self {
        Self(std::process::id())
    }

    /// Returns another process than the current one.
    #[cfg(test)]
    pub fn other() -> Self {
        Self(std::process::id() + 1)
    }

    /// Fails if the current process is another one.
    pub fn check(self) -> Result<()> {
        if self == Self::current() {
            return Ok(());
        }
        let reason =
            format!("it was opened before this process was forked, and CUDA does not work after a fork: {ADVICE}");
        Err(Error::Gpu { call: "using the GPU".into(), reason })
    }

    /// Records that this process uses the driver.
    ///
    /// # Errors
    /// [`Error::NoGpu`] if a parent of this process used it before the fork.
    pub fn enter_driver() -> Result<()> {
        static FIRST: AtomicU32 = AtomicU32::new(0);
        let own = std::process::id();
        match FIRST.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
            Err(first) if first != own => Err(Error::NoGpu(format!(
                "the parent process used CUDA before this process was forked, and CUDA does not work after that: {ADVICE}"
            ))),
            _ => Ok(()),
        }
    }
}

/// An object of the driver. It is dropped in its own process, but leaked in a forked child, which
/// must not call the driver.
#[derive(Debug)]
pub(crate) struct Owned<T> {
    value: ManuallyDrop<T>,
    process: Process,
}

impl<T> Owned<T> {
    pub fn new(value: T) -> Self {
        Self { value: ManuallyDrop::new(value), process: Process::current() }
    }
}

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Owned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        if self.process == Process::current() {
            // SAFETY: the value is dropped only here, and is not used afterwards.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn what_another_process_was_given_is_forgotten() {
        let value = Rc::new(());
        drop(Owned::new(value.clone()));
        assert_eq!(Rc::strong_count(&value), 1);
        let other = Process::other();
        let foreign = Owned { value: ManuallyDrop::new(value.clone()), process: other };
        drop(foreign);
        assert_eq!(Rc::strong_count(&value), 2);
        assert!(other.check().unwrap_err().to_string().contains("spawn") && Process::current().check().is_ok());
    }
}
