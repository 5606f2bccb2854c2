//! Locks and flags between blocks and between lanes.

use crate::common::{barrier, run, sync_warp};
use crate::{Case, case};
use simt_std::atomic::Order;
use simt_std::prelude::*;

/// Takes the lock at word `i`.
fn lock(locks: Global<u32>, i: usize) {
    while atomic::device(locks, i).compare_exchange(0, 1, Order::Acquire) != 0 {}
}

fn unlock(locks: Global<u32>, i: usize) {
    atomic::store_release(locks, i, 0);
}

/// Word 0: the lock; word 1: a number that it protects.
#[kernel(threads = 2)]
fn spin_lock(data: Global<u32>) {
    if thread::first() {
        for _ in 0..3 {
            lock(data, 0);
            data.write(1, data.read(1) * 2 % 1009);
            unlock(data, 0);
        }
    }
}

/// Each lane of a warp takes the lock; no lane waits for another while it has the lock.
#[kernel(threads = WARP)]
fn spin_lock_of_lanes(data: Global<u32>) {
    let mut done = false;
    while !done {
        if atomic::device(data, 0).compare_exchange(0, 1, Order::Acquire) == 0 {
            data.write(1, data.read(1) + 1);
            unlock(data, 0);
            done = true;
        }
    }
}

/// Thread 0 takes the lock for its block, whose threads all work under it.
#[kernel(threads = 64)]
fn lock_for_a_block(data: Global<u32>, sums: Global<u32>) {
    if thread::first() {
        lock(data, 0);
    }
    barrier();
    let t = thread::thread_idx_x() as usize;
    sums.write(t, sums.read(t) + 1);
    barrier();
    if thread::first() {
        unlock(data, 0);
    }
}

/// Word 0: the next ticket; word 1: the ticket that is served; word 2: the protected number.
#[kernel(threads = 1)]
fn ticket_lock(data: Global<u32>) {
    for _ in 0..2 {
        let ticket = atomic::fetch_add(data, 0, 1);
        while atomic::load_acquire(data, 1) != ticket {}
        data.write(2, data.read(2) + 1);
        atomic::store_release(data, 1, ticket + 1);
    }
}

/// Transfers between two accounts, whose locks are taken in one order.
#[kernel(threads = 1)]
fn two_locks_in_one_order(locks: Global<u32>, accounts: Global<u32>) {
    let (from, to) = if thread::block_idx_x() & 1 == 0 { (0, 1) } else { (1, 0) };
    lock(locks, 0);
    lock(locks, 1);
    accounts.write(from, accounts.read(from) - 1);
    accounts.write(to, accounts.read(to) + 1);
    unlock(locks, 1);
    unlock(locks, 0);
}

/// The highest bit of the word is a writer's, the others count the readers.
#[kernel(threads = 1)]
fn readers_and_a_writer(data: Global<u32>, pair: Global<u32>) {
    const WRITER: u32 = 1 << 31;
    if thread::block_idx_x() == 0 {
        for _ in 0..3 {
            while atomic::device(data, 0).compare_exchange(0, WRITER, Order::Acquire) != 0 {}
            pair.write(0, pair.read(0) + 1);
            pair.write(1, pair.read(1) + 2);
            atomic::device(data, 0).fetch_and(!WRITER, Order::Release);
        }
    } else {
        loop {
            let readers = atomic::load(data, 0);
            if readers & WRITER == 0
                && atomic::device(data, 0).compare_exchange(readers, readers + 1, Order::Acquire) == readers
            {
                break;
            }
        }
        let fits = pair.read(1) == 2 * pair.read(0);
        atomic::device(data, 0).fetch_add(u32::MAX, Order::Release);
        data.write(thread::block_idx_x() as usize, u32::from(fits));
    }
}

/// A reader that finds an even and unchanged number has read both words of one write.
#[kernel(threads = 1)]
fn sequence_lock(data: Global<u32>, result: Global<u32>) {
    let b = thread::block_idx_x();
    if b == 0 {
        for turn in 1..=4 {
            atomic::store(data, 0, 2 * turn - 1);
            thread::device_fence();
            atomic::store(data, 1, turn);
            atomic::store(data, 2, 100 * turn);
            atomic::store_release(data, 0, 2 * turn);
        }
    } else {
        loop {
            let before = atomic::load_acquire(data, 0);
            let (first, second) = (atomic::load(data, 1), atomic::load(data, 2));
            thread::device_fence();
            if before & 1 == 0 && atomic::load(data, 0) == before {
                result.write(b as usize, u32::from(second == 100 * first));
                break;
            }
        }
    }
}

/// Relaxed atomics with a fence on each side.
#[kernel(threads = 1)]
fn fences_on_both_sides(data: Global<u32>, flag: Global<u32>) {
    if thread::block_idx_x() == 0 {
        data.write(0, 42);
        thread::device_fence();
        atomic::store(flag, 0, 1);
    } else {
        while atomic::load(flag, 0) == 0 {}
        thread::device_fence();
        data.write(thread::block_idx_x() as usize, data.read(0));
    }
}

/// The first block to come computes a table; the others wait for it and use it.
#[kernel(threads = 32)]
fn initialise_once(state: Global<u32>, table: Global<u32>, result: Global<u32>) {
    let t = thread::thread_idx_x() as usize;
    shared_array!(first: [u32; 1]);
    if t == 0 {
        let state = atomic::device(state, 0).compare_exchange(0, 1, Order::Acquire);
        first.write(0, u32::from(state == 0));
    }
    barrier();
    if first.read(0) == 1 {
        table.write(t, 3 * t as u32);
        barrier();
        if t == 0 {
            atomic::store_release(state, 0, 2);
        }
    } else if t == 0 {
        while atomic::load_acquire(state, 0) != 2 {}
    }
    barrier();
    result.write(thread::index_1d() as usize, table.read(31 - t));
}

/// All blocks are resident: a counter that only grows makes one barrier a round.
#[kernel(threads = 32, cooperative)]
fn barrier_of_4_blocks(count: Global<u32>, x: Global<u32>) {
    let (b, t) = (thread::block_idx_x(), thread::thread_idx_x());
    for round in 0..3 {
        let left = x.read((round * 128 + (b + 3) % 4 * 32 + t) as usize);
        x.write(((round + 1) * 128 + b * 32 + t) as usize, left + 1);
        barrier();
        if t == 0 {
            atomic::fetch_add_acq_rel(count, 0, 1);
            while atomic::load_acquire(count, 0) < 4 * (round + 1) {}
        }
        barrier();
    }
}

/// Peterson's lock of two blocks: words 0 and 1 are their wishes, word 2 whose turn it is.
#[kernel(threads = 1)]
fn peterson(wishes: Global<u32>, count: Global<u32>) {
    let me = thread::block_idx_x();
    let other = 1 - me;
    let word = |i: u32| atomic::device(wishes, i as usize);
    for _ in 0..3 {
        word(me).store(1, Order::SeqCst);
        word(2).store(other, Order::SeqCst);
        while word(other).load(Order::SeqCst) == 1 && word(2).load(Order::SeqCst) == other {}
        count.write(0, count.read(0) + 1);
        word(me).store(0, Order::SeqCst);
    }
}

/// A message from lane to lane through global memory, with `sync_warp` as the order.
#[kernel(threads = WARP)]
fn relay_of_lanes(data: Global<u32>) {
    let lane = warp::lane_id();
    for turn in 0..31 {
        if lane == turn {
            data.write(lane as usize + 1, data.read(lane as usize) + 2);
        }
        sync_warp(FULL_WARP);
    }
}

pub fn cases() -> Vec<Case> {
    vec![
        case("spin_lock", |gpu| run(gpu, 4, &[0, 1], |data| SpinLock { data }), {
            vec![0, (0..12).fold(1, |number, _| number * 2 % 1009)]
        }),
        case("spin_lock_of_lanes", |gpu| run(gpu, 2, &[0, 0], |data| SpinLockOfLanes { data }), vec![0, 64]),
        case(
            "lock_for_a_block",
            |gpu| {
                let data = gpu.alloc_from(&[0u32], "data");
                run(gpu, 4, &[0; 64], |sums| LockForABlock { data: data.handle(), sums })
            },
            vec![4; 64],
        ),
        case("ticket_lock", |gpu| run(gpu, 5, &[0; 3], |data| TicketLock { data }), vec![10; 3]),
        case(
            "two_locks_in_one_order",
            |gpu| {
                let locks = gpu.alloc_from(&[0u32; 2], "locks");
                run(gpu, 5, &[10, 10], |accounts| TwoLocksInOneOrder { locks: locks.handle(), accounts })
            },
            vec![9, 11],
        ),
        case(
            "readers_and_a_writer",
            |gpu| {
                let pair = gpu.alloc_from(&[0u32; 2], "pair");
                run(gpu, 4, &[0; 4], |data| ReadersAndAWriter { data, pair: pair.handle() })
            },
            vec![0, 1, 1, 1],
        ),
        case(
            "sequence_lock",
            |gpu| {
                let data = gpu.alloc_from(&[0u32; 3], "data");
                run(gpu, 3, &[0; 3], |result| SequenceLock { data: data.handle(), result })
            },
            vec![0, 1, 1],
        ),
        case(
            "fences_on_both_sides",
            |gpu| {
                let flag = gpu.alloc_from(&[0u32], "flag");
                run(gpu, 4, &[0; 4], |data| FencesOnBothSides { data, flag: flag.handle() })
            },
            vec![42; 4],
        ),
        case(
            "initialise_once",
            |gpu| {
                let (state, table) = (gpu.alloc_from(&[0u32], "state"), gpu.alloc::<u32>(32, "table"));
                run(gpu, 3, &[0; 96], |result| InitialiseOnce { state: state.handle(), table: table.handle(), result })
            },
            (0..96).map(|i| 3 * (31 - i % 32)).collect(),
        ),
        case(
            "barrier_of_4_blocks",
            |gpu| {
                let count = gpu.alloc_from(&[0u32], "count");
                let x = gpu.alloc_from(&Vec::from_iter(0..512u32), "x");
                gpu.launch_kernel(4, BarrierOf4Blocks { count: count.handle(), x: x.handle() })?;
                gpu.download_from(&x, 384, 128)
            },
            (0..128).map(|i| (i + 32) % 128 + 3).collect(),
        ),
        case(
            "peterson",
            |gpu| {
                let wishes = gpu.alloc_from(&[0u32; 3], "wishes");
                run(gpu, 2, &[0], |count| Peterson { wishes: wishes.handle(), count })
            },
            vec![6],
        ),
        case("relay_of_lanes", |gpu| run(gpu, 1, &[5; 32], |data| RelayOfLanes { data }), {
            (0..32).map(|lane| 5 + 2 * lane).collect()
        }),
    ]
}
