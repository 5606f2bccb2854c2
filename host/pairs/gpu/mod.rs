//! The distances of many pairs of strings on a GPU, or on the simulator.
//!
//! | file | what |
//! |---|---|
//! | `device_pairs` | how the pairs are computed: [`DevicePairs`] |
//! | `on_device` | a device as the engine of the job |
//! | `algorithm` | a row of the table of algorithms |
//! | `all_pairs` | all pairs of two lists, a block of the matrix at a time |
//! | `flight` | a block of the matrix that is under way |
//! | `codes` | the symbols of both lists as rows of the kernel's table |
//! | `groups` | strings sorted by length and packed in groups of 32 on the device |
//! | `plan` | which instance of the kernel, and in how many blocks |
//! | `launch` | a launch of that instance |
//! | `listed_pairs` | listed pairs, a batch of like lengths at a time |
//! | `planes` | strings as bit planes on the device |
//! | `room` | device memory that is kept |

mod algorithm;
mod codes;
mod device_pairs;
mod flight;
mod groups;
mod launch;
mod on_device;
mod plan;
mod planes;
mod room;

pub(super) use algorithm::DeviceAlgorithm;
pub use device_pairs::{Block, DevicePairs};
pub(super) use on_device::OnDevice;
pub use plan::Tuning;

// The first is the one to compare others with.
device_algorithms! {
    DeviceAlgorithm;
    pub mod all_pairs;
    pub mod listed_pairs;
    published {}
}
