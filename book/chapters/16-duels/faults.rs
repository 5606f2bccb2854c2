//! Chapter 16: the rounds of duels if both duellists write.

use super::kernels::duel;
use simt_std::prelude::*;

// ANCHOR: both_write
/// [`duel_rounds`](super::kernels::DuelRounds), but both threads of a duel compute its winner and
/// write it.
#[kernel(max_threads = 1024, threads = r)]
pub fn both_duellists_write(
    text: Global<u8>,
    pattern: Global<u8>,
    witnesses: Global<u32>,
    starts: u32,
    r: u32,
    winners: Global<u32>,
) {
    shared_array!(candidates: [u32; 1024]);
    let t = thread::thread_idx_x();
    let first = thread::block_idx_x() * r;
    let mut size = r.min(starts - first);
    if t < size {
        candidates.write(t, first + t);
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    while size > 1 {
        let half = size.div_ceil(2);
        let at = if t < half { t } else { t - half };
        if t < size && at + half < size {
            let winner = duel(text, pattern, witnesses, candidates.read(at), candidates.read(at + half));
            candidates.write(at, winner);
        }
        // SAFETY: all threads of the block are here, each with the same `size`.
        unsafe { thread::sync_threads() };
        size = half;
    }
    if t == 0 {
        winners.write(thread::block_idx_x(), candidates.read(0));
    }
}
// ANCHOR_END: both_write
