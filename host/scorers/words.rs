//! The words of a string: its parts between white space, in order, and what two strings have in
//! common.

use super::text::{ProcessedText, Text, compare};
use crate::pairs::affixes::part;
use crate::pairs::{PairString, Symbols};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::ops::Range;

/// Number of words that are kept without an allocation.
const FEW: usize = 6;

/// The words of a string, sorted, one after the other with spaces between them.
#[derive(Debug)]
pub(super) struct Words<'s> {
    joined: Joined<'s>,
    words: SmallVec<[Range<usize>; FEW]>,
}

/// Words with spaces between them.
#[derive(Debug)]
enum Joined<'s> {
    /// A part of a string.
    Part(Symbols<'s>),
    Text(Text),
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
fn split<T>(string: &[T], is_space: impl Fn(&T) -> bool) -> SmallVec<[Range<usize>; FEW]> {
    let mut words = SmallVec::new();
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
fn joined<'s>(mut words: impl ExactSizeIterator<Item = Symbols<'s>> + Clone) -> Words<'s> {
    if words.len() < 2 {
        return Words::one(words.next().unwrap_or(Symbols::Bytes(&[])));
    }
    let mut places = SmallVec::with_capacity(words.len());
    let mut end = 0;
    for word in words.clone() {
        let start = if places.is_empty() { 0 } else { end + 1 };
        end = start + word.len();
        places.push(start..end);
    }
    // The words of a string are all bytes, or all numbers.
    let (mut bytes, mut numbers) = (Vec::new(), Vec::new());
    for word in words {
        match word {
            Symbols::Bytes(word) => append(&mut bytes, word, end),
            Symbols::Numbers(word) => append(&mut numbers, word, end),
        }
    }
    let joined = if numbers.is_empty() { Text::Bytes(bytes) } else { Text::Numbers(numbers) };
    Words { joined: Joined::Text(joined), words: places }
}

/// Appends a word to those before it. All words take `room` symbols.
fn append<T: Copy + From<u8>>(words: &mut Vec<T>, word: &[T], room: usize) {
    if words.is_empty() {
        words.reserve_exact(room);
    } else {
        words.push(b' '.into());
    }
    words.extend_from_slice(word);
}

impl<'s> Words<'s> {
    pub(super) fn new(string: Symbols<'s>) -> Self {
        let mut words = match string {
            Symbols::Bytes(bytes) => split(bytes, |&byte| is_space(byte)),
            Symbols::Numbers(numbers) => split(numbers, |&number| is_wide_space(number)),
        };
        words.sort_unstable_by(|a, b| compare(part(string, a.clone()), part(string, b.clone())));
        joined(words.iter().map(|word| part(string, word.clone())))
    }

    /// Returns one word, or none if it is empty.
    fn one(word: Symbols<'s>) -> Self {
        let words = if word.is_empty() { SmallVec::new() } else { smallvec::smallvec![0..word.len()] };
        Self { joined: Joined::Part(word), words }
    }

    /// Returns the same words with a text of their own.
    pub(super) fn to_owned(&self) -> Words<'static> {
        Words { joined: Joined::Text(Text::new(self.joined())), words: self.words.clone() }
    }

    /// Returns all words, with spaces between them.
    pub(super) fn joined(&self) -> Symbols<'_> {
        match &self.joined {
            Joined::Part(string) => *string,
            Joined::Text(text) => text.symbols(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the different words, in order.
    fn different(&self) -> SmallVec<[Symbols<'_>; FEW]> {
        let mut words: SmallVec<_> = self.words.iter().map(|word| part(self.joined(), word.clone())).collect();
        words.dedup_by(|a, b| compare(*a, *b).is_eq());
        words
    }

    /// Returns some of the different words.
    fn only<'w>(&'w self, words: &[Symbols<'w>]) -> Words<'w> {
        // All of them, which need no copy.
        if words.len() == self.len() {
            return Words { joined: Joined::Part(self.joined()), words: self.words.clone() };
        }
        joined(words.iter().copied())
    }
}

/// The different words of two strings.
pub(super) struct Compared<'w> {
    /// Number of words that both strings have.
    pub(super) common: usize,
    /// Length of these words with spaces between them.
    pub(super) common_len: usize,
    /// Words that only the first string has.
    pub(super) only_a: Words<'w>,
    /// Words that only the second string has.
    pub(super) only_b: Words<'w>,
}

/// Compares the words of two strings.
pub(super) fn compared<'w>(a: &'w Words<'_>, b: &'w Words<'_>) -> Compared<'w> {
    let (words_a, words_b) = (a.different(), b.different());
    let (mut only_a, mut only_b) = (SmallVec::<[_; FEW]>::new(), SmallVec::<[_; FEW]>::new());
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
    Compared { common, common_len, only_a: a.only(&only_a), only_b: b.only(&only_b) }
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
    ProcessedText(match Words::new(text.symbols()).joined {
        Joined::Part(string) => Text::new(string),
        Joined::Text(text) => text,
    })
}
