//! Nakano's memory machines: what the memory accesses of a kernel cost on a machine of any width and latency.
//!
//! K. Nakano, "Efficient Implementations of the Approximate String Matching on the Memory Machine Models" (2012),
//! section II. The simulator runs a kernel and records what every thread accesses
//! ([`Trace`](simt_std::simulator::Trace)); a [`Machine`] counts the time units that this takes. Nothing but
//! memory accesses takes time.
//!
//! ```text
//!  threads  T0 T1 T2 T3 │ T4 T5 T6 T7 │ …      warps of w threads, dispatched in turn
//!              ╲  │  │  ╱
//!  stages    ──▶ ▢▢▢▢▢ … ▢ ──▶                 a pipeline: one stage enters a time unit, l units later it is done
//!              ╱  │  │  ╲
//!  banks       0  1  2  3                      word a is in bank a mod w and in address group a div w
//! ```
//!
//! A warp access takes so many stages: on a DMM ([`Model::Dmm`]) the most different addresses that any bank is asked for, on a
//! UMM ([`Model::Umm`]) the different address groups. k stages are done in k + l - 1 time units. A thread has one request on the
//! way. How far warps run ahead of one another is the [`Mode`].
//!
//! What the model leaves open, and what is done here:
//! - Words are of 4 bytes unless [`Machine::word`] says otherwise. An access of more bytes asks for all its words at once, one
//!   of fewer for the word that they are in. Atomic operations cost what writes do.
//! - Every allocation, and each block's shared memory, begins in bank 0, as the paper's arrays do.
//! - Threads of several blocks are numbered through, and all of a launch's blocks are on the machine at once. A launch
//!   begins when the one before has ended.
//! - Threads of a warp that are not at the same instruction do not access together: the ones farthest behind go first
//!   (fewer barriers and meetings of the warp passed, then fewer jumps back in the source since, then the lower line).
//! - How often a thread looks for something that another one has yet to write is the simulator's, not the machine's.
//!
//! | file | what |
//! |---|---|
//! | `model` | the machine: [`Machine`], [`Model`], [`Mode`] |
//! | `run` | a run: the launches of a trace |
//! | `program` | a launch's threads as the machine sees them: what each asks for next |
//! | `lockstep`, `free` | the two modes |
//! | `stages` | how many stages a warp access takes |
//! | `count` | what comes out |
//! | [`closed`] | lemmas 1 and 2 |
//! | [`kernels`] | what can be run |
//! | [`report`] | one run, as a table by source line |
//! | [`page`] | the same as a page with pictures of the warp accesses |
//! | [`sweep`] | the time units for many sizes |
//! | [`fit`] | and how much there is in them of each term of a theorem |
//! | `plot` | a curve of it |

pub mod closed;
mod count;
pub mod fit;
mod free;
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
pub use model::{MOST_LATENCY, MOST_WIDTH, MOST_WORD, Machine, Mode, Model};
