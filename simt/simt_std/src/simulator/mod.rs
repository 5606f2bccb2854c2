//! A SIMT simulator: runs the kernels of this crate on the CPU, checks every memory access and
//! counts its cost.
//!
//! Each GPU thread is a stackful coroutine. Threads synchronise at barriers, shuffles and votes.
//! With [`Options::accounting`], accesses of the lanes of a warp at the same source line are one
//! warp access.
//!
//! - It **finds** out-of-bounds and misaligned accesses, reads of uninitialised memory, races,
//!   divergent barriers, collectives that not all lanes of their mask reach, and deadlocks. A
//!   [`Fault`] names the kernel, the block, the thread and the source line.
//! - It **counts** shared-memory wavefronts and bank conflicts, global-memory sectors, turns of
//!   atomic operations and divergence, by source line: [`Costs`]. [`occupancy`] and [`estimate`]
//!   derive the occupancy and a time from the counts.
//! - It **records** the accesses of every thread, in order: [`Trace`].
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
//! | file | contents |
//! |---|---|
//! | `gpu`, `options` | a simulated GPU as the host sees it, and its options |
//! | `body`, `blocks` | the body of a launch, and its blocks that have not started |
//! | `buffer` | the host's handle of an allocation |
//! | `device` | the functions that the device layer calls |
//! | `launch` | the state of a launch that simulated threads access |
//! | `calls` | the functions that they call for it |
//! | `pipeline`, `copies` | asynchronous copies to shared memory |
//! | `running` | the indices of the running thread |
//! | `request` | the requests of threads that suspend |
//! | `scheduler` | coroutines, warps and blocks, and the choice of the next one to run |
//! | `schedule`, `schedules` | other orders of them, by seed, and one job under many schedules |
//! | `scheduler/priorities` | a schedule by priority, with change points |
//! | `warp` | lanes, and the collectives at which they synchronise |
//! | `named` | named barriers |
//! | `log` | grouping of lane accesses into warp accesses |
//! | `coroutine` | coroutines: corosensei's, or on wasm32 by Asyncify |
//! | `stack` | the stacks of the coroutines |
//! | `trap` | detection of stack overflows |
//! | `panics` | the source line of a kernel's panic |
//! | `stuck` | deadlocks: the waiting threads |
//! | `idle` | detection of threads that spin |
//! | `suspects` | reads of elements that no access has written yet |
//! | `access` | memory spaces and types of access |
//! | `memory` | allocations, and the effects of an access |
//! | `pages`, `records` | bytes, and the last accesses of each word |
//! | `parallel` | blocks on all cores, for launches where their order has no effect |
//! | `order` | the happens-before order of accesses |
//! | `known` | what a thread knows of other threads' accesses |
//! | `sequential` | the order of sequentially consistent fences |
//! | `site` | source lines as numbers |
//! | `cost` | costs of a launch: accesses, meetings, divergence |
//! | `costs` | costs by source line, as a table and as JSON |
//! | `occupancy` | the blocks and warps that a multiprocessor runs at a time |
//! | `wavefronts` | wavefronts, sectors and turns of a warp access |
//! | `footprint` | a set of sectors |
//! | `totals` | blocks, sectors and the busiest word of a launch |
//! | `estimate` | an estimate of a kernel's time from its counts |
//! | `fault` | the faults that can be found, and their texts |
//! | `timeline` | the warps' steps as a page for a browser |
//! | `trace` | the accesses of every thread, in order |

mod access;
mod blocks;
mod body;
mod buffer;
mod calls;
mod copies;
mod coroutine;
mod cost;
mod costs;
mod device;
mod estimate;
mod fault;
mod footprint;
mod gpu;
mod idle;
mod known;
mod launch;
mod log;
mod memory;
mod named;
mod occupancy;
mod options;
mod order;
mod pages;
mod panics;
mod parallel;
mod pipeline;
mod records;
mod request;
mod running;
mod schedule;
mod scheduler;
mod schedules;
mod sequential;
mod site;
mod stack;
mod stuck;
mod suspects;
mod timeline;
mod totals;
mod trace;
mod trap;
mod warp;
mod wavefronts;

pub(crate) use access::Atomic;
pub use access::{Access, Space};
pub use body::Body;
pub use buffer::Buffer;
pub(crate) use copies::Element;
pub use cost::{Divergence, LineCost, Meeting, MeetingCost};
pub use costs::{Costs, KernelCosts, LineDivergence};
pub use device::shared_declare;
pub(crate) use device::{
    asked_for_active_lanes, atomic, barrier, barrier_count, clock, collective, copy_async, copy_commit, copy_wait,
    dynamic_shared_base, fence, grid_barrier, named_barrier, out_of_bounds, print, read, read_only, write,
};
pub use estimate::{Estimate, GpuModel, Latency, LaunchCounts, TimeBound, TimeLimit, estimate};
pub use fault::{Fault, FaultKind, Thread};
pub use gpu::Simulator;
pub(crate) use launch::index;
pub use occupancy::{BlockResources, Multiprocessor, Occupancy, OccupancyLimit, occupancy};
pub use options::Options;
pub(crate) use request::Collective;
pub use schedule::Schedule;
pub use scheduler::interrupt;
pub use schedules::{ScheduleError, schedules};
pub use totals::LaunchTotals;
pub use trace::{Event, LaunchTrace, MAX_EVENTS, Region, Site, Spaces, Trace};

pub use crate::Grid;
