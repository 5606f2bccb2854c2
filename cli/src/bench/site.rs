//! The environment of a job: the engine, the input sizes for it, and the timing.

use super::limits::Limits;
use carrywave::Result;
use carrywave::device::{Engine, EngineKind};
use carrywave::job::{Recorder, Report};
use std::time::Instant;

/// Time in seconds above which a job is timed once only.
const LONG: f64 = 3.0;

/// An engine, and the parameters of timing jobs on it.
pub struct Site<'s> {
    pub engine: &'s dyn Engine,
    pub kind: EngineKind,
    /// Expected speed relative to the engine that input sizes are chosen for: one thread with
    /// AVX-512, or an H200.
    pub speed: f64,
    pub quick: bool,
    pub runs: usize,
    pub limits: &'s Limits,
    /// Options for processes that use the same engine.
    pub options: Vec<String>,
}

/// Times, answers and reports of a job's runs.
#[derive(Debug)]
pub struct Times {
    /// Time of each whole call, in seconds.
    pub seconds: Vec<f64>,
    /// GPU time of each call in seconds, or `None` if the library does not report it.
    pub device: Option<Vec<f64>>,
    /// Answer of each run: a length, a distance or a number of hits.
    pub answers: Vec<u64>,
    /// Report of each run that has one.
    pub reports: Vec<Report>,
}

impl Site<'_> {
    /// Returns true if the engine has kernels.
    pub fn is_device(&self) -> bool {
        self.kind != EngineKind::Cpu
    }

    /// Returns the value for this site: `cpu` or `gpu` by engine, or in a quick run `quick` or, on
    /// the simulator, `simulated`.
    pub fn pick<T>(&self, cpu: T, gpu: T, quick: T, simulated: T) -> T {
        match (self.quick, self.kind) {
            (false, EngineKind::Cpu) => cpu,
            (false, _) => gpu,
            (true, EngineKind::Simt) => simulated,
            (true, _) => quick,
        }
    }

    /// Returns the length of two equally long strings whose table has the given number of cells,
    /// scaled by the engine's speed and rounded to two digits. A quick run gets shorter strings.
    pub fn side(&self, cpu_cells: f64, gpu_cells: f64) -> usize {
        rounded(self.pick((cpu_cells * self.speed).sqrt(), (gpu_cells * self.speed).sqrt(), 2000.0, 300.0))
    }

    /// Calls a function that returns its time in seconds, and takes whether the call counts. The
    /// first call does not count. The requested number of calls follows, or one call if the first
    /// was long. A quick run only has the first call, which counts.
    pub fn repeat(&self, mut once: impl FnMut(bool) -> Result<f64>) -> Result<()> {
        let first = once(self.quick)?;
        let counted = if self.quick {
            0
        } else if first > LONG {
            1
        } else {
            self.runs
        };
        (0..counted).try_for_each(|_| once(true).map(drop))
    }

    /// Times a job, which reports to the recorder, as [`repeat`](Self::repeat). The first run
    /// compiles the kernels.
    pub fn time(&self, recorder: &Recorder, job: &mut dyn FnMut() -> Result<u64>) -> Result<Times> {
        let mut times = Times::new();
        self.repeat(|counts| times.run(recorder, job, counts))?;
        Ok(times)
    }
}

impl Times {
    fn new() -> Self {
        Self { seconds: Vec::new(), device: Some(Vec::new()), answers: Vec::new(), reports: Vec::new() }
    }

    /// Runs the job once more and returns its time in seconds. If the run does not count, only its
    /// answer is kept.
    fn run(&mut self, recorder: &Recorder, job: &mut dyn FnMut() -> Result<u64>, counts: bool) -> Result<f64> {
        let started = Instant::now();
        let answer = job()?;
        let seconds = started.elapsed().as_secs_f64().max(1e-9);
        self.answers.push(answer);
        let report = recorder.take();
        if !counts {
            return Ok(seconds);
        }
        self.seconds.push(seconds);
        let kernels = report.as_ref().map(|report| report.kernels).filter(|time| !time.is_zero());
        match (&mut self.device, kernels) {
            (Some(all), Some(time)) => all.push(time.as_secs_f64()),
            // A run without GPU time makes the GPU times of the job unknown.
            (all, _) => *all = None,
        }
        self.reports.extend(report);
        Ok(seconds)
    }

    /// Returns the last report.
    pub fn report(&self) -> Option<&Report> {
        self.reports.last()
    }

    /// Returns the answer of the last run.
    pub fn answer(&self) -> u64 {
        self.answers.last().copied().unwrap_or(0)
    }

    /// Returns an error message if two runs gave different answers.
    pub fn faults(&self) -> Vec<String> {
        let answer = self.answer();
        let other = self.answers.iter().find(|&&other| other != answer);
        other.map(|other| format!("two runs disagree: {other} and {answer}")).into_iter().collect()
    }
}

/// Returns an error message if an answer is not the expected one.
pub fn mismatch<T: PartialEq + std::fmt::Display>(what: &str, found: T, expected: T) -> Option<String> {
    (found != expected).then(|| format!("{what}: got {found}, expected {expected}"))
}

/// Rounds a number to two digits; the result is at least 1.
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
        let times = |answers: &[u64]| Times { device: None, answers: answers.to_vec(), ..Times::new() };
        assert!(times(&[4, 4, 4]).faults().is_empty() && times(&[]).faults().is_empty());
        assert_eq!(times(&[4, 5, 5]).faults(), ["two runs disagree: 4 and 5"]);
        assert_eq!(mismatch("of dp", 1, 2).as_deref(), Some("of dp: got 1, expected 2"));
    }
}
