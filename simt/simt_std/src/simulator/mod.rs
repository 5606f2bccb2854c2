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
//! | `gpu`, `options` | a simulated GPU, as the host has it, and how it runs |
//! | `buffer` | an allocation, as the host has it |
//! | `device` | what the device layer calls |
//! | `launch` | the state of a launch that simulated threads reach |
//! | `calls` | how they reach it |
//! | `running` | where a thread is in its launch |
//! | `request` | what a thread asks when it suspends |
//! | `scheduler` | coroutines, warps and blocks: who runs next |
//! | `schedule`, `schedules` | other orders of them, by seed, and a job under many |
//! | `scheduler/priorities` | the highest priority first, with change points |
//! | `warp` | lanes, and the collectives at which they meet |
//! | `log` | which accesses of lanes are one warp access |
//! | `stack` | the stacks of the coroutines |
//! | `trap` | a stack that is used up |
//! | `panics` | where a kernel panicked |
//! | `stuck` | nothing moves: who waits for whom |
//! | `idle` | whether threads spin |
//! | `suspects` | reads of what nothing has written yet |
//! | `access` | kinds of memory and of access |
//! | `memory` | allocations, and what an access does |
//! | `shadow`, `records` | who touched each word |
//! | `order` | which accesses come before which |
//! | `site` | source lines as numbers |
//! | `cost` | wavefronts and sectors of a warp access |
//! | `fault` | what can be found, and how it reads |
//! | `timeline` | the warps' steps as a page for a browser |
//! | `trace` | what every thread accesses, in its order |

mod access;
mod buffer;
mod calls;
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
mod records;
mod request;
mod running;
mod schedule;
mod scheduler;
mod schedules;
mod shadow;
mod site;
mod stack;
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
pub use fault::{Fault, FaultKind, Thread};
pub use gpu::Simulator;
pub(crate) use launch::index;
pub use options::Options;
pub(crate) use request::Collective;
pub use schedule::Schedule;
pub use scheduler::interrupt;
pub use schedules::{ScheduleError, schedules};
pub use trace::{Event, LaunchTrace, MOST_EVENTS, Region, Site, Spaces, Trace};

pub use crate::Grid;
