//! The estimate of a time. Every expected time is worked out by hand in a comment.

use simt_std::simulator::{GpuModel, Grid, Latency, LaunchCounts, Options, Simulator, TimeLimit, estimate};
use simt_std::{atomic, global::Global, shared_array, thread, warp};

/// A GPU with round numbers: a cycle is a nanosecond.
const GPU: GpuModel = GpuModel {
    multiprocessors: 10,
    clock_mhz: 1000.0,
    dram_gb_per_second: 1000.0,
    l2_bytes_per_cycle: 3200.0,
    l2_atomics_per_cycle: 50.0,
    launch_micros: 0.5,
    latency: Latency { shared: 29.0, l1: 41.0, l2: 263.0, dram: 479.0, barrier: 20.0 },
    ..GpuModel::H100
};

/// Returns the limit and the time without the launch, in nanoseconds.
fn limit(counts: LaunchCounts) -> (TimeLimit, f64) {
    let found = estimate(&GPU, &counts, 32).unwrap();
    let bound = found.bounds.iter().find(|bound| bound.limit == found.limit).unwrap();
    assert_eq!(found.micros, 0.5 + bound.micros);
    assert!(found.bounds.iter().all(|other| other.micros <= bound.micros));
    assert_eq!(found.bounds.len(), 7);
    (found.limit, (bound.micros * 1e6).round() / 1000.0)
}

#[test]
fn each_bound_can_limit() {
    // 100 blocks of 256 threads: 10 on each multiprocessor, of which 8 fit at a time.
    let launch = LaunchCounts { blocks: 100.0, threads: 256, ..LaunchCounts::default() };
    // 10,000 steps: 1,000 on each multiprocessor, 2 instructions each, 4 per cycle.
    assert_eq!(limit(LaunchCounts { steps: 10_000.0, ..launch }), (TimeLimit::IssueSlots, 500.0));
    // One wavefront per cycle.
    assert_eq!(limit(LaunchCounts { shared_wavefronts: 20_000.0, ..launch }), (TimeLimit::SharedWavefronts, 2000.0));
    // 80,000 sectors: 8,000 on each multiprocessor, 4 per cycle. None of them leaves L1.
    let reused = LaunchCounts { load_sectors: 80_000.0, ..launch };
    assert_eq!(limit(reused), (TimeLimit::L1Sectors, 2000.0));
    // 20,000 sectors of 32 bytes at 3,200 bytes per cycle; L1 takes as long for 80,000 of them.
    let shared_by_blocks = LaunchCounts { load_sectors: 20_000.0, block_load_sectors: 20_000.0, ..launch };
    assert_eq!(limit(LaunchCounts { load_sectors: 7000.0, ..shared_by_blocks }), (TimeLimit::L2Sectors, 200.0));
    // 20,000 sectors at 1,000 bytes per nanosecond: 640 ns.
    let streamed = LaunchCounts { launch_load_sectors: 15_000.0, launch_store_sectors: 5000.0, ..shared_by_blocks };
    assert_eq!(limit(streamed), (TimeLimit::Dram, 640.0));
    // 50,000 operations over all slices take 1,000 cycles, 3,000 at one word 3,000.
    let atomics = LaunchCounts { atomic_lanes: 50_000.0, ..launch };
    assert_eq!(limit(atomics), (TimeLimit::Atomics, 1000.0));
    assert_eq!(limit(LaunchCounts { busiest_word: 3000.0, ..atomics }), (TimeLimit::Atomics, 3000.0));
}

#[test]
fn latency_limits_launches_with_few_warps() {
    // 10 blocks of 2 warps. Each warp waits for 10 loads in shared memory (29 cycles each), for 2
    // barriers (20), for 3 atomic operations (263) and for 8 loads in pairs.
    let launch = LaunchCounts {
        blocks: 10.0,
        threads: 64,
        shared_waits: 200.0,
        barriers: 40.0,
        global_atomics: 60.0,
        global_loads: 160.0,
        load_sectors: 640.0,
        block_load_sectors: 320.0,
        launch_load_sectors: 160.0,
        ..LaunchCounts::default()
    };
    // Of the sectors, a half are in L1 (41), a quarter in L2 (263) and a quarter in DRAM (479).
    let of_load = 41.0 / 2.0 + (263.0 + 479.0) / 4.0;
    let expected = 290.0 + 40.0 + 789.0 + 4.0 * of_load;
    assert_eq!(limit(launch), (TimeLimit::Latency, expected));
    // 32 blocks fit on each multiprocessor. 640 blocks are 2 after one another.
    assert_eq!(limit(LaunchCounts { blocks: 640.0, ..launch.scaled(64.0) }), (TimeLimit::Latency, 2.0 * expected));
}

#[test]
fn blocks_that_do_not_divide_evenly_take_as_long_as_the_fullest_multiprocessor() {
    // 11 blocks: one multiprocessor has 2 of them.
    let launch = LaunchCounts { blocks: 11.0, threads: 32, shared_wavefronts: 11_000.0, ..LaunchCounts::default() };
    assert_eq!(limit(launch), (TimeLimit::SharedWavefronts, 2000.0));
    // One block: one multiprocessor does all the work.
    let one = LaunchCounts { blocks: 1.0, shared_wavefronts: 1000.0, ..launch };
    assert_eq!(limit(one), (TimeLimit::SharedWavefronts, 1000.0));
}

#[test]
fn nothing_is_estimated_for_what_cannot_run() {
    assert_eq!(estimate(&GPU, &LaunchCounts::default(), 32), None);
    let launch = LaunchCounts { blocks: 1.0, threads: 1024, ..LaunchCounts::default() };
    assert!(estimate(&GPU, &launch, 64).is_some());
    assert_eq!(estimate(&GPU, &launch, 65), None);
    assert_eq!(estimate(&GPU, &LaunchCounts { shared_bytes: 1 << 20, ..launch }, 32), None);
}

#[test]
fn counts_come_from_the_costs_of_a_launch() {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let data: Global<u32> = gpu.alloc_from(&[0u32; 512], "data").handle();
    // Each of 2 blocks of 2 warps: loads its 8 sectors twice, stores 8 sectors and a word in shared
    // memory, meets at a barrier, shuffles, loads a word in shared memory, and adds to word 256.
    let kernel = move || {
        shared_array!(word: [u32; 1]);
        let i = thread::index_1d() as usize;
        let value = data.read(i) + data.read(i ^ 1);
        data.write(128 + i, value);
        if thread::first() {
            word.write(0, value);
        }
        // SAFETY: every thread of the block is here.
        unsafe { thread::sync_threads() };
        // SAFETY: every lane of the warp is here.
        unsafe { warp::warp_shuffle_xor(!0, value, 1, 32) };
        word.read(0);
        atomic::fetch_add(data, 256, 1);
    };
    for _ in 0..3 {
        gpu.launch("kernel", Grid::linear(2, 64), kernel).unwrap();
    }
    // Means of 3 equal launches. Thread 0 of each block stores in shared memory.
    let counts = LaunchCounts::of(&gpu.costs_by_kernel()["kernel"]);
    let shared_stores = 2.0;
    let expected = LaunchCounts {
        blocks: 2.0,
        threads: 64,
        shared_bytes: 4,
        // Per warp: 3 accesses of global memory, 1 barrier, 1 shuffle, 1 shared load, 1 atomic.
        steps: 4.0 * 7.0 + shared_stores,
        shared_wavefronts: 4.0 + shared_stores,
        shared_waits: 4.0 + 4.0,
        barriers: 4.0,
        global_loads: 8.0,
        load_sectors: 32.0,
        block_load_sectors: 16.0,
        launch_load_sectors: 16.0,
        // 16 of stores, and the sector of word 256 for each warp.
        store_sectors: 16.0 + 4.0,
        launch_store_sectors: 16.0 + 1.0,
        global_atomics: 4.0,
        atomic_lanes: 128.0,
        busiest_word: 128.0,
    };
    assert_eq!(counts, expected);
    assert_eq!(counts.scaled(2.0).busiest_word, 256.0);
    assert_eq!(counts.scaled(2.0).threads, 64);
}

#[test]
fn an_estimate_reads_as_a_sentence() {
    let launch = LaunchCounts { blocks: 132.0, threads: 128, ..LaunchCounts::default() };
    let text = |shared_wavefronts| {
        estimate(&GpuModel::H200, &LaunchCounts { shared_wavefronts, ..launch }, 32).unwrap().to_string()
    };
    // 132 × 19,800 wavefronts: 19,800 cycles at 1.98 GHz are 10 µs.
    let expected = "estimated time on an H200: 12 µs, limited by shared-memory wavefronts";
    assert_eq!(text(132.0 * 19_800.0), expected);
    // A tenth of them: 1 µs.
    assert!(text(132.0 * 1980.0).contains(": 3.0 µs,"), "{}", text(132.0 * 1980.0));
}
