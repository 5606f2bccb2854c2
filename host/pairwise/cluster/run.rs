//! Starts the members of this process, each with an engine of its own, and collects their results.

use super::link::{CarryLink, HostMemory};
use super::member::{Member, Task, Work};
use super::members::Members;
use super::shares::Shares;
use crate::alignment::Run;
use crate::device::{Cpu, Device, Devices, EngineKind, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::pairwise::cuts::Cuts;
use crate::pairwise::problem::Pairwise;
use crate::text::Equality;
use crate::threads;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A member's engine, and the split of its time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stats {
    pub engine: EngineKind,
    pub timings: Timings,
}

/// The first member's result and statistics.
pub(crate) struct Outcome<R> {
    pub result: R,
    pub stats: Stats,
}

/// Computation of a member.
type Solve<'j, P, R> = &'j (dyn Fn(&Member<'_, P>) -> Result<R> + Sync);

impl Task<'_> {
    /// Computes the value of the whole table.
    pub fn value<P: Pairwise>(&self) -> Result<Outcome<u64>> {
        self.run::<P, _>(&|member| member.value())
    }

    /// Computes the runs of matches of an alignment with that value, in order.
    pub fn runs<P: Pairwise>(&self) -> Result<Outcome<Vec<Run>>> {
        self.run::<P, _>(&|member| member.runs())
    }

    /// Runs all members of this process, and returns the result of the first.
    fn run<P: Pairwise, R: Send>(&self, solve: Solve<'_, P, R>) -> Result<Outcome<R>> {
        match &self.cluster.members {
            Members::Linked(link, devices) => {
                guarded(&**link, || threads::run(|| self.member(&**link, devices, solve)))
            }
            Members::Here(devices) => {
                let links = HostMemory::between(devices.len());
                let results: Vec<Result<Outcome<R>>> = std::thread::scope(|scope| {
                    let threads: Vec<_> = links
                        .iter()
                        .zip(devices)
                        .map(|(link, devices)| {
                            let run = move || guarded(link, || threads::run(|| self.member(link, devices, solve)));
                            std::thread::Builder::new().spawn_scoped(scope, run).map_err(|error| {
                                link.fail(link.rank(), &format!("cannot start its thread: {error}"));
                                Error::Threads(error.to_string())
                            })
                        })
                        .collect();
                    let ended = |_| Error::Verification("a member's thread ended".into());
                    threads.into_iter().map(|thread| thread?.join().map_err(ended)?).collect()
                });
                let mut results = results.into_iter();
                let first = results.next();
                match results.find_map(Result::err) {
                    Some(error) => Err(error),
                    None => first.unwrap_or_else(|| Err(UsageFault::Empty.error("a cluster without members"))),
                }
            }
        }
    }

    /// Runs a member: opens its engine, agrees on shares with the others, and computes.
    fn member<P: Pairwise, R: Send>(
        &self,
        link: &dyn CarryLink,
        devices: &Devices,
        solve: Solve<'_, P, R>,
    ) -> Result<Outcome<R>> {
        let measuring = AtomicBool::new(false);
        let progress = |cells| {
            if !measuring.load(Ordering::Relaxed) {
                (self.progress)(cells);
            }
        };
        let strings = self.strings;
        let progress = &progress;
        let equality = Equality::exact();
        let mut open = Duration::ZERO;
        let (engine, cpu) = match devices {
            Devices::Cpu(cpu) => (P::member_on_cpu(cpu, strings, &equality, progress), cpu.clone()),
            Devices::Gpus(gpus) => {
                let gpus: Vec<_> = gpus.iter().map(|gpu| &**gpu).collect();
                if !gpus.iter().all(|gpu| gpu.is_open()) {
                    let started = Instant::now();
                    gpus.iter().try_for_each(|gpu| gpu.ensure_open())?;
                    open = started.elapsed();
                }
                // If this variable is set, the driver waits for a launch, which would wait for
                // carries.
                let streams = std::env::var_os("CUDA_LAUNCH_BLOCKING").is_none_or(|set| set == "0");
                (P::member_on_devices(&gpus, strings, streams, progress)?, Cpu::new())
            }
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => {
                let devices: Vec<_> = devices.iter().map(|device| &**device).collect();
                (P::member_on_devices(&devices, strings, false, progress)?, Cpu::new())
            }
        };
        let small = P::member_on_cpu(&cpu, strings, &equality, progress);
        let member = Member::<P> {
            task: self,
            link,
            kind: devices.kind(),
            engine: &*engine,
            small: &*small,
            cpu: &cpu,
            strings,
            shares: RefCell::new(Shares::given(&[])),
            computed: Cell::default(),
            channels: Cell::new(0),
            work: RefCell::default(),
        };
        let started = Instant::now();
        member.agree()?;
        let shares = match &self.cluster.shares {
            Some(shares) => Shares::given(shares),
            None => {
                measuring.store(true, Ordering::Relaxed);
                let times = member.times()?;
                measuring.store(false, Ordering::Relaxed);
                let columns = strings.map(<[u8]>::len).into_iter().min().unwrap_or(0).max(1);
                Shares::by_times(times, self.cluster.chunk.min(columns) as f64 / columns as f64)
            }
        };
        member.shares.replace(shares);
        let before = engine.timings();
        let begun = Instant::now();
        let result = solve(&member)?;
        let after = engine.timings();
        let took = begun.elapsed();
        let stats = Stats { engine: devices.kind(), timings: Timings { open, ..after - before } };
        member.log(&stats, took, begun - started);
        Ok(Outcome { result, stats })
    }
}

impl<P: Pairwise> Member<'_, P> {
    /// Logs the member's work, which took `took` after `agreeing`.
    fn log(&self, stats: &Stats, took: Duration, agreeing: Duration) {
        let Work { rows, cells, waited } = self.work.take();
        log::info!(
            "rank {} of {} ({}): {rows} rows, {cells} cells in {:.3} s: {:.1} GCUPS (kernels {:.3} s, upload {:.3} s, \
             download {:.3} s, waiting {:.3} s; {:.3} s before that to agree on shares: {:.3?})",
            self.link.rank(),
            self.link.size(),
            stats.engine,
            took.as_secs_f64(),
            cells as f64 / 1e9 / took.as_secs_f64().max(1e-9),
            stats.timings.kernels.as_secs_f64(),
            stats.timings.upload.as_secs_f64(),
            stats.timings.download.as_secs_f64(),
            waited.as_secs_f64(),
            agreeing.as_secs_f64(),
            self.parts_of_all(),
        );
    }
}

/// Runs a member. If it fails, the others are notified. The error names the first member that
/// failed.
fn guarded<R>(link: &dyn CarryLink, member: impl FnOnce() -> Result<R>) -> Result<R> {
    let outcome = catch_unwind(AssertUnwindSafe(member));
    let own = match outcome {
        Ok(Err(error)) => match error {
            Error::Member { .. } => error,
            other => Error::Member { rank: link.rank(), reason: other.to_string() },
        },
        Ok(done) => return done,
        Err(_) => Error::Member { rank: link.rank(), reason: "it panicked, which is a bug in carrywave".into() },
    };
    if let Error::Member { rank, reason } = &own {
        link.fail(*rank, reason);
    }
    Err(own)
}
