//! The words of a string: its parts between white space, in order, and what two strings have in
//! common.

use super::text::{ProcessedText, Text, compare};
use crate::pairs::affixes::part;
use crate::pairs::{PairString, Symbols};
use std::cmp::Ordering;
use std::ops::Range;

/// The words of a string, sorted, one after the other with spaces between them.
#[derive(Debug)]
pub(super) struct Words {
    joined: Text,
    words: Vec<Range<usize>>,
}

/// White space among bytes. Bytes from 128 on are letters of some encoding.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=0x1f | b' ')
}

/// White space of Unicode, and the separators of ASCII.
fn is_wide_space(number: u32) -> bool {
    matches!(
        number,
        0x9..=0xd | 0x1c..=0x20 | 0x85 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000
    )
}

/// Returns the parts between spaces.
fn split<T>(string: &[T], is_space: impl Fn(&T) -> bool) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = 0;
    let end = string.len();
    for at in 0..=end {
        if string.get(at).is_none_or(&is_space) {
            if start < at {
                words.push(start..at);
            }
            start = at + 1;
        }
    }
    words
}

/// Returns the words one after the other with spaces between them, and their new positions.
fn joined<'s>(words: impl Iterator<Item = Symbols<'s>> + Clone) -> Words {
    let mut places = Vec::new();
    let mut end = 0;
    for word in words.clone() {
        let start = if places.is_empty() { 0 } else { end + 1 };
        end = start + word.len();
        places.push(start..end);
    }
    let are_bytes = words.clone().all(|word| matches!(word, Symbols::Bytes(_)));
    let joined = if are_bytes {
        let mut bytes = Vec::with_capacity(end);
        for word in words {
            if !bytes.is_empty() {
                bytes.push(b' ');
            }
            if let Symbols::Bytes(word) = word {
                bytes.extend_from_slice(word);
            }
        }
        Text::Bytes(bytes)
    } else {
        let mut numbers = Vec::with_capacity(end);
        for word in words {
            if !numbers.is_empty() {
                numbers.push(u32::from(b' '));
            }
            match word {
                Symbols::Bytes(word) => numbers.extend(word.iter().map(|&byte| u32::from(byte))),
                Symbols::Numbers(word) => numbers.extend_from_slice(word),
            }
        }
        Text::Numbers(numbers)
    };
    Words { joined, words: places }
}

impl Words {
    pub(super) fn new(string: Symbols<'_>) -> Self {
        let mut words = match string {
            Symbols::Bytes(bytes) => split(bytes, |&byte| is_space(byte)),
            Symbols::Numbers(numbers) => split(numbers, |&number| is_wide_space(number)),
        };
        words.sort_unstable_by(|a, b| compare(part(string, a.clone()), part(string, b.clone())));
        joined(words.iter().map(|word| part(string, word.clone())))
    }

    /// Returns all words, with spaces between them.
    pub(super) fn joined(&self) -> Symbols<'_> {
        self.joined.symbols()
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the different words, in order.
    fn different(&self) -> Vec<Symbols<'_>> {
        let mut words: Vec<_> = self.words.iter().map(|word| part(self.joined(), word.clone())).collect();
        words.dedup_by(|a, b| compare(*a, *b).is_eq());
        words
    }
}

/// The different words of two strings.
pub(super) struct Compared {
    /// Number of words that both strings have.
    pub(super) common: usize,
    /// Length of these words with spaces between them.
    pub(super) common_len: usize,
    /// Words that only the first string has.
    pub(super) only_a: Words,
    /// Words that only the second string has.
    pub(super) only_b: Words,
}

/// Compares the words of two strings.
pub(super) fn compared(a: &Words, b: &Words) -> Compared {
    let (words_a, words_b) = (a.different(), b.different());
    let (mut only_a, mut only_b) = (Vec::new(), Vec::new());
    let (mut common, mut common_len) = (0, 0usize);
    let (mut rest_a, mut rest_b) = (words_a.as_slice(), words_b.as_slice());
    while let ([first, after_first @ ..], [other, after_other @ ..]) = (rest_a, rest_b) {
        let order = compare(*first, *other);
        match order {
            Ordering::Less => only_a.push(*first),
            Ordering::Greater => only_b.push(*other),
            Ordering::Equal => {
                common_len += first.len() + usize::from(common > 0);
                common += 1;
            }
        }
        if order.is_le() {
            rest_a = after_first;
        }
        if order.is_ge() {
            rest_b = after_other;
        }
    }
    only_a.extend_from_slice(rest_a);
    only_b.extend_from_slice(rest_b);
    let (only_a, only_b) = (joined(only_a.into_iter()), joined(only_b.into_iter()));
    Compared { common, common_len, only_a, only_b }
}

/// Returns the words of a text in order, with a space between two words. White space separates
/// words. `token-sort-ratio` is the `ratio` of two such texts. Takes the time of sorting.
///
/// ```
/// use carrywave::pairs::{PairString, Symbols};
/// use carrywave::scorers::sorted_words;
///
/// assert!(matches!(sorted_words(&"wave  carry ").symbols(), Symbols::Bytes(b"carry wave")));
/// ```
pub fn sorted_words(text: &impl PairString) -> ProcessedText {
    ProcessedText(Words::new(text.symbols()).joined)
}
