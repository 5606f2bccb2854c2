//! The symbols of a record before a border of two parts, for alignments that reach further back
//! than the part that is in memory.

use crate::text::parts::Part;
use std::collections::VecDeque;

/// Number of borders that are kept: more than there are parts in memory.
const BORDERS: usize = 8;

/// Largest number of symbols that a search looks back from a border, without those of some sites.
const BACK: usize = 1 << 17;

/// The symbols before the last borders.
#[derive(Debug)]
pub(super) struct Tails {
    /// Number of symbols that are kept for each border.
    len: usize,
    tails: VecDeque<Tail>,
}

#[derive(Debug)]
struct Tail {
    record: usize,
    /// Position of the border in the record.
    end: u64,
    symbols: Vec<u8>,
}

impl Tails {
    /// Makes an empty list, for sites of up to `longest` bases.
    pub fn new(longest: u64) -> Self {
        let sites = usize::try_from(longest).unwrap_or(usize::MAX).saturating_mul(64);
        Self { len: sites.saturating_add(BACK), tails: VecDeque::new() }
    }

    /// Keeps the last symbols of a part whose last record goes on.
    pub fn read(&mut self, part: &Part) {
        let Some(record) = part.records.last().filter(|record| !record.is_whole) else { return };
        let own = &part.symbols[record.range.clone()];
        let number = record.number as usize;
        let before = self.tails.back().filter(|tail| tail.record == number && tail.end == record.before);
        let missing = self.len.saturating_sub(own.len());
        let mut symbols = before.map_or(Vec::new(), |tail| last(&tail.symbols, missing).to_vec());
        symbols.extend_from_slice(last(own, self.len));
        self.tails.push_back(Tail { record: number, end: record.before + own.len() as u64, symbols });
        if self.tails.len() > BORDERS {
            self.tails.pop_front();
        }
    }

    /// Returns up to `count` symbols of a record that are before a position.
    pub fn before(&self, record: usize, position: u64, count: u64) -> &[u8] {
        let part = |tail: &Tail| {
            let start = tail.end - tail.symbols.len() as u64;
            let reaches = tail.record == record && start < position && position <= tail.end;
            reaches.then(|| (position - start) as usize)
        };
        let found = self.tails.iter().filter_map(|tail| Some(&tail.symbols[..part(tail)?]));
        let longest = found.max_by_key(|symbols| symbols.len()).unwrap_or_default();
        last(longest, usize::try_from(count).unwrap_or(usize::MAX))
    }
}

/// Returns the last `count` symbols, or all.
fn last(symbols: &[u8], count: usize) -> &[u8] {
    &symbols[symbols.len().saturating_sub(count)..]
}
