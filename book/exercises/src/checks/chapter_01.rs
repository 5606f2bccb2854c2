//! Checks of chapter 1.

use crate::chapter_01::{Matching, ReverseComplement, SaxpyAnyGrid};
use simt_std::exercise;

/// Returns n bases in an order without a short period.
fn bases(n: usize, step: usize) -> Vec<u8> {
    (0..n).map(|i| b"ACGT"[(i * i + step * i / 3) % 4]).collect()
}

#[test]
fn matching() {
    for n in [7, 64, 65, 1000] {
        let (a, b) = (bases(n, 1), bases(n, 2));
        exercise! {
            run: |gpu| {
                let (on_a, on_b) = (gpu.alloc_from(&a, "a"), gpu.alloc_from(&b, "b"));
                let same = gpu.alloc::<u8>(n, "same");
                let kernel = Matching { a: on_a.handle(), b: on_b.handle(), n: n as u32, same: same.handle() };
                gpu.launch_kernel(n.div_ceil(64) as u32, kernel)?;
                gpu.download(&same, n)
            } => "thread i reads `a[i]` and `b[i]`, and writes 1 or 0 to `same[i]`",
            expect: a.iter().zip(&b).map(|(a, b)| u8::from(a == b)).collect() => "`u8::from(true)` is 1",
        }
    }
}

#[test]
fn reverse_complement() {
    for n in [1, 63, 64, 65, 200] {
        let text = bases(n, 1);
        let complement = |base: &u8| match base {
            b'A' => b'T',
            b'C' => b'G',
            b'G' => b'C',
            _ => b'A',
        };
        exercise! {
            run: |gpu| {
                let (input, result) = (gpu.alloc_from(&text, "text"), gpu.alloc::<u8>(n, "result"));
                let kernel = ReverseComplement { text: input.handle(), n: n as u32, result: result.handle() };
                gpu.launch_kernel(n.div_ceil(64) as u32, kernel)?;
                gpu.download(&result, n)
            } => "thread 0 reads the last base, which is element n - 1",
            expect: text.iter().rev().map(complement).collect() => "thread i needs the base with i bases behind it",
        }
    }
}

#[test]
fn saxpy_any_grid() {
    // 192 threads for 1,000 elements, then 1,280 threads for 100.
    for (n, blocks) in [(1000, 3), (100, 20)] {
        let x = Vec::from_iter((0..n).map(|i| (i * 7 % 101) as f32));
        let y = Vec::from_iter((0..n).map(|i| (i * 13 % 101) as f32));
        exercise! {
            run: |gpu| {
                let (on_x, on_y) = (gpu.alloc_from(&x, "x"), gpu.alloc_from(&y, "y"));
                let kernel = SaxpyAnyGrid { a: 3.0, x: on_x.handle(), y: on_y.handle(), n: n as u32 };
                gpu.launch_kernel(blocks, kernel)?;
                gpu.download(&on_y, n)
            } => "the loop ends at n, also for threads that have no element",
            expect: x.iter().zip(&y).map(|(x, y)| 3.0 * x + y).collect()
                => "a thread goes on to its next element, T further, while that element exists",
            sectors: 3 * (n as u64).div_ceil(8)
                => "neighbouring threads compute neighbouring elements; a thread's own elements are T apart",
        }
    }
}
