//! Engines: what computes. A program opens one, keeps it, and gives it to each job with `on`.
//!
//! | engine | what |
//! |---|---|
//! | [`Cpu`] | the processor, all cores or so many threads |
//! | [`Gpu`], [`Gpus`] | an NVIDIA GPU, or several |
//! | `Simt` (feature `simt`) | the GPUs' kernels on a simulator that runs on the processor: slow, and every memory access is checked |
//!
//! ```
//! use carrywave::device::Cpu;
//! use carrywave::lcs::Comparison;
//!
//! let two = Cpu::with_threads(2)?;
//! assert_eq!(Comparison::new().on(&two).length(b"ABCBDAB", b"BDCABA")?, 4);
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! A job without an engine takes the CPU; a comparison of long strings takes GPU 0 where there is one, which it opens and closes again.
mod cpu;
pub(crate) mod engine;
pub(crate) mod gpu;
#[cfg(feature = "simt")]
mod simt;
mod timings;

pub use cpu::Cpu;
pub(crate) use engine::Devices;
pub use engine::{Engine, EngineKind};
pub use gpu::{Gpu, Gpus, PTX_ORIGIN, ptx};
#[cfg(feature = "simt")]
pub use simt::{MOST_SIMULATED, Simt};
pub use simt_launch::Description;
pub(crate) use simt_launch::{Device, Limits};
pub(crate) use timings::Timings;
