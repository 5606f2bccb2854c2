//! Symbols renamed to small codes, so that a match table has one row per symbol that occurs.

use crate::align::column::Direction;

/// Two strings in codes 0..`symbols`, both in the order in which the table is filled.
#[derive(Debug)]
pub(super) struct Codes {
    pub(super) rows: Vec<u8>,
    pub(super) cols: Vec<u8>,
    /// Codes in use.
    pub(super) symbols: usize,
}

impl Codes {
    /// Renames the symbols; `Backward` also reverses both strings, so that nothing after this depends on direction.
    pub(super) fn new(rows: &[u8], cols: &[u8], direction: Direction) -> Self {
        // Code 0 is for all symbols that no row has. Others count from 1 as they appear; should all 256 appear, no
        // symbol is left for code 0 and the last one wraps around to it.
        let mut occurs = [false; 256];
        let mut code = [0u8; 256];
        let mut last = 0u8;
        for symbol in rows.iter().map(|&symbol| usize::from(symbol)) {
            if !occurs[symbol] {
                occurs[symbol] = true;
                last = last.wrapping_add(1);
                code[symbol] = last;
            }
        }
        let symbols = if last == 0 && !rows.is_empty() { 256 } else { usize::from(last) + 1 };
        let rename = |text: &[u8]| -> Vec<u8> {
            let renamed = text.iter().map(|&symbol| code[usize::from(symbol)]);
            match direction {
                Direction::Forward => renamed.collect(),
                Direction::Backward => renamed.rev().collect(),
            }
        };
        Self { rows: rename(rows), cols: rename(cols), symbols }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dense_and_unmatched_symbols_share_one() {
        let codes = Codes::new(b"xax", b"aqxz", Direction::Forward);
        assert_eq!((codes.rows, codes.cols, codes.symbols), (vec![1, 2, 1], vec![2, 0, 1, 0], 3));
    }

    #[test]
    fn backward_reverses_both() {
        let codes = Codes::new(b"ab", b"bba", Direction::Backward);
        assert_eq!((codes.rows, codes.cols), (vec![2, 1], vec![1, 2, 2]));
    }

    #[test]
    fn all_256_symbols_fit() {
        let every: Vec<u8> = (0..=255).collect();
        let codes = Codes::new(&every, &every, Direction::Forward);
        let expected: Vec<u8> = (1..=255).chain([0]).collect();
        assert_eq!((&codes.rows, &codes.cols, codes.symbols), (&expected, &expected, 256));
        let codes = Codes::new(&every[1..], &every, Direction::Forward);
        assert_eq!((codes.cols[0], codes.cols[255], codes.symbols), (0, 255, 256));
        assert_eq!(Codes::new(b"", b"a", Direction::Forward).symbols, 1);
    }
}
