//! Checks the numbers in the kernels' comments with the simulator's counts.

use simt_examples::cases::{Runner, cases, launch_reduction, numbers, reduction_blocks};
use simt_examples::{blur, fft, gemm, histogram, matmul, nbody, stencil, transpose};
use simt_launch::Simt;
use simt_std::global::Global;
use simt_std::simulator::{Access, Costs, LineCost, Meeting, Options, Simulator, Space};
use simt_std::{F32x2, F32x4, Kernel, Word};

/// Returns a simulator that counts costs.
fn counting() -> Simulator {
    Simulator::new(Options { accounting: true, ..Options::default() })
}

fn array<T: Word>(gpu: &mut Simulator, values: &[T]) -> Global<T> {
    let buffer = gpu.alloc(values.len(), "array");
    gpu.upload(&buffer, values).unwrap();
    buffer.handle()
}

fn launch<K: Kernel>(gpu: &mut Simulator, blocks: [u32; 3], kernel: K) {
    gpu.launch_kernel(blocks, kernel).unwrap();
}

/// Returns the costs of a step for n words: those of shared memory, and the number of words read
/// from global memory.
fn reduction(step: u32, n: u32) -> (LineCost, u64) {
    let costs = reduced(step, n);
    (costs.total(Space::Shared), costs.total_of(Space::Global, Access::Read).lanes)
}

/// Returns all costs of the step.
fn reduced(step: u32, n: u32) -> Costs {
    let simt = Simt::new(true);
    let runner = Runner::new(&simt).unwrap();
    let input = runner.upload("words", &numbers(n, 1)).unwrap();
    let output = runner.alloc::<u32>("sums", reduction_blocks(step, n) as usize).unwrap();
    let arrays = (runner.handle(&input), runner.handle(&output), n);
    // SAFETY: the arrays have the lengths that the step requires.
    unsafe { launch_reduction(&runner, step, arrays).unwrap() };
    simt.costs()
}

#[test]
fn conflicts_of_harris_steps() {
    // The table of `reduction`: 45 per block in step 2.
    let by_hand: [u64; 7] = [6, 9, 9, 9, 9, 3, 0];
    for blocks in [1, 3] {
        for step in 1..=7 {
            let n = blocks * if step < 4 { 128 } else { 256 };
            let expected = if step == 2 { u64::from(blocks) * by_hand.iter().sum::<u64>() } else { 0 };
            assert_eq!(reduction(step, n).0.conflicts, expected, "step {step}, {blocks} blocks");
        }
    }
}

/// Divergence: the number of warp accesses of the additions. Writing each word and thread 0's
/// reading of the sum add to them.
#[test]
fn warp_accesses_of_harris_steps() {
    // Step 1: the warps with a multiple of 2 s take part in level s of a tree of 128 words.
    let interleaved: u64 = [1, 2, 4, 8, 16, 32, 64].iter().map(|s: &u64| 128 / (2 * s).max(32)).sum();
    // Steps 2 to 4: the first lanes make 64 / s additions.
    let first_lanes: u64 = [1, 2, 4, 8, 16, 32, 64].iter().map(|s: &u64| (64 / s).div_ceil(32)).sum();
    assert_eq!((interleaved, first_lanes), (23, 8));
    let others = 4 + 1;
    for (step, levels) in [(1, interleaved), (2, first_lanes), (3, first_lanes), (4, first_lanes)] {
        assert_eq!(reduction(step, 128).0.accesses, others + 3 * levels, "step {step}");
    }
}

/// The table for 4,096 words.
#[test]
fn shared_accesses_of_harris_steps() {
    let cost = |step: u32| {
        let shared = reduction(step, 4096).0;
        let lanes_an_access = (10.0 * shared.lanes as f64 / shared.accesses as f64).round() / 10.0;
        (shared.accesses, shared.wavefronts, shared.conflicts, lanes_an_access)
    };
    let expected = [
        (2368, 2368, 0, 6.9),
        (928, 2368, 1440, 17.6),
        (928, 928, 0, 17.6),
        (464, 464, 0, 17.6),
        (464, 464, 0, 30.9),
        (464, 464, 0, 30.9),
        (58, 58, 0, 30.9),
    ];
    assert_eq!([1, 2, 3, 4, 5, 6, 7].map(cost), expected);
}

/// Step 5 removes the block's barriers from the last warp's levels.
#[test]
fn barriers_of_harris_steps() {
    let barriers = |step: u32| {
        let of_warps = |costs: &Costs| {
            let barriers = costs.meetings().filter(|(_, _, meeting, _)| *meeting == Meeting::Barrier);
            barriers.map(|(.., cost)| cost.times).sum::<u64>()
        };
        of_warps(&reduced(step, 100)) / reduction_blocks(step, 100) as u64 / 4
    };
    assert_eq!([1, 2, 3, 4, 5, 6, 7].map(barriers), [8, 8, 8, 8, 2, 2, 2]);
}

#[test]
fn every_step_reads_each_word_once() {
    for step in 1..=7 {
        assert_eq!(reduction(step, 1000).1, 1000, "step {step}");
    }
}

#[test]
fn transposition_costs_what_it_says() {
    let tile = |way: u32| {
        let mut gpu = counting();
        let (width, height) = (transpose::TILE, transpose::TILE);
        let input = array(&mut gpu, &vec![1.0; 1024]);
        let output = array(&mut gpu, &vec![0.0; 1024]);
        match way {
            0 => launch(&mut gpu, [1, 1, 1], transpose::TransposeNaive { input, output, width, height }),
            1 => launch(&mut gpu, [1, 1, 1], transpose::TransposeTiled { input, output, width, height }),
            _ => launch(&mut gpu, [1, 1, 1], transpose::TransposePadded { input, output, width, height }),
        }
        let sectors = |access| gpu.costs().total_of(Space::Global, access).sectors;
        let shared = gpu.costs().total(Space::Shared);
        [sectors(Access::Read), sectors(Access::Write), shared.wavefronts, shared.conflicts]
    };
    assert_eq!(tile(0), [128, 1024, 0, 0]);
    assert_eq!(tile(1), [128, 128, 1056, 992]);
    assert_eq!(tile(2), [128, 128, 64, 0]);
}

#[test]
fn tiles_of_the_product_are_read_once() {
    let (m, k, n) = (32, 48, 32);
    let product = |tiled: bool| {
        let mut gpu = counting();
        let a = array(&mut gpu, &vec![1.0; (m * k) as usize]);
        let b = array(&mut gpu, &vec![1.0; (k * n) as usize]);
        let c = array(&mut gpu, &vec![0.0; (m * n) as usize]);
        match tiled {
            false => launch(&mut gpu, [2, 2, 1], matmul::MatmulNaive { a, b, c, m, k, n }),
            true => launch(&mut gpu, [2, 2, 1], matmul::MatmulTiled { a, b, c, m, k, n }),
        }
        (gpu.costs().total_of(Space::Global, Access::Read).lanes, gpu.costs().total(Space::Shared).conflicts)
    };
    let naive = u64::from(2 * k * m * n);
    assert_eq!(product(false), (naive, 0));
    assert_eq!(product(true), (naive / u64::from(matmul::TILE), 0));
}

#[test]
fn a_stencils_tile_reads_1_3_words_a_cell() {
    // 3 × 3 tiles: the middle one has its whole halo, and the outer ones have the part inside.
    let (width, height) = (3 * stencil::TILE_X, 3 * stencil::TILE_Y);
    let words = |tiled: bool| {
        let mut gpu = counting();
        let input = array(&mut gpu, &vec![1.0; (width * height) as usize]);
        let output = array(&mut gpu, &vec![0.0; (width * height) as usize]);
        match tiled {
            false => launch(&mut gpu, [3, 3, 1], stencil::Laplace { input, output, width, height }),
            true => launch(&mut gpu, [3, 3, 1], stencil::LaplaceTiled { input, output, width, height }),
        }
        gpu.costs().total_of(Space::Global, Access::Read).lanes
    };
    let cells = u64::from(width * height);
    // Five per cell, without the neighbours outside.
    assert_eq!(words(false), 5 * cells - 2 * u64::from(width + height));
    // Rows and columns with the halo, for 3 adjacent tiles: 32 + 1, 34 and 32 + 1 words.
    assert_eq!(words(true), (33 + 34 + 33) * (9 + 10 + 9));
}

#[test]
fn atomics_of_the_histograms() {
    let (n, bins, blocks) = (2000, 13, 3);
    let atomics = |shared: bool| {
        let mut gpu = counting();
        let bytes: Vec<u8> = numbers(n, 1).into_iter().map(|number| (number % bins) as u8).collect();
        let values = array(&mut gpu, &bytes);
        let counts = array(&mut gpu, &vec![0; bins as usize]);
        match shared {
            false => launch(&mut gpu, [blocks, 1, 1], histogram::HistogramGlobal { values, n, counts }),
            true => launch(&mut gpu, [blocks, 1, 1], histogram::HistogramShared { values, n, counts, bins }),
        }
        [Space::Global, Space::Shared].map(|space| gpu.costs().total_of(space, Access::Atomic).lanes)
    };
    assert_eq!(atomics(false), [u64::from(n), 0]);
    assert_eq!(atomics(true), [u64::from(bins * blocks), u64::from(n)]);
}

/// One block of 4 warps counts 128 values: all of one bin, or each lane's of its own.
#[test]
fn a_histogram_of_one_bin_takes_32_turns() {
    let atomics = |values: fn(u8) -> u8, shared: bool| {
        let mut gpu = counting();
        let values = array(&mut gpu, &(0..128).map(values).collect::<Vec<u8>>());
        let (counts, n, bins) = (array(&mut gpu, &[0; 32]), 128, 32);
        match shared {
            false => launch(&mut gpu, [1, 1, 1], histogram::HistogramGlobal { values, n, counts }),
            true => launch(&mut gpu, [1, 1, 1], histogram::HistogramShared { values, n, counts, bins }),
        }
        let of = |space| gpu.costs().total_of(space, Access::Atomic);
        let (global, own) = (of(Space::Global), of(Space::Shared));
        [global.accesses, global.sectors, global.turns, own.wavefronts, own.conflicts, own.turns]
    };
    // Each warp's lanes are at one word: 1 sector, 32 turns.
    assert_eq!(atomics(|_| 0, false), [4, 4, 4 * 32, 0, 0, 0]);
    // Each warp's lanes are at 32 neighbouring words: 4 sectors, 1 turn.
    assert_eq!(atomics(|i| i % 32, false), [4, 4 * 4, 4, 0, 0, 0]);
    // In shared memory the same; then one warp adds 32 bins to the global ones.
    assert_eq!(atomics(|_| 0, true), [1, 4, 1, 4 * 32, 4 * 31, 4 * 32]);
    assert_eq!(atomics(|i| i % 32, true), [1, 4, 1, 4, 0, 4]);
}

/// Returns the conflicts of one block's tree, from the addresses of the formula: an access of a
/// warp takes as many wavefronts as the fullest bank has words.
fn tree_conflicts(place: impl Fn(u32) -> u32) -> u64 {
    let mut conflicts = 0;
    let levels = [1, 2, 4, 8, 16, 32, 64, 128];
    for s in levels {
        let nodes: Vec<u32> = (0..128 / s).map(|t| 2 * s * (t + 1) - 1).collect();
        for warp in nodes.chunks(32) {
            for offset in [s, 0] {
                let mut banks = [0_u64; 32];
                warp.iter().for_each(|right| banks[(place(right - offset) % 32) as usize] += 1);
                // Up: both words are read, the right one is written. Down: both are read, both are
                // written.
                let accesses = if offset == 0 { 4 } else { 3 };
                conflicts += accesses * (banks.iter().max().unwrap() - 1);
            }
        }
    }
    conflicts
}

#[test]
fn conflicts_of_blellochs_scan() {
    let counted = |padded: bool| {
        let mut gpu = counting();
        let (input, output) = (array(&mut gpu, &numbers(256, 1)), array(&mut gpu, &[0; 256]));
        let (totals, n) = (array(&mut gpu, &[0]), 256);
        match padded {
            false => launch(&mut gpu, [1, 1, 1], simt_examples::blelloch::Blelloch { input, output, totals, n }),
            true => launch(&mut gpu, [1, 1, 1], simt_examples::blelloch::BlellochPadded { input, output, totals, n }),
        }
        gpu.costs().total(Space::Shared).conflicts
    };
    assert_eq!(counted(false), tree_conflicts(|i| i));
    assert_eq!(counted(true), tree_conflicts(|i| i + i / 32));
    assert_eq!((counted(false), counted(true)), (245, 0));
}

#[test]
fn a_block_of_bodies_reads_all_once() {
    let (n, blocks) = (300, 3);
    let mut gpu = counting();
    let bodies = array(&mut gpu, &vec![F32x4([1.0; 4]); n as usize]);
    let accelerations = array(&mut gpu, &vec![F32x4::default(); n as usize]);
    launch(&mut gpu, [blocks, 1, 1], nbody::Nbody { bodies, accelerations, n });
    // Each thread also reads its own body.
    assert_eq!(gpu.costs().total_of(Space::Global, Access::Read).lanes, u64::from(n * blocks + n));
}

#[test]
fn a_blur_reads_its_halo() {
    let (width, height) = (2 * blur::TILE_X, 2 * blur::TILE_Y);
    let words = |rows: bool| {
        let mut gpu = counting();
        let input = array(&mut gpu, &vec![1.0; (width * height) as usize]);
        let output = array(&mut gpu, &vec![0.0; (width * height) as usize]);
        match rows {
            true => launch(&mut gpu, [2, 2, 1], blur::BlurRows { input, output, width, height }),
            false => launch(&mut gpu, [2, 2, 1], blur::BlurColumns { input, output, width, height }),
        }
        let read = gpu.costs().total_of(Space::Global, Access::Read).lanes as f64 / f64::from(width * height);
        (read, gpu.costs().total_of(Space::Shared, Access::Read).lanes / u64::from(width * height))
    };
    assert_eq!((words(true), words(false)), ((1.25, 9), (2.0, 9)));
}

#[test]
fn conflicts_of_the_transform() {
    let mut gpu = counting();
    let numbers = array(&mut gpu, &vec![F32x2([1.0, 0.0]); fft::LEN as usize]);
    launch(&mut gpu, [1, 1, 1], fft::Fft { numbers });
    assert_eq!(gpu.costs().total_of(Space::Shared, Access::Read).conflicts, 0);
    assert_eq!(gpu.costs().total_of(Space::Shared, Access::Write).conflicts, 320);
}

#[test]
fn a_tile_in_registers_reads_four_vectors_for_64_products() {
    let (m, n, k) = (gemm::TILE, gemm::TILE, 2 * gemm::STEP);
    let mut gpu = counting();
    let (a, b) = (array(&mut gpu, &vec![1.0; (m * k) as usize]), array(&mut gpu, &vec![1.0; (k * n) as usize]));
    let c = array(&mut gpu, &vec![0.0; (m * n) as usize]);
    launch(&mut gpu, [1, 1, 1], gemm::MatmulRegisters { a, b, c, k, n });
    let costs = gpu.costs();
    assert_eq!(costs.total_of(Space::Global, Access::Read).lanes, u64::from(512 * k / gemm::STEP));
    assert_eq!(costs.total_of(Space::Shared, Access::Read).lanes, u64::from(4 * m * n * k / 64));
    assert_eq!(costs.total(Space::Shared).conflicts, 0);
}

/// Padding only removes conflicts: every kernel whose comment says so has none.
#[test]
fn no_other_kernel_has_conflicts() {
    let with = ["transpose_tiled", "reduce_2", "blelloch", "fft"];
    let shown = |name: &str| !with.contains(&name) && !name.starts_with("check_");
    for case in cases::<Simt>().into_iter().filter(|case| shown(case.name)) {
        let simt = Simt::new(true);
        (case.run)(&Runner::new(&simt).unwrap(), 50).unwrap();
        let stores_and_loads =
            [Access::Read, Access::Write].map(|access| simt.costs().total_of(Space::Shared, access).conflicts);
        assert_eq!(stores_and_loads, [0, 0], "{}", case.name);
    }
}
