//! LCS tables on a GPU or on the simulator, from the host's side: one algorithm per file.

mod algorithm;

pub use algorithm::DeviceAlgorithm;

// The first is the fastest.
device_algorithms! {
    DeviceAlgorithm;
    pub mod wavefront;
    published {
        pub mod block_step_look_ahead;
        pub mod block_step;
    }
}
