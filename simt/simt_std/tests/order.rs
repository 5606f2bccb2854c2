//! Order between threads and blocks. Each way of handing data over without a barrier is tested in
//! two versions: the wrong one is found with its source lines, and the right one is silent in 100
//! schedules.
//!
//! The lines of the two racing accesses end with `// race: ` and a name.

mod common;

use common::{block, blocks, job};
use simt_std::atomic::{self, Order, Scope};
use simt_std::simulator::{Access, FaultKind, Grid, Options, Simulator, Space, schedules};
use simt_std::{U32x4, global::Global, shared_array, thread, warp};

const SOURCE: &str = include_str!("order.rs");

/// Checks that a kernel is silent in 100 schedules, and in 10 schedules with accounting.
fn silent(grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) {
    for (count, accounting) in [(100, false), (10, true)] {
        let run = |gpu: &mut Simulator| job(grid, body)(gpu).map(|_| ());
        schedules(count, Options { accounting, ..Options::default() }, run).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

/// Checks that a race between the lines of this name is found, without a seed and under one.
fn race(name: &str, grid: Grid, body: impl Fn(Global<u32>) + Copy + 'static) {
    let mark = format!("// race: {name}");
    let lines: Vec<u32> = (1..).zip(SOURCE.lines()).filter(|(_, line)| line.ends_with(&mark)).map(|(i, _)| i).collect();
    assert!(!lines.is_empty(), "{name}");
    let check = |options| {
        let fault = job(grid, body)(&mut Simulator::new(options)).expect_err(name);
        let FaultKind::Race { earlier_location, .. } = &fault.kind else { panic!("{name}: {fault}") };
        let found = [fault.location.unwrap().line(), earlier_location.line()];
        assert!(found.iter().all(|line| lines.contains(line)), "{name}: {fault}");
        assert!(lines.iter().all(|line| found.contains(line)), "{name}: {fault}");
    };
    check(Options::default());
    check(Options { accounting: true, ..Options::default() });
    // The race is also found in other orders, if the kernel reaches it.
    let found = (0..20).filter(|&seed| {
        let outcome = job(grid, body)(&mut Simulator::new(Options { seed: Some(seed), ..Options::default() }));
        assert!(outcome.as_ref().err().is_none_or(|fault| fault.seed == Some(seed)));
        outcome.is_err()
    });
    assert!(found.count() > 0, "{name}: no seed finds it");
}

fn wait_acquire(data: Global<u32>, i: usize) {
    while atomic::load_acquire(data, i) == 0 {}
}

fn wait_relaxed(data: Global<u32>, i: usize) {
    while atomic::load(data, i) == 0 {}
}

const FLAG: usize = 32;
const SECOND: usize = 33;

#[test]
fn the_last_arriver_needs_fences() {
    // Each block writes its word and increments a counter; the last one reads all words.
    let kernel = |fences: bool| {
        move |data: Global<u32>| {
            data.write(block() as usize, 1); // race: arrival
            if fences {
                thread::device_fence();
            }
            if atomic::fetch_add(data, FLAG, 1) == 3 {
                if fences {
                    thread::device_fence();
                }
                let sum: u32 = (0..4).map(|i| data.read(i)).sum(); // race: arrival
                assert_eq!(sum, 4);
            }
        }
    };
    silent(blocks(4), kernel(true));
    race("arrival", blocks(4), kernel(false));
    // Orders at the counter replace the fences.
    silent(blocks(4), |data| {
        data.write(block() as usize, 1);
        if atomic::fetch_add_acq_rel(data, FLAG, 1) == 3 {
            assert_eq!((0..4).map(|i| data.read(i)).sum::<u32>(), 4);
        }
    });
}

/// CUDA's threadFenceReduction: all threads write and execute a fence, thread 0 counts for its
/// block, and all threads of the last block read. Each fence is before and after another thread's
/// atomic operation.
#[test]
fn the_fence_idiom_needs_two_sequentially_consistent_fences() {
    const COUNT: usize = 63;
    let kernel = |writers: Option<(Order, Scope)>, readers: Option<(Order, Scope)>| {
        move |data: Global<u32>| {
            shared_array!(last: [u32; 1]);
            let t = thread::thread_idx_x();
            let fence = |given: Option<_>| given.into_iter().for_each(|(order, scope)| atomic::fence(order, scope));
            if t < 16 {
                data.write(block() * 16 + t, 1); // race: idiom
            }
            fence(writers);
            // SAFETY: all threads are here.
            unsafe { thread::sync_threads() };
            if t == 0 {
                last.write(0, atomic::fetch_add(data, COUNT, 1));
            }
            // SAFETY: all threads are here.
            unsafe { thread::sync_threads() };
            if last.read(0) == 2 {
                fence(readers);
                if t < 48 {
                    assert_eq!(data.read(t), 1); // race: idiom
                }
            }
        }
    };
    let [sc, acq_rel] = [Order::SeqCst, Order::AcqRel].map(|order| Some((order, Scope::Device)));
    let grid = Grid::linear(3, 64);
    silent(grid, kernel(sc, sc));
    silent(grid, kernel(Some((Order::SeqCst, Scope::System)), sc));
    for (writers, readers) in [
        (None, None),
        (sc, None),
        (None, sc),
        (acq_rel, acq_rel),
        (sc, acq_rel),
        (acq_rel, sc),
        (Some((Order::SeqCst, Scope::Block)), sc),
        (sc, Some((Order::SeqCst, Scope::Block))),
    ] {
        race("idiom", grid, kernel(writers, readers));
    }
}

/// The order of two fences that no atomic operation links is unknown, even if one was earlier.
#[test]
fn sequentially_consistent_fences_alone_order_nothing() {
    let kernel = |linked: bool| {
        move |data: Global<u32>| {
            if block() == 0 {
                data.write(0, 1); // race: unlinked
                atomic::fence(Order::SeqCst, Scope::Device);
                atomic::store(data, FLAG, 1);
            } else {
                wait_relaxed(data, FLAG);
                if linked {
                    atomic::fence(Order::SeqCst, Scope::Device);
                }
                data.read(0); // race: unlinked
            }
        }
    };
    silent(blocks(2), kernel(true));
    race("unlinked", blocks(2), kernel(false));
    race("words", blocks(2), |data| {
        if block() == 0 {
            data.write(0, 1); // race: words
            atomic::fence(Order::SeqCst, Scope::Device);
            atomic::store(data, FLAG, 1);
        } else {
            let _ = atomic::load(data, SECOND);
            atomic::fence(Order::SeqCst, Scope::Device);
            data.read(0); // race: words
        }
    });
}

#[test]
fn sequentially_consistent_operations_acquire_and_release() {
    let kernel = |order: Order| {
        move |data: Global<u32>| {
            let flag = atomic::device(data, FLAG);
            if block() == 0 {
                data.write(0, 42); // race: operations
                flag.store(1, order);
            } else {
                while flag.load(order) == 0 {}
                assert_eq!(data.read(0), 42); // race: operations
            }
        }
    };
    silent(blocks(2), kernel(Order::SeqCst));
    race("operations", blocks(2), kernel(Order::Relaxed));
    let count = |order: Order| {
        move |data: Global<u32>| {
            data.write(block(), 1); // race: count
            if atomic::device(data, FLAG).fetch_add(1, order) == 3 {
                assert_eq!((0..4).map(|i| data.read(i)).sum::<u32>(), 4); // race: count
            }
        }
    };
    silent(blocks(4), count(Order::SeqCst));
    race("count", blocks(4), count(Order::Acquire));
}

#[test]
fn the_last_block_reads_what_all_threads_wrote() {
    // After a barrier, one thread counts for its block; another barrier orders the others.
    let kernel = |barrier: bool| {
        move |data: Global<u32>| {
            shared_array!(last: [u32; 1]);
            let i = thread::thread_idx_x();
            if i < 16 {
                data.write((block() * 16 + i) as usize, 1); // race: sum
            }
            if barrier {
                // SAFETY: all threads are here.
                unsafe { thread::sync_threads() };
            }
            if i == 0 {
                last.write(0, atomic::fetch_add_acq_rel(data, FLAG, 1));
            }
            // SAFETY: all threads are here.
            unsafe { thread::sync_threads() };
            if last.read(0) == 1 && i < 32 {
                data.read(i as usize); // race: sum
            }
        }
    };
    silent(Grid::linear(2, 64), kernel(true));
    race("sum", Grid::linear(2, 64), kernel(false));
}

#[test]
fn a_plain_read_of_a_counter_is_a_race() {
    race("counter", blocks(4), |data| {
        let before = atomic::fetch_add(data, 0, 1); // race: counter
        if before == 3 {
            data.read(0); // race: counter
        }
    });
    silent(blocks(4), |data| {
        if atomic::fetch_add(data, 0, 1) == 3 {
            assert_eq!(atomic::load(data, 0), 4);
        }
    });
    silent(blocks(4), |data| {
        if atomic::fetch_add_acq_rel(data, 0, 1) == 3 {
            assert_eq!(data.read(0), 4);
        }
    });
}

#[test]
fn a_plain_write_before_atomics_is_a_race_with_another_blocks() {
    let kernel = |release: bool| {
        move |data: Global<u32>| {
            if block() == 0 {
                data.write(0, 7); // race: start
                atomic::fetch_add(data, 0, 1);
                if release {
                    atomic::store_release(data, FLAG, 1);
                } else {
                    atomic::store(data, FLAG, 1);
                }
            } else {
                if release {
                    wait_acquire(data, FLAG);
                } else {
                    wait_relaxed(data, FLAG);
                }
                atomic::fetch_add(data, 0, 1); // race: start
            }
        }
    };
    silent(blocks(2), kernel(true));
    race("start", blocks(2), kernel(false));
}

#[test]
fn a_read_is_remembered_when_another_lane_reads_later() {
    let kernel = |mask: u32| {
        move |data: Global<u32>| {
            let lane = warp::lane_id();
            if lane == 0 {
                data.read(0); // race: displaced
            }
            if mask >> lane & 1 == 1 {
                // SAFETY: the lanes of the mask are here.
                unsafe { warp::sync_warp(mask) };
            }
            if lane == 1 {
                data.read(0);
                data.write(0, 1); // race: displaced
            }
        }
    };
    silent(Grid::linear(1, 32), kernel(0b111));
    race("displaced", Grid::linear(1, 32), kernel(0b110));
}

#[test]
fn a_read_of_a_third_block_is_remembered() {
    // Two warps of block 1 read, then block 2, then after a barrier block 1 writes: the barrier
    // orders only its own reads. Relaxed flags force this order of events, but order no accesses.
    // Block 0 does nothing, because it must not wait for others.
    race("third", Grid::linear(3, 64), |data| {
        let i = thread::thread_idx_x();
        if block() == 1 {
            data.read(0);
            atomic::fetch_add(data, FLAG, 1);
            // SAFETY: all threads of the block are here.
            unsafe { thread::sync_threads() };
            if i == 0 {
                wait_relaxed(data, SECOND);
                data.write(0, 1); // race: third
            }
        } else if block() == 2 && i == 0 {
            while atomic::load(data, FLAG) != 64 {}
            data.read(0); // race: third
            atomic::store(data, SECOND, 1);
        }
    });
}

/// Block 0 hands a word to block 1, which waits for a flag; `write` and `read` handle the flag.
fn hand_over(write: fn(Global<u32>), read: fn(Global<u32>)) -> impl Fn(Global<u32>) + Copy {
    move |data| {
        if block() == 0 {
            data.write(0, 42); // race: flag
            write(data);
        } else if block() == 1 {
            read(data);
            assert_eq!(data.read(0), 42); // race: flag
        }
    }
}

#[test]
fn a_flag_hands_over_by_release_and_acquire() {
    let acquire = |data| wait_acquire(data, FLAG);
    let relaxed = |data| wait_relaxed(data, FLAG);
    silent(blocks(2), hand_over(|data| atomic::store_release(data, FLAG, 1), acquire));
    race("flag", blocks(2), hand_over(|data| atomic::store(data, FLAG, 1), relaxed));
    race("flag", blocks(2), hand_over(|data| atomic::store(data, FLAG, 1), acquire));
    race("flag", blocks(2), hand_over(|data| atomic::store_release(data, FLAG, 1), relaxed));
}

#[test]
fn fences_hand_over_in_pairs() {
    let fenced = |data: Global<u32>| {
        thread::device_fence();
        atomic::store(data, FLAG, 1);
    };
    let then_fence = |data: Global<u32>| {
        wait_relaxed(data, FLAG);
        thread::device_fence();
    };
    silent(blocks(2), hand_over(fenced, then_fence));
    silent(blocks(2), hand_over(fenced, |data| wait_acquire(data, FLAG)));
    silent(blocks(2), hand_over(|data| atomic::store_release(data, FLAG, 1), then_fence));
    race("flag", blocks(2), hand_over(fenced, |data| wait_relaxed(data, FLAG)));
    race("flag", blocks(2), hand_over(|data| atomic::store(data, FLAG, 1), then_fence));
    // A fence after the store is too late, and so is one before the load.
    let late = |data: Global<u32>| {
        atomic::store(data, FLAG, 1);
        thread::device_fence();
    };
    race("flag", blocks(2), hand_over(late, then_fence));
    let early = |data: Global<u32>| {
        thread::device_fence();
        wait_relaxed(data, FLAG);
    };
    race("flag", blocks(2), hand_over(fenced, early));
}

#[test]
fn block_scope_orders_within_a_block_alone() {
    // Fences of block scope order nothing between blocks.
    let fenced = |data: Global<u32>| {
        thread::block_fence();
        atomic::store(data, FLAG, 1);
    };
    let then_fence = |data: Global<u32>| {
        wait_relaxed(data, FLAG);
        thread::block_fence();
    };
    race("flag", blocks(2), hand_over(fenced, then_fence));
    // Atomic operations of two blocks at block scope race with each other.
    race("scope", blocks(2), |data| {
        if block() == 0 {
            atomic::block(data, FLAG).store(1, Order::Release); // race: scope
        } else {
            atomic::block(data, FLAG).load(Order::Acquire); // race: scope
        }
    });
    // Block scope suffices between the warps of a block, in shared memory too.
    silent(Grid::linear(2, 64), |_| {
        shared_array!(word: [u32; 1]);
        shared_array!(flag: [u32; 1]);
        let i = thread::thread_idx_x();
        if i == 0 {
            atomic::store(flag, 0, 0);
        }
        // SAFETY: all threads are here.
        unsafe { thread::sync_threads() };
        if i == 0 {
            word.write(0, 42);
            atomic::block(flag, 0).store(1, Order::Release);
        } else if i == 40 {
            while atomic::block(flag, 0).load(Order::Acquire) == 0 {}
            assert_eq!(word.read(0), 42);
        }
    });
    race("shared", Grid::linear(2, 64), |_| {
        shared_array!(word: [u32; 1]);
        shared_array!(flag: [u32; 1]);
        let i = thread::thread_idx_x();
        if i == 0 {
            atomic::store(flag, 0, 0);
        }
        // SAFETY: all threads are here.
        unsafe { thread::sync_threads() };
        if i == 0 {
            word.write(0, 42); // race: shared
            atomic::store(flag, 0, 1);
        } else if i == 40 {
            while atomic::load(flag, 0) == 0 {}
            word.read(0); // race: shared
        }
    });
}

#[test]
fn what_was_acquired_is_released_further() {
    let kernel = |between: Order| {
        move |data: Global<u32>| match block() {
            0 => {
                data.write(0, 42); // race: further
                atomic::store_release(data, FLAG, 1);
            }
            1 => {
                while atomic::device(data, FLAG).load(between) == 0 {}
                atomic::store_release(data, SECOND, 1);
            }
            _ => {
                wait_acquire(data, SECOND);
                assert_eq!(data.read(0), 42); // race: further
            }
        }
    };
    silent(blocks(3), kernel(Order::Acquire));
    race("further", blocks(3), kernel(Order::Relaxed));
}

#[test]
fn what_follows_a_release_is_not_covered() {
    race("after", blocks(2), |data| {
        if block() == 0 {
            atomic::store_release(data, FLAG, 1);
            data.write(0, 1); // race: after
            atomic::store(data, SECOND, 1);
        } else {
            wait_relaxed(data, SECOND);
            wait_acquire(data, FLAG);
            data.read(0); // race: after
        }
    });
}

#[test]
fn a_read_modify_write_continues_a_release_and_a_store_ends_it() {
    let kernel = |store: bool| {
        move |data: Global<u32>| match block() {
            0 => {
                data.write(0, 42); // race: sequence
                atomic::store_release(data, FLAG, 1);
            }
            1 => {
                wait_relaxed(data, FLAG);
                if store {
                    atomic::store(data, FLAG, 2);
                } else {
                    atomic::fetch_add(data, FLAG, 1);
                }
                atomic::store(data, SECOND, 1);
            }
            _ => {
                wait_relaxed(data, SECOND);
                assert_eq!(atomic::load_acquire(data, FLAG), 2);
                assert_eq!(data.read(0), 42); // race: sequence
            }
        }
    };
    silent(blocks(3), kernel(false));
    race("sequence", blocks(3), kernel(true));
}

#[test]
fn a_lock_protects_plain_data() {
    let kernel = |unlock: Order| {
        move |data: Global<u32>| {
            let lock = atomic::device(data, FLAG);
            while lock.compare_exchange(0, 1, Order::Acquire) != 0 {}
            let count = data.read(0); // race: lock
            data.write(0, count + 1); // race: lock
            lock.store(0, unlock);
        }
    };
    silent(blocks(6), kernel(Order::Release));
    let words = schedules(100, Options::default(), job(Grid::linear(3, 4), kernel(Order::Release))).unwrap();
    assert_eq!(words[0], 12);
    race("lock", blocks(6), kernel(Order::Relaxed));
}

#[test]
fn accesses_of_different_widths_are_told_apart() {
    // Neighbouring bytes do not race; a word that contains them does.
    let bytes = |data: Global<u32>| data.cast::<u8>().write(block() as usize, 1);
    silent(blocks(4), bytes);
    race("widths", blocks(2), |data| {
        if block() == 0 {
            data.write(0, 1); // race: widths
        } else {
            data.cast::<u8>().write(3, 1); // race: widths
        }
    });
    // Many lanes read 16 bytes, and one lane of another warp writes one of these bytes.
    let kernel = |barrier: bool| {
        move |data: Global<u32>| {
            let i = thread::thread_idx_x();
            if i < 32 {
                data.cast::<U32x4>().read(0); // race: vector
            }
            if barrier {
                // SAFETY: all threads are here.
                unsafe { thread::sync_threads() };
            }
            if i == 40 {
                data.cast::<u8>().write(13, 1); // race: vector
            }
            if i == 41 {
                data.cast::<u8>().write(14, 1);
            }
        }
    };
    silent(Grid::linear(1, 64), kernel(true));
    race("vector", Grid::linear(1, 64), kernel(false));
    // Then the words have separate records: a write of one drops only its own readers.
    silent(Grid::linear(1, 64), |data| {
        let i = thread::thread_idx_x();
        if i < 32 {
            data.cast::<U32x4>().read(0);
        }
        // SAFETY: all threads are here.
        unsafe { thread::sync_threads() };
        if i == 0 {
            data.write(0, 1);
        }
        if i < 32 {
            data.read(5);
        }
        if i == 40 {
            data.write(1, 1);
        }
    });
}

#[test]
fn barriers_and_collectives_have_rows() {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    gpu.launch("rows", Grid::linear(2, 64), || {
        // SAFETY: all threads are here.
        unsafe { thread::sync_threads() };
        if warp::lane_id() < 8 {
            // SAFETY: the lanes of the mask are here.
            unsafe { warp::sync_warp(0xff) };
        }
    })
    .unwrap();
    let line = line!();
    let rows: Vec<_> = gpu.costs().meetings().map(|(_, line, what, cost)| (line, what.to_string(), *cost)).collect();
    let [(barrier, what, all), (sync, kind, some)] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((*barrier, what.as_str(), all.times, all.lanes), (line - 7, "barrier", 4, 128));
    assert_eq!((*sync, kind.as_str(), some.times, some.lanes), (line - 4, "warp", 4, 32));
    let table = gpu.costs().to_string();
    assert!(table.contains("barrier") && table.contains(" 32.0") && table.contains(" 8.0"), "{table}");
    assert!(gpu.costs().to_json().contains("\"meeting\":\"barrier\""));
}

#[test]
fn divergence_shows_in_the_lanes_of_an_access() {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let data = gpu.alloc::<u32>(32, "data");
    let handle: Global<u32> = data.handle();
    gpu.launch("half", Grid::linear(1, 32), move || {
        let lane = warp::lane_id();
        if lane.is_multiple_of(2) {
            handle.write(lane as usize, 0);
        }
    })
    .unwrap();
    let (.., cost) = gpu.costs().lines().next().unwrap();
    assert_eq!((cost.accesses, cost.lanes), (1, 16));
    assert!(gpu.costs().to_string().contains(" 16.0 "), "{}", gpu.costs());
    assert_eq!(gpu.costs().total_of(Space::Global, Access::Write).lanes, 16);
}

/// Returns the data in the page of a timeline.
fn timeline(gpu: &Simulator) -> serde_json::Value {
    let html = gpu.timeline_html();
    let line = html.lines().find_map(|line| line.strip_prefix("const data = ")).expect("the data");
    serde_json::from_str(line.trim_end_matches(';')).expect("JSON")
}

#[test]
fn a_timeline_has_each_warps_steps_and_the_wait_at_a_barrier() {
    let mut gpu = Simulator::new(Options { timeline: true, resident_blocks: 1, ..Options::default() });
    let data = gpu.alloc::<u32>(128, "data");
    let handle: Global<u32> = data.handle();
    let first = line!() + 3;
    gpu.launch("steps </script>", Grid::linear(2, 64), move || {
        let i = thread::index_1d() as usize;
        handle.write(i, 0);
        if i % 64 < 8 {
            handle.read(i);
        }
        // SAFETY: all threads are here.
        unsafe { thread::sync_threads() };
        // SAFETY: all lanes are here.
        unsafe { warp::sync_warp(!0) };
    })
    .unwrap();
    assert_eq!(gpu.timeline_html().matches("</script>").count(), 1, "what a kernel is called ends no script");
    let page = timeline(&gpu);
    let launch = &page["launches"][0];
    assert_eq!(launch["kernel"], "steps </script>");
    assert_eq!(launch["rows"], serde_json::json!([[0, 0], [0, 1], [1, 0], [1, 1]]));
    let line = |site: &serde_json::Value| page["sites"][site.to_string()][1].as_u64().unwrap() - u64::from(first);
    let steps = launch["steps"].as_array().unwrap().iter();
    let mut steps: Vec<(u64, u64, u64, u64, u64, u64)> = steps
        .map(|step| {
            let number = |i: usize| step[i].as_u64().unwrap();
            (number(0), number(1), number(2), number(3), line(&step[4]), number(5))
        })
        .collect();
    steps.sort_unstable();
    // Row, start, length, type, line, lanes: a write, a read, the barrier, the collective.
    let all = u64::from(u32::MAX);
    let block = |row, begin| {
        [
            (row, begin, 1, 1, 0, all),
            (row, begin + 1, 1, 0, 2, 0xff),
            (row, begin + 2, 1, 6, 5, all),
            (row, begin + 3, 1, 5, 7, all),
            (row + 1, begin, 1, 1, 0, all),
            (row + 1, begin + 1, 2, 6, 5, all),
            (row + 1, begin + 3, 1, 5, 7, all),
        ]
    };
    assert_eq!(steps, [block(0, 0), block(2, 4)].concat());
    assert_eq!(page["sources"].as_object().unwrap().values().next().unwrap(), SOURCE);
    assert!(gpu.costs().lines().next().is_none(), "costs are for those who ask for them");
    assert!(timeline(&Simulator::default())["launches"].as_array().unwrap().is_empty());
}

#[test]
fn a_timeline_for_programs_has_each_lanes_address_and_ends_with_the_fault() {
    let options = Options { timeline: true, addresses: true, ..Options::default() };
    let mut gpu = Simulator::new(options);
    let out = gpu.alloc::<u16>(64, "out");
    let handle: Global<u16> = out.handle();
    let fault = gpu.launch("twice", Grid::linear(1, 4), move || {
        let t = thread::thread_idx_x();
        shared_array!(words: [u32; 8]);
        words.write(2 * t, t);
        handle.write(8 + t as usize / 3, 1);
    });
    assert!(matches!(fault.unwrap_err().kind, FaultKind::Race { .. }));
    let data: serde_json::Value = serde_json::from_str(&gpu.timeline_json()).unwrap();
    let launch = &data["launches"][0];
    assert_eq!(launch["steps"].as_array().unwrap().len(), 2, "{launch}");
    let want = serde_json::json!([
        { "step": 0, "size": 4, "array": null, "bytes": [0, 8] },
        { "step": 1, "size": 2, "array": "out", "bytes": [16, 16] },
    ]);
    assert_eq!(launch["addresses"], want);
    assert_eq!(data["sites"].as_object().unwrap().len(), 2);
}
