//! The alignment of an adapter with a part of a read: the recurrence of cutadapt (Martin 2011), in
//! one column of cells.

use super::ends::FreeEnds;
use std::ops::Range;

/// Score of a match, a mismatch, and a gap of one symbol.
const MATCH: i64 = 1;
const MISMATCH: i64 = -1;
const GAP: i64 = -2;

/// An adapter that is ready to be aligned.
#[derive(Debug, Clone)]
pub(super) struct Aligner {
    /// For each symbol of a read, the positions of the adapter that match it: bit i % 64 of word
    /// i / 64.
    pub masks: Vec<[u64; 256]>,
    /// Length of the adapter.
    pub len: usize,
    /// Number of N before each position, and in all; zeros if an N is a symbol like others.
    pub codes_before: Vec<usize>,
    /// Errors allowed per aligned symbol of the adapter that is not N.
    pub rate: f64,
    /// Fewest symbols of the adapter that an alignment has.
    pub overlap: usize,
    pub free: FreeEnds,
    /// Errors allowed in the whole adapter if all symbols count, rounded down.
    pub most: usize,
    /// Errors that a gap of one symbol counts as: 1, or more than allowed.
    pub gap: usize,
}

/// A cell: the best alignment that ends there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    pub errors: usize,
    pub score: i64,
    /// Start of the alignment in the read; negative: minus its start in the adapter.
    start: isize,
}

/// Memory for one column.
pub(super) type Column = Vec<Cell>;

/// An alignment: ends in the adapter and the read, and its last cell.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    cell: Cell,
    adapter_end: usize,
    read_end: usize,
}

impl Candidate {
    /// Returns the number of the adapter's symbols in the alignment.
    fn len(&self) -> isize {
        self.adapter_end as isize + self.cell.start.min(0)
    }
}

/// An alignment that is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aligned {
    pub adapter: Range<usize>,
    pub read: Range<usize>,
    pub score: i64,
    pub errors: usize,
}

impl Aligner {
    /// Returns true if a position of the adapter matches a symbol.
    pub fn matches(&self, position: usize, symbol: u8) -> bool {
        self.masks[position / 64][usize::from(symbol)] >> (position % 64) & 1 == 1
    }

    /// Returns the number of errors allowed in an alignment of these positions of the adapter.
    pub fn allowed(&self, positions: Range<usize>) -> usize {
        let codes = self.codes_before[positions.end] - self.codes_before[positions.start];
        ((positions.len() - codes) as f64 * self.rate) as usize
    }

    /// Returns the alignment that the rule chooses among those in a window of the read, which must
    /// contain all that are allowed. O(m) for each symbol of the window.
    pub fn align(&self, read: &[u8], window: Range<usize>, column: &mut Column) -> Option<Aligned> {
        self.begin(window.start, self.free.adapter_start && window.start == 0, column);
        let mut best: Option<Candidate> = None;
        let last = self.len;
        for at in window.clone() {
            self.step(read[at], self.free.read_start, column);
            if self.free.read_end && column[last].errors <= self.most {
                let candidate = Candidate { cell: column[last], adapter_end: last, read_end: at + 1 };
                self.improve(&mut best, candidate);
                if best.is_some_and(|best| best.read_end == at + 1 && best.cell.errors == 0 && best.cell.start >= 0) {
                    return best.map(aligned);
                }
            }
        }
        if window.end == read.len() {
            let first = if self.free.adapter_end { 0 } else { last };
            for adapter_end in (first..=last).rev() {
                self.improve(&mut best, Candidate { cell: column[adapter_end], adapter_end, read_end: read.len() });
            }
        }
        best.map(aligned)
    }

    /// Returns the cell of the whole adapter and a whole string. O(m n).
    pub fn last_cell(&self, string: &[u8], column: &mut Column) -> Cell {
        self.begin(0, false, column);
        string.iter().for_each(|symbol| self.step(*symbol, false, column));
        column[self.len]
    }

    /// Computes the column before the symbol at `start`. If the adapter `hangs_over` the start of
    /// the read, its first symbols may be left out.
    fn begin(&self, start: usize, hangs_over: bool, column: &mut Column) {
        column.clear();
        column.extend((0..=self.len).map(|row| match hangs_over {
            true => Cell { errors: 0, score: 0, start: -(row as isize) },
            false => Cell { errors: row * self.gap, score: row as i64 * GAP, start: start as isize },
        }));
    }

    /// Computes the next column. If the start is free, an alignment may begin behind the symbol.
    fn step(&self, symbol: u8, start_is_free: bool, column: &mut Column) {
        let mut diagonal = column[0];
        if start_is_free {
            column[0].start += 1;
        } else {
            column[0].errors += self.gap;
            column[0].score += GAP;
        }
        let mut above = column[0];
        for (word, cells) in self.masks.iter().zip(column[1..].chunks_mut(64)) {
            let mut equal = word[usize::from(symbol)];
            for cell in cells {
                let left = *cell;
                above = if equal & 1 == 1 {
                    Cell { score: diagonal.score + MATCH, ..diagonal }
                } else {
                    cheapest(diagonal, above, left, self.gap)
                };
                *cell = above;
                diagonal = left;
                equal >>= 1;
            }
        }
    }

    /// Takes a candidate if it is allowed and better.
    fn improve(&self, best: &mut Option<Candidate>, candidate: Candidate) {
        let cell = candidate.cell;
        let Ok(len) = usize::try_from(candidate.len()) else { return };
        let start = candidate.adapter_end - len;
        if len < self.overlap || cell.errors > self.allowed(start..candidate.adapter_end) {
            return;
        }
        let is_better = best.is_none_or(|best| {
            let overlaps = cell.start <= best.cell.start + (self.len / 2) as isize;
            cell.score > best.cell.score && (overlaps || candidate.len() > best.len())
        });
        if is_better {
            *best = Some(candidate);
        }
    }
}

/// Returns the cell for symbols that do not match, from its three neighbours; of equal ones the
/// first.
fn cheapest(diagonal: Cell, above: Cell, left: Cell, gap: usize) -> Cell {
    let mismatch = diagonal.errors + 1;
    let deletion = above.errors + gap;
    let insertion = left.errors + gap;
    if mismatch <= deletion && mismatch <= insertion {
        Cell { errors: mismatch, score: diagonal.score + MISMATCH, start: diagonal.start }
    } else if deletion <= insertion {
        Cell { errors: deletion, score: above.score + GAP, start: above.start }
    } else {
        Cell { errors: insertion, score: left.score + GAP, start: left.start }
    }
}

fn aligned(best: Candidate) -> Aligned {
    let Candidate { cell, adapter_end, read_end } = best;
    let adapter_start = (-cell.start).max(0) as usize;
    let read_start = cell.start.max(0) as usize;
    Aligned { adapter: adapter_start..adapter_end, read: read_start..read_end, score: cell.score, errors: cell.errors }
}
