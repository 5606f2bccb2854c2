//! Edit distance tables of two strings on a GPU or on the simulator, from the host's side: one algorithm a file.

mod algorithm;

pub use algorithm::DeviceAlgorithm;

// The first is the fastest.
device_algorithms! {
    DeviceAlgorithm;
    pub mod wavefront;
    published {}
}
