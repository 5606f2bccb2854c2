//! Symbols renamed to small codes, so that a match table has one row per symbol that occurs.

/// Two strings in codes 0..`symbols`, both in the order of filling the table.
#[derive(Debug)]
pub(crate) struct Codes {
    pub(crate) rows: Vec<u8>,
    pub(crate) cols: Vec<u8>,
    /// Number of codes in use.
    pub(crate) symbols: usize,
}

impl Codes {
    /// Renames the symbols. If the table is filled from the strings' ends (`backward`), reverses
    /// both strings, so that later steps do not depend on the direction.
    pub(crate) fn new(rows: &[u8], cols: &[u8], backward: bool) -> Self {
        // Code 0 is for all symbols that no row has. Others count from 1 as they appear. If all 256
        // appear, no symbol is left for code 0, and the last one wraps around to it.
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
            if backward { renamed.rev().collect() } else { renamed.collect() }
        };
        Self { rows: rename(rows), cols: rename(cols), symbols }
    }
}

/// Returns a random string, for tests.
#[cfg(test)]
pub(crate) fn random(len: usize, symbols: usize, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| random.usize(..symbols) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dense_and_unmatched_symbols_share_one() {
        let codes = Codes::new(b"xax", b"aqxz", false);
        assert_eq!((codes.rows, codes.cols, codes.symbols), (vec![1, 2, 1], vec![2, 0, 1, 0], 3));
    }

    #[test]
    fn backward_reverses_both() {
        let codes = Codes::new(b"ab", b"bba", true);
        assert_eq!((codes.rows, codes.cols), (vec![2, 1], vec![1, 2, 2]));
    }

    #[test]
    fn all_256_symbols_fit() {
        let every: Vec<u8> = (0..=255).collect();
        let codes = Codes::new(&every, &every, false);
        let expected: Vec<u8> = (1..=255).chain([0]).collect();
        assert_eq!((&codes.rows, &codes.cols, codes.symbols), (&expected, &expected, 256));
        let codes = Codes::new(&every[1..], &every, false);
        assert_eq!((codes.cols[0], codes.cols[255], codes.symbols), (0, 255, 256));
        assert_eq!(Codes::new(b"", b"a", false).symbols, 1);
    }
}
