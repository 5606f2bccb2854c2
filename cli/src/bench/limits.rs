//! Hardware limits of an engine, measured before its jobs.

use carrywave::Result;
use carrywave::device::{Engine, EngineKind};
use carrywave::internal::measure::ceilings::{Ceiling, Limit};
use carrywave::internal::measure::cpu::{CpuRates, Effort};
use carrywave::internal::measure::gpu::{GpuRates, TURNS};
use carrywave::internal::measure::{Measured, spread};
use serde::Serialize;

/// Number of bytes read to measure memory bandwidth. On the CPU they exceed most caches; a GPU
/// reads more.
const CPU_BYTES: usize = 1 << 28;
const GPU_BYTES: usize = 1 << 31;

/// Iterations of the CPU's measuring loops: about 0.25 ms, short enough that some runs are
/// undisturbed by other processes. `CPU_RUNS` is the number of loop timings for each timing of a
/// job.
const CPU_TURNS: u32 = 1 << 16;
const CPU_RUNS: usize = 4;

/// Hardware limits that the jobs of an engine are compared with.
#[derive(Debug)]
pub enum Limits {
    Cpu(CpuRates),
    /// Limits of a GPU or of the simulator.
    Gpu(EngineKind, GpuRates),
}

/// A limit in a report.
#[derive(Debug, Serialize)]
pub struct LimitRow {
    pub engine: EngineKind,
    pub name: &'static str,
    /// Rates in `unit`: `rate` of the fastest run, `median` of the median run.
    pub rate: f64,
    pub median: f64,
    pub unit: &'static str,
    seconds: Vec<f64>,
}

impl Limits {
    /// Measures the limits of an engine.
    pub fn measured(engine: &dyn Engine, runs: usize, quick: bool) -> Result<Self> {
        let kind = engine.kind();
        let effort = match (kind, quick) {
            (EngineKind::Cpu, false) => {
                Effort { runs: runs.saturating_mul(CPU_RUNS), bytes: CPU_BYTES, turns: CPU_TURNS }
            }
            (_, false) => Effort { runs, bytes: GPU_BYTES, turns: TURNS },
            (EngineKind::Simt, true) => Effort { runs: 1, bytes: 1 << 14, turns: 1 },
            (_, true) => Effort { runs: 1, bytes: 1 << 24, turns: 1 << 8 },
        };
        Ok(match kind {
            EngineKind::Cpu => Self::Cpu(CpuRates::measured(effort)?),
            _ => Self::Gpu(kind, GpuRates::measured(engine, effort)?),
        })
    }

    /// Returns the limit of reading a text with one byte per symbol.
    pub fn reading(&self) -> Ceiling {
        match self {
            Self::Cpu(rates) => rates.reading(),
            Self::Gpu(_, rates) => rates.reading(),
        }
    }

    /// Returns the limit, in cells, of an LCS of strings with `symbols` different symbols.
    pub fn lcs(&self, symbols: usize) -> Ceiling {
        match self {
            Self::Cpu(rates) => rates.lcs(symbols),
            Self::Gpu(_, rates) => rates.lcs(),
        }
    }

    /// Returns the limit, in cells, of an edit distance of DNA strings.
    pub fn distance_of_dna(&self) -> Option<Ceiling> {
        match self {
            Self::Cpu(rates) => rates.distance(4),
            Self::Gpu(_, rates) => Some(rates.distance_of_dna()),
        }
    }

    /// Returns the limit, in cells, of the edit distances of a list of DNA pairs.
    pub fn pairs_of_dna(&self) -> Option<Ceiling> {
        match self {
            Self::Cpu(rates) => rates.listed_pairs(4),
            Self::Gpu(_, rates) => Some(rates.listed_pairs(4)),
        }
    }

    /// Returns the limits as rows of a report.
    pub fn rows(&self) -> Vec<LimitRow> {
        const INSTRUCTIONS: &str = "10^12 instructions/s";
        match self {
            Self::Cpu(rates) => {
                let row = |limit, unit, scale, measured| LimitRow::new(EngineKind::Cpu, limit, unit, scale, measured);
                let mut rows = vec![row(Limit::Memory, "GB/s", 1e9, &rates.memory)];
                if let Some(rate) = &rates.vectors {
                    let unit = if rate.bits == 512 {
                        "10^9 instructions/s of 512 bits"
                    } else {
                        "10^9 instructions/s of 256 bits"
                    };
                    rows.push(row(Limit::Vectors, unit, 1e9, &rate.instructions));
                }
                rows.push(row(Limit::Words, "10^9 words of 64 cells/s", 1e9, &rates.words));
                rows
            }
            Self::Gpu(kind, rates) => vec![
                LimitRow::new(*kind, Limit::Memory, "GB/s", 1e9, &rates.memory),
                LimitRow::new(*kind, Limit::Logic, INSTRUCTIONS, 1e12, &rates.logic),
                LimitRow::new(*kind, Limit::AllPipes, INSTRUCTIONS, 1e12, &rates.all),
            ],
        }
    }
}

impl LimitRow {
    /// Converts a measured rate to `unit`, which stands for `scale` per second.
    fn new(engine: EngineKind, limit: Limit, unit: &'static str, scale: f64, measured: &Measured) -> Self {
        let (median, least, _) = spread(&measured.seconds);
        let rate = measured.per_second / scale;
        Self {
            engine,
            name: limit.name(),
            rate,
            median: rate * least / median,
            unit,
            seconds: measured.seconds.clone(),
        }
    }
}
