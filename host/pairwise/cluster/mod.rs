//! One comparison on several members: engines of one process, or processes of several hosts.
//!
//! ```text
//!               columns, in chunks
//!             +-----+-----+-----+--
//!   member 0  |  0  |  1  |  2  |
//!             +--↓--+--↓--+--↓--+--
//!   member 1  |  1  |  2  |  3  |      the numbers are times
//!             +--↓--+--↓--+--↓--+--
//!   member 2  |  2  |  3  |  4  |
//!             +-----+-----+-----+--
//! ```
//!
//! Each member has a band of the table's rows, in proportion to its speed. A member that would only
//! delay the others has no rows. If only one is left, it computes as it would without a cluster. A
//! band needs the carries of the last row of the band above it: one bit per column, or two for an
//! edit distance. They are passed down chunk by chunk (`CarryLink`), so that all members work at
//! the same time, each one chunk behind the member above it.
//!
//! A member keeps its bits of the last column. The value of the table is the sum of their rises.
//! For a cut of Hirschberg's recursion, the right half's table is filled backwards, from the last
//! band up, and each member finds the best row among its own. All members together cut large parts
//! of the recursion, one after the other; the remaining parts are assigned to single members.
//!
//! All members run the same program on the same strings and make the same decisions, so no member
//! is in charge. They first check that the strings are the same.
//!
//! | file | what |
//! |---|---|
//! | [`link`](CarryLink) | the trait for exchanging carries; an implementation by host memory |
//! | `mpi` | an implementation by MPI, with the feature `mpi` |
//! | `border` | the carries into and out of a band |
//! | [`members`](Cluster) | the members of a comparison |
//! | `bands` | the trait that an engine must implement to be a member |
//! | `cpu_member` | the CPU as a member |
//! | `speed` | the measured speed of a member |
//! | `pace` | the time of a band on a device, without its waiting for carries |
//! | `times` | the shares of members by the times that they expect |
//! | `shares` | the shares, and their correction by the times that bands take |
//! | `deal` | the division of work among members by their shares |
//! | `member` | a member at work: its strings, its engine, and its part of a table |
//! | `value`, `cut`, `runs` | what members compute jointly: a table's value, a cut, an alignment |
//! | `rounds` | a table in rounds, whose shares are corrected after each |
//! | `run` | starts the members |

mod bands;
mod border;
mod cpu_member;
mod cut;
mod deal;
mod link;
mod member;
mod members;
#[cfg(feature = "mpi")]
mod mpi;
mod pace;
mod rounds;
mod run;
mod runs;
mod shares;
mod speed;
mod times;
mod value;

pub(crate) use bands::{Bands, Steps};
pub(crate) use border::Border;
#[cfg(test)]
pub(in crate::pairwise) use border::Neighbours;
pub(crate) use cpu_member::CpuMember;
pub use link::{CarryLink, HostMemory};
pub(crate) use member::Task;
pub use members::Cluster;
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub(crate) use run::Outcome;
