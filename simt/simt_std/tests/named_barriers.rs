//! Named barriers: right uses in several orders of threads, and the faults of wrong ones.

use simt_std::prelude::*;
use simt_std::simulator::{Fault, FaultKind, Grid, Options, Simulator, schedules};

/// Runs a kernel of one block on 64 zeros, and returns the words after it.
fn run(gpu: &mut Simulator, threads: u32, body: impl Fn(Global<u32>) + 'static) -> Result<Vec<u32>, Fault> {
    let data = gpu.alloc_from(&[0; 64], "data");
    let handle: Global<u32> = data.handle();
    gpu.launch("planted", Grid::linear(1, threads), move || body(handle))?;
    gpu.download(&data, 64)
}

fn fault_of(threads: u32, body: impl Fn(u32) + 'static) -> Fault {
    run(&mut Simulator::default(), threads, move |_| body(warp::warp_id())).unwrap_err()
}

fn assert_says(fault: &Fault, parts: &[&str]) {
    let text = fault.to_string();
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("named_barriers.rs:"), "{text}");
}

/// Warp 0 produces, warp 1 consumes, warp 2 does neither; `full` and `empty` are the two barriers.
fn produce_and_consume(data: Global<u32>, full: u32, empty: u32) {
    shared_array!(buffer: [u32; 32]);
    let lane = warp::lane_id();
    for round in 0..4 {
        // SAFETY: all lanes of the two warps are here.
        unsafe {
            match warp::warp_id() {
                0 => {
                    buffer.write(lane, 100 * round + lane);
                    thread::barrier_arrive(full, 64);
                    thread::barrier_sync(empty, 64);
                }
                1 => {
                    thread::barrier_sync(full, 64);
                    let sum = data.read(lane as usize) + buffer.read(31 - lane);
                    data.write(lane as usize, sum);
                    thread::barrier_arrive(empty, 64);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_producer_and_a_consumer_take_turns() {
    for accounting in [false, true] {
        let options = Options { accounting, ..Options::default() };
        let got = schedules(60, options, |gpu| run(gpu, 96, |data| produce_and_consume(data, 1, 15))).unwrap();
        assert!((0..32).all(|i| got[i] == 600 + 4 * (31 - i as u32)), "{got:?}");
    }
}

/// Two halves of a block meet separately, and then all of it; the last warp has 16 lanes.
#[test]
fn groups_of_warps_meet_and_a_short_warp_counts_as_32_threads() {
    let job = |gpu: &mut Simulator| {
        run(gpu, 112, |data| {
            shared_array!(words: [u32; 112]);
            let (i, half) = (thread::thread_idx_x(), thread::thread_idx_x() / 64);
            words.write(i, i);
            // SAFETY: two whole warps, one of them short in the second half.
            unsafe { thread::barrier_sync(1 + half, 64) };
            let size = if half == 0 { 64 } else { 48 };
            let other = words.read(64 * half + (i % 64 + 1) % size);
            // SAFETY: every thread of the block is here.
            unsafe { thread::barrier_sync(3, 128) };
            words.write(i, other);
            // SAFETY: as above.
            unsafe { thread::sync_threads() };
            if i < 56 {
                data.write(i as usize, words.read(2 * i));
            }
        })
    };
    let got = schedules(40, Options::default(), job).unwrap();
    let expected = |i: u32| {
        let (i, half) = (2 * i, 2 * i / 64);
        64 * half + (i % 64 + 1) % if half == 0 { 64 } else { 48 }
    };
    assert!((0..56).all(|i| got[i as usize] == expected(i)), "{got:?}");
}

/// Those that only arrive learn nothing of the others, and a barrier orders only its own warps.
#[test]
fn arriving_orders_in_one_direction() {
    let race = |body: fn(Global<u32>)| {
        for seed in [None, Some(0), Some(1), Some(2), Some(3)] {
            let mut gpu = Simulator::new(Options { seed, ..Options::default() });
            let fault = run(&mut gpu, 96, body).unwrap_err();
            assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
        }
    };
    // The producer writes again without knowing that the consumer has read.
    race(|data| {
        let lane = warp::lane_id() as usize;
        // SAFETY: all lanes of warps 0 and 1 are here.
        unsafe {
            match warp::warp_id() {
                0 => {
                    data.write(lane, 1);
                    thread::barrier_arrive(1, 64);
                    data.write(lane, 2);
                }
                1 => {
                    thread::barrier_sync(1, 64);
                    data.read(lane);
                }
                _ => {}
            }
        }
    });
    // Warp 2 does not take part.
    race(|data| {
        let lane = warp::lane_id() as usize;
        if warp::warp_id() < 2 {
            data.write(32 * warp::warp_id() as usize + lane, 1);
            // SAFETY: all lanes of warps 0 and 1 are here.
            unsafe { thread::barrier_sync(1, 64) };
        } else {
            data.read(lane);
        }
    });
}

/// Calls `barrier_sync` on one line, so that faults have that line.
fn sync(id: u32, threads: u32) {
    // SAFETY: only on the simulator, which finds wrong uses.
    unsafe { thread::barrier_sync(id, threads) };
}

fn arrive(id: u32, threads: u32) {
    // SAFETY: as above.
    unsafe { thread::barrier_arrive(id, threads) };
}

#[test]
fn wrong_numbers_are_faults() {
    for id in [0, 16, u32::MAX] {
        let fault = fault_of(64, move |_| sync(id, 64));
        assert_says(
            &fault,
            &["thread (0, 0, 0)", &format!("a named barrier has a number from 1 to 15, not {id} (0 is that of")],
        );
    }
    for threads in [0, 1, 33, 48, u32::MAX] {
        let fault = fault_of(64, move |_| arrive(1, threads));
        assert_says(&fault, &[&format!("a multiple of 32, not {threads}")]);
    }
    let fault = fault_of(48, |_| sync(1, 96));
    assert_says(&fault, &["waits for 96 threads, and a block has 48: in whole warps 64"]);
    let fault = fault_of(96, |warp| sync(2, if warp == 1 { 96 } else { 64 }));
    assert_says(
        &fault,
        &["the named barrier 2 is of 96 threads here, and of 64 threads at ", "must give the same number"],
    );
}

#[test]
fn a_warp_that_arrives_twice_is_a_fault() {
    for second in [arrive, sync] {
        let fault = fault_of(96, move |warp| {
            if warp == 1 {
                arrive(7, 96);
                second(7, 96);
            }
        });
        assert!(matches!(fault.kind, FaultKind::Collective { .. }), "{fault}");
        assert_says(
            &fault,
            &[
                "thread (32, 0, 0)",
                "warp 1 arrives a second time at the named barrier 7",
                "96 threads have come: 32 have",
            ],
        );
    }
}

#[test]
fn too_few_or_too_many_warps_are_deadlocks() {
    for seed in [None, Some(0), Some(1)] {
        let fault = |body: fn(u32)| {
            let mut gpu = Simulator::new(Options { seed, ..Options::default() });
            let fault = run(&mut gpu, 96, move |_| body(warp::warp_id())).unwrap_err();
            assert!(matches!(fault.kind, FaultKind::Deadlock { .. }), "{fault}");
            fault
        };
        let few = fault(|warp| {
            if warp < 2 {
                sync(1, 96)
            }
        });
        assert_says(
            &few,
            &[
                "and 63 other threads are at the named barrier 1, where 64 of 96 threads have arrived, in `barrier_sync(1, 96)` at",
            ],
        );
        // The third warp opens the barrier again.
        let many = fault(|_| sync(1, 64));
        assert_says(&many, &["and 31 other threads are at the named barrier 1, where 32 of 64 threads have arrived"]);
    }
}

#[test]
fn lanes_of_a_warp_arrive_together() {
    let two = fault_of(64, |_| if warp::lane_id() == 3 { arrive(1, 64) } else { sync(1, 64) });
    assert_says(
        &two,
        &["thread (3, 0, 0)", "lane 3 is at `barrier_arrive(1, 64)`, and lane 0 at `barrier_sync(1, 64)`, at "],
    );
    let ended = fault_of(64, |_| {
        if warp::lane_id() != 3 {
            sync(1, 64)
        }
    });
    assert_says(
        &ended,
        &["where 0 of 64 threads have arrived (a warp arrives as a whole, and lane 3 of this one did not come)"],
    );
    let elsewhere = fault_of(32, |_| {
        if warp::lane_id() < 30 {
            sync(1, 32);
        } else {
            // SAFETY: planted.
            unsafe { warp::sync_warp(!0) };
        }
    });
    assert_says(&elsewhere, &["lanes 30 to 31 of this one did not come", "in a sync_warp"]);
}

/// Each warp's arrival counts as a barrier of its line.
#[test]
fn arrivals_are_counted() {
    let mut gpu = Simulator::new(Options { accounting: true, timeline: true, ..Options::default() });
    run(&mut gpu, 96, |data| produce_and_consume(data, 3, 4)).unwrap();
    let barriers: u64 = gpu.costs().meetings().map(|(.., cost)| cost.times).sum();
    assert_eq!(barriers, 4 * 4);
}
