//! Tiles of a table as a wavefront on all threads of the pool.
//!
//! ```text
//!            blocks of columns
//!           +----+----+----+----+
//!   bands   | 0  | 1  | 2  | 3  |      A tile needs the tile to its left and the tile above it, so
//!   of rows +----+----+----+----+      tiles with the same number can run at the same time. A tile
//!           | 1  | 2  | 3  | 4  |      does not wait for all tiles of the number before: the later
//!           +----+----+----+----+      of its two neighbours starts it.
//! ```

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The tiles of a table and the work that is left. A band is the state that passes from tile to
/// tile along its rows (the vector at a tile's left edge). A block is the state that passes down
/// its columns (the carries at a tile's upper edge).
struct Wave<B, C, F> {
    /// The order of the tiles ensures exclusive access. The locks only prove it to the compiler: no
    /// thread waits for them.
    bands: Vec<Mutex<B>>,
    blocks: Vec<Mutex<C>>,
    /// Number of neighbours to the left and above that are not done, for each tile, band by band.
    waits: Vec<AtomicU8>,
    tile: F,
}

/// Runs `tile` on every band and block, each after the tiles to its left and above, on the current
/// rayon pool.
pub(crate) fn run<B: Send, C: Send>(
    bands: impl IntoIterator<Item = B>,
    blocks: impl IntoIterator<Item = C>,
    tile: impl Fn(&mut B, &mut C) + Sync,
) {
    let bands: Vec<_> = bands.into_iter().map(Mutex::new).collect();
    let blocks: Vec<_> = blocks.into_iter().map(Mutex::new).collect();
    if bands.is_empty() || blocks.is_empty() {
        return;
    }
    let waits = (0..bands.len())
        .flat_map(|band| (0..blocks.len()).map(move |block| u8::from(band > 0) + u8::from(block > 0)))
        .map(AtomicU8::new)
        .collect();
    let wave = Wave { bands, blocks, waits, tile };
    rayon::scope(|scope| wave.run_from(scope, 0, 0));
}

impl<B: Send, C: Send, F: Fn(&mut B, &mut C) + Sync> Wave<B, C, F> {
    /// Runs a tile, then a tile that it made ready, and so on; a second tile that became ready goes
    /// to the pool.
    fn run_from<'s>(&'s self, scope: &rayon::Scope<'s>, mut band: usize, mut block: usize) {
        loop {
            (self.tile)(&mut lock(&self.bands[band]), &mut lock(&self.blocks[block]));
            let right = self.release(band, block + 1);
            let down = self.release(band + 1, block);
            match (right, down) {
                (true, true) => {
                    scope.spawn(move |scope| self.run_from(scope, band + 1, block));
                    block += 1;
                }
                (true, false) => block += 1,
                (false, true) => band += 1,
                (false, false) => return,
            }
        }
    }

    /// Records that one neighbour of a tile is done. Returns true if the tile exists and waits for
    /// no other.
    fn release(&self, band: usize, block: usize) -> bool {
        band < self.bands.len()
            && block < self.blocks.len()
            && self.waits[band * self.blocks.len() + block].fetch_sub(1, Ordering::AcqRel) == 1
    }
}

/// Locks a mutex, also after a panic. A thread that panicked (in `tile`) leaves tiles undone, never
/// a result, so the state that it locked does not matter.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_after_its_left_and_upper_neighbours() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for (bands, blocks) in [(0, 3), (3, 0), (1, 1), (1, 9), (9, 1), (7, 5), (40, 50)] {
            let (mut left, mut above) = (vec![0; bands], vec![0; blocks]);
            let tile = |(band, left): &mut (usize, &mut usize), (block, above): &mut (usize, &mut usize)| {
                assert_eq!((**left, **above), (*block, *band));
                **left += 1;
                **above += 1;
            };
            pool.install(|| run(left.iter_mut().enumerate(), above.iter_mut().enumerate(), tile));
            assert_eq!((left, above), (vec![blocks; bands], vec![bands; blocks]));
        }
    }
}
