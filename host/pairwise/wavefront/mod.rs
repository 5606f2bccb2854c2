//! The wavefront on devices, from the host's side: last columns of many tables in one launch.
//!
//! A batch is a list of tables, each of a part of one string (its rows) and a part of the other (its columns), filled
//! forwards or backwards. For a batch: the columns and the rows' planes are prepared, then there is one launch of the wavefront: of
//! [LCS tables](carrywave_kernels::lcs::wavefront) or of [edit distance tables](carrywave_kernels::distance::wavefront), which
//! [`Kernels`] tells apart. Of Hirschberg's recursion a batch is a whole level: two tables a cut, and
//! [`Split`](carrywave_kernels::align::split) finds the cuts where the columns are.
//!
//! Several devices share the strips of a batch, in order, in bands. A strip hands its carries (of edit distances, the
//! horizontal differences) on by writing to the device of the strip above; bit-vectors go to the first device.
//!
//! Both strings stay on the devices if these have the memory. If not, a batch brings its parts along, and
//! a table that is too large goes in bands and blocks (`out_of_core.rs`). If other members of a cluster
//! have rows of a table, the carries into the lowest strip and out of the highest go through the host (`relay.rs`).
//!
//! | file | what |
//! |---|---|
//! | `form`, `strip`, `launch` | what kernels and their launches take |
//! | `kernels` | what LCS tables and edit distance tables differ in: `lengths`, `distances` |
//! | `plan`, `layout` | how tables are laid on a machine, and in its memory |
//! | `strings`, `buffer`, `member` | a device's strings and buffers |
//! | `table`, `band` | the tables of a batch; the columns of their strips |
//! | `on_devices` | [`Wavefront`]: two strings on devices |
//! | `deal` | which strips each device has, and where their carries are |
//! | `block`, `wait`, `host_carries` | a launch, and what the host does while it runs |
//! | `batch`, `last_columns`, `out_of_core` | tables in blocks of columns, and their last columns |
//! | `cuts`, `bands`, `relay` | what is requested: cuts, cuts of similar strings, bands of a cluster's member |

mod band;
mod bands;
mod batch;
mod block;
mod buffer;
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
mod plan;
mod relay;
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
pub use plan::WavefrontPlan;
