//! How many instructions a GPU issues in a second.

use super::Outcome;
use carrywave::device::{Device, Gpu};
use carrywave::kernels::measure::issue_rate::{CARRY_INSTRUCTIONS, CarryRate, INSTRUCTIONS, IssueRate};
use simt_std::{Kernel, global::Global};
use std::time::Instant;

/// Turns of the measuring kernels' loops.
const TURNS: u32 = 4096;

/// Thread instructions a second.
pub struct Rates {
    /// Additions and logic operations, on all pipes.
    pub all: f64,
    /// Logic operations and additions with carry, on the one pipe that they share.
    pub logic: f64,
}

impl Rates {
    /// Those of a GPU.
    pub fn measured(gpu: &Gpu, runs: usize) -> Outcome<Self> {
        Ok(Self { all: all(gpu, runs)?.0, logic: logic(gpu, runs)?.0 })
    }
}

/// Instructions a second on all pipes, and the seconds of all runs.
pub fn all(gpu: &Gpu, runs: usize) -> Outcome<(f64, Vec<f64>)> {
    rate(&**gpu.device(), runs, INSTRUCTIONS, |out| IssueRate { turns: TURNS, seed: 5, out })
}

/// The same on the pipe of logic operations and additions with carry.
pub fn logic(gpu: &Gpu, runs: usize) -> Outcome<(f64, Vec<f64>)> {
    rate(&**gpu.device(), runs, CARRY_INSTRUCTIONS, |out| CarryRate { turns: TURNS, seed: 5, out })
}

/// Instructions a second of a measuring kernel with so many in a turn of a thread, and the seconds of all runs.
fn rate<K: Kernel>(
    gpu: &impl Device,
    runs: usize,
    instructions: u64,
    kernel: impl Fn(Global<u32>) -> K,
) -> Outcome<(f64, Vec<f64>)> {
    // As many as a multiprocessor holds.
    let blocks = gpu.limits().multiprocessors * 8;
    let threads = u64::from(blocks) * u64::from(K::BLOCK_THREADS);
    let stream = gpu.stream()?;
    let out = gpu.alloc::<u32>(threads as usize, "out")?;
    let mut seconds = Vec::new();
    for _ in 0..=runs {
        let started = Instant::now();
        // SAFETY: one word a thread.
        unsafe { gpu.launch(&stream, blocks, kernel(gpu.handle(&out)))? };
        gpu.wait(&stream)?;
        seconds.push(started.elapsed().as_secs_f64());
    }
    // The first compiles.
    seconds.remove(0);
    Ok(((threads * u64::from(TURNS) * instructions) as f64 / super::median(&seconds), seconds))
}
