//! Checks of chapter 6.

use crate::chapter_06::{FourResults, PairDistances, Ranks};
use simt_std::exercise;
use simt_std::simulator::{Fault, Simulator};

#[test]
fn ranks() {
    let numbers = Vec::from_iter((0..1000u32).map(|i| i * 7919 % 613));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&numbers, "numbers");
            let ranks = gpu.alloc::<u32>(1000, "ranks");
            gpu.launch_kernel(4, Ranks { numbers: on_gpu.handle(), n: 1000, ranks: ranks.handle() })?;
            gpu.download(&ranks, 1000)
        } => "the loop of `product_by_tiles`: load a tile, wait, compare with all of it, wait",
        expect: numbers.iter().map(|own| numbers.iter().filter(|&other| other < own).count() as u32).collect()
            => "the last tile has 232 numbers: what do the other 24 threads write?",
        schedules: 5,
        sectors: 4 * 125 + 2 * 125 => "each block reads each number once, into its tile",
        barriers: 4 * 4 * 2 * 8 => "two barriers a tile are enough",
    }
}

fn texts(count: usize, length: usize) -> Vec<u8> {
    (0..count * length).map(|i| b"ACGT"[i * i % 13 % 4]).collect()
}

fn run_pair_distances(gpu: &mut Simulator, texts: &[u8], count: u32, length: u32) -> Result<Vec<u32>, Fault> {
    let on_gpu = gpu.alloc_from(texts, "texts");
    let pairs = (count * count) as usize;
    let distances = gpu.alloc::<u32>(pairs, "distances");
    let side = count.div_ceil(16);
    let kernel = PairDistances { texts: on_gpu.handle(), count, length, distances: distances.handle() };
    gpu.launch_kernel([side, side], kernel)?;
    gpu.download(&distances, pairs)
}

fn plain_distances(texts: &[u8], length: usize) -> Vec<u32> {
    let rows = Vec::from_iter(texts.chunks(length));
    let distance = |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(x, y)| x != y).count() as u32;
    rows.iter().flat_map(|a| rows.iter().map(|b| distance(a, b))).collect()
}

#[test]
fn pair_distances() {
    let uneven = texts(21, 37);
    exercise! {
        run: |gpu| run_pair_distances(gpu, &uneven, 21, 37)
            => "both tiles are loaded alike: thread (x, y) loads position `first + x` of a text that belongs to y",
        expect: plain_distances(&uneven, 37)
            => "the last tile of positions has 5 of 16: what may the other threads write, so that nothing differs?",
        schedules: 5,
    }
    let even = texts(48, 64);
    exercise! {
        run: |gpu| run_pair_distances(gpu, &even, 48, 64) => "does a row of a tile end before the next one begins?",
        expect: plain_distances(&even, 64) => "the 64 positions are four tiles, and all of them count",
        sectors: 9 * 4 * 32 + 9 * 32 => "neighbouring threads load neighbouring symbols of one text",
        barriers: 9 * 4 * 2 * 8 => "two barriers a tile are enough",
        conflicts: 0 => "which banks hold the symbols that a warp reads at once? Rows may be longer than 16 bytes",
    }
}

fn run_four_results(gpu: &mut Simulator, a: &[f32], b: &[f32], n: u32) -> Result<Vec<f32>, Fault> {
    let (on_a, on_b) = (gpu.alloc_from(a, "a"), gpu.alloc_from(b, "b"));
    let c = gpu.alloc::<f32>(a.len(), "c");
    let side = n.div_ceil(16);
    gpu.launch_kernel([side, side], FourResults { a: on_a.handle(), b: on_b.handle(), c: c.handle(), n })?;
    gpu.download(&c, a.len())
}

fn plain_product(a: &[f32], b: &[f32], n: usize) -> Vec<f32> {
    let element = |row: usize, column: usize| (0..n).map(|k| a[row * n + k] * b[k * n + column]).sum();
    (0..n * n).map(|i| element(i / n, i % n)).collect()
}

#[test]
fn four_results() {
    let matrix = |n: u32, factor: u32| Vec::from_iter((0..n * n).map(|i| (i * factor % 11) as f32 - 5.0));
    let (a, b) = (matrix(21, 3), matrix(21, 7));
    exercise! {
        run: |gpu| run_four_results(gpu, &a, &b, 21)
            => "64 threads load two tiles of 256 words: four words of each a thread",
        expect: plain_product(&a, &b, 21) => "row y + 4 j of the tile may be outside the matrix for some j only",
        schedules: 5,
    }
    let (a, b) = (matrix(64, 3), matrix(64, 7));
    exercise! {
        run: |gpu| run_four_results(gpu, &a, &b, 64) => "what do both barriers of `product_by_tiles` protect?",
        expect: plain_product(&a, &b, 64) => "the four sums add up over all tiles; each is written once, at the end",
        sectors: 16 * 4 * 64 + 16 * 32 => "neighbouring threads load neighbouring words",
        barriers: 16 * 4 * 2 * 2 => "two barriers a tile are enough",
        wavefronts: 16 * 4 * (16 + 2 * 16 * 5)
            => "four results in one column need one word of B together: 5 words for 4 products",
    }
}
