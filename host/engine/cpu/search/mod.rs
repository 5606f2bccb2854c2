//! Search on the processor: one algorithm per file. m is the pattern's length, n the text's, k the errors allowed.
//!
//! | file | errors | time for a symbol of the text | used for |
//! |---|---|---|---|
//! | [`literal`] | none | less than one instruction | plain bytes |
//! | `wu_manber_segments` | k ≤ 15 | 3 m (k + 1) / 512 vector instructions | all else, with AVX-512 or AVX2 |
//! | [`myers`] | any | 17 ⌈m / 64⌉ instructions | many errors, very long patterns, other processors |
//! | [`wu_manber`] | any | 8 (k + 1) ⌈m / 64⌉ instructions | by name |
//! | [`shift_or`] | none | 4 ⌈m / 64⌉ instructions | by name |
//! | [`sellers`] | any | m cells | by name: a reference to check the others against |
//!
//! `pieces` hands parts of the text to all cores; `segments`, `segment_vector` and `class_test` belong to the SIMD search.
mod class_test;
pub mod literal;
pub mod myers;
mod pieces;
mod segment_vector;
mod segments;
pub mod sellers;
pub mod shift_or;
pub mod wu_manber;
mod wu_manber_segments;

use crate::engine::ends::{End, Ends};
use crate::error::{Error, Result};
use crate::search::{Algorithm, Pattern};
use segment_vector::Isa;

/// Bytes of state that the SIMD search should not exceed: what caches hold.
const STATE: usize = 4 << 20;
/// Words of state that Wu and Manber's algorithm may take: 128 MiB a thread.
const MAX_WORDS: u64 = 16 << 20;
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

impl Ends for CpuEnds<'_> {
    fn ends(&self, text: &[u8], pattern: &Pattern, k: u32) -> Result<Vec<End>> {
        if pattern.is_empty() || k as usize >= pattern.len() {
            return Err(Error::Usage(format!("{k} errors in a pattern of {} symbols match everywhere", pattern.len())));
        }
        let all = |piece: &(dyn Fn(&[u8]) -> Vec<End> + Sync)| {
            Ok(pieces::ends(text, segments::halo(pattern, k), piece, self.progress))
        };
        let exact = |name: &str| match k {
            0 => Ok(()),
            _ => Err(Error::Usage(format!("{name} finds occurrences without errors only; take wu-manber or auto"))),
        };
        match self.chosen(pattern, k) {
            Algorithm::Sellers => all(&|text| sellers::ends(text, pattern, k)),
            Algorithm::ShiftOr => {
                exact("shift-or")?;
                all(&|text| shift_or::ends(text, pattern))
            }
            Algorithm::WuManber => {
                let states = (u64::from(k) + 1).saturating_mul(pattern.len().div_ceil(64) as u64);
                if states > MAX_WORDS {
                    return Err(Error::Usage(format!(
                        "wu-manber would take {states} words of state for {k} errors in {} symbols; take myers or auto",
                        pattern.len()
                    )));
                }
                all(&|text| wu_manber::ends(text, pattern, k))
            }
            name @ (Algorithm::Scan | Algorithm::Gbpr | Algorithm::XBitPar) => {
                Err(Error::Usage(format!("{name} is for the engines gpu and simt; take auto")))
            }
            Algorithm::Literal => {
                exact("literal")?;
                let symbols = pattern.as_literal().ok_or_else(|| {
                    Error::Usage("literal takes patterns of single symbols; take shift-or or auto".into())
                })?;
                all(&|text| literal::ends(text, &symbols))
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
                all(&|text| simd.ends(text, pattern, k))
            }
            Algorithm::Myers | Algorithm::Auto => all(&|text| myers::ends(text, pattern, k)),
        }
    }
}
