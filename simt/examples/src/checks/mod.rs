//! Kernels that check the functions of the device layer: for tests, not for reading.

pub mod float;
