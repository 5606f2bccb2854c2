//! Measures the costs of jobs on this machine: `carrywave bench --calibrate`.
//!
//! A job runs with two strings of n symbols, for growing n. The least time of a few runs counts.
//! The time of short strings on a GPU is that of any call, and the last size and a quarter of it
//! give the time of a symbol and of a cell.

use super::inputs::{random, tokens};
use crate::cost::calibration::{Calibration, Measured};
use crate::cost::{Cost, JobCosts};
use crate::device::{Cpu, Engine, EngineKind, Gpu};
use crate::distance::thresholds::{DISTANCE_COSTS, SCRIPT_COSTS};
use crate::error::Result;
use crate::lcs::thresholds::{LENGTH_COSTS, SUBSEQUENCE_COSTS, TOKEN_COSTS};
use crate::pairs::Pairs;
use crate::pairs::thresholds::MATRIX_COSTS;
use crate::{distance, lcs};
use std::time::Instant;

/// A job with its input.
type Prepared = Box<dyn Fn(&dyn Engine) -> Result<()>>;

/// A job whose costs are measured.
struct Job {
    costs: &'static JobCosts,
    /// Makes an input of two strings of n symbols.
    prepare: fn(usize) -> Prepared,
}

/// Number of symbols of a string of a list.
const LISTED: usize = 200;

/// Returns two random strings of n bases.
fn strings(n: usize) -> [Vec<u8>; 2] {
    [1, 2].map(|seed| random(n, 4, seed))
}

const JOBS: &[Job] = &[
    Job {
        costs: &LENGTH_COSTS,
        prepare: |n| {
            let [a, b] = strings(n);
            Box::new(move |engine| lcs::Comparison::new().on(engine).length(&a, &b).map(drop))
        },
    },
    Job {
        costs: &SUBSEQUENCE_COSTS,
        prepare: |n| {
            let [a, b] = strings(n);
            Box::new(move |engine| lcs::Comparison::new().on(engine).alignment(&a, &b).map(drop))
        },
    },
    Job {
        costs: &TOKEN_COSTS,
        prepare: |n| {
            let [a, b] = [1, 2].map(|seed| tokens(n, 1000, seed));
            Box::new(move |engine| {
                // `auto` first tries on the CPU whether the sequences are similar, whatever the
                // engine.
                let algorithm = if engine.kind() == EngineKind::Cpu { "bit-parallel" } else { "wavefront" };
                let comparison =
                    lcs::Comparison::new().on(engine).item_algorithm(lcs::ItemAlgorithm::named(algorithm)?);
                comparison.alignment_of(&a, &b).map(drop)
            })
        },
    },
    Job {
        costs: &DISTANCE_COSTS,
        prepare: |n| {
            let [a, b] = strings(n);
            Box::new(move |engine| distance::Comparison::new().on(engine).distance(&a, &b).map(drop))
        },
    },
    Job {
        costs: &SCRIPT_COSTS,
        prepare: |n| {
            let [a, b] = strings(n);
            Box::new(move |engine| distance::Comparison::new().on(engine).script(&a, &b).map(drop))
        },
    },
    Job {
        costs: &MATRIX_COSTS,
        prepare: |n| {
            let [a, b] = strings(n);
            Box::new(move |engine| {
                let [a, b]: [Vec<&[u8]>; 2] = [&a, &b].map(|all| all.chunks(LISTED).collect());
                Pairs::new().on(engine).all(&a, &b, |_, _| Ok(()))
            })
        },
    },
];

/// The sizes that are measured, in symbols of a string: the first, and the last if no call takes
/// long enough before.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// The first size; each size is twice the one before.
    pub first: usize,
    /// The last size.
    pub last: usize,
    /// Seconds of a call that are long enough.
    pub enough: f64,
}

impl Sizes {
    /// Sizes for a CPU.
    pub const CPU: Self = Self { first: 1 << 14, last: 1 << 23, enough: 0.15 };
    /// Sizes for a GPU.
    pub const GPU: Self = Self { first: 1 << 12, last: 1 << 23, enough: 0.05 };
}

/// Number of runs of each size; the first one may load kernels. A run of `LONG` seconds is the
/// last.
const RUNS: usize = 3;
const LONG: f64 = 0.5;

/// Measures the costs of all jobs on the CPU threads of the caller, and on a GPU if `gpu` is given,
/// which is opened. `progress` gets the name of each measurement.
///
/// # Errors
/// Errors of the jobs, and of opening the GPU.
pub fn calibrate(gpu: Option<usize>, progress: &mut dyn FnMut(String)) -> Result<Calibration> {
    let mut calibration = Calibration::default();
    let mut opened = None;
    if let Some(number) = gpu {
        progress("opening the GPU".into());
        let [first, later] = opening(|| Gpu::open(number), &mut opened)?;
        calibration.opening = Some((first - later).max(0.0));
    }
    let cpu = Cpu::new();
    for job in JOBS {
        let mut measured = Measured::default();
        progress(format!("{} on the CPU", job.costs.name));
        measured.cpu = Some(job.measure(&cpu, Sizes::CPU)?);
        if let Some(gpu) = &opened {
            progress(format!("{} on the GPU", job.costs.name));
            measured.gpu = Some(job.measure(gpu, Sizes::GPU)?);
        }
        calibration.jobs.insert(job.costs.name.into(), measured);
    }
    Ok(calibration)
}

/// Returns the number of measurements of a calibration.
pub fn steps(with_gpu: bool) -> usize {
    if with_gpu { 1 + 2 * JOBS.len() } else { JOBS.len() }
}

/// Opens an engine, and returns the seconds until it has done its first call, and those of a later
/// call.
fn opening<E: Engine>(open: impl FnOnce() -> Result<E>, opened: &mut Option<E>) -> Result<[f64; 2]> {
    let call = (JOBS[0].prepare)(Sizes::GPU.first);
    let started = Instant::now();
    let engine = &*opened.insert(open()?);
    call(engine)?;
    let first = started.elapsed().as_secs_f64();
    Ok([first, least_seconds(&call, engine)?])
}

/// Returns the least time of a few runs, in seconds.
fn least_seconds(call: &Prepared, engine: &dyn Engine) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let started = Instant::now();
        call(engine)?;
        let seconds = started.elapsed().as_secs_f64();
        least = least.min(seconds);
        if seconds > LONG {
            break;
        }
    }
    Ok(least)
}

/// The time of a job with two strings of n symbols.
#[derive(Debug, Clone, Copy)]
struct Timed {
    n: f64,
    seconds: f64,
}

impl Job {
    /// Measures the costs on an engine.
    fn measure(&self, engine: &dyn Engine, sizes: Sizes) -> Result<Cost> {
        let mut times = Vec::new();
        let mut n = sizes.first;
        loop {
            let seconds = least_seconds(&(self.prepare)(n), engine)?;
            times.push(Timed { n: n as f64, seconds });
            if times.len() >= 3 && seconds >= sizes.enough || n >= sizes.last {
                break;
            }
            n *= 2;
        }
        let is_cpu = engine.kind() == EngineKind::Cpu;
        let call = if is_cpu { 0.0 } else { times[0].seconds };
        let pair = [times[times.len().saturating_sub(3)], times[times.len() - 1]];
        let fitted = fit(call, pair);
        Ok(if is_cpu {
            Cost { cell: fitted.cell * rayon::current_num_threads() as f64, ..fitted }
        } else {
            // Both strings have symbols.
            Cost { symbol: fitted.symbol / 2.0, ..fitted }
        })
    }
}

/// Returns the costs of a call, of n, and of n², by two times; no cost is negative.
fn fit(call: f64, [one, other]: [Timed; 2]) -> Cost {
    let per_symbol = |time: Timed| (time.seconds - call).max(0.0) / time.n;
    let cell = (per_symbol(other) - per_symbol(one)) / (other.n - one.n).max(1.0);
    let most = (per_symbol(other) / other.n).max(f64::MIN_POSITIVE);
    // Noise must not make a cost negative.
    let cell = if cell > 0.0 { cell.min(most) } else { most };
    Cost { call, symbol: (per_symbol(other) - cell * other.n).max(0.0), cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_found_again() {
        let time = |n: f64| Timed { n, seconds: 1e-3 + 2e-8 * n + 5e-12 * n * n };
        let found = fit(1e-3, [time(1e4), time(4e4)]);
        assert!((found.symbol / 2e-8 - 1.0).abs() < 1e-6 && (found.cell / 5e-12 - 1.0).abs() < 1e-6, "{found:?}");
        // The longer call took less time.
        let [one, other] = [Timed { n: 1e4, seconds: 1.0 }, Timed { n: 4e4, seconds: 0.5 }];
        let found = fit(0.0, [one, other]);
        assert_eq!((found.symbol, found.cell), (0.0, 0.5 / 16e8));
        assert!(fit(1.0, [one, other]).cell > 0.0);
    }

    #[test]
    fn every_job_is_measured() {
        let sizes = Sizes { first: 64, last: 256, enough: 0.0 };
        for job in JOBS {
            let cost = job.measure(&Cpu::new(), sizes).unwrap();
            assert!(cost.cell > 0.0 && cost.call == 0.0 && cost.symbol >= 0.0, "{}: {cost:?}", job.costs.name);
        }
    }
}
