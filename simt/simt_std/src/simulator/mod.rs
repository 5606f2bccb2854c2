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
//! - It **counts** shared-memory wavefronts and bank conflicts, and global-memory sectors, by
//!   source line: [`Costs`].
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
//! | `commands` | its commands in streams |
//! | `buffer` | the host's handle of an allocation |
//! | `device` | the functions that the device layer calls |
//! | `launch` | the state of a launch that simulated threads access |
//! | `calls` | the functions that they call for it |
//! | `running` | the indices of the running thread |
//! | `request` | the requests of threads that suspend |
//! | `scheduler` | coroutines, warps and blocks, and the choice of the next one to run |
//! | `schedule`, `schedules` | other orders of them, by seed, and one job under many schedules |
//! | `scheduler/priorities` | a schedule by priority, with change points |
//! | `warp` | lanes, and the collectives at which they synchronise |
//! | `log` | grouping of lane accesses into warp accesses |
//! | `stack` | the stacks of the coroutines |
//! | `trap` | detection of stack overflows |
//! | `panics` | the source line of a kernel's panic |
//! | `stuck` | deadlocks: the waiting threads |
//! | `idle` | detection of threads that spin |
//! | `suspects` | reads of elements that no access has written yet |
//! | `access` | memory spaces and types of access |
//! | `memory` | allocations, and the effects of an access |
//! | `shadow`, `records` | the last accesses of each word |
//! | `streams` | streams, events, and the order of their commands |
//! | `past` | the accesses of commands that the host has not waited for |
//! | `stream_checks` | accesses of two streams without an order |
//! | `order` | the happens-before order of accesses |
//! | `site` | source lines as numbers |
//! | `cost` | wavefronts and sectors of a warp access |
//! | `fault` | the faults that can be found, and their texts |
//! | `timeline` | the warps' steps as a page for a browser |
//! | `trace` | the accesses of every thread, in order |

mod access;
mod buffer;
mod calls;
mod commands;
mod cost;
mod device;
mod fault;
mod gpu;
mod idle;
mod launch;
mod log;
mod memory;
mod options;
mod order;
mod panics;
mod past;
mod records;
mod request;
mod running;
mod schedule;
mod scheduler;
mod schedules;
mod shadow;
mod site;
mod stack;
mod stream_checks;
mod streams;
mod stuck;
mod suspects;
mod timeline;
mod trace;
mod trap;
mod warp;

pub(crate) use access::Atomic;
pub use access::{Access, Space};
pub use buffer::Buffer;
pub use cost::{Costs, KernelCosts, LineCost, Meeting, MeetingCost};
pub use device::shared_declare;
pub(crate) use device::{
    atomic, barrier, barrier_count, clock, collective, dynamic_shared_base, fence, out_of_bounds, print, read,
    read_only, write,
};
pub use fault::{Fault, FaultKind, StreamAccess, Thread};
pub use gpu::Simulator;
pub(crate) use launch::index;
pub use options::Options;
pub(crate) use request::Collective;
pub use schedule::Schedule;
pub use scheduler::interrupt;
pub use schedules::{ScheduleError, schedules};
pub use streams::{Stream, StreamEvent};
pub use trace::{Event, LaunchTrace, MAX_EVENTS, Region, Site, Spaces, Trace};

pub use crate::Grid;
