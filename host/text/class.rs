//! A class of symbols.

/// A set of bytes.
///
/// ```
/// use carrywave::text::Class;
///
/// let mut vowels = Class::from_symbols(*b"aeiou");
/// vowels.insert(b'y');
/// assert!(vowels.contains(b'e') && !vowels.contains(b'b') && vowels.len() == 6);
/// assert!(vowels.symbols().eq(*b"aeiouy"));
/// let common = vowels.intersection(Class::from_symbols(*b"xyz"));
/// assert_eq!(common, Class::from_symbol(b'y'));
/// assert!(common.intersection(Class::from_symbol(b'x')).is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Class([u64; 4]);

impl Class {
    /// The class of every byte.
    pub const ANY: Self = Self([!0; 4]);

    /// Returns the class of one byte, as in the [example](Self).
    #[inline]
    pub fn from_symbol(symbol: u8) -> Self {
        let mut class = Self::default();
        class.insert(symbol);
        class
    }

    /// Returns the class of these bytes, as in the [example](Self).
    #[inline]
    pub fn from_symbols(symbols: impl IntoIterator<Item = u8>) -> Self {
        let mut class = Self::default();
        symbols.into_iter().for_each(|symbol| class.insert(symbol));
        class
    }

    /// Returns the bytes that are in both classes, as in the [example](Self).
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Adds a byte, as in the [example](Self).
    #[inline]
    pub fn insert(&mut self, symbol: u8) {
        self.0[usize::from(symbol / 64)] |= 1 << (symbol % 64);
    }

    /// Returns true if the class has this byte, as in the [example](Self).
    #[inline]
    pub fn contains(&self, symbol: u8) -> bool {
        self.0[usize::from(symbol / 64)] >> (symbol % 64) & 1 == 1
    }

    /// Returns its bytes in ascending order, as in the [example](Self).
    #[inline]
    pub fn symbols(&self) -> impl Iterator<Item = u8> + use<> {
        let mut words = self.0;
        let mut next = 0;
        std::iter::from_fn(move || {
            while words.get(next)? == &0 {
                next += 1;
            }
            let bit = words[next].trailing_zeros() as u8;
            words[next] &= words[next] - 1;
            Some(next as u8 * 64 + bit)
        })
    }

    /// Returns the number of bytes, as in the [example](Self).
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns true if the class is empty, as in the [example](Self).
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_a_class() {
        for symbols in [&[][..], &[0], &[255], &[0, 1, 63, 64, 65, 127, 128, 200, 255]] {
            assert!(Class::from_symbols(symbols.iter().copied()).symbols().eq(symbols.iter().copied()));
        }
        assert!(Class::ANY.symbols().eq(0..=255));
    }
}
