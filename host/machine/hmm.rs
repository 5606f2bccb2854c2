//! The hierarchical memory machine (HMM): d DMMs, each the shared memory of some blocks, beside one
//! UMM, the global memory of all.
//!
//! ```text
//!  blocks   0 d 2d … │ 1 d+1 … │ … │ d-1 2d-1 …      block b is on DMM b mod d
//!           DMM 0    │ DMM 1   │ … │ DMM d-1         width w, latency of shared memory
//!                ╲       │           ╱
//!                 one UMM for all                    width w, latency l
//! ```
//!
//! K. Nakano, "The hierarchical memory machine model for GPUs" (2013); D. Man, K. Nakano, Y. Ito,
//! "The approximate string matching on the hierarchical memory machine, with performance
//! evaluation" (2013). Both texts are not at hand; the rules here are those of the two parts.
//!
//! In lockstep all threads of all DMMs are one SIMD machine. A turn of accesses to global memory
//! takes q + l - 1 time units, with the q stages of all warps on the UMM. In a turn of accesses to
//! shared memory the DMMs work side by side, and the one with most stages decides: max q_i + s - 1,
//! with the q_i stages of the warps on DMM i and the latency s of shared memory. A warp has threads
//! of one block only.

use super::count::{Counted, Counter};
use super::model::Machine;
use super::program::Program;
use simt_std::simulator::Space;
use std::collections::BTreeMap;

/// Counts a turn: the accesses of `threads`, all at one line. They are in order.
pub fn turn(machine: &Machine, program: &Program<'_>, counter: &mut Counter<'_>, threads: &[usize]) {
    let place = |thread: usize| {
        let block = program.block_of(thread);
        (block.start, (thread - block.start) as u64 / machine.width)
    };
    let mut by_pipeline: BTreeMap<u64, Vec<Counted>> = BTreeMap::new();
    for warp in threads.chunk_by(|&a, &b| place(a) == place(b)) {
        let access = counter.warp_access(program, warp);
        let block = (program.block_of(warp[0]).start / program.block()) as u64;
        let pipeline = if counter.memory(access) == Space::Shared { block % machine.dmms } else { 0 };
        by_pipeline.entry(pipeline).or_default().push(access);
    }
    let stages = |accesses: &Vec<Counted>| accesses.iter().map(|access| access.stages).sum::<u64>();
    let Some(busiest) = by_pipeline.into_values().max_by_key(stages) else { return };
    for &Counted { row, stages } in &busiest {
        counter.spend(row, stages);
    }
    if let Some(&last) = busiest.last() {
        let latency = if counter.memory(last) == Space::Shared { machine.shared_latency } else { machine.latency };
        counter.spend(last.row, latency - 1);
    }
}
