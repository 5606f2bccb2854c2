//! The LCS of sequences of tokens on a GPU or on the simulator, from the host's side: one algorithm
//! per file.

mod algorithm;

pub(crate) use algorithm::{DeviceAlgorithm, Found};

// The first is the fastest.
device_algorithms! {
    DeviceAlgorithm;
    pub mod wavefront;
    published {}
}
