//! Search on the processor: one algorithm per file. m is the pattern's length, n the text's, k the errors allowed.
//!
//! | file | errors | time for a symbol of the text | used for |
//! |---|---|---|---|
//! | [`literal`] | none | less than one instruction | plain bytes |
//! | `wu_manber_segments` | k ≤ 15 | 3 m (k + 1) / 512 vector instructions | all else, with AVX-512 or AVX2 |
//! | `myers`, `cut_off` | any | 17 ⌈m / 64⌉ instructions, and 17 ⌈2 k / 64⌉ in random text | many errors, very long patterns, other processors |
//! | [`wu_manber`] | any | 8 (k + 1) ⌈m / 64⌉ instructions | by name |
//! | [`shift_or`] | none | 4 ⌈m / 64⌉ instructions | by name |
//! | [`sellers`] | any | m cells | by name: a reference to check the others against |
//!
//! `pieces` hands parts of the text to all cores, and so does [`best`] for the best match, by `cut_off` with a bound from `seeds`; `extent` tells how far an occurrence reaches from one of its ends; `segments`, `segment_vector` and `class_test` belong to the SIMD search.
pub mod best;
mod class_test;
pub(crate) mod cut_off;
pub(crate) mod extent;
pub mod literal;
mod myers;
pub mod partition;
mod pieces;
mod seeds;
mod segment_vector;
mod segments;
pub mod sellers;
pub mod shift_or;
pub mod wu_manber;
mod wu_manber_segments;

use crate::engine::ends::{End, Ends, Take};
use crate::error::{Error, Result};
use crate::memory;
use crate::search::{Algorithm, Pattern, Text};
use segment_vector::Isa;

/// Bytes of state that the SIMD search should not exceed: what caches hold.
const STATE: usize = 4 << 20;
/// Words of state that Wu and Manber's algorithm may take: 128 MiB a thread.
const MAX_WORDS: u64 = 16 << 20;
/// Symbols of a file that are in memory at a time, at least.
const PART: u64 = 64 << 20;
/// Times what goes before a part that the part has at least, so that little is searched twice.
const HALOS: u64 = 8;
/// Symbols of which few different ones make plain bytes slower to search than by the segments: a rare byte to look for is
/// then not rare.
const FEW_SYMBOLS: usize = 5;

/// The widest vectors there are.
#[derive(Debug, Clone, Copy)]
enum Simd {
    #[cfg(target_arch = "x86_64")]
    Avx512(segment_vector::Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(segment_vector::Avx2),
}

impl Simd {
    fn widest() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return segment_vector::Avx512::detect()
            .map(Self::Avx512)
            .or_else(|| segment_vector::Avx2::detect().map(Self::Avx2));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    fn ends(self, text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => wu_manber_segments::ends(isa, text, pattern, k),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => wu_manber_segments::ends(isa, text, pattern, k),
        }
    }
}

/// The CPU engine.
pub struct CpuEnds<'p> {
    /// How.
    pub algorithm: Algorithm,
    /// Told, from any thread, the number of symbols done since the last call.
    pub progress: &'p (dyn Fn(u64) + Sync),
}

impl CpuEnds<'_> {
    /// The algorithm that `Auto` stands for.
    fn chosen(&self, pattern: &Pattern, k: u32) -> Algorithm {
        if self.algorithm != Algorithm::Auto {
            return self.algorithm;
        }
        let state = pattern.len().saturating_mul(k as usize + 1).saturating_mul(64);
        let segments = k <= wu_manber_segments::MAX_ERRORS && state <= STATE && Simd::widest().is_some();
        let literal = k == 0 && pattern.as_literal().is_some();
        match (literal, segments) {
            (true, true) if pattern.distinct().0.len() < FEW_SYMBOLS => Algorithm::Segments,
            (true, _) => Algorithm::Literal,
            (false, true) => Algorithm::Segments,
            (false, false) => Algorithm::Myers,
        }
    }
}

impl CpuEnds<'_> {
    /// Searches a text in parts of so many symbols at least, each with the m + k before it.
    fn each_part(&self, text: &Text<'_>, patterns: &[Pattern], k: u32, part: u64, take: Take<'_>) -> Result<()> {
        let longest = patterns.iter().map(Pattern::len).max().unwrap_or(0);
        let context = longest as u64 + u64::from(k);
        let part = part.max(HALOS * context);
        let mut symbols = Vec::new();
        let mut first = 0;
        while first < text.len() {
            let (from, end) = (first.saturating_sub(context), (first + part).min(text.len()));
            let len = (end - from) as usize;
            let more = len.saturating_sub(symbols.len());
            memory::reserve(&mut symbols, more, "a part of the text")?;
            symbols.resize(len, 0);
            text.read(from, &mut symbols)?;
            for (number, pattern) in patterns.iter().enumerate() {
                let share = pieces::Share::new(first - from, end - first, self.progress);
                let engine = CpuEnds { algorithm: self.algorithm, progress: &|symbols| share.add(symbols) };
                let mut ends = engine.ends(&symbols, pattern, k)?;
                // The others belong to the part before.
                ends.retain_mut(|found| {
                    found.end += from;
                    found.end > first
                });
                take(number, ends)?;
                share.finish();
            }
            first = end;
        }
        Ok(())
    }
}

impl Ends for CpuEnds<'_> {
    fn ends(&self, text: &[u8], pattern: &Pattern, k: u32) -> Result<Vec<End>> {
        if pattern.is_empty() || k as usize >= pattern.len() {
            return Err(Error::Usage(format!("{k} errors in a pattern of {} symbols match everywhere", pattern.len())));
        }
        let all = |piece: pieces::Search<'_>| pieces::ends(text, segments::halo(pattern, k), piece, self.progress);
        let exact = |name: &str| match k {
            0 => Ok(()),
            _ => Err(Error::Usage(format!("{name} finds occurrences without errors only; take wu-manber or auto"))),
        };
        match self.chosen(pattern, k) {
            Algorithm::Sellers => all(&|text, _| sellers::ends(text, pattern, k)),
            Algorithm::ShiftOr => {
                exact("shift-or")?;
                all(&|text, _| shift_or::ends(text, pattern))
            }
            Algorithm::WuManber => {
                let states = (u64::from(k) + 1).saturating_mul(pattern.len().div_ceil(64) as u64);
                if states > MAX_WORDS {
                    return Err(Error::Usage(format!(
                        "wu-manber would take {states} words of state for {k} errors in {} symbols; take myers or auto",
                        pattern.len()
                    )));
                }
                all(&|text, _| wu_manber::ends(text, pattern, k))
            }
            name @ (Algorithm::Packed | Algorithm::Scan | Algorithm::Gbpr | Algorithm::XBitPar) => {
                Err(Error::Usage(format!("{name} is for the engines gpu and simt; take auto")))
            }
            Algorithm::Literal => {
                exact("literal")?;
                let symbols = pattern.as_literal().ok_or_else(|| {
                    Error::Usage("literal takes patterns of single symbols; take shift-or or auto".into())
                })?;
                all(&|text, _| literal::ends(text, &symbols))
            }
            Algorithm::Segments => {
                let simd = Simd::widest().ok_or_else(|| {
                    Error::Usage("segments takes a processor with AVX-512 or AVX2; take wu-manber or auto".into())
                })?;
                if k > wu_manber_segments::MAX_ERRORS {
                    let most = wu_manber_segments::MAX_ERRORS;
                    return Err(Error::Usage(format!(
                        "segments takes at most {most} errors, not {k}; take myers or auto"
                    )));
                }
                all(&|text, _| simd.ends(text, pattern, k))
            }
            Algorithm::Myers | Algorithm::Auto => {
                let (matches, m) = (pattern.match_words(), pattern.len());
                all(&|text, tell| cut_off::ends(text.iter().copied(), &matches, m, k, tell))
            }
        }
    }

    fn each(&self, text: &Text<'_>, patterns: &[Pattern], k: u32, take: Take<'_>) -> Result<()> {
        let Some(text) = text.in_memory() else { return self.each_part(text, patterns, k, PART, take) };
        let mut all = patterns.iter().enumerate();
        all.try_for_each(|(number, pattern)| take(number, self.ends(text, pattern, k)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn parts_of_a_text_give_what_the_whole_gives() {
        let mut random = fastrand::Rng::with_seed(6);
        for (m, k) in [(1, 0), (7, 0), (9, 2), (20, 5), (70, 3)] {
            for n in [0, 1, m * 8, (m + k as usize) * 8, (m + k as usize) * 8 + 1, 3000] {
                let symbols: Vec<u8> = (0..n).map(|_| random.u8(..2)).collect();
                let pattern: Vec<u8> = (0..m).map(|_| random.u8(..2)).collect();
                let pattern = Pattern::literal(&pattern);
                let done = AtomicU64::new(0);
                let progress = |symbols| {
                    done.fetch_add(symbols, Ordering::Relaxed);
                };
                let engine = CpuEnds { algorithm: Algorithm::Auto, progress: &progress };
                let mut found = Vec::new();
                let mut take = |_, ends| -> Result<()> {
                    found.extend::<Vec<End>>(ends);
                    Ok(())
                };
                engine.each_part(&Text::from(&symbols[..]), std::slice::from_ref(&pattern), k, 1, &mut take).unwrap();
                assert_eq!(found, sellers::ends(&symbols, &pattern, k), "m = {m}, k = {k}, n = {n}");
                assert_eq!(done.load(Ordering::Relaxed), n as u64);
            }
        }
    }
}
