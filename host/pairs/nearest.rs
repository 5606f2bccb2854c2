//! The nearest strings of one list to each string of another.

use super::comparison::Pairs;
use super::cost::ABOVE;
use super::near::Near;
use super::rows::Blocks;
use super::strings::PairString;
use crate::error::Result;
use crate::memory;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

impl Pairs<'_> {
    /// Returns, for each string of `a` in order, the `top` nearest of `b`: the nearest first, and
    /// in the order of the list among equal distances.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let near = Pairs::new().nearest(&["wave"], &["carry", "waves", "ware"], 2)?;
    /// let found: Vec<_> = near[0].iter().map(|near| (near.b, near.distance)).collect();
    /// assert_eq!(found, [(1, 1), (2, 1)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`listed`](Self::listed).
    pub fn nearest<A, B>(&self, a: &[A], b: &[B], top: usize) -> Result<Vec<Vec<Near>>>
    where
        A: PairString,
        B: PairString,
    {
        memory::check::<Near>(a.len().saturating_mul(top.min(b.len())), "the nearest strings")?;
        let mut all = Vec::with_capacity(a.len());
        self.each_nearest(a, b, top, |near| {
            all.push(near.to_vec());
            Ok(())
        })?;
        Ok(all)
    }

    /// Like [`nearest`](Self::nearest), as in its [example](Self::nearest), one string after the
    /// other: calls `each` once for each string of `a`, in order.
    ///
    /// # Errors
    /// Errors of [`listed`](Self::listed), and errors of `each`, which end the job.
    pub fn each_nearest<A, B>(
        &self,
        a: &[A],
        b: &[B],
        top: usize,
        mut each: impl FnMut(&[Near]) -> Result<()> + Send,
    ) -> Result<()>
    where
        A: PairString,
        B: PairString,
    {
        self.on_lists(a, b, |engine, a, b| {
            let mut blocks = Blocks::new(a.len(), top.min(b.len()));
            while let Some(block) = blocks.next() {
                let first = block.start;
                let rows = &a[block];
                let nearest: Vec<Nearest> = rows.iter().map(|_| Nearest::default()).collect();
                engine.tile(rows, b, &|row, columns, distances| {
                    let takes =
                        |b_number: usize, distance| engine.takes(distance, || [rows[row].len(), b[b_number].len()]);
                    nearest[row].add(columns, distances, top, takes);
                })?;
                for (row, nearest) in nearest.into_iter().enumerate() {
                    let near = |found: Neighbour| Near { a: first + row, b: found.number, distance: found.distance };
                    let near: Vec<Near> = nearest.into_sorted().into_iter().map(near).collect();
                    each(&near)?;
                }
            }
            Ok(())
        })
    }
}

/// A string of a list, and its distance. Lesser values are preferred.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Neighbour {
    distance: u32,
    /// Number of the string in its list.
    number: usize,
}

/// Nearest strings so far, the farthest on top.
struct Nearest {
    /// Upper bound on the distance: farther strings are dropped.
    worst: AtomicU32,
    found: Mutex<BinaryHeap<Neighbour>>,
}

impl Default for Nearest {
    fn default() -> Self {
        Self { worst: AtomicU32::new(ABOVE - 1), found: Mutex::default() }
    }
}

impl Nearest {
    /// Adds the strings with these numbers and distances that `takes` accepts, and keeps the `top`
    /// nearest of all.
    fn add(&self, columns: &[usize], distances: &[u32], top: usize, takes: impl Fn(usize, u32) -> bool) {
        if top == 0 {
            return;
        }
        for (&number, &distance) in columns.iter().zip(distances) {
            if distance <= self.worst.load(Ordering::Relaxed) && takes(number, distance) {
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

    /// Returns the nearest strings, the nearest first.
    fn into_sorted(self) -> Vec<Neighbour> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner).into_sorted_vec()
    }
}

/// Locks a mutex, even if a thread panicked while it held the lock: the panic itself reaches the
/// caller.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
