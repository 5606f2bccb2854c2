//! Splits a text into pieces, which all cores search.

use super::row::{FindMany, FindOne};
use crate::error::Result;
use crate::infix::End;
use crate::job::Progress;
use crate::memory;
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Least number of symbols of a piece. Its eight segments are then no multiple of 4 KiB apart, so
/// they do not compete for the same lines of the first-level cache.
const PIECE: usize = 8 * ((64 << 10) + 64);
/// Least length of a piece, in halos, so that little is computed twice.
const HALOS: usize = 64;

/// If more than one symbol in `DENSE` is an end, pieces are searched in groups of `GROUP` pieces
/// per thread, and the ends of a group are joined before the next one. The next group then reuses
/// the memory of the ends; new memory from the operating system may take longer than the search.
const DENSE: usize = 64;
const GROUP: usize = 4;

/// Searches a piece of the text. Calls the second argument with the number of symbols searched
/// since its last call.
pub(super) type Search<'s> = &'s (dyn Fn(&[u8], &dyn Fn(u64)) -> Vec<End> + Sync);

/// A pattern that is searched for in pieces of the text.
pub(super) struct InPieces {
    /// m.
    pub m: usize,
    pub k: u32,
    pub finder: Box<dyn FindOne>,
}

impl FindMany for InPieces {
    fn ends(&self, text: &[u8], on_progress: Progress<'_>) -> Result<Vec<Vec<End>>> {
        let halo = self.m + self.k as usize - 1;
        Ok(vec![ends(text, halo, &|text, on_progress| self.finder.ends(text, on_progress), on_progress)?])
    }

    fn fallbacks_used(&self) -> Vec<&'static str> {
        self.finder.fallbacks_used()
    }

    fn counts(&self) -> bool {
        self.k == 0 && self.finder.counts()
    }

    fn count(&self, text: &[u8], on_progress: Progress<'_>) -> Option<u64> {
        self.counts().then(|| count(text, self.m - 1, &|text| self.finder.count(text), on_progress))
    }
}

/// The progress in a piece with a halo before it. The halo's symbols are reported with the piece
/// before.
pub(super) struct Share<'p> {
    halo: u64,
    own: u64,
    done: AtomicU64,
    reported: AtomicU64,
    progress: &'p (dyn Fn(u64) + Sync),
}

impl<'p> Share<'p> {
    pub fn new(halo: u64, own: u64, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { halo, own, done: AtomicU64::new(0), reported: AtomicU64::new(0), progress }
    }

    /// Adds `symbols` searched symbols, the halo's first.
    pub fn add(&self, symbols: u64) {
        let done = self.done.fetch_add(symbols, Relaxed) + symbols;
        self.report(done.saturating_sub(self.halo).min(self.own));
    }

    /// Reports the piece as finished.
    pub fn finish(self) {
        self.report(self.own);
    }

    fn report(&self, own: u64) {
        let reported = self.reported.fetch_max(own, Relaxed);
        if own > reported {
            (self.progress)(own - reported);
        }
    }
}

/// Sums what `count` counts in pieces of the text, on the current rayon pool. Each piece has the
/// `halo` symbols before it; `count` finds no end in them. Calls `progress` with the number of
/// symbols searched since its last call.
pub(super) fn count(
    text: &[u8],
    halo: usize,
    count: &(dyn Fn(&[u8]) -> u64 + Sync),
    progress: &(dyn Fn(u64) + Sync),
) -> u64 {
    let size = PIECE.max(halo.saturating_mul(HALOS));
    let starts: Vec<usize> = (0..text.len()).step_by(size).collect();
    let piece = |start: usize| {
        let end = start.saturating_add(size).min(text.len());
        let counted = count(&text[start.saturating_sub(halo)..end]);
        progress((end - start) as u64);
        counted
    };
    starts.into_par_iter().map(piece).sum()
}

/// Returns the ends that `search` finds in pieces of the text, on the current rayon pool. Each
/// piece has the `halo` symbols before it. Calls `progress` with the number of symbols searched
/// since its last call.
///
/// # Errors
/// [`Memory`](crate::Error::Memory) if the ends do not fit in memory.
pub(super) fn ends(text: &[u8], halo: usize, search: Search<'_>, progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<End>> {
    let size = PIECE.max(halo.saturating_mul(HALOS));
    let piece = |start: usize| {
        let end = start.saturating_add(size).min(text.len());
        let from = start.saturating_sub(halo);
        let share = Share::new((start - from) as u64, (end - start) as u64, progress);
        let mut found = search(&text[from..end], &|symbols| share.add(symbols));
        // Ends in the halo belong to the piece before.
        found.retain_mut(|found| {
            found.end += from as u64;
            found.end > start as u64
        });
        share.finish();
        found
    };
    if text.len() <= size {
        return Ok(piece(0));
    }
    let starts: Vec<usize> = (0..text.len()).step_by(size).collect();
    let some = GROUP * rayon::current_num_threads();
    let (mut ends, mut rest) = (Vec::new(), &starts[..]);
    while let Some(&first) = rest.first() {
        // If ends or pieces are few, the rest is one group.
        let is_dense = first == 0 || ends.len() > first / DENSE;
        let count = if is_dense && starts.len() > 2 * some { some.min(rest.len()) } else { rest.len() };
        let (next, later) = rest.split_at(count);
        rest = later;
        let mut all: Vec<Vec<End>> = next.par_iter().map(|&start| piece(start)).collect();
        if ends.is_empty() {
            ends = all.first_mut().map(std::mem::take).unwrap_or_default();
        }
        memory::reserve(&mut ends, all.iter().map(Vec::len).sum(), "the ends of occurrences")?;
        all.into_iter().for_each(|some| ends.extend(some));
    }
    Ok(ends)
}
