//! A text in pieces for all cores.

use crate::engine::ends::End;
use rayon::prelude::*;
use std::cell::Cell;

/// Symbols of a piece at least. Its eight segments are then no multiple of 4 KiB apart, so that they do not ask for the
/// same lines of the first-level cache.
const PIECE: usize = 8 * ((64 << 10) + 64);
/// Halos of a piece at least, so that little is computed twice.
const HALOS: usize = 64;

/// Searches a piece of the text; told of is the number of its symbols done since the last call.
pub(super) type Search<'s> = &'s (dyn Fn(&[u8], &dyn Fn(u64)) -> Vec<End> + Sync);

/// The ends that `search` finds in the text. It is given pieces of it, on the current rayon pool, each with the `halo`
/// symbols before it. `progress` is told the number of symbols done since its last call.
pub(super) fn ends(text: &[u8], halo: usize, search: Search<'_>, progress: &(dyn Fn(u64) + Sync)) -> Vec<End> {
    let size = PIECE.max(halo.saturating_mul(HALOS));
    let piece = |start: usize| {
        let end = start.saturating_add(size).min(text.len());
        let from = start.saturating_sub(halo);
        // Of the halo it was told with the piece before.
        let (before, own) = ((start - from) as u64, (end - start) as u64);
        let (done, told) = (Cell::new(0), Cell::new(0));
        let mut found = search(&text[from..end], &|symbols| {
            done.set(done.get() + symbols);
            let now = done.get().saturating_sub(before).min(own);
            progress(now - told.replace(now));
        });
        // The others belong to the piece before.
        found.retain_mut(|found| {
            found.end += from as u64;
            found.end > start as u64
        });
        progress(own - told.get());
        found
    };
    if text.len() <= size {
        return piece(0);
    }
    let starts: Vec<usize> = (0..text.len()).step_by(size).collect();
    starts.into_par_iter().map(piece).collect::<Vec<_>>().concat()
}
