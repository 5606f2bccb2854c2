//! The CPU engine for tokens in Hirschberg's recursion: last columns of parts of two sequences of
//! numbers, on all cores.

use super::strips::Strips;
use crate::cpu::tiles;
use crate::error::Result;
use crate::lcs::cpu::word_parallel::STRIP_ROWS;
use crate::pairwise::columns::{Columns, Direction, LcsColumn};
use crate::pairwise::cuts::{Cut, CutRequest, Cuts, Part, check};
use std::sync::{Mutex, PoisonError};

/// Cells below which passing work to other threads costs more than it saves.
const PARALLEL_CELLS: u64 = 1 << 22;

/// Ratio of the threads that a table of the recursion is divided for to the threads that it should
/// get: its parts differ in size.
const SPARE: f64 = 4.0;

/// Bands per thread. Bands are cheap. Blocks are not: each strip makes codes and a match table for
/// every block (about 5,000 clock cycles, the time of 600 columns), so there are at most two blocks
/// per thread.
const BANDS_PER_THREAD: usize = 8;
const BLOCKS_PER_THREAD: usize = 2;
const MIN_BLOCK: usize = 1 << 12;
const MAX_BLOCK: usize = 1 << 16;

/// The CPU engine for two sequences of tokens.
pub struct TokenColumns<'s> {
    sequences: [&'s [u32]; 2],
    /// Upper bound: all tokens are smaller.
    symbols: usize,
    /// Callback that gets the number of cells done since its last call.
    progress: &'s (dyn Fn(u64) + Sync),
    /// Strips of threads that have finished, for reuse: the time to create them grows with the
    /// alphabet.
    idle: Mutex<Vec<Strips>>,
}

impl<'s> TokenColumns<'s> {
    /// Creates the engine for A and B, with tokens below `symbols`.
    pub fn new(sequences: [&'s [u32]; 2], symbols: usize, progress: &'s (dyn Fn(u64) + Sync)) -> Self {
        Self { sequences, symbols, progress, idle: Mutex::new(Vec::new()) }
    }

    /// Computes the last column of the table of rows and columns.
    fn last_column(&self, rows: &[u32], columns: &[u32]) -> LcsColumn {
        let mut vector = vec![!0u64; rows.len().div_ceil(64)];
        let mut carries = vec![0u64; columns.len().div_ceil(64)];
        let cells = (rows.len() as u64).saturating_mul(columns.len() as u64);
        let threads = self.threads_for(cells);
        if threads == 1 {
            self.with_strips(|strips| strips.tile(rows, &mut vector, columns, &mut carries, self.progress));
        } else {
            let band = rows.len().div_ceil(threads.saturating_mul(BANDS_PER_THREAD)).next_multiple_of(STRIP_ROWS);
            let block = columns.len().div_ceil(threads.saturating_mul(BLOCKS_PER_THREAD));
            let block = block.next_multiple_of(64).clamp(MIN_BLOCK, MAX_BLOCK);
            let bands = rows.chunks(band).zip(vector.chunks_mut(band / 64));
            let blocks = columns.chunks(block).zip(carries.chunks_mut(block / 64));
            tiles::run(bands, blocks, |(rows, vector), (columns, carries)| {
                self.with_strips(|strips| strips.tile(rows, vector, columns, carries, self.progress));
            });
        }
        LcsColumn::from_words(vector, rows.len())
    }

    /// Returns the number of threads that a table of `cells` cells is divided for. The recursion
    /// computes more tables at a time the smaller they are: two halves of the whole table, four
    /// eighths of it, eight parts of a 32nd.
    fn threads_for(&self, cells: u64) -> usize {
        let all = rayon::current_num_threads();
        if cells < PARALLEL_CELLS {
            return 1;
        }
        let whole = self.sequences.iter().map(|sequence| sequence.len() as f64).product::<f64>();
        let tables = (2.0 * whole / cells as f64).sqrt();
        ((SPARE * all as f64 / tables).ceil() as usize).clamp(1, all)
    }

    /// Calls `work` with strips that no other thread uses.
    fn with_strips(&self, work: impl FnOnce(&mut Strips)) {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut strips = waiting.unwrap_or_else(|| Strips::new(self.symbols));
        work(&mut strips);
        idle().push(strips);
    }
}

impl Cuts for TokenColumns<'_> {
    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        requests.iter().map(|request| self.cut(request)).collect()
    }

    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        Ok(self.column(rows, columns)?.last() as u64)
    }
}

impl Columns for TokenColumns<'_> {
    fn directed_column(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<LcsColumn> {
        check(rows, columns, None, self.sequences.map(<[u32]>::len))?;
        let text = |part: &Part| &self.sequences[part.side as usize][part.range.clone()];
        let rows = text(rows);
        let columns = text(columns);
        Ok(match direction {
            Direction::Forward => self.last_column(rows, columns),
            Direction::Backward => {
                let reversed = |text: &[u32]| text.iter().rev().copied().collect::<Vec<_>>();
                self.last_column(&reversed(rows), &reversed(columns))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairwise::cuts::Side;
    use crate::pairwise::recurrence::lcs_lengths;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Computes the lengths of the last column by the recurrence.
    fn expected(rows: &[u32], columns: &[u32]) -> Vec<usize> {
        lcs_lengths(rows.iter(), columns.iter()).into_iter().map(|length| length as usize).collect()
    }

    #[test]
    fn columns_of_every_alphabet_and_border() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        for (m, n) in [(1, 1), (64, 64), (65, 4097), (255, 63), (256, 64), (257, 4096), (1000, 700), (3000, 2100)] {
            for symbols in [1, 2, 200, 300, 5000, 100_000] {
                let mut text = |len| (0..len).map(|_| random.u32(..symbols)).collect::<Vec<u32>>();
                let (a, b) = (text(m), text(n));
                let done = AtomicU64::new(0);
                let progress = |cells| {
                    done.fetch_add(cells, Ordering::Relaxed);
                };
                let engine = TokenColumns::new([&a, &b], symbols as usize, &progress);
                let part = |side, len| Part { side, range: 0..len };
                let (rows, columns) = (part(Side::A, m), part(Side::B, n));
                let forward = pool.install(|| engine.column(&rows, &columns)).unwrap();
                assert_eq!(forward.lengths(), expected(&a, &b), "{m} × {n}, {symbols} symbols");
                let backward = engine.directed_column(&rows, &columns, Direction::Backward).unwrap();
                let reversed = |text: &[u32]| text.iter().rev().copied().collect::<Vec<_>>();
                assert_eq!(backward.lengths(), expected(&reversed(&a), &reversed(&b)), "{m} × {n}, {symbols} symbols");
                assert_eq!(done.load(Ordering::Relaxed), 2 * (m * n) as u64, "cells told");
            }
        }
    }
}
