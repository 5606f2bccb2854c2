//! Faults between blocks: order of memory accesses, locks, waiting and atomic operations.

use crate::common::{barrier, run};
use crate::fault::{Found, Group, Planted, planted};
use simt_std::atomic::Order;
use simt_std::prelude::*;

/// Words of `data`: a flag, and what it announces.
const FLAG: usize = 0;
const VALUE: usize = 1;

fn block() -> u32 {
    thread::block_idx_x()
}

/// Waits for the flag by relaxed loads.
#[track_caller]
fn wait(data: Global<u32>) {
    while atomic::load(data, FLAG) == 0 {}
}

#[kernel(threads = 1)]
fn no_fence(data: Global<u32>) {
    if block() == 0 {
        data.write(VALUE, 42); // fault: no_fence
        atomic::store(data, FLAG, 1);
    } else {
        wait(data);
        data.read(VALUE); // fault: no_fence
    }
}

#[kernel(threads = 1)]
fn fence_of_the_writer_alone(data: Global<u32>) {
    if block() == 0 {
        data.write(VALUE, 42); // fault: fence_of_the_writer_alone
        thread::device_fence();
        atomic::store(data, FLAG, 1);
    } else {
        wait(data);
        data.read(VALUE); // fault: fence_of_the_writer_alone
    }
}

#[kernel(threads = 1)]
fn flag_before_data(data: Global<u32>) {
    if block() == 0 {
        atomic::store_release(data, FLAG, 1);
        data.write(VALUE, 42); // fault: flag_before_data
    } else {
        while atomic::load_acquire(data, FLAG) == 0 {}
        data.read(VALUE); // fault: flag_before_data
    }
}

#[kernel(threads = 1)]
fn release_at_block_scope(data: Global<u32>) {
    if block() == 0 {
        data.write(VALUE, 42);
        atomic::block(data, FLAG).store(1, Order::Release); // fault: release_at_block_scope
    } else {
        while atomic::load_acquire(data, FLAG) == 0 {} // fault: release_at_block_scope
        data.read(VALUE);
    }
}

#[kernel(threads = 1)]
fn counter_at_block_scope(data: Global<u32>) {
    atomic::block(data, 0).fetch_add(1, Order::Relaxed); // fault: counter_at_block_scope
}

#[kernel(threads = 1)]
fn flag_read_plainly(data: Global<u32>) {
    if block() == 0 {
        data.write(VALUE, 42);
        atomic::store_release(data, FLAG, 1); // fault: flag_read_plainly
    } else {
        while data.read(FLAG) == 0 {} // fault: flag_read_plainly
        data.read(VALUE);
    }
}

/// Nobody sets the flag: the writer is the block itself, after the loop.
#[kernel(threads = 1)]
fn spin_on_plain_read(data: Global<u32>) {
    while data.read(FLAG) == 0 {} // fault: spin_on_plain_read
    data.write(FLAG, 1);
}

#[kernel(threads = 64)]
fn counter_read_plainly(data: Global<u32>) {
    atomic::fetch_add(data, 0, 1); // fault: counter_read_plainly
    let count = data.read(0); // fault: counter_read_plainly
    if count == 128 {
        data.write(1, 1);
    }
}

#[kernel(threads = 1)]
fn relaxed_spin_lock(data: Global<u32>) {
    while atomic::compare_exchange(data, 0, 0, 1) != 0 {}
    data.write(1, data.read(1) + 1); // fault: relaxed_spin_lock
    atomic::store(data, 0, 0);
}

/// Two accounts, each with a lock, and transfers in both directions.
#[kernel(threads = 1)]
fn two_locks(locks: Global<u32>) {
    let (mine, other) = if block() == 0 { (0, 1) } else { (1, 0) };
    while atomic::device(locks, mine).compare_exchange(0, 1, Order::Acquire) != 0 {}
    while atomic::device(locks, other).compare_exchange(0, 1, Order::Acquire) != 0 {} // fault: two_locks
    atomic::store_release(locks, other, 0);
    atomic::store_release(locks, mine, 0);
}

/// The path that finds nothing to do keeps the lock.
#[kernel(threads = 1)]
fn lock_kept_on_one_path(data: Global<u32>) {
    while atomic::device(data, 0).compare_exchange(0, 1, Order::Acquire) != 0 {} // fault: lock_kept_on_one_path
    if data.read(1) >= 2 {
        return;
    }
    data.write(1, data.read(1) + 1);
    atomic::store_release(data, 0, 0);
}

/// A stack of nodes 1 to 3 in a list. Word 0: the top; word i: the node below node i.
#[kernel(threads = 1)]
fn stack_without_tags(data: Global<u32>, taken: Global<u32>) {
    // Block 0 pops one node; the other block pops two, and pushes the first one back.
    let mut last = 0;
    for turn in 0..if block() == 0 { 1 } else { 2 } {
        let node = loop {
            let top = atomic::load_acquire(data, 0);
            let below = atomic::load_acquire(data, top as usize);
            if atomic::device(data, 0).compare_exchange(top, below, Order::AcqRel) == top {
                break top;
            }
        };
        // Each node may be taken by one block at a time.
        atomic::fetch_add(taken, node as usize, 1);
        if turn == 0 {
            last = node;
        }
    }
    if block() == 1 {
        loop {
            let top = atomic::load_acquire(data, 0);
            atomic::store_release(data, last as usize, top);
            if atomic::device(data, 0).compare_exchange(top, last, Order::AcqRel) == top {
                break;
            }
        }
        atomic::fetch_add(taken, last as usize, u32::MAX);
    }
}

/// All blocks count up, and wait until everyone has: more blocks than are resident.
#[kernel(threads = 1)]
fn grid_barrier_of_64_blocks(data: Global<u32>) {
    atomic::fetch_add_acq_rel(data, 0, 1);
    while atomic::load_acquire(data, 0) < thread::grid_dim_x() {} // fault: grid_barrier_of_64_blocks
}

/// As `grid_barrier_of_64_blocks`, but all blocks are resident in the simulator.
#[kernel(threads = 1)]
fn grid_barrier_of_8_blocks(data: Global<u32>) {
    atomic::fetch_add_acq_rel(data, 0, 1);
    while atomic::load_acquire(data, 0) < thread::grid_dim_x() {}
}

#[kernel(threads = 1)]
fn wait_for_the_block_before(data: Global<u32>) {
    let b = block() as usize;
    while b > 0 && atomic::load_acquire(data, b - 1) == 0 {} // fault: wait_for_the_block_before
    atomic::store_release(data, b, 1);
}

/// The last block adds up all sums, as in CUDA's sample `threadFenceReduction`.
#[kernel(threads = 32)]
fn last_block_without_acquire(data: Global<u32>, sums: Global<u32>) {
    shared_array!(is_last: [u32; 1]);
    if thread::first() {
        sums.write(block() as usize, 1); // fault: last_block_without_acquire
        thread::device_fence();
        is_last.write(0, u32::from(atomic::fetch_add(data, 0, 1) == thread::grid_dim_x() - 1));
    }
    barrier();
    if is_last.read(0) == 1 && thread::first() {
        let sum = (0..thread::grid_dim_x()).map(|b| sums.read(b as usize)).sum(); // fault: last_block_without_acquire
        data.write(1, sum);
    }
}

/// As in CUDA's sample, every thread writes and executes a fence; thread 0 counts after a barrier.
#[kernel(threads = 32)]
fn fence_by_every_thread(data: Global<u32>, words: Global<u32>) {
    shared_array!(is_last: [u32; 1]);
    words.write(thread::index_1d() as usize, 1); // fault: fence_by_every_thread
    thread::device_fence();
    barrier();
    if thread::first() {
        is_last.write(0, u32::from(atomic::fetch_add(data, 0, 1) == thread::grid_dim_x() - 1));
        thread::device_fence();
    }
    barrier();
    if is_last.read(0) == 1 && thread::first() {
        let n = thread::grid_dim_x() * thread::block_dim_x();
        data.write(1, (0..n).map(|i| words.read(i as usize)).sum()); // fault: fence_by_every_thread
    }
}

/// Sums of numbers that `f32` rounds.
#[kernel(threads = 1)]
fn order_of_float_additions(data: Global<u32>) {
    let number = [1e8f32, 3.0, 5.0, -1e8][block() as usize % 4];
    atomic::fetch_add(data.cast::<f32>(), 0, number);
}

#[kernel(threads = 1)]
fn load_and_store_for_an_addition(data: Global<u32>) {
    let count = atomic::load(data, 0);
    atomic::store(data, 0, count + 1);
}

pub fn group() -> Group {
    let race = Found::ByLaunch("Race");
    let deadlock = Found::ByLaunch("Deadlock");
    let planted: Vec<Planted> = vec![
        planted("no_fence", "a relaxed flag and no fence", race, |gpu| run(gpu, 2, &[0; 2], |data| NoFence { data })),
        planted("fence_of_the_writer_alone", "a fence on the writer's side alone", race, |gpu| {
            run(gpu, 2, &[0; 2], |data| FenceOfTheWriterAlone { data })
        }),
        planted("flag_before_data", "the flag is set before the data is written", race, |gpu| {
            run(gpu, 2, &[0; 2], |data| FlagBeforeData { data })
        }),
        planted("release_at_block_scope", "a release at block scope for another block", race, |gpu| {
            run(gpu, 2, &[0; 2], |data| ReleaseAtBlockScope { data })
        }),
        planted("counter_at_block_scope", "blocks count at block scope", race, |gpu| {
            run(gpu, 4, &[0; 1], |data| CounterAtBlockScope { data })
        }),
        planted("flag_read_plainly", "a flag that is read without an atomic", race, |gpu| {
            run(gpu, 2, &[0; 2], |data| FlagReadPlainly { data })
        }),
        planted("spin_on_plain_read", "an endless loop on a plain read", deadlock, |gpu| {
            run(gpu, 2, &[0; 1], |data| SpinOnPlainRead { data })
        }),
        planted("counter_read_plainly", "an atomic counter that is read without an atomic", race, |gpu| {
            run(gpu, 2, &[0; 2], |data| CounterReadPlainly { data })
        }),
        planted("relaxed_spin_lock", "a spin lock of relaxed operations", race, |gpu| {
            run(gpu, 2, &[0; 2], |data| RelaxedSpinLock { data })
        }),
        planted("two_locks", "two locks, taken in two orders", deadlock, |gpu| {
            run(gpu, 2, &[0; 2], |locks| TwoLocks { locks })
        }),
        planted("lock_kept_on_one_path", "a path that does not release the lock", deadlock, |gpu| {
            run(gpu, 4, &[0; 2], |data| LockKeptOnOnePath { data })
        }),
        planted("stack_without_tags", "a stack without tags (ABA)", Found::Differs, |gpu| {
            let data = gpu.alloc_from(&[3u32, 0, 1, 2], "data");
            let taken = gpu.alloc_from(&[0u32; 4], "taken");
            gpu.launch_kernel(2, StackWithoutTags { data: data.handle(), taken: taken.handle() })?;
            let (data, taken) = (gpu.download(&data, 4)?, gpu.download(&taken, 4)?);
            // One node is left; the nodes in the stack and the taken ones are all nodes once.
            let mut count = taken;
            let mut node = data[0];
            for _ in 0..data.len() {
                count[node as usize] += 1;
                node = data[node as usize];
            }
            Ok(count[1..].to_vec())
        }),
        planted("grid_barrier_of_64_blocks", "a grid barrier of more blocks than run at a time", deadlock, |gpu| {
            run(gpu, 64, &[0; 1], |data| GridBarrierOf64Blocks { data })
        }),
        planted(
            "grid_barrier_of_8_blocks",
            "a grid barrier without a cooperative launch",
            Found::No("all 8 blocks are resident"),
            |gpu| run(gpu, 8, &[0; 1], |data| GridBarrierOf8Blocks { data }),
        ),
        planted(
            "wait_for_the_block_before",
            "a block that waits for the block before it",
            Found::BySchedules("Deadlock"),
            |gpu| run(gpu, 64, &[0; 64], |data| WaitForTheBlockBefore { data }),
        ),
        planted("last_block_without_acquire", "the last block reads without an acquire", race, |gpu| {
            let sums = gpu.alloc::<u32>(4, "sums");
            run(gpu, 4, &[0; 2], |data| LastBlockWithoutAcquire { data, sums: sums.handle() })
        }),
        planted("fence_by_every_thread", "the fence is not that of the thread that counts", race, |gpu| {
            let words = gpu.alloc::<u32>(128, "words");
            run(gpu, 4, &[0; 2], |data| FenceByEveryThread { data, words: words.handle() })
        }),
        planted("order_of_float_additions", "a sum of floats in the order of the blocks", Found::Differs, |gpu| {
            run(gpu, 4, &[0; 1], |data| OrderOfFloatAdditions { data })
        }),
        planted(
            "load_and_store_for_an_addition",
            "a load and a store instead of one addition",
            Found::Differs,
            |gpu| run(gpu, 4, &[0; 1], |data| LoadAndStoreForAnAddition { data }),
        ),
    ];
    Group { title: "Between blocks", file: file!(), text: include_str!("blocks.rs"), planted }
}
