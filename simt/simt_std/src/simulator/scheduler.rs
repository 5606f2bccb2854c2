//! Threads as coroutines, and the choice of the next one to run.
//!
//! One coroutine is one GPU thread. It runs until it must wait for others (a [`Request`]). The
//! scheduler then runs the other lanes of its warp, and answers once all threads that the request
//! names have arrived:
//!
//! ```text
//! for each resident block, for each warp:
//!     run every lane that is ready until it suspends or ends
//!     accounting?          sort the accesses of the lanes into warp accesses, and count them
//!     collectives waiting? a mask whose lanes are all there gets its results, and is ready
//!     else the warp is blocked
//! every thread of a block at the barrier? release it
//! every thread of the grid at its barrier? release it
//! nothing moved in a whole round? name who waits for whom
//! ```
//!
//! Without a seed, the first block runs alone until it has ended ([`Scheduler::runs_alone`]).
//!
//! With a seed, a random choice determines the order in each of these loops, and sometimes leaves a
//! block, a warp or a lane for the next round; or else threads have [priorities](priorities).

use super::blocks::Waiting;
use super::body::Body;
use super::coroutine::{Coroutine, CoroutineResult, Yielder};
use super::cost::{LaunchCosts, Meeting};
use super::costs::LaunchReport;
use super::fault::{Fault, FaultKind};
use super::idle::{Doing, Spinner, Verdict};
use super::launch::{
    BlockMemory, Current, Launch, Machine, SHARED_LIMIT, last_place, last_spot, set_running, set_stopped, set_yielder,
    trace_is_full, with_launch,
};
use super::named::NamedBarriers;
use super::options::Options;
use super::order::BlockOrder;
use super::request::{Ended, Lane, Named, Request};
use super::running::{Index, name, unlinear};
use super::schedule::{Course, Dice};
use super::site::SourceLocation;
use super::stack::{BYTES, FiberStack};
use super::stuck::{Stuck, stuck};
use super::suspects::Suspects;
use super::timeline::LaunchTimeline;
use super::warp::{Broken, Fiber, Warp};
use super::{panics, parallel, trap};
use crate::Grid;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of rounds of spinning, without a change of memory, until the launch counts as stuck.
const SPIN_LIMIT: u32 = 1000;

/// These rounds must also take at least a 64th of [`Options::spin_limit`] in steps.
const SPIN_SHARE: u64 = 64;

/// Number of turns of threads between two checks for spinning.
const LOOK: u32 = 1024;

/// Number of such rounds until the dice stop skipping threads.
const PATIENCE: u32 = 100;

mod priorities;

/// The end of a thread's run.
enum End {
    Ended(Ended),
    Fault,
    Panic(Box<dyn std::any::Any + Send>),
}

struct Block {
    number: u32,
    warps: Vec<Warp>,
    /// True if all of its threads wait at the grid's barrier.
    at_grid: bool,
    named: NamedBarriers,
}

/// What all host threads of a launch know.
#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub options: Options,
    pub grid: Grid,
    /// Source line of the launch.
    pub launched: SourceLocation,
    /// Value of [`INTERRUPTIONS`] when the launch started.
    pub interruptions: u64,
}

impl Setup {
    pub fn new(options: Options, grid: Grid, launched: SourceLocation) -> Self {
        Self { options, grid, launched, interruptions: INTERRUPTIONS.load(Ordering::Relaxed) }
    }
}

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
    let timeline =
        options.timeline.then(|| LaunchTimeline::new(kernel, options.resident_blocks.max(1), options.addresses));
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

/// Runs blocks of a launch on this host thread.
pub(super) fn run_blocks(
    setup: Setup,
    body: Rc<dyn Fn()>,
    machine: Machine,
    waiting: Waiting,
    timeline: Option<LaunchTimeline>,
) -> (Machine, LaunchCosts, Result<(), Box<Fault>>) {
    let Setup { options, grid, launched, interruptions } = setup;
    let accounting = options.accounting || options.timeline;
    trap::prepare();
    let apart = waiting.is_shared();
    Launch::new(machine, grid, &options, apart).enter(accounting);
    let mut scheduler = Scheduler {
        grid,
        threads: grid.thread_count(),
        accounting,
        costs: LaunchCosts::new(grid.thread_count(), timeline),
        slots: (0..options.resident_blocks.max(1)).map(|_| None).collect(),
        waiting,
        body,
        moved: false,
        left: false,
        idle_rounds: 0,
        spin_limit: options.spin_limit,
        turns: 0,
        launched,
        suspects: Suspects::default(),
        dice: Dice::new(options.seed),
        interruptions,
    };
    let outcome = match options.course() {
        Course::Priorities(changes) => scheduler.by_priority(changes),
        Course::InOrder | Course::Dice => scheduler.rounds(),
    };
    let outcome = outcome.map_err(|fault| scheduler.with_blocks_to_come(fault));
    let outcome = scheduler.suspects.judge(outcome);
    if options.timeline && outcome.is_err() {
        // The timeline ends with the fault, and not with the last access that was counted before.
        with_launch(|l| {
            for (slot, block) in scheduler.slots.iter().enumerate() {
                let warps = block.as_ref().map_or(0, |block| block.warps.len());
                (0..warps).for_each(|warp| l.count(slot, warp, 0, &mut scheduler.costs));
            }
        });
    }
    let costs = std::mem::take(&mut scheduler.costs);
    // Unfinished fibers unwind here, while the launch still exists.
    drop(scheduler);
    (Launch::leave(), costs, outcome)
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

/// Number of times that launches were interrupted.
static INTERRUPTIONS: AtomicU64 = AtomicU64::new(0);

/// Ends all launches that are running in this process, on any simulated GPU, with the fault
/// [`FaultKind::Interrupted`]. This is for programs whose user stops waiting. The memory keeps what
/// the launches have written.
pub fn interrupt() {
    INTERRUPTIONS.fetch_add(1, Ordering::Relaxed);
}

/// Abandons a thread and its stack for good, without dropping what its frames own.
fn abandon(mut fiber: Fiber) {
    // SAFETY: the thread never continues, and its stack is never freed or used again, as if all
    // that its frames own were forgotten.
    unsafe { fiber.force_reset() };
    std::mem::forget(fiber);
}

struct Scheduler<'a> {
    grid: Grid,
    threads: u32,
    accounting: bool,
    costs: LaunchCosts,
    slots: Vec<Option<Block>>,
    waiting: Waiting<'a>,
    /// The body that every thread runs. It is not a type parameter, because all of this would then
    /// be compiled for each kernel.
    body: Rc<dyn Fn()>,
    /// True if a thread did anything but spin in this round.
    moved: bool,
    /// True if the dice skipped a block, a warp or a lane in this round.
    left: bool,
    /// Number of consecutive rounds without progress of a thread and without a change of memory.
    idle_rounds: u32,
    spin_limit: u64,
    /// Number of turns of threads since the last check for spinning.
    turns: u32,
    /// Source line of the launch.
    launched: SourceLocation,
    suspects: Suspects,
    dice: Dice,
    /// Value of [`INTERRUPTIONS`] when the launch started.
    interruptions: u64,
}

impl Scheduler<'_> {
    fn rounds(&mut self) -> Result<(), Box<Fault>> {
        let (mut changes, shuffled) = (0, self.dice.choose());
        let mut order: Vec<usize> = (0..self.slots.len()).collect();
        loop {
            (self.moved, self.left) = (false, false);
            self.dice.shuffle(&mut order);
            for &slot in &order {
                if self.slots[slot].is_none()
                    && (shuffled || !self.runs_alone())
                    && let Some(number) = self.waiting.take(&mut self.dice, shuffled)
                {
                    self.start(slot, number)?;
                }
                if self.slots[slot].is_some() {
                    self.run_block(slot)?;
                }
            }
            if self.waiting.is_empty() && self.slots.iter().all(Option::is_none) {
                return Ok(());
            }
            let now = with_launch(|l| l.changes);
            self.idle_rounds = if self.moved || now != changes { 0 } else { self.idle_rounds + 1 };
            changes = now;
            let spinning = self.lanes().any(|thread| matches!(thread.lane, Lane::Ready(_)));
            if (!self.moved && !spinning && !self.left) || self.spins() {
                return Err(self.stuck());
            }
        }
    }

    /// Returns true while the first block of a launch runs, which is not cooperative: a GPU may run
    /// it to its end before it starts another, so it must not wait for others. Once it has read
    /// what no thread has written yet, the others run, because one of them may write it.
    fn runs_alone(&self) -> bool {
        self.waiting.only_first_started()
            && !self.grid.cooperative
            && self.slots.iter().any(Option::is_some)
            && !self.suspects.any()
            && !with_launch(|l| l.suspects_a_spin())
    }

    /// Adds the blocks that have not started to the fault of a thread that spins.
    fn with_blocks_to_come(&self, mut fault: Box<Fault>) -> Box<Fault> {
        if let (FaultKind::Deadlock { waiting }, 1..) = (&mut fault.kind, self.waiting.len())
            && self.lanes().any(|thread| matches!(thread.lane, Lane::Ready(_)))
        {
            let blocks = match self.waiting.len() {
                1 => "1 block has not started".to_string(),
                count => format!("{count} blocks have not started"),
            };
            waiting.push_str(&format!(
                "; {blocks}, and may do so only when another ends: a block must not wait for one that has not started. \
                 Number the blocks by an atomic ticket as they start, or make the kernel cooperative and call `sync_grid`"
            ));
        }
        fault
    }

    /// Returns true if no thread has made progress for a long time.
    fn spins(&self) -> bool {
        self.idle_rounds > SPIN_LIMIT && with_launch(|l| l.idle_steps()) > self.spin_limit / SPIN_SHARE
    }

    fn stuck(&self) -> Box<Fault> {
        stuck(self.grid, &self.lanes().collect::<Vec<_>>())
    }

    /// Returns true if the dice skip the next thread, warp or block: once in `n` times on average,
    /// but never after [`PATIENCE`] idle rounds.
    fn leaves(&mut self, n: usize) -> bool {
        let leaves = self.idle_rounds < PATIENCE && self.dice.once_in(n);
        self.left |= leaves;
        leaves
    }

    fn start(&mut self, slot: usize, number: u32) -> Result<(), Box<Fault>> {
        let mut warps = Vec::new();
        let mut first = 0;
        while first < self.threads {
            let count = (self.threads - first).min(32);
            let fibers: std::io::Result<_> = (0..count).map(|_| self.fiber().map(Some)).collect();
            let fibers = fibers.map_err(|error| {
                let reason = format!("cannot allocate the stacks of the simulated threads: {error}");
                Box::new(Fault::in_launch(FaultKind::Launch { reason }, None, None))
            })?;
            let index = |lane| Index {
                thread: unlinear(first + lane, self.grid.threads),
                block: unlinear(number, self.grid.blocks),
                block_dim: self.grid.threads,
                grid_dim: self.grid.blocks,
                lane,
            };
            warps.push(Warp {
                fibers,
                lanes: (0..count).map(|_| Lane::Ready(0)).collect(),
                indices: (0..count).map(index).collect(),
                spots: vec![None; count as usize],
            });
            first += 32;
        }
        if let Some(timeline) = &mut self.costs.timeline {
            timeline.start(slot, number, warps.len());
        }
        let memory = BlockMemory::new(number, warps.len(), self.grid.dynamic_shared);
        with_launch(|l| {
            l.blocks[slot] = Some(memory);
            l.ends += 1;
        });
        self.slots[slot] = Some(Block { number, warps, at_grid: false, named: NamedBarriers::default() });
        self.moved = true;
        Ok(())
    }

    fn fiber(&self) -> std::io::Result<Fiber> {
        let (body, stack) = (self.body.clone(), FiberStack::take()?);
        let floor = stack.floor();
        Ok(Coroutine::with_stack(stack, move |yielder: &Yielder<u64, Request>, _| {
            set_yielder(yielder, floor);
            body();
            Ended::Returned
        }))
    }

    /// Runs a block until it ends, waits for others, or is left for later by the dice. After a
    /// barrier, the same block continues at once, because its data is still in the processor's
    /// caches.
    fn run_block(&mut self, slot: usize) -> Result<(), Box<Fault>> {
        while !self.leaves(8) && self.run_to_barrier(slot)? {}
        Ok(())
    }

    /// Runs the warps of a block once; returns true if all of them have then passed a barrier.
    fn run_to_barrier(&mut self, slot: usize) -> Result<bool, Box<Fault>> {
        let warps = self.slots[slot].as_ref().map_or(0, |b| b.warps.len());
        let mut order: [u8; 32] = std::array::from_fn(|warp| warp as u8);
        self.dice.shuffle(&mut order[..warps]);
        for &warp in &order[..warps] {
            if !self.leaves(8) {
                self.run_warp(slot, warp.into())?;
            }
        }
        let block = self.slots[slot].as_mut().expect("resident");
        let open = block.warps.iter().flat_map(|w| w.lanes.iter()).any(|l| matches!(l, Lane::Ready(_)));
        if open { Ok(false) } else { self.settle(slot) }
    }

    /// Ends a block whose threads have all ended, or releases the barrier at which all of them
    /// wait. Returns true if they passed a barrier.
    fn settle(&mut self, slot: usize) -> Result<bool, Box<Fault>> {
        let block = self.slots[slot].as_mut().expect("resident");
        if self.accounting {
            with_launch(|l| (0..block.warps.len()).for_each(|warp| l.count(slot, warp, 0, &mut self.costs)));
        }
        if block.at_grid {
            return Ok(false);
        }
        let lanes = || block.warps.iter().flat_map(|w| w.lanes.iter());
        if lanes().all(|l| matches!(l, Lane::Done)) {
            self.slots[slot] = None;
            let memory = with_launch(|l| l.blocks[slot].take());
            self.costs.blocks.end_block(slot, memory.map_or(0, |memory| memory.shared_bytes()));
            self.moved = true;
            return Ok(false);
        }
        let of_grid = lanes().all(|l| matches!(l, Lane::Waiting(Request::Grid(_))));
        if !of_grid && !lanes().all(|l| matches!(l, Lane::Waiting(Request::Barrier(_)))) {
            return Ok(false);
        }
        // All threads are at a barrier; it must be the same one.
        let at = |l: &Lane| match l {
            Lane::Waiting(Request::Barrier(place) | Request::Grid(place)) => Some(*place),
            _ => None,
        };
        let first = lanes().find_map(at).expect("all are at one");
        let differs = |place: &SourceLocation| !std::ptr::eq(*place, first) && *place != first;
        if let Some((thread, place)) = lanes().zip(0..).find_map(|(l, thread)| Some((thread, at(l).filter(differs)?))) {
            let other = format!("it waits here while thread 0 of the block waits at {}:{}", first.file(), first.line());
            let who = Some(name(block.number, thread, self.grid));
            return Err(Box::new(Fault::in_launch(FaultKind::DivergentBarrier { other }, who, Some(place))));
        }
        if of_grid {
            block.at_grid = true;
            return Ok(self.release_grid());
        }
        let votes = with_launch(|l| {
            let memory = l.blocks[slot].as_mut().expect("a block that is here has memory");
            memory.order.barrier();
            std::mem::take(&mut memory.votes)
        });
        self.go_on(slot, first, votes.into());
        Ok(true)
    }

    /// Releases the grid's barrier if all blocks wait there; returns true if they do.
    fn release_grid(&mut self) -> bool {
        if !self.waiting.is_empty() || !self.slots.iter().all(|block| block.as_ref().is_some_and(|b| b.at_grid)) {
            return false;
        }
        with_launch(|l| BlockOrder::grid_barrier(l.blocks.iter_mut().flatten().map(|block| &mut block.order)));
        for slot in 0..self.slots.len() {
            let block = self.slots[slot].as_mut().expect("all blocks are at the barrier");
            block.at_grid = false;
            if let Some(Lane::Waiting(Request::Grid(place))) = block.warps.first().and_then(|warp| warp.lanes.first()) {
                let place = *place;
                self.go_on(slot, place, 0);
            }
        }
        true
    }

    /// Lets the threads of a block go on that wait at a barrier, and counts it.
    fn go_on(&mut self, slot: usize, place: SourceLocation, answer: u64) {
        if let Some(timeline) = &mut self.costs.timeline {
            timeline.barrier(slot, with_launch(|l| l.machine.sites.number(place)));
        }
        let block = self.slots[slot].as_mut().expect("resident");
        for (i, warp) in block.warps.iter_mut().enumerate() {
            if self.accounting {
                let site = with_launch(|l| {
                    l.log(slot, i).meet();
                    l.machine.sites.number(place)
                });
                self.costs.add_meeting(i, site, Meeting::Barrier, warp.lanes.len() as u32, 1);
            }
            warp.lanes.iter_mut().for_each(|l| *l = Lane::Ready(answer));
        }
        self.moved = true;
    }

    /// Runs a warp until all of its lanes have ended, wait at a barrier, wait for lanes that do not
    /// come, or spin; or until the dice leave it for later.
    fn run_warp(&mut self, slot: usize, warp: usize) -> Result<(), Box<Fault>> {
        // `yielded`: lanes that let threads of all blocks run first; `full`: lanes that let lanes
        // of this warp run first.
        let (mut yielded, mut full) = (0u32, 0u32);
        let mut order: [u8; 32] = std::array::from_fn(|lane| lane as u8);
        loop {
            self.check_whether_to_go_on()?;
            let count = self.warp(slot, warp).lanes.len();
            let mut ran = false;
            self.dice.shuffle(&mut order[..count]);
            for &lane in &order[..count] {
                let lane = usize::from(lane);
                if yielded >> lane & 1 == 0
                    && full >> lane & 1 == 0
                    && let Lane::Ready(answer) = self.warp(slot, warp).lanes[lane]
                    && !self.leaves(8)
                {
                    ran = true;
                    self.resume(slot, warp, lane, answer)?;
                    let state = &mut self.warp(slot, warp).lanes[lane];
                    let asks = if let Lane::Waiting(request) = *state { Some(request) } else { None };
                    match asks {
                        Some(Request::Yield) => yielded |= 1 << lane,
                        Some(Request::Full) => full |= 1 << lane,
                        _ => continue,
                    }
                    *state = Lane::Ready(0);
                }
            }
            if self.leaves(4) {
                return Ok(());
            }
            if ran {
                continue;
            }
            if self.accounting {
                let lanes = self.warp(slot, warp).lanes.iter().enumerate();
                let ready: u32 = lanes.filter(|(_, l)| matches!(l, Lane::Ready(_))).map(|(i, _)| 1 << i).sum();
                with_launch(|l| l.count(slot, warp, ready & !yielded, &mut self.costs));
                if std::mem::take(&mut full) != 0 {
                    continue;
                }
            }
            if !self.serve(slot, warp)? {
                return Ok(());
            }
        }
    }

    /// Ends the launch if it was interrupted, or if it has continued long enough after a fault.
    fn check_whether_to_go_on(&self) -> Result<(), Box<Fault>> {
        if INTERRUPTIONS.load(Ordering::Relaxed) != self.interruptions {
            return Err(Box::new(Fault::in_launch(FaultKind::Interrupted, None, None)));
        }
        if self.waiting.is_given_up() {
            return Err(Box::new(Fault::in_launch(FaultKind::Interrupted, None, None)));
        }
        if self.suspects.ends() { Err(self.stuck()) } else { Ok(()) }
    }

    /// Answers lanes of a warp that wait for each other in a collective, or that arrive at a named
    /// barrier; returns true if any lanes can go on.
    fn serve(&mut self, slot: usize, warp: usize) -> Result<bool, Box<Fault>> {
        let Self { slots, costs, accounting, grid, .. } = self;
        let block = slots[slot].as_mut().expect("resident");
        let mut costs = accounting.then_some(costs);
        let mut served = block.warps[warp].serve_collective(slot, warp, costs.as_deref_mut());
        if matches!(served, Ok(false)) {
            served = block.named.serve(&mut block.warps, (slot, warp), costs);
        }
        served.map_err(|Broken { reason, lane, location }| {
            let thread = Some(name(block.number, (warp * 32 + lane) as u32, *grid));
            Box::new(Fault::in_launch(FaultKind::Collective { reason }, thread, Some(location)))
        })
    }

    fn warp(&mut self, slot: usize, warp: usize) -> &mut Warp {
        &mut self.slots[slot].as_mut().expect("resident").warps[warp]
    }

    /// Runs a thread until it makes a request or ends. Inlined, because launches spend most of
    /// their time here.
    #[inline(always)]
    fn resume(&mut self, slot: usize, warp: usize, lane: usize, answer: u64) -> Result<(), Box<Fault>> {
        let block = self.slots[slot].as_mut().expect("resident");
        let (number, thread) = (block.number, (warp * 32 + lane) as u32);
        let state = &mut block.warps[warp];
        let fiber = state.fibers[lane].as_mut().expect("a ready lane has its fiber");
        set_running(Current { block: number, slot, thread }, &state.indices[lane]);
        trap::watch(Some(fiber.trap_handler()));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fiber.resume(answer)));
        trap::watch(None);
        set_stopped();
        match outcome {
            Ok(CoroutineResult::Yield(Request::Fault)) => self.finish(slot, warp, lane, End::Fault),
            Ok(CoroutineResult::Yield(request)) => {
                state.lanes[lane] = Lane::Waiting(request);
                if self.idle_rounds > 0 {
                    state.spots[lane] = last_spot();
                }
                self.turns += 1;
                if self.turns >= LOOK { self.look(slot, warp, lane) } else { Ok(()) }
            }
            Ok(CoroutineResult::Return(ended)) => self.finish(slot, warp, lane, End::Ended(ended)),
            Err(panic) => self.finish(slot, warp, lane, End::Panic(panic)),
        }
    }

    /// Handles the end or a fault of a thread.
    fn finish(&mut self, slot: usize, warp: usize, lane: usize, end: End) -> Result<(), Box<Fault>> {
        let (grid, last) = (self.grid, last_place());
        let block = self.slots[slot].as_mut().expect("resident");
        let (number, thread) = (block.number, (warp * 32 + lane) as u32);
        let state = &mut block.warps[warp];
        let fault = |kind, place| Box::new(Fault::in_launch(kind, Some(name(number, thread, grid)), place));
        match end {
            End::Fault => {
                let found = with_launch(|l| l.fault.take()).expect("set by the thread at fault");
                state.lanes[lane] = Lane::Waiting(Request::Fault);
                if matches!(found.kind, FaultKind::StackOverflow { .. })
                    && let Some(fiber) = state.fibers[lane].take()
                {
                    // The stack may have no room for unwinding.
                    abandon(fiber);
                }
                let fault = found.into_fault((number, thread), grid);
                // With other host threads, the launch runs again on one, which finds its faults.
                if self.waiting.is_shared() { Err(fault) } else { self.suspects.add(fault) }
            }
            End::Ended(ended) => {
                state.lanes[lane] = Lane::Done;
                let fiber = state.fibers[lane].take().expect("it ran");
                if ended == Ended::Overflow {
                    abandon(fiber);
                    let kind = FaultKind::StackOverflow { bytes: BYTES };
                    return Err(fault(kind, Some(last.unwrap_or(self.launched))));
                }
                fiber.into_stack().give_back();
                with_launch(|l| l.ends += 1);
                self.moved = true;
                Ok(())
            }
            End::Panic(panic) => {
                let message = panic
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()))
                    .unwrap_or_default();
                Err(fault(FaultKind::Panic { message }, panics::take_place().or(last)))
            }
        }
    }

    /// Checks for threads that spin and synchronise in between, after [`LOOK`] turns; the last turn
    /// was this thread's.
    #[cold]
    fn look(&mut self, slot: usize, warp: usize, lane: usize) -> Result<(), Box<Fault>> {
        let turns = std::mem::take(&mut self.turns);
        let block = self.slots[slot].as_ref().expect("resident");
        let place = match block.warps[warp].lanes[lane] {
            Lane::Waiting(Request::Barrier(place) | Request::Grid(place)) => place,
            Lane::Waiting(Request::Collective { location, .. } | Request::Named(Named { location, .. })) => location,
            _ => return Ok(()),
        };
        let (block, thread) = (block.number, (warp * 32 + lane) as u32);
        let spinner = Spinner { slot, block, thread, doing: Doing::Meeting(place) };
        with_launch(|l| {
            l.steps += u64::from(turns);
            match l.look(spinner) {
                Verdict::Spins(spinner) => Err(l.spins(spinner)),
                _ => Ok(()),
            }
        })
        .map_err(|found| found.into_fault((block, thread), self.grid))
    }

    /// Returns the threads of the resident blocks.
    fn lanes(&self) -> impl Iterator<Item = Stuck<'_>> {
        self.slots.iter().enumerate().filter_map(|(slot, b)| Some((slot, b.as_ref()?))).flat_map(|(slot, b)| {
            b.warps.iter().enumerate().flat_map(move |(w, warp)| {
                warp.lanes.iter().zip(&warp.spots).enumerate().map(move |(l, (lane, spot))| Stuck {
                    slot,
                    block: b.number,
                    thread: (w * 32 + l) as u32,
                    lane,
                    arrived: if let Lane::Waiting(Request::Named(named)) = lane {
                        b.named.arrived(named.id)
                    } else {
                        0
                    },
                    spot: *spot,
                })
            })
        })
    }
}
