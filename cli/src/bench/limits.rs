//! The limits of an engine: what is measured before its jobs.

use carrywave::Result;
use carrywave::device::{Engine, EngineKind};
use carrywave::internal::measure::ceilings::{Ceiling, Limit};
use carrywave::internal::measure::cpu::{CpuRates, Effort};
use carrywave::internal::measure::gpu::{GpuRates, TURNS};
use carrywave::internal::measure::{Measured, spread};
use serde::Serialize;

/// Bytes that are read to measure memory: on the CPU more than most caches hold, on a GPU more still.
const CPU_BYTES: usize = 1 << 28;
const GPU_BYTES: usize = 1 << 31;

/// Turns of the CPU's loops: a quarter of a millisecond or so, so that there are some in which nothing else runs. And timings for each of a job.
const CPU_TURNS: u32 = 1 << 16;
const CPU_RUNS: usize = 4;

/// What jobs of an engine are held against.
#[derive(Debug)]
pub enum Limits {
    Cpu(CpuRates),
    /// Of a GPU or the simulator.
    Gpu(EngineKind, GpuRates),
}

/// A limit in a report.
#[derive(Debug, Serialize)]
pub struct LimitRow {
    pub engine: EngineKind,
    pub name: &'static str,
    /// In its unit: by the fastest run, and by the median.
    pub rate: f64,
    pub median: f64,
    pub unit: &'static str,
    seconds: Vec<f64>,
}

impl Limits {
    /// Those of an engine.
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

    /// Reading a text, a byte a symbol.
    pub fn reading(&self) -> Ceiling {
        match self {
            Self::Cpu(rates) => rates.reading(),
            Self::Gpu(_, rates) => rates.reading(),
        }
    }

    /// Cells of the LCS of strings of so many symbols.
    pub fn lcs(&self, symbols: usize) -> Ceiling {
        match self {
            Self::Cpu(rates) => rates.lcs(symbols),
            Self::Gpu(_, rates) => rates.lcs(),
        }
    }

    /// Cells of the edit distance of DNA.
    pub fn distance_of_dna(&self) -> Option<Ceiling> {
        match self {
            Self::Cpu(rates) => rates.distance(4),
            Self::Gpu(_, rates) => Some(rates.distance_of_dna()),
        }
    }

    /// Cells of the edit distances of listed pairs of DNA.
    pub fn pairs_of_dna(&self) -> Option<Ceiling> {
        match self {
            Self::Cpu(rates) => rates.listed_pairs(4),
            Self::Gpu(_, rates) => Some(rates.listed_pairs(4)),
        }
    }

    /// What a report says of them.
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
    /// A rate in a unit of so many a second.
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
