//! Cross-checks of every algorithm of every engine: what a user runs on a new GPU.
//!
//! The reference is plain dynamic programming on the CPU, which shares no code with the bit-vectors. Whole columns are
//! compared, forwards and backwards, subsequences are walked along both strings, and the ends of searches and best matches are
//! those of Sellers.
//!
//! Every algorithm takes a few fixed inputs. Then all share the time that is left, on random ones: next is always the one that has had
//! the least of it.

mod best;
mod device;
mod lcs;
mod search;

use crate::error::{Error, Result};
use crate::lcs::Engine;
use simt_launch::Simt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to check.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The engines.
    pub engines: Vec<Engine>,
    /// How long to go on, over all engines, which have equal shares. The fixed inputs are taken whatever it says.
    pub time: Duration,
    /// Where the random inputs start.
    pub seed: u64,
    /// Which GPU.
    pub gpu: usize,
}

/// What was found right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The engine.
    pub engine: Engine,
    /// What was checked.
    pub name: String,
    /// Inputs.
    pub cases: u64,
    /// Cells of tables.
    pub cells: u64,
}

/// Runs the checks.
///
/// # Errors
/// [`Error::Verification`] at the first difference, with the input that shows it; others when an engine fails.
pub fn verify(plan: &Plan) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let share = plan.time / plan.engines.len().max(1) as u32;
    for &engine in &plan.engines {
        let end = Instant::now() + share;
        let run = Run { engine, plan };
        let mut jobs = Vec::new();
        match engine {
            Engine::Auto | Engine::Cpu => {
                run.search_on_cpu(&mut jobs);
                run.best_on_cpu(&mut jobs);
            }
            Engine::Simt => run.on_device(&Arc::new(Simt::default()), &mut checks, &mut jobs)?,
            #[cfg(feature = "gpu")]
            Engine::Gpu => run.on_device(&crate::engine::gpu::shared(plan.gpu)?, &mut checks, &mut jobs)?,
            #[cfg(not(feature = "gpu"))]
            Engine::Gpu => return Err(Error::NoGpu("this build has no GPU engine (feature `gpu`)".into())),
        }
        run.lcs(&mut jobs);
        work_off(&mut jobs, end)?;
        for Job { name, cases, cells, .. } in jobs {
            checks.push(run.check(name, cases, cells));
        }
    }
    Ok(checks)
}

/// An algorithm to be checked.
struct Job<'r> {
    name: String,
    /// Inputs that are taken in any case.
    fixed: u64,
    /// Checks the input of this number, from 0; its cells.
    check: Box<dyn FnMut(u64) -> Result<u64> + 'r>,
    cases: u64,
    cells: u64,
    spent: Duration,
}

impl<'r> Job<'r> {
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

/// The fixed inputs of all, then others in turn until the time is over.
fn work_off(jobs: &mut [Job<'_>], end: Instant) -> Result<()> {
    for job in &mut *jobs {
        while job.cases < job.fixed {
            job.next()?;
        }
    }
    while Instant::now() < end
        && let Some(job) = jobs.iter_mut().min_by_key(|job| job.spent)
    {
        job.next()?;
    }
    Ok(())
}

struct Run<'p> {
    engine: Engine,
    plan: &'p Plan,
}

impl Run<'_> {
    fn check(&self, name: impl Into<String>, cases: u64, cells: u64) -> Check {
        Check { engine: self.engine, name: name.into(), cases, cells }
    }

    fn wrong(&self, what: String) -> Error {
        Error::Verification(format!("engine {}: {what}", self.engine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_shared_and_kept() {
        let job = |name: &str, milliseconds| {
            Job::new(name, 2, move |number| {
                std::thread::sleep(Duration::from_millis(milliseconds));
                Ok(number)
            })
        };
        let mut jobs = [job("slow", 20), job("fast", 1)];
        work_off(&mut jobs, Instant::now() + Duration::from_millis(400)).unwrap();
        assert!(jobs[1].cases > jobs[0].cases, "{} and {} cases", jobs[0].cases, jobs[1].cases);
        assert_eq!(jobs[1].cells, (0..jobs[1].cases).sum::<u64>());
        let mut jobs = [job("none", 1)];
        work_off(&mut jobs, Instant::now()).unwrap();
        assert_eq!(jobs[0].cases, 2);
        let mut jobs = [Job::new("wrong", 1, |_| Err(Error::Verification("on purpose".into())))];
        assert!(work_off(&mut jobs, Instant::now()).is_err());
    }
}
