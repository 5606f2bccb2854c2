//! Progress callbacks and reports, for all jobs.
//!
//! ```
//! use carrywave::distance::Comparison;
//! use carrywave::job::Recorder;
//!
//! let recorder = Recorder::new();
//! let distance = Comparison::new().recorder(&recorder).distance(b"kitten", b"sitting")?;
//! let report = recorder.report().expect("a job has run");
//! println!("{distance}: {report}");
//! # assert_eq!(report.done, 42);
//! # Ok::<(), carrywave::Error>(())
//! ```

use crate::device::{EngineKind, Timings};
use serde::Serialize;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A progress callback: it is called from any thread, with the amount of work done since its last
/// call. Comparisons of strings count cells of their tables, searches count symbols of the text,
/// and a diff counts units of both texts. See the [example](crate::job).
pub type Progress<'p> = &'p (dyn Fn(u64) + Sync);

/// An algorithm that ran, and the engine that it ran on. See the [example](crate::job).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct Ran {
    /// The engine.
    pub engine: EngineKind,
    /// The algorithm's name, as in the problem's [table](crate::algorithm).
    pub algorithm: &'static str,
}

/// The algorithms that ran, and the time of each part (as in Kawanami and Fujimoto's table 1). See
/// the [example](crate::job).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The algorithms that computed a part of the result, each once, in order of first use.
    pub ran: Vec<Ran>,
    /// Amount of work done, in the unit of the job's [`Progress`].
    pub done: u64,
    /// The part of `done` that kernels did.
    pub done_by_kernels: u64,
    /// Time from the input in memory to the result in memory.
    pub total: Duration,
    /// Time within `total` that the job waited for a GPU to open.
    pub open: Duration,
    /// Time within `total` that kernels ran; kernels that ran at once count once.
    pub kernels: Duration,
    /// Time within `total` that inputs for a device were prepared and copied to it.
    pub upload: Duration,
    /// Time within `total` that results were copied from a device.
    pub download: Duration,
}

impl Report {
    /// Creates the report of algorithms that took no time.
    pub(crate) fn untimed(ran: impl IntoIterator<Item = Ran>) -> Self {
        let zero = Duration::ZERO;
        let mut report = Self {
            ran: Vec::new(),
            done: 0,
            done_by_kernels: 0,
            total: zero,
            open: zero,
            kernels: zero,
            upload: zero,
            download: zero,
        };
        report.add_ran(ran);
        report
    }

    /// Creates the report of a job that began at `started`.
    pub(crate) fn since(started: Instant, ran: impl IntoIterator<Item = Ran>, done: u64, timings: Timings) -> Self {
        Self { done, total: started.elapsed(), ..Self::untimed(ran).timed(timings) }
    }

    /// Adds the times of a device, and the work that its kernels did.
    pub(crate) fn timed(mut self, timings: Timings) -> Self {
        self.add_timings(timings);
        self
    }

    fn add_timings(&mut self, more: Timings) {
        let mut sum = self.timings();
        sum += more;
        let Timings { open, kernels, upload, download, cells } = sum;
        (self.open, self.kernels, self.upload, self.download) = (open, kernels, upload, download);
        self.done_by_kernels = cells;
    }

    /// Returns the times of a device, and the work that its kernels did.
    pub(crate) fn timings(&self) -> Timings {
        let Self { done_by_kernels: cells, open, kernels, upload, download, .. } = *self;
        Timings { open, kernels, upload, download, cells }
    }

    /// Adds the algorithms that the report does not have yet.
    fn add_ran(&mut self, ran: impl IntoIterator<Item = Ran>) {
        for ran in ran {
            if !self.ran.contains(&ran) {
                self.ran.push(ran);
            }
        }
    }

    /// Returns the throughput over the whole time, in 10^9 units per second. For a comparison of
    /// strings these are billions of cell updates per second (GCUPS). See the
    /// [example](crate::job).
    pub fn gcups(&self) -> f64 {
        self.done as f64 / 1e9 / self.total.as_secs_f64().max(1e-9)
    }

    /// Returns the time outside opening, kernels and copies: the host's own work. See the
    /// [example](crate::job).
    pub fn cpu(&self) -> Duration {
        self.total.saturating_sub(self.open).saturating_sub(self.kernels).saturating_sub(self.transfer())
    }

    /// Returns the time of copies between host and device: `upload` and `download`. See the
    /// [example](crate::job).
    pub fn transfer(&self) -> Duration {
        self.upload.saturating_add(self.download)
    }

    /// Returns the engine that was used first; `None` if nothing had to be computed. See the
    /// [example](crate::job).
    pub fn engine(&self) -> Option<EngineKind> {
        self.ran.first().map(|ran| ran.engine)
    }

    /// Returns the algorithm that was used first; `None` if nothing had to be computed. See the
    /// [example](crate::job).
    pub fn algorithm(&self) -> Option<&'static str> {
        self.ran.first().map(|ran| ran.algorithm)
    }

    /// Adds the report of a job that ran after this one.
    fn add(&mut self, next: Self) {
        self.add_timings(next.timings());
        self.add_ran(next.ran);
        self.done = self.done.saturating_add(next.done);
        self.total = self.total.saturating_add(next.total);
    }
}

impl fmt::Display for Report {
    /// Writes a line such as `wavefront on gpu, 1000000 done in 0.012 s (CPU 0.008 s, upload 0.001
    /// s, kernels 0.003 s, download 0.000 s)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Ran { engine, algorithm }) in self.ran.iter().enumerate() {
            write!(f, "{}{algorithm} on {engine}", if number == 0 { "" } else { ", " })?;
        }
        if self.ran.is_empty() {
            f.write_str("no algorithm")?;
        }
        let seconds = |time: Duration| time.as_secs_f64();
        write!(f, ", {} done in {:.3} s", self.done, seconds(self.total))?;
        if self.open + self.kernels + self.transfer() > Duration::ZERO {
            f.write_str(" (")?;
            if self.open > Duration::ZERO {
                write!(f, "open {:.3} s, ", seconds(self.open))?;
            }
            let [cpu, upload, kernels, download] = [self.cpu(), self.upload, self.kernels, self.download].map(seconds);
            write!(f, "CPU {cpu:.3} s, upload {upload:.3} s, kernels {kernels:.3} s, download {download:.3} s)")?;
        }
        Ok(())
    }
}

/// Collects the reports of the jobs that get it with `recorder(...)`, and adds them up. See the
/// [example](crate::job).
#[derive(Debug, Default)]
pub struct Recorder {
    report: Mutex<Option<Report>>,
}

impl Recorder {
    /// Creates a recorder without a report. See the [example](crate::job).
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the sum of the reports so far; `None` before the first job has ended. See the
    /// [example](crate::job).
    pub fn report(&self) -> Option<Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the sum of the reports like [`report`](Self::report), and removes it. See the
    /// [example](crate::job).
    pub fn take(&self) -> Option<Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Runs a job of several stages, and passes its report to the log and to the recorder, if there
    /// is one. Each stage adds the algorithms that ran to the recorder that it gets. The job
    /// measures the time; `done` returns the amount of work from the result.
    pub(crate) fn job<R, E>(
        what: &str,
        recorder: Option<&Self>,
        done: impl FnOnce(&R) -> u64,
        stages: impl FnOnce(Option<&Self>) -> Result<R, E>,
    ) -> Result<R, E> {
        if recorder.is_none() && !log::log_enabled!(log::Level::Info) {
            return stages(None);
        }
        let started = Instant::now();
        let parts = Self::new();
        let result = stages(Some(&parts))?;
        parts.add(Report { done: done(&result), total: started.elapsed(), ..Report::untimed([]) });
        if let Some(report) = parts.take() {
            log::info!("{what}: {report}");
            if let Some(recorder) = recorder {
                recorder.add(report);
            }
        }
        Ok(result)
    }

    pub(crate) fn add(&self, next: Report) {
        match &mut *self.report.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(report) => report.add(next),
            none => *none = Some(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(algorithm: &'static str, engine: EngineKind) -> Report {
        Report {
            ran: vec![Ran { engine, algorithm }],
            done: 3_000_000_000,
            done_by_kernels: 2_000_000_000,
            total: Duration::from_millis(2000),
            open: Duration::ZERO,
            kernels: Duration::from_millis(500),
            upload: Duration::from_millis(150),
            download: Duration::from_millis(100),
        }
    }

    #[test]
    fn a_report_by_hand() {
        let report = report("wavefront", EngineKind::Gpu);
        assert_eq!((report.cpu(), report.gcups()), (Duration::from_millis(1250), 1.5));
        let text = "wavefront on gpu, 3000000000 done in 2.000 s (CPU 1.250 s, upload 0.150 s, kernels 0.500 s, \
                    download 0.100 s)";
        assert_eq!(report.to_string(), text);
        let opened = Report { open: Duration::from_millis(250), ..report.clone() };
        assert_eq!(opened.to_string(), text.replace("(CPU 1.250", "(open 0.250 s, CPU 1.000"));
        // Clocks of two machines may differ.
        assert_eq!(Report { kernels: Duration::from_millis(1900), ..report }.cpu(), Duration::ZERO);
    }

    #[test]
    fn reports_are_added_up() {
        let recorder = Recorder::new();
        assert_eq!(recorder.report(), None);
        for (algorithm, engine) in [("a", EngineKind::Gpu), ("b", EngineKind::Cpu), ("a", EngineKind::Gpu)] {
            recorder.add(report(algorithm, engine));
        }
        let all = recorder.take().unwrap();
        assert_eq!((all.ran.len(), all.algorithm(), all.engine()), (2, Some("a"), Some(EngineKind::Gpu)));
        assert_eq!((all.done, all.total), (9_000_000_000, Duration::from_secs(6)));
        assert_eq!(recorder.take(), None);
    }
}
