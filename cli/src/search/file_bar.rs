//! The progress bar of the file that is searched.

use crate::shared::progress::{SYMBOLS, bar, counter};
use indicatif::ProgressBar;
use std::sync::{Mutex, PoisonError};

/// The progress bar of the file that is searched, if the search takes long.
#[derive(Default)]
pub struct FileBar(Mutex<Option<ProgressBar>>);

impl FileBar {
    /// Starts the bar for a search of `units` units, if their number is known. A unit costs `weight` times the usual.
    pub fn begin(&self, units: Option<u64>, weight: u64) {
        let bar = match units {
            Some(units) if units.saturating_mul(weight) < SYMBOLS.least => None,
            Some(units) => Some(bar(units, weight, SYMBOLS)),
            None => Some(counter(SYMBOLS)),
        };
        self.set(bar);
    }

    /// Adds units that are done.
    pub fn add(&self, units: u64) {
        if let Some(bar) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.inc(units);
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.set(None);
    }

    fn set(&self, bar: Option<ProgressBar>) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), bar);
        if let Some(before) = before {
            before.finish_and_clear();
        }
    }
}
