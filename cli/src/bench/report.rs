//! The report: the machine, its limits, and a row per job, as text, JSON and a chart.

use super::command::{Ran, START};
use super::job::{Done, Job, Unit};
use super::limits::LimitRow;
use super::machine::Machine;
use super::site::Times;
use crate::shared::parts;
use carrywave::device::EngineKind;
use carrywave::internal::bars::{Bar, Bars};
use carrywave::internal::measure::{median, spread};
use carrywave::{Error, Result, job};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// The time to open an engine, which a process spends once.
#[derive(Debug, Serialize)]
pub struct Start {
    pub engine: EngineKind,
    pub seconds: f64,
}

/// A whole benchmark report.
#[derive(Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub machine: Machine,
    pub starts: Vec<Start>,
    pub limits: Vec<LimitRow>,
    pub jobs: Vec<Row>,
    pub commands: Vec<CommandRow>,
}

/// The result of a timed job.
#[derive(Debug, Serialize)]
pub struct Row {
    job: &'static str,
    about: &'static str,
    engine: EngineKind,
    algorithm: Option<&'static str>,
    size: String,
    /// Time of each run in seconds, from input in memory to the answer in memory.
    seconds: Vec<f64>,
    median_s: f64,
    least_s: f64,
    greatest_s: f64,
    /// GPU part of each time, in seconds: the kernels, or for a search the call on a resident text.
    device_seconds: Option<Vec<f64>>,
    device_median_s: Option<f64>,
    /// Speed in `unit`, from the median time.
    rate: f64,
    unit: Unit,
    /// Name of the limit, and the rate that it allows in `unit`. Both are `None` if the limit is
    /// unknown.
    limit: Option<&'static str>,
    limit_rate: Option<f64>,
    /// Fraction of the limit's rate that the job reaches. On a GPU, only the GPU part of the time
    /// counts.
    share: Option<f64>,
    /// Errors found in the answer.
    faults: Vec<String>,
    /// Parts of the time; empty without a GPU.
    parts: Vec<Part>,
}

/// A part of a job's time.
#[derive(Debug, Serialize)]
struct Part {
    name: &'static str,
    /// Mean over the runs, in seconds.
    seconds: f64,
    /// Fraction of the whole time.
    share: f64,
}

/// Names of the parts of a job on a GPU, in their order.
const PARTS: [&str; 4] = {
    let [_, _, cpu, upload, kernels, download, _, _] = parts::NAMES;
    [cpu, upload, kernels, download]
};

/// The times of a job's command, from file to file.
#[derive(Debug, Serialize)]
pub struct CommandRow {
    job: &'static str,
    command: String,
    engine: EngineKind,
    /// Time of each process in seconds.
    seconds: Vec<f64>,
    median_s: f64,
    least_s: f64,
    greatest_s: f64,
    /// Parts of the time. Parts of several threads are sums, and may be more than the whole.
    parts: Vec<Part>,
    /// Errors found in the answer.
    faults: Vec<String>,
}

impl CommandRow {
    pub fn new(job: &'static str, engine: EngineKind, ran: Ran) -> Self {
        let Ran { command, seconds, parts, faults } = ran;
        let (median_s, least_s, greatest_s) = spread(&seconds);
        let runs = parts.len().max(1) as f64;
        let whole = parts.iter().map(|parts| parts.total.as_secs_f64()).sum::<f64>() / runs;
        let named = |name: &'static str| {
            let of_name = parts.iter().flat_map(|parts| &parts.parts).filter(|(part, _)| *part == name);
            let seconds = of_name.map(|(_, time)| time.as_secs_f64()).sum::<f64>() / runs;
            Part { name, seconds, share: seconds / whole.max(1e-9) }
        };
        let parts = ALL_PARTS.map(named).into_iter().filter(|part| part.seconds > 0.0).collect();
        Self { job, command, engine, seconds, median_s, least_s, greatest_s, parts, faults }
    }

    /// Returns the row's cells in a table.
    fn cells(&self) -> [String; 4] {
        let range = format!("{} to {}", time(self.least_s), time(self.greatest_s));
        [self.command.clone(), time(self.median_s), range, listed(&self.parts)]
    }
}

/// Names of the parts of a process, in their order.
const ALL_PARTS: [&str; 9] = {
    let [open, read, cpu, upload, kernels, download, write, rest] = parts::NAMES;
    [START, open, read, cpu, upload, kernels, download, write, rest]
};

/// Formats parts with their shares.
fn listed(parts: &[Part]) -> String {
    let parts = parts.iter().map(|part| format!("{} {:.0} %", part.name, 100.0 * part.share));
    parts.collect::<Vec<_>>().join(", ")
}

/// Returns the parts of a job's time; none if no kernel ran.
fn parts_of(times: &Times) -> Vec<Part> {
    let runs = times.seconds.len().max(1) as f64;
    let mean = |time: fn(&job::Report) -> Duration| {
        times.reports.iter().map(|report| time(report).as_secs_f64()).sum::<f64>() / runs
    };
    let [upload, kernels, download] = [mean(|r| r.upload), mean(|r| r.kernels), mean(|r| r.download)];
    if kernels == 0.0 {
        return Vec::new();
    }
    let whole = times.seconds.iter().sum::<f64>() / runs;
    let cpu = (whole - upload - kernels - download).max(0.0);
    let part = |(name, seconds)| Part { name, seconds, share: seconds / whole.max(1e-9) };
    PARTS.into_iter().zip([cpu, upload, kernels, download]).map(part).collect()
}

impl Row {
    pub fn new(job: &Job, engine: EngineKind, done: Done) -> Self {
        let Done { size, work, device_work, unit, times, ceiling, faults } = done;
        let (median_s, least_s, greatest_s) = spread(&times.seconds);
        let scale = unit.scale();
        let device_median_s = times.device.as_deref().map(median).filter(|_| engine != EngineKind::Cpu);
        let rate = work / median_s / scale;
        let own = match engine {
            EngineKind::Cpu => Some(rate),
            // A job without GPU time has no GPU rate.
            _ => device_median_s.map(|seconds| device_work / seconds / scale),
        };
        let limit_rate = ceiling.map(|ceiling| ceiling.per_second / scale);
        Self {
            job: job.name,
            about: job.about,
            engine,
            algorithm: times.report().and_then(job::Report::algorithm),
            parts: parts_of(&times),
            size,
            median_s,
            least_s,
            greatest_s,
            device_seconds: times.device.filter(|_| device_median_s.is_some()),
            device_median_s,
            seconds: times.seconds,
            rate,
            unit,
            limit: ceiling.map(|ceiling| ceiling.limit.name()),
            limit_rate,
            share: own.zip(limit_rate).map(|(own, limit)| own / limit),
            faults,
        }
    }

    /// Returns the speed and the limit that it is compared with.
    fn figures(&self) -> String {
        let unit = self.unit.name();
        let speed = format!("{} {unit}", figure(self.rate));
        match (self.limit, self.limit_rate) {
            (Some(limit), Some(rate)) => format!("{speed} of {} ({limit})", figure(rate)),
            _ => speed,
        }
    }

    /// Returns the row's cells in a table.
    fn cells(&self) -> [String; 10] {
        [
            self.about.into(),
            self.size.clone(),
            time(self.median_s),
            format!("{} to {}", time(self.least_s), time(self.greatest_s)),
            self.device_median_s.map_or("-".into(), time),
            figure(self.rate),
            self.unit.name().into(),
            match (self.limit, self.limit_rate) {
                (Some(limit), Some(rate)) => format!("{} by {limit}", figure(rate)),
                _ => "-".into(),
            },
            percent(self.share),
            listed(&self.parts),
        ]
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {}: {}, {}", self.engine, self.about, self.size, time(self.median_s), self.figures())
    }
}

/// Column heads of the job table, and whether each column is numeric.
const JOBS: [(&str, bool); 10] = [
    ("job", false),
    ("size", false),
    ("time", true),
    ("least to greatest", true),
    ("on the GPU", true),
    ("rate", true),
    ("", false),
    ("the limit allows", false),
    ("share", true),
    ("parts of the time", false),
];

/// Column heads of the table of commands, and whether each column is numeric.
const COMMANDS: [(&str, bool); 4] =
    [("command", false), ("time", true), ("least to greatest", true), ("parts of the time", false)];

/// Column heads of the limit table, and whether each column is numeric.
const LIMITS: [(&str, bool); 4] = [("limit", false), ("rate", true), ("median", true), ("", false)];

impl Report {
    /// Returns a chart of each job's share of its limit.
    pub fn chart(&self) -> Bars {
        let mut heading = vec!["carrywave bench: what each job reaches of its limit".to_string()];
        heading.extend(self.machine.names());
        let mut groups: Vec<EngineKind> = self.jobs.iter().map(|row| row.engine).collect();
        groups.dedup();
        let group = |engine| groups.iter().position(|&kind| kind == engine).unwrap_or(0);
        let shares = |parts: &[Part]| {
            let share = |name: &str| parts.iter().find(|part| part.name == name).map_or(0.0, |part| part.share);
            if parts.is_empty() { Vec::new() } else { ALL_PARTS.map(share).to_vec() }
        };
        let bar = |row: &Row| Bar {
            group: group(row.engine),
            name: row.about.into(),
            share: row.share,
            figures: format!("{:>4}  {}", percent(row.share), row.figures()),
            parts: shares(&row.parts),
        };
        let of_command = |row: &CommandRow| Bar {
            group: group(row.engine),
            name: format!("{}, a process", row.job),
            share: None,
            figures: format!("      {}", time(row.median_s)),
            parts: shares(&row.parts),
        };
        let bars = self.jobs.iter().map(bar).chain(self.commands.iter().map(of_command)).collect();
        let has_parts = self.jobs.iter().any(|row| !row.parts.is_empty()) || !self.commands.is_empty();
        let part_names = if has_parts { &ALL_PARTS[..] } else { &[] };
        Bars {
            heading,
            groups: groups.iter().map(EngineKind::to_string).collect(),
            parts: part_names.iter().map(|&name| name.to_owned()).collect(),
            bars,
        }
    }

    /// Iterates over the errors found in answers, each with the name of its job.
    fn faults(&self) -> impl Iterator<Item = String> {
        self.jobs
            .iter()
            .map(|row| (row.job, row.engine, &row.faults))
            .chain(self.commands.iter().map(|row| (row.job, row.engine, &row.faults)))
            .flat_map(|(job, engine, faults)| faults.iter().map(move |fault| format!("{job} on {engine}: {fault}")))
    }

    /// Checks that all answers are correct.
    ///
    /// # Errors
    /// [`Error::Verification`] with the first wrong answer.
    pub fn check(&self) -> Result<()> {
        self.faults().next().map_or(Ok(()), |fault| Err(Error::Verification(fault)))
    }

    /// Returns the engines in the order of their limits.
    fn engines(&self) -> Vec<EngineKind> {
        let mut all: Vec<EngineKind> = self.limits.iter().map(|row| row.engine).collect();
        all.dedup();
        all
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.machine)?;
        for engine in self.engines() {
            writeln!(f, "\n{engine}")?;
            let start = self.starts.iter().find(|start| start.engine == engine && engine == EngineKind::Gpu);
            if let Some(start) = start {
                writeln!(f, "  opened once, in {}", time(start.seconds))?;
            }
            let limits = self
                .limits
                .iter()
                .filter(|row| row.engine == engine)
                .map(|row| [row.name.into(), figure(row.rate), figure(row.median), row.unit.into()]);
            write_table(f, &LIMITS, limits.collect())?;
            writeln!(f)?;
            let jobs = self.jobs.iter().filter(|row| row.engine == engine).map(Row::cells);
            let jobs: Vec<_> = jobs.collect();
            if engine == EngineKind::Cpu {
                // Leaves out the columns for GPUs, which are empty for the CPU.
                let without = |row: [String; 10]| {
                    let [job, size, time, range, _, rate, unit, limit, share, _] = row;
                    [job, size, time, range, rate, unit, limit, share]
                };
                let [job, size, time, range, _, rate, unit, limit, share, _] = JOBS;
                let heads = [job, size, time, range, rate, unit, limit, share];
                write_table(f, &heads, jobs.into_iter().map(without).collect())?;
            } else {
                write_table(f, &JOBS, jobs)?;
            }
            let commands = self.commands.iter().filter(|row| row.engine == engine).map(CommandRow::cells);
            let commands: Vec<_> = commands.collect();
            if !commands.is_empty() {
                writeln!(f, "\n  in processes of their own, from file to file")?;
                write_table(f, &COMMANDS, commands)?;
            }
        }
        let mut faults = self.faults().peekable();
        if faults.peek().is_some() {
            writeln!(f)?;
        }
        faults.try_for_each(|fault| writeln!(f, "WRONG: {fault}"))
    }
}

/// Writes rows under their heads, in aligned columns; numbers are right-aligned.
fn write_table<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    heads: &[(&str, bool); N],
    rows: Vec<[String; N]>,
) -> fmt::Result {
    let all: Vec<[String; N]> = std::iter::once(heads.map(|(head, _)| head.to_owned())).chain(rows).collect();
    let widths: [usize; N] =
        std::array::from_fn(|column| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    for row in &all {
        let mut line = String::new();
        for ((cell, width), (_, is_number)) in row.iter().zip(widths).zip(heads) {
            line += &if *is_number { format!("  {cell:>width$}") } else { format!("  {cell:<width$}") };
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Formats a number with about three significant digits.
fn figure(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        1.0.. => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

fn time(seconds: f64) -> String {
    if seconds < 0.1 { format!("{} ms", figure(1e3 * seconds)) } else { format!("{} s", figure(seconds)) }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{:.0} %", 100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::super::jobs::JOBS;
    use super::*;
    use carrywave::internal::measure::ceilings::{Ceiling, Limit};

    fn done(device: Option<Vec<f64>>) -> Done {
        let reports = Vec::new();
        Done {
            size: "2 × 3".into(),
            work: 4e12,
            device_work: 2e12,
            unit: Unit::Tcups,
            times: Times { seconds: vec![1.0, 4.0, 2.0], device, answers: vec![], reports },
            ceiling: Some(Ceiling { limit: Limit::Memory, per_second: 8e12 }),
            faults: Vec::new(),
        }
    }

    #[test]
    fn share_is_relative_to_limited_part() {
        let shares = |engine, device| {
            let row = Row::new(&JOBS[0], engine, done(device));
            (row.rate, row.device_median_s, row.share)
        };
        assert_eq!(shares(EngineKind::Cpu, None), (2.0, None, Some(0.25)));
        assert_eq!(shares(EngineKind::Cpu, Some(vec![0.5])), (2.0, None, Some(0.25)));
        assert_eq!(shares(EngineKind::Gpu, Some(vec![0.5])), (2.0, Some(0.5), Some(0.5)));
        assert_eq!(shares(EngineKind::Gpu, None), (2.0, None, None));
        let uncounted = Done { ceiling: None, ..done(None) };
        let row = Row::new(&JOBS[0], EngineKind::Cpu, uncounted);
        assert_eq!((row.share, row.limit, row.limit_rate), (None, None, None));
        assert_eq!(row.cells()[7..], ["-", "-", ""]);
    }

    #[test]
    fn a_wrong_answer_is_shown_and_fails() {
        let right = Row::new(&JOBS[0], EngineKind::Cpu, done(None));
        let machine = || Machine::new(1, false);
        let mut report = Report {
            machine: machine(),
            starts: Vec::new(),
            limits: Vec::new(),
            jobs: vec![right],
            commands: Vec::new(),
        };
        assert!(report.check().is_ok() && !report.to_string().contains("WRONG"));
        report.jobs.push(Row::new(&JOBS[1], EngineKind::Cpu, Done { faults: vec!["3, not 4".into()], ..done(None) }));
        assert!(report.to_string().ends_with("\nWRONG: lcs-64 on cpu: 3, not 4\n"));
        assert!(matches!(report.check(), Err(Error::Verification(fault)) if fault == "lcs-64 on cpu: 3, not 4"));
    }

    #[test]
    fn figures_have_three_digits_or_so() {
        assert_eq!([1234.5, 99.95, 9.876, 0.4567].map(figure), ["1234", "100.0", "9.88", "0.457"]);
        assert_eq!([0.0123, 0.25, 12.0].map(time), ["12.3 ms", "0.250 s", "12.0 s"]);
    }
}
