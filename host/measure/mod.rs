//! What this machine is, and how fast it can be: the limits that times of jobs are held against, by `carrywave bench` and by the benchmarks.
//!
//! | file | what |
//! |---|---|
//! | this | a rate and the times that it was measured by |
//! | [`machine`] | what the machine is |
//! | [`cpu`] | how fast the processor reads memory and computes |
//! | [`gpu`] | how fast a GPU does |
//! | [`ceilings`] | how fast a job could be by such a rate: instructions that were counted |
//! | [`inputs`] | random strings, and ones that are similar |
pub mod ceilings;
pub mod cpu;
pub mod gpu;
pub mod inputs;
pub mod machine;

use crate::error::Result;
use std::time::Instant;

/// How much of something there is in a second at most, and the times that this was found by.
#[derive(Debug, Clone)]
pub struct Measured {
    /// By the least of the times: a limit is what is possible, and whatever else the machine does only makes a run longer.
    pub per_second: f64,
    /// Of each run.
    pub seconds: Vec<f64>,
}

impl Measured {
    /// Times so many runs, at least one, each of which does so much; and one before them that is not counted.
    ///
    /// # Errors
    /// Those of a run.
    pub fn of(work: f64, runs: usize, run: &mut dyn FnMut() -> Result<()>) -> Result<Self> {
        run()?;
        let mut seconds = Vec::new();
        for _ in 0..runs.max(1) {
            let started = Instant::now();
            run()?;
            // No clock is so fine that a run takes no time; one that stands still gives no rate.
            seconds.push(started.elapsed().as_secs_f64().max(1e-9));
        }
        Ok(Self::by(work, seconds))
    }

    /// By the times of runs that each do so much.
    fn by(work: f64, seconds: Vec<f64>) -> Self {
        let (_, least, _) = spread(&seconds);
        Self { per_second: work / least, seconds }
    }
}

/// The median of some numbers, the upper one of two; 0 of none.
pub fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The median, the least and the greatest of some numbers.
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
        let measured = Measured::of(5.0, 3, &mut || {
            calls += 1;
            Ok(())
        });
        let measured = measured.unwrap();
        assert_eq!((calls, measured.seconds.len()), (4, 3));
        assert_eq!(measured.per_second, 5.0 / spread(&measured.seconds).1);
    }
}
