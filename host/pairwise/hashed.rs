//! Strings of bytes and of numbers, for hashes.

/// A string of numbered symbols.
pub(crate) trait Hashed {
    /// Returns the number of symbols.
    fn len(&self) -> usize;

    /// Calls `each` with the number of each symbol, below 2^32, in order.
    fn for_each(&self, each: impl FnMut(u64));
}

impl Hashed for &[u8] {
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }

    fn for_each(&self, mut each: impl FnMut(u64)) {
        self.iter().for_each(|&symbol| each(symbol.into()));
    }
}
