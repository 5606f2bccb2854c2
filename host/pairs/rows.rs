//! Blocks of rows: the rows of a matrix that are computed together, sized so that their results
//! take little memory.

use crate::memory::BlockSize;

/// Upper bound on the rows of a block.
pub(super) const ROWS: usize = 4096;
/// Lower bound on the rows of a block.
const FEWEST: usize = 16;
/// Target number of results of a block.
const RESULTS: usize = 1 << 22;

/// Blocks of rows, sized by the number of results of the previous block.
pub(super) struct Blocks {
    rows: usize,
    next: usize,
    size: BlockSize,
}

impl Blocks {
    /// Returns blocks for `rows` rows with up to `most` results each.
    pub fn new(rows: usize, most: usize) -> Self {
        let first = (RESULTS / most.max(1)).clamp(1, ROWS);
        Self { rows, next: 0, size: BlockSize::new(first, FEWEST..=ROWS, RESULTS) }
    }

    /// Returns the next rows, or `None` at the end.
    pub fn next(&mut self) -> Option<std::ops::Range<usize>> {
        let first = self.next;
        self.next = first.saturating_add(self.size.get()).min(self.rows);
        (first < self.rows).then_some(first..self.next)
    }

    /// Chooses the size of the next block, by the number of results in a block of `rows`.
    pub fn adapt(&mut self, rows: usize, results: usize) {
        self.size.adapt(rows, results);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_rows_and_hold_few_results() {
        for (rows, most, found) in [(0, 10, 10), (10_000, 10_000, 10_000), (100_000, 100_000, 3), (9000, usize::MAX, 0)]
        {
            let (mut blocks, mut next) = (Blocks::new(rows, most), 0);
            while let Some(block) = blocks.next() {
                assert_eq!(block.start, next);
                assert!(!block.is_empty() && block.len() <= ROWS);
                assert!(block.len() <= FEWEST || block.len().saturating_mul(found) <= RESULTS, "{block:?}");
                next = block.end;
                blocks.adapt(block.len(), block.len() * found);
            }
            assert_eq!(next, rows);
        }
    }
}
