//! Three exercises with a right and some wrong solutions: how a course writes them, and what
//! students read.
//!
//! A course gives students the kernel to complete and a test such as `transposes` below. The other
//! tests here check that wrong solutions are refused, with a message that helps.

use simt_examples::transpose::{TransposePadded, TransposeTiled};
use simt_std::prelude::*;
use simt_std::simulator::exercise::Results;
use simt_std::simulator::{Exercise, Fault, Simulator};

fn message<R: Results, F: Fn(&mut Simulator) -> Result<R, Fault>>(exercise: Exercise<R, F>) -> String {
    exercise.outcome().expect_err("the solution is wrong").to_string()
}

// 1. Transpose a matrix of 64 × 64 words through shared memory, without bank conflicts.

fn matrix() -> Vec<f32> {
    (0..64 * 64).map(|i| i as f32).collect()
}

fn transposed() -> Vec<f32> {
    (0..64 * 64).map(|i| (i % 64 * 64 + i / 64) as f32).collect()
}

fn transposes<K: Kernel>(
    kernel: fn(Global<f32>, Global<f32>) -> K,
) -> Exercise<Vec<f32>, impl Fn(&mut Simulator) -> Result<Vec<f32>, Fault>> {
    Exercise::new(move |gpu| {
        let input = gpu.alloc_from(&matrix(), "input");
        let output = gpu.alloc::<f32>(64 * 64, "output");
        gpu.launch_kernel([2, 2], kernel(input.handle(), output.handle()))?;
        gpu.download(&output, 64 * 64)
    })
    .hint("is there a barrier between writing and reading the tile?")
    .expect(transposed())
    .hint("the block's x and y change places in the output")
    .schedules(20)
    .sectors(2 * 64 * 64 / 8)
    .hint("both accesses of global memory go along rows")
    .conflicts(0)
    .hint("pad the rows of the tile by one word")
}

#[test]
fn a_padded_tile_transposes_without_conflicts() {
    transposes(|input, output| TransposePadded { input, output, width: 64, height: 64 }).check();
}

#[test]
fn a_tile_without_padding_has_conflicts() {
    let text = message(transposes(|input, output| TransposeTiled { input, output, width: 64, height: 64 }));
    assert!(text.starts_with("bank conflicts: 3968, and at most 0 are allowed. They are from\n"), "{text}");
    assert!(text.contains("transpose.rs:") && text.contains("tile.read("), "the line and its text: {text}");
    assert!(text.ends_with("\n  hint: pad the rows of the tile by one word"), "{text}");
}

// 2. Add up the numbers of a block by halving, in 7 barriers.

/// Adds up 64 numbers in shared memory. Two faults can be switched on. Launch: one block; `numbers`
/// has 64 elements, `sum` one.
#[kernel(threads = 64)]
fn sum(numbers: Global<f32>, sum: Global<f32>, has_barriers: bool, is_off_by_one: bool) {
    shared_array!(partial: [f32; 64]);
    let i = thread::thread_idx_x();
    partial.write(i, numbers.read(i as usize));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut half = 32;
    while half > 0 {
        if i < half - u32::from(is_off_by_one && half == 8) {
            partial.write(i, partial.read(i) + partial.read(i + half));
        }
        if has_barriers {
            // SAFETY: all threads of the block are here, each with the same `half`.
            unsafe { thread::sync_threads() };
        }
        half /= 2;
    }
    if i == 0 {
        sum.write(0, partial.read(0));
    }
}

/// The numbers 1, 1/2, …, 1/64, whose sum depends on the order of the additions.
fn numbers() -> Vec<f32> {
    (1..=64).map(|i| 1.0 / i as f32).collect()
}

fn sums(has_barriers: bool, is_off_by_one: bool) -> impl Fn(&mut Simulator) -> Result<f32, Fault> {
    move |gpu| {
        let numbers = gpu.alloc_from(&numbers(), "numbers");
        let total = gpu.alloc::<f32>(1, "sum");
        let (numbers, sum) = (numbers.handle(), total.handle());
        gpu.launch_kernel(1, Sum { numbers, sum, has_barriers, is_off_by_one })?;
        Ok(gpu.download(&total, 1)?[0])
    }
}

#[test]
fn halving_sums_in_few_barriers() {
    // The macro writes an exercise as a list.
    simt_std::exercise! {
        run: sums(true, false) => "which threads wait before the next step?",
        expect: numbers().iter().sum(),
        within: 1e-6,
        schedules: 20,
        // 7 in each of 2 warps.
        barriers: 14 => "one barrier a step is enough",
    }
}

#[test]
fn a_missing_barrier_is_a_race() {
    let text = message(Exercise::new(sums(false, false)).hint("which threads wait before the next step?"));
    assert!(text.starts_with("no fault is allowed: kernel sum, "), "{text}");
    assert!(text.contains("race in shared memory") && text.contains("of `partial`"), "{text}");
    assert!(text.ends_with("\n  hint: which threads wait before the next step?"), "{text}");
    // An exercise may also be to find the fault: students plant it.
    Exercise::new(sums(false, false)).fault("race").fault("`partial`").check();
}

#[test]
fn a_number_that_is_left_out_shows_in_the_result() {
    let exercise = Exercise::new(sums(true, true)).expect(numbers().iter().sum()).within(1e-6);
    let text = message(exercise.hint("which thread adds the last number of each half?"));
    assert!(text.starts_with("the result is ") && text.contains("is expected, within 0.000001"), "{text}");
}

// 3. Count bytes by their lowest 3 bits, with all blocks adding to the same counts.

/// `counts[c]` is the number of bytes with the lowest bits c. Launch: `counts` has 8 zeros.
#[kernel(threads = 32)]
fn count(bytes: Global<u8>, n: u32, counts: Global<u32>, is_atomic: bool) {
    let i = thread::index_1d();
    if i < n {
        let class = (bytes.read(i as usize) % 8) as usize;
        if is_atomic {
            atomic::fetch_add(counts, class, 1);
        } else {
            counts.write(class, counts.read(class) + 1);
        }
    }
}

fn counts(is_atomic: bool) -> impl Fn(&mut Simulator) -> Result<Vec<u32>, Fault> {
    move |gpu| {
        let bytes = gpu.alloc_from(&Vec::from_iter(0..100u8), "bytes");
        let counts = gpu.alloc_from(&[0u32; 8], "counts");
        let (bytes, handle) = (bytes.handle(), counts.handle());
        gpu.launch_kernel(4, Count { bytes, n: 100, counts: handle, is_atomic })?;
        gpu.download(&counts, 8)
    }
}

#[test]
fn atomic_operations_count() {
    Exercise::new(counts(true)).expect(vec![13, 13, 13, 13, 12, 12, 12, 12]).schedules(20).check();
}

#[test]
fn counting_without_them_is_a_race() {
    let text = message(Exercise::new(counts(false)).hint("two threads may read the same count"));
    assert!(text.contains("race in global memory on element 0 of `counts`"), "{text}");
    let wrong = Exercise::new(counts(true)).expect(vec![13; 8]).hint("100 is no multiple of 8");
    let text = message(wrong);
    assert!(text.starts_with("element 4 is 12, and 13 is expected (4 of 8 elements differ)"), "{text}");
    assert!(text.contains("it is changed by an atomic operation of thread 4 of block 0 of `count`"), "{text}");
    assert!(text.contains(", and by 11 other threads\n  hint: 100 is no multiple of 8"), "{text}");
}
