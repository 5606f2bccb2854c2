//! One pair of any symbols: the symbols are numbered, and a word has 64 rows of the table. For
//! pairs that share more different symbols than a byte can distinguish.

use super::algorithm::{CpuAlgorithm, Way};
use super::osa;
use crate::algorithm::About;
use crate::distance::items::cpu::bit_parallel as tokens;
use crate::error::Result;
use crate::job::Progress;
use crate::pairs::cost::{ABOVE, Cost};
use crate::pairs::strings::Symbols;
use crate::text::numbered::number;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "numbers",
        "one pair at a time, for any number of different symbols, 64 rows per word",
        "Myers 1999; Hyyrö 2003; Ukkonen 1985",
        "mn / 64 word steps",
    ),
    way: Way::Numbers,
};

/// Computes the distance of a pair, or [`ABOVE`]. Calls `progress` with the pair's cells, mn in
/// total, even if fewer are computed.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(in crate::pairs) fn distance(
    [a, b]: [Symbols<'_>; 2],
    cost: Cost,
    maximum: Option<u32>,
    progress: Progress<'_>,
) -> Result<u32> {
    let cells = (a.len() as u64).saturating_mul(b.len() as u64);
    let most = maximum.unwrap_or(ABOVE);
    if a.len().abs_diff(b.len()) > most as usize {
        progress(cells);
        return Ok(ABOVE);
    }
    // Bands of increasing width may have more cells in total than the table, or fewer.
    let left = AtomicU64::new(cells);
    let progress = |more: u64| {
        let left = left.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(more))).unwrap_or(0);
        progress(more.min(left));
    };
    let numbered = || number(&a.to_numbers(), &b.to_numbers());
    let distance = match cost {
        Cost::Levenshtein => {
            let numbered = numbered()?;
            tokens::distance(&numbered.a, &numbered.b, maximum.map(u64::from), &progress)?
        }
        Cost::Indel => {
            let numbered = numbered()?;
            let length = tokens::lcs_length(&numbered.a, &numbered.b, &progress)?;
            Some((a.len() + b.len()) as u64 - 2 * length)
        }
        Cost::Osa => Some(osa::distance(a, b, most.into(), &progress)),
    };
    progress(cells);
    let known = distance.and_then(|distance| u32::try_from(distance).ok());
    Ok(known.filter(|&distance| distance <= most).unwrap_or(ABOVE))
}
