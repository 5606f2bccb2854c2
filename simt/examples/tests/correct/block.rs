//! Kernels of one block: barriers, shared memory, and flags between warps.

use crate::common::{barrier, barrier_count, run, sync_warp};
use crate::{Case, case};
use simt_std::atomic::Order;
use simt_std::prelude::*;
use simt_std::warp::{lane_id, warp_id};

fn words(len: u32) -> Vec<u32> {
    (0..len).map(|i| i.wrapping_mul(2_654_435_761) >> 24).collect()
}

/// Rotates a row `ROUNDS` times, from one half of the buffer to the other.
#[kernel(threads = 64)]
fn double_buffer(data: Global<u32>) {
    shared_array!(buffer: [u32; 128]);
    let t = thread::thread_idx_x();
    buffer.write(t, data.read(t as usize));
    barrier();
    let mut now = 0;
    for _ in 0..5 {
        let next = 64 - now;
        buffer.write(next + t, buffer.read(now + (t + 1) % 64));
        now = next;
        barrier();
    }
    data.write(t as usize, buffer.read(now + t));
}

/// Warp 0 fills two slots in turn; warp 1 empties them. A flag a slot says whose turn it is.
#[kernel(threads = 64)]
fn warps_pass_slots(data: Global<u32>) {
    shared_array!(slots: [u32; 64]);
    shared_array!(full: [u32; 2]);
    let lane = lane_id();
    if thread::thread_idx_x() < 2 {
        full.write(lane, 0);
    }
    barrier();
    for round in 0..4 {
        let slot = round % 2;
        let wanted = warp_id();
        if lane == 0 {
            while atomic::block(full, slot).load(Order::Acquire) != wanted {}
        }
        sync_warp(FULL_WARP);
        if wanted == 0 {
            slots.write(slot * 32 + lane, 100 * round + lane);
        } else {
            data.write((round * 32 + lane) as usize, slots.read(slot * 32 + lane));
        }
        sync_warp(FULL_WARP);
        if lane == 0 {
            atomic::block(full, slot).store(1 - wanted, Order::Release);
        }
    }
}

#[kernel(threads = 128)]
fn bitonic_sort(data: Global<u32>) {
    shared_array!(x: [u32; 128]);
    let t = thread::thread_idx_x();
    x.write(t, data.read(t as usize));
    barrier();
    let mut size = 2;
    while size <= 128 {
        let mut distance = size / 2;
        while distance > 0 {
            let other = t ^ distance;
            if other > t {
                let (a, b) = (x.read(t), x.read(other));
                if (a > b) == (t & size == 0) {
                    x.write(t, b);
                    x.write(other, a);
                }
            }
            barrier();
            distance /= 2;
        }
        size *= 2;
    }
    data.write(t as usize, x.read(t));
}

#[kernel(threads = 128)]
fn reduction_tree(data: Global<u32>) {
    shared_array!(x: [u32; 128]);
    let t = thread::thread_idx_x();
    x.write(t, data.read(t as usize));
    let mut half = 64;
    while half > 0 {
        barrier();
        if t < half {
            x.write(t, x.read(t) + x.read(t + half));
        }
        half /= 2;
    }
    if t == 0 {
        data.write(0, x.read(0));
    }
}

/// Exclusive sums of 128 words by an up-sweep and a down-sweep.
#[kernel(threads = 64)]
fn scan_by_a_tree(data: Global<u32>) {
    shared_array!(x: [u32; 128]);
    let t = thread::thread_idx_x();
    for i in [t, t + 64] {
        x.write(i, data.read(i as usize));
    }
    let mut step = 1;
    while step < 128 {
        barrier();
        let right = (t + 1) * 2 * step - 1;
        if right < 128 {
            x.write(right, x.read(right) + x.read(right - step));
        }
        step *= 2;
    }
    barrier();
    if t == 0 {
        x.write(127, 0);
    }
    while step > 1 {
        step /= 2;
        barrier();
        let right = (t + 1) * 2 * step - 1;
        if right < 128 {
            let (left_sum, sum) = (x.read(right - step), x.read(right));
            x.write(right - step, sum);
            x.write(right, sum + left_sum);
        }
    }
    barrier();
    for i in [t, t + 64] {
        data.write(i as usize, x.read(i));
    }
}

/// Products modulo 251 of all words up to each word, by doubling.
#[kernel(threads = 96)]
fn prefix_products(data: Global<u32>) {
    shared_array!(x: [u32; 96]);
    let t = thread::thread_idx_x();
    x.write(t, 1 + data.read(t as usize));
    let mut step = 1;
    while step < 96 {
        barrier();
        let below = if t >= step { x.read(t - step) } else { 1 };
        let own = x.read(t);
        barrier();
        x.write(t, own * below % 251);
        step *= 2;
    }
    data.write(t as usize, x.read(t));
}

/// Transposes a matrix of 16 × 16 in place: each pair of words has one thread.
#[kernel(threads = [16, 16])]
fn transpose_by_pairs(data: Global<u32>) {
    let (x, y) = (thread::thread_idx_x() as usize, thread::thread_idx_y() as usize);
    if x < y {
        let (a, b) = (data.read(y * 16 + x), data.read(x * 16 + y));
        data.write(y * 16 + x, b);
        data.write(x * 16 + y, a);
    }
}

/// Sums of 5 neighbours; a block of 64 threads keeps 68 words.
#[kernel(threads = 64)]
fn sliding_window(input: Global<u32>, output: Global<u32>) {
    shared_array!(x: [u32; 68]);
    let t = thread::thread_idx_x();
    let first = thread::block_idx_x() * 64;
    x.write(t, input.read((first + t) as usize));
    if t < 4 {
        x.write(64 + t, input.read((first + 64 + t) as usize));
    }
    barrier();
    output.write((first + t) as usize, (0..5).map(|k| x.read(t + k)).sum());
}

/// Four generations of life on a torus of 16 × 16.
#[kernel(threads = [16, 16])]
fn game_of_life(data: Global<u32>) {
    shared_array!(cells: [u32; 512]);
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let at = y * 16 + x;
    cells.write(at, data.read(at as usize));
    for generation in 0..4 {
        barrier();
        let now = generation % 2 * 256;
        let mut count = 0;
        for (dx, dy) in [(15, 15), (0, 15), (1, 15), (15, 0), (1, 0), (15, 1), (0, 1), (1, 1)] {
            count += cells.read(now + (y + dy) % 16 * 16 + (x + dx) % 16);
        }
        let lives = count == 3 || count == 2 && cells.read(now + at) == 1;
        cells.write(256 - now + at, u32::from(lives));
    }
    data.write(at as usize, cells.read(at));
}

/// As many rounds as the first word says, the same for all threads.
#[kernel(threads = 64)]
fn barriers_in_a_uniform_loop(data: Global<u32>) {
    shared_array!(rounds: [u32; 1]);
    shared_array!(x: [u32; 64]);
    let t = thread::thread_idx_x();
    if t == 0 {
        rounds.write(0, data.read(0));
    }
    x.write(t, t);
    barrier();
    for _ in 0..rounds.read(0) {
        let right = x.read((t + 1) % 64);
        barrier();
        x.write(t, right);
        barrier();
    }
    data.write(t as usize, x.read(t));
}

/// Neighbours take the larger word until no word changes.
#[kernel(threads = 64)]
fn rounds_until_nothing_changes(data: Global<u32>) {
    shared_array!(x: [u32; 64]);
    let t = thread::thread_idx_x();
    x.write(t, data.read(t as usize));
    barrier();
    loop {
        let largest = x.read(t).max(x.read(t.saturating_sub(1))).max(x.read((t + 1).min(63)));
        let changes = largest != x.read(t);
        barrier();
        x.write(t, largest);
        if barrier_count(changes) == 0 {
            break;
        }
    }
    data.write(t as usize, x.read(t));
}

/// Tickets of the block's threads: each exactly once.
#[kernel(threads = 96)]
fn tickets_at_block_scope(data: Global<u32>) {
    shared_array!(next: [u32; 1]);
    if thread::first() {
        next.write(0, 0);
    }
    barrier();
    let ticket = atomic::block(next, 0).fetch_add(1, Order::Relaxed);
    data.write(ticket as usize, 1);
    barrier();
    if thread::first() {
        data.write(96, next.read(0));
    }
}

/// A 16 × 16 product by tiles of 8 × 8.
#[kernel(threads = [8, 8])]
fn tiled_product(a: Global<u32>, b: Global<u32>, c: Global<u32>) {
    shared_array!(tile_a: [u32; 64]);
    shared_array!(tile_b: [u32; 64]);
    let (tx, ty) = (thread::thread_idx_x(), thread::thread_idx_y());
    let (x, y) = (thread::block_idx_x() * 8 + tx, thread::block_idx_y() * 8 + ty);
    let mut sum = 0;
    for tile in 0..2 {
        tile_a.write(ty * 8 + tx, a.read((y * 16 + tile * 8 + tx) as usize));
        tile_b.write(ty * 8 + tx, b.read(((tile * 8 + ty) * 16 + x) as usize));
        barrier();
        sum += (0..8).map(|k| tile_a.read(ty * 8 + k) * tile_b.read(k * 8 + tx)).sum::<u32>();
        barrier();
    }
    c.write((y * 16 + x) as usize, sum);
}

/// A stable pass of radix sort by the lowest 2 bits: counts by digit and thread, then their sums.
#[kernel(threads = 64)]
fn radix_sort_pass(input: Global<u32>, output: Global<u32>) {
    shared_array!(counts: [u32; 256]);
    let t = thread::thread_idx_x();
    let word = input.read(t as usize);
    let digit = word % 4;
    for d in 0..4 {
        counts.write(d * 64 + t, u32::from(d == digit));
    }
    let mut step = 1;
    while step < 256 {
        barrier();
        let own = [0, 1, 2, 3].map(|k| {
            let i = k * 64 + t;
            counts.read(i) + if i >= step { counts.read(i - step) } else { 0 }
        });
        barrier();
        for (k, sum) in (0..4).zip(own) {
            counts.write(k * 64 + t, sum);
        }
        step *= 2;
    }
    barrier();
    output.write(counts.read(digit * 64 + t) as usize - 1, word);
}

/// Each thread has its own generator (xorshift), whose state stays in global memory.
#[kernel(threads = 64)]
fn random_numbers(states: Global<u32>) {
    let i = thread::index_1d() as usize;
    let mut state = states.read(i);
    for _ in 0..5 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    states.write(i, state);
}

fn xorshift(mut state: u32) -> u32 {
    for _ in 0..5 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    state
}

fn life(mut cells: Vec<u32>) -> Vec<u32> {
    for _ in 0..4 {
        let alive = |x: i32, y: i32| cells[(y.rem_euclid(16) * 16 + x.rem_euclid(16)) as usize];
        let next = |at: i32| {
            let (x, y) = (at % 16, at / 16);
            let block: u32 =
                (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).map(|(dx, dy)| alive(x + dx, y + dy)).sum();
            u32::from(block == 3 || block == 4 && alive(x, y) == 1)
        };
        cells = (0..256).map(next).collect();
    }
    cells
}

fn soup() -> Vec<u32> {
    words(256).iter().map(|word| word % 3 / 2).collect()
}

fn transposed(matrix: &[u32]) -> Vec<u32> {
    (0..256).map(|at| matrix[at % 16 * 16 + at / 16]).collect()
}

fn product(a: &[u32], b: &[u32]) -> Vec<u32> {
    (0..256).map(|at| (0..16).map(|k| a[at / 16 * 16 + k] * b[k * 16 + at % 16]).sum()).collect()
}

fn sorted_by<K: Ord>(mut words: Vec<u32>, key: impl FnMut(&u32) -> K) -> Vec<u32> {
    words.sort_by_key(key);
    words
}

pub fn cases() -> Vec<Case> {
    let data = words(128);
    let mut reduced = data.clone();
    reduced[0] = data.iter().sum();
    let mut loops = words(64);
    loops[0] = 9;
    let products = words(96).into_iter().scan(1, |product, word| {
        *product = *product * (1 + word) % 251;
        Some(*product)
    });
    vec![
        case("double_buffer", |gpu| run(gpu, 1, &words(64), |data| DoubleBuffer { data }), {
            let mut rotated = words(64);
            rotated.rotate_left(5);
            rotated
        }),
        case(
            "warps_pass_slots",
            |gpu| run(gpu, 1, &[0; 128], |data| WarpsPassSlots { data }),
            (0..128).map(|i| i / 32 * 100 + i % 32).collect(),
        ),
        case(
            "bitonic_sort",
            |gpu| run(gpu, 1, &words(128), |data| BitonicSort { data }),
            sorted_by(words(128), |&w| w),
        ),
        case("reduction_tree", |gpu| run(gpu, 1, &words(128), |data| ReductionTree { data }), reduced),
        case(
            "scan_by_a_tree",
            |gpu| run(gpu, 1, &words(128), |data| ScanByATree { data }),
            (0..128).map(|i| data[..i].iter().sum()).collect(),
        ),
        case("prefix_products", |gpu| run(gpu, 1, &words(96), |data| PrefixProducts { data }), products.collect()),
        case(
            "transpose_by_pairs",
            |gpu| run(gpu, 1, &words(256), |data| TransposeByPairs { data }),
            transposed(&words(256)),
        ),
        case(
            "sliding_window",
            |gpu| {
                let input = gpu.alloc_from(&words(132), "input");
                run(gpu, 2, &[0; 128], |output| SlidingWindow { input: input.handle(), output })
            },
            (0..128).map(|i| words(132)[i..i + 5].iter().sum()).collect(),
        ),
        case("game_of_life", |gpu| run(gpu, 1, &soup(), |data| GameOfLife { data }), life(soup())),
        case(
            "barriers_in_a_uniform_loop",
            |gpu| {
                let mut loops = words(64);
                loops[0] = 9;
                run(gpu, 1, &loops, |data| BarriersInAUniformLoop { data })
            },
            (0..64).map(|i| (i + loops[0]) % 64).collect(),
        ),
        case(
            "rounds_until_nothing_changes",
            |gpu| run(gpu, 1, &words(64), |data| RoundsUntilNothingChanges { data }),
            vec![words(64).into_iter().max().unwrap_or(0); 64],
        ),
        case(
            "tickets_at_block_scope",
            |gpu| run(gpu, 1, &[0; 97], |data| TicketsAtBlockScope { data }),
            [vec![1; 96], vec![96]].concat(),
        ),
        case(
            "tiled_product",
            |gpu| {
                let a = gpu.alloc_from(&words(256), "a");
                let b = gpu.alloc_from(&soup(), "b");
                let c = gpu.alloc::<u32>(256, "c");
                gpu.launch_kernel([2, 2], TiledProduct { a: a.handle(), b: b.handle(), c: c.handle() })?;
                gpu.download(&c, 256)
            },
            product(&words(256), &soup()),
        ),
        case(
            "radix_sort_pass",
            |gpu| {
                let input = gpu.alloc_from(&words(64), "input");
                run(gpu, 1, &[0; 64], |output| RadixSortPass { input: input.handle(), output })
            },
            sorted_by(words(64), |&word| word % 4),
        ),
        case(
            "random_numbers",
            |gpu| run(gpu, 2, &Vec::from_iter(1..=128), |states| RandomNumbers { states }),
            (1..=128).map(xorshift).collect(),
        ),
    ]
}
