//! Faults inside a warp: masks, lanes and widths of collectives.

use crate::common::{ballot, run, shuffle, shuffle_down};
use crate::fault::{Found, Group, Planted, planted};
use simt_std::prelude::*;
use simt_std::warp::{WarpReductionOp, lane_id};

#[kernel(threads = 32)]
fn full_mask_in_branch(data: Global<u32>) {
    let lane = lane_id();
    if lane < 20 {
        let votes = ballot(FULL_WARP, lane & 1 == 0); // fault: full_mask_in_branch
        data.write(lane as usize, votes);
    }
}

#[kernel(threads = 32)]
fn return_before_shuffle(data: Global<u32>, n: u32) {
    let lane = lane_id();
    if lane >= n {
        return;
    }
    let sum = lane + shuffle_down(FULL_WARP, lane, 1, WARP); // fault: return_before_shuffle
    data.write(lane as usize, sum);
}

#[kernel(threads = 32)]
fn shuffle_outside_mask(data: Global<u32>) {
    let lane = lane_id();
    if lane < 8 {
        data.write(lane as usize, shuffle_down(0xff, lane, 1, WARP)); // fault: shuffle_outside_mask
    }
}

/// 48 threads: the second warp has 16 lanes.
#[kernel(threads = 48)]
fn reduce_of_48_threads(data: Global<u32>) {
    // SAFETY: planted: half of the second warp does not exist.
    let sum = unsafe { warp::warp_reduce(1u32, WarpReductionOp::Add) }; // fault: reduce_of_48_threads
    if lane_id() == 0 {
        data.write(warp::warp_id() as usize, sum);
    }
}

#[kernel(threads = 32)]
fn activemask_as_mask(data: Global<u32>) {
    let lane = lane_id();
    if lane < 16 {
        let count = ballot(warp::activemask(), true).count_ones(); // fault: activemask_as_mask
        data.write(lane as usize, count);
    }
}

/// Lane 1 belongs to both masks, and meets the pairs in the other order.
#[kernel(threads = 32)]
fn masks_that_cross(data: Global<u32>) {
    match lane_id() {
        0 => data.write(0, ballot(0b011, true)), // fault: masks_that_cross
        1 => {
            data.write(1, ballot(0b110, true)); // fault: masks_that_cross
            data.write(1, ballot(0b011, true));
        }
        2 => {
            data.write(2, ballot(0b101, true)); // fault: masks_that_cross
            data.write(2, ballot(0b110, true));
        }
        _ => {}
    }
}

/// The loop lets half of the lanes in each round go, but the mask stays.
#[kernel(threads = 32)]
fn mask_of_an_earlier_round(data: Global<u32>) {
    let lane = lane_id();
    let (mut sum, mut width) = (1, 32);
    while width > 1 && lane < width {
        sum += shuffle_down(FULL_WARP, sum, width / 2, WARP); // fault: mask_of_an_earlier_round
        width /= 2;
    }
    data.write(lane as usize, sum);
}

#[kernel(threads = 32)]
fn shuffle_width_of_24(data: Global<u32>) {
    let lane = lane_id();
    data.write(lane as usize, shuffle_down(FULL_WARP, lane, 1, 24)); // fault: shuffle_width_of_24
}

/// The sum of 32 lanes, in segments of 16: lane 0 gets the sum of half the warp.
#[kernel(threads = 32)]
fn shuffle_width_of_16(data: Global<u32>) {
    let mut sum = lane_id();
    for delta in [16, 8, 4, 2, 1] {
        sum += shuffle_down(FULL_WARP, sum, delta, 16); // fault: shuffle_width_of_16
    }
    if lane_id() == 0 {
        data.write(0, sum);
    }
}

/// Lane 0 sends its value from inside the branch that only it takes.
#[kernel(threads = 32)]
fn broadcast_in_branch(data: Global<u32>) {
    let lane = lane_id();
    let mut ticket = 0;
    if lane == 0 {
        ticket = atomic::fetch_add(data, 0, 32);
        ticket = shuffle(FULL_WARP, ticket, 0); // fault: broadcast_in_branch
    }
    data.write((1 + ticket + lane) as usize, lane);
}

pub fn group() -> Group {
    let collective = Found::ByLaunch("Collective");
    let deadlock = Found::ByLaunch("Deadlock");
    let planted: Vec<Planted> = vec![
        planted("full_mask_in_branch", "the mask of a full warp in a branch", deadlock, |gpu| {
            run(gpu, 1, &[0; 64], |data| FullMaskInBranch { data })
        }),
        planted("return_before_shuffle", "an early return before a shuffle", deadlock, |gpu| {
            run(gpu, 1, &[0; 64], |data| ReturnBeforeShuffle { data, n: 20 })
        }),
        planted("shuffle_outside_mask", "a shuffle that reads a lane outside its mask", collective, |gpu| {
            run(gpu, 1, &[0; 64], |data| ShuffleOutsideMask { data })
        }),
        planted("reduce_of_48_threads", "`warp_reduce` in a block of 48 threads", collective, |gpu| {
            run(gpu, 1, &[0; 64], |data| ReduceOf48Threads { data })
        }),
        planted("activemask_as_mask", "`activemask` as the mask of a collective", collective, |gpu| {
            run(gpu, 1, &[0; 16], |data| ActivemaskAsMask { data })
        }),
        planted("masks_that_cross", "lanes that meet in overlapping masks, in different orders", deadlock, |gpu| {
            run(gpu, 1, &[0; 64], |data| MasksThatCross { data })
        }),
        planted("mask_of_an_earlier_round", "lanes leave a loop, but its mask stays", deadlock, |gpu| {
            run(gpu, 1, &[0; 64], |data| MaskOfAnEarlierRound { data })
        }),
        planted("shuffle_width_of_24", "a shuffle whose width is not a power of two", collective, |gpu| {
            run(gpu, 1, &[0; 64], |data| ShuffleWidthOf24 { data })
        }),
        planted(
            "shuffle_width_of_16",
            "a sum over 32 lanes by shuffles of width 16",
            Found::Wrong("a legal program that computes something else"),
            |gpu| run(gpu, 1, &[0; 1], |data| ShuffleWidthOf16 { data }),
        )
        .expecting(&[31 * 32 / 2]),
        planted("broadcast_in_branch", "a broadcast inside the branch of one lane", deadlock, |gpu| {
            run(gpu, 1, &[0; 64], |data| BroadcastInBranch { data })
        }),
    ];
    Group { title: "Inside a warp", file: file!(), text: include_str!("warps.rs"), planted }
}
