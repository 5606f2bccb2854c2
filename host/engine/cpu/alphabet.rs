//! Symbols renamed to small codes, so that a match table has one row per symbol that occurs.

use crate::lcs::column::Direction;

/// Two strings in codes 0..`symbols`, both in the order in which the table is filled.
#[derive(Debug)]
pub(super) struct Codes {
    pub(super) rows: Vec<u8>,
    pub(super) cols: Vec<u8>,
    /// Codes in use. Symbols of the columns that no row has share one code.
    pub(super) symbols: usize,
}

impl Codes {
    /// Renames the symbols; `Backward` also reverses both strings, so that nothing after this depends on direction.
    pub(super) fn new(rows: &[u8], cols: &[u8], direction: Direction) -> Self {
        let mut occurs = [false; 256];
        for &symbol in rows {
            occurs[usize::from(symbol)] = true;
        }
        let mut code = [0u8; 256];
        let mut symbols = 0usize;
        for (code, _) in code.iter_mut().zip(&occurs).filter(|(_, occurs)| **occurs) {
            *code = symbols as u8;
            symbols += 1;
        }
        if symbols < 256 {
            // One more code for all that never match. With 256 symbols in the rows there are none such.
            for (code, _) in code.iter_mut().zip(&occurs).filter(|(_, occurs)| !**occurs) {
                *code = symbols as u8;
            }
            symbols += 1;
        }
        let rename = |text: &[u8]| -> Vec<u8> {
            let renamed = text.iter().map(|&symbol| code[usize::from(symbol)]);
            match direction {
                Direction::Forward => renamed.collect(),
                Direction::Backward => renamed.rev().collect(),
            }
        };
        Self {
            rows: rename(rows),
            cols: rename(cols),
            symbols,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dense_and_unmatched_symbols_share_one() {
        let codes = Codes::new(b"xax", b"aqxz", Direction::Forward);
        assert_eq!(
            (codes.rows, codes.cols, codes.symbols),
            (vec![1, 0, 1], vec![0, 2, 1, 2], 3)
        );
    }

    #[test]
    fn backward_reverses_both() {
        let codes = Codes::new(b"ab", b"bba", Direction::Backward);
        assert_eq!((codes.rows, codes.cols), (vec![1, 0], vec![0, 1, 1]));
    }

    #[test]
    fn all_256_symbols_fit() {
        let every: Vec<u8> = (0..=255).collect();
        let codes = Codes::new(&every, &every, Direction::Forward);
        assert_eq!((&codes.rows, codes.symbols), (&every, 256));
    }
}
