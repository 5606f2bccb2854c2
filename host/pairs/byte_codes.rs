//! One-byte codes for the different symbols of some strings.

use super::strings::Symbols;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Number of different codes.
pub(super) const CODES: usize = 256;

/// Number of table entries: code points, and the numbers after them that represent bytes of invalid
/// UTF-8.
const IN_TABLE: usize = 0x11_0100;

/// One-byte codes for up to 256 different symbols.
pub(super) struct ByteCodes {
    /// Code plus 1 of each number; 0 for none. Most of the table is never touched.
    table: Vec<u16>,
    /// Codes plus 1 of larger numbers.
    large: HashMap<u32, u16, RandomState>,
    /// Symbols with codes, in the order of the codes.
    kinds: Vec<u32>,
    most: usize,
}

impl ByteCodes {
    /// Returns an empty table that can assign `most` codes, up to [`CODES`].
    pub(super) fn new(most: usize) -> Self {
        Self { table: vec![0; IN_TABLE], large: HashMap::default(), kinds: Vec::new(), most: most.min(CODES) }
    }

    /// Returns true if no symbol has a code.
    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Removes all codes.
    pub(super) fn clear(&mut self) {
        self.shrink(0);
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
    pub(super) fn code(&mut self, strings: &[Symbols<'_>], to: &mut Vec<u8>) -> bool {
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
    fn push(&mut self, kind: u32, to: &mut Vec<u8>) -> bool {
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
        to.push((*code - 1) as u8);
        true
    }

    /// Appends a string's codes to `to`, with `other` for symbols without a code.
    pub(super) fn code_known(&self, string: Symbols<'_>, other: u8, to: &mut Vec<u8>) {
        let code = |code: u16| if code == 0 { other } else { (code - 1) as u8 };
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
        let mut codes = ByteCodes::new(3);
        let mut to = Vec::new();
        let numbers = |numbers: &'static [u32]| Symbols::Numbers(numbers);
        assert!(codes.code(&[numbers(&[u32::MAX, 97]), Symbols::Bytes(b"aa")], &mut to));
        assert_eq!(to, [0, 1, 1, 1]);
        // Two more symbols are one too many, and then neither gets a code.
        for two in [numbers(&[5, 97, 0x4e00]), numbers(&[7, u32::MAX - 1])] {
            assert!(!codes.code(&[two], &mut to));
        }
        assert_eq!(to, [0, 1, 1, 1]);
        assert!(codes.code(&[numbers(&[0x4e00])], &mut to));
        codes.code_known(numbers(&[5, 7, u32::MAX - 1, u32::MAX, 0x4e00]), 9, &mut to);
        codes.code_known(Symbols::Bytes(b"ab"), 9, &mut to);
        assert_eq!(to, [0, 1, 1, 1, 2, 9, 9, 9, 0, 2, 1, 9]);
        codes.clear();
        assert!(codes.is_empty());
        codes.code_known(numbers(&[u32::MAX, 97, 0x4e00]), 9, &mut to);
        assert_eq!(to[12..], [9, 9, 9]);
    }
}
