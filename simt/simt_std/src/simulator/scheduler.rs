//! Threads as coroutines: who runs next, and who waits for whom.
//!
//! One coroutine is one GPU thread. It runs until it must meet others (a [`Request`]); the scheduler then runs the
//! other lanes of its warp, and answers once all that the request names are there:
//!
//! ```text
//! for each resident block, for each warp:
//!     run every lane that is ready until it suspends or ends
//!     memory accesses waiting? the group that is farthest behind is one warp access: count it, make it ready
//!     collectives waiting?     a mask whose lanes are all there gets its results, and is ready
//!     else the warp is blocked
//! every thread of a block at the barrier? release it
//! nothing moved in a whole round? name who waits for whom
//! ```

use super::cost::Costs;
use super::fault::{Access, Fault, FaultKind, Thread};
use super::memory::{Memory, Region, Space, Who, region_number};
use super::trace::{MOST_EVENTS, Trace};
use super::{Grid, Options, Seen};
use crate::warp::Shuffle;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::rc::Rc;

type Place = &'static Location<'static>;
type Fiber = Coroutine<u64, Request, (), DefaultStack>;

/// Rounds of spinning without any change of memory after which nobody will ever be released.
const SPIN_LIMIT: u32 = 1000;

/// Bytes of stack for a thread: kernels are shallow, debug builds of them less so.
const STACK: usize = 128 * 1024;

/// Bytes of shared memory that a block may have (sm_90: 227 KiB).
const SHARED_LIMIT: u32 = 227 * 1024;

/// An operation of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collective {
    Sync,
    Ballot,
    MatchAny,
    Shuffle { kind: Shuffle, operand: u32, width: u32 },
}

/// Why a thread suspends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Request {
    Barrier(Place),
    Collective {
        operation: Collective,
        mask: u32,
        value: u64,
        location: Place,
    },
    Access {
        space: Space,
        access: Access,
        address: u64,
        size: u32,
        location: Place,
    },
    /// Others first: the thread may be spinning.
    Yield,
    /// The thread found a fault and ends.
    Fault,
}

/// What a thread can ask about itself.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Index {
    pub thread: [u32; 3],
    pub block: [u32; 3],
    pub block_dim: [u32; 3],
    pub grid_dim: [u32; 3],
    pub lane: u32,
}

enum Lane {
    Ready(u64),
    Waiting(Request),
    Done,
}

struct Warp {
    fibers: Vec<Option<Fiber>>,
    lanes: Vec<Lane>,
    /// How far each lane is.
    progress: Vec<Progress>,
    /// Row l: what lane l knows of the others' clocks (see [`Who::clocks`]).
    clocks: [[u32; 32]; 32],
}

/// How far a lane is, as far as its accesses tell.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// Jumps back in the source since all lanes last met.
    jumps: u32,
    /// The last line that it has accessed.
    line: u32,
    /// Whether it has met all others since.
    met: bool,
}

impl Progress {
    fn access(&mut self, line: u32) {
        self.jumps += u32::from(line < self.line || (self.met && line == self.line));
        (self.line, self.met) = (line, false);
    }
}

impl Warp {
    /// All lanes have met: they are at one place, behind the last line that any of them has accessed.
    fn meet(&mut self) {
        let line = self.progress.iter().map(|lane| lane.line).max().unwrap_or(0);
        self.progress.fill(Progress { jumps: 0, line, met: true });
    }
}

struct Block {
    number: u32,
    warps: Vec<Warp>,
}

/// The part of a block that its threads touch.
struct BlockMemory {
    shared: Region,
    declared: Vec<(&'static str, u32)>,
    epoch: u32,
}

/// The state of a launch that simulated threads reach.
pub(super) struct Launch {
    memory: Memory,
    blocks: Vec<Option<BlockMemory>>,
    accounting: bool,
    trace: Option<Trace>,
    grid: Grid,
    /// The running thread: its block's number and slot, and its number in the block.
    block: u32,
    slot: usize,
    thread: u32,
    clocks: [u32; 32],
    fault: Option<(FaultKind, Place)>,
}

impl Launch {
    /// The memory that an address of the running thread lies in.
    pub(super) fn region(&mut self, space: Space, address: u64) -> &mut Region {
        match space {
            Space::Global => self.memory.region(address),
            Space::Shared => &mut self.shared().shared,
        }
    }

    /// Tells the trace about an access of the running thread; whether there was room for it.
    fn trace_access(&mut self, space: Space, access: Access, address: u64, size: u32, location: Place) -> bool {
        let Some(trace) = self.trace.as_mut().filter(|trace| trace.spaces().contains(space)) else { return true };
        let memory = &mut self.memory;
        let (region, offset) = match space {
            Space::Global => (region_number(address), memory.region(address).offset_of(address)),
            Space::Shared => (self.block.into(), address),
        };
        let name = || match space {
            Space::Global => memory.region(address).name().to_string(),
            Space::Shared => format!("shared memory of block {}", self.block),
        };
        let thread = (self.block, self.thread);
        let room = trace.access(thread, (space, region, offset), (access, size), location, name);
        if !room {
            self.fault = Some((trace_is_full(), location));
        }
        room
    }

    /// See [`super::shared_declare`].
    pub(super) fn shared_declare(
        &mut self,
        place: &'static str,
        name: &'static str,
        element: usize,
        len: usize,
    ) -> Result<u32, FaultKind> {
        let block = self.shared();
        if let Some((_, address)) = block.declared.iter().find(|(p, _)| *p == place) {
            return Ok(*address);
        }
        let address = block.shared.len().next_multiple_of(16);
        let bytes = element as u64 * len as u64;
        if address + bytes > SHARED_LIMIT.into() {
            let reason =
                format!("`{name}` brings the block's shared memory to {} bytes of {SHARED_LIMIT}", address + bytes);
            return Err(FaultKind::Launch { reason });
        }
        block.shared.grow((address + bytes) as u32, name, element as u64);
        block.declared.push((place, address as u32));
        Ok(address as u32)
    }

    fn shared(&mut self) -> &mut BlockMemory {
        let slot = self.slot;
        self.blocks[slot].as_mut().expect("a running thread's block is resident")
    }
}

thread_local! {
    static LAUNCH: RefCell<Option<Launch>> = const { RefCell::new(None) };
    static INDEX: Cell<Index> = const { Cell::new(Index {
        thread: [0; 3], block: [0; 3], block_dim: [0; 3], grid_dim: [0; 3], lane: 0,
    }) };
    /// The yielder of the running thread; null outside one.
    static YIELDER: Cell<*const Yielder<u64, Request>> = const { Cell::new(std::ptr::null()) };
    static STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

fn with_launch<R>(f: impl FnOnce(&mut Launch) -> R) -> R {
    LAUNCH.with_borrow_mut(|launch| {
        f(launch.as_mut().expect("the device layer is used inside a kernel that the simulator runs"))
    })
}

/// The running thread's place in the launch.
pub(crate) fn index() -> Index {
    INDEX.get()
}

/// Gives the turn to the scheduler; returns what it answers.
pub(super) fn suspend(request: Request) -> u64 {
    let yielder = YIELDER.get();
    assert!(!yielder.is_null(), "the device layer is used inside a kernel that the simulator runs");
    // SAFETY: a fiber sets it to its own yielder when it starts and each time it is resumed (below), and the scheduler
    // clears it whenever no fiber runs; a yielder lives as long as its fiber's body, which is what runs now.
    let answer = unsafe { (*yielder).suspend(request) };
    YIELDER.set(yielder);
    answer
}

/// Tells the trace about an access, and with accounting on meets the other lanes at it.
pub(super) fn meet(space: Space, access: Access, address: u64, size: u32, location: Place) {
    let (accounting, room) =
        with_launch(|launch| (launch.accounting, launch.trace_access(space, access, address, size, location)));
    if !room {
        suspend(Request::Fault);
    }
    if accounting {
        suspend(Request::Access { space, access, address, size, location });
    }
}

/// Tells the trace, if there is one, what the running thread (its block, its number in the block) does; `note` says
/// whether there was room for it, and if not the launch ends.
pub(super) fn trace(location: Place, note: impl FnOnce(&mut Trace, u32, u32) -> bool) {
    let room = with_launch(|launch| {
        let Some(trace) = &mut launch.trace else { return true };
        let room = note(trace, launch.block, launch.thread);
        if !room {
            launch.fault = Some((trace_is_full(), location));
        }
        room
    });
    if !room {
        suspend(Request::Fault);
    }
}

fn trace_is_full() -> FaultKind {
    FaultKind::Launch {
        reason: format!("there are more memory accesses or threads than a trace holds ({MOST_EVENTS} accesses)"),
    }
}

/// Performs an access of the running thread, which ends here if the access is at fault.
pub(super) fn perform<R>(location: Place, access: impl FnOnce(&mut Launch, &Who) -> Result<R, FaultKind>) -> R {
    let result = with_launch(|launch| {
        let slot = launch.slot;
        let who = Who {
            launch: launch.memory.launch(),
            block: launch.block,
            thread: launch.thread,
            epoch: launch.blocks[slot].as_ref().map_or(0, |b| b.epoch),
            clocks: launch.clocks,
            location,
            name,
            block_dim: launch.grid.threads,
            grid_dim: launch.grid.blocks,
        };
        access(launch, &who).map_err(|kind| launch.fault = Some((kind, location)))
    });
    match result {
        Ok(value) => value,
        Err(()) => {
            suspend(Request::Fault);
            unreachable!("a thread at fault is not resumed")
        }
    }
}

fn unlinear(i: u32, dim: [u32; 3]) -> [u32; 3] {
    [i % dim[0], i / dim[0] % dim[1], i / dim[0] / dim[1]]
}

fn name(block: u32, thread: u32, block_dim: [u32; 3], grid_dim: [u32; 3]) -> Thread {
    Thread { block: unlinear(block, grid_dim), thread: unlinear(thread, block_dim) }
}

/// Runs a launch to its end or its first fault.
pub(super) fn run(
    options: Options,
    kernel: &str,
    grid: Grid,
    mut seen: Seen,
    body: Rc<dyn Fn()>,
) -> (Seen, Result<(), Fault>) {
    let launch_fault = |reason: String| Fault::on_host(kernel, FaultKind::Launch { reason });
    let threads: u64 = grid.threads.iter().map(|&t| u64::from(t)).product();
    let blocks: u64 = grid.blocks.iter().map(|&b| u64::from(b)).product();
    if threads == 0 || threads > 1024 {
        return (seen, Err(launch_fault(format!("a block has 1 to 1,024 threads, not {threads}"))));
    }
    if blocks == 0 || blocks > u64::from(u32::MAX) {
        return (seen, Err(launch_fault(format!("a grid has 1 to {} blocks, not {blocks}", u32::MAX))));
    }
    if grid.dynamic_shared > SHARED_LIMIT {
        return (
            seen,
            Err(launch_fault(format!(
                "a block has at most {SHARED_LIMIT} bytes of shared memory, not {}",
                grid.dynamic_shared
            ))),
        );
    }
    if LAUNCH.with_borrow(Option::is_some) {
        return (seen, Err(launch_fault("a kernel cannot launch another".into())));
    }
    if seen.trace.as_mut().is_some_and(|trace| !trace.launch(kernel, blocks as u32, threads as u32)) {
        return (seen, Err(Fault::on_host(kernel, trace_is_full())));
    }
    let Seen { memory, costs, trace } = seen;
    let resident = options.resident_blocks.max(1);
    LAUNCH.set(Some(Launch {
        memory,
        blocks: (0..resident).map(|_| None).collect(),
        accounting: options.accounting,
        trace,
        grid,
        block: 0,
        slot: 0,
        thread: 0,
        clocks: [0; 32],
        fault: None,
    }));
    let mut scheduler = Scheduler {
        grid,
        threads: threads as u32,
        costs,
        slots: (0..resident).map(|_| None).collect(),
        body,
        moved: false,
    };
    let outcome = scheduler.rounds(blocks as u32).map_err(|fault| Fault { kernel: kernel.into(), ..*fault });
    let costs = std::mem::take(&mut scheduler.costs);
    // Unfinished fibers unwind here, with the launch still in place.
    drop(scheduler);
    let launch = LAUNCH.take().expect("set above");
    (Seen { memory: launch.memory, costs, trace: launch.trace }, outcome)
}

struct Scheduler {
    grid: Grid,
    threads: u32,
    costs: Costs,
    slots: Vec<Option<Block>>,
    /// What every thread runs; not a type of its own, or all of this would be compiled for each kernel.
    body: Rc<dyn Fn()>,
    /// Whether anything happened in this round that is not spinning.
    moved: bool,
}

impl Scheduler {
    fn rounds(&mut self, blocks: u32) -> Result<(), Box<Fault>> {
        let mut next = 0;
        let mut idle_rounds = 0;
        let mut changes = 0;
        loop {
            self.moved = false;
            for slot in 0..self.slots.len() {
                if self.slots[slot].is_none() && next < blocks {
                    self.start(slot, next)?;
                    next += 1;
                }
                if self.slots[slot].is_some() {
                    self.run_block(slot)?;
                }
            }
            if next == blocks && self.slots.iter().all(Option::is_none) {
                return Ok(());
            }
            let now = with_launch(|l| l.memory.changes());
            if self.moved || now != changes {
                idle_rounds = 0;
            } else {
                idle_rounds += 1;
            }
            changes = now;
            let spinning = self.lanes().any(|(_, _, lane)| matches!(lane, Lane::Ready(_)));
            if (!self.moved && !spinning) || idle_rounds > SPIN_LIMIT {
                return Err(self.stuck());
            }
        }
    }

    fn start(&mut self, slot: usize, number: u32) -> Result<(), Box<Fault>> {
        let mut warps = Vec::new();
        let mut first = 0;
        while first < self.threads {
            let count = (self.threads - first).min(32) as usize;
            let mut clocks = [[0; 32]; 32];
            for (l, row) in clocks.iter_mut().enumerate() {
                row[l] = 1;
            }
            let fibers: std::io::Result<_> = (0..count).map(|_| self.fiber().map(Some)).collect();
            let fibers = fibers.map_err(|error| {
                let reason = format!("the stacks of the simulated threads cannot be had: {error}");
                self.fault(FaultKind::Launch { reason }, number, None, None)
            })?;
            warps.push(Warp {
                fibers,
                lanes: (0..count).map(|_| Lane::Ready(0)).collect(),
                progress: vec![Progress::default(); count],
                clocks,
            });
            first += 32;
        }
        with_launch(|l| {
            l.blocks[slot] =
                Some(BlockMemory { shared: Region::shared(l.grid.dynamic_shared), declared: Vec::new(), epoch: 0 });
        });
        self.slots[slot] = Some(Block { number, warps });
        self.moved = true;
        Ok(())
    }

    fn fiber(&self) -> std::io::Result<Fiber> {
        let body = self.body.clone();
        let stack = STACKS.with_borrow_mut(Vec::pop).map_or_else(|| DefaultStack::new(STACK), Ok)?;
        Ok(Coroutine::with_stack(stack, move |yielder: &Yielder<u64, Request>, _| {
            YIELDER.set(yielder);
            body();
        }))
    }

    fn run_block(&mut self, slot: usize) -> Result<(), Box<Fault>> {
        let warps = self.slots[slot].as_ref().map_or(0, |b| b.warps.len());
        for warp in 0..warps {
            self.run_warp(slot, warp)?;
        }
        let block = self.slots[slot].as_mut().expect("resident");
        let lanes = || block.warps.iter().flat_map(|w| w.lanes.iter());
        if lanes().all(|l| matches!(l, Lane::Done)) {
            self.slots[slot] = None;
            with_launch(|l| l.blocks[slot] = None);
            self.moved = true;
            return Ok(());
        }
        if !lanes().all(|l| matches!(l, Lane::Waiting(Request::Barrier(_)))) {
            return Ok(());
        }
        // Everyone is at a barrier; it must be the same one.
        let at = |l: &Lane| match l {
            Lane::Waiting(Request::Barrier(place)) => Some(*place),
            _ => None,
        };
        let first = lanes().find_map(at).expect("all are at one");
        let number = block.number;
        if let Some((thread, place)) =
            lanes().enumerate().find_map(|(i, l)| at(l).filter(|p| *p != first).map(|p| (i as u32, p)))
        {
            let other = format!("it waits here while thread 0 of the block waits at {}:{}", first.file(), first.line());
            return Err(self.fault(FaultKind::DivergentBarrier { other }, number, Some(thread), Some(place)));
        }
        for warp in &mut block.warps {
            warp.lanes.iter_mut().for_each(|l| *l = Lane::Ready(0));
            warp.meet();
        }
        with_launch(|l| {
            if let Some(memory) = &mut l.blocks[slot] {
                memory.epoch += 1;
            }
        });
        self.moved = true;
        Ok(())
    }

    /// Runs a warp until all of its lanes have ended, wait at a barrier, wait for lanes that do not come, or spin.
    fn run_warp(&mut self, slot: usize, warp: usize) -> Result<(), Box<Fault>> {
        let mut yielded = 0u32;
        loop {
            let count = self.warp(slot, warp).lanes.len();
            let mut ran = false;
            for lane in 0..count {
                if yielded >> lane & 1 == 0
                    && let Lane::Ready(answer) = self.warp(slot, warp).lanes[lane]
                {
                    ran = true;
                    self.resume(slot, warp, lane, answer)?;
                    if let Lane::Waiting(Request::Yield) = self.warp(slot, warp).lanes[lane] {
                        self.warp(slot, warp).lanes[lane] = Lane::Ready(0);
                        yielded |= 1 << lane;
                    }
                }
            }
            if !ran && !self.serve_access(slot, warp) && !self.serve_collective(slot, warp)? {
                return Ok(());
            }
        }
    }

    fn warp(&mut self, slot: usize, warp: usize) -> &mut Warp {
        &mut self.slots[slot].as_mut().expect("resident").warps[warp]
    }

    fn resume(&mut self, slot: usize, warp: usize, lane: usize, answer: u64) -> Result<(), Box<Fault>> {
        let grid = self.grid;
        let number = self.slots[slot].as_ref().expect("resident").number;
        let state = self.warp(slot, warp);
        let thread = (warp * 32 + lane) as u32;
        let clocks = state.clocks[lane];
        INDEX.set(Index {
            thread: unlinear(thread, grid.threads),
            block: unlinear(number, grid.blocks),
            block_dim: grid.threads,
            grid_dim: grid.blocks,
            lane: lane as u32,
        });
        with_launch(|l| {
            (l.block, l.slot, l.thread, l.clocks) = (number, slot, thread, clocks);
        });
        let fiber = state.fibers[lane].as_mut().expect("a ready lane has its fiber");
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fiber.resume(answer)));
        YIELDER.set(std::ptr::null());
        match outcome {
            Ok(CoroutineResult::Yield(Request::Fault)) => {
                let (kind, place) = with_launch(|l| l.fault.take()).expect("set by the thread at fault");
                Err(self.fault(kind, number, Some(thread), Some(place)))
            }
            Ok(CoroutineResult::Yield(request)) => {
                if let Request::Access { location, .. } = request {
                    state.progress[lane].access(location.line());
                }
                state.lanes[lane] = Lane::Waiting(request);
                Ok(())
            }
            Ok(CoroutineResult::Return(())) => {
                state.lanes[lane] = Lane::Done;
                if let Some(fiber) = state.fibers[lane].take() {
                    STACKS.with_borrow_mut(|s| s.push(fiber.into_stack()));
                }
                self.moved = true;
                Ok(())
            }
            Err(panic) => {
                let message = panic
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()))
                    .unwrap_or_default();
                Err(self.fault(FaultKind::Panic { message }, number, Some(thread), None))
            }
        }
    }

    /// Makes one group of lanes that wait at the same access a warp access.
    fn serve_access(&mut self, slot: usize, warp: usize) -> bool {
        let state = &mut self.slots[slot].as_mut().expect("resident").warps[warp];
        // Lanes that are behind catch up first, as they do on the machine: fewer turns of a loop, then the lower line.
        // Where lanes take different numbers of turns, this may split what the machine would do at once, until they
        // next meet.
        let key = |(l, progress): (&Lane, &Progress)| match l {
            Lane::Waiting(Request::Access { space, access, size, location, .. }) => {
                Some((progress.jumps, location.file(), location.line(), location.column(), *space, *access, *size))
            }
            _ => None,
        };
        let Some(least) = state.lanes.iter().zip(&state.progress).filter_map(key).min() else { return false };
        let mut accesses = Vec::with_capacity(32);
        let mut place = None;
        for (number, (lane, progress)) in state.lanes.iter_mut().zip(&state.progress).enumerate() {
            if key((lane, progress)) == Some(least)
                && let Lane::Waiting(Request::Access { address, location, .. }) = *lane
            {
                accesses.push((number as u32, address));
                place = Some(location);
                *lane = Lane::Ready(0);
            }
        }
        if let Some(place) = place {
            self.costs.add(place, least.4, least.5, least.6, &accesses);
        }
        true
    }

    /// Answers one collective whose lanes are all there.
    fn serve_collective(&mut self, slot: usize, warp: usize) -> Result<bool, Box<Fault>> {
        let number = self.slots[slot].as_ref().expect("resident").number;
        let state = self.warp(slot, warp);
        let waiting = |l: Option<&Lane>| match l {
            Some(Lane::Waiting(Request::Collective { operation, mask, value, location })) => {
                Some((*operation, *mask, *value, *location))
            }
            _ => None,
        };
        for lane in 0..state.lanes.len() {
            let Some((operation, mask, _, location)) = waiting(state.lanes.get(lane)) else { continue };
            let rule = (mask >> lane & 1 == 0)
                .then(|| (format!("the mask {mask:#010x} does not name lane {lane}, which calls"), lane));
            let members = || (0..32usize).filter(|l| mask >> l & 1 == 1);
            let arrived = |l: usize| {
                waiting(state.lanes.get(l)).is_some_and(|(o, m, ..)| m == mask && same_instruction(o, operation))
            };
            let rule = rule.or_else(|| {
                members()
                    .find(|&l| {
                        waiting(state.lanes.get(l))
                            .is_some_and(|(o, m, ..)| m != mask || !same_instruction(o, operation))
                    })
                    .map(|l| (format!("lane {l} of the mask {mask:#010x} waits at another collective or mask"), lane))
            });
            let rule = rule.or_else(|| match operation {
                Collective::Shuffle { width, .. } if !width.is_power_of_two() || width > 32 => {
                    Some((format!("a shuffle's width is 1, 2, 4, 8, 16 or 32, not {width}"), lane))
                }
                _ => None,
            });
            if rule.is_none() && !members().all(arrived) {
                continue;
            }
            let mut answers = [0u64; 32];
            let rule = rule.or_else(|| {
                members().find_map(|l| {
                    let value_of = |l: usize| waiting(state.lanes.get(l)).map_or(0, |(_, _, v, _)| v);
                    let (own, ..) = waiting(state.lanes.get(l))?;
                    answers[l] = match own {
                        Collective::Sync => 0,
                        Collective::Ballot => members().map(|m| (value_of(m) & 1) << m).sum(),
                        Collective::MatchAny => {
                            members().filter(|&m| value_of(m) == value_of(l)).map(|m| 1u64 << m).sum()
                        }
                        Collective::Shuffle { kind, operand, width } => match kind.source(l as u32, operand, width) {
                            None => value_of(l),
                            Some(source) if mask >> source & 1 == 0 => {
                                return Some((
                                    format!("lane {l} reads lane {source}, which is not in the mask {mask:#010x}"),
                                    l,
                                ));
                            }
                            Some(source) => value_of(source as usize),
                        },
                    };
                    None
                })
            });
            if let Some((reason, lane)) = rule {
                let thread = (warp * 32 + lane) as u32;
                return Err(self.fault(FaultKind::Collective { reason }, number, Some(thread), Some(location)));
            }
            if operation == Collective::Sync {
                let joined: [u32; 32] =
                    std::array::from_fn(|i| members().map(|l| state.clocks[l][i]).max().unwrap_or(0));
                for l in members() {
                    state.clocks[l] = joined;
                    state.clocks[l][l] += 1;
                }
            }
            for l in members() {
                state.lanes[l] = Lane::Ready(answers[l]);
            }
            if mask == crate::FULL_WARP {
                state.meet();
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn lanes(&self) -> impl Iterator<Item = (u32, u32, &Lane)> {
        self.slots.iter().flatten().flat_map(|b| {
            b.warps.iter().enumerate().flat_map(move |(w, warp)| {
                warp.lanes.iter().enumerate().map(move |(l, lane)| (b.number, (w * 32 + l) as u32, lane))
            })
        })
    }

    /// Nothing moves any more: a barrier that threads of its block have passed by, or a deadlock.
    fn stuck(&self) -> Box<Fault> {
        let mut waiting: Vec<(String, u32, u32)> = Vec::new();
        for (block, thread, lane) in self.lanes() {
            let what = match lane {
                Lane::Waiting(Request::Barrier(place)) => {
                    let ended = self.lanes().any(|(b, _, l)| b == block && matches!(l, Lane::Done));
                    let elsewhere = self.lanes().find_map(|(b, t, l)| match l {
                        Lane::Waiting(Request::Collective { location, .. }) if b == block => Some((t, *location)),
                        _ => None,
                    });
                    let other = match (ended, elsewhere) {
                        (_, Some((t, at))) => {
                            format!("it waits here while thread {t} of the block waits at {}:{}", at.file(), at.line())
                        }
                        (true, None) => "it waits here while other threads of the block have ended".to_string(),
                        (false, None) => continue,
                    };
                    return self.fault(FaultKind::DivergentBarrier { other }, block, Some(thread), Some(place));
                }
                Lane::Waiting(Request::Collective { mask, location, .. }) => {
                    let ended = self.lanes().find_map(|(b, t, l)| {
                        let named = b == block && t / 32 == thread / 32 && mask >> (t % 32) & 1 == 1;
                        (named && matches!(l, Lane::Done)).then_some(t % 32)
                    });
                    let missing = ended.map_or(String::new(), |lane| format!(", of which lane {lane} has ended"));
                    let (file, line) = (location.file(), location.line());
                    format!("in a collective of the lanes {mask:#010x}{missing}, at {file}:{line}")
                }
                Lane::Ready(_) => "spinning on memory that nobody changes".to_string(),
                _ => continue,
            };
            if !waiting.iter().any(|(w, ..)| *w == what) {
                waiting.push((what, block, thread));
            }
        }
        let thread = waiting.first().map(|&(_, b, t)| (b, t));
        let list: Vec<String> = waiting
            .iter()
            .take(8)
            .map(|(what, b, t)| format!("{} is {what}", name(*b, *t, self.grid.threads, self.grid.blocks)))
            .collect();
        let (block, thread) = thread.unwrap_or((0, 0));
        self.fault(FaultKind::Deadlock { waiting: list.join("; ") }, block, Some(thread), None)
    }

    fn fault(&self, kind: FaultKind, block: u32, thread: Option<u32>, location: Option<Place>) -> Box<Fault> {
        Box::new(Fault {
            kind,
            kernel: "".into(),
            thread: thread.map(|t| name(block, t, self.grid.threads, self.grid.blocks)),
            location,
        })
    }
}

/// Whether two lanes are at the same instruction: operands may differ, except for a shuffle's kind and width.
fn same_instruction(a: Collective, b: Collective) -> bool {
    match (a, b) {
        (Collective::Shuffle { kind, width, .. }, Collective::Shuffle { kind: k, width: w, .. }) => {
            kind == k && width == w
        }
        _ => a == b,
    }
}
