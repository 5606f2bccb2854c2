//! The parts of a command's time, which `--verbose` reports at its end.

use carrywave::Result;
use carrywave::job::{Recorder, Report};
use carrywave::text::parts;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A part of a command's time that is measured where it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Waiting for an engine to open, while nothing else is done.
    Open,
    /// Reading files, while nothing else is done.
    Read,
    /// Writing results that are complete.
    Write,
}

/// Nanoseconds of each part.
static SPENT: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

static STARTED: OnceLock<Instant> = OnceLock::new();

/// Starts the clock of the command.
pub fn start() {
    STARTED.get_or_init(Instant::now);
}

/// Runs a function and adds its time to a part.
pub fn during<R>(part: Part, run: impl FnOnce() -> R) -> R {
    let started = Instant::now();
    let result = run();
    SPENT[part as usize].fetch_add(nanoseconds(started.elapsed()), Ordering::Relaxed);
    result
}

/// A text in parts; the time that the job waits for them counts as [`Part::Read`].
pub struct Measured<P>(pub P);

impl<P: parts::Parts> parts::Parts for Measured<P> {
    fn next_part(&mut self) -> Result<Option<parts::Part>> {
        during(Part::Read, || self.0.next_part())
    }

    fn recycle(&mut self, symbols: Vec<u8>) {
        self.0.recycle(symbols);
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Names of the parts, in their order.
pub const NAMES: [&str; 8] = ["open", "read", "CPU", "upload", "kernels", "download", "write", "rest"];

/// A time and its parts, those that are not 0. The last part is what the others leave. If several
/// files are processed at the same time, the parts are sums over threads, and may be more than the
/// whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    pub total: Duration,
    pub parts: Vec<(&'static str, Duration)>,
}

impl Parts {
    fn new(total: Duration, spent: [Duration; 3], job: Option<&Report>) -> Self {
        let [open, read, write] = spent;
        let zero = Duration::ZERO;
        let [opened, cpu, upload, kernels, download] =
            job.map_or([zero; 5], |job| [job.open, job.cpu(), job.upload, job.kernels, job.download]);
        let known = [open + opened, read, cpu, upload, kernels, download, write];
        let rest = total.saturating_sub(known.iter().sum());
        let parts = NAMES.into_iter().zip(known.into_iter().chain([rest]));
        Self { total, parts: parts.filter(|(_, time)| !time.is_zero()).collect() }
    }

    /// Returns the parts that a process has reported in its messages; `None` if it has not.
    pub fn reported(messages: &str) -> Option<Self> {
        let seconds = |text: &str| {
            let seconds = text.split_once(" s")?.0.trim().parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        };
        let line = messages.lines().rev().find(|line| line.contains(module_path!()))?;
        let (total, parts) = line.rsplit_once("] ")?.1.split_once(':')?;
        let total = seconds(total)?;
        let part = |text: &str| {
            let name = NAMES.into_iter().find(|name| text.contains(name))?;
            Some((name, seconds(text.split_once(name)?.1)?))
        };
        Some(Self { total, parts: parts.split(',').map(part).collect::<Option<_>>()? })
    }
}

impl fmt::Display for Parts {
    /// Writes a line such as `0.863 s: open 0.230 s (27 %), kernels 0.372 s (43 %)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s", self.total.as_secs_f64())?;
        let known: Duration = self.parts.iter().map(|(_, time)| *time).sum();
        let overlap = known > self.total;
        for (number, (name, time)) in self.parts.iter().enumerate() {
            let separator = match number {
                0 if overlap => "; sums over threads:",
                0 => ":",
                _ => ",",
            };
            let seconds = time.as_secs_f64();
            write!(f, "{separator} {name} {seconds:.3} s")?;
            if !overlap {
                write!(f, " ({:.0} %)", 100.0 * seconds / self.total.as_secs_f64().max(1e-9))?;
            }
        }
        Ok(())
    }
}

/// Reports the parts of the time when it is dropped: those measured so far, and those of the jobs
/// that the recorder has.
pub struct ReportAtEnd<'r>(pub &'r Recorder);

impl Drop for ReportAtEnd<'_> {
    fn drop(&mut self) {
        if !log::log_enabled!(log::Level::Info) {
            return;
        }
        let total = STARTED.get().map_or(Duration::ZERO, Instant::elapsed);
        let spent = std::array::from_fn(|part| Duration::from_nanos(SPENT[part].load(Ordering::Relaxed)));
        log::info!("{}", Parts::new(total, spent, self.0.report().as_ref()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole() {
        let seconds = Duration::from_secs;
        let parts = Parts::new(seconds(10), [seconds(2), seconds(1), seconds(0)], None);
        assert_eq!(parts.to_string(), "10.000 s: open 2.000 s (20 %), read 1.000 s (10 %), rest 7.000 s (70 %)");
        assert_eq!(parts.parts.iter().map(|(_, time)| *time).sum::<Duration>(), seconds(10));
        assert_eq!(Parts::new(seconds(0), [seconds(0); 3], None).to_string(), "0.000 s");
        let parts = Parts::new(seconds(1), [seconds(0), seconds(4), seconds(1)], None);
        assert_eq!(parts.to_string(), "1.000 s; sums over threads: read 4.000 s, write 1.000 s");
    }

    #[test]
    fn reported_parts_are_read_back() {
        let seconds = Duration::from_secs;
        for spent in [[seconds(2), seconds(1), seconds(0)], [seconds(0), seconds(4), seconds(30)]] {
            let parts = Parts::new(seconds(10), spent, None);
            let messages = format!("[INFO  x] 1 s: read 1 s\n[INFO  {}] {parts}\n[WARN  x] late\n", module_path!());
            assert_eq!(Parts::reported(&messages.replace("::tests]", "]")), Some(parts));
        }
        for none in ["", "[INFO  x] 1.000 s: open 1.000 s", "[INFO  carrywave::shared::parts] 1.000 s: shut 1.000 s"] {
            assert_eq!(Parts::reported(none), None, "{none}");
        }
    }

    #[test]
    fn a_measured_function_counts_for_its_part() {
        assert_eq!(during(Part::Read, || 7), 7);
        during(Part::Read, || std::thread::sleep(Duration::from_millis(2)));
        assert!(SPENT[Part::Read as usize].load(Ordering::Relaxed) >= 2_000_000);
    }
}
