//! Chapter 1: its first program, the message of its fault, and the counts that it predicts.

use super::faults::{Matching, OneTooMany};
use super::first::{self, complement_of};
use super::launches::sum;
use crate::report::{Chapter, Count, wrapped};
use simt_std::simulator::{Access, Exercise, Fault, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("01-threads");

#[test]
fn the_first_program_prints_the_complement() {
    first::main().unwrap();
    let result = complement_of(&mut Simulator::default(), &b"GATTACA".repeat(10)).unwrap();
    assert_eq!(result, b"CTAATGT".repeat(10));
    CHAPTER.quote("first.txt", &String::from_utf8(result).unwrap());
}

/// Launches the faulty kernel with vectors of length n.
fn launch_one_too_many(n: usize) -> Result<(), Fault> {
    let mut gpu = Simulator::default();
    let ones = vec![1.0f32; n];
    let (a, b, c) = (gpu.alloc_from(&ones, "a"), gpu.alloc_from(&ones, "b"), gpu.alloc_from(&ones, "c"));
    let kernel = OneTooMany { a: a.handle(), b: b.handle(), c: c.handle(), n: n as u32 };
    gpu.launch_kernel(n.div_ceil(256) as u32, kernel)
}

#[test]
fn one_thread_too_many_is_out_of_bounds() {
    CHAPTER.fault("out-of-bounds.txt", &launch_one_too_many(1000).unwrap_err());
}

#[test]
fn the_fault_needs_an_idle_thread() {
    launch_one_too_many(1024).unwrap();
}

#[test]
fn an_exercise_that_is_not_begun() {
    let (a, b) = (b"GATTACA", b"GATAACA");
    let exercise = Exercise::new(|gpu| {
        let (on_a, on_b, same) = (gpu.alloc_from(a, "a"), gpu.alloc_from(b, "b"), gpu.alloc::<u8>(7, "same"));
        gpu.launch_kernel(1, Matching { _a: on_a.handle(), _b: on_b.handle(), _n: 7, _same: same.handle() })?;
        gpu.download(&same, 7)
    })
    .hint("thread i reads `a[i]` and `b[i]`, and writes 1 or 0 to `same[i]`");
    let message = exercise.outcome().unwrap_err().to_string();
    CHAPTER.quote("exercise.txt", &Vec::from_iter(message.lines().map(wrapped)).join("\n  "));
}

/// Returns a simulator that has added two vectors of 1,025 elements, and counted.
fn counted() -> Result<Simulator, Fault> {
    // ANCHOR: costs
    let a = vec![1.0; 1025];
    let b = vec![2.0; 1025];
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    sum(&mut gpu, &a, &b)?;
    println!("{}", gpu.costs());
    // ANCHOR_END: costs
    Ok(gpu)
}

#[test]
fn a_table_of_costs() {
    let table = counted().unwrap().costs().to_string();
    // The path, up to the file's name, makes the first column wide.
    let row = |line: &str| match line.split_once("/kernels.rs:") {
        Some((_, rest)) => format!("kernels.rs:{rest}"),
        None => line.replacen(&format!("{:<36}", "line"), &format!("{:<13}", "line"), 1),
    };
    CHAPTER.quote("costs.txt", &Vec::from_iter(table.lines().map(row)).join("\n"));
}

#[test]
fn predicted_threads_of_a_launch() {
    let n = 1025u32;
    let gpu = counted().unwrap();
    let totals = gpu.costs_by_kernel()["vector_add"].totals;
    let (reads, writes) =
        (gpu.costs().total_of(Space::Global, Access::Read), gpu.costs().total_of(Space::Global, Access::Write));
    let threads = totals.blocks * u64::from(totals.threads);
    let blocks = n.div_ceil(256);
    let mean = Count {
        what: "lanes that take part in a read, on average",
        predicted: f64::from(n) / f64::from(n.div_ceil(32)),
        measured: reads.lanes as f64 / reads.accesses as f64,
        difference: None,
    };
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("threads", 256 * blocks, threads),
            Count::new("warps", 8 * blocks, threads / 32),
            Count::new("idle threads", 256 * blocks - n, threads - writes.lanes),
            Count::new("reads by warps", 2 * n.div_ceil(32), reads.accesses),
            mean,
        ],
    );
}
