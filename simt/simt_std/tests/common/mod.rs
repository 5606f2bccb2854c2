//! Runs kernels on 64 words.
#![allow(dead_code, reason = "each test takes what it needs")]

use simt_std::simulator::{Fault, Grid, Simulator};
use simt_std::{global::Global, thread};

/// Runs a kernel on an array `data` of 64 zeros, and returns the words after it.
pub fn run(gpu: &mut Simulator, grid: Grid, body: impl Fn(Global<u32>) + 'static) -> Result<Vec<u32>, Fault> {
    let data = gpu.alloc_from(&[0; 64], "data");
    let handle = data.handle();
    gpu.launch("planted", grid, move || body(handle))?;
    gpu.download(&data, 64)
}

/// Returns such a run as a job that can run under many schedules.
pub fn job(
    grid: Grid,
    body: impl Fn(Global<u32>) + Clone + 'static,
) -> impl Fn(&mut Simulator) -> Result<Vec<u32>, Fault> {
    move |gpu| run(gpu, grid, body.clone())
}

/// Returns a grid of blocks of one thread.
pub fn blocks(blocks: u32) -> Grid {
    Grid::linear(blocks, 1)
}

pub fn block() -> u32 {
    thread::block_idx_x()
}
