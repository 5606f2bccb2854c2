//! Tests whether bytes are in a class, in SIMD lanes.

use crate::text::Class;

/// The cheapest test on a byte that the class allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassTest {
    /// The byte equals `value` in the bits of `kept`: one letter in both cases, or any byte.
    Bits { kept: u8, value: u8 },
    /// Bit h of `low[l]` is 1 if byte 16 h + l is in the class; bit h of `high[l]` is 1 if byte 16
    /// h + l + 128 is.
    Table { low: [u8; 16], high: [u8; 16] },
}

impl ClassTest {
    pub(crate) fn new(class: &Class) -> Self {
        let mut ones = 0xff;
        let mut zeros = 0xff;
        for symbol in class.symbols() {
            ones &= symbol;
            zeros &= !symbol;
        }
        // The bits that all members share leave room for 2^others bytes. Unless all of these are in
        // the class, it needs a table.
        let kept = ones | zeros;
        if class.len() == 1 << (!kept).count_ones() {
            return Self::Bits { kept, value: ones };
        }
        let half = |from: u8| {
            std::array::from_fn(|l| {
                (0..8).map(|h| u8::from(class.contains(from + 16 * h + l as u8)) << h).fold(0, |bits, bit| bits | bit)
            })
        };
        Self::Table { low: half(0), high: half(128) }
    }

    /// Returns true if a byte passes.
    #[cfg(test)]
    pub(crate) fn passes(&self, symbol: u8) -> bool {
        match self {
            Self::Bits { kept, value } => symbol & kept == *value,
            Self::Table { low, high } => {
                let table = if symbol < 128 { low } else { high };
                table[usize::from(symbol & 15)] >> (symbol >> 4 & 7) & 1 == 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_the_classes() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut classes = vec![
            Class::default(),
            Class::ANY,
            Class::from_symbol(0),
            Class::from_symbol(255),
            Class::from_symbols(*b"TtUu"),
        ];
        classes.extend((1..200).map(|len| Class::from_symbols((0..len).map(|_| random.u8(..)))));
        for class in &classes {
            let test = ClassTest::new(class);
            for symbol in 0..=255 {
                assert_eq!(test.passes(symbol), class.contains(symbol), "{symbol} in {class:?} by {test:?}");
            }
        }
        assert!(matches!(ClassTest::new(&classes[4]), ClassTest::Bits { .. }));
        assert!(matches!(ClassTest::new(&Class::from_symbols(*b"AG")), ClassTest::Table { .. }));
    }
}
