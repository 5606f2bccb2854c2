//! Faults inside a block: missing, misplaced and divergent barriers, and threads that share words.

use crate::common::{barrier, run, sync_warp};
use crate::fault::{Found, Group, Planted, planted};
use simt_std::prelude::*;

/// Each thread reads the word of the thread opposite.
#[kernel(threads = 64)]
fn missing_barrier(data: Global<u32>) {
    shared_array!(x: [u32; 64]);
    let t = thread::thread_idx_x();
    x.write(t, t); // fault: missing_barrier
    data.write(t as usize, x.read(63 - t)); // fault: missing_barrier
}

#[kernel(threads = 64)]
fn sync_warp_between_warps(data: Global<u32>) {
    shared_array!(x: [u32; 64]);
    let t = thread::thread_idx_x();
    x.write(t, t); // fault: sync_warp_between_warps
    sync_warp(FULL_WARP);
    data.write(t as usize, x.read(63 - t)); // fault: sync_warp_between_warps
}

/// Rotates four times; each round reads what the round before has written.
#[kernel(threads = 64)]
fn second_barrier_missing(data: Global<u32>) {
    shared_array!(x: [u32; 64]);
    let t = thread::thread_idx_x();
    x.write(t, data.read(t as usize));
    for _ in 0..4 {
        barrier();
        let next = x.read((t + 1) % 64); // fault: second_barrier_missing
        x.write(t, next); // fault: second_barrier_missing
    }
    data.write(t as usize, x.read(t));
}

/// The last five steps of a sum, as written for GPUs before Volta.
#[kernel(threads = 32)]
fn warp_synchronous_code(data: Global<u32>) {
    shared_array!(x: [u32; 64]);
    let t = thread::thread_idx_x();
    x.write(t, 1);
    x.write(t + 32, 0);
    sync_warp(FULL_WARP);
    for distance in [16, 8, 4, 2, 1] {
        x.write(t, x.read(t) + x.read(t + distance)); // fault: warp_synchronous_code
    }
    if t == 0 {
        data.write(0, x.read(0));
    }
}

#[kernel(threads = 64)]
fn stencil_in_place(data: Global<u32>) {
    let i = thread::thread_idx_x() as usize;
    if i > 0 && i < 63 {
        let sum = data.read(i - 1) + data.read(i + 1); // fault: stencil_in_place
        data.write(i, sum); // fault: stencil_in_place
    }
}

#[kernel(threads = 64)]
fn barrier_in_if(data: Global<u32>) {
    let t = thread::thread_idx_x();
    if t < 40 {
        data.write(t as usize, 1);
        barrier(); // fault: barrier_in_if
    }
}

#[kernel(threads = 64)]
fn barrier_after_return(data: Global<u32>, n: u32) {
    let t = thread::thread_idx_x();
    if t >= n {
        return;
    }
    data.write(t as usize, 1);
    barrier(); // fault: barrier_after_return
}

#[kernel(threads = 64)]
fn barrier_in_loop(data: Global<u32>) {
    let t = thread::thread_idx_x();
    for round in 0..t / 16 {
        data.write(t as usize, round);
        barrier(); // fault: barrier_in_loop
    }
}

#[kernel(threads = 64)]
fn barrier_in_each_arm(data: Global<u32>) {
    let t = thread::thread_idx_x();
    if t < 32 {
        data.write(t as usize, 1);
        barrier(); // fault: barrier_in_each_arm
    } else {
        data.write(t as usize, 2);
        barrier(); // fault: barrier_in_each_arm
    }
}

/// Every thread reports a find to one word.
#[kernel(threads = 64)]
fn one_value_written_by_all(data: Global<u32>) {
    if data.read(thread::thread_idx_x() as usize + 1) == 0 {
        data.write(0, 1); // fault: one_value_written_by_all
    }
}

/// A vector of four words covers a word that another thread reads.
#[kernel(threads = 64)]
fn vector_over_scalar(data: Global<u32>) {
    let t = thread::thread_idx_x() as usize;
    if t < 16 {
        data.cast::<U32x4>().write(t, U32x4([1; 4])); // fault: vector_over_scalar
    } else if t == 60 {
        data.read(t); // fault: vector_over_scalar
    }
}

/// Inclusive sums of 32 words in shared memory.
#[kernel(threads = 32)]
fn warp_scan_without_sync(data: Global<u32>) {
    shared_array!(x: [u32; 32]);
    let t = thread::thread_idx_x();
    x.write(t, 1);
    sync_warp(FULL_WARP);
    let mut distance = 1;
    while distance < 32 {
        let below = if t >= distance { x.read(t - distance) } else { 0 }; // fault: warp_scan_without_sync
        x.write(t, x.read(t) + below); // fault: warp_scan_without_sync
        sync_warp(FULL_WARP);
        distance *= 2;
    }
    data.write(t as usize, x.read(t));
}

/// Loads tile k + 1 into one half while tile k is used from the other half.
#[kernel(threads = 64)]
fn double_buffer_one_barrier_short(data: Global<u32>) {
    shared_array!(tile: [u32; 128]);
    let t = thread::thread_idx_x();
    let mut sum = 0;
    tile.write(t, 0);
    barrier();
    for k in 0..4 {
        let (now, next) = (k % 2 * 64, (k + 1) % 2 * 64);
        tile.write(next + t, k); // fault: double_buffer_one_barrier_short
        sum += tile.read(now + (t + 33) % 64); // fault: double_buffer_one_barrier_short
        if k == 0 {
            barrier();
        }
    }
    data.write(t as usize, sum);
}

/// Each thread draws a ticket where the block needs one.
#[kernel(threads = 64)]
fn ticket_of_every_thread(data: Global<u32>) {
    shared_array!(ticket: [u32; 1]);
    ticket.write(0, atomic::fetch_add(data, 0, 1)); // fault: ticket_of_every_thread
    barrier();
    data.write(1 + ticket.read(0) as usize, thread::thread_idx_x());
}

/// The counters begin at byte 128, but the 64 words before them end at byte 256.
#[kernel(threads = 64, shared = 512)]
fn dynamic_arrays_overlap(data: Global<u32>) {
    let words = dynamic_shared_mem::<u32>();
    let counters = Shared::<u32>::at(words.address() + 128);
    let t = thread::thread_idx_x();
    words.write(t, t); // fault: dynamic_arrays_overlap
    counters.write(t, 0); // fault: dynamic_arrays_overlap
    barrier();
    data.write(t as usize, words.read(t) + counters.read(t));
}

/// The positions of 300 words, in 8 bits.
#[kernel(threads = 300)]
fn index_in_8_bits(data: Global<u32>) {
    let t = thread::thread_idx_x();
    data.write(usize::from(t as u8), t); // fault: index_in_8_bits
}

pub fn group() -> Group {
    let race = Found::ByLaunch("Race");
    let divergent = Found::ByLaunch("DivergentBarrier");
    let planted: Vec<Planted> = vec![
        planted("missing_barrier", "no barrier between a write and the read by another thread", race, |gpu| {
            run(gpu, 1, &[0; 64], |data| MissingBarrier { data })
        }),
        planted("sync_warp_between_warps", "`sync_warp` where warps exchange data", race, |gpu| {
            run(gpu, 1, &[0; 64], |data| SyncWarpBetweenWarps { data })
        }),
        planted("second_barrier_missing", "a loop with one barrier where it needs two", race, |gpu| {
            run(gpu, 1, &[0; 64], |data| SecondBarrierMissing { data })
        }),
        planted("warp_synchronous_code", "lanes that rely on running in step", race, |gpu| {
            run(gpu, 1, &[0; 64], |data| WarpSynchronousCode { data })
        }),
        planted("stencil_in_place", "input and output are one array", race, |gpu| {
            run(gpu, 1, &[0; 64], |data| StencilInPlace { data })
        }),
        planted("barrier_in_if", "a barrier in an `if` that some threads skip", divergent, |gpu| {
            run(gpu, 1, &[0; 64], |data| BarrierInIf { data })
        }),
        planted("barrier_after_return", "a barrier after an early return", divergent, |gpu| {
            run(gpu, 1, &[0; 64], |data| BarrierAfterReturn { data, n: 50 })
        }),
        planted("barrier_in_loop", "a barrier in a loop of different lengths", divergent, |gpu| {
            run(gpu, 1, &[0; 64], |data| BarrierInLoop { data })
        }),
        planted("barrier_in_each_arm", "a barrier in each arm of an `if`", divergent, |gpu| {
            run(gpu, 1, &[0; 64], |data| BarrierInEachArm { data })
        }),
        planted("one_value_written_by_all", "all threads write one value to one word", race, |gpu| {
            run(gpu, 1, &[0; 65], |data| OneValueWrittenByAll { data })
        }),
        planted("vector_over_scalar", "a store of 16 bytes covers a word that another thread reads", race, |gpu| {
            run(gpu, 1, &[0; 64], |data| VectorOverScalar { data })
        }),
        planted("warp_scan_without_sync", "a warp scan without `sync_warp` between read and write", race, |gpu| {
            run(gpu, 1, &[0; 32], |data| WarpScanWithoutSync { data })
        }),
        planted("double_buffer_one_barrier_short", "a double buffer without a barrier in each round", race, |gpu| {
            run(gpu, 1, &[0; 64], |data| DoubleBufferOneBarrierShort { data })
        }),
        planted("ticket_of_every_thread", "every thread draws a ticket for the block", race, |gpu| {
            run(gpu, 1, &[0; 65], |data| TicketOfEveryThread { data })
        }),
        planted("dynamic_arrays_overlap", "two arrays in dynamic shared memory overlap", race, |gpu| {
            run(gpu, 1, &[0; 64], |data| DynamicArraysOverlap { data })
        }),
        planted("index_in_8_bits", "an index that wraps around in 8 bits", race, |gpu| {
            run(gpu, 1, &[0; 300], |data| IndexIn8Bits { data })
        }),
    ];
    Group { title: "Inside a block", file: file!(), text: include_str!("barriers.rs"), planted }
}
