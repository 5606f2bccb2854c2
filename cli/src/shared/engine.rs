//! Options that choose the engine.

use crate::shared::help::{GLOBAL, PERFORMANCE, one_of};
use carrywave::algorithm::{Algorithm, Problem};
use carrywave::device::{Cpu, Engine, EngineKind, Gpu, Gpus, Simt, use_only_ptx};
use carrywave::error::UsageFault;
use carrywave::{Error, Result};
use clap::Args;
use std::fmt;
use std::str::FromStr;

/// Engine option of commands that compute.
#[derive(Debug, Args)]
#[command(next_help_heading = PERFORMANCE)]
pub struct EngineArguments {
    /// auto, cpu, gpu, or simt (a simulated GPU with checks).
    #[arg(long, default_value = "auto", value_parser = one_of::<EngineName>(EngineName::NAMES), hide_possible_values = true)]
    pub engine: EngineName,
}

/// Values of `--engine`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineName {
    Auto,
    One(EngineKind),
}

impl EngineName {
    /// Names of all engines, for error messages and completion.
    const NAMES: [&str; 4] = ["auto", "cpu", "gpu", "simt"];
}

impl FromStr for EngineName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let kinds = [EngineKind::Cpu, EngineKind::Gpu, EngineKind::Simt];
        match kinds.into_iter().find(|kind| kind.name() == name) {
            Some(kind) => Ok(Self::One(kind)),
            None if name == "auto" => Ok(Self::Auto),
            None => Err(Error::UnknownName { what: "engine", name: name.into(), known: Self::NAMES.into() }),
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.pad("auto"),
            Self::One(kind) => f.pad(kind.name()),
        }
    }
}

/// GPU options, common to all commands.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct GpuArguments {
    /// Use GPU number N of `carrywave devices` [default: 0].
    #[arg(long, global = true, value_name = "N", help_heading = GLOBAL)]
    pub gpu: Option<usize>,

    /// Use N GPUs, beginning with that of --gpu [default: 1].
    #[arg(long, global = true, value_name = "N", help_heading = GLOBAL, hide_short_help = true)]
    pub gpus: Option<usize>,

    /// Kernels of GPUs: auto (machine code if there is any for the GPU) or ptx.
    #[arg(long, global = true, value_name = "FORM", default_value = "auto", help_heading = GLOBAL, hide_short_help = true)]
    #[arg(value_parser = one_of::<KernelForm>(KernelForm::NAMES), hide_possible_values = true)]
    kernels: KernelForm,
}

/// Values of `--kernels`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum KernelForm {
    #[default]
    Auto,
    Ptx,
}

impl KernelForm {
    const NAMES: [&str; 2] = ["auto", "ptx"];
}

impl FromStr for KernelForm {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "auto" => Ok(Self::Auto),
            "ptx" => Ok(Self::Ptx),
            _ => Err(Error::UnknownName { what: "form of kernels", name: name.into(), known: Self::NAMES.into() }),
        }
    }
}

impl GpuArguments {
    /// Returns the options for a process that uses the same GPU in the same way.
    pub fn options(self) -> Vec<String> {
        let gpu = self.gpu.map(|gpu| format!("--gpu={gpu}"));
        let kernels = (self.kernels == KernelForm::Ptx).then(|| "--kernels=ptx".to_owned());
        gpu.into_iter().chain(kernels).collect()
    }

    /// Makes this process open GPUs with the kernels of `--kernels`.
    pub fn choose_kernels(&self) {
        if self.kernels == KernelForm::Ptx {
            use_only_ptx(true);
        }
    }

    /// Returns true if GPU 0 is the only one that these options select.
    pub fn is_the_first(&self) -> bool {
        self.gpu.unwrap_or(0) == 0 && self.gpus.unwrap_or(1) == 1
    }

    /// Returns the name of the given option, or `None` if neither is given.
    fn given(&self) -> Option<&'static str> {
        self.gpu.map(|_| "--gpu").or(self.gpus.map(|_| "--gpus"))
    }

    /// Refuses both options, for a command that does not use them.
    pub fn refuse(&self, why: &str) -> Result<()> {
        self.given().map_or(Ok(()), |option| Err(UsageFault::Engine.error(format!("{option}: {why}"))))
    }

    /// Returns the kind of engine, or `None` if `auto` may choose it.
    fn kind(&self, name: EngineName) -> Option<EngineKind> {
        match name {
            EngineName::One(kind) => Some(kind),
            EngineName::Auto => self.given().map(|_| EngineKind::Gpu),
        }
    }

    /// Refuses an algorithm that the engine does not have, before any GPU is opened.
    pub fn check<P: Problem>(&self, name: EngineName, algorithm: Algorithm<P>) -> Result<()> {
        self.kind(name).map_or(Ok(()), |kind| algorithm.check_on(kind))
    }

    /// Opens the engine, or returns `None` if `auto` may choose it.
    pub fn open(&self, name: EngineName) -> Result<Option<Box<dyn Engine>>> {
        self.engine(name, |first| Ok(Box::new(Gpu::open(first)?)))
    }

    /// Like [`open`](Self::open), but a single GPU is only found, and opened when a job needs it.
    pub fn find(&self, name: EngineName) -> Result<Option<Box<dyn Engine>>> {
        self.engine(name, |first| Ok(Box::new(Gpu::when_needed(first)?)))
    }

    fn engine(
        &self,
        name: EngineName,
        one_gpu: impl FnOnce(usize) -> Result<Box<dyn Engine>>,
    ) -> Result<Option<Box<dyn Engine>>> {
        let count = self.gpus.unwrap_or(1);
        if count == 0 {
            return Err(UsageFault::Range.error("--gpus takes at least 1, not 0"));
        }
        let Some(kind) = self.kind(name) else { return Ok(None) };
        match kind {
            EngineKind::Gpu if count == 1 => one_gpu(self.gpu.unwrap_or(0)).map(Some),
            EngineKind::Gpu => Ok(Some(Box::new(Gpus::open(self.gpu.unwrap_or(0), count)?))),
            EngineKind::Simt if self.gpu.is_some() => {
                Err(UsageFault::Engine.error("--gpu: the engine simt has no GPUs to choose from; use --engine gpu"))
            }
            EngineKind::Simt => Ok(Some(Box::new(Simt::several(count)?))),
            _ => {
                self.refuse("the engine cpu has no GPUs; use --engine gpu or simt")?;
                Ok(Some(Box::new(Cpu::new())))
            }
        }
    }
}
