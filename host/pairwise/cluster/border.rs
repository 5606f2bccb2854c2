//! The carries between a band of rows and the bands above and below it.

use super::link::{CarryLink, receive};
use super::pace::Pace;
use crate::error::{Error, Result};
use std::ops::Range;
use std::time::{Duration, Instant};

/// A band's carries in and out, a chunk of columns at a time.
///
/// The carries of a chunk are packed bits, 64 columns to a word from the lowest bit on. An LCS
/// table has one bit a column (1 if L grows from the previous column). An edit distance table has
/// first a bit a column for an increase of D by 1, then a bit a column for a decrease by 1. Bits
/// past the last column are 0.
pub(crate) struct Border<'l> {
    link: &'l dyn CarryLink,
    /// Members with the bands above and below.
    above: Option<usize>,
    below: Option<usize>,
    channel: u64,
    /// Channel on which the band below receives this band's carries.
    below_channel: u64,
    columns: usize,
    chunk: usize,
    /// Word of the row above the table's first one, for each bit of a column.
    top: &'static [u64],
    taken: usize,
    given: usize,
    waited: Duration,
    pace: Pace,
}

/// Members with the bands above and below a band.
#[derive(Debug, Clone, Copy)]
pub(in crate::pairwise) struct Neighbours {
    pub above: Option<usize>,
    pub below: Option<usize>,
}

impl<'l> Border<'l> {
    /// Returns a border of `columns` columns in chunks of `chunk`, a multiple of 64 and not 0.
    pub(in crate::pairwise) fn new(
        link: &'l dyn CarryLink,
        Neighbours { above, below }: Neighbours,
        channel: u64,
        columns: usize,
        chunk: usize,
        top: &'static [u64],
    ) -> Self {
        Self {
            link,
            above,
            below,
            channel,
            below_channel: channel,
            columns,
            chunk,
            top,
            taken: 0,
            given: 0,
            waited: Duration::ZERO,
            pace: Pace::default(),
        }
    }

    /// Sets a different channel for the band below.
    pub(super) fn giving_on(self, below_channel: u64) -> Self {
        Self { below_channel, ..self }
    }

    /// Returns true for the table's first band: only row 0 is above it.
    pub fn is_first(&self) -> bool {
        self.above.is_none()
    }

    /// Returns true for the table's last band: no member needs its carries.
    pub fn is_last(&self) -> bool {
        self.below.is_none()
    }

    /// Returns the number of columns of a chunk; the last chunk may have fewer.
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// Returns the columns of each chunk.
    pub fn chunks(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let columns = self.columns;
        let chunk = self.chunk;
        (0..columns.div_ceil(chunk)).map(move |i| i * chunk..((i + 1) * chunk).min(columns))
    }

    /// Returns the number of columns of a chunk; 0 past the last chunk.
    fn columns_of(&self, number: usize) -> usize {
        self.columns.saturating_sub(number * self.chunk).min(self.chunk)
    }

    /// Waits for the next chunk's carries into the first row, and returns them.
    ///
    /// # Errors
    /// [`Error::Member`] if a member has failed.
    pub fn take(&mut self) -> Result<Vec<u64>> {
        let started = Instant::now();
        let words = match self.above {
            Some(from) => receive(self.link, from, self.channel)?,
            None => self.top_row(),
        };
        self.waited += started.elapsed();
        self.checked(words)
    }

    /// Returns the next chunk's carries if they have arrived.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn take_now(&mut self) -> Result<Option<Vec<u64>>> {
        let words = match self.above {
            Some(from) => self.link.receive(from, self.channel, Duration::ZERO)?,
            None => Some(self.top_row()),
        };
        words.map(|words| self.checked(words)).transpose()
    }

    fn top_row(&self) -> Vec<u64> {
        let columns = self.columns_of(self.taken);
        let mut row: Vec<u64> =
            self.top.iter().flat_map(|&word| std::iter::repeat_n(word, columns.div_ceil(64))).collect();
        self.mask(columns, &mut row);
        row
    }

    fn checked(&mut self, words: Vec<u64>) -> Result<Vec<u64>> {
        let expected = self.top.len() * self.columns_of(self.taken).div_ceil(64);
        if words.len() != expected || expected == 0 {
            let from = self.above.unwrap_or(self.link.rank());
            let reason = format!("sent {} words of carries, but {expected} are expected", words.len());
            return Err(Error::Member { rank: from, reason });
        }
        self.taken += 1;
        Ok(words)
    }

    /// Sends the next chunk's carries out of the last row.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn give(&mut self, mut words: Vec<u64>) -> Result<()> {
        let columns = self.columns_of(self.given);
        self.given += 1;
        let Some(to) = self.below else { return Ok(()) };
        let has_all = self.above.is_none() || self.taken >= self.columns.div_ceil(self.chunk);
        self.pace.leave(Instant::now(), (!has_all).then(|| self.taken.saturating_sub(self.given)));
        self.mask(columns, &mut words);
        self.link.send(to, self.below_channel, words)
    }

    /// Sets bits past the last column to 0.
    fn mask(&self, columns: usize, words: &mut [u64]) {
        let each = columns.div_ceil(64);
        if each > 0 && !columns.is_multiple_of(64) {
            words.iter_mut().skip(each - 1).step_by(each).for_each(|word| *word &= !(!0 << (columns % 64)));
        }
    }

    /// Returns the time spent waiting for carries.
    pub(super) fn waited(&self) -> Duration {
        self.waited
    }

    /// Returns the time of the band without its waiting for carries, by when chunks came and went;
    /// `None` if that does not show it.
    pub(super) fn time_by_pace(&self) -> Option<Duration> {
        self.pace.time()
    }
}

#[cfg(test)]
mod tests {
    use super::super::HostMemory;
    use super::*;

    fn border(link: &HostMemory, above: Option<usize>, below: Option<usize>) -> Border<'_> {
        Border::new(link, Neighbours { above, below }, 3, 300, 128, &[!0, 0])
    }

    #[test]
    fn what_is_given_is_taken_without_bits_past_the_end() {
        let links = HostMemory::between(2);
        let mut upper = border(&links[0], None, Some(1));
        let mut lower = border(&links[1], Some(0), None);
        assert_eq!(upper.chunks().collect::<Vec<_>>(), [0..128, 128..256, 256..300]);
        assert_eq!((upper.is_first(), upper.is_last(), lower.is_first(), lower.is_last()), (true, false, false, true));
        // Row 0: two words for increases of D, two for decreases; the last chunk has 44 columns.
        assert_eq!(upper.take().unwrap(), [!0, !0, 0, 0]);
        assert_eq!(upper.take_now().unwrap(), Some(vec![!0, !0, 0, 0]));
        assert_eq!(upper.take().unwrap(), [!0 >> 20, 0]);
        assert_eq!(lower.take_now().unwrap(), None);
        for (given, taken) in
            [([1, 2, 3, 4].to_vec(), [1, 2, 3, 4].to_vec()), (vec![5; 4], vec![5; 4]), (vec![!0; 2], vec![!0 >> 20; 2])]
        {
            upper.give(given).unwrap();
            assert_eq!(lower.take().unwrap(), taken);
            lower.give(taken).unwrap();
        }
    }

    #[test]
    fn carries_of_another_length_are_refused() {
        for words in [0, 3, 5, 1000] {
            let links = HostMemory::between(2);
            links[0].send(1, 3, vec![0; words]).unwrap();
            let error = border(&links[1], Some(0), None).take().unwrap_err();
            assert!(matches!(error, Error::Member { rank: 0, .. }), "{error}");
        }
        // Takes more chunks than there are.
        let links = HostMemory::between(2);
        let mut lower = border(&links[1], Some(0), None);
        for words in [4, 4, 2, 2] {
            links[0].send(1, 3, vec![0; words]).unwrap();
        }
        assert!((0..3).all(|_| lower.take().is_ok()) && lower.take().is_err());
    }
}
