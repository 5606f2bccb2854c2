//! Codes of one or two bytes for the different symbols of some strings.

use super::strings::Symbols;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// A code of a symbol: one byte, or two.
pub(super) trait Code: Copy + Into<usize> + Send + Sync {
    /// Number of different codes.
    const CODES: usize;
    /// Code for symbols without one of their own.
    const OTHER: Self;

    /// Returns a code from its number below [`CODES`](Self::CODES).
    fn new(number: u16) -> Self;
}

impl Code for u8 {
    const CODES: usize = 256;
    const OTHER: Self = Self::MAX;

    #[inline]
    fn new(number: u16) -> Self {
        number as Self
    }
}

/// Number of different codes of two bytes, far below 65,536: so tables of them stay in the
/// first-level cache.
pub(super) const TWO_BYTE_CODES: usize = 1 << 14;

impl Code for u16 {
    const CODES: usize = TWO_BYTE_CODES;
    const OTHER: Self = TWO_BYTE_CODES as Self - 1;

    #[inline]
    fn new(number: u16) -> Self {
        number
    }
}

/// Number of table entries: code points, and the numbers after them that represent bytes of invalid
/// UTF-8.
const IN_TABLE: usize = 0x11_0100;

/// Codes for some number of different symbols.
pub(super) struct SymbolCodes {
    /// Code plus 1 of each number; 0 for none. Most of the table is never touched.
    table: Vec<u16>,
    /// Codes plus 1 of larger numbers.
    large: HashMap<u32, u16, RandomState>,
    /// Symbols with codes, in the order of the codes.
    kinds: Vec<u32>,
    most: usize,
}

impl SymbolCodes {
    /// Returns an empty table that can assign `most` codes, up to [`TWO_BYTE_CODES`].
    pub(super) fn new(most: usize) -> Self {
        let most = most.min(TWO_BYTE_CODES);
        Self { table: vec![0; IN_TABLE], large: HashMap::default(), kinds: Vec::new(), most }
    }

    /// Removes the codes assigned after the first `count`.
    fn shrink(&mut self, count: usize) {
        for kind in self.kinds.drain(count..) {
            match self.table.get_mut(kind as usize) {
                Some(code) => *code = 0,
                None => drop(self.large.remove(&kind)),
            }
        }
    }

    /// Appends the codes of some strings to `to`, and assigns new codes where needed. Returns
    /// false, and changes nothing, if there are not enough codes.
    pub(super) fn code<C: Code>(&mut self, strings: &[Symbols<'_>], to: &mut Vec<C>) -> bool {
        let before = self.kinds.len();
        let start = to.len();
        let mut enough = true;
        for string in strings {
            enough = enough
                && match string {
                    Symbols::Bytes(bytes) => bytes.iter().all(|&byte| self.push(byte.into(), to)),
                    Symbols::Numbers(numbers) => numbers.iter().all(|&number| self.push(number, to)),
                };
        }
        if !enough {
            self.shrink(before);
            to.truncate(start);
        }
        enough
    }

    #[inline]
    fn push<C: Code>(&mut self, kind: u32, to: &mut Vec<C>) -> bool {
        let code = match self.table.get_mut(kind as usize) {
            Some(code) => code,
            None => self.large.entry(kind).or_insert(0),
        };
        if *code == 0 {
            if self.kinds.len() == self.most {
                if kind as usize >= IN_TABLE {
                    self.large.remove(&kind);
                }
                return false;
            }
            self.kinds.push(kind);
            *code = self.kinds.len() as u16;
        }
        to.push(C::new(*code - 1));
        true
    }

    /// Appends a string's codes to `to`, with [`Code::OTHER`] for symbols without a code.
    pub(super) fn code_known<C: Code>(&self, string: Symbols<'_>, to: &mut Vec<C>) {
        let code = |code: u16| if code == 0 { C::OTHER } else { C::new(code - 1) };
        match string {
            Symbols::Bytes(bytes) => to.extend(bytes.iter().map(|&byte| code(self.table[usize::from(byte)]))),
            Symbols::Numbers(numbers) => to.extend(numbers.iter().map(|number| {
                let known = self.table.get(*number as usize).copied();
                code(known.unwrap_or_else(|| self.large.get(number).copied().unwrap_or(0)))
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_given_as_long_as_there_are_any() {
        let mut codes = SymbolCodes::new(3);
        let mut to: Vec<u8> = Vec::new();
        let numbers = |numbers: &'static [u32]| Symbols::Numbers(numbers);
        assert!(codes.code(&[numbers(&[u32::MAX, 97]), Symbols::Bytes(b"aa")], &mut to));
        assert_eq!(to, [0, 1, 1, 1]);
        // Two more symbols are one too many, and then neither gets a code.
        for two in [numbers(&[5, 97, 0x4e00]), numbers(&[7, u32::MAX - 1])] {
            assert!(!codes.code(&[two], &mut to));
        }
        assert_eq!(to, [0, 1, 1, 1]);
        assert!(codes.code(&[numbers(&[0x4e00])], &mut to));
        codes.code_known(numbers(&[5, 7, u32::MAX - 1, u32::MAX, 0x4e00]), &mut to);
        codes.code_known(Symbols::Bytes(b"ab"), &mut to);
        assert_eq!(to, [0, 1, 1, 1, 2, 255, 255, 255, 0, 2, 1, 255]);
        let mut wide: Vec<u16> = Vec::new();
        codes.code_known(numbers(&[5, 97, 0x4e00]), &mut wide);
        assert_eq!(wide, [u16::OTHER, 1, 2]);
    }
}
