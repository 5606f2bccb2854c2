//! Properties and limits of this machine: `carrywave bench` and the benchmarks compare the times of
//! jobs with these limits.
//!
//! | file | what |
//! |---|---|
//! | this | a rate and its measured times |
//! | [`machine`] | the properties of the machine |
//! | [`cpu`] | the rates of the CPU: memory and computation |
//! | [`gpu`] | the rates of a GPU |
//! | [`ceilings`] | upper bounds for jobs, from these rates and counted instructions |
//! | [`calibration`] | the costs of jobs, which `auto` compares |
//! | [`inputs`] | random strings, and similar strings |
pub mod calibration;
pub mod ceilings;
pub mod cpu;
pub mod gpu;
pub mod inputs;
pub mod machine;

use crate::error::Result;
use std::time::Instant;

/// A measured rate, and its times.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Work per second, by the shortest time: a limit is the best possible rate, and other load on
    /// the machine only makes runs longer.
    pub per_second: f64,
    /// The time of each run, in seconds.
    pub seconds: Vec<f64>,
}

impl Measured {
    /// Runs `run` once to warm up, then times `runs` runs (at least one) that do `work` each.
    ///
    /// # Errors
    /// The errors of `run`.
    pub fn time_runs(work: f64, runs: usize, run: &mut dyn FnMut() -> Result<()>) -> Result<Self> {
        run()?;
        let mut seconds = Vec::new();
        for _ in 0..runs.max(1) {
            let started = Instant::now();
            run()?;
            // A lower bound, in case the clock does not advance during a run.
            seconds.push(started.elapsed().as_secs_f64().max(1e-9));
        }
        Ok(Self::by(work, seconds))
    }

    /// Computes the rate from the times of runs that do `work` each.
    fn by(work: f64, seconds: Vec<f64>) -> Self {
        let (_, least, _) = spread(&seconds);
        Self { per_second: work / least, seconds }
    }
}

/// Returns the median of some numbers, the upper one of two; 0 for none.
pub fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// Returns the median, the least and the greatest of some numbers.
pub fn spread(numbers: &[f64]) -> (f64, f64, f64) {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    (median(numbers), least, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_the_work_over_the_least_time() {
        assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[])), (2.0, 0.0));
        assert_eq!(spread(&[3.0, 1.0, 2.0]), (2.0, 1.0, 3.0));
        let mut calls = 0;
        let measured = Measured::time_runs(5.0, 3, &mut || {
            calls += 1;
            Ok(())
        });
        let measured = measured.unwrap();
        assert_eq!((calls, measured.seconds.len()), (4, 3));
        assert_eq!(measured.per_second, 5.0 / spread(&measured.seconds).1);
    }
}
