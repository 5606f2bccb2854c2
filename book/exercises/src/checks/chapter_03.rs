//! Checks of chapter 3.

use crate::chapter_03::{ComplementByFours, GcByThread, SplitHits};
use simt_std::exercise;

#[test]
fn gc_by_thread() {
    let letter = |i: usize| if i * i % 16_381 < i { b"GC"[i % 2] } else { b"AT"[i % 2] };
    let letters = Vec::from_iter((0..16_384).map(letter));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&letters, "letters");
            let counts = gpu.alloc::<u32>(256, "counts");
            gpu.launch_kernel(1, GcByThread { letters: on_gpu.handle(), counts: counts.handle() })?;
            Ok(gpu.download(&counts, 256)?.iter().sum::<u32>())
        } => "the largest index is 16,383",
        expect: letters.iter().filter(|&&letter| letter == b'G' || letter == b'C').count() as u32
            => "one thread reads each letter, in one of the 64 rounds",
        schedules: 5,
        sectors: 16_384 / 32 + 256 * 4 / 32 => "in each round, the 32 threads of a warp read 32 neighbouring letters",
    }
}

#[test]
fn complement_by_fours() {
    let letters = Vec::from_iter((0..1000usize).map(|i| b"GATTACAN"[i * i % 31 % 8]));
    let opposite = |&letter: &u8| "TGCAN".as_bytes()["ACGTN".bytes().position(|other| other == letter).unwrap()];
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&letters, "letters");
            let result = gpu.alloc::<u8>(1000, "result");
            let kernel = ComplementByFours { letters: on_gpu.handle(), fours: 250, result: result.handle() };
            gpu.launch_kernel(1, kernel)?;
            gpu.download(&result, 1000)
        } => "thread i does the letters 4 i to 4 i + 3, if i < fours; `cast` makes an array of vectors of the letters",
        expect: letters.iter().map(opposite).collect()
            => "all four letters change, and the vector goes to the index where it was read",
        schedules: 5,
        steps: 2 * 8 => "each access of a warp is a step: each of the 8 warps needs one read and one write",
        sectors: 2 * 32 => "the 1,000 letters are in 32 sectors",
    }
}

#[test]
fn split_hits() {
    let n = 264;
    let hits = Vec::from_iter((0..n).flat_map(|i| [i * i, 20 + i % 9, 500 - i, i % 2]));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&hits, "hits");
            let result = gpu.alloc::<u32>(hits.len(), "result");
            gpu.launch_kernel(2, SplitHits { hits: on_gpu.handle(), n, result: result.handle() })?;
            gpu.download(&result, hits.len())
        } => "thread i does record i, if i < n",
        expect: (0..4).flat_map(|field| hits.iter().copied().skip(field).step_by(4)).collect()
            => "word k of record i goes to `result[k * n + i]`",
        schedules: 5,
        sectors: 2 * 264 * 16 / 32 => "four reads with stride 4 move each sector four times; one read can move a record",
    }
}
