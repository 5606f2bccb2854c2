//! Edit distance tables of two strings on a GPU or on the simulator, from the host's side: one
//! algorithm per file.

mod algorithm;

pub use algorithm::DeviceAlgorithm;

// `auto` tries the algorithms of bands in this order; then the first of the others computes the
// table.
device_algorithms! {
    DeviceAlgorithm;
    pub mod bands;
    pub mod wavefront;
    published {}
}
