//! Engines: the hardware that jobs run on. A program opens an engine, keeps it, and passes it to
//! each job with `on`.
//!
//! | engine | what |
//! |---|---|
//! | [`Cpu`] | the processor, with all cores or a given number of threads |
//! | [`Gpu`], [`Gpus`] | an NVIDIA GPU, or several |
//! | `Simt` (feature `simt`) | the GPUs' kernels, simulated on the processor |
//!
//! `Simt` is slow, and checks every memory access.
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
//! A job without an engine runs on the CPU. A comparison uses GPU 0 if that should be faster. A GPU
//! that the program has open costs nothing to open; otherwise only long strings pay for opening it,
//! and it is closed again.
mod cpu;
pub(crate) mod engine;
pub(crate) mod gpu;
#[cfg(feature = "simt")]
mod simt;
mod timings;
pub(crate) mod watch;

pub use cpu::Cpu;
pub(crate) use engine::Devices;
pub use engine::{Engine, EngineKind};
pub(crate) use gpu::ReadyGpu;
pub use gpu::{Gpu, Gpus, PTX_ORIGIN, ptx, use_only_ptx};
#[cfg(feature = "simt")]
pub use simt::{MAX_SIMULATED, Simt};
pub use simt_launch::Description;
pub(crate) use simt_launch::{Device, Limits};
pub(crate) use timings::Timings;
