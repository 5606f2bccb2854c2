//! Where a job runs: the engine, how large the job is there, and how it is timed.

use super::limits::Limits;
use carrywave::Result;
use carrywave::device::{Engine, EngineKind};
use std::time::{Duration, Instant};

/// Seconds from which on a job is timed once.
const LONG: f64 = 3.0;

/// An engine, and how jobs are timed on it.
pub struct Site<'s> {
    pub engine: &'s dyn Engine,
    pub kind: EngineKind,
    /// How much faster it should be than what sizes were chosen for: one thread with AVX-512, or an H200.
    pub speed: f64,
    pub quick: bool,
    pub runs: usize,
    pub limits: &'s Limits,
}

/// The times of a job.
#[derive(Debug)]
pub struct Times {
    /// Of whole calls.
    pub seconds: Vec<f64>,
    /// Of what a GPU did in them, if the library tells.
    pub device: Option<Vec<f64>>,
    /// What the runs found: a length, a distance, a number of hits.
    pub answers: Vec<u64>,
}

/// What a run found, and the time of a GPU in it.
pub struct Ran {
    pub answer: u64,
    pub device: Option<Duration>,
}

impl Site<'_> {
    /// Whether the engine has kernels.
    pub fn is_device(&self) -> bool {
        self.kind != EngineKind::Cpu
    }

    /// A number by engine: for the CPU, for a GPU, for the quick run, and for the quick run on the simulator.
    pub fn pick<T>(&self, cpu: T, gpu: T, quick: T, simulated: T) -> T {
        match (self.quick, self.kind) {
            (false, EngineKind::Cpu) => cpu,
            (false, _) => gpu,
            (true, EngineKind::Simt) => simulated,
            (true, _) => quick,
        }
    }

    /// Symbols of two strings of equal length with so many cells at the speed that sizes are for, to two digits; fewer for the quick run.
    pub fn side(&self, cpu_cells: f64, gpu_cells: f64) -> usize {
        rounded(self.pick((cpu_cells * self.speed).sqrt(), (gpu_cells * self.speed).sqrt(), 2000.0, 300.0))
    }

    /// Times a job: a run that is not counted, in which kernels are compiled, then as many as were asked for; one of a long job, and of the
    /// quick run only one in all.
    pub fn time(&self, job: &mut dyn FnMut() -> Result<Ran>) -> Result<Times> {
        let mut times = Times { seconds: Vec::new(), device: Some(Vec::new()), answers: Vec::new() };
        let first = times.run(job)?;
        if self.quick {
            return Ok(times);
        }
        times.seconds = Vec::new();
        times.device = Some(Vec::new());
        for _ in 0..if first > LONG { 1 } else { self.runs } {
            times.run(job)?;
        }
        Ok(times)
    }
}

impl Times {
    /// One more run; gives its seconds.
    fn run(&mut self, job: &mut dyn FnMut() -> Result<Ran>) -> Result<f64> {
        let started = Instant::now();
        let Ran { answer, device } = job()?;
        let seconds = started.elapsed().as_secs_f64().max(1e-9);
        self.seconds.push(seconds);
        self.answers.push(answer);
        match (&mut self.device, device.filter(|time| !time.is_zero())) {
            (Some(all), Some(time)) => all.push(time.as_secs_f64()),
            // Nothing that ran was the device's.
            (all, _) => *all = None,
        }
        Ok(seconds)
    }

    /// What the runs found, the last of them.
    pub fn answer(&self) -> u64 {
        self.answers.last().copied().unwrap_or(0)
    }

    /// What is wrong if two runs found something else.
    pub fn faults(&self) -> Vec<String> {
        let answer = self.answer();
        let other = self.answers.iter().find(|&&other| other != answer);
        other.map(|other| format!("one run gives {other}, another {answer}")).into_iter().collect()
    }
}

/// What is wrong where an answer is not the expected one.
pub fn differing<T: PartialEq + std::fmt::Display>(what: &str, found: T, expected: T) -> Option<String> {
    (found != expected).then(|| format!("{what}: {found}, not {expected}"))
}

/// To two digits, and at least 1.
pub fn rounded(number: f64) -> usize {
    let unit = 10f64.powf(number.max(1.0).log10().floor() - 1.0).max(1.0);
    ((number / unit).round() * unit).max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_two_digits() {
        let all = [0.3, 1.2, 57.4, 123.0, 98_765.0, 1.0e7 / 3.0].map(rounded);
        assert_eq!(all, [1, 1, 57, 120, 99_000, 3_300_000]);
    }

    #[test]
    fn runs_that_differ_are_told() {
        let times = |answers: &[u64]| Times { seconds: vec![], device: None, answers: answers.to_vec() };
        assert!(times(&[4, 4, 4]).faults().is_empty() && times(&[]).faults().is_empty());
        assert_eq!(times(&[4, 5, 5]).faults(), ["one run gives 4, another 5"]);
        assert_eq!(differing("of dp", 1, 2).as_deref(), Some("of dp: 1, not 2"));
    }
}
