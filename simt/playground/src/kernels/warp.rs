//! Positions without gaps: the lanes of a warp vote, and each lane counts the votes of the lanes
//! below its own.

use simt_std::prelude::*;

/// Largest length of the text.
const MOST: usize = 256;

/// Stores the positions of a symbol side by side, and computes the distance from each to the next
/// one. Launch: one block.
#[kernel(threads = WARP)]
pub fn distances_by_ballot(
    /// The text, of n symbols.
    text: Global<u32>,
    /// Length of the text: at most 256.
    n: u32,
    /// The symbol to find.
    symbol: u32,
    /// The positions of the symbol; n words. Version "shared memory" leaves it alone.
    kept: Global<u32>,
    /// The distance from each position of the symbol to the next one.
    distances: Global<u32>,
    /// True: the positions are in shared memory.
    shared: bool,
    /// False: the ballot of all lanes stands in a branch that some lanes do not take.
    outside: bool,
    /// True: the warp waits until all positions are stored.
    waits: bool,
) {
    shared_array!(own: [u32; MOST]);
    let lane = warp::lane_id();
    let mut count = 0;
    for first in (0..n).step_by(32) {
        let i = first + lane;
        let wanted = i < n && text.read(i) == symbol;
        let mut ballot = 0;
        if outside || i < n {
            // SAFETY: all 32 lanes are here; with the fault, some are not.
            ballot = unsafe { warp::warp_vote_ballot(FULL_WARP, wanted) };
        }
        if wanted {
            let index = count + (ballot & warp::lanemask_lt()).count_ones();
            if shared {
                own.write(index, i);
            } else {
                kept.write(index, i);
            }
        }
        count += ballot.count_ones();
    }
    if waits {
        // SAFETY: all 32 lanes are here.
        unsafe { warp::sync_warp(FULL_WARP) };
    }
    let mut k = lane;
    while k + 1 < count {
        let (at, next) = if shared { (own.read(k), own.read(k + 1)) } else { (kept.read(k), kept.read(k + 1)) };
        distances.write(k, next - at);
        k += 32;
    }
}
