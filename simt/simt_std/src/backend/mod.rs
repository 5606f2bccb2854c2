//! The two bodies of each function of the device layer: an intrinsic or one instruction on the GPU,
//! a call of the simulator on the CPU.

mod bf16;
#[cfg(target_arch = "nvptx64")]
mod nvptx;
#[cfg(not(target_arch = "nvptx64"))]
mod simt;
#[cfg(not(target_arch = "nvptx64"))]
mod simt_float;

#[cfg(target_arch = "nvptx64")]
pub use nvptx::*;
#[cfg(not(target_arch = "nvptx64"))]
pub use simt::*;
#[cfg(not(target_arch = "nvptx64"))]
pub use simt_float::*;
