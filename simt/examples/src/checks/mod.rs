//! Kernels that check functions of the device layer on the simulator and on a GPU.

pub mod memory;
