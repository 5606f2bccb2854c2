//! A row of the table of algorithms: an algorithm for the edit distance of two sequences of tokens
//! on the processor.

use crate::algorithm::About;
use crate::alignment::Run;
use crate::distance::mode::Mode;
use crate::distance::places::Nearest;
use crate::error::Result;
use crate::job::Progress;

/// Solves a part whose tokens are bytes: returns the matches of a cheapest script.
pub type OfBytes<'f> = &'f (dyn Fn(&[u8], &[u8]) -> Result<Vec<Run>> + Sync);

/// Two sequences of tokens.
#[derive(Clone, Copy)]
pub struct Sequences<'s> {
    /// The first sequence, or the pattern.
    pub a: &'s [u32],
    /// The second sequence, or the text.
    pub b: &'s [u32],
    /// Callback that gets the number of cells done since its last call.
    pub progress: Progress<'s>,
}

/// Returns, for each of these ends, the start of the longest part with this distance to the
/// pattern.
type Starts = fn(&Sequences<'_>, Mode, distance: u64, ends: &[usize]) -> Result<Vec<usize>>;

/// An algorithm for the edit distance of two sequences of tokens on the processor.
pub struct CpuAlgorithm {
    /// Name, source, cost and limits.
    pub about: About,
    /// Computes the distance; `None` if it is above the maximum.
    pub distance: fn(&Sequences<'_>, maximum: Option<u64>) -> Result<Option<u64>>,
    /// Finds the parts of the text that are nearest to the pattern.
    pub nearest: fn(&Sequences<'_>, Mode) -> Result<Nearest>,
    /// Finds the starts of parts whose ends are known.
    pub starts: Starts,
    /// Finds the matches of a cheapest script, in order.
    pub runs: fn(&Sequences<'_>, OfBytes<'_>) -> Result<Vec<Run>>,
}
