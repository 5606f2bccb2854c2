//! A pattern: a class of symbols for each position.

use super::alphabet::{Alphabet, SymbolRules, complement};
pub use super::class::Class;
use super::fixed::Fixed;
use crate::error::{Result, UsageFault};
use crate::memory;

/// What is searched for: m classes, of which a text's symbols are to be members, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    classes: Vec<Class>,
    fixed: Fixed,
}

impl Pattern {
    /// From the class of each position.
    pub fn new(classes: Vec<Class>) -> Self {
        Self { classes, fixed: Fixed::default() }
    }

    /// From the class of each position, and the positions that must match.
    pub(super) fn of_parts(classes: Vec<Class>, fixed: Fixed) -> Self {
        Self { classes, fixed }
    }

    /// With positions, from 0, that must match: no error is in them. What is substituted or deleted is none of them, and no insertion is between
    /// two that are neighbours. Searches keep to that; other jobs refuse such a pattern.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::{Alphabet, Pattern};
    ///
    /// // A guide of CRISPR-Cas9: after 20 bases there is NGG.
    /// let guide = Pattern::parse(b"GACGCATAAAGATGAGACGCNGG", Alphabet::Iupac)?.with_fixed(20..23)?;
    /// let search = Search::new(guide).substitutions(3);
    /// assert_eq!(search.count(b"ttGACGCATTAAGATGAGACGCTGGtt")?, 1);
    /// assert_eq!(search.count(b"ttGACGCATTAAGATGAGACGCTGCtt")?, 0);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Position`] for positions that the pattern does not have.
    pub fn with_fixed(mut self, positions: impl IntoIterator<Item = usize>) -> Result<Self> {
        self.fixed = self.fixed.with(self.classes.len(), positions)?;
        Ok(self)
    }

    /// Whether a position, from 0, is fixed: one that is not there is not.
    pub fn is_fixed(&self, position: usize) -> bool {
        self.fixed.has(position)
    }

    /// Whether any position is fixed.
    pub fn has_fixed(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// Every byte stands for itself.
    pub fn literal(symbols: &[u8]) -> Self {
        Self::new(symbols.iter().copied().map(Class::of).collect())
    }

    /// Every byte stands for itself, but `wildcard` for any.
    pub fn with_wildcard(symbols: &[u8], wildcard: u8) -> Self {
        let class = |&symbol: &u8| if symbol == wildcard { Class::ANY } else { Class::of(symbol) };
        Self::new(symbols.iter().map(class).collect())
    }

    /// Every symbol stands for what the alphabet says.
    ///
    /// ```
    /// use carrywave::text::{Alphabet, Pattern};
    ///
    /// let pattern = Pattern::parse(b"GAR", Alphabet::Iupac)?;
    /// assert!(pattern.classes()[2].contains(b'g') && !pattern.classes()[2].contains(b'C'));
    /// assert!(Pattern::parse(b"GAR", Alphabet::Dna).is_err());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Syntax`] for a symbol that the alphabet does not have: which, where, and what to do.
    pub fn parse(symbols: &[u8], alphabet: Alphabet) -> Result<Self> {
        Self::parse_with(symbols, &alphabet.into())
    }

    /// The same with more to choose.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_with(symbols: &[u8], rules: &SymbolRules) -> Result<Self> {
        let alphabet = rules.alphabet;
        // Of each symbol once: a pattern may have millions.
        let mut known: [Option<Class>; 256] = [None; 256];
        let class = |(at, &symbol): (usize, &u8)| {
            let class = known[usize::from(symbol)].or_else(|| rules.class(symbol)).ok_or_else(|| {
                UsageFault::Syntax.error(format!(
                    "'{}' at position {} of the pattern is no symbol of the alphabet {alphabet} ({}); {}",
                    symbol.escape_ascii(),
                    at + 1,
                    alphabet.symbols(),
                    alphabet.instead(symbol)
                ))
            })?;
            known[usize::from(symbol)] = Some(class);
            Ok(class)
        };
        Ok(Self::new(symbols.iter().enumerate().map(class).collect::<Result<_>>()?))
    }

    /// m.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether m is 0.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The class of each position.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The symbols, if every class has one only.
    pub fn as_literal(&self) -> Option<Vec<u8>> {
        let only = |class: &Class| (class.len() == 1).then(|| class.symbols().next()).flatten();
        self.classes.iter().map(only).collect()
    }

    /// From the last class to the first.
    pub fn reversed(&self) -> Self {
        let fixed = self.fixed.reversed();
        Self { classes: self.classes.iter().rev().copied().collect(), fixed }
    }

    /// What matches the reverse complement of every nucleotide string that the pattern matches, codes for several nucleotides among
    /// them. Bytes that are neither are their own complements.
    pub fn reverse_complement(&self) -> Self {
        let complemented =
            |class: &Class| Class::of_all((0..=255).filter(|&symbol| class.contains(complement(symbol))));
        let fixed = self.fixed.reversed();
        Self { classes: self.classes.iter().rev().map(complemented).collect(), fixed }
    }

    /// The different classes, in order of their first positions, and which of them each position has.
    pub fn distinct(&self) -> (Vec<Class>, Vec<usize>) {
        let mut numbers = std::collections::HashMap::new();
        let mut classes = Vec::new();
        let number = |&class: &Class| {
            *numbers.entry(class).or_insert_with(|| {
                classes.push(class);
                classes.len() - 1
            })
        };
        let positions = self.classes.iter().map(number).collect();
        (classes, positions)
    }

    /// For every symbol, which positions it matches. Time and space 256 ⌈m / 64⌉ words.
    pub fn match_words(&self) -> MatchWords {
        let words = self.len().div_ceil(64).max(1);
        let mut table = vec![0; 256 * words];
        for (i, class) in self.classes.iter().enumerate() {
            for symbol in class.symbols() {
                table[usize::from(symbol) * words + i / 64] |= 1 << (i % 64);
            }
        }
        MatchWords { words, table }
    }
}

/// Makes sure that there is memory for the match words of a pattern of m symbols: in both directions, and for a search itself.
pub(super) fn check_memory(m: usize) -> Result<()> {
    memory::check::<u64>(m.div_ceil(64).saturating_mul(3 * 256), "the match words of a pattern")
}

/// For every symbol the positions of a pattern that it matches.
#[derive(Debug, Clone)]
pub struct MatchWords {
    words: usize,
    table: Vec<u64>,
}

impl MatchWords {
    /// ⌈m / 64⌉, at least 1.
    pub fn words(&self) -> usize {
        self.words
    }

    /// For every symbol its one word, if m is at most 64.
    #[inline]
    pub fn only_words(&self) -> Option<&[u64; 256]> {
        if self.words == 1 { self.table.first_chunk() } else { None }
    }

    /// Bit i % 64 of word i / 64 is 1 where position i matches the symbol.
    #[inline]
    pub fn of(&self, symbol: u8) -> &[u64] {
        &self.table[usize::from(symbol) * self.words..][..self.words]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_words_are_the_classes() {
        let symbols: Vec<u8> = (0..130u32).map(|i| b'a' + (i * i % 7) as u8).collect();
        let pattern = Pattern::with_wildcard(&symbols, b'a');
        let table = pattern.match_words();
        assert_eq!(table.words(), 3);
        for symbol in 0..=255 {
            for (i, class) in pattern.classes().iter().enumerate() {
                assert_eq!(table.of(symbol)[i / 64] >> (i % 64) & 1 == 1, class.contains(symbol), "{symbol} at {i}");
            }
        }
        assert_eq!(Pattern::literal(b"").match_words().words(), 1);
    }

    #[test]
    fn fixed_positions_turn_with_the_pattern() {
        let plain = Pattern::literal(b"ACCGT");
        let fixed = |positions: &[usize]| plain.clone().with_fixed(positions.iter().copied());
        let pattern = fixed(&[0, 2, 3]).unwrap();
        let of = |pattern: &Pattern| (0..6).map(|i| pattern.is_fixed(i)).collect::<Vec<_>>();
        assert_eq!(of(&pattern), [true, false, true, true, false, false]);
        assert_eq!(of(&pattern.reverse_complement()), [false, true, true, false, true, false]);
        assert_eq!(of(&pattern.reversed()), of(&pattern.reverse_complement()));
        assert!(pattern != plain && fixed(&[]).unwrap() == plain);
        assert!(fixed(&[3, 5]).is_err() && fixed(&[usize::MAX]).is_err());
    }

    #[test]
    fn distinct_classes_in_order() {
        let (classes, positions) = Pattern::literal(b"banana").distinct();
        assert_eq!(classes, [b'b', b'a', b'n'].map(Class::of));
        assert_eq!(positions, [0, 1, 2, 1, 2, 1]);
    }

    #[test]
    fn literals_are_told_from_classes() {
        assert_eq!(Pattern::literal(b"ab").as_literal().as_deref(), Some(&b"ab"[..]));
        assert_eq!(Pattern::with_wildcard(b"a.", b'.').as_literal(), None);
        assert_eq!(Pattern::new(vec![Class::default()]).as_literal(), None);
    }

    #[test]
    fn reverse_complements() {
        let dna = |symbols: &[u8]| Pattern::parse(symbols, Alphabet::Dna).unwrap();
        assert_eq!(dna(b"AACG.u").reverse_complement(), dna(b"A.CGTT"));
        let iupac = |symbols: &[u8]| Pattern::parse(symbols, Alphabet::Iupac).unwrap();
        assert_eq!(iupac(b"RYSWKMBDHVN").reverse_complement(), iupac(b"NBDHVKMWSRY"));
        assert_eq!(iupac(b"GATTACA").reverse_complement().reverse_complement(), iupac(b"GATTACA"));
    }
}
