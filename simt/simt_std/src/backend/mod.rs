//! The two bodies of each function of the device layer: on the GPU an intrinsic or one instruction, on the CPU a call of the simulator.

#[cfg(target_arch = "nvptx64")]
mod nvptx;
#[cfg(not(target_arch = "nvptx64"))]
mod simt;

#[cfg(target_arch = "nvptx64")]
pub use nvptx::*;
#[cfg(not(target_arch = "nvptx64"))]
pub use simt::*;
