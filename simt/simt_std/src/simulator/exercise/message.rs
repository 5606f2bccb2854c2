//! Messages about conditions of an exercise that do not hold, for the student.

use super::limits::CostLine;
use super::results::Difference;
use crate::simulator::access::Access;
use crate::simulator::gpu::Simulator;
use crate::simulator::trace::Trace;
use std::fmt;
use std::panic::Location;

/// Maximum number of source lines that a message about a cost names.
const LINES: usize = 3;

/// A condition that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Broken {
    pub text: String,
    pub hints: Vec<String>,
}

/// The conditions of an exercise that do not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExerciseError {
    pub(super) broken: Vec<Broken>,
}

impl fmt::Display for ExerciseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Broken { text, hints }) in self.broken.iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{text}")?;
            hints.iter().try_for_each(|hint| write!(f, "\n  hint: {hint}"))?;
        }
        Ok(())
    }
}

impl std::error::Error for ExerciseError {}

/// The message about results that differ.
pub(super) struct Mismatch {
    pub difference: Difference,
    /// The threads that wrote the element.
    pub writer: Option<String>,
    pub seed: Option<u64>,
    /// True if the expected results are given; otherwise they are those without a seed.
    pub is_given: bool,
    pub tolerance: f64,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { what, got, expected, differing, .. } = &self.difference;
        let origin = if self.is_given { "expected" } else { "the result without a seed" };
        write!(f, "{what} is {got}, and {expected} is {origin}")?;
        if self.tolerance > 0.0 {
            write!(f, ", within {}", self.tolerance)?;
        }
        if let Some((count, len)) = differing {
            write!(f, " ({count} of {len} elements differ)")?;
        }
        if let Some(seed) = self.seed {
            write!(f, ", with seed {seed}: the result depends on the order of blocks, warps and lanes")?;
        }
        self.writer.iter().try_for_each(|writer| write!(f, "\n  {writer}"))
    }
}

/// The message about a cost above its limit.
pub(super) struct Excess<'a> {
    name: &'static str,
    total: u64,
    limit: u64,
    lines: &'a [CostLine],
    gpu: &'a Simulator,
}

impl<'a> Excess<'a> {
    /// Makes the message; `lines` has the highest cost first.
    pub fn new(name: &'static str, total: u64, limit: u64, lines: &'a [CostLine], gpu: &'a Simulator) -> Self {
        Self { name, total, limit, lines, gpu }
    }
}

impl fmt::Display for Excess<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, and at most {} are allowed. They are from", self.name, self.total, self.limit)?;
        for CostLine { file, line, cost } in self.lines.iter().take(LINES) {
            write!(f, "\n  {file}:{line}: {cost}")?;
            let source = self.gpu.source(file).and_then(|text| text.lines().nth((*line as usize).checked_sub(1)?));
            source.iter().try_for_each(|source| write!(f, "   {}", source.trim()))?;
        }
        match self.lines.len().saturating_sub(LINES) {
            0 => Ok(()),
            others => write!(f, "\n  and {others} more"),
        }
    }
}

/// Describes the threads that wrote an element of an allocation in the last launch that did;
/// `None` if no launch did.
pub(super) fn describe_writers(trace: &Trace, region: u64, offset: u64) -> Option<String> {
    let writers = trace.last_writers(region, offset)?;
    let place = |place: &Location| format!("{}:{}", place.file(), place.line());
    let (block, thread) = (writers.thread / writers.block_threads, writers.thread % writers.block_threads);
    let how = if writers.access == Access::Atomic { "changed by an atomic operation of" } else { "written by" };
    let who = format!("it is {how} thread {thread} of block {block} of `{}`", writers.kernel);
    Some(match writers.threads {
        1 => format!("{who}, at {}", place(writers.location)),
        threads => format!("{who}, at {}, and by {} other threads", place(writers.location), threads - 1),
    })
}
