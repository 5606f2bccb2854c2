//! Symbols renamed to small codes, so that a match table has one row per symbol that occurs.

use super::symbols::{ALONE, PIECE, occurring};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Two strings in codes 0..`symbols`, both in the order of filling the table.
#[derive(Debug)]
pub(crate) struct Codes {
    pub(crate) rows: Vec<u8>,
    pub(crate) cols: Vec<u8>,
    /// Number of codes in use.
    pub(crate) symbols: usize,
}

impl Codes {
    /// Renames the symbols, on all threads of the pool if the strings are long. If the table is
    /// filled from the strings' ends (`backward`), reverses both strings, so that later steps do
    /// not depend on the direction.
    pub(crate) fn new(rows: &[u8], cols: &[u8], backward: bool) -> Self {
        // Code 0 is for all symbols that no row has. Others count from 1. If all 256 appear, no
        // symbol is left for code 0, and the last one wraps around to it.
        let mut code = [0u8; 256];
        let mut symbols = 1;
        for (code, _) in code.iter_mut().zip(occurring(rows)).filter(|(_, occurs)| *occurs) {
            *code = symbols as u8;
            symbols += 1;
        }
        let renamed = |text| renamed(text, &code, backward);
        Self { rows: renamed(rows), cols: renamed(cols), symbols: symbols.min(256) }
    }
}

/// Returns the codes of a text's symbols, from its end if `backward`.
fn renamed(text: &[u8], code: &[u8; 256], backward: bool) -> Vec<u8> {
    let mut codes = vec![0; text.len()];
    let piece = |(codes, text): (&mut [u8], &[u8])| {
        let rename = |(to, &symbol): (&mut u8, &u8)| *to = code[usize::from(symbol)];
        if backward {
            codes.iter_mut().zip(text.iter().rev()).for_each(rename);
        } else {
            codes.iter_mut().zip(text).for_each(rename);
        }
    };
    if text.len() <= ALONE {
        piece((&mut codes, text));
    } else if backward {
        codes.par_chunks_mut(PIECE).zip(text.par_rchunks(PIECE)).for_each(piece);
    } else {
        codes.par_chunks_mut(PIECE).zip(text.par_chunks(PIECE)).for_each(piece);
    }
    codes
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
        assert_eq!((codes.rows, codes.cols, codes.symbols), (vec![2, 1, 2], vec![1, 0, 2, 0], 3));
    }

    #[test]
    fn backward_reverses_both() {
        let codes = Codes::new(b"ab", b"bba", true);
        assert_eq!((codes.rows, codes.cols), (vec![2, 1], vec![1, 2, 2]));
    }

    #[test]
    fn long_strings_are_renamed_to_their_ends() {
        let text = random(ALONE + PIECE + 7, 200, 1);
        let mut reversed = text.clone();
        reversed.reverse();
        let [forward, backward] = [false, true].map(|backward| Codes::new(&text, &text[..text.len() - 1], backward));
        assert!(forward.rows.iter().zip(&text).all(|(&code, &symbol)| code == symbol + 1));
        assert!(backward.rows.iter().zip(&reversed).all(|(&code, &symbol)| code == symbol + 1));
        assert_eq!((&forward.cols[..], &backward.cols[..]), (&forward.rows[..text.len() - 1], &backward.rows[1..]));
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
