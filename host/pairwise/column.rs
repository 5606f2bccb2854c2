//! The last column of an LCS table, kept as one bit per row.

/// Which end of the two strings the table starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the first symbols: row i is the prefix of i symbols.
    Forward,
    /// From the last symbols: row i is the suffix of i symbols.
    Backward,
}

/// The last column of the LCS table of a string of m symbols (the rows) and one of n (the columns),
/// as Crochemore's bit-vector V: bit i is 0 where L\[i + 1\] = L\[i\] + 1 and 1 where L\[i + 1\] = L\[i\].
///
/// m bits instead of m + 1 integers: what engines compute, and all that Hirschberg's split needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    words: Vec<u64>,
    len: usize,
}

/// Words of 32 rows, as devices have them, in twos; rows past the last never grow.
pub(crate) fn widened(words: &[u32]) -> impl Iterator<Item = u64> {
    words.chunks(2).map(|w| u64::from(w[0]) | u64::from(*w.get(1).unwrap_or(&!0)) << 32)
}

impl Column {
    /// The column of m rows from its words, least significant bit first. Bits past row m are ignored; rows past the last
    /// word never grow.
    pub fn from_words(mut words: Vec<u64>, m: usize) -> Self {
        words.resize(m.div_ceil(64), !0);
        if !m.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            // Set, like the bits of rows that never match: equal columns compare equal.
            *last |= !0 << (m % 64);
        }
        Self { words, len: m }
    }

    /// The column of an LCS table given in full: `lengths[i]` is L\[i\], m + 1 entries starting with 0.
    pub fn from_lengths(lengths: &[u32]) -> Self {
        let m = lengths.len().saturating_sub(1);
        let mut words = vec![!0u64; m.div_ceil(64)];
        for (i, pair) in lengths.windows(2).enumerate() {
            if pair[1] > pair[0] {
                words[i / 64] &= !(1 << (i % 64));
            }
        }
        Self { words, len: m }
    }

    /// Adds rows that never grow, up to m in all.
    pub(crate) fn extended(self, m: usize) -> Self {
        Self::from_words(self.words, m)
    }

    /// m, the number of rows.
    pub fn rows(&self) -> usize {
        self.len
    }

    /// L\[m\], the length of the LCS of the whole strings.
    pub fn last(&self) -> usize {
        self.words.iter().map(|w| w.count_zeros() as usize).sum()
    }

    /// Returns true if L\[i + 1\] = L\[i\] + 1; false past the last row.
    pub fn step(&self, i: usize) -> bool {
        self.words.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 0)
    }

    /// L\[0\] to L\[m\].
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths = Vec::with_capacity(self.len + 1);
        let mut sum = 0;
        lengths.push(0);
        for i in 0..self.len {
            sum += usize::from(self.step(i));
            lengths.push(sum);
        }
        lengths
    }
}
