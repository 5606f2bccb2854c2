//! Launches whose blocks run on all cores.
//!
//! Host threads take blocks from a queue, and each has its own view of the memory. If no block
//! reads or writes what a block of another host thread has written, the views are joined, and the
//! result is that of one host thread. Otherwise it is as if the launch had not started: its blocks
//! run again, on one host thread, whose order of blocks determines the result and the faults:
//!
//! ```text
//!                 ┌─ view: blocks 0 to 3, 12 to 15 ─┐  independent?
//! memory ─ split ─┼─ view: blocks 4 to 7 …          ─┼─ yes: joined memory
//!                 └─ view: blocks 8 to 11 …         ─┘  no: one host thread, from the start
//! ```
//!
//! A host thread gives up, and the launch runs on one, if a thread makes a fault, prints, reads a
//! clock, seems to spin, or executes an atomic operation in global memory: their order matters.

use super::blocks::{Queue, Waiting};
use super::body::Body;
use super::costs::LaunchReport;
use super::launch::Machine;
use super::memory::Memory;
use super::schedule::Course;
use super::scheduler::run_blocks;
use super::setup::Setup;
use super::trace::Spaces;
use super::{panics, stack};
use std::rc::Rc;
use std::thread::Builder;

/// Least number of simulated threads for each host thread: fewer take less time than to start one.
const LEAST: u64 = 4096;

/// Number of chunks of blocks for each host thread.
const CHUNKS: u32 = 8;

/// Returns the number of host threads for a launch.
pub(super) fn workers(Setup { options, grid, .. }: &Setup, body: &Body) -> usize {
    let in_order = options.course() == Course::InOrder;
    if !in_order || options.timeline || options.trace != Spaces::default() || !body.has_copies() {
        return 1;
    }
    let blocks = grid.block_count();
    let most = u64::from(blocks) * u64::from(grid.thread_count()) / LEAST;
    let cores = match options.host_threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        given => given,
    };
    cores.min(blocks as usize).min(usize::try_from(most).unwrap_or(usize::MAX)).max(1)
}

/// Runs a launch on `count` host threads. Returns the machine and the costs; or the machine as
/// before, and no costs, if the launch must run on one host thread.
pub(super) fn run(setup: Setup, body: &Body, mut machine: Machine, count: usize) -> (Machine, Option<LaunchReport>) {
    let Some(bodies) = body.copies(count) else { return (machine, None) };
    let blocks = setup.grid.block_count();
    let queue = Queue::new(blocks, blocks.div_ceil(CHUNKS * count as u32));
    let mut views = std::mem::take(&mut machine.memory).views(count + 1);
    // One view stays here, so that the memory is kept whatever happens to the host threads.
    let mut joined = Vec::from_iter(views.pop());
    let acquired = machine.words.acquired;
    let watch = panics::Watch::new();
    let work = |body, memory| work(setup, body, memory, acquired, &queue);
    let done: Vec<Option<Done>> = std::thread::scope(|scope| {
        let start = |(body, memory)| Builder::new().spawn_scoped(scope, move || work(body, memory)).ok();
        let threads = Vec::from_iter(bodies.into_iter().zip(views).map(start));
        threads.into_iter().map(|thread| thread?.join().ok()).collect()
    });
    drop(watch);
    let whole = done.iter().all(Option::is_some);
    let mut costs = LaunchReport::default();
    for Done { memory, costs: part } in done.into_iter().flatten() {
        costs.merge(&part);
        joined.push(memory);
    }
    let (memory, independent) = Memory::join(joined, whole && !queue.is_given_up());
    machine.memory = memory;
    (machine, independent.then_some(costs))
}

/// The result of a host thread.
struct Done {
    memory: Memory,
    costs: LaunchReport,
}

/// Runs blocks from the queue on this host thread.
fn work(setup: Setup, body: Box<dyn Fn() + Send>, memory: Memory, acquired: bool, queue: &Queue) -> Done {
    let body: Box<dyn Fn()> = body;
    let mut machine = Machine { memory, ..Machine::default() };
    machine.words.acquired = acquired;
    machine.records.next_launch(acquired);
    let quiet = panics::Quiet::new();
    let stacks = stack::Borrowed::new();
    let (machine, costs, outcome) = run_blocks(setup, Rc::from(body), machine, Waiting::shared(queue), None);
    drop(stacks);
    drop(quiet);
    if outcome.is_err() {
        queue.give_up();
    }
    let accounting = setup.options.accounting;
    let costs = if accounting { LaunchReport::of(costs, &machine.sites) } else { LaunchReport::default() };
    Done { memory: machine.memory, costs }
}
