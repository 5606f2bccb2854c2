//! A pattern: a class of symbols for each position.

use super::alphabet::{Alphabet, SymbolRules, complement};
pub use super::class::Class;
use super::fixed::Fixed;
use crate::error::{Result, UsageFault};
use crate::memory;
use std::ops::Range;

/// A pattern of m positions. Each position has a class of symbols, and a text matches where its
/// next m symbols are in these classes.
///
/// ```
/// use carrywave::text::{Alphabet, Class, Pattern};
///
/// let word = Pattern::literal(b"wave");
/// assert_eq!(
///     (word.len(), word.is_empty(), word.as_literal().as_deref()),
///     (4, false, Some(&b"wave"[..]))
/// );
/// assert_eq!(word.reversed(), Pattern::literal(b"evaw"));
/// // A position may match several symbols.
/// let any = Pattern::with_wildcard(b"w?ve", b'?');
/// assert_eq!((any.classes()[1], any.as_literal()), (Class::ANY, None));
/// assert_eq!(
///     any,
///     Pattern::new(vec![
///         Class::from_symbol(b'w'),
///         Class::ANY,
///         Class::from_symbol(b'v'),
///         Class::from_symbol(b'e')
///     ])
/// );
/// // The complement of R (A or G) is Y (C or T).
/// let dna = Pattern::parse(b"GATR", Alphabet::Iupac)?;
/// assert_eq!(dna.reverse_complement(), Pattern::parse(b"YATC", Alphabet::Iupac)?);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    classes: Vec<Class>,
    fixed: Fixed,
    /// The class of a position that matches every symbol of the alphabet.
    any: Class,
}

impl Pattern {
    /// Creates a pattern from the class of each position, as in the [example](Self).
    pub fn new(classes: Vec<Class>) -> Self {
        Self::of_parts(classes, Fixed::default())
    }

    /// Creates a pattern from the class of each position and the positions that must match.
    pub(super) fn of_parts(classes: Vec<Class>, fixed: Fixed) -> Self {
        Self { classes, fixed, any: Class::ANY }
    }

    /// Fixes positions (0-based): they must match, without a substitution, a deletion, or an
    /// insertion between two fixed neighbours. Nothing is inserted before a fixed first position,
    /// nor after a fixed last one, so an occurrence begins, or ends, with that position. Searches
    /// take such a pattern. Other jobs refuse a pattern with fixed positions.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::{Alphabet, Pattern};
    ///
    /// // A guide of CRISPR-Cas9: after 20 bases there is NGG.
    /// let guide =
    ///     Pattern::parse(b"GACGCATAAAGATGAGACGCNGG", Alphabet::Iupac)?.with_fixed(20..23)?;
    /// assert!(guide.has_fixed() && guide.is_fixed(20) && !guide.is_fixed(19));
    /// let search = Search::new(guide).substitutions(3);
    /// assert_eq!(search.count(b"ttGACGCATTAAGATGAGACGCTGGtt")?, 1);
    /// assert_eq!(search.count(b"ttGACGCATTAAGATGAGACGCTGCtt")?, 0);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Position`] for positions that the
    /// pattern does not have.
    pub fn with_fixed(mut self, positions: impl IntoIterator<Item = usize>) -> Result<Self> {
        self.fixed = self.fixed.with(self.classes.len(), positions)?;
        Ok(self)
    }

    /// Returns true if a position (0-based) is fixed; false beyond the end. As in the
    /// [example](Self::with_fixed).
    pub fn is_fixed(&self, position: usize) -> bool {
        self.fixed.has(position)
    }

    /// Returns true if symbols of the text alone may be before position i, from 0 to m. They may
    /// not where the neighbours, or the only neighbour, are fixed.
    pub(crate) fn takes_insertion(&self, i: usize) -> bool {
        let is_fixed_before = i.checked_sub(1).is_none_or(|before| self.is_fixed(before));
        let is_fixed_behind = i == self.len() || self.is_fixed(i);
        !(self.has_fixed() && is_fixed_before && is_fixed_behind)
    }

    /// Returns the pattern of some of the positions.
    pub(crate) fn part(&self, positions: Range<usize>) -> Self {
        let classes = self.classes[positions.clone()].to_vec();
        Self { fixed: self.fixed.part(positions), classes, any: self.any }
    }

    /// Returns true if a position (0-based) can mismatch: N, X, a dot and a wildcard cannot.
    pub(crate) fn can_mismatch(&self, position: usize) -> bool {
        self.classes[position].intersection(self.any) != self.any
    }

    /// Returns true if any position is fixed, as in the [example](Self::with_fixed).
    pub fn has_fixed(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// Creates a pattern whose bytes stand for themselves, as in the [example](Self).
    pub fn literal(symbols: &[u8]) -> Self {
        Self::new(symbols.iter().copied().map(Class::from_symbol).collect())
    }

    /// Creates a pattern whose bytes stand for themselves, except that `wildcard` matches any byte.
    /// As in the [example](Self).
    pub fn with_wildcard(symbols: &[u8], wildcard: u8) -> Self {
        let class = |&symbol: &u8| if symbol == wildcard { Class::ANY } else { Class::from_symbol(symbol) };
        Self::new(symbols.iter().map(class).collect())
    }

    /// Parses a pattern; the alphabet defines the meaning of each symbol.
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
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Syntax`] for a symbol that the
    /// alphabet does not have; the message has its position and advice.
    pub fn parse(symbols: &[u8], alphabet: Alphabet) -> Result<Self> {
        Self::parse_with(symbols, &alphabet.into())
    }

    /// Parses a pattern by rules, as in the [example](SymbolRules).
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_with(symbols: &[u8], rules: &SymbolRules) -> Result<Self> {
        let alphabet = rules.alphabet;
        // Looks up each symbol once, since a pattern may have millions.
        let mut known: [Option<Class>; 256] = [None; 256];
        let class = |(at, &symbol): (usize, &u8)| {
            let class = known[usize::from(symbol)].or_else(|| rules.class(symbol)).ok_or_else(|| {
                UsageFault::Syntax.error(format!(
                    "'{}' at position {} of the pattern is not in the alphabet {alphabet} ({}); {}",
                    symbol.escape_ascii(),
                    at + 1,
                    alphabet.symbols(),
                    alphabet.instead(symbol)
                ))
            })?;
            known[usize::from(symbol)] = Some(class);
            Ok(class)
        };
        let classes = symbols.iter().enumerate().map(class).collect::<Result<_>>()?;
        Ok(Self { any: rules.any(), ..Self::new(classes) })
    }

    /// Returns m, the number of positions. As in the [example](Self).
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Returns true if the pattern has no position. As in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Returns the class of each position, as in the [example](Self).
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Returns the symbols if every class has exactly one, as in the [example](Self).
    pub fn as_literal(&self) -> Option<Vec<u8>> {
        let only = |class: &Class| (class.len() == 1).then(|| class.symbols().next()).flatten();
        self.classes.iter().map(only).collect()
    }

    /// Returns the pattern from its last position to its first, as in the [example](Self).
    pub fn reversed(&self) -> Self {
        let fixed = self.fixed.reversed();
        Self { classes: self.classes.iter().rev().copied().collect(), fixed, any: self.any }
    }

    /// Returns the pattern that matches the reverse complements of the strings that this one
    /// matches, including IUPAC codes. A byte that represents no nucleotide is its own complement.
    /// As in the [example](Self).
    pub fn reverse_complement(&self) -> Self {
        let complemented =
            |class: &Class| Class::from_symbols((0..=255).filter(|&symbol| class.contains(complement(symbol))));
        let fixed = self.fixed.reversed();
        Self { classes: self.classes.iter().rev().map(complemented).collect(), fixed, any: self.any }
    }

    /// Returns the distinct classes, and the index of the class of each position. As in the
    /// [example](DistinctClasses).
    pub fn distinct(&self) -> DistinctClasses {
        let mut numbers = std::collections::HashMap::new();
        let mut classes = Vec::new();
        let number = |&class: &Class| {
            *numbers.entry(class).or_insert_with(|| {
                classes.push(class);
                classes.len() - 1
            })
        };
        let indices = self.classes.iter().map(number).collect();
        DistinctClasses { classes, indices }
    }

    /// Returns the bit mask of each symbol, in 256 ⌈m / 64⌉ words of space. As in the
    /// [example](MatchWords).
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

/// Checks that there is memory for the match words of a pattern of m symbols: in both directions,
/// and for a search itself.
pub(super) fn check_memory(m: usize) -> Result<()> {
    memory::check::<u64>(m.div_ceil(64).saturating_mul(3 * 256), "the match words of a pattern")
}

/// The distinct classes of a [`Pattern`].
///
/// ```
/// use carrywave::text::{Class, Pattern};
///
/// let distinct = Pattern::literal(b"banana").distinct();
/// assert_eq!(distinct.classes, [b'b', b'a', b'n'].map(Class::from_symbol));
/// assert_eq!(distinct.indices, [0, 1, 2, 1, 2, 1]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DistinctClasses {
    /// Each class once, in order of their first positions.
    pub classes: Vec<Class>,
    /// Index in `classes` of the class of each position of the pattern.
    pub indices: Vec<usize>,
}

/// A bit mask for each symbol of the positions of a [`Pattern`] that it matches, for bit-parallel
/// searches.
///
/// ```
/// use carrywave::text::Pattern;
///
/// let short = Pattern::literal(b"banana").match_words();
/// assert_eq!((short.words(), short.mask(b'a')), (1, &[0b101010][..]));
/// assert_eq!(short.single_words().map(|masks| masks[usize::from(b'b')]), Some(0b000001));
/// // More than 64 positions take several words.
/// let long = Pattern::literal(&[b'a'; 65]).match_words();
/// assert_eq!((long.words(), long.mask(b'a'), long.single_words()), (2, &[u64::MAX, 1][..], None));
/// ```
#[derive(Debug, Clone)]
pub struct MatchWords {
    words: usize,
    table: Vec<u64>,
}

impl MatchWords {
    /// Returns the number of words of a mask: ⌈m / 64⌉, at least 1. As in the [example](Self).
    pub fn words(&self) -> usize {
        self.words
    }

    /// Returns the mask of every symbol as one word, if m is at most 64. As in the [example](Self).
    #[inline]
    pub fn single_words(&self) -> Option<&[u64; 256]> {
        if self.words == 1 { self.table.first_chunk() } else { None }
    }

    /// Returns the mask of a symbol: bit i % 64 of word i / 64 is 1 if position i matches it. As in
    /// the [example](Self).
    #[inline]
    pub fn mask(&self, symbol: u8) -> &[u64] {
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
                assert_eq!(table.mask(symbol)[i / 64] >> (i % 64) & 1 == 1, class.contains(symbol), "{symbol} at {i}");
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
        let DistinctClasses { classes, indices } = Pattern::literal(b"banana").distinct();
        assert_eq!(classes, [b'b', b'a', b'n'].map(Class::from_symbol));
        assert_eq!(indices, [0, 1, 2, 1, 2, 1]);
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
