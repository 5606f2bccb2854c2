//! Exercises: a kernel of a student, the results that it must have, and its limits of cost.
//!
//! ```text
//! run without a seed ──> results, costs ──┐
//! run with seed 0 ─────> results          ├──> all checks hold, or the list of those that do not
//! run with seed 1 ─────> results …     ───┘
//! ```

mod limits;
mod message;
mod results;

pub use limits::Cost;
pub use message::ExerciseError;
pub use results::{Difference, Number, Results};

use super::fault::{Fault, FaultKind};
use super::gpu::Simulator;
use super::options::Options;
use super::trace::Spaces;
use message::{Broken, Excess, Mismatch};

/// A condition of an exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    NoFault,
    Fault,
    Result,
    AtMost(Cost),
}

/// An exercise: a job on the simulator, usually of a student, and what must hold of it.
///
/// The [`exercise!`](crate::exercise) macro writes the same as a list. Each method adds a
/// condition, and [`hint`](Self::hint) attaches a text to the condition before it. The text is
/// shown if the condition does not hold.
///
/// ```
/// use simt_std::prelude::*;
/// use simt_std::simulator::Exercise;
///
/// /// Task: write `2 * i` to `doubled[i]` for each i < n.
/// #[kernel(threads = 64)]
/// fn double(doubled: Global<u32>, n: u32) {
///     let i = thread::index_1d();
///     if i < n {
///         doubled.write(i as usize, 2 * i);
///     }
/// }
///
/// Exercise::new(|gpu| {
///     let doubled = gpu.alloc::<u32>(100, "doubled");
///     gpu.launch_kernel(2, Double { doubled: doubled.handle(), n: 100 })?;
///     gpu.download(&doubled, 100)
/// })
/// .hint("are there more threads than elements?")
/// .expect((0..100).map(|i| 2 * i).collect())
/// .schedules(10)
/// .sectors(13)
/// .hint("neighbouring threads write neighbouring words")
/// .check();
/// ```
#[derive(Debug)]
pub struct Exercise<R, F> {
    run: F,
    options: Options,
    schedules: u64,
    expected: Option<R>,
    tolerance: f64,
    /// Texts that the expected fault's message contains; empty if no fault is expected.
    fault: Vec<String>,
    limits: Vec<(Cost, u64)>,
    hints: Vec<(Condition, String)>,
    /// The condition that the next hint belongs to.
    last: Condition,
}

impl<R: Results, F: Fn(&mut Simulator) -> Result<R, Fault>> Exercise<R, F> {
    /// Makes an exercise of a job: it allocates memory, launches kernels, and returns their
    /// results. Its first condition is that no fault occurs.
    pub fn new(run: F) -> Self {
        Self {
            run,
            options: Options { echo: false, ..Options::default() },
            schedules: 0,
            expected: None,
            tolerance: 0.0,
            fault: Vec::new(),
            limits: Vec::new(),
            hints: Vec::new(),
            last: Condition::NoFault,
        }
    }

    /// Sets the simulator's options. `accounting`, `seed` and `trace` are set by the exercise.
    #[must_use]
    pub fn options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Also runs the job with the seeds 0 to `count` - 1, each of them another schedule (see
    /// [`schedules`](super::schedules)). The conditions on faults and results hold for all of them.
    /// Without expected results, the results must be those of the run without a seed.
    #[must_use]
    pub fn schedules(self, count: u64) -> Self {
        Self { schedules: count, last: Condition::NoFault, ..self }
    }

    /// Sets the expected results.
    #[must_use]
    pub fn expect(self, results: R) -> Self {
        Self { expected: Some(results), last: Condition::Result, ..self }
    }

    /// Allows results to differ: |result - expected| ≤ `tolerance` · max(1, |expected|). For sums
    /// of floating-point numbers in any order.
    #[must_use]
    pub fn within(self, tolerance: f64) -> Self {
        Self { tolerance, last: Condition::Result, ..self }
    }

    /// Expects a fault whose message contains a text, such as `race`, the name of an array or
    /// `kernels.rs:12`, in the run without a seed or with one of the seeds. Each call adds a text;
    /// the message must contain all of them. Other conditions are not checked then.
    #[must_use]
    pub fn fault(mut self, text: &str) -> Self {
        self.fault.push(text.to_owned());
        Self { last: Condition::Fault, ..self }
    }

    /// Limits a cost of all launches of a job.
    #[must_use]
    pub fn at_most(mut self, cost: Cost, limit: u64) -> Self {
        self.limits.push((cost, limit));
        Self { last: Condition::AtMost(cost), ..self }
    }

    /// Limits [`Cost::Conflicts`].
    #[must_use]
    pub fn conflicts(self, limit: u64) -> Self {
        self.at_most(Cost::Conflicts, limit)
    }

    /// Limits [`Cost::Wavefronts`].
    #[must_use]
    pub fn wavefronts(self, limit: u64) -> Self {
        self.at_most(Cost::Wavefronts, limit)
    }

    /// Limits [`Cost::Sectors`].
    #[must_use]
    pub fn sectors(self, limit: u64) -> Self {
        self.at_most(Cost::Sectors, limit)
    }

    /// Limits [`Cost::Turns`].
    #[must_use]
    pub fn turns(self, limit: u64) -> Self {
        self.at_most(Cost::Turns, limit)
    }

    /// Limits [`Cost::Barriers`].
    #[must_use]
    pub fn barriers(self, limit: u64) -> Self {
        self.at_most(Cost::Barriers, limit)
    }

    /// Limits [`Cost::Steps`].
    #[must_use]
    pub fn steps(self, limit: u64) -> Self {
        self.at_most(Cost::Steps, limit)
    }

    /// Attaches a hint to the condition before it. There is none if the kernel has not written its
    /// result.
    #[must_use]
    pub fn hint(mut self, text: &str) -> Self {
        self.hints.push((self.last, text.to_owned()));
        self
    }

    /// Checks all conditions.
    ///
    /// # Panics
    /// With the message of [`outcome`](Self::outcome), if a condition does not hold.
    #[track_caller]
    pub fn check(&self) {
        if let Err(error) = self.outcome() {
            panic!("{error}");
        }
    }

    /// Checks all conditions.
    ///
    /// # Errors
    /// The conditions that do not hold.
    pub fn outcome(&self) -> Result<(), ExerciseError> {
        if !self.fault.is_empty() {
            return self.outcome_of_fault();
        }
        let mut gpu = self.simulator(None, true);
        let first = self.job(&mut gpu)?;
        let mut broken = Vec::new();
        let expected = self.expected.as_ref().unwrap_or(&first);
        broken.extend(self.mismatch(None, expected, &first));
        for seed in 0..self.schedules {
            if !broken.is_empty() {
                break;
            }
            let results = self.job(&mut self.simulator(Some(seed), false))?;
            broken.extend(self.mismatch(Some(seed), expected, &results));
        }
        for &(cost, limit) in &self.limits {
            let total = cost.total(gpu.costs());
            if total > limit {
                let lines = cost.by_line(gpu.costs());
                let excess = Excess::new(cost.name(), total, limit, &lines, &gpu);
                broken.push(self.with_hints(Condition::AtMost(cost), excess.to_string()));
            }
        }
        if broken.is_empty() { Ok(()) } else { Err(ExerciseError { broken }) }
    }

    /// Checks that the expected fault occurs.
    fn outcome_of_fault(&self) -> Result<(), ExerciseError> {
        let wanted = self.fault.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(" and ");
        for seed in std::iter::once(None).chain((0..self.schedules).map(Some)) {
            if let Err(fault) = (self.run)(&mut self.simulator(seed, false)) {
                let message = fault.to_string();
                if self.fault.iter().all(|text| message.contains(text)) {
                    return Ok(());
                }
                let text = format!("a fault with {wanted} is expected, and there is another one: {message}");
                return Err(ExerciseError { broken: vec![self.with_hints(Condition::Fault, text)] });
            }
        }
        let runs = self.schedules.saturating_add(1);
        let text = format!("a fault with {wanted} is expected, and there is none in {runs} runs");
        Err(ExerciseError { broken: vec![self.with_hints(Condition::Fault, text)] })
    }

    fn simulator(&self, seed: Option<u64>, accounting: bool) -> Simulator {
        Simulator::new(Options { seed, accounting, trace: Spaces::default(), ..self.options })
    }

    fn job(&self, gpu: &mut Simulator) -> Result<R, ExerciseError> {
        (self.run)(gpu).map_err(|fault| {
            let broken = match &fault.kind {
                // An exercise that is not begun: a hint would come too early.
                FaultKind::Uninitialised { place, .. } if &*fault.kernel == "download" => {
                    Broken { text: format!("the result is not complete: {place}"), hints: Vec::new() }
                }
                _ => self.with_hints(Condition::NoFault, format!("no fault is allowed: {fault}")),
            };
            ExerciseError { broken: vec![broken] }
        })
    }

    /// Compares results with the expected ones.
    fn mismatch(&self, seed: Option<u64>, expected: &R, results: &R) -> Option<Broken> {
        let difference = results.difference(expected, self.tolerance)?;
        let writer = difference.index.and_then(|index| self.writer(seed, results, index));
        let is_given = self.expected.is_some();
        let message = Mismatch { difference, writer, seed, is_given, tolerance: self.tolerance };
        Some(self.with_hints(Condition::Result, message.to_string()))
    }

    /// Runs the job once more, with a trace, and describes the threads that wrote a result. This
    /// needs the results to be those of the job's last download.
    fn writer(&self, seed: Option<u64>, results: &R, index: usize) -> Option<String> {
        let trace = Spaces { global: true, shared: false };
        let mut gpu = Simulator::new(Options { seed, accounting: false, trace, ..self.options });
        (self.run)(&mut gpu).ok()?;
        let (bytes, len) = results.size()?;
        let download = gpu.last_download().filter(|download| download.bytes == bytes as u64)?;
        let offset = download.offset + index as u64 * (bytes / len.max(1)) as u64;
        message::describe_writers(gpu.trace()?, download.region, offset)
    }

    fn with_hints(&self, condition: Condition, text: String) -> Broken {
        let hints = self.hints.iter().filter(|(known, _)| *known == condition);
        Broken { text, hints: hints.map(|(_, hint)| hint.clone()).collect() }
    }
}

/// Checks an exercise: the list form of [`Exercise`](crate::simulator::Exercise). After the job,
/// each line `name: value` calls the method `name` of that type, and `=> "…"` attaches a hint.
///
/// ```
/// use simt_std::exercise;
/// use simt_std::simulator::Grid;
/// use simt_std::thread;
///
/// exercise! {
///     run: |gpu| {
///         let squares = gpu.alloc::<u32>(64, "squares");
///         let out = squares.handle();
///         gpu.launch("squares", Grid::linear(2, 32), move || {
///             let i = thread::index_1d();
///             out.write(i as usize, i * i);
///         })?;
///         gpu.download(&squares, 64)
///     } => "every thread writes one element",
///     expect: (0..64).map(|i| i * i).collect(),
///     schedules: 20,
///     sectors: 8 => "neighbouring threads write neighbouring words",
/// }
/// ```
///
/// # Panics
/// If a condition does not hold; so it is the body of a test.
#[macro_export]
macro_rules! exercise {
    (run: $run:expr $(=> $about_run:expr)? $(, $condition:ident: $value:expr $(=> $hint:expr)?)* $(,)?) => {
        $crate::simulator::Exercise::new($run)$(.hint($about_run))?$(.$condition($value)$(.hint($hint))?)*.check()
    };
}
