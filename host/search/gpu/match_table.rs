//! A pattern's match words as kernels take them.

use crate::text::pattern::Pattern;
use carrywave_kernels::search::match_table::SYMBOLS;

/// Returns the mismatches of each symbol as bits: bit i of `words[256 w + c]` is 1 if bit 32 w + i
/// stands for a position of the pattern that rejects the symbol c. The pattern's last symbol is bit
/// `accepting`, and the others are below it. Bits above and below the pattern are 0. m is at most
/// `accepting` + 1.
pub(super) fn mismatches(pattern: &Pattern, accepting: u32) -> Vec<u32> {
    let first = accepting as usize + 1 - pattern.len();
    let mut words = vec![0; SYMBOLS as usize * (accepting as usize / 32 + 1)];
    for (i, class) in pattern.classes().iter().enumerate() {
        let (word, bit) = ((first + i) / 32, (first + i) % 32);
        for symbol in 0..=255u8 {
            if !class.contains(symbol) {
                words[word * SYMBOLS as usize + usize::from(symbol)] |= 1 << bit;
            }
        }
    }
    words
}

#[cfg(feature = "published")]
/// Returns PEq, one word per symbol: bit i is 1 if the symbol matches the pattern's position i. m
/// is 1 to 32.
pub(super) fn matches(pattern: &Pattern) -> Vec<u32> {
    let accepting = pattern.len() as u32 - 1;
    let positions = !0 >> (31 - accepting);
    mismatches(pattern, accepting).into_iter().map(|word| !word & positions).collect()
}

#[cfg(all(test, feature = "published"))]
mod tests {
    use super::*;

    #[test]
    fn a_bit_is_set_where_the_symbol_differs() {
        let words = mismatches(&Pattern::literal(b"aba"), 33);
        assert_eq!((words.len(), words[usize::from(b'a')], words[usize::from(b'b')]), (512, 0, 1 << 31));
        assert_eq!((words[256 + usize::from(b'a')], words[256 + usize::from(b'b')]), (1, 0b10));
        assert_eq!((words[usize::from(b'c')], words[256 + usize::from(b'c')]), (1 << 31, 0b11));
    }

    #[test]
    fn a_bit_is_set_where_the_symbol_matches() {
        let peq = matches(&Pattern::literal(b"aba"));
        let of = |symbol: u8| peq[usize::from(symbol)];
        assert_eq!((peq.len(), of(b'a'), of(b'b'), of(b'c')), (256, 0b101, 0b010, 0));
        assert_eq!(matches(&Pattern::literal(&[b'a'; 32]))[usize::from(b'a')], !0);
    }
}
