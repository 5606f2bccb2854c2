//! Checks of warps, blocks and grids: shuffles, matches, reductions, scans, and barriers.

use simt_std::collective::{self, BLOCK_WARPS};
use simt_std::prelude::*;
use simt_std::warp::WarpReductionOp;

/// Number of results of a thread.
const RESULTS: u32 = 14;

/// The start value of exclusive scans.
const INITIAL: u32 = 3 << 16 | 5;

/// An associative operator that is not commutative: x → a x + b, and then the second map.
#[inline(always)]
fn compose(first: u32, second: u32) -> u32 {
    let (a, b, c, d) = (first >> 16, first & 0xffff, second >> 16, second & 0xffff);
    ((a * c) & 0xffff) << 16 | (b.wrapping_mul(c).wrapping_add(d) & 0xffff)
}

/// Calls every collective once. Launch: one block; `words` has n elements, `out` 14 n.
#[kernel(max_threads = 1024, threads = n)]
pub fn check_collectives(
    /// Arbitrary.
    words: Global<u32>,
    /// The results: n of each function.
    out: Global<u32>,
    /// Number of threads.
    n: u32,
) {
    shared_array!(scratch: [u32; BLOCK_WARPS]);
    shared_array!(floats: [f64; BLOCK_WARPS]);
    let i = thread::thread_idx_x();
    let (lane, mask) = (warp::lane_id(), warp::warp_mask());
    // The lanes with odd numbers, or those with even ones.
    let half = (0x5555_5555 << (lane % 2)) & mask;
    let word = words.read(i as usize);
    // SAFETY: every thread of the block is here, and so are all lanes of the masks.
    let results: [u32; RESULTS as usize] = unsafe {
        [
            collective::warp_reduce(mask, word, compose),
            collective::warp_inclusive_scan(mask, word, compose),
            collective::warp_exclusive_scan(mask, INITIAL, word, compose),
            collective::warp_inclusive_scan(half, word, compose),
            collective::reduce_sync(mask, word as i32, WarpReductionOp::Min) as u32,
            collective::reduce_sync(half, word, WarpReductionOp::Xor),
            collective::block_reduce(scratch, word, compose),
            collective::block_inclusive_scan(scratch, word, compose),
            collective::block_exclusive_scan(scratch, INITIAL, word, compose),
            collective::block_reduce(floats, f64::from(word), f64::max) as u32,
            warp::warp_match_all(half, u64::from(lane % 2) << 40).unwrap_or(0),
            warp::warp_match_all(mask, word % 2).unwrap_or(0),
            warp::warp_match_any(mask, u64::from(word % 4) << 33),
            warp::shfl_sync(mask, word, 0, WARP),
        ]
    };
    for (k, result) in (0..RESULTS).zip(results) {
        out.write((k * n + i) as usize, result);
    }
}

/// Warps 0 and 1 produce, and warps 2 and 3 consume, through one buffer in shared memory. A barrier
/// says that the buffer is full, and one that it is empty. Launch: one block; `words` and `out`
/// have 64 elements for each round.
#[kernel(threads = 128)]
pub fn check_named_barriers(
    /// The words.
    words: Global<u32>,
    /// The words of each round in reverse order.
    out: Global<u32>,
    /// Number of rounds.
    rounds: u32,
) {
    const FULL: u32 = 1;
    const EMPTY: u32 = 15;
    shared_array!(buffer: [u32; 64]);
    let i = thread::thread_idx_x() % 64;
    // SAFETY: all four warps arrive once a round at each barrier.
    unsafe {
        if thread::thread_idx_x() < 64 {
            for round in 0..rounds {
                thread::barrier_sync(EMPTY, 128);
                buffer.write(i, words.read((round * 64 + i) as usize));
                thread::barrier_arrive(FULL, 128);
            }
        } else {
            for round in 0..rounds {
                thread::barrier_sync(EMPTY, 128);
                thread::barrier_sync(FULL, 128);
                out.write((round * 64 + i) as usize, buffer.read(63 - i));
            }
        }
    }
}

/// In each round, every thread adds the word of the next thread of the grid. Launch: no more blocks
/// than run at the same time; `words` has two elements for each thread, and the second half needs
/// no initial value.
#[kernel(threads = 64, cooperative)]
pub fn check_grid_barrier(
    /// The words, and room for as many.
    words: Global<u32>,
    /// Number of rounds.
    rounds: u32,
) {
    let all = thread::grid_dim_x() * thread::block_dim_x();
    let i = thread::index_1d();
    for round in 0..rounds {
        let (from, to) = (round % 2 * all, (1 - round % 2) * all);
        let next = if i + 1 < all { i + 1 } else { 0 };
        let sum = words.read((from + i) as usize).wrapping_add(words.read((from + next) as usize));
        words.write((to + i) as usize, sum);
        // SAFETY: every thread of the grid is here: all have the same number of rounds.
        unsafe { thread::sync_grid() };
    }
}

/// Doubles words. A multiprocessor runs 8 blocks. Launch: at least n threads; `words` has n
/// elements.
#[kernel(threads = 128, min_blocks = 8)]
pub fn check_min_blocks(
    /// The words.
    words: Global<u32>,
    /// Number of words.
    n: u32,
) {
    let i = thread::index_1d();
    if i < n {
        words.write(i as usize, words.read(i as usize) * 2);
    }
}

#[cfg(not(target_arch = "nvptx64"))]
pub use host::cases;

#[cfg(not(target_arch = "nvptx64"))]
mod host {
    use super::{CheckCollectives, CheckGridBarrier, CheckMinBlocks, CheckNamedBarriers, INITIAL, compose};
    use crate::cases::{Case, Outcome, Runner, numbers};
    use simt_launch::{Device, Result};

    /// Returns the cases.
    pub fn cases<D: Device>() -> Vec<Case<D>> {
        vec![
            Case {
                name: "check_collectives",
                run: collectives::<D>,
                sizes: &[1, 2, 31, 32, 33, 48, 100, 256, 1000, 1024],
            },
            Case { name: "check_named_barriers", run: named_barriers::<D>, sizes: &[1, 2, 7] },
            Case { name: "check_grid_barrier", run: grid_barrier::<D>, sizes: &[1, 2, 3, 4, 100_000] },
            Case { name: "check_min_blocks", run: min_blocks::<D>, sizes: &[1, 1000] },
        ]
    }

    fn collectives<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let words: Vec<u32> = (0..n).map(|i| (i ^ 77).wrapping_mul(0x9e37_79b1).rotate_left(9)).collect();
        let expected = expected(&words);
        let (on_words, on_out) = (r.upload("words", &words)?, r.alloc("out", expected.len())?);
        // SAFETY: the arrays have the stated lengths.
        unsafe { r.launch(1, CheckCollectives { words: r.handle(&on_words), out: r.handle(&on_out), n })? };
        Ok(Outcome::new(&r.download(&on_out, expected.len())?, &expected))
    }

    /// Returns the results of all threads, by loops over the members of each group.
    fn expected(words: &[u32]) -> Vec<u32> {
        let of = |members: &[usize]| members.iter().map(|&j| words[j]).reduce(compose);
        let rows = |i: usize| {
            let warp: Vec<usize> = (0..words.len()).filter(|j| j / 32 == i / 32).collect();
            let half: Vec<usize> = warp.iter().copied().filter(|j| j % 2 == i % 2).collect();
            let block: Vec<usize> = (0..words.len()).collect();
            let up_to = |members: &[usize]| members.iter().copied().filter(|&j| j <= i).collect::<Vec<_>>();
            let before = |members: &[usize]| {
                let before: Vec<usize> = members.iter().copied().filter(|&j| j < i).collect();
                of(&before).map_or(INITIAL, |sum| compose(INITIAL, sum))
            };
            let mask = |members: &[usize], is: &dyn Fn(usize) -> bool| -> u32 {
                members.iter().filter(|&&j| is(j)).map(|j| 1 << (j % 32)).sum()
            };
            let all_same = warp.iter().all(|&j| words[j] % 2 == words[i] % 2);
            [
                of(&warp).unwrap_or(0),
                of(&up_to(&warp)).unwrap_or(0),
                before(&warp),
                of(&up_to(&half)).unwrap_or(0),
                warp.iter().map(|&j| words[j] as i32).min().unwrap_or(0) as u32,
                half.iter().fold(0, |sum, &j| sum ^ words[j]),
                of(&block).unwrap_or(0),
                of(&up_to(&block)).unwrap_or(0),
                before(&block),
                words.iter().copied().max().unwrap_or(0),
                mask(&half, &|_| true),
                if all_same { mask(&warp, &|_| true) } else { 0 },
                mask(&warp, &|j| words[j] % 4 == words[i] % 4),
                words[warp[0]],
            ]
        };
        let threads: Vec<_> = (0..words.len()).map(rows).collect();
        (0..super::RESULTS as usize).flat_map(|k| threads.iter().map(move |results| results[k])).collect()
    }

    fn named_barriers<D: Device>(r: &Runner<'_, D>, rounds: u32) -> Result<Outcome> {
        let words = numbers(64 * rounds, 1);
        let (on_words, on_out) = (r.upload("words", &words)?, r.alloc("out", words.len())?);
        let kernel = CheckNamedBarriers { words: r.handle(&on_words), out: r.handle(&on_out), rounds };
        // SAFETY: the arrays have the stated lengths.
        unsafe { r.launch(1, kernel)? };
        let expected: Vec<u32> = words.chunks(64).flat_map(|round| round.iter().rev()).copied().collect();
        Ok(Outcome::new(&r.download(&on_out, words.len())?, &expected))
    }

    fn grid_barrier<D: Device>(r: &Runner<'_, D>, blocks: u32) -> Result<Outcome> {
        let rounds = 5;
        let any = r.upload("none", &[0u32])?;
        let most = r.most_blocks(&CheckGridBarrier { words: r.handle(&any), rounds })?;
        let blocks = blocks.min(most);
        let mut words = numbers(64 * blocks, 1);
        let both: Vec<u32> = words.iter().chain(&words).copied().collect();
        let on_words = r.upload("words", &both)?;
        // SAFETY: there are two words for each thread, and all blocks run at the same time.
        unsafe { r.launch(blocks, CheckGridBarrier { words: r.handle(&on_words), rounds })? };
        for _ in 0..rounds {
            words = (0..words.len()).map(|i| words[i] + words[(i + 1) % words.len()]).collect();
        }
        let got = r.download(&on_words, both.len())?;
        Ok(Outcome::new(&got[words.len()..], &words))
    }

    fn min_blocks<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let words = numbers(n, 1);
        let on_words = r.upload("words", &words)?;
        // SAFETY: a thread for each word.
        unsafe { r.launch(n.div_ceil(128), CheckMinBlocks { words: r.handle(&on_words), n })? };
        let expected: Vec<u32> = words.iter().map(|word| word * 2).collect();
        Ok(Outcome::new(&r.download(&on_words, words.len())?, &expected))
    }
}
