//! The result of a run: the counts of a memory machine.

use super::model::{Machine, Model};
use super::program::{Next, Program};
use super::stages::Stages;
use carrywave_kernels::source;
use serde::{Serialize, Serializer};
use simt_std::simulator::{Access, Space, Trace};
use std::collections::BTreeMap;
use std::fmt;

/// The cost of one source line's accesses of one type to one memory. See the [example](Machine).
#[derive(Debug, Clone, Serialize)]
pub struct LineCount {
    /// The source file.
    pub file: &'static str,
    /// The line number.
    pub line: u32,
    /// The memory.
    #[serde(serialize_with = "as_text")]
    pub memory: Space,
    /// Read, write or atomic.
    #[serde(serialize_with = "as_text")]
    pub access: Access,
    /// Number of warp accesses.
    pub accesses: u64,
    /// Number of requests of threads.
    pub requests: u64,
    /// Number of stages.
    pub stages: u64,
    /// Number of stages beyond one per warp access.
    pub conflicts: u64,
    /// Time units: the line's stages, and the units without a new stage while an access of this
    /// line was the next to finish.
    pub time: u64,
    /// A sample of the line's warp accesses, of the requested size.
    #[serde(skip)]
    pub samples: Vec<WarpAccess>,
}

fn as_text<S: Serializer>(value: &impl ToString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}

/// A warp access. See the [example](Machine).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WarpAccess {
    /// Number of the line's accesses before this one.
    pub number: u64,
    /// Number of the launch.
    pub launch: usize,
    /// Number of stages.
    pub stages: u64,
    /// The requests as (thread, first word, last word).
    pub requests: Vec<(usize, u64, u64)>,
}

/// The cost of a run on a memory machine. See the [example](Machine).
#[derive(Debug, Clone, Serialize)]
pub struct Count {
    /// Time units.
    pub time: u64,
    /// Number of warp accesses.
    pub accesses: u64,
    /// Number of requests of threads.
    pub requests: u64,
    /// Number of stages.
    pub stages: u64,
    /// Number of stages beyond one per warp access.
    pub conflicts: u64,
    /// Number of threads of the largest launch.
    pub threads: usize,
    /// Number of launches.
    pub launches: usize,
    /// The costs by source line, in source order; their times add up to `time`.
    pub lines: Vec<LineCount>,
}

impl Count {
    /// Returns a line's share of the time, 0 to 1. See the [example](super::report::Report).
    pub fn share(&self, line: &LineCount) -> f64 {
        line.time as f64 / self.time.max(1) as f64
    }
}

/// Formats a table: the lines, with their source text if they are in this project's kernels, and
/// the totals.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = |f: &mut fmt::Formatter<'_>, [a, b, c, d, e]: [String; 5], share: &str, place: &str| {
            let line = format!("{a:>10} {b:>10} {c:>10} {d:>10} {e:>12} {share:>7}  {place}");
            writeln!(f, "{}", line.trim_end())
        };
        let names = ["accesses", "requests", "stages", "conflicts", "time"];
        columns(f, names.map(str::to_string), "share", "line")?;
        let numbers = |accesses: u64, requests: u64, stages: u64, conflicts: u64, time: u64| {
            [accesses, requests, stages, conflicts, time].map(|number| number.to_string())
        };
        for line in &self.lines {
            let place = format!("{}:{}", short(line.file), line.line);
            let text = source_line(line.file, line.line).unwrap_or("");
            columns(
                f,
                numbers(line.accesses, line.requests, line.stages, line.conflicts, line.time),
                &format!("{:.1} %", 100.0 * self.share(line)),
                &format!("{place:<28} {:<6} {:<6} {text}", line.access.to_string(), line.memory),
            )?;
        }
        let totals = numbers(self.accesses, self.requests, self.stages, self.conflicts, self.time);
        columns(f, totals, "", "total")
    }
}

/// Returns the text of a source line, if its file is known.
fn source_line(file: &str, line: u32) -> Option<&'static str> {
    source(file)?.lines().nth(line.checked_sub(1)? as usize).map(str::trim)
}

/// Returns a file's path below `src`.
pub(super) fn short(file: &str) -> &str {
    file.rsplit_once("/src/").map_or(file, |(_, name)| name)
}

/// The count of a warp access.
#[derive(Clone, Copy)]
pub struct Counted {
    /// The index of its line.
    pub row: usize,
    /// Number of stages.
    pub stages: u64,
}

/// Counts accesses while a machine runs.
pub struct Counter<'t> {
    trace: &'t Trace,
    model: Model,
    word: u64,
    stages: Stages,
    samples: usize,
    /// For each region, its first word.
    bases: Vec<u64>,
    /// For each site, the index of its line.
    rows: Vec<usize>,
    lines: Vec<LineCount>,
    random: fastrand::Rng,
    words: Vec<u64>,
    /// Number of the current launch.
    pub launch: usize,
}

impl<'t> Counter<'t> {
    pub fn new(machine: &Machine, trace: &'t Trace, samples: usize) -> Self {
        let key =
            |site: &simt_std::simulator::Site| (site.location.file(), site.location.line(), site.space, site.access);
        let mut numbers: BTreeMap<_, usize> = trace.sites().iter().map(|site| (key(site), 0)).collect();
        let mut lines = Vec::new();
        for (row, (&(file, line, memory, access), number)) in numbers.iter_mut().enumerate() {
            *number = row;
            let (accesses, requests, stages, conflicts, time) = (0, 0, 0, 0, 0);
            let samples = Vec::new();
            lines.push(LineCount { file, line, memory, access, accesses, requests, stages, conflicts, time, samples });
        }
        let mut end = 0u64;
        let base = |region: &simt_std::simulator::Region| {
            let base = end.next_multiple_of(machine.width);
            end = base + region.bytes.div_ceil(machine.word);
            base
        };
        Self {
            trace,
            model: machine.model,
            word: machine.word,
            stages: Stages::new(machine),
            samples,
            bases: trace.regions().iter().map(base).collect(),
            rows: trace.sites().iter().map(|site| numbers[&key(site)]).collect(),
            random: fastrand::Rng::with_seed(0),
            lines,
            words: Vec::new(),
            launch: 0,
        }
    }

    /// Counts a warp access: the requests of some threads of a warp, all at one line.
    pub fn warp_access(&mut self, program: &Program<'_>, threads: &[usize]) -> Counted {
        let mut row = 0;
        self.words.clear();
        let mut requests = Vec::new();
        for &thread in threads {
            let Next::Access(site, offset) = program.next(thread) else { continue };
            let region = &self.trace.sites()[site as usize];
            row = self.rows[site as usize];
            let base = self.bases[region.region as usize];
            let first = base + offset / self.word;
            let last = base + (offset + u64::from(region.size) - 1) / self.word;
            self.words.extend(first..=last);
            if self.samples > 0 {
                requests.push((thread, first, last));
            }
        }
        let line = &mut self.lines[row];
        let stages = self.stages.count(self.model.rule(line.memory), &mut self.words);
        // Each access is kept with equal probability (Vitter's algorithm R), so that all warps are
        // represented.
        if !requests.is_empty() {
            let access = WarpAccess { number: line.accesses, launch: self.launch, stages, requests };
            let place = self.random.u64(..=line.accesses) as usize;
            if line.samples.len() < self.samples {
                line.samples.push(access);
            } else if let Some(other) = line.samples.get_mut(place) {
                *other = access;
            }
        }
        line.accesses += 1;
        line.requests += threads.len() as u64;
        line.stages += stages;
        line.conflicts += stages - 1;
        Counted { row, stages }
    }

    /// Returns the memory of an access.
    pub fn memory(&self, access: Counted) -> Space {
        self.lines[access.row].memory
    }

    /// Adds time units to a row.
    pub fn spend(&mut self, row: usize, time: u64) {
        self.lines[row].time += time;
    }

    pub fn finish(mut self) -> Count {
        // A line may stand for several sites, and some may be in launches that did not reach them.
        self.lines.retain(|line| line.accesses > 0);
        for line in &mut self.lines {
            line.samples.sort_by_key(|access| access.number);
        }
        let sum = |of: fn(&LineCount) -> u64| self.lines.iter().map(of).sum();
        Count {
            time: sum(|line| line.time),
            accesses: sum(|line| line.accesses),
            requests: sum(|line| line.requests),
            stages: sum(|line| line.stages),
            conflicts: sum(|line| line.conflicts),
            threads: self.trace.launches().iter().map(|launch| launch.threads()).max().unwrap_or(0),
            launches: self.trace.launches().len(),
            lines: self.lines,
        }
    }
}
