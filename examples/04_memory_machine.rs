//! The cost of a kernel of your own on Nakano's memory machines, without a GPU:
//! `cargo run --release --example 04_memory_machine`.
//!
//! The kernel transposes a matrix in three ways. The direct way reads neighbouring words and writes
//! distant words. That is expensive where one address group is served at a time, as in global
//! memory (UMM). With a tile in shared memory, both the reads and the writes of global memory are
//! of neighbouring words. But the words of one column of the tile are all in one bank, which is
//! expensive in shared memory (DMM), unless the rows are one word longer.

use carrywave::machine::{Count, Machine, Model};
use simt_std::prelude::*;
use simt_std::simulator::{Options, Simulator, Spaces};

const SIDE: u32 = 32;

/// Launch: one block, one thread per element; both matrices have 32 × 32 words.
#[kernel(threads = SIDE * SIDE, shared = SIDE * pitch * 4)]
fn transpose(
    from: Global<u32>,
    to: Global<u32>,
    /// Words from one row of the tile to the next; 0 for no tile.
    pitch: u32,
) {
    let (row, column) = (thread::thread_idx_x() / SIDE, thread::thread_idx_x() % SIDE);
    let (along, across) = ((row * SIDE + column) as usize, (column * SIDE + row) as usize);
    if pitch == 0 {
        to.write(across, from.read(along));
    } else {
        let tile = dynamic_shared_mem::<u32>();
        tile.write(row * pitch + column, from.read(along));
        // SAFETY: all threads of the block are here.
        unsafe { thread::sync_threads() };
        to.write(along, tile.read(column * pitch + row));
    }
}

/// Transposes a matrix, and returns the cost of the accesses to one memory on a machine.
fn count(pitch: u32, machine: Machine, spaces: Spaces) -> Result<Count, Box<dyn std::error::Error>> {
    let mut gpu = Simulator::new(Options { trace: spaces, ..Options::default() });
    let matrix: Vec<u32> = (0..SIDE * SIDE).collect();
    let (from, to) = (gpu.alloc::<u32>(matrix.len(), "from"), gpu.alloc::<u32>(matrix.len(), "to"));
    gpu.upload(&from, &matrix)?;
    gpu.launch_kernel(1, Transpose { from: from.handle(), to: to.handle(), pitch })?;
    assert_eq!(gpu.download(&to, 3)?, [0, 32, 64]);
    let trace = gpu.take_trace().ok_or("nothing was recorded")?;
    Ok(machine.run(&trace)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (umm, dmm) = (Machine::new(Model::Umm, 32, 400), Machine::new(Model::Dmm, 32, 20));
    let (global, shared) = (Spaces { global: true, shared: false }, Spaces { global: false, shared: true });
    println!("Straight, global memory:\n{}", count(0, umm, global)?);
    println!("Through a tile, global memory:\n{}", count(SIDE, umm, global)?);
    println!("Rows of 32 words in the tile, shared memory:\n{}", count(SIDE, dmm, shared)?);
    println!("Rows of 33 words in the tile, shared memory:\n{}", count(SIDE + 1, dmm, shared)?);
    Ok(())
}
