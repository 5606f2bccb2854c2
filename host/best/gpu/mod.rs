//! The nearest part of a text on a GPU or on the simulator, one algorithm per file. Published are
//! those of Nakano (2012), for the memory machine models.
//!
//! | file | what |
//! |---|---|
//! | `algorithm` | the table's row, and the choice of the fastest algorithm |
//! | `engine` | an algorithm on a device |
//! | `batches` | records side by side in one text |
//! | `numbers` | symbols as numbers |
//! | `nakano` | parts that Nakano's algorithms share |

mod algorithm;
mod batches;
mod engine;
#[cfg(feature = "published")]
pub mod nakano;
mod numbers;

pub use algorithm::{DeviceAlgorithm, Size};
pub use engine::DeviceBest;

// `auto` is the fastest for the size of the job.
device_algorithms! {
    DeviceAlgorithm;
    pub mod myers;
    pub mod wavefront;
    published {
        pub mod umm_n;
        pub mod umm_3m;
        pub mod umm;
        pub mod dmm;
    }
}

/// Returns the matrix of one of Nakano's algorithms.
#[cfg(feature = "published")]
pub fn matrix<D: crate::device::Device>(name: &str) -> Option<nakano::Matrix<D>> {
    use published::{dmm, umm, umm_3m, umm_n};
    let matrices = [
        (&umm_n::ABOUT, umm_n::matrix()),
        (&umm_3m::ABOUT, umm_3m::matrix()),
        (&umm::ABOUT, umm::matrix()),
        (&dmm::ABOUT, dmm::matrix()),
    ];
    matrices.into_iter().find(|(about, _)| about.name == name).map(|(_, matrix)| matrix)
}
