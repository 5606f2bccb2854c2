//! The form that several patterns share, and the bit planes of a text for it.
//!
//! The fixed positions of the patterns are their *frame*, each with its class. The free positions
//! of all patterns have at most four disjoint classes (for nucleotides A, C, G and T), so that a
//! symbol has a *code* of 2 bits, or none. 64 symbols of the text are three words: the low bits,
//! the high bits, and the symbols without a code. For each class of the frame, another word holds
//! the symbols that match it. The frame matches at the AND of these words, each shifted by its
//! position.

use crate::cpu::class_test::ClassTest;
use crate::cpu::segment_isa::{MAX_LANES, SegmentIsa, WORD};
use crate::text::{Class, Pattern};

/// Largest number of classes of the free positions.
const CODES: usize = 4;

/// The form of some patterns.
#[derive(Debug)]
pub struct Frame {
    /// The fixed positions, each with its class.
    pub fixed: Vec<(usize, Class)>,
    /// The classes of the free positions, by their codes 0, 1, 2 and 3.
    pub codes: Vec<Class>,
}

impl Frame {
    /// Returns the frame of a pattern, without codes.
    pub fn of(pattern: &Pattern) -> Self {
        let fixed = (0..pattern.len()).filter(|&i| pattern.is_fixed(i)).map(|i| (i, pattern.classes()[i]));
        Self { fixed: fixed.collect(), codes: Vec::new() }
    }

    /// Returns the codes of a pattern's free positions, in order, and adds its classes. Returns
    /// `None`, with no change, if there would be more than four classes, or two that overlap.
    pub fn add(&mut self, pattern: &Pattern) -> Option<Vec<u8>> {
        let mut codes = self.codes.clone();
        let free = (0..pattern.len()).filter(|&i| !pattern.is_fixed(i));
        let own = free.map(|i| {
            let class = pattern.classes()[i];
            let code = codes.iter().position(|known| *known == class).unwrap_or_else(|| {
                codes.push(class);
                codes.len() - 1
            });
            code as u8
        });
        let own = own.collect();
        let apart = |(i, class): (usize, &Class)| codes[..i].iter().all(|other| other.intersection(*class).is_empty());
        if codes.len() > CODES || !codes.iter().enumerate().all(apart) {
            return None;
        }
        self.codes = codes;
        Some(own)
    }

    /// Returns the share of the positions of a random text where the frame matches. The text
    /// consists of the symbols of the free positions.
    pub fn share(&self) -> f64 {
        let matching = self.matching();
        matching.map(|matching| (matching as f64 / self.symbols()).min(1.0)).product()
    }

    /// Returns the number of fixed positions that at most one of the codes matches.
    pub fn single(&self) -> usize {
        self.matching().filter(|&matching| matching <= 1).count()
    }

    /// Returns the number of symbols of the random text.
    pub fn symbols(&self) -> f64 {
        self.codes.len().max(2) as f64
    }

    /// Returns, for each fixed position, the number of codes that match it.
    fn matching(&self) -> impl Iterator<Item = usize> + '_ {
        let matches = |class: Class| self.codes.iter().filter(|code| !code.intersection(class).is_empty()).count();
        self.fixed.iter().map(move |&(_, class)| matches(class))
    }
}

/// The bit planes of a text.
pub struct FramePlanes {
    /// Bit 0 of each symbol's code.
    pub low: Vec<u64>,
    /// Bit 1.
    pub high: Vec<u64>,
    /// 1 for a symbol without a code.
    pub none: Vec<u64>,
    /// The symbols that match each class of the frame.
    classes: Vec<Vec<u64>>,
    /// The fixed positions, each with the index of its class.
    fixed: Vec<(usize, usize)>,
}

impl FramePlanes {
    /// Returns the planes of some symbols, which must be whole vectors.
    #[inline(always)]
    pub fn new<I: SegmentIsa>(isa: I, frame: &Frame, symbols: &[u8]) -> Self {
        let plane = |class: &Class| members(isa, &ClassTest::new(class), symbols);
        let codes: Vec<Vec<u64>> = frame.codes.iter().map(plane).collect();
        let code = |number: usize, word: usize| codes.get(number).map_or(0, |plane| plane[word]);
        let words = 0..symbols.len() / WORD;
        let low = words.clone().map(|word| code(1, word) | code(3, word)).collect();
        let high = words.clone().map(|word| code(2, word) | code(3, word)).collect();
        let none = words.map(|word| !(code(0, word) | code(1, word) | code(2, word) | code(3, word))).collect();
        let mut known: Vec<Class> = Vec::new();
        let mut classes = Vec::new();
        let mut fixed = Vec::new();
        for (at, class) in &frame.fixed {
            let index = known.iter().position(|other| other == class).unwrap_or_else(|| {
                known.push(*class);
                classes.push(plane(class));
                known.len() - 1
            });
            fixed.push((*at, index));
        }
        Self { low, high, none, classes, fixed }
    }

    /// Returns a bit for each of 64 positions, from 64 `word` on: 1 where a pattern that begins
    /// there has its fixed positions matched.
    #[inline(always)]
    pub fn matches(&self, word: usize) -> u64 {
        self.fixed.iter().fold(!0, |matches, &(at, class)| matches & window(&self.classes[class], word * WORD + at))
    }
}

/// Returns one bit for each symbol that is in a class. The symbols must be whole vectors.
#[inline(always)]
fn members<I: SegmentIsa>(isa: I, test: &ClassTest, symbols: &[u8]) -> Vec<u64> {
    let mut plane = Vec::with_capacity(symbols.len() / WORD);
    for part in symbols.chunks_exact(I::LANES * WORD) {
        let words: [&[u8; WORD]; MAX_LANES] =
            std::array::from_fn(|lane| part.get(lane * WORD..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; WORD]));
        let mut members = [0; MAX_LANES];
        isa.members(test, &words, &mut members);
        plane.extend_from_slice(&members[..I::LANES]);
    }
    plane
}

/// Returns 64 bits of a plane from bit `at` on, with zeros beyond its end.
#[inline(always)]
pub fn window(plane: &[u64], at: usize) -> u64 {
    let (word, bit) = (at / WORD, at % WORD);
    let own = plane.get(word).copied().unwrap_or(0) >> bit;
    if bit == 0 { own } else { own | plane.get(word + 1).copied().unwrap_or(0) << (WORD - bit) }
}
