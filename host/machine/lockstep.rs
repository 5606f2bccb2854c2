//! Lockstep: all threads are one SIMD machine.
//!
//! ```text
//! access 1: warps 0 1 … q - 1, one after the other     k1 stages   + l - 1
//! access 2: warps 0 1 … q - 1                          k2 stages   + l - 1
//! ```

use super::count::Counter;
use super::hmm;
use super::model::{Machine, Model};
use super::program::{Next, Program, ProgramPoint};
use std::collections::BTreeMap;

/// Runs a launch.
pub fn run(machine: &Machine, mut program: Program<'_>, counter: &mut Counter<'_>) {
    let mut at: BTreeMap<ProgramPoint, Vec<usize>> = BTreeMap::new();
    for thread in 0..program.threads() {
        program.begin(thread);
        wait(&mut program, thread, &mut at);
    }
    while let Some((_, mut threads)) = at.pop_first() {
        threads.sort_unstable();
        match machine.model {
            Model::Dmm | Model::Umm => turn(machine, &program, counter, &threads),
            Model::Hmm => hmm::turn(machine, &program, counter, &threads),
        }
        for thread in threads {
            program.step(thread);
            wait(&mut program, thread, &mut at);
        }
    }
}

/// Counts a turn: the accesses of `threads`, all at one line. They are in order.
fn turn(machine: &Machine, program: &Program<'_>, counter: &mut Counter<'_>, threads: &[usize]) {
    let width = machine.width as usize;
    let mut last = None;
    for warp in threads.chunk_by(|a, b| a / width == b / width) {
        let access = counter.warp_access(program, warp);
        counter.spend(access.row, access.stages);
        last = Some(access.row);
    }
    if let Some(row) = last {
        counter.spend(row, machine.latency - 1);
    }
}

/// Advances a thread to its next access. Threads do not wait at barriers: those that have passed
/// more of them come later in the order.
fn wait(program: &mut Program<'_>, thread: usize, at: &mut BTreeMap<ProgramPoint, Vec<usize>>) {
    while matches!(program.next(thread), Next::Barrier | Next::Meeting) {
        program.step(thread);
    }
    if let Some(point) = program.point(thread) {
        at.entry(point).or_default().push(thread);
    }
}
