//! The device layer on the GPU: an intrinsic or one instruction each.
//!
//! Collectives are `llvm.nvvm.*` intrinsics, which LLVM knows to be convergent. `asm!` is not
//! convergent, and serves only lane-local arithmetic, loads, stores and atomics.

mod arithmetic;
mod atomics;
mod collectives;
mod copies;
mod driver;
mod float;
mod grid;
mod memory;
mod threads;

pub use arithmetic::*;
pub use atomics::*;
pub use collectives::*;
pub use copies::*;
pub use driver::*;
pub use float::*;
pub use grid::*;
pub use memory::*;
pub use threads::*;

/// Plain data.
pub trait Pod: Copy + 'static {}
impl<T: Copy + 'static> Pod for T {}
