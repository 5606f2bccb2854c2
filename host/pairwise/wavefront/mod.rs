//! The wavefront on devices, from the host's side: last columns of many tables in one launch.
//!
//! A batch is a list of tables, each of a part of one string (its rows) and a part of the other
//! (its columns), filled forwards or backwards. The columns and the rows' planes of a batch are
//! prepared first. Then one launch of the wavefront computes the tables:
//! [LCS tables](carrywave_kernels::lcs::wavefront),
//! [edit distance tables](carrywave_kernels::distance::wavefront) or
//! [overlap tables](carrywave_kernels::distance::overlap_wavefront), as [`Kernels`] says. In
//! Hirschberg's recursion a batch is a whole level, with two tables a cut, and
//! [`Split`](carrywave_kernels::align::split) finds the cuts on the device that has the columns.
//!
//! Several devices share the strips of a batch, in order, in bands. A strip hands on its carries
//! (for edit distances, the horizontal differences) by writing to the device of the strip above;
//! bit-vectors go to the first device.
//!
//! Both strings stay on the devices if memory allows. If not, a batch uploads its parts, and a
//! table that is too large is computed in bands and blocks (`out_of_core.rs`). If other members of
//! a cluster have rows of a table, the carries into the lowest strip and out of the highest go
//! through the host (`relay.rs`).
//!
//! | file | what |
//! |---|---|
//! | `form`, `strip`, `launch` | parameters of kernels and launches |
//! | `kernels` | the traits for the kinds of tables: `lengths`, `distances`, `overlaps` |
//! | `plan`, `layout` | the mapping of tables to a machine, and to its memory |
//! | `strings`, `codes`, `buffer`, `member` | a device's strings and buffers |
//! | `table`, `band`, `stairs` | the tables of a batch; the columns of their strips |
//! | `on_devices` | [`Wavefront`]: two strings on devices |
//! | `deal` | the distribution of strips over devices, and the positions of their carries |
//! | `block`, `wait`, `host_carries` | a launch, and the host's work while it runs |
//! | `batch`, `last_columns`, `out_of_core` | tables in blocks of columns, and their last columns |
//! | `columns`, `cuts` | the requests: last columns, cuts |
//! | `staircase` | the value of a whole table, by two tables whose strips end together |
//! | `bands`, `relay` | cuts of similar strings, bands of a member |

mod band;
mod bands;
mod batch;
mod block;
mod buffer;
pub(crate) mod codes;
mod columns;
mod cuts;
mod deal;
mod distances;
mod form;
mod host_carries;
mod kernels;
mod last_columns;
mod launch;
mod layout;
mod lengths;
mod member;
mod on_devices;
mod out_of_core;
mod overlaps;
mod plan;
mod relay;
mod staircase;
mod stairs;
mod strings;
mod strip;
mod table;
mod wait;

pub use distances::Distances;
pub use form::Form;
pub use kernels::Kernels;
pub use lengths::Lengths;
pub use member::NO_MORE_STRIPS;
pub use on_devices::Wavefront;
pub use overlaps::Overlaps;
pub use plan::WavefrontPlan;
