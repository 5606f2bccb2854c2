//! Schedules: some seed finds a dependence on the order of blocks, warps or lanes, and the same
//! seed always takes the same course.

mod common;

use common::{block, blocks, job};
use simt_std::simulator::{Fault, FaultKind, Grid, Options, Schedule, ScheduleError, Simulator, schedules};
use simt_std::{atomic, global::Global, thread, warp};

#[test]
fn a_result_that_depends_on_the_order_of_blocks_is_found_with_its_seed() {
    // The last writer wins.
    let last = job(blocks(4), |data| {
        atomic::exchange(data, 0, block());
    });
    let Err(ScheduleError::Differs { seed, expected, got }) = schedules(100, Options::default(), &last) else {
        panic!("every schedule gives the same")
    };
    assert_eq!(expected[0], 3);
    assert_ne!(got[0], 3);
    let again = last(&mut Simulator::new(Options { seed: Some(seed), ..Options::default() }));
    assert_eq!(again, Ok(got), "the same seed, the same course");

    // Block 1 wrongly assumes that block 0 has already run.
    let first = job(blocks(2), |data| match block() {
        0 => atomic::store(data, 0, 1),
        _ => assert_eq!(atomic::load(data, 0), 1, "block 0 first"),
    });
    assert!(first(&mut Simulator::default()).is_ok());
    let Err(ScheduleError::Fault(fault)) = schedules(100, Options::default(), first) else { panic!("not found") };
    let seed = fault.seed.expect("a seed");
    assert!(matches!(fault.kind, FaultKind::Panic { .. }), "{fault}");
    assert!(fault.to_string().contains(&format!("with seed {seed}: panic")), "{fault}");
}

#[test]
fn a_result_that_depends_on_the_order_of_warps_or_lanes_is_found() {
    for grid in [Grid::linear(1, 64), Grid::linear(1, 2)] {
        let tickets = job(grid, |data| {
            let ticket = atomic::fetch_add(data, 63, 1);
            if thread::thread_idx_x() == 1 {
                data.write(0, ticket);
            }
        });
        let outcome = schedules(100, Options::default(), tickets);
        assert!(matches!(outcome, Err(ScheduleError::Differs { .. })), "{outcome:?}");
    }
}

#[test]
fn a_block_that_waits_for_one_that_has_not_started_is_found() {
    // With 8 slots, block 8 waits until an earlier one has ended; in numerical order this works.
    let kernel = job(blocks(40), |data| {
        let i = block() as usize;
        if i > 0 {
            while atomic::load(data, i - 1) == 0 {}
        }
        atomic::store(data, i, 1);
    });
    assert!(kernel(&mut Simulator::default()).is_ok());
    let Err(ScheduleError::Fault(fault)) = schedules(100, Options::default(), kernel) else { panic!("not found") };
    assert!(matches!(fault.kind, FaultKind::Deadlock { .. }), "{fault}");
    assert!(fault.to_string().contains("with seed "), "{fault}");
}

/// Returns the number of seeds below `count` that set word 63.
fn hits(count: u64, schedule: Schedule, job: impl Fn(&mut Simulator) -> Result<Vec<u32>, Fault>) -> usize {
    let hit = |seed| {
        let options = Options { seed: Some(seed), schedule, ..Options::default() };
        job(&mut Simulator::new(options)).unwrap_or_else(|fault| panic!("{fault}"))[63] != 0
    };
    (0..count).filter(|&seed| hit(seed)).count()
}

/// Thread 0 of block 0 reads a counter twice, after `before` other atomic operations. Block 1 may
/// count to 8 between the two reads. The other blocks and threads count elsewhere.
fn window(grid: Grid, before: u32) -> impl Fn(&mut Simulator) -> Result<Vec<u32>, Fault> {
    job(grid, move |data| {
        let first = thread::thread_idx_x() == 0;
        match block() {
            0 if first => {
                for _ in 0..before {
                    atomic::fetch_add(data, 2, 1);
                }
                let one = atomic::load(data, 0);
                let other = atomic::load(data, 0);
                if other - one == 8 {
                    data.write(63, 1);
                }
            }
            1 if first => {
                for _ in 0..8 {
                    atomic::fetch_add(data, 0, 1);
                }
            }
            _ => {
                atomic::fetch_add(data, 1, 1);
            }
        }
    })
}

#[test]
fn a_window_of_8_atomic_operations_is_hit_by_priorities() {
    for (grid, before, least) in [(blocks(2), 0, 4), (blocks(2), 10, 2), (Grid::linear(2, 32), 0, 2)] {
        let mixed = hits(1000, Schedule::Mixed, window(grid, before));
        assert!(mixed >= least, "{grid:?} {before}: {mixed}");
    }
    let job = window(blocks(2), 0);
    assert_eq!(hits(200, Schedule::Dice, &job), 0);
    assert!(hits(300, Schedule::Priorities { changes: 1 }, &job) > 2);
    assert_eq!(hits(100, Schedule::Priorities { changes: 0 }, &job), 0, "without a change each runs to its end");
}

/// A stack of nodes 1 to 3 by compare-exchange, without a tag. One block starts to pop and is
/// delayed; another pops two nodes and pushes the first one again. The first block's exchange then
/// puts a node on top that is in use (*ABA*).
#[test]
fn the_aba_of_a_stack_is_found() {
    // Word 0 is the top, words 1 to 3 the next of each node, words 11 to 13 its number of owners.
    fn pop(data: Global<u32>) -> u32 {
        loop {
            let top = atomic::load(data, 0);
            if top == 0 {
                return 0;
            }
            let next = atomic::load(data, top as usize);
            if atomic::compare_exchange(data, 0, top, next) == top {
                return top;
            }
        }
    }
    fn push(data: Global<u32>, node: u32) {
        loop {
            let top = atomic::load(data, 0);
            atomic::store(data, node as usize, top);
            if atomic::compare_exchange(data, 0, top, node) == top {
                return;
            }
        }
    }
    fn own(data: Global<u32>) -> u32 {
        let node = pop(data);
        if node != 0 && atomic::fetch_add(data, 10 + node as usize, 1) != 0 {
            atomic::store(data, 63, 1);
        }
        node
    }
    let stack = |gpu: &mut Simulator| {
        let mut words = [0u32; 64];
        words[..4].copy_from_slice(&[1, 2, 3, 0]);
        let data = gpu.alloc_from(&words, "stack");
        let handle: Global<u32> = data.handle();
        gpu.launch("stack", blocks(2), move || {
            if block() == 0 {
                own(handle);
                own(handle);
            } else {
                let one = own(handle);
                own(handle);
                if one != 0 {
                    atomic::fetch_add(handle, 10 + one as usize, u32::MAX);
                    push(handle, one);
                }
            }
        })?;
        gpu.download(&data, 64)
    };
    let mixed = hits(1000, Schedule::Mixed, stack);
    assert!(mixed > 3, "{mixed}");
}

/// Kernels that wait for other blocks also end under priorities, with the same result as without a
/// seed.
#[test]
fn kernels_that_wait_end_under_priorities() {
    let kernel = |data: Global<u32>| {
        let (lane, ticket) = (warp::lane_id(), thread::block_idx_x());
        // A chain of blocks in the order of their numbers; all of them are resident.
        if thread::thread_idx_x() == 0 {
            while atomic::load_acquire(data, 0) != ticket {}
        }
        // SAFETY: all threads are here.
        unsafe { thread::sync_threads() };
        // SAFETY: all lanes are here.
        let sum = unsafe { warp::warp_reduce(lane, warp::WarpReductionOp::Add) };
        if thread::thread_idx_x() == 0 {
            data.write(1, data.read(1) + sum);
            atomic::store_release(data, 0, ticket + 1);
        }
    };
    for accounting in [false, true] {
        let options = Options { schedule: Schedule::Priorities { changes: 3 }, accounting, ..Options::default() };
        let words = schedules(40, options, job(Grid::linear(8, 64), kernel)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(words[..2], [8, 8 * 496]);
    }
}

/// Faults under priorities, of the types that depend on the order of threads.
#[test]
fn faults_are_found_under_priorities() {
    let options = Options { schedule: Schedule::Priorities { changes: 2 }, seed: Some(4), ..Options::default() };
    let fault = |grid, body: fn(Global<u32>)| job(grid, body)(&mut Simulator::new(options)).unwrap_err();
    let divergent = fault(Grid::linear(1, 64), |_| {
        if thread::thread_idx_x() != 40 {
            // SAFETY: planted: thread 40 is missing.
            unsafe { thread::sync_threads() };
        }
    });
    assert!(matches!(divergent.kind, FaultKind::DivergentBarrier { .. }), "{divergent}");
    let kinds = fault(Grid::linear(1, 32), |_| {
        // SAFETY: planted: two kinds.
        unsafe {
            if warp::lane_id() < 16 {
                warp::warp_vote_any(!0, true);
            } else {
                warp::sync_warp(!0);
            }
        }
    });
    assert!(matches!(kinds.kind, FaultKind::Collective { .. }), "{kinds}");
    let missing = fault(Grid::linear(1, 16), |_| {
        // SAFETY: planted: the warp has 16 lanes.
        unsafe { warp::sync_warp(!0) };
    });
    assert!(matches!(missing.kind, FaultKind::Collective { .. }), "{missing}");
    let spin = fault(Grid::linear(40, 32), |data| while atomic::load(data, 0) == 0 {});
    assert!(matches!(spin.kind, FaultKind::Deadlock { .. }), "{spin}");
    let locks = |gpu: &mut Simulator| {
        job(blocks(2), |data| {
            let (one, other) = (block() as usize, 1 - block() as usize);
            while atomic::compare_exchange(data, one, 0, 1) != 0 {}
            while atomic::compare_exchange(data, other, 0, 1) != 0 {}
            atomic::store(data, other, 0);
            atomic::store(data, one, 0);
        })(gpu)
    };
    let Err(ScheduleError::Fault(fault)) = schedules(100, options, locks) else { panic!("not found") };
    assert!(matches!(fault.kind, FaultKind::Deadlock { .. }), "{fault}");
}
