//! Members that share a comparison: several engines of this process, or the ranks of `mpirun`.

use super::engine::{EngineArguments, EngineName, GpuArguments};
use crate::shared::help::PERFORMANCE;
use carrywave::cluster::Cluster;
use carrywave::device::{Cpu, Engine, EngineKind, Gpu, Gpus, Simt};
use carrywave::error::UsageFault;
use carrywave::{Error, Result};
use clap::Args;
use std::str::FromStr;

/// Options for comparisons that several members can share.
#[derive(Debug, Args)]
#[command(next_help_heading = PERFORMANCE)]
pub struct MemberArguments {
    /// Share the comparison among engines, such as gpu:0,gpu:1,cpu (also simt, and simt:BYTES with
    /// a size of memory). With --mpi, rank i uses engine i.
    #[arg(long, value_name = "ENGINES", value_delimiter = ',', hide_short_help = true)]
    members: Option<Vec<MemberName>>,

    /// Share of the rows for each member, separated by commas [default: by measured speed].
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', hide_short_help = true)]
    shares: Option<Vec<f64>>,

    /// Share the comparison among the ranks of mpirun, each with its --engine. Rank 0 prints.
    #[arg(long, hide = cfg!(not(feature = "mpi")))]
    mpi: bool,

    /// Seconds without a message until a rank counts as dead.
    #[cfg(feature = "mpi")]
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "mpi")]
    silence: f64,

    /// Columns per message, for tests.
    #[arg(long, value_name = "N", hide = true)]
    chunk: Option<usize>,

    /// Size in cells below which one member computes a whole part, for tests.
    #[arg(long, value_name = "N", hide = true)]
    whole: Option<u64>,
}

/// Values of `--members`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemberName {
    Cpu,
    /// GPU number, or `None` to assign the machine's GPUs in turn.
    Gpu(Option<usize>),
    /// Memory in bytes, or `None` for the default.
    Simt(Option<u64>),
}

impl FromStr for MemberName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let (kind, number) = name.split_once(':').map_or((name, None), |(kind, number)| (kind, Some(number.parse())));
        match (kind, number) {
            ("cpu", None) => Ok(Self::Cpu),
            ("gpu", None) => Ok(Self::Gpu(None)),
            ("gpu", Some(Ok(number))) => Ok(Self::Gpu(usize::try_from(number).ok())),
            ("simt", None) => Ok(Self::Simt(None)),
            ("simt", Some(Ok(bytes))) => Ok(Self::Simt(Some(bytes))),
            _ => Err(Error::UnknownName {
                what: "member",
                name: name.into(),
                known: vec!["cpu", "gpu", "gpu:N", "simt", "simt:BYTES"],
            }),
        }
    }
}

impl MemberName {
    /// Opens the engine for member `number` of this process, or for rank `number` of this host. A
    /// GPU is only found; the thread of its member opens it, at the same time as others do.
    fn open(self, number: usize, threads: Option<usize>) -> Result<Box<dyn Engine>> {
        Ok(match self {
            Self::Cpu => match threads {
                Some(threads) => Box::new(Cpu::with_threads(threads)?),
                None => Box::new(Cpu::new()),
            },
            Self::Gpu(Some(gpu)) => Box::new(Gpu::when_needed(gpu)?),
            Self::Gpu(None) => Box::new(Gpu::when_needed(number % Gpu::count()?)?),
            Self::Simt(None) => Box::new(Simt::new()),
            Self::Simt(Some(bytes)) => Box::new(Simt::with_memory(bytes)),
        })
    }
}

impl MemberArguments {
    /// Opens the members, or returns `None` if a single engine computes.
    pub fn open(
        &self,
        engine: &EngineArguments,
        gpus: GpuArguments,
        threads: Option<usize>,
    ) -> Result<Option<Cluster>> {
        if self.members.is_some() {
            gpus.refuse(
                "conflicts with --members, which names the GPUs itself (such as gpu:0,gpu:1); give one of both",
            )?;
        }
        #[cfg(feature = "mpi")]
        if self.mpi {
            return self.ranks(engine, gpus).map(Some);
        }
        #[cfg(not(feature = "mpi"))]
        if self.mpi {
            return Err(
                UsageFault::Engine.error("--mpi: this build has no MPI; build the program with `--features mpi`")
            );
        }
        let engines = match &self.members {
            Some(members) => {
                if engine.engine != EngineName::Auto {
                    return Err(
                        UsageFault::Combination.error("--members and --engine both choose the engine; give one")
                    );
                }
                let mut engines = Vec::new();
                for (number, member) in members.iter().enumerate() {
                    let of_its_kind = members[..number].iter().filter(|other| *other == member).count();
                    engines.push(member.open(of_its_kind, threads)?);
                }
                engines
            }
            None => match apart(engine, gpus)? {
                Some(engines) => engines,
                None => {
                    self.refuse("needs several members; add --members (or --mpi, in a build with that feature)")?;
                    return Ok(None);
                }
            },
        };
        let engines: Vec<&dyn Engine> = engines.iter().map(|engine| &**engine).collect();
        self.set(Cluster::new(&engines)?).map(Some)
    }

    /// Refuses the options, for comparisons by a single engine.
    pub fn refuse(&self, why: &str) -> Result<()> {
        match self.given() {
            Some(option) => Err(UsageFault::Combination.error(format!("{option}: {why}"))),
            None => Ok(()),
        }
    }

    /// Returns the first of these options that is given.
    pub fn given(&self) -> Option<&'static str> {
        let options = [("--members", self.members.is_some()), ("--shares", self.shares.is_some()), ("--mpi", self.mpi)];
        options.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    fn set(&self, mut cluster: Cluster) -> Result<Cluster> {
        if let Some(shares) = &self.shares {
            cluster = cluster.shares(shares)?;
        }
        if let Some(chunk) = self.chunk {
            cluster = cluster.chunk(chunk);
        }
        if let Some(whole) = self.whole {
            cluster = cluster.whole(whole);
        }
        Ok(cluster)
    }

    /// Opens this process as a rank.
    #[cfg(feature = "mpi")]
    fn ranks(&self, engine: &EngineArguments, gpus: GpuArguments) -> Result<Cluster> {
        use carrywave::cluster::{CarryLink, Mpi};
        use std::sync::Arc;
        use std::time::Duration;

        let silence = Duration::try_from_secs_f64(self.silence).unwrap_or_default();
        if silence < Duration::from_millis(100) {
            return Err(
                UsageFault::Range.error(format!("--silence must be at least 0.1 seconds, not {}", self.silence))
            );
        }
        let mpi = Arc::new(Mpi::start(silence)?);
        let rank = mpi.rank();
        let size = mpi.size();
        let opened = match &self.members {
            Some(members) if members.len() != size => Err(UsageFault::Mismatch
                .error(format!("--members lists {} engines for {size} ranks; list one per rank", members.len()))),
            Some(members) => members[rank].open(local_rank(), None),
            None if gpus.gpus.is_some() || gpus.gpu.is_some() => {
                let own = gpus.open(engine.engine)?;
                Ok(own.unwrap_or_else(|| Box::new(Cpu::new())))
            }
            None => match engine.engine {
                EngineName::Auto if Gpu::count().is_ok() => MemberName::Gpu(None).open(local_rank(), None),
                EngineName::Auto | EngineName::One(EngineKind::Cpu) => MemberName::Cpu.open(0, None),
                EngineName::One(EngineKind::Simt) => MemberName::Simt(None).open(0, None),
                EngineName::One(_) => MemberName::Gpu(None).open(local_rank(), None),
            },
        };
        // If one rank fails to start, the others must not wait for it.
        let cluster = opened.and_then(|engine| self.set(Cluster::linked(mpi.clone(), &*engine)?));
        cluster.map_err(|error| {
            mpi.fail(rank, &error.to_string());
            Error::Member { rank, reason: error.to_string() }
        })
    }
}

/// Finds the GPUs of `--gpus` as separate engines, if they cannot access one another's memory.
fn apart(engine: &EngineArguments, gpus: GpuArguments) -> Result<Option<Vec<Box<dyn Engine>>>> {
    let first = gpus.gpu.unwrap_or(0);
    let count = gpus.gpus.unwrap_or(1);
    let are_asked_for = matches!(engine.engine, EngineName::Auto | EngineName::One(EngineKind::Gpu)) && count > 1;
    if !are_asked_for || Gpus::reach_one_another(first, count)? {
        return Ok(None);
    }
    log::info!("these GPUs cannot access each other's memory, so carries go through host memory");
    let find = |gpu| Ok(Box::new(Gpu::when_needed(gpu)?) as Box<dyn Engine>);
    (first..first + count).map(find).collect::<Result<_>>().map(Some)
}

/// Returns the index of this rank on its host, from the launcher's environment variables.
#[cfg(feature = "mpi")]
fn local_rank() -> usize {
    let names = ["OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"];
    names.iter().find_map(|name| std::env::var(name).ok()?.parse().ok()).unwrap_or(0)
}
