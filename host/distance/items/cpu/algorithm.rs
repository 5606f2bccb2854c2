//! A row of the table of algorithms: a way to the edit distance of two sequences of tokens on the processor.

use crate::algorithm::About;
use crate::alignment::Run;
use crate::distance::mode::Mode;
use crate::distance::places::Ends;
use crate::error::Result;
use crate::job::Progress;

/// Solves a part whose tokens are bytes: the matches of a cheapest script.
pub type OfBytes<'f> = &'f (dyn Fn(&[u8], &[u8]) -> Result<Vec<Run>> + Sync);

/// Two sequences of tokens.
#[derive(Clone, Copy)]
pub struct Sequences<'s> {
    /// The first sequence, or the pattern.
    pub a: &'s [u32],
    /// The second one, or the text.
    pub b: &'s [u32],
    /// Called with the number of cells done since its last call.
    pub progress: Progress<'s>,
}

/// Returns for each of these ends the start of the longest part that has this distance to the pattern.
type Starts = fn(&Sequences<'_>, Mode, distance: u64, ends: &[usize]) -> Result<Vec<usize>>;

/// A way to the edit distance of two sequences of tokens on the processor.
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// The distance; `None` if it is above the maximum.
    pub distance: fn(&Sequences<'_>, maximum: Option<u64>) -> Result<Option<u64>>,
    /// The least distance of the pattern to a part of the text, and the ends of all parts with that distance.
    pub ends: fn(&Sequences<'_>, Mode) -> Result<Ends>,
    /// The starts of parts whose ends are known.
    pub starts: Starts,
    /// The matches of a cheapest script, in order.
    pub runs: fn(&Sequences<'_>, OfBytes<'_>) -> Result<Vec<Run>>,
}
