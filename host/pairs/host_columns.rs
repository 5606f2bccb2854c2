//! Two columns of strings in the host's memory: bytes and offsets, as in Arrow.

use crate::error::Result;
use crate::memory;
use rayon::prelude::*;
use std::ops::Range;

/// The symbols of a column, one string after another.
pub trait ColumnBytes: Sync {
    /// Copies the bytes from `start` on.
    fn copy(&self, start: usize, to: &mut [u8]);

    /// Returns a copy of some bytes, made by all threads.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if there is no memory for it.
    fn copied(&self, range: Range<usize>) -> Result<Vec<u8>> {
        let mut copy = memory::filled(range.len(), 0, "the symbols of a column")?;
        let parts = copy.par_chunks_mut(COPIED).zip(range.into_par_iter().step_by(COPIED));
        parts.for_each(|(to, start)| self.copy(start, to));
        Ok(copy)
    }
}

/// Number of bytes that a thread copies at a time.
const COPIED: usize = 1 << 20;

impl ColumnBytes for Vec<u8> {
    fn copy(&self, start: usize, to: &mut [u8]) {
        to.copy_from_slice(&self[start..][..to.len()]);
    }
}

/// Two columns of equally many strings.
#[derive(Clone, Copy)]
pub struct HostColumns<'c> {
    /// The symbols of each column.
    pub symbols: [&'c dyn ColumnBytes; 2],
    /// The place of each string in its column's symbols, and the end of the last one.
    pub offsets: [&'c [u64]; 2],
    /// True for pairs that are not compared; empty if all are.
    pub missing: &'c [bool],
}
