//! The nearest strings so far.

use super::cost::ABOVE;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A string of a list, and its distance. The order is that of preference.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Neighbour {
    pub(super) distance: u32,
    /// The string's number in its list.
    pub(super) number: usize,
}

/// The nearest strings so far, the farthest on top.
pub(super) struct Nearest {
    /// Upper bound: farther strings are not kept.
    worst: AtomicU32,
    found: Mutex<BinaryHeap<Neighbour>>,
}

impl Default for Nearest {
    fn default() -> Self {
        Self { worst: AtomicU32::new(ABOVE - 1), found: Mutex::default() }
    }
}

impl Nearest {
    /// Adds strings with these numbers and distances, and keeps the `top` nearest of all.
    pub(super) fn add(&self, columns: &[usize], distances: &[u32], top: usize) {
        if top == 0 {
            return;
        }
        for (&number, &distance) in columns.iter().zip(distances) {
            if distance <= self.worst.load(Ordering::Relaxed) {
                let mut found = locked(&self.found);
                found.push(Neighbour { distance, number });
                if found.len() > top {
                    found.pop();
                }
                if found.len() == top
                    && let Some(worst) = found.peek()
                {
                    self.worst.store(worst.distance, Ordering::Relaxed);
                }
            }
        }
    }

    /// The nearest strings, the nearest first.
    pub(super) fn into_sorted(self) -> Vec<Neighbour> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner).into_sorted_vec()
    }
}

/// Locks a mutex, also after a thread panicked with it: the panic reaches the caller by itself.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
