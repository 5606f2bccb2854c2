//! Checks of chapter 7.

use crate::chapter_07::{CopyAndReverse, CountByStride, FirstMaximum, OneBarrier};
use simt_std::exercise;

#[test]
fn copy_and_reverse() {
    let text = Vec::from_iter((0..1024u32).map(|i| b"ACGT"[(i * i % 13 % 4) as usize]));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&text, "text");
            let (copy, reversed) = (gpu.alloc::<u8>(1024, "copy"), gpu.alloc::<u8>(1024, "reversed"));
            let kernel =
                CopyAndReverse { text: on_gpu.handle(), n: 1024, copy: copy.handle(), reversed: reversed.handle() };
            gpu.launch_kernel(8, kernel)?;
            Ok((gpu.download(&copy, 1024)?, gpu.download(&reversed, 1024)?))
        } => "there are 2 n threads, and the arrays have n elements",
        expect: (text.clone(), text.iter().rev().copied().collect()) => "which thread writes the last element?",
        steps: 64 * 2 => "two branches in each of 64 warps: which symbols may a warp handle, so that its lanes take one branch?",
    }
}

#[test]
fn count_by_stride() {
    let text = Vec::from_iter((0..5000u32).map(|i| b"ACGT"[(i * i % 13 % 4) as usize]));
    let counts = |block: usize| {
        let read = text.iter().enumerate().filter(|(i, _)| i % 1024 / 256 == block);
        read.filter(|&(_, &symbol)| symbol == b'C').count() as u32
    };
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&text, "text");
            let counts = gpu.alloc::<u32>(4, "counts");
            let kernel =
                CountByStride { text: on_gpu.handle(), n: 5000, symbol: b'C'.into(), counts: counts.handle() };
            gpu.launch_kernel(4, kernel)?;
            gpu.download(&counts, 4)
        } => "each thread counts in a loop as in step 7; then the counts are added up as in step 5",
        expect: (0..4).map(counts).collect() => "`grid_dim_x` is the number of blocks",
        schedules: 10,
        sectors: 157 + 4 => "neighbouring threads read neighbouring symbols, and each symbol is read once",
        barriers: 4 * 8 * 3 => "below 64 words, one warp works alone, and `sync_warp` is enough",
        conflicts: 0 => "neighbouring lanes need neighbouring words",
    }
}

#[test]
fn first_maximum() {
    let numbers = Vec::from_iter((0..1000u32).map(|i| i * 7919 % 101));
    let first_maxima = Vec::from_iter(numbers.chunks(256).map(|part| part.iter().copied().max().unwrap()));
    let first_indices = Vec::from_iter(
        numbers
            .chunks(256)
            .zip(&first_maxima)
            .zip(0..)
            .map(|((part, max), block)| 256 * block + part.iter().position(|number| number == max).unwrap() as u32),
    );
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&numbers, "numbers");
            let (maxima, indices) = (gpu.alloc::<u32>(4, "maxima"), gpu.alloc::<u32>(4, "indices"));
            let (on_maxima, on_indices) = (maxima.handle(), indices.handle());
            let kernel = FirstMaximum { numbers: on_gpu.handle(), n: 1000, maxima: on_maxima, indices: on_indices };
            gpu.launch_kernel(4, kernel)?;
            Ok((gpu.download(&maxima, 4)?, gpu.download(&indices, 4)?))
        } => "two arrays in shared memory: the number, and its index",
        expect: (first_maxima.clone(), first_indices.clone())
            => "of two equal numbers, the one with the lower index wins, whichever thread holds it",
        schedules: 10,
        barriers: 4 * 8 * 9 => "one barrier after the first writes, and one after each of 8 levels",
        conflicts: 0 => "neighbouring lanes need neighbouring words",
    }
}

#[test]
fn one_barrier() {
    let numbers = Vec::from_iter((0..1024u32).map(|i| i % 17));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&numbers, "numbers");
            let sums = gpu.alloc::<u32>(4, "sums");
            gpu.launch_kernel(4, OneBarrier { numbers: on_gpu.handle(), sums: sums.handle() })?;
            gpu.download(&sums, 4)
        } => "a lane must not add words of the next warp: which lanes add at distance 16?",
        expect: numbers.chunks(256).map(|part| part.iter().sum()).collect()
            => "which lane has the sum of its warp, and where does warp 0 find it?",
        schedules: 20,
        barriers: 4 * 8 => "`sync_warp` is enough between the lanes of a warp",
        conflicts: 0 => "the 8 sums of the warps need an array of their own, without gaps",
    }
}
