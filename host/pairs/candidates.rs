//! The pairs of a list that may be near, by the pieces that they have in common: what is left of a list's pairs to be compared where strings
//! are long beside the maximum.

use super::cost::ABOVE;
use super::kinds::AnyKinds;
use super::near::Near;
use super::strings::Symbols;
use crate::error::Result;
use crate::memory;
use crate::pairwise::pieces::{Pieces, Scratch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fewer strings than this are compared at once.
const FEW: usize = 256;
/// Symbols of the pieces of a string of mean length below which too many strings have one in common.
const SHORTEST: usize = 4;
/// Symbols of the longest string: each takes memory for hashes.
const LONGEST: usize = 1 << 24;
/// All pairs take about as long as this part of them one by one.
const SHARE: usize = 16;

/// Finds them for some strings of the list at a time.
pub(super) struct Candidates<'l> {
    list: &'l [Symbols<'l>],
    pieces: Pieces,
    symbols: u64,
}

impl<'l> Candidates<'l> {
    /// Returns `None` if comparing all pairs is faster.
    pub(super) fn new(list: &'l [Symbols<'l>], maximum: u32) -> Result<Option<Self>> {
        let symbols: u64 = list.iter().map(|string| string.len() as u64).sum();
        let pieces = (list.len() as u64).saturating_mul(u64::from(maximum) + 1);
        let longest = list.iter().map(|string| string.len()).max().unwrap_or(0);
        if list.len() < FEW
            || longest > LONGEST
            || pieces.saturating_mul(SHORTEST as u64) > symbols
            || u32::try_from(pieces).is_err()
        {
            return Ok(None);
        }
        Ok(Some(Self { list, pieces: Pieces::new(list, |_| maximum)?, symbols }))
    }

    /// Returns the pairs within the maximum of `count` strings from `first` on and the strings behind each; `None` if comparing all
    /// pairs is faster.
    pub(super) fn near(&self, engine: &AnyKinds<'_>, first: usize, count: usize) -> Result<Option<Vec<Near>>> {
        let most = count.saturating_mul(self.list.len() - first) / SHARE;
        let all = AtomicUsize::new(0);
        let of_row = |(scratch, found): &mut (Scratch, Vec<u32>), a: usize| {
            if all.load(Ordering::Relaxed) > most {
                return Vec::new();
            }
            self.pieces.candidates(&self.list[a], scratch, found);
            let behind = found.partition_point(|&b| b as usize <= a);
            all.fetch_add(found.len() - behind, Ordering::Relaxed);
            found[behind..].iter().map(|&b| (a, b as usize)).collect()
        };
        let rows = (first..first + count).into_par_iter().with_min_len(16);
        let rows: Vec<Vec<(usize, usize)>> = rows.map_init(Default::default, of_row).collect();
        let all = all.into_inner();
        if all > most {
            log::debug!("more than {most} pairs have a piece in common: all are compared");
            return Ok(None);
        }
        memory::check::<(usize, usize, [Symbols<'_>; 2])>(all, "pairs that may be near")?;
        let numbers: Vec<(usize, usize)> = rows.into_iter().flatten().collect();
        let pairs: Vec<[Symbols<'_>; 2]> = numbers.iter().map(|&(a, b)| [self.list[a], self.list[b]]).collect();
        let distances = engine.listed(&pairs)?;
        let rows: u64 = self.list[first..first + count].iter().map(|string| string.len() as u64).sum();
        let listed: u64 = pairs.iter().map(|[a, b]| (a.len() as u64).saturating_mul(b.len() as u64)).sum();
        engine.engine.left_out((rows.saturating_mul(self.symbols) / 2).saturating_sub(listed));
        let near = numbers.into_iter().zip(distances).filter(|&(_, distance)| distance != ABOVE);
        Ok(Some(near.map(|((a, b), distance)| Near { a, b, distance }).collect()))
    }
}
