//! One run of a kernel on a memory machine, as it is shown.

use super::kernels::{Case, MachineKernel};
use super::{Count, LineCount, Machine};
use crate::error::Result;
use crate::kernels::simulator::{Spaces, source};
use serde::Serialize;
use std::fmt;

/// What a kernel costs on a machine.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The kernel's name.
    pub kernel: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The machine.
    pub machine: Machine,
    /// The memories that count: global, shared, or both.
    pub memory: &'static str,
    /// What it ran on; p is the number of threads that it had.
    pub case: Case,
    /// The same in words, without what the kernel does not depend on.
    pub sizes: String,
    /// Time units by the kernel's closed form, where there is one.
    pub closed_form: Option<u64>,
    /// What was counted.
    pub count: Count,
}

impl Report {
    /// Runs a kernel; of each line up to so many warp accesses are kept.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for sizes that the kernel or the machine does not take.
    pub fn new(kernel: &MachineKernel, machine: &Machine, case: &Case, spaces: Spaces, samples: usize) -> Result<Self> {
        machine.check()?;
        let count = machine.run_sampled(&kernel.record(case, spaces)?, samples)?;
        let p = if kernel.takes('p') { case.p } else { u32::try_from(count.threads).unwrap_or(u32::MAX) };
        let case = Case { p, ..*case };
        let size = |(letter, size): (char, u64)| kernel.takes(letter).then(|| format!("{letter} = {size}, "));
        let sizes =
            [('m', case.m), ('n', case.n), ('k', case.k.into())].into_iter().filter_map(size).collect::<String>();
        Ok(Self {
            kernel: kernel.name,
            about: kernel.about,
            machine: *machine,
            memory: match (spaces.global, spaces.shared) {
                (true, true) => "global and shared memory",
                (_, false) => "global memory",
                _ => "shared memory",
            },
            case,
            sizes: format!("{sizes}p = {p}"),
            closed_form: kernel.closed_form(machine, &case).filter(|_| spaces.global),
            count,
        })
    }

    /// A line's part of the time, of 1.
    pub fn share(&self, line: &LineCount) -> f64 {
        line.time as f64 / self.count.time.max(1) as f64
    }
}

/// The text of a source line, if its file is known.
pub fn source_line(file: &str, line: u32) -> Option<&'static str> {
    source(file)?.lines().nth(line.checked_sub(1)? as usize).map(str::trim)
}

/// A file's name without its folders.
pub fn short(file: &str) -> &str {
    file.rsplit_once("/src/").map_or(file, |(_, name)| name)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, count, .. } = self;
        writeln!(f, "{}: {}", self.kernel, self.about)?;
        writeln!(
            f,
            "on a {}, w = {}, l = {}, {}, {}, words of {} bytes",
            machine.model.to_string().to_uppercase(),
            machine.width,
            machine.latency,
            machine.mode,
            self.memory,
            machine.word
        )?;
        let launches = if count.launches == 1 { "launch" } else { "launches" };
        writeln!(f, "{}, {} {launches}\n", self.sizes, count.launches)?;
        let columns = |f: &mut fmt::Formatter<'_>, [a, b, c, d, e]: [String; 5], share: &str, place: &str| {
            let line = format!("{a:>10} {b:>10} {c:>10} {d:>10} {e:>12} {share:>7}  {place}");
            writeln!(f, "{}", line.trim_end())
        };
        let names = ["accesses", "requests", "stages", "conflicts", "time"];
        columns(f, names.map(str::to_string), "share", "line")?;
        let numbers = |accesses: u64, requests: u64, stages: u64, conflicts: u64, time: u64| {
            [accesses, requests, stages, conflicts, time].map(|number| number.to_string())
        };
        for line in &count.lines {
            let place = format!("{}:{}", short(line.file), line.line);
            let text = source_line(line.file, line.line).unwrap_or("");
            columns(
                f,
                numbers(line.accesses, line.requests, line.stages, line.conflicts, line.time),
                &format!("{:.1} %", 100.0 * self.share(line)),
                &format!("{place:<22} {:<6} {:<6} {text}", line.access.to_string(), line.memory),
            )?;
        }
        let totals = numbers(count.accesses, count.requests, count.stages, count.conflicts, count.time);
        columns(f, totals, "", "total")?;
        if let Some(time) = self.closed_form {
            writeln!(f, "\nclosed form: {time} time units")?;
        }
        Ok(())
    }
}
