//! Chapter 15: a scan without its second barrier.

use simt_std::prelude::*;

// ANCHOR: one_barrier
/// The states of one block, as in [`scan`](super::kernels::scan), but a thread writes before the
/// others have read. `masks` has the mask of each of the 256 symbols.
#[kernel(threads = 256)]
pub fn scan_with_one_barrier(masks: Global<u32>, m: u32, result: Global<u32>) {
    shared_array!(states: [u32; 256]);
    let t = thread::thread_idx_x();
    let (mut state, mut symbols) = (masks.read(t), 1);
    while symbols < m {
        states.write(t, state);
        // SAFETY: all threads of the block are here, each with the same `symbols`.
        unsafe { thread::sync_threads() };
        let before = if t >= symbols { states.read(t - symbols) } else { u32::MAX };
        state |= before << symbols;
        symbols *= 2;
    }
    result.write(t, state);
}
// ANCHOR_END: one_barrier
