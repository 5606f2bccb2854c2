//! Symbols renamed to small codes, so that a device's tables have an entry for each relevant
//! symbol.

use crate::cpu::symbols::{ALONE, Few, PIECE, occurring};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelExtend, ParallelIterator};

/// A code for each symbol of two strings.
#[derive(Debug)]
pub(crate) struct Codes {
    code: [[u8; 256]; 2],
    /// Symbols of each string, if they are few.
    few: [Option<Few>; 2],
    /// Number of codes in use: at least 1.
    pub symbols: u32,
}

impl Codes {
    /// Numbers the symbols that occur in both strings from 0. One more code represents all symbols
    /// that only A has, and one all that only B has: they match nothing.
    pub fn new(a: &[u8], b: &[u8]) -> Self {
        let occurs = [a, b].map(occurring);
        let mut code = [[0; 256]; 2];
        let mut symbols = 0;
        for symbol in (0..256).filter(|&s| occurs[0][s] && occurs[1][s]) {
            (code[0][symbol], code[1][symbol]) = (symbols as u8, symbols as u8);
            symbols += 1;
        }
        for side in 0..2 {
            let alone: Vec<usize> = (0..256).filter(|&s| occurs[side][s] && !occurs[1 - side][s]).collect();
            for &symbol in &alone {
                code[side][symbol] = symbols as u8;
            }
            symbols += u32::from(!alone.is_empty());
        }
        Self { code, few: occurs.map(|occurs| Few::of(&occurs)), symbols: symbols.max(1) }
    }

    /// Appends a string (0: A, 1: B) in codes.
    pub fn encode(&self, side: usize, text: &[u8], out: &mut Vec<u8>) {
        let code = |&symbol: &u8| self.code[side][usize::from(symbol)];
        if text.len() <= ALONE {
            match &self.few[side] {
                Some(few) => few.encode(&self.code[side], text, out),
                None => out.extend(text.iter().map(code)),
            }
        } else {
            out.par_extend(text.par_iter().with_min_len(PIECE).map(code));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(codes: &Codes, side: usize, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        codes.encode(side, text, &mut out);
        out
    }

    #[test]
    fn long_strings_are_read_to_their_ends() {
        let len = 2 * ALONE + 5;
        let mut text = vec![b'a'; len];
        text[len - 1] = b'z';
        let codes = Codes::new(b"az", &text);
        let codes_of_text = encoded(&codes, 1, &text);
        assert_eq!((codes.symbols, codes_of_text.len()), (2, text.len()));
        assert_eq!((codes_of_text[0], codes_of_text[2 * PIECE], codes_of_text[len - 1]), (0, 0, 1));
    }

    #[test]
    fn few_symbols_are_encoded_as_many() {
        for kinds in [1, 2, 7, 8, 9, 30] {
            for len in [1, 7, 3083] {
                let text: Vec<u8> = (0..len).map(|place| b'A' + (place * 7 / 3 % kinds) as u8).collect();
                let mut other = text.clone();
                // A symbol that occurs once, late.
                other[len - 1] = b'z';
                for (a, b) in [(&text, &text), (&text, &other), (&other, &text)] {
                    let codes = Codes::new(a, b);
                    for (side, string) in [a, b].into_iter().enumerate() {
                        let expected: Vec<u8> =
                            string.iter().map(|&symbol| codes.code[side][usize::from(symbol)]).collect();
                        assert_eq!(encoded(&codes, side, string), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn symbols_of_one_string_alone_share_a_code() {
        let codes = Codes::new(b"xayb", b"abqqz");
        assert_eq!(
            (encoded(&codes, 0, b"xayb"), encoded(&codes, 1, b"abqqz")),
            (vec![2, 0, 2, 1], vec![0, 1, 3, 3, 3])
        );
        assert_eq!(codes.symbols, 4);
    }

    #[test]
    fn all_256_symbols_fit() {
        let every: Vec<u8> = (0..=255).collect();
        let codes = Codes::new(&every, &every);
        assert_eq!((encoded(&codes, 0, &every), codes.symbols), (every.clone(), 256));
        // 255 common symbols, and one of each string's own, would be one too many; but there are
        // only 256.
        let codes = Codes::new(&every[1..], &every);
        assert_eq!((codes.symbols, encoded(&codes, 1, &[0])), (256, vec![255]));
        assert_eq!((Codes::new(b"", b"").symbols, Codes::new(b"a", b"b").symbols), (1, 2));
    }
}
