//! Cross-checks of every algorithm of every engine: for users to run on a new GPU.
//!
//! The reference is the recurrence of each problem, row by row, which shares no code with any
//! algorithm. Whole columns are compared, forwards and backwards. Alignments are checked along both
//! strings, distances of many pairs against single tables, and the ends of searches and best
//! matches against Sellers' table.
//!
//! Every algorithm runs a few fixed inputs on all engines. Then the engines get equal shares of the
//! remaining time, and all algorithms of an engine share the engine's time for random inputs: the
//! algorithm that has used the least time is next.

mod best;
mod device;
mod distance;
mod items;
mod lcs;
mod oracle;
mod overlap;
mod pairs;
mod search;

#[cfg(feature = "simt")]
use crate::device::Simt;
use crate::device::{Cpu, Device, Devices, Engine, EngineKind, Gpu};
use crate::error::{Error, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Options of [`verify()`]. See the [example](verify()).
#[derive(Debug, Clone)]
#[must_use]
pub struct Options {
    time: Duration,
    seed: u64,
    #[cfg_attr(not(feature = "simt"), allow(dead_code, reason = "the simulator alone has schedules"))]
    schedules: u64,
}

impl Options {
    /// Sets the time of all checks. The fixed inputs always run, and random inputs fill the
    /// remaining time. The default is ten seconds. See the [example](verify()).
    pub fn time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// Sets the seed of the random inputs. The default is 1. See the [example](verify()).
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the number of random schedules of the simulator. With 0, blocks and warps take turns in
    /// order; otherwise columns, searches and best matches are checked with this many random
    /// schedules, and a difference or a fault names the schedule. The default is 0. See the
    /// [example](verify()).
    pub fn schedules(self, schedules: u64) -> Self {
        Self { schedules, ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), seed: 1, schedules: 0 }
    }
}

/// Returns the available engines: the CPU, the simulator with the feature `simt`, and GPU 0 if
/// there is one. See the [example](verify()).
pub fn present() -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> = vec![
        Box::new(Cpu::new()),
        #[cfg(feature = "simt")]
        Box::new(Simt::new()),
    ];
    if let Ok(gpu) = Gpu::open(0) {
        engines.push(Box::new(gpu));
    }
    engines
}

/// The result of a check that passed. See the [example](verify()).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Check {
    /// The engine.
    pub engine: EngineKind,
    /// The name of the check.
    pub name: String,
    /// Number of inputs.
    pub cases: u64,
    /// Number of cells of all tables.
    pub cells: u64,
}

/// Runs the checks.
///
/// ```no_run
/// use carrywave::verify::{Options, present, verify};
/// use std::time::Duration;
///
/// let options = Options::default().time(Duration::from_secs(60)).seed(7).schedules(0);
/// for check in verify(&present(), &options)? {
///     println!("{} {}: {} inputs, {} cells", check.engine, check.name, check.cases, check.cells);
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// [`Error::Verification`] at the first difference, with the input that shows it; other errors if
/// an engine fails.
pub fn verify(engines: &[Box<dyn Engine>], options: &Options) -> Result<Vec<Check>> {
    let end = Instant::now() + options.time;
    // Each run with its part of an engine's share of the time.
    let mut runs: Vec<(Devices, Option<u64>, f64)> = Vec::new();
    for engine in engines {
        match engine.kind() {
            #[cfg(feature = "simt")]
            EngineKind::Simt if options.schedules > 0 => {
                let orders = options.schedules;
                let run = |seed| (Devices::from_engine(&Simt::with_schedule(seed)), Some(seed), 1.0 / orders as f64);
                runs.extend((0..orders).map(run));
            }
            _ => runs.push((Devices::from_engine(&**engine), None, 1.0)),
        }
    }
    let checkers: Vec<Checker<'_>> =
        runs.iter().map(|(engine, schedule, _)| Checker { engine, options, schedule: *schedule }).collect();
    let (mut checks, mut all) = (Vec::new(), Vec::new());
    for checker in &checkers {
        let mut jobs = Vec::new();
        checker.prepare(&mut checks, &mut jobs)?;
        fixed(&mut jobs)?;
        all.push(jobs);
    }
    let mut shares: f64 = runs.iter().map(|(_, _, share)| share).sum();
    for ((checker, mut jobs), (_, _, share)) in checkers.iter().zip(all).zip(&runs) {
        random(&mut jobs, part_of(Instant::now(), end, share / shares))?;
        shares -= share;
        checks.extend(jobs.into_iter().map(|CheckJob { name, cases, cells, .. }| checker.check(name, cases, cells)));
    }
    let mut sums: Vec<Check> = Vec::new();
    for check in checks {
        match sums.iter_mut().find(|known| known.engine == check.engine && known.name == check.name) {
            Some(known) => (known.cases, known.cells) = (known.cases + check.cases, known.cells + check.cells),
            None => sums.push(check),
        }
    }
    // Sorted by engine, because checks that run once come first in the list.
    let place = |check: &Check| engines.iter().position(|engine| engine.kind() == check.engine);
    sums.sort_by_key(place);
    Ok(sums)
}

/// Returns the end of a part of the time that remains until `end`; `now` if none remains.
fn part_of(now: Instant, end: Instant, part: f64) -> Instant {
    now + end.saturating_duration_since(now).mul_f64(part.clamp(0.0, 1.0))
}

/// An algorithm to check.
struct CheckJob<'r> {
    name: String,
    /// Number of inputs that always run.
    fixed: u64,
    /// Checks the input with this number, from 0. Returns its number of cells.
    check: Box<dyn FnMut(u64) -> Result<u64> + 'r>,
    cases: u64,
    cells: u64,
    spent: Duration,
}

impl<'r> CheckJob<'r> {
    fn new(name: impl Into<String>, fixed: u64, check: impl FnMut(u64) -> Result<u64> + 'r) -> Self {
        Self { name: name.into(), fixed, check: Box::new(check), cases: 0, cells: 0, spent: Duration::ZERO }
    }

    fn next(&mut self) -> Result<()> {
        let started = Instant::now();
        self.cells += (self.check)(self.cases)?;
        self.cases += 1;
        self.spent += started.elapsed();
        Ok(())
    }
}

/// Runs the fixed inputs of all jobs.
fn fixed(jobs: &mut [CheckJob<'_>]) -> Result<()> {
    for job in jobs {
        while job.cases < job.fixed {
            job.next()?;
        }
    }
    Ok(())
}

/// Runs further inputs until the time is over, each for the job that has used the least time.
fn random(jobs: &mut [CheckJob<'_>], end: Instant) -> Result<()> {
    while Instant::now() < end
        && let Some(job) = jobs.iter_mut().min_by_key(|job| job.spent)
    {
        job.next()?;
    }
    Ok(())
}

struct Checker<'p> {
    engine: &'p Devices,
    options: &'p Options,
    /// The seed of the simulator's schedule.
    schedule: Option<u64>,
}

impl Checker<'_> {
    /// Prepares all checks of the engine: those that run once are run at once, the others become
    /// jobs.
    fn prepare<'r>(&'r self, checks: &mut Vec<Check>, jobs: &mut Vec<CheckJob<'r>>) -> Result<()> {
        match self.engine {
            Devices::Cpu(_) => {
                self.search_on_cpu(crate::search::cpu::ALGORITHMS, jobs);
                self.best_on_cpu(crate::best::cpu::ALGORITHMS, jobs);
                self.lcs_on_cpu(crate::lcs::cpu::ALGORITHMS, jobs);
                self.distance_on_cpu(crate::distance::cpu::ALGORITHMS, jobs);
                self.rotations_on_cpu(jobs);
            }
            Devices::Gpus(gpus) => self.on_devices(gpus, checks, jobs)?,
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => self.on_devices(devices, checks, jobs)?,
        }
        self.overlaps_on_engine(jobs);
        self.items_on_engine(jobs);
        self.pairs_on_engine(jobs);
        Ok(())
    }

    fn on_devices<'r, D: Device>(
        &'r self,
        devices: &'r [Arc<D>],
        checks: &mut Vec<Check>,
        jobs: &mut Vec<CheckJob<'r>>,
    ) -> Result<()> {
        for device in devices {
            self.on_device(&**device, checks)?;
        }
        self.search_on(devices, jobs);
        self.best_on(devices, jobs);
        self.lcs_on(devices, jobs);
        self.distance_on(devices, jobs);
        Ok(())
    }

    fn check(&self, name: impl Into<String>, cases: u64, cells: u64) -> Check {
        Check { engine: self.engine.kind(), name: name.into(), cases, cells }
    }

    fn wrong(&self, what: String) -> Error {
        let schedule = self.schedule.map(|seed| format!(", schedule {seed}")).unwrap_or_default();
        Error::Verification(format!("engine {}{schedule}: {what}", self.engine.kind()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seed of [`caught`].
    pub(super) const SEED: u64 = 5;

    /// Returns the message of the checks that a wrong algorithm is put into.
    #[track_caller]
    pub(super) fn caught(put: impl for<'r> FnOnce(&'r Checker<'_>, &mut Vec<CheckJob<'r>>)) -> String {
        let (devices, options) = (Devices::from_engine(&Cpu::new()), Options { seed: SEED, ..Options::default() });
        let run = Checker { engine: &devices, options: &options, schedule: None };
        let mut jobs = Vec::new();
        put(&run, &mut jobs);
        let found = fixed(&mut jobs).and_then(|()| random(&mut jobs, Instant::now() + Duration::from_secs(60)));
        match found {
            Err(Error::Verification(what)) => what,
            other => panic!("a wrong algorithm was not found out: {other:?}"),
        }
    }

    #[test]
    fn the_time_is_shared_and_kept() {
        let job = |name: &str, milliseconds| {
            CheckJob::new(name, 2, move |number| {
                std::thread::sleep(Duration::from_millis(milliseconds));
                Ok(number)
            })
        };
        let mut jobs = [job("slow", 20), job("fast", 1)];
        fixed(&mut jobs).unwrap();
        assert!(jobs.iter().all(|job| job.cases == 2));
        random(&mut jobs, Instant::now() + Duration::from_millis(400)).unwrap();
        assert!(jobs[1].cases > jobs[0].cases, "{} and {} cases", jobs[0].cases, jobs[1].cases);
        assert_eq!(jobs[1].cells, (0..jobs[1].cases).sum::<u64>());
        let mut jobs = [job("none", 1)];
        random(&mut jobs, Instant::now()).unwrap();
        assert_eq!(jobs[0].cases, 0);
        let mut jobs = [CheckJob::new("wrong", 1, |_| Err(Error::Verification("on purpose".into())))];
        assert!(fixed(&mut jobs).is_err());
    }

    #[test]
    fn all_engines_together_take_the_time_that_is_said() {
        let start = Instant::now();
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        // Three engines; the first has used 4 of 10 seconds for its fixed inputs: 2 seconds remain
        // for each.
        let mut now = at(4.0);
        for (left, expected) in [(3.0, 6.0), (2.0, 8.0), (1.0, 10.0)] {
            now = part_of(now, at(10.0), 1.0 / left);
            let (now, expected) = (now - start, Duration::from_secs_f64(expected));
            assert!(now.abs_diff(expected) < Duration::from_millis(1), "{left}");
        }
        // No time remains.
        assert_eq!(part_of(at(11.0), at(10.0), 0.5), at(11.0));
    }
}
