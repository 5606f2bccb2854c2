//! The nearest part of a text on a GPU or on the simulator: the approximate string matching of
//! Nakano (2012), one algorithm per file.

mod engine;
pub mod nakano;

pub use engine::{DeviceAlgorithm, DeviceBest};

// The first is the fastest.
device_algorithms! {
    DeviceAlgorithm;
    pub mod umm_n;
    pub mod umm_3m;
    pub mod umm;
    pub mod dmm;
    published {}
}
