//! The matches of an LCS of two sequences of numbers (tokens), which stand for lines, words or any
//! other items that can be compared.
//!
//! 1. Common ends of both are matched. Tokens that only one sequence has match nothing and are left
//!    out. Both steps are exact.
//! 2. If an algorithm is named, it computes the rest. `auto` uses [furthest-reaching
//!    paths](cpu::furthest_reaching) if there are few differences: they give up once they are
//!    expected to take more time than the other algorithms. They are not tried if trigrams
//!    (`grams`) show that they would give up.
//! 3. With more differences, [cells that an LCS certainly passes](cpu::certain_cells) divide the
//!    table, if many tokens are unique.
//! 4. The choice for a table that is not divided depends on its tokens:
//!    - Up to 256 different tokens become bytes, and are compared like all strings
//!      ([`Comparison`](crate::lcs::Comparison)).
//!    - For few pairs of equal tokens, it takes [chains of these](cpu::hunt_szymanski).
//!    - Otherwise it takes bit-vectors in Hirschberg's recursion, on the [CPU](cpu::bit_parallel)
//!      or, if that is faster, on a [GPU](super::gpu::wavefront).
//!
//! The choice of `auto` depends only on the sequences, and the bit-vectors of all engines give the
//! same LCS. So the result is the same on every machine.

use super::cpu::{self, CpuAlgorithm};
use super::gpu::{DeviceAlgorithm, Found};
use super::grams;
use super::kept::{Kept, greatest, kept, push, put_back};
use super::plan::{Matches, MatchesPlan};
use super::problem::ItemAlgorithm;
use crate::Result;
use crate::alignment::Run;
use crate::cost::{Machine, Work};
use crate::device::{Cpu, Device, Devices, EngineKind, Gpu, ReadyGpu, Timings};
use crate::job::{Progress, Ran, Recorder, Report};
use crate::lcs::problem::Lcs;
use crate::lcs::thresholds::TOKEN_COSTS;
use crate::pairwise::comparison::Settings;
use crate::pairwise::furthest::{self, Budget};
use crate::text::numbered;
use crate::threads;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Steps of furthest-reaching paths: about a second. After these, the search goes on only if it
/// should end before the other algorithms would. `CELLS_PER_STEP` is the number of cells of the
/// table that take the time of a step.
const BUDGET: u64 = 1 << 28;
const CELLS_PER_STEP: u64 = 64;

/// Steps of furthest-reaching paths before the table is divided: about a tenth of a second.
const FIRST_BUDGET: u64 = 1 << 25;

/// Number of different bytes.
const BYTES: u32 = 256;

/// Minimum number of steps to try.
const MIN_BUDGET: u64 = 1 << 18;

/// Minimum steps of furthest-reaching paths, by the known lower bound on the differences, for
/// which a better bound is computed. It takes less than a tenth of the time of these steps.
const BOUND_FROM: u64 = 1 << 26;

/// Number of tokens that a thread converts at a time.
const TASK: usize = 1 << 16;

/// Budget of a named algorithm.
const UNLIMITED: Budget = Budget { first: u64::MAX, most: u64::MAX };

/// Maximum pairs of equal tokens for chains, which take up to 12 bytes each. `CELLS_PER_PAIR` is
/// the number of cells of the table that take the time of a pair.
const PAIRS: u64 = 1 << 24;
const CELLS_PER_PAIR: u64 = 2048;

/// Options of the comparison of tokens.
#[derive(Clone, Copy)]
pub(crate) struct Options<'j> {
    /// The engine; `None` for the one that should be fastest.
    pub devices: Option<&'j Devices>,
    /// The algorithm, or `auto`.
    pub algorithm: ItemAlgorithm,
    /// Callback that gets the number of tokens of both sequences that have been settled since its
    /// last call.
    pub progress: Progress<'j>,
    /// Gets a report of each algorithm that ran, without the time and the amount of work, which the
    /// job reports.
    pub recorder: Option<&'j Recorder>,
    /// True if tokens of the common ends count too when tokens that only one sequence has are left
    /// out. The result is then that of GNU diff.
    pub keeps_ends: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { devices: None, algorithm: ItemAlgorithm::AUTO, progress: &|_| (), recorder: None, keeps_ends: false }
    }
}

impl Options<'_> {
    /// Reports algorithms that ran. `by_kernels` is the number of tokens that kernels compared.
    pub(crate) fn ran(&self, ran: &[Ran], by_kernels: u64, timings: Timings) {
        let Some(recorder) = self.recorder else { return };
        recorder.add(Report { done_by_kernels: by_kernels, ..Report::untimed(ran.to_vec()).timed(timings) });
    }
}

/// Finds the matches of a longest common subsequence, as runs of positions in the given slices.
///
/// # Errors
/// [`Error::Unsupported`](crate::Error::Unsupported) for an algorithm that the engine does not
/// have, [`Error::Memory`](crate::Error::Memory), and the errors of the given devices.
pub(crate) fn runs(a: &[u32], b: &[u32], options: Options<'_>) -> Result<Vec<Run>> {
    Ok(matches(a, b, options, false)?.runs)
}

/// Computes the length of a longest common subsequence.
///
/// # Errors
/// As [`runs`].
pub(crate) fn length(a: &[u32], b: &[u32], options: Options<'_>) -> Result<u64> {
    Ok(matches(a, b, options, true)?.length)
}

/// Finds the matches, or only their number.
///
/// # Errors
/// [`Error::Unsupported`](crate::Error::Unsupported) for an algorithm that the engine does not
/// have, [`Error::Memory`](crate::Error::Memory), and the errors of the given devices.
fn matches(a: &[u32], b: &[u32], options: Options<'_>, only_length: bool) -> Result<Matches> {
    if let Some(devices) = options.devices {
        options.algorithm.check_on(devices.kind())?;
    }
    let tokens = (a.len() + b.len()) as u64;
    let reported = AtomicU64::new(0);
    let strips = !options.keeps_ends;
    let before = if strips { furthest::common_prefix(a, b) } else { 0 };
    let a = a.get(before..).unwrap_or_default();
    let b = b.get(before..).unwrap_or_default();
    let after = if strips { furthest::common_suffix(a, b) } else { 0 };
    let a = rest(a, after);
    let b = rest(b, after);
    let mut runs = Vec::new();
    push(&mut runs, Run { a_start: 0, b_start: 0, len: before as u64 });
    // Converts the rest's progress from cells to tokens. The recursion for the matches computes
    // twice the cells of the table.
    let left = (a.len() + b.len()) as u64;
    let times = if only_length { 1 } else { 2 };
    let cells = times * (a.len() as u128 * b.len() as u128).max(1);
    let done = AtomicU64::new(0);
    let progress = |more: u64| {
        let done = u128::from(done.fetch_add(more, Ordering::Relaxed).saturating_add(more));
        let now = ((done * u128::from(left) / cells) as u64).min(left);
        (options.progress)(now.saturating_sub(reported.fetch_max(now, Ordering::Relaxed)));
    };
    let middle = Middle { from: before, only_length, options: Options { progress: &progress, ..options } };
    let length = before as u64 + middle.solve(a, b, &mut runs)? + after as u64;
    push(&mut runs, Run { a_start: (before + a.len()) as u64, b_start: (before + b.len()) as u64, len: after as u64 });
    (options.progress)(tokens - reported.into_inner());
    Ok(Matches { runs, length })
}

/// The part between the common ends.
struct Middle<'j> {
    /// Start of both slices in their sequences.
    from: usize,
    only_length: bool,
    /// The options, with progress in cells.
    options: Options<'j>,
}

impl Middle<'_> {
    /// Adds the matches of two slices, and returns their number. If only the length is wanted, it
    /// adds none.
    fn solve(&self, a: &[u32], b: &[u32], runs: &mut Vec<Run>) -> Result<u64> {
        if a.is_empty() || b.is_empty() {
            return Ok(0);
        }
        let most = greatest(a, b) as usize;
        if most / 8 > a.len() + b.len() {
            // A table of large numbers would be mostly empty.
            let numbered = numbered::number(a, b)?;
            return self.solve(&numbered.a, &numbered.b, runs);
        }
        let Kept { a, b, kinds, pairs, differences } = kept(a, b, most)?;
        if a.tokens.is_empty() {
            return Ok(0);
        }
        let &Self { options, only_length, .. } = self;
        let plan = MatchesPlan {
            a: &a.tokens,
            b: &b.tokens,
            kinds,
            pairs,
            differences,
            budget: UNLIMITED,
            only_length,
            progress: options.progress,
        };
        let found = if options.algorithm.is_auto() { automatic(plan, options)? } else { on_engine(&plan, options)? };
        if !only_length {
            put_back(&found.runs, [&a, &b], self.from, runs);
        }
        Ok(found.length)
    }
}

/// Finds the matches by the algorithm that should be fastest.
fn automatic(plan: MatchesPlan<'_>, options: Options<'_>) -> Result<Matches> {
    let started = Instant::now();
    let mut differences = plan.differences;
    if furthest::least_steps(plan.a, plan.b, differences) >= BOUND_FROM {
        differences = differences.max(threads::run(|| grams::least_differences(plan.a, plan.b)));
    }
    let plan = MatchesPlan { differences, ..plan };
    let found = if plan.kinds <= BYTES || plan.cells() / CELLS_PER_STEP <= FIRST_BUDGET {
        undivided(&plan, options)?
    } else {
        let budget = Budget { first: FIRST_BUDGET, most: FIRST_BUDGET };
        match few_differences(&MatchesPlan { budget, ..plan }, options)? {
            Some(found) => found,
            None => divided(&plan, options)?,
        }
    };
    log::debug!("lcs of tokens: {} runs after {:.3} s", found.runs.len(), started.elapsed().as_secs_f64());
    Ok(found)
}

/// Finds the matches in the tables between cells that an LCS certainly passes, if there are such
/// cells.
fn divided(plan: &MatchesPlan<'_>, options: Options<'_>) -> Result<Matches> {
    let solve = || match cpu::certain_cells::divide(plan)? {
        Some(division) => {
            let algorithm = cpu::certain_cells::ALGORITHM.about.name;
            options.ran(&[Ran { engine: EngineKind::Cpu, algorithm }], 0, Timings::default());
            // Paths have been tried on each part.
            division.solve(plan, &|part| many_differences(part, options))
        }
        None => undivided(plan, options),
    };
    match options.devices {
        Some(Devices::Cpu(cpu)) => cpu.run(solve),
        _ => threads::run(solve),
    }
}

/// Finds the matches without dividing the table.
fn undivided(plan: &MatchesPlan<'_>, options: Options<'_>) -> Result<Matches> {
    let cells = plan.cells();
    // Time of the other algorithms, in steps.
    let most =
        if are_few(plan.pairs, cells) { plan.pairs.saturating_mul(CELLS_PER_PAIR) } else { cells } / CELLS_PER_STEP;
    let budget = Budget { first: (cells / CELLS_PER_STEP).clamp(MIN_BUDGET, BUDGET), most };
    match few_differences(&MatchesPlan { budget, ..*plan }, options)? {
        Some(found) => Ok(found),
        None => many_differences(plan, options),
    }
}

/// Finds the matches by furthest-reaching paths, within the plan's budget.
fn few_differences(plan: &MatchesPlan<'_>, options: Options<'_>) -> Result<Option<Matches>> {
    let started = Instant::now();
    let found = on_cpu(&cpu::furthest_reaching::ALGORITHM, plan, options)?;
    let way = if found.is_some() { "found" } else { "not found" };
    log::debug!("lcs of tokens: {way} by few differences, {:.3} s", started.elapsed().as_secs_f64());
    Ok(found)
}

/// Returns true if chains of the pairs of equal tokens take less time than bit-vectors, because
/// there are few pairs.
fn are_few(pairs: u64, cells: u64) -> bool {
    pairs <= PAIRS && pairs <= cells / CELLS_PER_PAIR
}

/// Finds the matches if there are many differences.
fn many_differences(plan: &MatchesPlan<'_>, options: Options<'_>) -> Result<Matches> {
    if plan.kinds <= BYTES {
        let settings =
            Settings::<Lcs> { devices: options.devices.cloned(), progress: options.progress, ..Settings::new() };
        let of_strings = Recorder::new();
        let settings = Settings { recorder: options.recorder.map(|_| &of_strings), ..settings };
        let a = bytes(plan.a);
        let b = bytes(plan.b);
        let found =
            if plan.only_length { Matches::of_length(settings.value(&a, &b)?) } else { settings.runs(&a, &b)?.into() };
        if let Some(report) = of_strings.take() {
            let by_kernels = if report.done_by_kernels > 0 { plan.tokens() } else { 0 };
            options.ran(&report.ran, by_kernels, report.timings());
        }
        return Ok(found);
    }
    if are_few(plan.pairs, plan.cells())
        && let Some(found) = on_cpu(&cpu::hunt_szymanski::ALGORITHM, plan, options)?
    {
        return Ok(found);
    }
    on_engine(plan, options)
}

/// Finds the matches by an algorithm of the engine's table: the named one, or the first.
fn on_engine(plan: &MatchesPlan<'_>, options: Options<'_>) -> Result<Matches> {
    let algorithm = options.algorithm;
    let by_cpu = || {
        let row = algorithm.row(cpu::ALGORITHMS, EngineKind::Cpu, |row| &row.about)?;
        on_cpu(row, plan, options)?.ok_or_else(|| row.about.unsupported("did not terminate".into()))
    };
    let is_cpu_s = algorithm.is_auto() || algorithm.about(EngineKind::Cpu).is_some();
    let is_faster_on_gpu = || {
        let work = Work::of_table(plan.a.len() as u64, plan.b.len() as u64);
        algorithm.is_auto() && TOKEN_COSTS.prefers_gpu(work, Machine::here)
    };
    match options.devices {
        Some(Devices::Cpu(cpu)) => cpu.run(by_cpu),
        Some(Devices::Gpus(gpus)) => threads::run(|| on_devices(gpus, EngineKind::Gpu, plan, options)),
        #[cfg(feature = "simt")]
        Some(Devices::Simulated(devices)) => threads::run(|| on_devices(devices, EngineKind::Simt, plan, options)),
        None if is_cpu_s && !is_faster_on_gpu() => Cpu::new().run(by_cpu),
        None => match Gpu::opened_or_open() {
            Ok(ReadyGpu { gpu, open }) => {
                options.ran(&[], 0, Timings { open, ..Timings::default() });
                threads::run(|| on_devices(&[gpu.device().clone()], EngineKind::Gpu, plan, options))
            }
            Err(_) if is_cpu_s => threads::run(by_cpu),
            Err(error) => Err(error),
        },
    }
}

/// Finds the matches by a row of the CPU's table, on the threads of the caller; `None` if it gives
/// up.
fn on_cpu(row: &CpuAlgorithm, plan: &MatchesPlan<'_>, options: Options<'_>) -> Result<Option<Matches>> {
    let found = (row.matches)(plan)?;
    if found.is_some() {
        let ran = Ran { engine: EngineKind::Cpu, algorithm: row.about.name };
        options.ran(&[ran], 0, Timings::default());
    }
    Ok(found)
}

/// Finds the matches by devices: they compute large tables of Hirschberg's recursion, and the CPU
/// the others.
fn on_devices<D: Device>(
    devices: &[Arc<D>],
    engine: EngineKind,
    plan: &MatchesPlan<'_>,
    options: Options<'_>,
) -> Result<Matches> {
    let row = options.algorithm.row(DeviceAlgorithm::<D>::ALL, engine, |row| row.about)?;
    if devices.len() > row.about.limits.devices {
        return Err(row.about.takes_one_gpu(devices.len()));
    }
    let devices: Vec<&D> = devices.iter().map(|device| &**device).collect();
    let threads = rayon::current_num_threads();
    let is_large = |level| engine == EngineKind::Simt || TOKEN_COSTS.level_is_faster_on_gpu(level, threads);
    let Found { matches, timings } = (row.matches)(&devices, plan, &is_large)?;
    options.ran(&[Ran { engine, algorithm: row.about.name }], plan.tokens(), timings);
    Ok(matches)
}

/// Finds the matches by an algorithm for strings of bytes; `None` for sequences with more than 256
/// different tokens in common.
///
/// # Errors
/// The errors of `of_bytes`, and [`Error::Memory`](crate::Error::Memory).
pub(super) fn runs_of_bytes(
    a: &[u32],
    b: &[u32],
    of_bytes: impl FnOnce(&[u8], &[u8]) -> Result<Vec<Run>>,
) -> Result<Option<Vec<Run>>> {
    let most = greatest(a, b) as usize;
    let Kept { a, b, kinds, .. } = kept(a, b, most)?;
    if kinds > BYTES {
        return Ok(None);
    }
    let found = of_bytes(&bytes(&a.tokens), &bytes(&b.tokens))?;
    let mut runs = Vec::new();
    put_back(&found, [&a, &b], 0, &mut runs);
    Ok(Some(runs))
}

/// Returns tokens below 256 as bytes.
fn bytes(tokens: &[u32]) -> Vec<u8> {
    threads::run(|| tokens.par_iter().with_min_len(TASK).map(|&token| token as u8).collect())
}

/// Returns a slice without its last `after` items.
fn rest(tokens: &[u32], after: usize) -> &[u32] {
    tokens.get(..tokens.len() - after.min(tokens.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::pairwise::recurrence::lcs_length;

    #[test]
    fn random_tokens() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let kinds = [1, 2, 5, 30, 1000, 100_000, u32::MAX][random.usize(..7)];
            let mut tokens =
                |most: usize| (0..random.usize(..most)).map(|_| random.u32(..=kinds - 1)).collect::<Vec<_>>();
            let (start, end) = (tokens(5), tokens(5));
            let side = |side: &[u32]| [&start, side, &end].concat();
            let (mut a, mut b) = (side(&tokens(50)), side(&tokens(50)));
            // Among large numbers, hardly any are equal by chance.
            for _ in 0..random.usize(..20) {
                let (Some(x), false) = (a.get(random.usize(..a.len().max(1))), b.is_empty()) else { break };
                let place = random.usize(..b.len());
                b[place] = *x;
            }
            if random.bool() {
                std::mem::swap(&mut a, &mut b);
            }
            let settled = std::sync::atomic::AtomicU64::new(0);
            let progress = |tokens| {
                settled.fetch_add(tokens, std::sync::atomic::Ordering::Relaxed);
            };
            let runs = runs(&a, &b, Options { progress: &progress, ..Options::default() }).unwrap();
            assert_eq!(settled.into_inner(), (a.len() + b.len()) as u64);
            assert_eq!(length(&a, &b, Options::default()).unwrap(), lcs_length(&a, &b), "{a:?} {b:?}");
            for run in &runs {
                let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
                assert_eq!(a[x..x + len], b[y..y + len], "{a:?} {b:?}");
            }
            let lcs = CommonSubsequence::new(runs.clone(), a.len() as u64, b.len() as u64).unwrap();
            assert_eq!(lcs.runs(), runs);
            assert_eq!(lcs.len(), lcs_length(&a, &b), "{a:?} {b:?}");
        }
    }

    /// Every algorithm gives an LCS, and those by bit-vectors give the same one.
    #[test]
    #[cfg(feature = "simt")]
    fn every_algorithm_gives_an_lcs() {
        use crate::device::Simt;
        let mut random = fastrand::Rng::with_seed(2);
        let simulated = Devices::from_engine(&Simt::new());
        let cpu = Devices::from_engine(&Cpu::new());
        for kinds in [3, 200, 300, 5000, 70_000] {
            for (m, n) in [(40, 70), (1500, 900)] {
                // Few of the possible tokens, so that there are matches.
                let some: Vec<u32> = (0..kinds.min(600)).map(|_| random.u32(..kinds)).collect();
                let mut text = |len| (0..len).map(|_| some[random.usize(..some.len())]).collect::<Vec<u32>>();
                let (a, b) = (text(m), text(n));
                let expected = lcs_length(&a, &b);
                let of = |devices: Option<&Devices>, algorithm: &str| {
                    let recorder = Recorder::new();
                    let algorithm = ItemAlgorithm::named(algorithm).unwrap();
                    let options = Options { devices, algorithm, recorder: Some(&recorder), ..Options::default() };
                    assert_eq!(length(&a, &b, options).unwrap(), expected, "{algorithm} {devices:?}");
                    let runs = runs(&a, &b, options).unwrap();
                    let ran = recorder.report().and_then(|report| report.algorithm());
                    assert!(
                        algorithm.is_auto() || ran.is_none_or(|ran| ran == algorithm.name()),
                        "{algorithm} {ran:?}"
                    );
                    let lcs = CommonSubsequence::new(runs, m as u64, n as u64).unwrap();
                    for run in lcs.runs() {
                        let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
                        assert_eq!(a[x..x + len], b[y..y + len], "{kinds} kinds");
                    }
                    assert_eq!(lcs.len(), expected, "{m} × {n}, {kinds} kinds, {devices:?}");
                    lcs
                };
                for algorithm in ["auto", "hunt-szymanski", "furthest-reaching"] {
                    of(None, algorithm);
                }
                let by_cpu = of(Some(&cpu), "bit-parallel");
                assert_eq!(of(Some(&simulated), "wavefront"), by_cpu, "{m} × {n}, {kinds} kinds");
                assert_eq!(of(None, "bit-parallel"), by_cpu);
                let of_devices = Options { devices: Some(&simulated), ..Options::default() };
                let named = Options { algorithm: ItemAlgorithm::named("bit-parallel").unwrap(), ..of_devices };
                assert!(matches!(runs(&a, &b, named), Err(crate::Error::Unsupported { .. })));
            }
        }
    }
}
