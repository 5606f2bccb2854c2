//! The distances of many pairs of strings on a GPU, or on the simulator.
//!
//! | file | what |
//! |---|---|
//! | `device_pairs` | the job on a device and its options: [`DevicePairs`] |
//! | `on_device` | a device as the engine of the job |
//! | `algorithm` | an entry of the table of algorithms |
//! | `all_pairs` | all pairs of two lists, a block of the matrix at a time |
//! | `flight` | a block of the matrix in flight |
//! | `codes` | the symbols of both lists as rows of the kernel's table |
//! | `groups` | strings sorted by length and packed in groups of 32 on the device |
//! | `plan` | the choice of the kernel's instance and its number of blocks |
//! | `launch` | a launch of that instance |
//! | `listed_pairs` | listed pairs, in batches, several of them in flight |
//! | `listed_source` | where the strings of listed pairs come from |
//! | `listed_columns` | listed pairs of two columns, on the host or on the device |
//! | `column` | a column of strings in a device's memory |
//! | `column_matches` | two columns: symbols at equal or nearby positions |
//! | `listed_order` | the order of listed pairs: parts, and groups of similar lengths |
//! | `listed_input` | the arrays of a batch, in one piece of memory |
//! | `kernel_cost` | the kernels' number for a cost |
//! | `listed_choice` | the kernel's instance and the codes for a batch |
//! | `listed_launch` | the launches of a batch |
//! | `listed_slot` | a batch in flight |
//! | `room` | memory kept between launches |

mod algorithm;
mod codes;
mod column;
mod column_matches;
mod device_pairs;
mod flight;
mod groups;
mod kernel_cost;
mod launch;
mod listed_choice;
mod listed_columns;
mod listed_input;
mod listed_launch;
mod listed_order;
mod listed_slot;
mod listed_source;
mod on_device;
mod plan;
mod room;

pub(super) use algorithm::DeviceAlgorithm;
pub use column::{ColumnAt, OffsetsAt};
pub use device_pairs::{Block, DevicePairs};
pub use kernel_cost::kernel_cost;
pub(super) use on_device::OnDevice;
pub use plan::Tuning;

// The first is the reference for the others.
device_algorithms! {
    DeviceAlgorithm;
    pub mod all_pairs;
    pub mod listed_pairs;
    published {}
}
