//! Bits in bytes, the lowest first.

/// Appends bits to bytes.
pub(super) struct Bits<'b> {
    bytes: &'b mut Vec<u8>,
    /// Bytes that are complete.
    len: usize,
    word: u64,
    /// Bits of the word; at most seven after [`flush`](Self::flush).
    count: u32,
}

impl<'b> Bits<'b> {
    /// Returns a writer of at most `most` bytes.
    pub fn new(bytes: &'b mut Vec<u8>, most: usize) -> Self {
        let len = bytes.len();
        // A flush writes whole words.
        bytes.resize(len + most + 8, 0);
        Self { bytes, len, word: 0, count: 0 }
    }

    /// Adds the lowest `count` bits of `bits`, whose others are 0. At most 56 bits between two
    /// flushes.
    #[inline(always)]
    pub fn add(&mut self, bits: u64, count: u32) {
        self.word |= bits << self.count;
        self.count += count;
    }

    /// Writes the whole bytes.
    #[inline(always)]
    pub fn flush(&mut self) {
        if let Some(place) = self.bytes.get_mut(self.len..self.len + 8) {
            place.copy_from_slice(&self.word.to_le_bytes());
        }
        self.len += (self.count / 8) as usize;
        self.word >>= self.count & !7;
        self.count &= 7;
    }

    /// Writes the last bits, and zeros up to a whole byte.
    pub fn finish(mut self) {
        self.flush();
        let end = self.len + usize::from(self.count > 0);
        self.bytes.truncate(end);
    }
}
