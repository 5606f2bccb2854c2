//! How fast the processor is, all threads together: how many bytes it reads from memory a second, how many logic instructions of vectors it
//! runs, and how many words of an LCS column it computes.
//!
//! **Logic instructions.** `CHAINS` vectors in registers, each of which becomes x & !(a ^ b) again and again: one instruction of AVX-512, two of
//! AVX2. None waits for another, so that the units are always in use. With AVX-512 a and b are the same for all: Zen 4 then runs two
//! instructions a cycle, and 1.2 where all three operands are others each time, since its registers are not read so fast. Compilers see
//! through that with AVX2, where a and b are the two vectors after x, and Zen 4 runs four a cycle all the same.
//!
//! **Words.** A strip of four words goes through columns whose match words are in the nearest cache: what is left of the algorithm without
//! its look-ups and without handing carries on.
//!
//! Of both, each thread takes the time of its own shortest loop while all are at work, and the rates of all threads are added: what other programs
//! do on the machine meanwhile is in the longer ones.

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

/// Vectors of a thread, all in registers.
#[cfg(target_arch = "x86_64")]
const CHAINS: usize = 12;

/// Loops of a thread in a run, of which the shortest counts.
const LOOPS: usize = 32;

/// Words that a thread reads at a time: a megabyte.
const PART: usize = 1 << 17;

/// How fast the processor is.
#[derive(Debug, Clone)]
pub struct CpuRates {
    /// Bytes read from memory.
    pub memory: Measured,
    /// Logic instructions of vectors, if it has vectors.
    pub vectors: Option<VectorRate>,
    /// Words of columns, 64 cells each.
    pub words: Measured,
}

/// How many logic instructions run a second.
#[derive(Debug, Clone)]
pub struct VectorRate {
    /// Bits of a vector.
    pub bits: usize,
    /// Instructions.
    pub instructions: Measured,
}

/// How much is done to find rates out.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Timings of each.
    pub runs: usize,
    /// Bytes to read: more than caches hold, or they are what is measured.
    pub bytes: usize,
    /// Turns of a loop of instructions.
    pub turns: u32,
}

impl CpuRates {
    /// Those of this processor, with the threads of the [rayon] pool that it is called from.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) when there are not so many bytes.
    pub fn measured(effort: Effort) -> Result<Self> {
        threads::run(|| Ok(Self { memory: memory_read(effort)?, vectors: vector_logic(effort), words: words(effort) }))
    }
}

fn memory_read(Effort { runs, bytes, .. }: Effort) -> Result<Measured> {
    let words = (bytes / 8).max(1);
    memory::check::<u64>(words, "an array to read")?;
    let mut array = vec![0u64; words];
    // A page is there when it was written; where its thread is, on some machines.
    array.par_chunks_mut(PART).for_each(|part| part.fill(1));
    Measured::of((words * 8) as f64, runs, &mut || {
        black_box(array.par_chunks(PART).map(folded).reduce(|| 0, |a, b| a ^ b));
        Ok(())
    })
}

/// The exclusive or of all words: a use for each.
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

/// The rate of instructions, of which [`Vector::and_equal`] is so many.
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
    // A turn is 64 columns of four words.
    let turns = turns.div_ceil(64);
    let work = f64::from(turns) * strip::WORDS_A_TURN as f64;
    on_all_threads(work, runs, &|| _ = black_box(strip::columns_in_a_row(black_box(turns), black_box(5))))
}

/// How much all threads do in a second, of a loop that does so much. The times are those in which all of them together do that.
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
            // The others are not to have the machine for themselves.
            while at_work.load(Ordering::Relaxed) > 0 {
                one();
            }
            shortest
        });
        let loops: f64 = shortest.iter().map(|seconds| 1.0 / seconds).sum();
        // Threads that share a core each see all of it in their shortest loop.
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
            // From 1 on: a word of zeros would not be missed.
            let array: Vec<u64> = (1..=words).collect();
            assert_eq!(folded(&array), (1..=words).fold(0, |all, word| all ^ word));
        }
    }
}
