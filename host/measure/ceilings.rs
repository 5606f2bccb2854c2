//! How fast a job could be, if what limits it were in use all the time: a rate that was measured over the instructions that were counted for a
//! cell. Loads, stores, carries that are handed on and waiting are left out, so that no job gets there.
//!
//! | job | instructions | counted in |
//! |---|---|---|
//! | LCS, CPU, lanes | P + 2 of AVX-512 for 512 cells, 2 P + 4 of AVX2 for 256; P: bit planes, log₂ σ | `cpu::lcs_cell`, `cpu::lanes` |
//! | LCS, CPU, words | the word itself, for 64 cells | `lcs::cpu::strip` |
//! | edit distance, CPU, lanes | P + 5, or 2 P + 8 | `distance::cpu::lane_cell` |
//! | listed pairs, CPU | P + 5, or 2 P + 10 | `pairs::cpu::recurrence` |
//! | LCS, GPU | 3 W + 1 of the logic pipe for 32 W cells; W: words of a lane | `kernels::lcs::lane_column` |
//! | edit distance, GPU | W (P + 3) + P + 7 of the logic pipe for 32 W cells | `kernels::distance::wavefront` |
//! | pairs, GPU | P + 5 of the logic pipe alone, or P + 3 and 4 additions on both, for 32 cells | `kernels::distance::listed_pairs` |

use super::cpu::{CpuRates, VectorRate};
use super::gpu::GpuRates;
use crate::cpu::planes::planes;
use carrywave_kernels::measure::issue_rate::carry_instructions;

/// Which rate limits a job, and how much of the job it allows in a second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceiling {
    /// The rate.
    pub limit: Limit,
    /// Cells, or whatever the job is measured in.
    pub per_second: f64,
}

/// What limits jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Reading memory.
    Memory,
    /// Logic instructions of the CPU's vectors.
    Vectors,
    /// Words of columns on the CPU.
    Words,
    /// The GPU's pipe of logic instructions and additions with carry.
    Logic,
    /// All of the GPU's pipes of integer instructions.
    AllPipes,
}

impl Limit {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory read",
            Self::Vectors => "vector logic",
            Self::Words => "words of columns",
            Self::Logic => "logic pipe",
            Self::AllPipes => "all integer pipes",
        }
    }
}

/// Words of the widest lane of the GPU's LCS: narrower ones are slower.
const LCS_WORDS: u64 = 20;

/// The same of the edit distance of DNA.
const DISTANCE_WORDS: f64 = 19.0;

/// The most symbols of an alphabet for which AVX2's lanes are faster than words.
const AVX2_SYMBOLS: usize = 64;

impl VectorRate {
    /// By so many instructions of AVX-512 for a vector of cells, or so many of AVX2.
    fn cells(&self, avx512: usize, avx2: usize) -> Ceiling {
        let instructions = if self.bits == 512 { avx512 } else { avx2 };
        let per_second = self.instructions.per_second * self.bits as f64 / instructions as f64;
        Ceiling { limit: Limit::Vectors, per_second }
    }
}

impl CpuRates {
    /// Symbols of a text of bytes.
    pub fn reading(&self) -> Ceiling {
        Ceiling { limit: Limit::Memory, per_second: self.memory.per_second }
    }

    /// Cells of the LCS of long strings of so many symbols.
    pub fn lcs(&self, symbols: usize) -> Ceiling {
        let planes = planes(symbols);
        match &self.vectors {
            Some(vectors) if vectors.bits == 512 || symbols <= AVX2_SYMBOLS => {
                vectors.cells(planes + 2, 2 * planes + 4)
            }
            _ => Ceiling { limit: Limit::Words, per_second: 64.0 * self.words.per_second },
        }
    }

    /// Cells of the edit distance of long strings; none where words compute it, whose instructions are not measured.
    pub fn distance(&self, symbols: usize) -> Option<Ceiling> {
        let planes = planes(symbols);
        Some(self.vectors.as_ref()?.cells(planes + 5, 2 * planes + 8))
    }

    /// Cells of the edit distances of listed pairs; none where words compute them.
    pub fn listed_pairs(&self, symbols: usize) -> Option<Ceiling> {
        let planes = planes(symbols);
        Some(self.vectors.as_ref()?.cells(planes + 5, 2 * planes + 10))
    }
}

impl GpuRates {
    /// Symbols of a text of bytes in the GPU's memory.
    pub fn reading(&self) -> Ceiling {
        Ceiling { limit: Limit::Memory, per_second: self.memory.per_second }
    }

    /// Cells of the LCS of long strings.
    pub fn lcs(&self) -> Ceiling {
        Ceiling { limit: Limit::Logic, per_second: lcs_on_gpu(self.logic.per_second) }
    }

    /// Cells of the edit distance of long strings of DNA.
    pub fn distance_of_dna(&self) -> Ceiling {
        Ceiling { limit: Limit::Logic, per_second: distance_of_dna_on_gpu(self.logic.per_second) }
    }

    /// Cells of the edit distances of listed pairs, by the kernel whose cells go through both pipes: by the one of them that is in use for longer.
    pub fn listed_pairs(&self, symbols: usize) -> Ceiling {
        let planes = planes(symbols) as f64;
        let logic = cells(self.logic.per_second, planes + 3.0);
        let all = pairs_by_all_pipes(self.all.per_second, planes);
        let limit = if logic < all { Limit::Logic } else { Limit::AllPipes };
        Ceiling { limit, per_second: logic.min(all) }
    }
}

/// Cells a second by so many instructions of a thread for 32.
fn cells(rate: f64, instructions: f64) -> f64 {
    rate / instructions * 32.0
}

/// Cells of the LCS of long strings by a rate of the logic pipe.
pub fn lcs_on_gpu(logic: f64) -> f64 {
    cells(logic, carry_instructions(LCS_WORDS) as f64) * LCS_WORDS as f64
}

/// Cells of the edit distance of long strings of DNA by a rate of the logic pipe: W (P + 3) instructions for the cells, and P + 7 for
/// shifts and the loop.
pub fn distance_of_dna_on_gpu(logic: f64) -> f64 {
    let planes = 2.0;
    cells(logic, DISTANCE_WORDS * (planes + 3.0) + planes + 7.0) * DISTANCE_WORDS
}

/// Returns the cells per second of pairs' edit distances at the rate of all pipes, logic instructions and additions together. With 0 `planes` the
/// matches come from a table.
pub fn pairs_by_all_pipes(all: f64, planes: f64) -> f64 {
    cells(all, planes + 7.0)
}
