//! Upper bounds on the throughput of jobs, if the limiting resource were always in use: a measured
//! rate divided by the number of instructions per cell. Loads, stores, the exchange of carries and
//! waiting are left out, so no job reaches its ceiling.
//!
//! | job | instructions | counted in |
//! |---|---|---|
//! | LCS, CPU, lanes | P + 2, or 2 P + 4 | `cpu::lcs_cell`, `cpu::lanes` |
//! | LCS, CPU, words | the word itself, for 64 cells | `lcs::cpu::strip` |
//! | edit distance, CPU, lanes | P + 5, or 2 P + 8 | `distance::cpu::lane_cell` |
//! | listed pairs, CPU | P + 5, or 2 P + 10 | `pairs::cpu::recurrence` |
//! | LCS, GPU | 3 W + 1 of the logic pipe | `kernels::lcs::lane_column` |
//! | edit distance, GPU | W (P + 3) + P + 7 of the logic pipe | `kernels::distance::wavefront` |
//! | overlap, GPU | W (P + 23) + P + 12 of that | `kernels::distance::overlap_wavefront` |
//! | pairs, GPU | P + 5, or P + 3 and 4 additions | `kernels::distance::listed_pairs` |
//!
//! P is the number of bit planes, log₂ σ, and W the number of words of a lane. On the CPU, the
//! first number is that of AVX-512, for 512 cells, and the second that of AVX2, for 256 cells. On
//! the GPU, LCS and edit distance compute 32 W cells with the instructions given. Pairs compute 32
//! cells with P + 5 instructions of the logic pipe alone, or with P + 3 and 4 additions on both
//! pipes.

use super::cpu::{CpuRates, VectorRate};
use super::gpu::GpuRates;
use crate::cpu::planes::planes;
use carrywave_kernels::measure::issue_rate::carry_instructions;

/// The rate that limits a job, and the job's throughput at that rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceiling {
    /// The rate.
    pub limit: Limit,
    /// Cells per second, or other units of work of the job.
    pub per_second: f64,
}

/// The resource that limits a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Reads from memory.
    Memory,
    /// Logic instructions of the CPU's vectors.
    Vectors,
    /// Words of columns on the CPU.
    Words,
    /// The GPU's pipe for logic instructions and additions with carry.
    Logic,
    /// All integer pipes of the GPU.
    AllPipes,
}

impl Limit {
    /// Returns the name in tables.
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

/// Number of words of the widest lane of the GPU's LCS; narrower lanes are slower.
const LCS_WORDS: u64 = 20;

/// Number of words of the widest lane of the GPU's edit distance of DNA.
const DISTANCE_WORDS: f64 = 19.0;

/// Number of words of the widest lane of the GPU's overlaps of DNA.
const OVERLAP_WORDS: f64 = 12.0;

/// Up to this alphabet size, AVX2's lanes are faster than words.
const AVX2_SYMBOLS: usize = 64;

impl VectorRate {
    /// Returns the ceiling if a vector of cells takes `avx512` instructions of AVX-512, or `avx2`
    /// instructions of AVX2.
    fn cells(&self, avx512: usize, avx2: usize) -> Ceiling {
        let instructions = if self.bits == 512 { avx512 } else { avx2 };
        let per_second = self.instructions.per_second * self.bits as f64 / instructions as f64;
        Ceiling { limit: Limit::Vectors, per_second }
    }
}

impl CpuRates {
    /// Returns the ceiling in symbols of a text of bytes.
    pub fn reading(&self) -> Ceiling {
        Ceiling { limit: Limit::Memory, per_second: self.memory.per_second }
    }

    /// Returns the ceiling in cells of the LCS of long strings with `symbols` different symbols.
    pub fn lcs(&self, symbols: usize) -> Ceiling {
        let planes = planes(symbols);
        match &self.vectors {
            Some(vectors) if vectors.bits == 512 || symbols <= AVX2_SYMBOLS => {
                vectors.cells(planes + 2, 2 * planes + 4)
            }
            _ => Ceiling { limit: Limit::Words, per_second: 64.0 * self.words.per_second },
        }
    }

    /// Returns the ceiling in cells of the edit distance of long strings; `None` without vectors,
    /// because the instructions for words are not measured.
    pub fn distance(&self, symbols: usize) -> Option<Ceiling> {
        let planes = planes(symbols);
        Some(self.vectors.as_ref()?.cells(planes + 5, 2 * planes + 8))
    }

    /// Returns the ceiling in cells of the edit distances of listed pairs; `None` without vectors.
    pub fn listed_pairs(&self, symbols: usize) -> Option<Ceiling> {
        let planes = planes(symbols);
        Some(self.vectors.as_ref()?.cells(planes + 5, 2 * planes + 10))
    }
}

impl GpuRates {
    /// Returns the ceiling in symbols of a text of bytes in the GPU's memory.
    pub fn reading(&self) -> Ceiling {
        Ceiling { limit: Limit::Memory, per_second: self.memory.per_second }
    }

    /// Returns the ceiling in cells of the LCS of long strings.
    pub fn lcs(&self) -> Ceiling {
        Ceiling { limit: Limit::Logic, per_second: lcs_on_gpu(self.logic.per_second) }
    }

    /// Returns the ceiling in cells of the edit distance of long strings of DNA.
    pub fn distance_of_dna(&self) -> Ceiling {
        Ceiling { limit: Limit::Logic, per_second: distance_of_dna_on_gpu(self.logic.per_second) }
    }

    /// Returns the ceiling in cells of the edit distances of listed pairs, for the kernel that uses
    /// both pipes: the pipe that is busy for longer is the limit.
    pub fn listed_pairs(&self, symbols: usize) -> Ceiling {
        let planes = planes(symbols) as f64;
        let logic = cells(self.logic.per_second, planes + 3.0);
        let all = pairs_by_all_pipes(self.all.per_second, planes);
        let limit = if logic < all { Limit::Logic } else { Limit::AllPipes };
        Ceiling { limit, per_second: logic.min(all) }
    }
}

/// Returns the cells per second, if a thread takes `instructions` instructions for 32 cells.
fn cells(rate: f64, instructions: f64) -> f64 {
    rate / instructions * 32.0
}

/// Returns the cells per second of the LCS of long strings at a rate of the logic pipe.
pub fn lcs_on_gpu(logic: f64) -> f64 {
    cells(logic, carry_instructions(LCS_WORDS) as f64) * LCS_WORDS as f64
}

/// Returns the cells per second of the edit distance of long strings of DNA at a rate of the logic
/// pipe: W (P + 3) instructions for the cells, and P + 7 for shifts and the loop.
pub fn distance_of_dna_on_gpu(logic: f64) -> f64 {
    let planes = 2.0;
    cells(logic, DISTANCE_WORDS * (planes + 3.0) + planes + 7.0) * DISTANCE_WORDS
}

/// Returns the cells per second of overlaps of DNA at a rate of the logic pipe: W (P + 23)
/// instructions for the cells, and P + 12 for shifts and the loop. An overlap computes each cell
/// twice.
pub fn overlap_of_dna_on_gpu(logic: f64) -> f64 {
    let planes = 2.0;
    cells(logic, OVERLAP_WORDS * (planes + 23.0) + planes + 12.0) * OVERLAP_WORDS
}

/// Returns the cells per second of pairs' edit distances at the rate of all pipes, logic
/// instructions and additions together. With 0 `planes` the matches are read from a table.
pub fn pairs_by_all_pipes(all: f64, planes: f64) -> f64 {
    cells(all, planes + 7.0)
}
