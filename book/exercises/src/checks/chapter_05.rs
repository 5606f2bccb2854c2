//! Checks of chapter 5.

use crate::chapter_05::{InterleaveLetters, TileHashes, TransposeSwizzled};
use simt_std::exercise;

#[test]
fn tile_hashes() {
    let strings = Vec::from_iter((0..64 * 32u32).map(|i| i * i % 1009));
    let hash = |string: &[u32]| string.iter().fold(0u32, |hash, &word| hash.wrapping_mul(31).wrapping_add(word));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&strings, "strings");
            let hashes = gpu.alloc::<u32>(64, "hashes");
            gpu.launch_kernel(2, TileHashes { strings: on_gpu.handle(), hashes: hashes.handle() })?;
            gpu.download(&hashes, 64)
        } => "the message names the line and the element: which word of which string is there?",
        expect: strings.chunks(32).map(hash).collect() => "lane t takes the words 0 to 31 of string t in this order",
        schedules: 10,
        sectors: 2 * (32 * 4 + 4) => "the strings are read once, by rows, as in the given kernel",
        conflicts: 0 => "which banks have word k of the strings 0, 1, 2, …? They need not be 32 words apart",
    }
}

#[test]
fn transpose_swizzled() {
    let matrix = Vec::from_iter((0..1024u32).map(|i| i * i));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&matrix, "matrix");
            let result = gpu.alloc::<u32>(1024, "result");
            gpu.launch_kernel(1, TransposeSwizzled { matrix: on_gpu.handle(), result: result.handle() })?;
            gpu.download(&result, 1024)
        } => "a column of the tile is again 0 to 31",
        expect: (0..32).flat_map(|x| matrix.iter().copied().skip(x).step_by(32)).collect()
            => "the write and the read of one word must use the same element of the tile",
        schedules: 10,
        sectors: 2 * 128 => "both accesses of global memory go along rows, as in the given kernel",
        conflicts: 0 => "the read is of row x and column y: which column of the tile has this word?",
    }
}

#[test]
fn interleave_letters() {
    let strings = Vec::from_iter((0..2048usize).map(|i| b"GATTACAC"[i * i % 31 % 8] + (i % 3) as u8));
    let by_position = |strings: &[u8]| Vec::from_iter((0..1024).map(|i| strings[i % 32 * 32 + i / 32]));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&strings, "strings");
            let result = gpu.alloc::<u8>(2048, "result");
            gpu.launch_kernel(2, InterleaveLetters { strings: on_gpu.handle(), result: result.handle() })?;
            gpu.download(&result, 2048)
        } => "the message names the line and the element: which thread should access it?",
        expect: strings.chunks(1024).flat_map(by_position).collect()
            => "thread (x, y) writes letter y of string x, which another thread has read",
        schedules: 10,
        sectors: 2 * 2 * 32 => "the lanes of a warp differ in x: it belongs last in both indices of global memory",
        conflicts: 0 => "a bank delivers words of 4 bytes: in which banks are the letters k of all strings?",
    }
}
