//! Strings side by side in memory, in the order of their comparison.

use carrywave::pairs::Symbols;

/// Maximum mean number of symbols. Reading longer strings takes longer than finding them.
const SHORT: usize = 64;

/// Strings in an order. Short ones are copied.
pub struct Together<'s> {
    strings: Vec<Symbols<'s>>,
    bytes: Vec<u8>,
    numbers: Vec<u32>,
}

impl<'s> Together<'s> {
    pub fn new(strings: impl Iterator<Item = Symbols<'s>>) -> Self {
        let strings: Vec<_> = strings.collect();
        let (mut bytes, mut numbers) = (Vec::new(), Vec::new());
        if strings.iter().map(Symbols::len).sum::<usize>() <= SHORT * strings.len() {
            for string in &strings {
                match string {
                    Symbols::Bytes(string) => bytes.extend_from_slice(string),
                    Symbols::Numbers(string) => numbers.extend_from_slice(string),
                }
            }
        }
        Self { strings, bytes, numbers }
    }

    /// Returns the strings, in order.
    pub fn symbols(&self) -> Vec<Symbols<'_>> {
        let (mut bytes, mut numbers) = (&self.bytes[..], &self.numbers[..]);
        let mut copy = |string: &Symbols<'s>| match string {
            Symbols::Bytes(string) => take(&mut bytes, string.len()).map(Symbols::Bytes),
            Symbols::Numbers(string) => take(&mut numbers, string.len()).map(Symbols::Numbers),
        };
        // Without copies, the strings are elsewhere.
        self.strings.iter().map(|string| copy(string).unwrap_or(*string)).collect()
    }
}

/// Takes the first items of a slice; `None` if it has fewer.
fn take<'i, T>(items: &mut &'i [T], count: usize) -> Option<&'i [T]> {
    let (first, rest) = items.split_at_checked(count)?;
    *items = rest;
    Some(first)
}
