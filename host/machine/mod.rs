//! Nakano's memory machines: the cost of a kernel's memory accesses on a machine of any width and
//! latency.
//!
//! K. Nakano, "Efficient Implementations of the Approximate String Matching on the Memory Machine
//! Models" (2012), section II. The simulator runs a kernel and records the accesses of every thread
//! ([`Trace`](simt_std::simulator::Trace)); a [`Machine`] counts the time units that they take.
//! Only memory accesses take time.
//!
//! ```text
//!  threads  T0 T1 T2 T3 │ T4 T5 T6 T7 │ …   warps of w threads, dispatched in turn
//!              ╲  │  │  ╱
//!  stages    ──▶ ▢▢▢▢▢ … ▢ ──▶              a pipeline: 1 stage per time unit, latency l
//!              ╱  │  │  ╲
//!  banks       0  1  2  3                   word a is in bank a mod w and address group a div w
//! ```
//!
//! A warp access takes several stages: on a DMM ([`Model::Dmm`]) the largest number of different
//! addresses in any bank, on a UMM ([`Model::Umm`]) the number of different address groups. k
//! stages are done in k + l - 1 time units. A thread has one outstanding request. The [`Mode`]
//! defines how far warps may run ahead of one another.
//!
//! The module makes these choices where the model leaves them open:
//! - Words have 4 bytes unless [`Machine::word`] says otherwise. An access of more bytes requests
//!   all its words at once, and a smaller access the word that contains it. Atomic operations cost
//!   the same as writes.
//! - Every allocation, and each block's shared memory, starts in bank 0, as the paper's arrays do.
//! - Threads are numbered across blocks, and all blocks of a launch are on the machine at once. A
//!   launch starts when the one before has ended.
//! - Threads of a warp that are not at the same instruction do not access together. Those farthest
//!   behind go first (fewer barriers and meetings of the warp passed, then fewer jumps back in the
//!   source since then, then the lower line).
//! - The number of times that a thread polls for another thread's write is that of the simulator,
//!   not of the machine.
//!
//! | file | what |
//! |---|---|
//! | `model` | the machine: [`Machine`], [`Model`], [`Mode`] |
//! | `run` | a run: the launches of a trace |
//! | `program` | a launch's threads as the machine sees them: the next request of each |
//! | `lockstep`, `free` | the two modes |
//! | `hmm` | a turn on the hierarchical memory machine ([`Model::Hmm`]): DMMs beside a UMM |
//! | `stages` | the number of stages of a warp access |
//! | `count` | the result of a run |
//! | [`closed`] | lemmas 1 and 2 |
//! | [`kernels`] | the kernels that can be run |
//! | [`report`] | a run as a table by source line |
//! | [`page`] | a run as a page with pictures of the warp accesses |
//! | [`sweep`] | the time units for many sizes |
//! | [`fit`] | the coefficients of a theorem's terms in these time units |
//! | `plot` | the curve of a sweep |

pub mod closed;
mod count;
pub mod fit;
mod free;
mod hmm;
pub mod kernels;
mod lockstep;
mod model;
pub mod page;
#[cfg(feature = "plot")]
pub mod plot;
mod program;
pub mod report;
mod run;
mod stages;
pub mod sweep;

pub use count::{Count, LineCount, WarpAccess};
pub use model::{MOST_DMMS, MOST_LATENCY, MOST_WIDTH, MOST_WORD, Machine, Mode, Model};
