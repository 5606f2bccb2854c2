//! Kernels of several blocks: sums, scans, searches and sorts that pass data from block to block.

use crate::common::{ballot, barrier, run, shuffle, shuffle_up};
use crate::{Case, case};
use simt_std::atomic::{Order, Scope};
use simt_std::prelude::*;
use simt_std::simulator::{Fault, Simulator};
use simt_std::warp::{lane_id, lanemask_lt};

fn words(len: u32) -> Vec<u32> {
    (0..len).map(|i| i * i % 19).collect()
}

/// The block that comes last adds up the sums of all blocks.
#[kernel(threads = 32)]
fn last_block_adds_up(data: Global<u32>, sums: Global<u32>, count: Global<u32>) {
    shared_array!(is_last: [u32; 1]);
    let (b, blocks) = (thread::block_idx_x(), thread::grid_dim_x());
    let mut sum = data.read(thread::index_1d() as usize);
    for delta in [16, 8, 4, 2, 1] {
        sum += crate::common::shuffle_xor(FULL_WARP, sum, delta);
    }
    if thread::first() {
        sums.write(b as usize, sum);
        is_last.write(0, u32::from(atomic::fetch_add_acq_rel(count, 0, 1) == blocks - 1));
    }
    barrier();
    if is_last.read(0) == 1 && thread::first() {
        sums.write(blocks as usize, (0..blocks).map(|b| sums.read(b as usize)).sum());
    }
}

/// The last block reads what all threads have written, by fences of all threads and a relaxed count.
#[kernel(threads = 32)]
fn last_block_by_fences(words: Global<u32>, sums: Global<u32>, count: Global<u32>) {
    shared_array!(is_last: [u32; 1]);
    let (t, blocks) = (thread::thread_idx_x(), thread::grid_dim_x());
    words.write(thread::index_1d() as usize, thread::index_1d());
    atomic::fence(Order::SeqCst, Scope::Device);
    barrier();
    if t == 0 {
        is_last.write(0, u32::from(atomic::fetch_add(count, 0, 1) == blocks - 1));
    }
    barrier();
    if is_last.read(0) == 1 {
        atomic::fence(Order::SeqCst, Scope::Device);
        sums.write(t as usize, (0..blocks).map(|b| words.read((b * 32 + t) as usize)).sum());
    }
}

/// Returns the inclusive sums of a warp.
fn scan_warp(mut sum: u32) -> u32 {
    for delta in [1, 2, 4, 8, 16] {
        sum += shuffle_up(FULL_WARP, sum, delta, WARP).unwrap_or(0);
    }
    sum
}

/// Prefix sums in one launch; each tile waits for the sum before it. Word 0 of `state`: the next
/// tile; word 1 + i: 1 when the sum before tile i is known.
#[kernel(threads = WARP)]
fn chained_scan(data: Global<u32>, state: Global<u32>, before: Global<u32>) {
    let drawn = if lane_id() == 0 { atomic::fetch_add(state, 0, 1) } else { 0 };
    let tile = shuffle(FULL_WARP, drawn, 0) as usize;
    let i = tile * 32 + lane_id() as usize;
    let sum = scan_warp(data.read(i));
    let mut offset = 0;
    if lane_id() == 31 {
        if tile > 0 {
            while atomic::load_acquire(state, 1 + tile) == 0 {}
            offset = before.read(tile);
        }
        before.write(tile + 1, offset + sum);
        atomic::store_release(state, 2 + tile, 1);
    }
    data.write(i, shuffle(FULL_WARP, offset, 31) + sum);
}

/// Prefix sums with look-back. A state is one word of 64 bits: the sum, and 1 (the tile's) or 2
/// (with all before) in the high half; a single atomic word needs no order.
#[kernel(threads = WARP)]
fn look_back_scan(data: Global<u32>, next: Global<u32>, states: Global<u64>) {
    let drawn = if lane_id() == 0 { atomic::fetch_add(next, 0, 1) } else { 0 };
    let tile = shuffle(FULL_WARP, drawn, 0) as usize;
    let i = tile * 32 + lane_id() as usize;
    let sum = scan_warp(data.read(i));
    let mut before = 0;
    if lane_id() == 31 {
        atomic::store_64(states, tile, 1 << 32 | u64::from(sum));
        let mut at = tile;
        while at > 0 {
            let state = atomic::load_64(states, at - 1);
            if state >> 32 != 0 {
                before += state as u32;
                at = if state >> 32 == 2 { 0 } else { at - 1 };
            }
        }
        atomic::store_64(states, tile, 2 << 32 | u64::from(before + sum));
    }
    data.write(i, shuffle(FULL_WARP, before, 31) + sum);
}

/// Row r of a table, column by column: x = left + above. Rows are drawn in order; a row's counter
/// says how many of its columns are ready.
#[kernel(threads = 1)]
fn wavefront(table: Global<u32>, ready: Global<u32>) {
    let row = atomic::fetch_add(ready, 0, 1) as usize;
    let mut left = 1;
    for column in 0..6 {
        let mut above = 1;
        if row > 0 {
            while atomic::load_acquire(ready, row) <= column {}
            above = table.read((row - 1) * 6 + column as usize);
        }
        left += above;
        table.write(row * 6 + column as usize, left);
        atomic::store_release(ready, row + 1, column + 1);
    }
}

/// Counts in shared memory, then adds the block's counts to those of all.
#[kernel(threads = 64)]
fn private_histograms(data: Global<u32>, counts: Global<u32>) {
    shared_array!(own: [u32; 19]);
    let t = thread::thread_idx_x();
    if t < 19 {
        own.write(t, 0);
    }
    barrier();
    atomic::block(own, data.read(thread::index_1d() as usize)).fetch_add(1, Order::Relaxed);
    barrier();
    if t < 19 {
        atomic::fetch_add(counts, t as usize, own.read(t));
    }
}

/// Keeps the odd words, in any order: a warp takes room for all of its words at once.
#[kernel(threads = 64)]
fn compaction(data: Global<u32>, kept: Global<u32>, count: Global<u32>) {
    let word = data.read(thread::index_1d() as usize);
    let lanes = ballot(FULL_WARP, word % 2 == 1);
    let first = if lane_id() == 0 { atomic::fetch_add(count, 0, lanes.count_ones()) } else { 0 };
    let first = shuffle(FULL_WARP, first, 0);
    if word % 2 == 1 {
        kept.write((first + (lanes & lanemask_lt()).count_ones()) as usize, word);
    }
}

/// One level of a breadth-first search on a ring with chords. `counts`: nodes in the old and in
/// the new frontier.
#[kernel(threads = 32)]
fn search_level(level: u32, distances: Global<u32>, frontier: Global<u32>, next: Global<u32>, counts: Global<u32>) {
    let i = thread::index_1d();
    if i < counts.read(0) {
        let node = frontier.read(i as usize);
        for neighbour in neighbours(node) {
            if atomic::compare_exchange(distances, neighbour as usize, u32::MAX, level + 1) == u32::MAX {
                next.write(atomic::fetch_add(counts, 1, 1) as usize, neighbour);
            }
        }
    }
}

const NODES: u32 = 60;

fn neighbours(node: u32) -> [u32; 3] {
    [(node + 1) % NODES, (node + NODES - 1) % NODES, node * 7 % NODES]
}

fn search(gpu: &mut Simulator) -> Result<Vec<u32>, Fault> {
    let mut start = [u32::MAX; NODES as usize];
    start[0] = 0;
    let distances = gpu.alloc_from(&start, "distances");
    let mut lists = ["a", "b"].map(|name| gpu.alloc_from(&[0; NODES as usize], name));
    let counts = gpu.alloc::<u32>(2, "counts");
    let (mut level, mut found) = (0, 1);
    while found > 0 {
        gpu.upload(&counts, &[found, 0])?;
        let kernel = SearchLevel {
            level,
            distances: distances.handle(),
            frontier: lists[0].handle(),
            next: lists[1].handle(),
            counts: counts.handle(),
        };
        gpu.launch_kernel(2, kernel)?;
        found = gpu.download(&counts, 2)?[1];
        lists.reverse();
        level += 1;
    }
    gpu.download(&distances, NODES as usize)
}

fn distances() -> Vec<u32> {
    let mut distances = vec![u32::MAX; NODES as usize];
    let mut queue = std::collections::VecDeque::from([0]);
    distances[0] = 0;
    while let Some(node) = queue.pop_front() {
        for neighbour in neighbours(node) {
            if distances[neighbour as usize] == u32::MAX {
                distances[neighbour as usize] = distances[node as usize] + 1;
                queue.push_back(neighbour);
            }
        }
    }
    distances
}

fn table() -> Vec<u32> {
    let mut table = vec![0; 30];
    for row in 0..5 {
        let mut left = 1;
        for column in 0..6 {
            left += if row > 0 { table[(row - 1) * 6 + column] } else { 1 };
            table[row * 6 + column] = left;
        }
    }
    table
}

pub fn cases() -> Vec<Case> {
    let sums: Vec<u32> = words(128).chunks(32).map(|chunk| chunk.iter().sum()).collect();
    let total = sums.iter().sum();
    let prefixes = || {
        let sums = words(160).into_iter().scan(0, |sum, word| {
            *sum += word;
            Some(*sum)
        });
        sums.collect()
    };
    let counts = (0..19).map(|value| words(128).iter().filter(|&&word| word == value).count() as u32);
    let mut odd: Vec<u32> = words(128).into_iter().filter(|word| word % 2 == 1).collect();
    odd.sort_unstable();
    vec![
        case(
            "last_block_adds_up",
            |gpu| {
                let (data, count) = (gpu.alloc_from(&words(128), "data"), gpu.alloc_from(&[0u32], "count"));
                run(gpu, 4, &[0; 5], |sums| LastBlockAddsUp { data: data.handle(), sums, count: count.handle() })
            },
            [sums, vec![total]].concat(),
        ),
        case(
            "last_block_by_fences",
            |gpu| {
                let (words, count) = (gpu.alloc::<u32>(128, "words"), gpu.alloc_from(&[0u32], "count"));
                let [words, count] = [words.handle(), count.handle()];
                run(gpu, 4, &[0; 32], |sums| LastBlockByFences { words, sums, count })
            },
            (0..32).map(|t| 4 * t + 32 * 6).collect(),
        ),
        case(
            "chained_scan",
            |gpu| {
                let (state, before) = (gpu.alloc_from(&[0u32; 7], "state"), gpu.alloc::<u32>(6, "before"));
                let [state, before] = [state.handle(), before.handle()];
                run(gpu, 5, &words(160), |data| ChainedScan { data, state, before })
            },
            prefixes(),
        ),
        case(
            "look_back_scan",
            |gpu| {
                let (next, states) = (gpu.alloc_from(&[0u32], "next"), gpu.alloc_from(&[0u64; 5], "states"));
                run(gpu, 5, &words(160), |data| LookBackScan { data, next: next.handle(), states: states.handle() })
            },
            prefixes(),
        ),
        case(
            "wavefront",
            |gpu| {
                let ready = gpu.alloc_from(&[0u32; 6], "ready");
                run(gpu, 5, &[0; 30], |table| Wavefront { table, ready: ready.handle() })
            },
            table(),
        ),
        case(
            "private_histograms",
            |gpu| {
                let data = gpu.alloc_from(&words(128), "data");
                run(gpu, 2, &[0; 19], |counts| PrivateHistograms { data: data.handle(), counts })
            },
            counts.collect(),
        ),
        case(
            "compaction",
            |gpu| {
                let (data, kept) = (gpu.alloc_from(&words(128), "data"), gpu.alloc::<u32>(128, "kept"));
                let count = run(gpu, 2, &[0], |count| Compaction { data: data.handle(), kept: kept.handle(), count })?;
                let mut kept = gpu.download(&kept, count[0] as usize)?;
                kept.sort_unstable();
                Ok(kept)
            },
            odd,
        ),
        case("breadth_first_search", search, distances()),
    ]
}
