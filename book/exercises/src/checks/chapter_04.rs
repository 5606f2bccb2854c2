//! Checks of chapter 4.

use crate::chapter_04::{Deal, DotProduct, RunningSums};
use simt_std::exercise;

#[test]
fn dot_product() {
    let a = Vec::from_iter((0..1000u32).map(|i| i % 17));
    let b = Vec::from_iter((0..1000u32).map(|i| i % 13));
    let products = Vec::from_iter(a.iter().zip(&b).map(|(x, y)| x * y));
    exercise! {
        run: |gpu| {
            let (on_a, on_b) = (gpu.alloc_from(&a, "a"), gpu.alloc_from(&b, "b"));
            let sums = gpu.alloc::<u32>(4, "sums");
            let kernel = DotProduct { a: on_a.handle(), b: on_b.handle(), n: 1000, sums: sums.handle() };
            gpu.launch_kernel(4, kernel)?;
            gpu.download(&sums, 4)
        } => "the message names the line and the element: which thread should access it, and after which barrier?",
        expect: products.chunks(256).map(|part| part.iter().sum()).collect() => "which thread writes the sum of its block?",
        schedules: 20,
        barriers: 4 * 8 * 9 => "one barrier after the products, and one after each of 8 levels",
        steps: 4 * 256 => "one thread needs 256 reads to add 256 products; let many threads add at the same time",
        sectors: 2 * 125 + 4 => "each element of `a` and `b` is read once",
    }
}

#[test]
fn deal() {
    let numbers = Vec::from_iter(0..1024u32);
    let dealt = |part: &[u32]| Vec::from_iter((0..256).map(|p| part[8 * (p % 32) + p / 32]));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&numbers, "numbers");
            gpu.launch_kernel(4, Deal { numbers: on_gpu.handle() })?;
            gpu.download(&on_gpu, 1024)
        } => "the message names the line and the element: which thread should access it, and after which barrier?",
        expect: numbers.chunks(256).flat_map(dealt).collect()
            => "word p of each 256 gets number 8 * (p % 32) + p / 32: which thread has read it?",
        schedules: 20,
        barriers: 4 * 8 => "one barrier, between the writes of shared memory and the reads, is enough",
        sectors: 2 * 128 => "both accesses of global memory are at `index_1d`; change the order in shared memory",
    }
}

#[test]
fn running_sums() {
    let numbers = Vec::from_iter((0..256u32).map(|i| i % 7 + 1));
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&numbers, "numbers");
            let sums = gpu.alloc::<u32>(256, "sums");
            gpu.launch_kernel(1, RunningSums { numbers: on_gpu.handle(), sums: sums.handle() })?;
            gpu.download(&sums, 256)
        } => "a barrier belongs between the two accesses that the message names; there are two such places",
        expect: (0..256).map(|i| numbers[..=i].iter().sum()).collect() => "the additions are right as they are",
        schedules: 20,
        barriers: 8 * 17 => "two barriers in each of 8 rounds, and one more at most, each counted once for each of the 8 warps",
    }
}
