//! The state of a launch, and the calls that simulated threads use to access it.
//!
//! ```text
//! kernel ── device layer ── read, write, atomic, … ──┬── perform: at once, on the launch's memory
//!                                                    └── suspend: gives the turn to the scheduler
//! ```

use super::access::{Access, Space};
use super::copies::AsyncCopies;
use super::coroutine::Yielder;
use super::cost::LaunchCosts;
use super::fault::{Fault, FaultKind};
use super::idle::{Doing, Idle, Spinner, Verdict};
use super::log::WarpLog;
use super::memory::{AccessContext, Accessed, Memory, Refusal, Region, region_number};
use super::options::Options;
use super::order::{BlockOrder, Words};
use super::records::{Collection, Earlier, Kind, Records};
use super::request::{Request, Spot};
use super::running::{Index, name};
use super::site::{Sites, SourceLocation};
use super::stack::BYTES;
use super::trace::{MAX_EVENTS, Trace};
use crate::Grid;
use std::cell::{Cell, RefCell};

/// Maximum number of bytes of shared memory of a block (sm_90: 227 KiB).
pub(super) const SHARED_LIMIT: u32 = 227 * 1024;

/// Maximum number of bytes of the static shared arrays of a block, for every type of GPU.
const STATIC_SHARED_LIMIT: u64 = 48 * 1024;

/// The part of a block that its threads access.
pub(super) struct BlockMemory {
    shared: Region,
    declared: Vec<(&'static str, u32)>,
    pub order: BlockOrder,
    /// Number of threads that wait at the barrier with a true predicate.
    pub votes: u32,
    /// Indexed by warp.
    logs: Vec<WarpLog>,
    /// Lanes of each warp that have asked for the active lanes; empty until one does.
    asked: Vec<u32>,
}

impl BlockMemory {
    /// Makes the memory of a block that starts.
    pub fn new(number: u32, warps: usize, dynamic_shared: u32) -> Self {
        let order = BlockOrder::new(number, warps);
        Self {
            shared: Region::shared(dynamic_shared),
            declared: Vec::new(),
            order,
            votes: 0,
            logs: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Returns the number of bytes of shared memory that the block has used so far.
    pub fn shared_bytes(&self) -> u32 {
        self.shared.len() as u32
    }
}

/// The state that persists from one launch to the next.
#[derive(Debug, Default)]
pub(super) struct Machine {
    pub memory: Memory,
    pub records: Records,
    pub sites: Sites,
    pub words: Words,
    pub trace: Option<Trace>,
    pub printed: String,
    /// Description of the last launch.
    pub last_launch: Option<String>,
}

/// The running thread.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Current {
    pub block: u32,
    pub slot: usize,
    /// Number of the thread in the block.
    pub thread: u32,
}

/// The state of a launch that simulated threads access.
pub(super) struct Launch {
    pub machine: Machine,
    pub blocks: Vec<Option<BlockMemory>>,
    pub grid: Grid,
    pub fault: Option<Found>,
    /// Number of changes of a value so far.
    pub changes: u64,
    /// Number of threads that have ended plus blocks that have started.
    pub ends: u64,
    /// Number of accesses and synchronisations so far.
    pub steps: u64,
    idle: Idle,
    pub echo: bool,
    /// True if other host threads run other blocks of this launch.
    is_shared: bool,
}

/// A fault that a thread has found.
pub(super) struct Found {
    pub kind: FaultKind,
    pub place: SourceLocation,
    /// The thread at fault, as (block, thread in the block), or `None` for the running thread.
    pub thread: Option<(u32, u32)>,
}

impl Found {
    pub fn here(kind: FaultKind, place: SourceLocation) -> Self {
        Self { kind, place, thread: None }
    }

    /// Makes the fault; `running` is the thread that found it, as (block, thread in the block).
    pub fn into_fault(self, running: (u32, u32), grid: Grid) -> Box<Fault> {
        let (block, thread) = self.thread.unwrap_or(running);
        Box::new(Fault::in_launch(self.kind, Some(name(block, thread, grid)), Some(self.place)))
    }
}

/// State of the running thread that each access checks.
pub(super) struct ThreadState {
    /// Extra work at an access: [`COUNTED`], [`TRACED`], [`PAUSE`].
    pub flags: Cell<u8>,
    /// Yielder of the running thread; null if no thread runs.
    pub yielder: Cell<*const Yielder<u64, Request>>,
    /// Address below which the thread's stack is used up; 0 if no thread runs.
    pub floor: Cell<usize>,
    /// Source line of its last access or synchronisation since it was resumed.
    pub last: Cell<Option<SourceLocation>>,
    /// The element on which it may be spinning.
    pub spot: Cell<Option<Spot>>,
}

/// Accesses are counted for the costs.
pub(super) const COUNTED: u8 = 1;
/// Accesses are recorded in a trace.
pub(super) const TRACED: u8 = 2;
/// The other threads must run first.
pub(super) const PAUSE: u8 = 4;

thread_local! {
    static LAUNCH: RefCell<Option<Box<Launch>>> = const { RefCell::new(None) };
    pub(super) static HERE: ThreadState = const {
        ThreadState {
            flags: Cell::new(0),
            yielder: Cell::new(std::ptr::null()),
            floor: Cell::new(0),
            last: Cell::new(None),
            spot: Cell::new(None),
        }
    };
    pub(super) static CURRENT: Cell<Current> = const { Cell::new(Current { block: 0, slot: 0, thread: 0 }) };
    static INDEX: Cell<Index> = const { Cell::new(Index {
        thread: [0; 3], block: [0; 3], block_dim: [0; 3], grid_dim: [0; 3], lane: 0,
    }) };
}

impl Launch {
    /// Makes a launch with slots for `resident` blocks.
    /// `is_shared`: other host threads run other blocks.
    pub fn new(machine: Machine, grid: Grid, options: &Options, is_shared: bool) -> Self {
        let blocks = (0..options.resident_blocks.max(1)).map(|_| None).collect();
        let (idle, echo) = (Idle::new(options.spin_limit), options.echo);
        Self { machine, blocks, grid, fault: None, changes: 0, ends: 0, steps: 0, idle, echo, is_shared }
    }

    /// Makes this the launch that threads access.
    pub fn enter(self, accounting: bool) {
        let flags = if accounting { COUNTED } else { 0 } | if self.machine.trace.is_some() { TRACED } else { 0 };
        HERE.with(|here| here.flags.set(flags));
        LAUNCH.set(Some(Box::new(self)));
    }

    /// Ends the launch that [`enter`](Self::enter) started, and returns the machine.
    pub fn leave() -> Machine {
        LAUNCH.take().expect("a launch has begun").machine
    }

    /// Returns true if a launch has been entered.
    pub fn is_running() -> bool {
        LAUNCH.with_borrow(Option::is_some)
    }

    /// Performs an access of the running thread.
    #[inline]
    pub fn access<R>(
        &mut self,
        (space, address): (Space, u64),
        access: Access,
        location: SourceLocation,
        perform: impl FnOnce(&mut Region, &mut AccessContext) -> Accessed<R>,
    ) -> Result<R, ()> {
        self.steps += 1;
        if self.steps >= self.idle.next {
            self.look_at(Spot { space, address, place: location })?;
        }
        if self.machine.records.full() {
            self.collect();
        }
        let Machine { memory, records, sites, .. } = &mut self.machine;
        let Current { slot, thread, .. } = CURRENT.get();
        let block = self.blocks[slot].as_mut().expect("a running thread's block is resident");
        let (launch, changes, site) = (memory.launch(), &mut self.changes, sites.number(location));
        let view = block.order.view(thread / 32, thread % 32);
        let region = match space {
            Space::Global => memory.region(address),
            Space::Shared => &mut block.shared,
        };
        perform(region, &mut AccessContext { view, records, launch, site, changes }).map_err(|refusal| {
            let kind = self.explain(*refusal, space, access);
            self.fault = Some(Found::here(kind, location));
        })
    }

    /// Checks whether the running thread spins on `spot`.
    #[cold]
    fn look_at(&mut self, spot: Spot) -> Result<(), ()> {
        let Current { slot, block, thread } = CURRENT.get();
        match self.look(Spinner { slot, block, thread, doing: Doing::Access(spot) }) {
            Verdict::GoesOn => {}
            Verdict::Pause if self.is_shared => {
                self.fault = Some(Found::here(FaultKind::Interrupted, spot.place));
                return Err(());
            }
            Verdict::Pause => HERE.with(|here| here.flags.set(here.flags.get() | PAUSE)),
            Verdict::Spins(spinner) => {
                self.fault = Some(self.spins(spinner));
                return Err(());
            }
        }
        Ok(())
    }

    /// Checks whether a thread spins.
    pub fn look(&mut self, thread: Spinner) -> Verdict {
        self.idle.look(self.steps, self.changes + self.ends, thread)
    }

    /// Returns true while a thread is suspected of spinning without atomic operations.
    pub fn suspects_a_spin(&self) -> bool {
        self.idle.suspects()
    }

    /// Returns the number of steps since the last change.
    pub fn idle_steps(&self) -> u64 {
        self.idle.steps(self.steps)
    }

    /// Returns the fault of a thread that spins.
    pub fn spins(&self, Spinner { slot, block, thread, doing }: Spinner) -> Found {
        let who = name(block, thread, self.grid);
        let (what, place) = match doing {
            Doing::Access(spot) => (spinning(&self.element(slot, spot.space, spot.address), spot.place), spot.place),
            Doing::Meeting(place) => {
                let (file, line) = (place.file(), place.line());
                (format!("meeting other threads again and again, at {file}:{line}, while nobody changes memory"), place)
            }
        };
        let waiting = format!("{who} is {what}, for {} steps (`Options::spin_limit`)", self.idle_steps());
        Found { kind: FaultKind::Deadlock { waiting }, place, thread: Some((block, thread)) }
    }

    /// Describes the element at an address; in shared memory, that of the block in a slot.
    pub fn element(&self, slot: usize, space: Space, address: u64) -> String {
        match (space, self.blocks.get(slot)) {
            (Space::Shared, Some(Some(block))) => block.shared.place(address),
            _ => self.machine.memory.place(address),
        }
    }

    /// Returns the fault that corresponds to a refused access.
    #[cold]
    fn explain(&self, refusal: Refusal, space: Space, access: Access) -> FaultKind {
        let (place, earlier, read_only, same_value) = match refusal {
            Refusal::Fault(kind) => return kind,
            Refusal::BeforeWait { place, copy } => {
                let thread = Box::new(name(CURRENT.get().block, copy.thread, self.grid));
                return FaultKind::BeforeWait { place, access, copy_thread: thread, copy_location: copy.place };
            }
            Refusal::Conflict { place, earlier, read_only, same_value } => (place, earlier, read_only, same_value),
        };
        let Earlier { at, kind, site } = self.machine.records.earlier(earlier);
        let earlier_thread = Box::new(name(at.block, at.warp * 32 + at.lane, self.grid));
        let earlier_location = self.machine.sites.place(site);
        let earlier = match (kind.is_atomic(), kind.writes()) {
            (true, _) => Access::Atomic,
            (false, true) => Access::Write,
            (false, false) => Access::Read,
        };
        if read_only || kind == Kind::READ_ONLY {
            return FaultKind::ReadOnly { place, access, earlier, earlier_thread, earlier_location };
        }
        let same_value = same_value && earlier == Access::Write;
        FaultKind::Race { space, place, access, earlier, earlier_thread, earlier_location, same_value }
    }

    /// Discards the records that no word refers to.
    #[cold]
    fn collect(&mut self) {
        let Machine { memory, records, .. } = &mut self.machine;
        let mut collection = Collection::begin(records);
        memory.collect(&mut collection);
        let launch = memory.launch();
        self.blocks.iter_mut().flatten().for_each(|block| block.shared.collect(launch, &mut collection));
        *records = collection.end().expect("fewer than 2^26 warp accesses are to be remembered");
    }

    /// Adds an access of the running thread to the trace; returns true if the trace had room.
    pub fn trace_access(
        &mut self,
        space: Space,
        access: Access,
        address: u64,
        size: u32,
        location: SourceLocation,
    ) -> bool {
        let Some(trace) = self.machine.trace.as_mut().filter(|trace| trace.spaces().contains(space)) else {
            return true;
        };
        let (memory, Current { block, thread, .. }) = (&mut self.machine.memory, CURRENT.get());
        let (region, offset) = match space {
            Space::Global => (region_number(address), memory.region(address).offset_of(address)),
            // An address outside the 32 bits of the window is about to become a fault.
            Space::Shared => (block.into(), u64::from(address as u32)),
        };
        let name = || match space {
            Space::Global => memory.region(address).name().to_string(),
            Space::Shared => format!("shared memory of block {block}"),
        };
        let room = trace.access((block, thread), (space, region, offset), (access, size), location, name);
        if !room {
            self.fault = Some(Found::here(trace_is_full(), location));
        }
        room
    }

    /// Returns the accesses that a warp's lanes have recorded for the costs.
    pub fn log(&mut self, slot: usize, warp: usize) -> &mut WarpLog {
        let logs = &mut self.blocks[slot].as_mut().expect("a running thread's block is resident").logs;
        if warp >= logs.len() {
            logs.resize_with(warp + 1, WarpLog::default);
        }
        &mut logs[warp]
    }

    /// Notes that a lane has asked for the active lanes.
    pub fn asked_for_active_lanes(&mut self, slot: usize, warp: usize, lane: u32) {
        let asked = &mut self.blocks[slot].as_mut().expect("a running thread's block is resident").asked;
        asked.resize(asked.len().max(warp + 1), 0);
        asked[warp] |= lane;
    }

    /// Returns true if a lane has asked for the active lanes, and forgets it.
    pub fn forgets_active_lanes(&mut self, slot: usize, warp: usize, lane: u32) -> bool {
        let block = self.blocks[slot].as_mut().expect("a running thread's block is resident");
        let Some(asked) = block.asked.get_mut(warp) else { return false };
        let did = *asked & lane != 0;
        *asked &= !lane;
        did
    }

    /// Counts the accesses that a warp's lanes have recorded; see [`WarpLog::drain`].
    pub fn count(&mut self, slot: usize, warp: usize, open: u32, costs: &mut LaunchCosts) {
        if let Some(log) = self.blocks[slot].as_mut().and_then(|block| block.logs.get_mut(warp)) {
            log.drain((slot, warp), open, &self.machine.sites, costs);
        }
    }

    /// Returns the state that the running thread's synchronisation changes: the words of the
    /// launch, its block, and its warp and lane.
    pub fn order(&mut self) -> (&mut Words, &mut BlockOrder, (u32, u32)) {
        let Current { slot, thread, .. } = CURRENT.get();
        let block = self.blocks[slot].as_mut().expect("a running thread's block is resident");
        (&mut self.machine.words, &mut block.order, (thread / 32, thread % 32))
    }

    /// Returns the asynchronous copies of the running thread's block.
    pub fn copies(&mut self) -> &mut AsyncCopies {
        let block = self.blocks[CURRENT.get().slot].as_mut().expect("a running thread's block is resident");
        &mut block.shared.copies
    }

    /// Returns the address of a static shared array of the running thread's block, which the first
    /// call makes.
    pub fn declare(
        &mut self,
        place: &'static str,
        name: &'static str,
        element: usize,
        len: usize,
    ) -> Result<u32, FaultKind> {
        let block = self.blocks[CURRENT.get().slot].as_mut().expect("a running thread's block is resident");
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
        let statics = address + bytes - u64::from(self.grid.dynamic_shared).next_multiple_of(16);
        if statics > STATIC_SHARED_LIMIT {
            let reason = format!(
                "`{name}` brings the block's static shared memory to {statics} bytes, and {STATIC_SHARED_LIMIT} (48 KiB) \
                 are possible. Dynamic shared memory may be larger: `#[kernel(threads = …, shared = BYTES)]` and \
                 `shared::dynamic_shared_mem()`"
            );
            return Err(FaultKind::Launch { reason });
        }
        block.shared.grow((address + bytes) as u32, name, element as u64);
        block.declared.push((place, address as u32));
        Ok(address as u32)
    }
}

/// Returns the memory of a word in the numbering of [`Words`].
pub(super) fn word_memory(space: Space, block: u32) -> u64 {
    if space == Space::Shared { u64::from(block) + 1 } else { 0 }
}

/// Calls `f` with the current launch.
#[inline]
pub(super) fn with_launch<R>(f: impl FnOnce(&mut Launch) -> R) -> R {
    LAUNCH.with_borrow_mut(|launch| {
        f(launch.as_mut().expect("the device layer is used inside a kernel that the simulator runs"))
    })
}

/// Returns the running thread's indices.
pub(crate) fn index() -> Index {
    INDEX.get()
}

/// Sets the thread that the scheduler is about to run.
pub(super) fn set_running(current: Current, index: &Index) {
    INDEX.set(*index);
    CURRENT.set(current);
    HERE.with(|here| here.last.set(None));
}

/// Records that no thread runs.
#[inline]
pub(super) fn set_stopped() {
    set_yielder(std::ptr::null(), 0);
}

/// Returns the source line of the last access or synchronisation of the thread that ran last.
pub(super) fn last_place() -> Option<SourceLocation> {
    HERE.with(|here| here.last.get())
}

/// Returns the element on which the thread that ran last may be spinning.
pub(super) fn last_spot() -> Option<Spot> {
    HERE.with(|here| here.spot.get())
}

/// Lets other threads run first, because the running thread may be spinning on the element that it
/// accesses next.
#[inline(always)]
pub(super) fn give_way(spot: Spot) {
    HERE.with(|here| here.spot.set(Some(spot)));
    suspend(Request::Yield);
}

/// Sets the yielder of a starting thread, and the address below which its stack is used up.
#[inline]
pub(super) fn set_yielder(yielder: *const Yielder<u64, Request>, floor: usize) {
    HERE.with(|here| {
        here.yielder.set(yielder);
        here.floor.set(floor);
    });
}

/// Returns true if a simulated thread runs.
pub(super) fn a_thread_runs() -> bool {
    HERE.with(|here| !here.yielder.get().is_null())
}

/// Suspends the running thread and returns the scheduler's answer.
pub(super) fn suspend(request: Request) -> u64 {
    let (yielder, floor) = HERE.with(|here| (here.yielder.get(), here.floor.get()));
    assert!(!yielder.is_null(), "the device layer is used inside a kernel that the simulator runs");
    // SAFETY: a fiber sets it to its own yielder when it starts and each time it is resumed
    // (below), and the scheduler clears it whenever no fiber runs. A yielder lives as long as its
    // fiber's body, which is running here.
    let answer = unsafe { (*yielder).suspend(request) };
    set_yielder(yielder, floor);
    answer
}

/// Ends the running thread and the launch.
pub(super) fn fail(kind: FaultKind, location: SourceLocation) -> ! {
    with_launch(|launch| launch.fault = Some(Found::here(kind, location)));
    suspend(Request::Fault);
    unreachable!("a thread at fault is not resumed")
}

/// Ends the launch if the running thread has used up its stack, because the simulator's own frames
/// need room.
#[inline]
pub(super) fn look_for_room(location: SourceLocation) {
    let low = HERE.with(|here| std::ptr::from_ref(&location).addr() < here.floor.get());
    if low {
        fail(FaultKind::StackOverflow { bytes: BYTES }, location);
    }
}

/// Ends the work of this host thread if others run other blocks of the launch, before an operation
/// whose order among all blocks has an effect. The launch then runs on one host thread.
pub(super) fn in_order(location: SourceLocation) {
    if with_launch(|launch| launch.is_shared) {
        fail(FaultKind::Interrupted, location);
    }
}

pub(super) fn trace_is_full() -> FaultKind {
    FaultKind::Launch {
        reason: format!("there are more memory accesses or threads than a trace holds ({MAX_EVENTS} accesses)"),
    }
}

/// Describes a spin: its element and its source line.
pub(super) fn spinning(element: &str, place: SourceLocation) -> String {
    let (file, line) = (place.file(), place.line());
    format!("spinning on {element}, which nobody changes, at {file}:{line}")
}
