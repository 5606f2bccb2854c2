//! A SIMT simulator: runs the kernels of this crate on the CPU, watches every memory access and counts what it costs.
//!
//! Each GPU thread is a stackful coroutine. Barriers, shuffles and votes are where threads meet; with
//! [`Options::accounting`] every memory access is one too, and the lanes of a warp that meet at the same source line
//! are one warp access.
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
//! | `scheduler` | coroutines, warps and blocks: who runs next, who waits for whom |
//! | `memory` | allocations, and a shadow for each word: who touched it last |
//! | `cost` | wavefronts and sectors of a warp access |
//! | `fault` | what can be found, and how it reads |
//! | `trace` | what every thread accesses, in its order |

mod cost;
mod fault;
mod memory;
mod scheduler;
mod trace;

use std::collections::BTreeMap;
use std::panic::Location;
use std::rc::Rc;

pub use cost::{Costs, KernelCosts, LineCost};
pub use fault::{Access, Fault, FaultKind, Thread};
pub use memory::{Buffer, Space};
pub(crate) use scheduler::{Collective, index};
pub use trace::{Event, LaunchTrace, MOST_EVENTS, Region, Site, Spaces, Trace};

use crate::{Kernel, Word};
use memory::Memory;

pub use crate::Grid;

/// How the simulator runs.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Lanes meet at every memory access, and [`Simulator::costs`] counts it. Slower.
    pub accounting: bool,
    /// Blocks that are on the machine at a time; the others wait for a place. At least 1.
    pub resident_blocks: usize,
    /// Memories whose accesses are recorded: [`Simulator::trace`]. None, and there is no trace.
    pub trace: Spaces,
}

impl Default for Options {
    fn default() -> Self {
        Self { accounting: false, resident_blocks: 8, trace: Spaces::default() }
    }
}

/// What a launch reads and changes.
struct Seen {
    memory: Memory,
    costs: Costs,
    trace: Option<Trace>,
}

/// A simulated GPU: its memory, and what its kernels have cost so far.
#[derive(Debug, Default)]
pub struct Simulator {
    options: Options,
    memory: Memory,
    costs: Costs,
    by_kernel: BTreeMap<String, KernelCosts>,
    sources: BTreeMap<&'static str, &'static str>,
    trace: Option<Trace>,
}

impl Simulator {
    /// A simulator with these options.
    pub fn new(options: Options) -> Self {
        let trace = (options.trace != Spaces::default()).then(|| Trace::new(options.trace));
        Self { options, trace, ..Self::default() }
    }

    /// Allocates `len` elements of global memory, uninitialised. `name` stands in faults.
    pub fn alloc<T: Word>(&mut self, len: usize, name: &str) -> Buffer<T> {
        self.memory.alloc(len, name)
    }

    /// Gives an allocation back; later accesses are out of bounds.
    pub fn free<T>(&mut self, buffer: Buffer<T>) {
        self.memory.free(buffer.address());
    }

    /// Copies into the start of an allocation.
    ///
    /// # Errors
    /// When `data` is longer than the allocation.
    pub fn upload<T: Word>(&mut self, buffer: &Buffer<T>, data: &[T]) -> Result<(), Fault> {
        self.memory.upload(buffer, data).map_err(|kind| Fault::on_host("upload", kind))
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
        self.memory.download(buffer, start, len).map_err(|kind| Fault::on_host("download", kind))
    }

    /// Runs `body` in every thread of the grid.
    ///
    /// # Errors
    /// The first fault found; memory is then as the kernel left it.
    pub fn launch(&mut self, kernel: &str, grid: Grid, body: impl Fn() + 'static) -> Result<(), Fault> {
        self.memory.next_launch();
        let seen = Seen { memory: std::mem::take(&mut self.memory), costs: Costs::default(), trace: self.trace.take() };
        let (seen, outcome) = scheduler::run(self.options, kernel, grid, seen, Rc::new(body));
        (self.memory, self.trace) = (seen.memory, seen.trace);
        if self.options.accounting {
            self.costs.add_all(&seen.costs);
            let of_kernel = self.by_kernel.entry(kernel.into()).or_default();
            of_kernel.launches += 1;
            of_kernel.costs.add_all(&seen.costs);
        }
        outcome
    }

    /// Launches `blocks` blocks of a kernel.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    pub fn launch_kernel<K: Kernel>(&mut self, blocks: u32, kernel: K) -> Result<(), Fault> {
        self.sources.extend(K::SOURCE.map(|source| (source.file, source.text)));
        let dynamic_shared = kernel.dynamic_shared_bytes();
        let grid = Grid { blocks: [blocks, 1, 1], threads: kernel.block_dim(), dynamic_shared };
        // SAFETY: what the contract asks for is what the simulator checks.
        self.launch(K::NAME, grid, move || unsafe { kernel.run() })
    }

    /// What the launches so far have cost, by source line; empty without [`Options::accounting`].
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The same by the kernels' names.
    pub fn costs_by_kernel(&self) -> &BTreeMap<String, KernelCosts> {
        &self.by_kernel
    }

    /// The text of a file that holds a kernel which was launched; `file` is as [`Location`] and [`Costs`] have it.
    pub fn source(&self, file: &str) -> Option<&'static str> {
        self.sources.get(file).copied()
    }

    /// What the launches so far have accessed, as [`Options::trace`] asks; `None` if that is nothing.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    /// Takes the trace away; the next launch begins another.
    pub fn take_trace(&mut self) -> Option<Trace> {
        let next = self.trace.as_ref().map(|trace| Trace::new(trace.spaces()));
        std::mem::replace(&mut self.trace, next)
    }

    /// Bytes allocated now.
    pub fn allocated(&self) -> u64 {
        self.memory.allocated()
    }
}

// What the device layer calls, from inside a simulated thread. Kernels inline all they can, and these must not be in all of
// them: they would take minutes to compile.

/// Waits for the block.
#[track_caller]
pub(crate) fn barrier() {
    let location = Location::caller();
    scheduler::trace(location, |trace, block, thread| trace.barrier(block, thread));
    scheduler::suspend(scheduler::Request::Barrier(location));
}

/// Meets the lanes of `mask`; the lane's result.
#[track_caller]
#[inline(never)]
pub(crate) fn collective(operation: Collective, mask: u32, value: u64) -> u64 {
    let location = Location::caller();
    scheduler::trace(location, |trace, block, thread| trace.warp(block, thread, mask));
    scheduler::suspend(scheduler::Request::Collective { operation, mask, value, location })
}

/// Reads a word by the handle of an array that begins at `array`: in shared memory the word has to be in the same declared array.
#[track_caller]
#[inline(never)]
pub(crate) fn read<T: Word>(space: Space, array: u64, address: u64) -> T {
    let location = Location::caller();
    scheduler::meet(space, Access::Read, address, size_of::<T>() as u32, location);
    scheduler::perform(location, |launch, who| launch.region(space, address).read::<T>(array, address, who))
}

/// Writes a word; as [`read`].
#[track_caller]
#[inline(never)]
pub(crate) fn write<T: Word>(space: Space, array: u64, address: u64, value: T) {
    let location = Location::caller();
    scheduler::meet(space, Access::Write, address, size_of::<T>() as u32, location);
    scheduler::perform(location, |launch, who| launch.region(space, address).write(array, address, value, who));
}

/// Changes a word of global memory atomically; the value before. Lets the other threads run first: this is where a
/// thread may be waiting for one of them. `instruction` is what the machine does: a relaxed load is a load, and counts
/// as one.
#[track_caller]
pub(crate) fn atomic<T: Word>(address: u64, instruction: Access, change: impl FnOnce(T) -> T) -> T {
    let location = Location::caller();
    scheduler::meet(Space::Global, instruction, address, size_of::<T>() as u32, location);
    scheduler::suspend(scheduler::Request::Yield);
    let reads = instruction != Access::Write;
    scheduler::perform(location, |launch, who| {
        launch.region(Space::Global, address).atomic(address, reads, change, who)
    })
}

/// The base of the block's dynamic shared memory.
pub(crate) fn dynamic_shared_base() -> u32 {
    0
}

/// The address of a static shared array, the same for every thread of the block that declares it at `place`. For
/// [`shared_array!`](crate::shared_array) alone.
#[doc(hidden)]
#[track_caller]
pub fn shared_declare(place: &'static str, name: &'static str, element: usize, len: usize) -> u32 {
    let location = Location::caller();
    scheduler::perform(location, |launch, _| launch.shared_declare(place, name, element, len))
}
