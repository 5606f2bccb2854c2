//! A SIMT simulator: runs the kernels of this crate on the CPU, watches every memory access and counts what it costs.
//!
//! Each GPU thread is a stackful coroutine. Barriers, shuffles and votes are where threads meet. With
//! [`Options::accounting`], accesses of the lanes of a warp at the same source line are one warp access.
//!
//! - It **finds** out-of-bounds and misaligned accesses, reads of memory that nothing wrote, races, divergent barriers,
//!   collectives that not all lanes of their mask reach, and deadlocks. A [`Fault`] names the kernel, the block, the
//!   thread and the source line.
//! - It **counts** shared-memory wavefronts and bank conflicts and global-memory sectors by source line: [`Costs`].
//! - It **records** what every thread accesses, in order: [`Trace`].
//!
//! ```
//! use simt_std::{global::Global, thread};
//! use simt_std::simulator::{Grid, Simulator};
//!
//! let mut gpu = Simulator::default();
//! let squares = gpu.alloc::<u32>(64, "squares");
//! let out: Global<u32> = squares.handle();
//! gpu.launch("squares", Grid::linear(2, 32), move || {
//!     let i = thread::index_1d();
//!     out.write(i as usize, i * i);
//! })?;
//! assert_eq!(gpu.download(&squares, 10)?[9], 81);
//! # Ok::<(), simt_std::simulator::Fault>(())
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `device` | what the device layer calls |
//! | `launch` | the state of a launch that simulated threads reach |
//! | `launch/calls` | how they reach it |
//! | `scheduler` | coroutines, warps and blocks: who runs next |
//! | `schedule` | other orders of them, by seed |
//! | `scheduler/priorities` | the highest priority first, with change points |
//! | `warp` | lanes, and the collectives at which they meet |
//! | `log` | which accesses of lanes are one warp access |
//! | `stack` | the stacks of the coroutines |
//! | `trap` | a stack that is used up |
//! | `panics` | where a kernel panicked |
//! | `stuck` | nothing moves: who waits for whom |
//! | `idle` | whether threads spin |
//! | `suspects` | reads of what nothing has written yet |
//! | `memory` | allocations, and what an access does |
//! | `shadow` | who touched each word |
//! | `order` | which accesses come before which |
//! | `site` | source lines as numbers |
//! | `cost` | wavefronts and sectors of a warp access |
//! | `fault` | what can be found, and how it reads |
//! | `timeline` | the warps' steps as a page for a browser |
//! | `trace` | what every thread accesses, in its order |

mod cost;
mod device;
mod fault;
mod idle;
mod launch;
mod log;
mod memory;
mod order;
mod panics;
mod schedule;
mod scheduler;
mod shadow;
mod site;
mod stack;
mod stuck;
mod suspects;
mod timeline;
mod trace;
mod trap;
mod warp;

use std::collections::BTreeMap;
use std::panic::Location;
use std::rc::Rc;

pub use cost::{Costs, KernelCosts, LineCost, Meeting, MeetingCost};
pub use device::shared_declare;
pub(crate) use device::{
    atomic, barrier, barrier_count, clock, collective, dynamic_shared_base, fence, out_of_bounds, print, read,
    read_only, write,
};
pub use fault::{Access, Fault, FaultKind, Thread};
pub(crate) use launch::{Atomic, index};
pub use memory::{Buffer, Space};
pub use schedule::{Schedule, ScheduleError, schedules};
pub use scheduler::interrupt;
pub use trace::{Event, LaunchTrace, MOST_EVENTS, Region, Site, Spaces, Trace};
pub(crate) use warp::Collective;

use crate::{Blocks, Kernel, Source, Word};
use launch::Machine;

pub use crate::Grid;

/// How the simulator runs.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether every memory access is counted, for [`Simulator::costs`]. Slower.
    pub accounting: bool,
    /// Blocks that are on the machine at a time; the others wait for a place. At least 1.
    pub resident_blocks: usize,
    /// Memories whose accesses are recorded, for [`Simulator::trace`]. With none there is no trace.
    pub trace: Spaces,
    /// The seed of a random order of blocks, warps and lanes, as far as a launch leaves it open. The same seed gives
    /// the same order every time. With `None` they run by their numbers. See [`schedules`].
    pub seed: Option<u64>,
    /// How the seed chooses the order.
    pub schedule: Schedule,
    /// Whether the steps of every warp are kept, for [`Simulator::timeline_html`]. Slower.
    pub timeline: bool,
    /// Whether what kernels print goes to standard output, too, and not only to [`Simulator::printed`].
    pub echo: bool,
    /// Limit on steps without progress. Beyond it a launch ends with [`FaultKind::Deadlock`]. A step is an access or a meeting of
    /// any thread. Progress is a change of memory, the end of a thread, or the first read of an element. `u64::MAX`: no limit.
    pub spin_limit: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            accounting: false,
            resident_blocks: 8,
            trace: Spaces::default(),
            seed: None,
            schedule: Schedule::default(),
            timeline: false,
            echo: true,
            spin_limit: 1 << 22,
        }
    }
}

/// A simulated GPU: its memory, and what its kernels have cost so far.
#[derive(Debug, Default)]
pub struct Simulator {
    options: Options,
    machine: Machine,
    costs: Costs,
    by_kernel: BTreeMap<String, KernelCosts>,
    timeline: Vec<timeline::LaunchTimeline>,
    sources: BTreeMap<&'static str, &'static str>,
}

impl Simulator {
    /// A simulator with these options.
    pub fn new(options: Options) -> Self {
        let trace = (options.trace != Spaces::default()).then(|| Trace::new(options.trace));
        Self { options, machine: Machine { trace, ..Machine::default() }, ..Self::default() }
    }

    /// Allocates `len` elements of global memory, uninitialised. `name` stands in faults.
    pub fn alloc<T: Word>(&mut self, len: usize, name: &str) -> Buffer<T> {
        self.machine.memory.alloc(len, name)
    }

    /// Allocates as many elements as `data` has and copies them there. `name` stands in faults.
    pub fn alloc_from<T: Word>(&mut self, data: &[T], name: &str) -> Buffer<T> {
        let buffer = self.alloc(data.len(), name);
        self.upload(&buffer, data).expect("the allocation is as long as the data");
        buffer
    }

    /// Gives an allocation back; later accesses are out of bounds.
    pub fn free<T>(&mut self, buffer: Buffer<T>) {
        self.machine.memory.free(buffer.address());
    }

    /// Copies into the start of an allocation.
    ///
    /// # Errors
    /// When `data` is longer than the allocation.
    pub fn upload<T: Word>(&mut self, buffer: &Buffer<T>, data: &[T]) -> Result<(), Fault> {
        self.upload_to(buffer, 0, data)
    }

    /// Copies into an allocation, from element `start` on.
    ///
    /// # Errors
    /// When the allocation ends before `data` does.
    pub fn upload_to<T: Word>(&mut self, buffer: &Buffer<T>, start: usize, data: &[T]) -> Result<(), Fault> {
        let Machine { memory, records, .. } = &mut self.machine;
        memory.upload(buffer, start, data, records).map_err(|kind| Fault::on_host("upload", kind))
    }

    /// Copies the first `len` elements of an allocation out.
    ///
    /// # Errors
    /// When it is shorter, or part of them was never written.
    pub fn download<T: Word>(&mut self, buffer: &Buffer<T>, len: usize) -> Result<Vec<T>, Fault> {
        self.download_from(buffer, 0, len)
    }

    /// Copies `len` elements of an allocation out, from element `start` on.
    ///
    /// # Errors
    /// As [`download`](Self::download).
    pub fn download_from<T: Word>(&mut self, buffer: &Buffer<T>, start: usize, len: usize) -> Result<Vec<T>, Fault> {
        let Machine { memory, last_launch, .. } = &mut self.machine;
        let downloaded = memory.download(buffer, start, len, last_launch.as_deref());
        downloaded.map_err(|kind| Fault::on_host("download", kind))
    }

    /// Runs `body` in every thread of the grid.
    ///
    /// # Errors
    /// The first fault found; memory is then as the kernel left it.
    #[track_caller]
    pub fn launch(&mut self, kernel: &str, grid: Grid, body: impl Fn() + 'static) -> Result<(), Fault> {
        self.launch_body(kernel, None, grid, Rc::new(body))
    }

    /// [`launch`](Self::launch) for all bodies, so that it is compiled once.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    #[track_caller]
    pub fn launch_body(
        &mut self,
        kernel: &str,
        source: Option<Source>,
        grid: Grid,
        body: Rc<dyn Fn()>,
    ) -> Result<(), Fault> {
        self.sources.extend(source.map(|source| (source.file, source.text)));
        let machine = std::mem::take(&mut self.machine);
        let (machine, mut costs, outcome) =
            scheduler::run(self.options, kernel, grid, machine, body, Location::caller());
        self.machine = machine;
        self.timeline.extend(costs.timeline.take());
        if self.options.accounting {
            let costs = costs.by_line(&self.machine.sites);
            self.costs.add_all(&costs);
            let of_kernel = self.by_kernel.entry(kernel.into()).or_default();
            of_kernel.launches += 1;
            of_kernel.costs.add_all(&costs);
        }
        outcome
    }

    /// Launches `blocks` blocks of a kernel: a number, or `[x, y]`, or `[x, y, z]`.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    #[track_caller]
    pub fn launch_kernel<K: Kernel>(&mut self, blocks: impl Into<Blocks>, kernel: K) -> Result<(), Fault> {
        // SAFETY: what the contract asks for is what the simulator checks.
        let body = Rc::new(move || unsafe { kernel.run() });
        self.launch_body(K::NAME, K::SOURCE, Grid::of(blocks, &kernel), body)
    }

    /// What the launches so far have cost, by source line; empty without [`Options::accounting`].
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The same by the kernels' names.
    pub fn costs_by_kernel(&self) -> &BTreeMap<String, KernelCosts> {
        &self.by_kernel
    }

    /// The text of a file that holds a kernel which was launched; `file` is as [`Location`] and
    /// [`Costs`] have it.
    pub fn source(&self, file: &str) -> Option<&'static str> {
        self.sources.get(file).copied()
    }

    /// What the launches so far have accessed, as [`Options::trace`] asks; `None` if that is nothing.
    pub fn trace(&self) -> Option<&Trace> {
        self.machine.trace.as_ref()
    }

    /// Takes the trace away; the next launch begins another.
    pub fn take_trace(&mut self) -> Option<Trace> {
        let next = self.machine.trace.as_ref().map(|trace| Trace::new(trace.spaces()));
        std::mem::replace(&mut self.machine.trace, next)
    }

    /// What the warps of the launches so far have done, step by step, as a page for a browser: one HTML file that needs
    /// nothing else. Without [`Options::timeline`] it has no launches.
    pub fn timeline_html(&self) -> String {
        timeline::html(&self.timeline, &self.machine.sites, &self.sources)
    }

    /// What the launches so far have printed.
    pub fn printed(&self) -> &str {
        &self.machine.printed
    }

    /// Takes what was printed away.
    pub fn take_printed(&mut self) -> String {
        std::mem::take(&mut self.machine.printed)
    }

    /// Bytes allocated now.
    pub fn allocated(&self) -> u64 {
        self.machine.memory.allocated()
    }
}
