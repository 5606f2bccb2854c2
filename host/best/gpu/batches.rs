//! The records of a text side by side in batches that fit a device's memory.
//!
//! ```text
//! record 0          record 1      record 2
//! ─────────────── # # # ──── # # # ──────            #: a symbol that the pattern does not have,
//!            batch 0               │                    m times between two records
//!                           ──────────────────       a long record continues in the next batch,
//!                           2m again   batch 1       with the 2m symbols before
//! ```
//!
//! A part that crosses all # between two records has at least m errors. A part that ends or begins
//! with # has no fewer errors than without it. So the fewest errors, if they are fewer than m, and
//! the first end with them are those of the records.

use crate::best::end::BestEnd;
use crate::error::Result;
use crate::memory;
use crate::text::Pattern;
use std::borrow::Cow;
use std::ops::Range;

/// The records of a text, to be taken in batches.
pub struct Batches<'t> {
    symbols: &'t [u8],
    records: &'t [Range<usize>],
    m: usize,
    /// Largest number of symbols of a batch, if that is enough for the symbols before a stretch.
    room: usize,
    /// A symbol that the pattern does not have. Without one, a batch has one record.
    separator: Option<u8>,
    /// The next symbol: the number of its record, and its position there.
    record: usize,
    next: usize,
}

/// Symbols to be searched together.
pub struct Batch<'t> {
    /// The symbols.
    pub symbols: Cow<'t, [u8]>,
    /// Number of symbols that no earlier batch has.
    pub own: u64,
    stretches: Vec<Stretch>,
}

/// A part of a record in a batch.
struct Stretch {
    /// Start in the batch.
    at: usize,
    record: usize,
    /// Symbols of the record.
    range: Range<usize>,
}

impl<'t> Batches<'t> {
    /// Divides records into batches of about `room` symbols.
    pub fn new(symbols: &'t [u8], records: &'t [Range<usize>], pattern: &Pattern, room: usize) -> Self {
        let classes = pattern.distinct().classes;
        let separator = (0..=255).find(|&symbol| !classes.iter().any(|class| class.contains(symbol)));
        Self { symbols, records, m: pattern.len(), room, separator, record: 0, next: 0 }
    }

    /// Returns the next batch; `None` if no symbol is left.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if the records do not fit side by side.
    pub fn take(&mut self) -> Result<Option<Batch<'t>>> {
        let mut stretches = Vec::<Stretch>::new();
        let mut own = 0;
        let mut used = 0;
        while let Some(record) = self.records.get(self.record) {
            if self.next == record.len() {
                (self.record, self.next) = (self.record + 1, 0);
                continue;
            }
            let start = self.next.saturating_sub(self.m.saturating_mul(2));
            let at = if stretches.is_empty() { 0 } else { used + self.m };
            let left = self.room.saturating_sub(at + self.next - start);
            // At least as many own symbols as the pattern has, so that batches are few.
            let least = self.m.min(record.len() - self.next);
            if !stretches.is_empty() && (self.separator.is_none() || left < least) {
                break;
            }
            let end = (self.next + left.max(least)).min(record.len());
            stretches.push(Stretch { at, record: self.record, range: start..end });
            own += (end - self.next) as u64;
            used = at + end - start;
            self.next = end;
        }
        let symbols = match &stretches[..] {
            [] => return Ok(None),
            [stretch] => Cow::Borrowed(self.symbols_of(stretch)),
            _ => {
                memory::check::<u8>(used, "records side by side")?;
                let mut joined = Vec::with_capacity(used);
                for stretch in &stretches {
                    joined.resize(stretch.at, self.separator.unwrap_or_default());
                    joined.extend_from_slice(self.symbols_of(stretch));
                }
                Cow::Owned(joined)
            }
        };
        Ok(Some(Batch { symbols, own, stretches }))
    }

    fn symbols_of(&self, stretch: &Stretch) -> &'t [u8] {
        &self.symbols[self.records[stretch.record].clone()][stretch.range.clone()]
    }
}

impl Batch<'_> {
    /// Returns the place of an end in the batch, as a number of symbols, not 0.
    pub fn place(&self, end: u64, distance: u32) -> BestEnd {
        let number = self.stretches.partition_point(|stretch| (stretch.at as u64) < end).saturating_sub(1);
        let Stretch { at, record, range } = &self.stretches[number];
        BestEnd { distance, record: *record, end: range.start as u64 + end - *at as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;

    /// The best end of all batches is that of the records, each alone.
    #[test]
    fn batches_have_the_best_end_of_the_records() {
        let mut random = fastrand::Rng::with_seed(4);
        for case in 0..2000 {
            let symbols: Vec<u8> = (0..random.usize(1..120)).map(|_| random.u8(..3)).collect();
            let mut borders: Vec<usize> = (0..random.usize(2..9)).map(|_| random.usize(..=symbols.len())).collect();
            borders.sort_unstable();
            let records: Vec<Range<usize>> = borders.windows(2).map(|pair| pair[0]..pair[1]).collect();
            let m = random.usize(1..12);
            let pattern: Vec<u8> = (0..m).map(|_| random.u8(..3)).collect();
            let pattern = match case % 4 {
                // No symbol is left to separate records.
                0 => Pattern::with_wildcard(&pattern, 1),
                _ => Pattern::literal(&pattern),
            };
            let empty = BestEnd { distance: m as u32, record: 0, end: 0 };
            let of_record = |(record, range): (usize, &Range<usize>)| {
                let (distance, end) = sellers::least(&symbols[range.clone()], &pattern);
                BestEnd { distance, record, end }
            };
            let nearer = |best: &BestEnd| best.distance < m as u32;
            let expected = records.iter().enumerate().map(of_record).filter(nearer).min().unwrap_or(empty);
            let room = random.usize(1..150);
            let mut batches = Batches::new(&symbols, &records, &pattern, room);
            let (mut found, mut own) = (empty, 0);
            while let Some(batch) = batches.take().unwrap() {
                let (distance, end) = sellers::least(&batch.symbols, &pattern);
                if distance < m as u32 {
                    found = found.min(batch.place(end, distance));
                }
                own += batch.own;
                assert!(batch.symbols.len() <= room.max(3 * m), "{} of {room}", batch.symbols.len());
            }
            assert_eq!(found, expected, "case {case}, {records:?}, m = {m}, {room}");
            assert_eq!(own, records.iter().map(|record| record.len() as u64).sum::<u64>());
        }
    }
}
