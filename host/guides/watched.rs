//! A text in parts. Some of its symbols are kept while it is read.

use super::variants::windows::Windows;
use crate::error::Result;
use crate::text::parts::{Part, Parts};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A text in parts, and what is kept of it.
#[derive(Debug)]
pub(super) struct Watched<P> {
    pub parts: P,
    /// The bases around variants, if there are any.
    pub windows: Option<Arc<Mutex<Windows>>>,
}

impl<P: Parts> Parts for Watched<P> {
    fn next_part(&mut self) -> Result<Option<Part>> {
        let part = self.parts.next_part()?;
        if let (Some(part), Some(windows)) = (&part, &self.windows) {
            locked(windows).read(part)?;
        }
        Ok(part)
    }

    fn recycle(&mut self, symbols: Vec<u8>) {
        self.parts.recycle(symbols);
    }
}

/// Returns what is kept. A thread that panics with it ends the search.
pub(super) fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
