//! The table of two strings if the shorter string is a subsequence of a part of the longer one.
//!
//! Take the first occurrence of the shorter string's first symbol in the longer string, then the
//! next occurrence of its second symbol after that, and so on. If all symbols are found, the length
//! of an LCS is that of the shorter string from there on, and the rest of the table need not be
//! computed:
//!
//! ```text
//!          GATTACA
//!   rows   G.A........    columns: all rows increase;
//!   AT     .A.T.......    rows: none increase after the position of the last column's symbol
//! ```
//!
//! For random strings this is often the case: n bases are a subsequence of about 4 n others.
//! Otherwise it costs one pass over the longer string.

/// Returns the length of the shortest prefix of a text (suffix if `backward`) that has a string as
/// a subsequence; `None` if the whole text does not.
pub(super) fn reach(string: &[u8], text: &[u8], backward: bool) -> Option<usize> {
    let mut reached = 0;
    if backward {
        for &symbol in string.iter().rev() {
            let rest = &text[..text.len() - reached];
            reached = text.len() - memchr::memrchr(symbol, rest)?;
        }
    } else {
        for &symbol in string {
            reached += memchr::memchr(symbol, &text[reached..])? + 1;
        }
    }
    Some(reached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::codes::random;
    use crate::pairwise::recurrence::lcs_length;

    #[test]
    fn the_first_part_whose_lcs_is_the_whole_string() {
        for seed in 0..200 {
            let (string, text) = (random(seed as usize % 12, 3, seed), random(30, 3 + seed as usize % 2, seed + 1000));
            let parts = |backward: bool| {
                let part = |len: usize| if backward { &text[text.len() - len..] } else { &text[..len] };
                (0..=text.len()).find(|&len| lcs_length(&string, part(len)) == string.len() as u64)
            };
            for backward in [false, true] {
                assert_eq!(reach(&string, &text, backward), parts(backward), "{string:?} in {text:?}, {backward}");
            }
        }
    }
}
