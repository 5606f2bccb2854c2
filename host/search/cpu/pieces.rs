//! A text in pieces for all cores.

use super::row::{FindMany, FindOne, Progress};
use crate::error::Result;
use crate::infix::End;
use crate::memory;
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Symbols of a piece at least. Its eight segments are then no multiple of 4 KiB apart, so that they do not ask for the
/// same lines of the first-level cache.
const PIECE: usize = 8 * ((64 << 10) + 64);
/// Halos of a piece at least, so that little is computed twice.
const HALOS: usize = 64;

/// Where a symbol in so many is an end, the ends of so many pieces a thread are joined at a time: what they took is then taken again, and
/// not asked for from the system, which may take longer than to find them.
const DENSE: usize = 64;
const GROUP: usize = 4;

/// Searches a piece of the text; told of is the number of its symbols done since the last call.
pub(super) type Search<'s> = &'s (dyn Fn(&[u8], &dyn Fn(u64)) -> Vec<End> + Sync);

/// A pattern that is looked for in pieces of the text.
pub(super) struct InPieces {
    /// m.
    pub m: usize,
    pub k: u32,
    pub finder: Box<dyn FindOne>,
}

impl FindMany for InPieces {
    fn ends(&self, text: &[u8], tell: Progress<'_>) -> Result<Vec<Vec<End>>> {
        let halo = self.m + self.k as usize - 1;
        Ok(vec![ends(text, halo, &|text, tell| self.finder.ends(text, tell), tell)?])
    }

    fn took_over(&self) -> Vec<&'static str> {
        self.finder.took_over()
    }

    fn counts(&self) -> bool {
        self.k == 0 && self.finder.counts()
    }

    fn count(&self, text: &[u8], tell: Progress<'_>) -> Option<u64> {
        self.counts().then(|| count(text, self.m - 1, &|text| self.finder.count(text), tell))
    }
}

/// What is told of the progress in a piece with a halo before it: the halo's symbols were told of with the piece before.
pub(super) struct Share<'p> {
    halo: u64,
    own: u64,
    done: AtomicU64,
    told: AtomicU64,
    progress: &'p (dyn Fn(u64) + Sync),
}

impl<'p> Share<'p> {
    pub fn new(halo: u64, own: u64, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { halo, own, done: AtomicU64::new(0), told: AtomicU64::new(0), progress }
    }

    /// So many more symbols are done, the halo's first.
    pub fn add(&self, symbols: u64) {
        let done = self.done.fetch_add(symbols, Relaxed) + symbols;
        self.tell(done.saturating_sub(self.halo).min(self.own));
    }

    /// All is done.
    pub fn finish(self) {
        self.tell(self.own);
    }

    fn tell(&self, own: u64) {
        let told = self.told.fetch_max(own, Relaxed);
        if own > told {
            (self.progress)(own - told);
        }
    }
}

/// The sum of what `count` counts in pieces of the text, on the current rayon pool: each has the `halo` symbols before it, in which nothing
/// ends. `progress` is told the number of symbols done since its last call.
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

/// The ends that `search` finds in the text. It is given pieces of it, on the current rayon pool, each with the `halo`
/// symbols before it. `progress` is told the number of symbols done since its last call.
///
/// # Errors
/// [`Memory`](crate::Error::Memory) for more ends than there is memory for.
pub(super) fn ends(text: &[u8], halo: usize, search: Search<'_>, progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<End>> {
    let size = PIECE.max(halo.saturating_mul(HALOS));
    let piece = |start: usize| {
        let end = start.saturating_add(size).min(text.len());
        let from = start.saturating_sub(halo);
        let share = Share::new((start - from) as u64, (end - start) as u64, progress);
        let mut found = search(&text[from..end], &|symbols| share.add(symbols));
        // The others belong to the piece before.
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
        // Where there are few ends, or pieces, all the rest.
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
