//! Symbols as numbers: equal where the text's symbol matches the pattern's.

use crate::text::{DistinctClasses, Pattern};

/// The symbols of a pattern as numbers, and the numbers of a text's symbols.
pub(super) struct Numbers {
    /// Number of each symbol of the pattern, from 1.
    pub pattern: Vec<u32>,
    /// Number of every byte of a text, equal to that of the symbols it matches; 0 matches none.
    pub text: [u32; 256],
}

impl Numbers {
    /// Numbers the symbols of a pattern; `None` if a byte matches two different symbols.
    pub fn new(pattern: &Pattern) -> Option<Self> {
        let DistinctClasses { classes, indices } = pattern.distinct();
        let mut text = [0; 256];
        for (class, number) in classes.iter().zip(1..) {
            for symbol in class.symbols() {
                if std::mem::replace(&mut text[usize::from(symbol)], number) != 0 {
                    return None;
                }
            }
        }
        Some(Self { pattern: indices.iter().map(|&class| class as u32 + 1).collect(), text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Alphabet;

    #[test]
    fn numbers_are_equal_where_symbols_match() {
        for (symbols, alphabet) in
            [("banana", Alphabet::Bytes), ("GATTaCA", Alphabet::Iupac), ("MKV", Alphabet::Protein)]
        {
            let pattern = Pattern::parse(symbols.as_bytes(), alphabet).unwrap();
            let numbers = Numbers::new(&pattern).unwrap();
            for (class, number) in pattern.classes().iter().zip(numbers.pattern) {
                for symbol in 0..=255 {
                    let own = numbers.text[usize::from(symbol)];
                    assert_eq!(class.contains(symbol), own == number, "{symbol} of {symbols}");
                }
            }
        }
        assert!(Numbers::new(&Pattern::parse(b"GAN", Alphabet::Iupac).unwrap()).is_none());
    }
}
