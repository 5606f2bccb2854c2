//! Kernels that check the functions of the device layer on the simulator and on a GPU: for tests,
//! not for reading.

pub mod float;
pub mod memory;
