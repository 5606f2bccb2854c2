//! The rates of the CPU with all threads: bytes per second read from memory, logic instructions of
//! vectors per second, and words of an LCS column per second.
//!
//! **Logic instructions.** `CHAINS` vectors in registers are each updated to x & !(a ^ b)
//! repeatedly: one instruction of AVX-512, or two of AVX2. The chains are independent, so the units
//! are always busy. With AVX-512, a and b are the same for all chains: Zen 4 then runs two
//! instructions per cycle, but only 1.2 if all three operands differ each time, because its
//! registers cannot be read that fast. With AVX2, compilers would simplify this, so a and b are the
//! two vectors after x; Zen 4 still runs four instructions per cycle.
//!
//! **Words.** A strip of four words is computed for columns whose match words are in the
//! first-level cache: the algorithm without its look-ups and without the exchange of carries.
//!
//! For both, each thread's time is that of its shortest loop while all threads are at work, and the
//! rates of all threads are added. Interference by other programs only makes other loops longer.

use super::Measured;
use crate::error::Result;
use crate::lcs::cpu::strip;
use crate::memory;
use rayon::prelude::*;
use std::hint::black_box;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::{Avx2, Isa, Lanes, Vector};
use crate::threads;

/// Number of vectors of a thread, all in registers.
#[cfg(target_arch = "x86_64")]
const CHAINS: usize = 12;

/// Number of loops of a thread in a run; the shortest counts.
const LOOPS: usize = 32;

/// Number of words that a thread reads at a time: 1 MiB.
const PART: usize = 1 << 17;

/// The rates of the CPU.
#[derive(Debug, Clone)]
pub struct CpuRates {
    /// Bytes per second read from memory.
    pub memory: Measured,
    /// Logic instructions of vectors per second; `None` without vectors.
    pub vectors: Option<VectorRate>,
    /// Words of columns per second, 64 cells each.
    pub words: Measured,
}

/// The rate of vector logic instructions.
#[derive(Debug, Clone)]
pub struct VectorRate {
    /// Number of bits of a vector.
    pub bits: usize,
    /// Instructions per second.
    pub instructions: Measured,
}

/// The effort for measuring rates.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Number of timed runs of each measurement.
    pub runs: usize,
    /// Number of bytes to read: more than the caches hold, or the caches are measured.
    pub bytes: usize,
    /// Number of iterations of the instruction loops.
    pub turns: u32,
}

impl CpuRates {
    /// Measures this CPU, with the threads of the [rayon] pool that calls it.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if `bytes` do not fit in memory.
    pub fn measured(effort: Effort) -> Result<Self> {
        threads::run(|| Ok(Self { memory: memory_read(effort)?, vectors: vector_logic(effort), words: words(effort) }))
    }
}

fn memory_read(Effort { runs, bytes, .. }: Effort) -> Result<Measured> {
    let words = (bytes / 8).max(1);
    memory::check::<u64>(words, "an array to read")?;
    let mut array = vec![0u64; words];
    // Writing a page allocates it, on some machines in the memory nearest to the thread.
    array.par_chunks_mut(PART).for_each(|part| part.fill(1));
    Measured::time_runs((words * 8) as f64, runs, &mut || {
        black_box(array.par_chunks(PART).map(folded).reduce(|| 0, |a, b| a ^ b));
        Ok(())
    })
}

/// Returns the exclusive or of all words, so that each is used.
fn folded(words: &[u64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = Avx2::detect() {
        return isa.run(|| words.iter().fold(0, |all, word| all ^ word));
    }
    words.iter().fold(0, |all, word| all ^ word)
}

#[cfg(target_arch = "x86_64")]
fn vector_logic(effort: Effort) -> Option<VectorRate> {
    match Lanes::widest() {
        Some(Lanes::Avx512(isa)) => Some(logic_of(isa, 1, effort)),
        Some(Lanes::Avx2(isa)) => Some(logic_of(isa, 2, effort)),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn vector_logic(_: Effort) -> Option<VectorRate> {
    None
}

/// Measures the instruction rate; [`Vector::and_equal`] counts as `instructions`.
#[cfg(target_arch = "x86_64")]
fn logic_of<I: Isa>(isa: I, instructions: usize, Effort { runs, turns, .. }: Effort) -> VectorRate {
    let work = f64::from(turns) * (CHAINS * instructions) as f64;
    let one = || _ = black_box(chains(isa, black_box(turns)));
    VectorRate { bits: 64 * I::Vector::WORDS, instructions: on_all_threads(work, runs, &one) }
}

#[cfg(target_arch = "x86_64")]
fn chains<I: Isa>(isa: I, turns: u32) -> u64 {
    isa.run(|| {
        let vector = |number: usize| I::Vector::splat(isa, 0x9e37_79b9_7f4a_7c15u64.rotate_left(number as u32));
        let mut chains: [I::Vector; CHAINS] = std::array::from_fn(vector);
        let (a, b) = (vector(CHAINS), vector(CHAINS + 1));
        for _ in 0..turns {
            for chain in 0..CHAINS {
                let (a, b) = if I::Vector::WORDS == 8 {
                    (a, b)
                } else {
                    (chains[(chain + 1) % CHAINS], chains[(chain + 2) % CHAINS])
                };
                chains[chain] = chains[chain].and_equal(a, b);
            }
        }
        chains.into_iter().fold(0, |all, vector| all ^ vector.first())
    })
}

fn words(Effort { runs, turns, .. }: Effort) -> Measured {
    // An iteration is 64 columns of four words.
    let turns = turns.div_ceil(64);
    let work = f64::from(turns) * strip::WORDS_PER_TURN as f64;
    on_all_threads(work, runs, &|| _ = black_box(strip::repeat_column(black_box(turns), black_box(5))))
}

/// Returns the total work per second of all threads, if a loop of one thread does `work`. The times
/// are those for all threads together to do `work`.
fn on_all_threads(work: f64, runs: usize, one: &(dyn Fn() + Sync)) -> Measured {
    let cores = std::thread::available_parallelism().map_or(usize::MAX, NonZero::get);
    let seconds = (0..runs.max(1)).map(|_| {
        let at_work = AtomicUsize::new(rayon::current_num_threads());
        let shortest = rayon::broadcast(|_| {
            let timed = || {
                let started = Instant::now();
                one();
                started.elapsed().as_secs_f64().max(1e-9)
            };
            let shortest = (0..LOOPS).map(|_| timed()).fold(f64::INFINITY, f64::min);
            at_work.fetch_sub(1, Ordering::Relaxed);
            // Keeps this core busy until the other threads have finished.
            while at_work.load(Ordering::Relaxed) > 0 {
                one();
            }
            shortest
        });
        let loops: f64 = shortest.iter().map(|seconds| 1.0 / seconds).sum();
        // Threads that share a core each see the whole core in their shortest loop.
        1.0 / (loops * (cores as f64 / shortest.len() as f64).min(1.0))
    });
    Measured::by(work, seconds.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rates_are_numbers() {
        let rates = CpuRates::measured(Effort { runs: 2, bytes: 1 << 20, turns: 100 }).unwrap();
        let all = [Some(&rates.memory), rates.vectors.as_ref().map(|rate| &rate.instructions), Some(&rates.words)];
        for measured in all.into_iter().flatten() {
            assert!(measured.per_second.is_finite() && measured.per_second > 0.0 && measured.seconds.len() == 2);
        }
        assert!(rates.vectors.is_none_or(|rate| rate.bits == 256 || rate.bits == 512));
    }

    #[test]
    fn every_word_is_read() {
        for words in [1, 7, 1000] {
            // From 1 on: a missing word of zeros would go unnoticed.
            let array: Vec<u64> = (1..=words).collect();
            assert_eq!(folded(&array), (1..=words).fold(0, |all, word| all ^ word));
        }
    }
}
