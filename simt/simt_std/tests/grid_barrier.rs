//! Barriers of a grid in cooperative launches, and blocks that wait for blocks in other launches.

mod common;

use common::{block, blocks, job, run};
use simt_std::prelude::*;
use simt_std::simulator::{Fault, FaultKind, Grid, Options, Simulator, schedules};

fn cooperative(blocks: u32, threads: u32) -> Grid {
    Grid { cooperative: true, ..Grid::linear(blocks, threads) }
}

fn fault_of(grid: Grid, body: impl Fn(Global<u32>) + 'static) -> Fault {
    run(&mut Simulator::default(), grid, body).unwrap_err()
}

/// In each of five rounds, each thread adds its neighbour's word of the round before. More blocks
/// run than are resident in other launches.
#[test]
fn a_grid_barrier_orders_all_accesses_of_the_grid() {
    const BLOCKS: u32 = 12;
    const ALL: u32 = 2 * BLOCKS;
    let body = |data: Global<u32>| {
        let i = thread::index_1d();
        data.write(i as usize, i);
        for round in 0..5 {
            // SAFETY: every thread of the grid is here.
            unsafe { thread::sync_grid() };
            let (from, to) = (round % 2 * ALL, (1 - round % 2) * ALL);
            let sum = data.read((from + i) as usize) + data.read((from + (i + 1) % ALL) as usize);
            data.write((to + i) as usize, sum);
        }
    };
    let mut expected: Vec<u32> = (0..ALL).collect();
    for _ in 0..5 {
        expected = (0..ALL as usize).map(|i| expected[i] + expected[(i + 1) % ALL as usize]).collect();
    }
    for accounting in [false, true] {
        let options = Options { accounting, ..Options::default() };
        let got = schedules(40, options, job(cooperative(BLOCKS, 2), body)).unwrap();
        assert_eq!(got[ALL as usize..2 * ALL as usize], expected);
    }
}

/// A barrier of the grid is one of each block, and passes on what a block has acquired.
#[test]
fn a_grid_barrier_orders_shared_memory_and_acquired_data() {
    let body = |data: Global<u32>| {
        shared_array!(own: [u32; 1]);
        if thread::thread_idx_x() == 0 {
            own.write(0, block());
            atomic::fetch_add(data, 0, 1);
        }
        // SAFETY: every thread of the grid is here.
        unsafe { thread::sync_grid() };
        if thread::thread_idx_x() == 33 {
            data.write(1 + block() as usize, 10 * own.read(0) + data.read(0));
        }
    };
    let got = schedules(20, Options::default(), job(cooperative(3, 40), body)).unwrap();
    assert_eq!(got[..4], [3, 3, 13, 23]);
}

/// A write after the barrier races with a read after it.
#[test]
fn a_race_between_two_barriers_is_found() {
    let body = |data: Global<u32>| {
        // SAFETY: every thread of the grid is here.
        unsafe { thread::sync_grid() };
        if block() == 1 {
            data.write(0, 1);
        }
        let _ = data.read(0);
        // SAFETY: as above.
        unsafe { thread::sync_grid() };
    };
    for seed in [None, Some(0), Some(1), Some(2)] {
        let mut gpu = Simulator::new(Options { seed, ..Options::default() });
        let fault = run(&mut gpu, cooperative(4, 1), body).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    }
}

#[test]
fn a_thread_that_does_not_reach_the_grid_barrier_is_a_fault() {
    let wait = |_: u32| {
        // SAFETY: planted: not all threads are here.
        unsafe { thread::sync_grid() }
    };
    let line = line!() - 2;
    let ended = fault_of(cooperative(3, 32), move |_| {
        if block() != 1 {
            wait(0);
        }
    });
    let in_block = fault_of(cooperative(3, 32), move |_| {
        if thread::index_1d() != 40 {
            wait(0);
        }
    });
    let elsewhere = fault_of(cooperative(2, 32), move |_| match block() {
        // SAFETY: planted.
        1 if thread::thread_idx_x() == 0 => unsafe { thread::sync_threads() },
        _ => wait(0),
    });
    let spins = fault_of(cooperative(2, 1), move |data| match block() {
        1 => while atomic::load(data, 5) == 0 {},
        _ => wait(0),
    });
    for (fault, cause) in [
        (ended, "other threads of the grid have ended"),
        (in_block, "other threads of the grid have ended"),
        (elsewhere, "block (1, 0, 0), thread (0, 0, 0) waits at "),
        (spins, "block (1, 0, 0), thread (0, 0, 0) is spinning on element 5 of `data`"),
    ] {
        let text = fault.to_string();
        assert!(matches!(fault.kind, FaultKind::DivergentBarrier { .. }), "{text}");
        assert!(text.contains("it waits here for all threads of the grid (`sync_grid`) while"), "{text}");
        assert!(text.contains(cause), "{text}");
        assert_eq!(fault.location.map(|at| at.line()), Some(line), "{text}");
    }
}

#[test]
fn two_lines_in_one_block_are_two_barriers() {
    let fault = fault_of(cooperative(1, 2), |data| {
        // SAFETY: planted.
        unsafe {
            if thread::thread_idx_x() == 0 {
                thread::sync_grid();
                atomic::fetch_add(data, 0, 1);
            } else {
                thread::sync_grid();
            }
        }
    });
    assert!(
        fault.to_string().contains("divergent barrier: it waits here while thread 0 of the block waits at"),
        "{fault}"
    );
}

#[test]
fn a_grid_barrier_needs_a_cooperative_launch() {
    // SAFETY: planted.
    let fault = fault_of(blocks(2), |_| unsafe { thread::sync_grid() });
    let text = fault.to_string();
    for part in [
        "block (0, 0, 0), thread (0, 0, 0)",
        "grid_barrier.rs",
        "`sync_grid` in a launch that is not cooperative",
        "#[kernel(…, cooperative)]",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

/// Blocks count themselves and wait until all have come.
fn hand_written(data: Global<u32>) {
    atomic::fetch_add(data, 0, 1);
    while atomic::load_acquire(data, 0) < thread::grid_dim_x() {}
}

/// However few blocks there are: no launch guarantees that two run at the same time.
#[test]
fn a_hand_written_grid_barrier_is_a_deadlock() {
    let line = line!() - 6;
    for count in [2, 8, 64] {
        let fault = fault_of(blocks(count), hand_written);
        let text = fault.to_string();
        assert!(matches!(fault.kind, FaultKind::Deadlock { .. }), "{text}");
        let others = if count == 2 { "1 block has".to_string() } else { format!("{} blocks have", count - 1) };
        for part in
            ["spinning on element 0 of `data`", &format!("{others} not started"), "atomic ticket", "`sync_grid`"]
        {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(fault.location.map(|at| at.line()), Some(line), "{text}");
    }
    run(&mut Simulator::default(), cooperative(64, 1), hand_written).unwrap();
}

/// A block may wait for those that have taken a ticket before it, in any order of blocks.
#[test]
fn a_block_may_wait_for_blocks_that_have_started() {
    let chain = |data: Global<u32>| {
        let ticket = atomic::fetch_add(data, 0, 1);
        while atomic::load_acquire(data, 1) < ticket {}
        data.write(2 + ticket as usize, 7 * ticket);
        atomic::store_release(data, 1, ticket + 1);
    };
    for resident_blocks in [1, 3, 8] {
        let options = Options { resident_blocks, ..Options::default() };
        let got = schedules(30, options, job(blocks(20), chain)).unwrap();
        assert!((0..20).all(|i| got[2 + i] == 7 * i as u32));
    }
}
