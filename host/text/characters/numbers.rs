//! The symbols of a text as numbers, for comparisons with any number of different symbols.

use super::set::OTHER;
use super::utf8::{Decoded, character};

/// Returns the symbols of a text as numbers. A character has its code point. A byte that is not
/// part of a character in UTF-8 is a symbol of its own, with the number 0x110000 plus its value.
/// O(n).
///
/// ```
/// use carrywave::text::characters::numbers_of;
///
/// assert_eq!(numbers_of("aü中".as_bytes()), [0x61, 0xfc, 0x4e2d]);
/// assert_eq!(numbers_of(b"a\xfcb"), [0x61, 0x1100fc, 0x62]);
/// ```
pub fn numbers_of(text: &[u8]) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let Decoded { number, bytes } = character(rest);
        numbers.push(if number == OTHER { OTHER + u32::from(first) } else { number });
        rest = rest.get(bytes..).unwrap_or_default();
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_invalid_utf8_is_a_symbol() {
        for text in ["", "kitten", "Müller", "中国 \u{1f600}", "\u{10ffff}"] {
            assert_eq!(numbers_of(text.as_bytes()), text.chars().map(u32::from).collect::<Vec<_>>());
        }
        // A surrogate, an overlong form, and a truncated character.
        for text in [&b"\xed\xa0\x80"[..], b"\xc0\xaf", b"\xe4\xb8", b"\xff\xfe\x80"] {
            assert_eq!(numbers_of(text), text.iter().map(|&byte| 0x11_0000 + u32::from(byte)).collect::<Vec<_>>());
        }
        assert_eq!(numbers_of(b"\xfc\xc3\xbc"), [0x1100fc, 0xfc]);
    }
}
