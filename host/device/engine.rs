//! The interface between engines and jobs.

use super::cpu::Cpu;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// Hardware that computes: [`Cpu`], [`Gpu`](super::Gpu), [`Gpus`](super::Gpus) or
/// [`Simt`](super::Simt). Jobs take an engine by reference (`on`) and keep the device itself: a GPU
/// stays open as long as the engine or one of these jobs exists. See the [example](crate::device).
///
/// Other crates cannot implement this trait.
pub trait Engine: sealed::Sealed + Send + Sync {
    /// Returns the kind of engine. See the [example](EngineKind).
    fn kind(&self) -> EngineKind {
        self.devices().kind()
    }
}

pub(super) mod sealed {
    use super::Devices;

    /// A job's access to the hardware of an engine.
    pub trait Sealed {
        /// Returns the hardware.
        fn devices(&self) -> Devices;
    }
}

impl sealed::Sealed for Cpu {
    fn devices(&self) -> Devices {
        Devices::Cpu(self.clone())
    }
}

impl Engine for Cpu {}

/// The hardware of an engine, as jobs take it.
#[derive(Debug, Clone)]
pub enum Devices {
    /// The processor.
    Cpu(Cpu),
    /// GPUs, at least one.
    Gpus(Vec<Arc<simt_launch::Gpu>>),
    /// Simulated GPUs, at least one.
    #[cfg(feature = "simt")]
    Simulated(Vec<Arc<simt_launch::Simt>>),
}

impl Devices {
    /// Returns the hardware of an engine.
    pub fn from_engine(engine: &dyn Engine) -> Self {
        engine.devices()
    }

    /// Returns the kind of engine.
    pub fn kind(&self) -> EngineKind {
        match self {
            Self::Cpu(_) => EngineKind::Cpu,
            Self::Gpus(_) => EngineKind::Gpu,
            #[cfg(feature = "simt")]
            Self::Simulated(_) => EngineKind::Simt,
        }
    }

    /// Returns the number of devices; 1 for the processor.
    pub fn count(&self) -> usize {
        match self {
            Self::Cpu(_) => 1,
            Self::Gpus(gpus) => gpus.len(),
            #[cfg(feature = "simt")]
            Self::Simulated(devices) => devices.len(),
        }
    }
}

/// Kinds of engines.
///
/// ```
/// use carrywave::device::{Cpu, Engine, EngineKind};
///
/// assert_eq!(Cpu::new().kind(), EngineKind::Cpu);
/// assert_eq!(EngineKind::Gpu.name(), "gpu");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EngineKind {
    /// The processor.
    Cpu,
    /// NVIDIA GPUs.
    Gpu,
    /// The simulator.
    Simt,
}

impl EngineKind {
    /// Returns the name on the command line and in reports. See the [example](Self).
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Simt => "simt",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
