//! Counts of atomic operations, collectives, divergence and whole launches. Every expected count is
//! worked out by hand in a comment.

use simt_std::simulator::{
    Access, Divergence, Grid, KernelCosts, LaunchTotals, LineCost, Meeting, Options, Simulator, Space,
};
use simt_std::{atomic, global::Global, shared, shared_array, thread, warp};

/// Runs a kernel whose parameter is an array of 1,024 zeros, and returns its costs.
fn costs(grid: Grid, kernel: impl Fn(Global<u32>) + Copy + 'static) -> KernelCosts {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let data = gpu.alloc_from(&[0u32; 1024], "data");
    let handle = data.handle();
    gpu.launch("kernel", grid, move || kernel(handle)).unwrap();
    gpu.costs_by_kernel()["kernel"].clone()
}

fn atomics(space: Space, grid: Grid, kernel: impl Fn(Global<u32>) + Copy + 'static) -> LineCost {
    costs(grid, kernel).costs.total_of(space, Access::Atomic)
}

fn sync() {
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
}

/// Adds 1 to `word(lane)` in shared memory, in one warp.
fn shared_atomics(word: fn(u32) -> u32) -> LineCost {
    atomics(Space::Shared, Grid::linear(1, 32), move |_| {
        shared_array!(counts: [u32; 1024]);
        (0..32).for_each(|i| counts.write(i * 32 + warp::lane_id(), 0));
        sync();
        atomic::fetch_add(counts, word(warp::lane_id()), 1);
    })
}

#[test]
fn shared_atomics_take_turns_by_address_and_bank() {
    let counts = |word| {
        let cost = shared_atomics(word);
        assert_eq!((cost.accesses, cost.lanes, cost.bytes, cost.sectors), (1, 32, 128, 0));
        (cost.wavefronts, cost.conflicts, cost.turns)
    };
    // One word: its bank serves 32 lanes in turn.
    assert_eq!(counts(|_| 7), (32, 31, 32));
    // A word for each lane, in 32 banks.
    assert_eq!(counts(|lane| lane), (1, 0, 1));
    // A word for each lane, all in bank 0, as for loads.
    assert_eq!(counts(|lane| lane * 32), (32, 31, 1));
    // 4 words in 4 banks, 8 lanes at each.
    assert_eq!(counts(|lane| lane % 4), (8, 7, 8));
    // Bank 0 has 16 lanes at word 0 and 4 at word 32; 12 banks have one lane each.
    assert_eq!(
        counts(|lane| if lane < 16 {
            0
        } else if lane < 20 {
            32
        } else {
            lane
        }),
        (20, 19, 16)
    );
}

#[test]
fn global_atomics_count_sectors_and_turns() {
    let counts = |word: fn(u32) -> u32| {
        let cost = atomics(Space::Global, Grid::linear(1, 32), move |data| {
            atomic::fetch_add(data, word(warp::lane_id()) as usize, 1);
        });
        assert_eq!((cost.accesses, cost.lanes, cost.wavefronts, cost.conflicts), (1, 32, 0, 0));
        (cost.sectors, cost.turns)
    };
    // One word; 32 words in 4 sectors; 32 words in 32 sectors; 4 lanes at each word of one sector.
    assert_eq!(counts(|_| 5), (1, 32));
    assert_eq!(counts(|lane| lane), (4, 1));
    assert_eq!(counts(|lane| lane * 8), (32, 1));
    assert_eq!(counts(|lane| lane % 8), (1, 4));
}

/// Four lanes increment a word by compare-and-swap. They run in step, and one of them succeeds in
/// each round: rounds of 4, 3, 2 and 1 lanes.
#[test]
fn a_compare_and_swap_counts_each_try() {
    let kernel = |data: Global<u32>| {
        if warp::lane_id() < 4 {
            loop {
                let old = atomic::load(data, 0);
                if atomic::compare_exchange(data, 0, old, old + 1) == old {
                    break;
                }
            }
        }
    };
    let all = costs(Grid::linear(1, 32), kernel);
    let tries = all.costs.total_of(Space::Global, Access::Atomic);
    assert_eq!((tries.accesses, tries.lanes, tries.turns, tries.sectors), (4, 4 + 3 + 2 + 1, 10, 4));
    // Atomic loads are reads: they take no turns.
    let loads = all.costs.total_of(Space::Global, Access::Read);
    assert_eq!((loads.accesses, loads.lanes, loads.turns), (4, 10, 0));
    assert_eq!(all.totals.busiest_word, 10);
}

/// The 16 lanes of a short warp make different numbers of turns in a loop and then meet. From there
/// on they are one: each access is one warp access.
#[test]
fn a_short_warp_that_has_met_goes_on_as_one() {
    let kernel = |data: Global<u32>| {
        let lane = warp::lane_id();
        for i in 0..lane {
            data.read(i as usize);
            data.read(100 + i as usize);
        }
        for distance in [8, 4, 2, 1] {
            // SAFETY: the 16 lanes are the whole warp.
            unsafe { warp::warp_shuffle_xor(0xffff, u64::from(lane), distance, 16) };
        }
        data.read(lane as usize);
    };
    let all = costs(Grid::linear(1, 16), kernel).costs;
    let lines: Vec<_> = all.lines().map(|(.., cost)| (cost.accesses, cost.lanes, cost.undivided)).collect();
    // Turn i of the loop has the lanes above i, 15 to 1 of them, 120 together; the last
    // access has all 16.
    assert_eq!(lines, [(15, 120, 0), (15, 120, 0), (1, 16, 1)]);
    // 4 shuffles of 64 bits: 8 instructions.
    let shuffles = all.total_of_meetings(Meeting::Warp);
    assert_eq!((shuffles.times, shuffles.lanes, shuffles.instructions, shuffles.undivided), (4, 64, 8, 4));
    assert_eq!(all.total_of_meetings(Meeting::Barrier).times, 0);
}

/// Lanes that have ended do not prevent the others from counting as one after they met.
#[test]
fn lanes_that_outlive_the_others_go_on_as_one() {
    let kernel = |data: Global<u32>| {
        let lane = warp::lane_id();
        if lane >= 20 {
            return;
        }
        for i in 0..lane {
            data.read(i as usize);
            data.read(100 + i as usize);
        }
        // SAFETY: the lanes below 20 are here.
        unsafe { warp::sync_warp(0xf_ffff) };
        data.read(lane as usize);
    };
    let all = costs(Grid::linear(1, 32), kernel).costs;
    let lines: Vec<_> = all.lines().map(|(.., cost)| (cost.accesses, cost.lanes, cost.undivided)).collect();
    // 19 turns of the loop with 19 to 1 lanes; then 20 of 32 lanes, which is a divided warp.
    assert_eq!(lines, [(19, 190, 0), (19, 190, 0), (1, 20, 0)]);
}

#[test]
fn divergence_is_counted_by_line() {
    // Blocks of 48 threads: a warp of 32 and one of 16.
    let first = line!() + 2;
    let kernel = |data: Global<u32>| {
        data.read(thread::thread_idx_x() as usize);
        if thread::thread_idx_x().is_multiple_of(4) {
            data.read(thread::thread_idx_x() as usize);
        }
        sync_two();
        if thread::thread_idx_x() < 32 {
            data.read(thread::thread_idx_x() as usize);
        }
    };
    #[track_caller]
    fn sync_two() {
        // SAFETY: every thread of the block is here.
        unsafe { thread::sync_threads() };
    }
    let all = costs(Grid::linear(3, 48), kernel).costs;
    let by_line: Vec<(u32, Divergence)> = all.divergence().map(|row| (row.line - first, row.divergence)).collect();
    let lines = |times: &[(usize, u64)], undivided| {
        let mut expected = Divergence { undivided, ..Divergence::default() };
        times.iter().for_each(|&(lanes, times)| expected.times_by_lanes[lanes] = times);
        expected
    };
    let line = |number: u32| by_line.iter().find(|(line, _)| *line == number).unwrap().1;
    // In each of 3 blocks: all of both warps.
    assert_eq!(line(0), lines(&[(32, 3), (16, 3)], 6));
    // Each fourth lane: 8 of 32 and 4 of 16.
    assert_eq!(line(2), lines(&[(8, 3), (4, 3)], 0));
    assert_eq!((line(2).branch_efficiency(), line(2).times()), (0.0, 6));
    // (8 + 4) × 3 lanes of 6 × 32.
    assert_eq!(line(2).lane_efficiency(), 36.0 / 192.0);
    // The first warp alone, whole.
    assert_eq!(line(6), lines(&[(32, 3)], 3));
    // The barrier has a line too. 6 of 21 times, a warp was divided.
    let total = all.total_divergence();
    assert_eq!((total.times(), total.undivided), (6 + 6 + 6 + 3, 15));
    assert_eq!(Divergence::default().branch_efficiency(), 1.0);
    let table = all.to_string();
    let row = |line: u32| table.lines().find(|row| row.contains(&format!("costs.rs:{} ", first + line))).unwrap();
    assert!(row(2).ends_with(" 0.0 %"), "{table}");
    assert!(!row(0).contains('%') && !row(6).contains('%'), "{table}");
}

#[test]
fn the_table_shows_a_part_of_the_accesses_that_were_divided() {
    // 4 blocks; in one of them, 8 lanes take part.
    let kernel = |data: Global<u32>| {
        if thread::block_idx_x() > 0 || warp::lane_id() < 8 {
            atomic::fetch_add(data, 0, 1);
        }
    };
    let all = costs(Grid::linear(4, 32), kernel).costs;
    let row = all.to_string().lines().nth(1).unwrap().split_whitespace().map(String::from).collect::<Vec<_>>();
    // Accesses, lanes (104 / 4), bytes, wavefronts, conflicts, sectors, turns, undivided.
    assert_eq!(row[1..], ["global", "atomic", "4", "26.0", "416", "0", "0", "4", "104", "75.0", "%"]);
    let json: serde_json::Value = serde_json::from_str(&all.to_json()).unwrap();
    let cost = &json[0]["cost"];
    let keys: Vec<&str> = cost.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected =
        ["accesses", "lanes", "bytes", "wavefronts", "conflicts", "sectors", "turns", "undivided"].to_vec();
    expected.sort_unstable();
    assert_eq!(
        {
            let mut keys = keys;
            keys.sort_unstable();
            keys
        },
        expected
    );
    assert_eq!((&cost["turns"], &cost["undivided"]), (&104.into(), &3.into()));
}

#[test]
fn a_launch_counts_each_sector_once() {
    // Each of 4 blocks of 64 threads reads words 0 to 63 twice (8 sectors), writes its own 64 words
    // from 256 on (8 sectors each), and adds to word 1,000 + block % 2 by one thread of each warp.
    let kernel = |data: Global<u32>| {
        shared_array!(sums: [u32; 64]);
        let (block, i) = (thread::block_idx_x() as usize, thread::thread_idx_x() as usize);
        let value = data.read(i) + data.read(63 - i);
        sums.write(i as u32, value);
        shared::dynamic_shared_mem::<u32>();
        data.write(256 + block * 64 + i, value);
        if i.is_multiple_of(32) {
            atomic::fetch_add(data, 1000 + block % 2, 1);
        }
    };
    let grid = Grid { dynamic_shared: 100, ..Grid::linear(4, 64) };
    let KernelCosts { launches, costs, totals } = costs(grid, kernel);
    assert_eq!(launches, 1);
    // Read: 8 sectors in each block. Written: 4 × 8, and that of words 1,000 to 1,007.
    // Shared: 100 bytes, then the array from the next multiple of 16 on. Two blocks, each with two
    // warps, add to each of the two words.
    let expected = LaunchTotals {
        blocks: 4,
        threads: 64,
        shared_bytes: 112 + 256,
        block_read_sectors: 4 * 8,
        read_sectors: 8,
        written_sectors: 33,
        busiest_word: 4,
    };
    assert_eq!(totals, expected);
    // Each warp access counts: 2 reads × 8 warps × 4 sectors.
    assert_eq!(costs.total_of(Space::Global, Access::Read).sectors, 64);
}
