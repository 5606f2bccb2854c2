//! Which engine computes, as the options say.

use carrywave::algorithm::{Algorithm, Problem};
use carrywave::device::{Cpu, Engine, EngineKind, Gpus, Simt};
use carrywave::error::UsageFault;
use carrywave::{Error, Result};
use clap::Args;
use std::fmt;
use std::str::FromStr;

/// The option of commands that compute.
#[derive(Debug, Args)]
pub struct EngineArguments {
    /// What computes: auto, cpu, gpu or simt (the GPU's kernels on a simulator, each memory access checked).
    #[arg(long, default_value = "auto")]
    pub engine: EngineName,
}

/// What `--engine` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineName {
    Auto,
    One(EngineKind),
}

impl FromStr for EngineName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let kinds = [EngineKind::Cpu, EngineKind::Gpu, EngineKind::Simt];
        match kinds.into_iter().find(|kind| kind.name() == name) {
            Some(kind) => Ok(Self::One(kind)),
            None if name == "auto" => Ok(Self::Auto),
            None => Err(Error::UnknownName {
                what: "engine",
                name: name.into(),
                known: std::iter::once("auto").chain(kinds.map(EngineKind::name)).collect(),
            }),
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

/// Which GPUs, and how many: options of every command.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct GpuArguments {
    /// Which GPU, by its number in `carrywave devices` [default: 0].
    #[arg(long, global = true, value_name = "N")]
    pub gpu: Option<usize>,

    /// How many GPUs, from that one on [default: 1].
    #[arg(long, global = true, value_name = "N")]
    pub gpus: Option<usize>,
}

impl GpuArguments {
    /// The option that was given, if any.
    fn given(&self) -> Option<&'static str> {
        self.gpu.map(|_| "--gpu").or(self.gpus.map(|_| "--gpus"))
    }

    /// Refuses the options, for a command that has no use for them.
    pub fn refuse(&self, why: &str) -> Result<()> {
        self.given().map_or(Ok(()), |option| Err(UsageFault::Engine.error(format!("{option}: {why}"))))
    }

    /// The engine of a name; none for `auto` without GPUs.
    fn kind(&self, name: EngineName) -> Option<EngineKind> {
        match name {
            EngineName::One(kind) => Some(kind),
            EngineName::Auto => self.given().map(|_| EngineKind::Gpu),
        }
    }

    /// Refuses an algorithm that the engine does not have: before GPUs are opened, which there may not be.
    pub fn check<P: Problem>(&self, name: EngineName, algorithm: Algorithm<P>) -> Result<()> {
        self.kind(name).map_or(Ok(()), |kind| algorithm.check_on(kind))
    }

    /// Opens the engine of a name; none for `auto` without GPUs.
    pub fn open(&self, name: EngineName) -> Result<Option<Box<dyn Engine>>> {
        let count = self.gpus.unwrap_or(1);
        if count == 0 {
            return Err(UsageFault::Range.error("--gpus takes at least 1, not 0"));
        }
        let Some(kind) = self.kind(name) else { return Ok(None) };
        match kind {
            EngineKind::Gpu => Ok(Some(Box::new(Gpus::open(self.gpu.unwrap_or(0), count)?))),
            EngineKind::Simt if self.gpu.is_some() => {
                Err(UsageFault::Engine.error("--gpu: the engine simt has no GPUs to choose from; take --engine gpu"))
            }
            EngineKind::Simt => Ok(Some(Box::new(Simt::several(count)?))),
            _ => {
                self.refuse("the engine cpu has no GPUs; take --engine gpu, or simt")?;
                Ok(Some(Box::new(Cpu::new())))
            }
        }
    }
}

/// The names of a problem's algorithms by engine, for help.
pub fn algorithms_help<P: Problem>() -> String {
    let names = |kind| Algorithm::<P>::all_on(kind).map(Algorithm::name).collect::<Vec<_>>().join(", ");
    format!("How: auto; cpu: {}; gpu and simt: {}", names(EngineKind::Cpu), names(EngineKind::Gpu))
}

/// What follows the options in the long help: the text of the short one, and the algorithms.
pub fn long_help<P: Problem>(text: &str) -> String {
    let mut text = format!("{text}\n\nAlgorithms:\n");
    for (engines, kind) in [("cpu", EngineKind::Cpu), ("gpu, simt", EngineKind::Gpu)] {
        for about in P::algorithms(kind) {
            text += &format!("  {engines:<10} {:<22} {}\n{:36}{}\n", about.name, about.summary, "", about.source);
        }
    }
    text.trim_end().to_owned()
}
