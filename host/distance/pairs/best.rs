//! The nearest strings so far.

use super::{ABOVE, locked};
use std::collections::BinaryHeap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// The nearest strings so far, the farthest on top.
pub(super) struct Best {
    /// Upper bound: farther strings are not kept.
    worst: AtomicU32,
    found: Mutex<BinaryHeap<(u32, usize)>>,
}

impl Default for Best {
    fn default() -> Self {
        Self { worst: AtomicU32::new(ABOVE - 1), found: Mutex::default() }
    }
}

impl Best {
    /// Adds strings with these numbers and distances, and keeps the `top` nearest of all.
    pub(super) fn add(&self, columns: &[usize], distances: &[u32], top: usize) {
        if top == 0 {
            return;
        }
        for (&column, &distance) in columns.iter().zip(distances) {
            if distance <= self.worst.load(Ordering::Relaxed) {
                let mut found = locked(&self.found);
                found.push((distance, column));
                if found.len() > top {
                    found.pop();
                }
                if found.len() == top
                    && let Some((worst, _)) = found.peek()
                {
                    self.worst.store(*worst, Ordering::Relaxed);
                }
            }
        }
    }

    /// The distances and numbers of the nearest strings, the nearest first.
    pub(super) fn into_sorted(self) -> Vec<(u32, usize)> {
        self.found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_sorted_vec()
    }
}
