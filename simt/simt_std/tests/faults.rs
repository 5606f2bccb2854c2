//! Plants every fault that the simulator promises to find, and checks that it is found; the same
//! kernels without the fault run silently.
#![allow(clippy::if_same_then_else, reason = "two barriers are two places")]

mod common;

use common::job;
use simt_std::FULL_WARP;
use simt_std::shared_array;
use simt_std::simulator::{Access, Fault, FaultKind, Grid, Options, Simulator, Space, schedules};
use simt_std::{atomic, global::Global, shared, thread, warp};

/// Runs a kernel on an initialised array of 64 words, with and without accounting; the results must
/// agree.
fn run(grid: Grid, body: impl Fn(Global<u32>) + Clone + 'static) -> Result<(), Fault> {
    let job = job(grid, body);
    let launch = |accounting| job(&mut Simulator::new(Options { accounting, ..Options::default() })).map(drop);
    let (fast, accounted) = (launch(false), launch(true));
    let kind = |r: &Result<(), Fault>| r.as_ref().err().map(|f| std::mem::discriminant(&f.kind));
    assert_eq!(kind(&fast), kind(&accounted), "{fast:?} {accounted:?}");
    fast
}

/// Checks that the fault has this line of this file and this thread.
#[track_caller]
fn assert_at(fault: &Fault, line: u32, block: u32, thread: u32) {
    let at = fault.location.expect("a source line");
    assert!(at.file().ends_with("faults.rs"), "{fault}");
    assert_eq!(at.line(), line, "{fault}");
    let who = fault.thread.expect("a thread");
    assert_eq!((who.block[0], who.thread[0]), (block, thread), "{fault}");
}

#[test]
fn out_of_bounds_is_found_with_its_place() {
    let fault = run(Grid::linear(2, 32), |data| {
        let i = thread::index_1d() as usize;
        data.write(i + usize::from(i == 63), 1);
    })
    .unwrap_err();
    assert_eq!(
        fault.kind,
        FaultKind::OutOfBounds { space: Space::Global, place: "element 64 of `data` (64 elements)".into() }
    );
    assert_at(&fault, line!() - 7, 1, 31);
    assert!(fault.to_string().contains("kernel planted, block (1, 0, 0), thread (31, 0, 0)"), "{fault}");
}

#[test]
fn out_of_bounds_in_front_is_found() {
    let fault = run(Grid::linear(1, 1), |data| data.write(usize::MAX, 1)).unwrap_err();
    assert_eq!(
        fault.kind,
        FaultKind::OutOfBounds { space: Space::Global, place: "element -1 of `data` (64 elements)".into() }
    );
}

#[test]
fn out_of_bounds_in_shared_memory_is_found() {
    let fault = run(Grid::linear(1, 32), |_| {
        shared_array!(x: [u32; 32]);
        x.write(thread::thread_idx_x() + 1, 0);
    })
    .unwrap_err();
    let place = "element 32 of `x` (32 elements)".into();
    assert_eq!(fault.kind, FaultKind::OutOfBounds { space: Space::Shared, place });
    assert_at(&fault, line!() - 5, 0, 31);
}

/// Next to a shared array is another one, which a wrong index would change.
#[test]
fn overruns_into_the_next_shared_array_are_found() {
    let place = |kernel: fn(u32)| {
        let grid = Grid { dynamic_shared: 64, ..Grid::linear(1, 32) };
        let fault = run(grid, move |_| kernel(thread::thread_idx_x())).unwrap_err();
        assert!(fault.location.is_some_and(|at| at.file().ends_with("faults.rs")), "{fault}");
        match fault.kind {
            FaultKind::OutOfBounds { space: Space::Shared, place } => place,
            other => panic!("{other:?}"),
        }
    };
    let behind = place(|i| {
        shared_array!(carries: [u32; 32]);
        shared_array!(counts: [u32; 32]);
        counts.write(i, 0);
        carries.write(i + 1, 0);
    });
    assert_eq!(behind, "element 32 of `carries` (32 elements)");
    let in_front = place(|i| {
        shared_array!(carries: [u32; 32]);
        shared_array!(counts: [u32; 32]);
        carries.write(i, 0);
        counts.write(i.wrapping_sub(1), 0);
    });
    assert_eq!(in_front, "element -1 of `counts` (32 elements)");
    // The dynamic memory is before a static array.
    let dynamic = place(|i| {
        shared_array!(counts: [u8; 32]);
        counts.write(i, 0);
        shared::dynamic_shared_mem::<u32>().write(i, 0);
    });
    assert_eq!(dynamic, "byte 64 of the dynamic shared memory (64 bytes)");
    let read = place(|i| {
        shared_array!(first: [u64; 32]);
        shared_array!(second: [u64; 32]);
        second.write(i, 0);
        first.write(i, second.read(i + u32::from(i == 31)));
    });
    assert_eq!(read, "element 32 of `second` (32 elements)");
}

#[test]
fn too_much_shared_memory_is_found() {
    let fault = run(Grid::linear(1, 32), |_| {
        shared_array!(x: [u32; 100_000]);
        x.write(0, 0);
    })
    .unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Launch { .. }), "{fault}");
}

/// 48 KiB of static arrays fit beside any dynamic memory, and no byte more.
#[test]
fn static_shared_memory_above_48_kib_is_found_at_the_array() {
    let grid = Grid { dynamic_shared: 100_001, ..Grid::linear(1, 32) };
    run(grid, |_| {
        shared_array!(whole: [u32; 12 * 1024]);
        whole.write(thread::thread_idx_x(), 0);
    })
    .unwrap();
    let fault = run(grid, |_| {
        shared_array!(row: [u32; 7]);
        shared_array!(tile: [u32; 20 * 1024]);
        tile.write(0, row.address());
    })
    .unwrap_err();
    let reason = "`tile` brings the block's static shared memory to 81952 bytes, and 49152 (48 KiB) are possible. \
                  Dynamic shared memory may be larger: `#[kernel(threads = …, shared = BYTES)]` and \
                  `shared::dynamic_shared_mem()`";
    assert_eq!(fault.kind, FaultKind::Launch { reason: reason.into() });
    assert_at(&fault, line!() - 8, 0, 0);
}

#[test]
fn misaligned_access_is_found() {
    let fault = run(Grid::linear(1, 1), |_| {
        let bytes = shared::dynamic_shared_mem::<u8>();
        let _ = bytes;
        shared_array!(x: [u32; 4]);
        // Accesses the same bytes as wider words, which start at the second word.
        let address = Global::<u64>::at((1 << 40) + 4);
        x.write(0, 0);
        address.write(0, 1);
    })
    .unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Misaligned { space: Space::Global, size: 8, .. }), "{fault}");
}

#[test]
fn uninitialised_shared_read_is_found() {
    let kernel = |written: u32| {
        move |_| {
            shared_array!(x: [u32; 32]);
            let i = thread::thread_idx_x();
            if i < written {
                x.write(i, i);
            }
            // SAFETY: every thread is here.
            unsafe { thread::sync_threads() };
            x.read(31 - i);
        }
    };
    assert_eq!(run(Grid::linear(1, 32), kernel(32)), Ok(()));
    let fault = run(Grid::linear(1, 32), kernel(31)).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Uninitialised { space: Space::Shared, .. }), "{fault}");
    assert_at(&fault, line!() - 6, 0, 0);
}

#[test]
fn uninitialised_global_read_is_found() {
    let mut gpu = Simulator::default();
    let data = gpu.alloc::<u32>(4, "fresh");
    let handle = data.handle();
    let fault = gpu
        .launch("planted", Grid::linear(1, 1), move || {
            handle.read(2);
        })
        .unwrap_err();
    assert_eq!(
        fault.kind,
        FaultKind::Uninitialised { space: Space::Global, place: "element 2 of `fresh` (4 elements)".into() }
    );
    assert!(gpu.download(&data, data.len()).is_err(), "nor can the host read it");
}

#[test]
fn race_between_warps_in_shared_memory_is_found() {
    let kernel = |barrier: bool| {
        move |_| {
            shared_array!(x: [u32; 64]);
            let i = thread::thread_idx_x();
            x.write(i, i);
            if barrier {
                // SAFETY: every thread is here.
                unsafe { thread::sync_threads() };
            }
            x.read(63 - i);
        }
    };
    assert_eq!(run(Grid::linear(1, 64), kernel(true)), Ok(()));
    // Initialise the words first: without the barrier, the first warp would read unwritten ones.
    let fault = run(Grid::linear(1, 64), |_| {
        shared_array!(x: [u32; 64]);
        let i = thread::thread_idx_x();
        x.write(i, 0);
        // SAFETY: every thread is here.
        unsafe { thread::sync_threads() };
        x.write(i, i);
        x.read(63 - i);
    })
    .unwrap_err();
    let FaultKind::Race { space: Space::Shared, earlier_location, .. } = &fault.kind else { panic!("{fault}") };
    let lines = [fault.location.unwrap().line(), earlier_location.line()];
    assert!(lines.contains(&(line!() - 6)) && lines.contains(&(line!() - 5)), "{fault}");
}

#[test]
fn race_within_a_warp_is_found_and_sync_warp_orders() {
    let kernel = |mask: Option<u32>| {
        move |_| {
            shared_array!(x: [u32; 32]);
            let lane = warp::lane_id();
            x.write(lane, lane);
            // A shuffle or a vote does not order memory accesses.
            // SAFETY: all lanes are here.
            unsafe { warp::warp_vote_any(FULL_WARP, true) };
            if let Some(mask) = mask
                && mask >> lane & 1 == 1
            {
                // SAFETY: the lanes of the mask are here.
                unsafe { warp::sync_warp(mask) };
            }
            x.read(lane ^ 1);
        }
    };
    assert_eq!(run(Grid::linear(1, 32), kernel(Some(FULL_WARP))), Ok(()));
    for mask in [None, Some(0x7fff_ffff)] {
        let fault = run(Grid::linear(1, 32), kernel(mask)).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Race { space: Space::Shared, .. }), "{fault}");
    }
}

#[test]
fn sync_warp_orders_through_a_third_lane() {
    // Lane 0 synchronises with lane 1, then lane 1 with lane 2: lane 2 may read what lane 0 wrote.
    run(Grid::linear(1, 32), |_| {
        shared_array!(x: [u32; 32]);
        let lane = warp::lane_id();
        if lane == 0 {
            x.write(0, 7);
        }
        for mask in [0b011, 0b110] {
            if mask >> lane & 1 == 1 {
                // SAFETY: the lanes of the mask are here.
                unsafe { warp::sync_warp(mask) };
            }
        }
        if lane == 2 {
            assert_eq!(x.read(0), 7);
        }
    })
    .unwrap();
}

#[test]
fn race_between_blocks_in_global_memory_is_found() {
    let fault = run(Grid::linear(3, 1), |data| data.write((thread::block_idx_x() / 2) as usize, 5)).unwrap_err();
    let FaultKind::Race { space, place, access, earlier, earlier_thread, .. } = &fault.kind else { panic!("{fault}") };
    assert_eq!((*space, *access, *earlier), (Space::Global, Access::Write, Access::Write));
    assert_eq!(place, "element 0 of `data` (64 elements)");
    assert_eq!(earlier_thread.block, [0, 0, 0]);
    assert_at(&fault, line!() - 5, 1, 0);
    // Writes of neighbouring words do not race.
    run(Grid::linear(3, 1), |data| data.write(thread::block_idx_x() as usize, 5)).unwrap();
}

#[test]
fn a_read_before_another_warps_write_is_a_race() {
    let fault = run(Grid::linear(1, 64), |data| {
        if thread::thread_idx_x() == 0 {
            data.read(0);
        }
        if thread::thread_idx_x() == 32 {
            data.write(0, 1);
        }
    })
    .unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Race { earlier: Access::Read, access: Access::Write, .. }), "{fault}");
}

#[test]
fn launches_are_ordered() {
    let mut gpu = Simulator::default();
    let data = gpu.alloc::<u32>(1, "data");
    for round in 0..2 {
        let handle = data.handle();
        gpu.launch("once", Grid::linear(1, 1), move || handle.write(0, round)).unwrap();
    }
    assert_eq!(gpu.download(&data, data.len()), Ok(vec![1]));
}

#[test]
fn atomics_do_not_race_with_each_other_but_with_plain_accesses() {
    run(Grid::linear(4, 64), |data| {
        atomic::fetch_add(data, 0, 1);
    })
    .unwrap();
    let fault = run(Grid::linear(4, 64), |data| {
        atomic::fetch_add(data, 0, 1);
        data.read(0);
    })
    .unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
}

#[test]
fn divergent_barriers_are_found() {
    let skipped = run(Grid::linear(1, 64), |_| {
        if thread::thread_idx_x() != 40 {
            // SAFETY: planted: thread 40 is missing.
            unsafe { thread::sync_threads() };
        }
    })
    .unwrap_err();
    assert!(matches!(skipped.kind, FaultKind::DivergentBarrier { .. }), "{skipped}");
    assert_at(&skipped, line!() - 5, 0, 0);

    let two = run(Grid::linear(1, 64), |_| {
        if thread::thread_idx_x() < 32 {
            // SAFETY: planted: half of the block is missing.
            unsafe { thread::sync_threads() };
        } else {
            // SAFETY: planted: half of the block is missing.
            unsafe { thread::sync_threads() };
        }
    })
    .unwrap_err();
    assert!(matches!(two.kind, FaultKind::DivergentBarrier { .. }), "{two}");
    assert_at(&two, line!() - 5, 0, 32);
}

#[test]
fn deadlocks_are_found() {
    let missing_lane = run(Grid::linear(1, 32), |_| {
        if warp::lane_id() != 3 {
            // SAFETY: planted: lane 3 is missing.
            unsafe { warp::sync_warp(FULL_WARP) };
        }
    })
    .unwrap_err();
    assert!(matches!(missing_lane.kind, FaultKind::Deadlock { .. }), "{missing_lane}");
    assert!(missing_lane.to_string().contains("lane 3 has ended, at simt/simt_std/tests/faults.rs"), "{missing_lane}");

    let spinning = run(Grid::linear(2, 32), |data| while atomic::load(data, 0) == 0 {}).unwrap_err();
    assert!(matches!(spinning.kind, FaultKind::Deadlock { .. }), "{spinning}");
}

#[test]
fn spinning_on_another_block_ends() {
    run(Grid::linear(2, 32), |data| {
        if thread::block_idx_x() == 1 {
            while atomic::load(data, 0) == 0 {}
        } else if thread::thread_idx_x() == 0 {
            atomic::store(data, 0, 1);
        }
    })
    .unwrap();
}

#[test]
fn collectives_keep_their_rules() {
    let reason = |body: fn(Global<u32>)| match run(Grid::linear(1, 32), body).unwrap_err() {
        Fault { kind: FaultKind::Collective { reason }, .. } => reason,
        fault => panic!("{fault}"),
    };
    let outside = reason(|_| {
        // SAFETY: a planted fault, only on the simulator.
        unsafe { warp::warp_vote_any(1, true) };
    });
    assert!(outside.contains("does not name lane 1"), "{outside}");
    let source = reason(|_| {
        if warp::lane_id() < 16 {
            // SAFETY: a planted fault, only on the simulator.
            unsafe { warp::warp_shuffle_idx(0xffff, 0u32, 20, 32) };
        }
    });
    assert!(source.contains("reads lane 20"), "{source}");
    let kinds = reason(|_| {
        // SAFETY: a planted fault, only on the simulator.
        unsafe {
            if warp::lane_id() < 16 {
                warp::warp_vote_any(FULL_WARP, true);
            } else {
                warp::sync_warp(FULL_WARP);
            }
        }
    });
    assert!(kinds.contains("another collective"), "{kinds}");
    let crossed = reason(|_| {
        let mask = if warp::lane_id() == 0 { FULL_WARP } else { 3 };
        if warp::lane_id() < 2 {
            // SAFETY: planted, only on the simulator: lanes 0 and 1 wait with two masks.
            unsafe { warp::warp_vote_any(mask, true) };
        }
    });
    assert!(crossed.contains("another collective or mask"), "{crossed}");
    let width = reason(|_| {
        // SAFETY: a planted fault, only on the simulator.
        unsafe { warp::warp_shuffle_up(FULL_WARP, 0u32, 1, 5) };
    });
    assert!(width.contains("not 5"), "{width}");
}

/// Lanes outside a collective's mask may already wait at the next one.
#[test]
fn some_lanes_may_be_at_the_next_collective() {
    let kernel = |data: Global<u32>| {
        let lane = warp::lane_id();
        // SAFETY: the even lanes are here, and then all lanes.
        let even = if lane.is_multiple_of(2) { unsafe { warp::warp_vote_ballot(0x5555_5555, lane < 8) } } else { 0 };
        // SAFETY: as above.
        let all = unsafe { warp::warp_vote_ballot(FULL_WARP, even == 0x55) };
        data.write(lane as usize, all);
    };
    let ballots = schedules(100, Options::default(), |gpu| {
        let data = gpu.alloc::<u32>(32, "data");
        let handle = data.handle();
        gpu.launch("ballots", Grid::linear(1, 32), move || kernel(handle))?;
        gpu.download(&data, 32)
    });
    assert_eq!(ballots.unwrap(), [0x5555_5555; 32]);
}

#[test]
fn a_panic_in_a_kernel_is_a_fault() {
    let fault = run(Grid::linear(1, 32), |_| assert!(thread::thread_idx_x() != 9, "nine")).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Panic { message: "nine".into() });
    assert_eq!(fault.thread.unwrap().thread, [9, 0, 0]);
}

#[test]
fn impossible_launches_are_refused() {
    for grid in [
        Grid::linear(1, 0),
        Grid::linear(1, 1025),
        Grid::linear(0, 32),
        Grid { dynamic_shared: 1 << 20, ..Grid::linear(1, 1) },
    ] {
        let fault = run(grid, |_| ()).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Launch { .. }), "{fault}");
    }
}

#[test]
fn any_shape_of_grid_runs_every_thread_once() {
    let mut gpu = Simulator::default();
    let grid = Grid { blocks: [3, 2, 2], threads: [5, 3, 7], ..Grid::linear(1, 1) };
    let data = gpu.alloc::<u32>(12 * 105, "data");
    let handle = data.handle();
    gpu.launch("count", grid, move || {
        use thread::*;
        let block = (block_idx_z() * grid_dim_y() + block_idx_y()) * grid_dim_x() + block_idx_x();
        let own = (thread_idx_z() * block_dim_y() + thread_idx_y()) * block_dim_x() + thread_idx_x();
        let i = block * block_dim_x() * block_dim_y() * block_dim_z() + own;
        handle.write(i as usize, i);
    })
    .unwrap();
    assert_eq!(gpu.download(&data, data.len()).unwrap(), (0..12 * 105).collect::<Vec<_>>());
}

#[test]
fn costs_are_counted_by_source_line() {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let data = gpu.alloc::<u32>(2048, "data");
    gpu.upload(&data, &[1; 2048]).unwrap();
    let handle = data.handle();
    gpu.launch("costs", Grid { dynamic_shared: 4096, ..Grid::linear(2, 32) }, move || {
        let x = shared::dynamic_shared_mem::<u32>();
        let i = thread::thread_idx_x();
        // SAFETY: every thread is here.
        let sync = || unsafe { thread::sync_threads() };
        x.write(i * 2, handle.read(i as usize));
        sync();
        x.write(i * 32, handle.read(i as usize * 8));
        sync();
        if i < 16 {
            x.write(i, 0);
        }
    })
    .unwrap();
    let first = line!() - 9;
    let find = |line, space| *gpu.costs().lines().find(|l| l.1 == line && l.2 == space).expect("a row").4;
    let coalesced = find(first, Space::Global);
    assert_eq!((coalesced.accesses, coalesced.lanes, coalesced.sectors), (2, 64, 2 * 4));
    assert_eq!(find(first + 2, Space::Global).sectors, 2 * 32);
    let two_way = find(first, Space::Shared);
    assert_eq!((two_way.wavefronts, two_way.conflicts), (2 * 2, 2));
    let same_bank = find(first + 2, Space::Shared);
    assert_eq!((same_bank.wavefronts, same_bank.conflicts), (2 * 32, 2 * 31));
    let half = find(first + 5, Space::Shared);
    assert_eq!((half.accesses, half.lanes, half.wavefronts), (2, 32, 2));
    assert_eq!(gpu.costs().total(Space::Global).sectors, 2 * 36);
    let table = gpu.costs().to_string();
    assert!(table.contains(&format!("faults.rs:{first}")), "{table}");
    let json: serde_json::Value = serde_json::from_str(&gpu.costs().to_json()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), gpu.costs().lines().count() + gpu.costs().meetings().count());
}

/// Returns the number of warp accesses of each line of a kernel, in the order of the lines.
fn warp_accesses(kernel: impl Fn(Global<u32>) + Copy + 'static) -> Vec<u64> {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let data = gpu.alloc::<u32>(64, "data");
    gpu.upload(&data, &[1; 64]).unwrap();
    let handle = data.handle();
    gpu.launch("accesses", Grid::linear(1, 32), move || kernel(handle)).unwrap();
    gpu.costs().lines().map(|(.., cost)| cost.accesses).collect()
}

/// After lanes of a loop have synchronised, no lane counts as ahead of the others: neither a lane
/// that returns from a later line, nor one that goes on to a later line.
#[test]
fn lanes_that_have_met_go_on_as_one_access() {
    // SAFETY: all lanes are here.
    let meet = || unsafe { warp::sync_warp(FULL_WARP) };
    let before = warp_accesses(move |data| {
        let lane = warp::lane_id() as usize;
        for turn in 0..3 {
            data.read(lane);
            if lane <= turn {
                data.read(31 - lane);
            }
            meet();
        }
    });
    assert_eq!(before, [3, 3]);
    let after = warp_accesses(move |data| {
        let lane = warp::lane_id() as usize;
        for _ in 0..3 {
            data.read(lane);
            meet();
            if lane == 31 {
                data.write(32, 0);
            }
        }
    });
    assert_eq!(after, [3, 3]);
    let barrier = warp_accesses(move |data| {
        let lane = warp::lane_id() as usize;
        for _ in 0..3 {
            data.read(lane);
            // SAFETY: all threads are here.
            unsafe { thread::sync_threads() };
            if lane == 31 {
                data.write(32, 0);
            }
        }
    });
    assert_eq!(barrier, [3, 3]);
}
