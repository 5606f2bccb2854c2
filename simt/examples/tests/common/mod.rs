//! The collectives as safe functions, and runs of a kernel on one array, for tests that run only on
//! the simulator.
#![allow(dead_code, reason = "each test takes what it needs")]

use simt_std::prelude::*;
use simt_std::simulator::{Fault, Simulator};
use simt_std::warp::WarpShuffleValue;

/// Calls a collective. On the simulator, a broken rule is a fault and not undefined behaviour.
macro_rules! simulated {
    ($($name:ident($($argument:ident: $t:ty),*) $(-> $result:ty)?, $call:path;)*) => {$(
        #[track_caller]
        pub fn $name($($argument: $t),*) $(-> $result)? {
            // SAFETY: the simulator checks the rules of the collective.
            unsafe { $call($($argument),*) }
        }
    )*};
}

simulated! {
    barrier(), thread::sync_threads;
    barrier_count(predicate: bool) -> u32, thread::sync_threads_count;
    sync_warp(mask: u32), warp::sync_warp;
    ballot(mask: u32, predicate: bool) -> u32, warp::warp_vote_ballot;
    any(mask: u32, predicate: bool) -> bool, warp::warp_vote_any;
    all(mask: u32, predicate: bool) -> bool, warp::warp_vote_all;
    match_any(mask: u32, value: u32) -> u32, warp::warp_match_any;
}

/// Returns the value of the lane `delta` above, or the own value if there is no such lane.
#[track_caller]
pub fn shuffle_down<T: WarpShuffleValue>(mask: u32, value: T, delta: u32, width: u32) -> T {
    // SAFETY: the simulator checks the rules of the collective.
    unsafe { warp::warp_shuffle_down(mask, value, delta, width).0 }
}

/// Returns the value of the lane `delta` below, or `None` if there is no such lane.
#[track_caller]
pub fn shuffle_up<T: WarpShuffleValue>(mask: u32, value: T, delta: u32, width: u32) -> Option<T> {
    // SAFETY: the simulator checks the rules of the collective.
    let (below, inside) = unsafe { warp::warp_shuffle_up(mask, value, delta, width) };
    inside.then_some(below)
}

/// Returns the value of a lane.
#[track_caller]
pub fn shuffle<T: WarpShuffleValue>(mask: u32, value: T, lane: u32) -> T {
    // SAFETY: the simulator checks the rules of the collective.
    unsafe { warp::warp_shuffle_idx(mask, value, lane, WARP).0 }
}

/// Returns the value of the lane whose number differs in the bits of `bits`.
#[track_caller]
pub fn shuffle_xor<T: WarpShuffleValue>(mask: u32, value: T, bits: u32) -> T {
    // SAFETY: the simulator checks the rules of the collective.
    unsafe { warp::warp_shuffle_xor(mask, value, bits, WARP).0 }
}

/// Runs a kernel on an array `data` of these words, and returns the words after it.
#[track_caller]
pub fn run<K: Kernel>(
    gpu: &mut Simulator,
    blocks: u32,
    words: &[u32],
    kernel: impl FnOnce(Global<u32>) -> K,
) -> Result<Vec<u32>, Fault> {
    let data = gpu.alloc_from(words, "data");
    gpu.launch_kernel(blocks, kernel(data.handle()))?;
    gpu.download(&data, words.len())
}
