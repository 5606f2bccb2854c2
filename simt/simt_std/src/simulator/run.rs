//! A launch from its request to its end: on one host thread, or on all cores.

use super::blocks::Waiting;
use super::body::Body;
use super::costs::LaunchReport;
use super::fault::{Fault, FaultKind};
use super::launch::{Launch, Machine, SHARED_LIMIT, trace_is_full};
use super::scheduler::run_blocks;
use super::setup::Setup;
use super::timeline::LaunchTimeline;
use super::{panics, parallel};
use crate::Grid;

/// A launch that has ended.
pub(super) struct Ran {
    pub machine: Machine,
    pub costs: LaunchReport,
    pub timeline: Option<LaunchTimeline>,
    pub outcome: Result<(), Fault>,
    /// True if only one host thread can run launches of this kernel.
    pub alone: bool,
}

/// Runs a launch to its end or its first fault. `alone`: on one host thread.
pub(super) fn run(mut setup: Setup, kernel: &str, body: &Body, mut machine: Machine, mut alone: bool) -> Ran {
    let Setup { options, grid, .. } = setup;
    let refused = refused(grid).map(|reason| FaultKind::Launch { reason }).or_else(|| {
        let mut trace = machine.trace.as_mut();
        let room = trace.as_mut().is_none_or(|trace| trace.launch(kernel, grid.block_count(), grid.thread_count()));
        (!room).then(trace_is_full)
    });
    if let Some(kind) = refused {
        let outcome = Err(Fault { seed: options.seed, ..Fault::on_host(kernel, kind) });
        return Ran { machine, costs: LaunchReport::default(), timeline: None, outcome, alone };
    }
    machine.last_launch = Some(in_words(kernel, grid));
    machine.memory.next_launch();
    machine.words.next_launch();
    machine.records.next_launch(machine.words.acquired || grid.cooperative);
    if grid.cooperative {
        setup.options.resident_blocks = grid.block_count() as usize;
    }
    let workers = if alone || grid.cooperative { 1 } else { parallel::workers(&setup, body) };
    if workers > 1 {
        let costs;
        (machine, costs) = parallel::run(setup, body, machine, workers);
        if let Some(costs) = costs {
            return Ran { machine, costs, timeline: None, outcome: Ok(()), alone };
        }
        alone = true;
    }
    let resident = setup.options.resident_blocks.max(1);
    let timeline = options.timeline.then(|| LaunchTimeline::new(kernel, resident, options.addresses));
    let watch = panics::Watch::new();
    let blocks = Waiting::all(grid.block_count());
    let (machine, mut costs, outcome) = run_blocks(setup, body.copy(), machine, blocks, timeline);
    drop(watch);
    let outcome = outcome.map_err(|fault| Fault { kernel: kernel.into(), seed: options.seed, ..*fault });
    let timeline = costs.timeline.take();
    let accounting = options.accounting;
    let costs = if accounting { LaunchReport::of(costs, &machine.sites) } else { LaunchReport::default() };
    Ran { machine, costs, timeline, outcome, alone }
}

/// Returns the reason why a launch of this shape is impossible.
fn refused(grid: Grid) -> Option<String> {
    let threads: u64 = grid.threads.iter().map(|&t| u64::from(t)).product();
    let blocks: u64 = grid.blocks.iter().map(|&b| u64::from(b)).product();
    if threads == 0 || threads > 1024 {
        Some(format!("a block has 1 to 1,024 threads, not {threads}"))
    } else if blocks == 0 || blocks > u64::from(u32::MAX) {
        Some(format!("a grid has 1 to {} blocks, not {blocks}", u32::MAX))
    } else if grid.dynamic_shared > SHARED_LIMIT {
        Some(format!("a block has at most {SHARED_LIMIT} bytes of shared memory, not {}", grid.dynamic_shared))
    } else if Launch::is_running() {
        Some("a kernel cannot launch another".into())
    } else {
        None
    }
}

/// Describes a launch for a message.
fn in_words(kernel: &str, Grid { blocks, threads, .. }: Grid) -> String {
    let size = |[x, y, z]: [u32; 3]| match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x} × {y}"),
        _ => format!("{x} × {y} × {z}"),
    };
    format!("`{kernel}` (blocks: {}, threads of a block: {})", size(blocks), size(threads))
}
