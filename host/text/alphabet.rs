//! Alphabets, and the rules for what a pattern's symbols match.

use super::class::Class;

/// The meaning of the symbols of a pattern. All alphabets but `Bytes` ignore case, and `.` matches
/// any symbol. [`TextCodes`] says what a code *in the text*, such as N or R, matches.
///
/// ```
/// use carrywave::text::{Alphabet, TextCodes};
///
/// // R is A or G; the class has both cases, and the code itself.
/// let purine = Alphabet::Iupac.class(b'R').unwrap();
/// assert!(purine.symbols().eq(*b"AGRagr") && Alphabet::Dna.class(b'R').is_none());
/// // Without codes in the text.
/// let plain = Alphabet::Iupac.class_with(b'R', TextCodes::Never).unwrap();
/// assert!(plain.symbols().eq(*b"AGag"));
/// assert!(Alphabet::Dna.has_complement() && !Alphabet::Protein.has_complement());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Alphabet {
    /// A C G T, with U as T.
    Dna,
    /// The IUPAC nucleotide codes: A C G T U, and R Y S W K M B D H V N for two to four of them.
    Iupac,
    /// Amino acids: the letters. B is D or N, Z is E or Q, J is I or L, and X is any letter.
    Protein,
    /// Every byte represents itself.
    #[default]
    Bytes,
}

/// Rule for a code in the text (a letter that represents several others): when it matches a symbol
/// of the pattern.
///
/// ```
/// use carrywave::text::{Alphabet, TextCodes};
///
/// let matches = |symbol, code, rule| {
///     Alphabet::Iupac.class_with(symbol, rule).is_some_and(|class| class.contains(code))
/// };
/// // R is A or G; D is A, G or T.
/// assert!(matches(b'D', b'R', TextCodes::Inside) && !matches(b'A', b'R', TextCodes::Inside));
/// assert!(matches(b'A', b'R', TextCodes::Overlap) && !matches(b'D', b'R', TextCodes::Never));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TextCodes {
    /// If the pattern's symbol includes everything that the code represents. So a code matches
    /// itself, and a text matches itself.
    #[default]
    Inside,
    /// If the two have a symbol in common, so that they may be equal.
    Overlap,
    /// Never; only `.` matches it.
    Never,
}

/// Rules for the meaning of a pattern's symbols.
///
/// ```
/// use carrywave::text::{Alphabet, Class, Pattern, SymbolRules, TextCodes};
///
/// let rules = SymbolRules::new(Alphabet::Bytes).wildcard(Some(b'?')).ignore_case(true);
/// let pattern = Pattern::parse_with(b"w?ve", &rules)?;
/// assert_eq!(pattern.classes()[..2], [Class::from_symbols(*b"Ww"), Class::ANY]);
/// // An N in the text matches no A, unless codes match where they overlap.
/// let rules = SymbolRules::new(Alphabet::Dna);
/// let contains_n =
///     |rules: SymbolRules| rules.class(b'A').is_some_and(|class| class.contains(b'N'));
/// assert!(!contains_n(rules) && contains_n(rules.text_codes(TextCodes::Overlap)));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[must_use]
pub struct SymbolRules {
    pub(super) alphabet: Alphabet,
    text_codes: TextCodes,
    wildcard: Option<u8>,
    ignore_case: bool,
}

impl SymbolRules {
    /// Creates the rules of an alphabet, with defaults for the other options. As in the
    /// [example](Self).
    pub fn new(alphabet: Alphabet) -> Self {
        Self { alphabet, ..Self::default() }
    }

    /// Selects the codes in the text that a symbol matches. Default: [`TextCodes::Inside`]. As in
    /// the [example](Self).
    pub fn text_codes(self, text_codes: TextCodes) -> Self {
        Self { text_codes, ..self }
    }

    /// Sets a symbol of the pattern that matches any byte, in any alphabet. Default: none. As in
    /// the [example](Self).
    pub fn wildcard(self, wildcard: Option<u8>) -> Self {
        Self { wildcard, ..self }
    }

    /// Sets whether [`Alphabet::Bytes`] ignores the case of ASCII letters too. Default: false. As
    /// in the [example](Self).
    pub fn ignore_case(self, ignore_case: bool) -> Self {
        Self { ignore_case, ..self }
    }
}

impl From<Alphabet> for SymbolRules {
    fn from(alphabet: Alphabet) -> Self {
        Self { alphabet, ..Self::default() }
    }
}

impl SymbolRules {
    /// Returns the class that a symbol of a pattern matches, if the alphabet has the symbol. As in
    /// the [example](Self).
    pub fn class(&self, symbol: u8) -> Option<Class> {
        if self.wildcard == Some(symbol) {
            return Some(Class::ANY);
        }
        if self.alphabet == Alphabet::Bytes && self.ignore_case {
            return Some(Class::from_symbols([symbol.to_ascii_lowercase(), symbol.to_ascii_uppercase()]));
        }
        self.alphabet.class_with(symbol, self.text_codes)
    }

    /// Returns the class of a symbol that matches every letter of the alphabet, such as N.
    pub(super) fn any(&self) -> Class {
        let letters = match self.alphabet {
            Alphabet::Dna | Alphabet::Iupac => nucleotides(b'N'),
            Alphabet::Protein => amino_acids(b'X'),
            Alphabet::Bytes => None,
        };
        letters.map_or(Class::ANY, |letters| Class::from_symbols(letters.iter().copied()))
    }
}

impl TextCodes {
    /// Every rule, by its name on the command line.
    pub const NAMES: [(&str, TextCodes); 3] =
        [("self", TextCodes::Inside), ("overlap", TextCodes::Overlap), ("never", TextCodes::Never)];
}

named! {
    Alphabet, "alphabet";
    TextCodes, "rule for codes in the text";
}

/// Returns the nucleotides that a letter represents: U is T, and the codes are those of IUPAC.
pub(crate) fn nucleotides(upper: u8) -> Option<&'static [u8]> {
    Some(match upper {
        b'A' => b"A",
        b'C' => b"C",
        b'G' => b"G",
        b'T' | b'U' => b"T",
        b'R' => b"AG",
        b'Y' => b"CT",
        b'S' => b"CG",
        b'W' => b"AT",
        b'K' => b"GT",
        b'M' => b"AC",
        b'B' => b"CGT",
        b'D' => b"AGT",
        b'H' => b"ACT",
        b'V' => b"ACG",
        b'N' => b"ACGT",
        _ => return None,
    })
}

/// Returns the amino acids that a letter represents; `*` ends a chain.
fn amino_acids(upper: u8) -> Option<&'static [u8]> {
    const PLAIN: &[u8] = b"*ACDEFGHIKLMNOPQRSTUVWY";
    Some(match upper {
        b'B' => b"DN",
        b'Z' => b"EQ",
        b'J' => b"IL",
        b'X' => &PLAIN[1..],
        _ => {
            let at = PLAIN.iter().position(|&letter| letter == upper)?;
            &PLAIN[at..=at]
        }
    })
}

impl Alphabet {
    /// Every alphabet, by its name on the command line.
    pub const NAMES: [(&str, Alphabet); 4] = [
        ("dna", Alphabet::Dna),
        ("iupac", Alphabet::Iupac),
        ("protein", Alphabet::Protein),
        ("bytes", Alphabet::Bytes),
    ];

    /// Returns the letters that a symbol represents, in upper case; `None` for `Bytes`.
    fn meaning(self, symbol: u8) -> Option<&'static [u8]> {
        let upper = symbol.to_ascii_uppercase();
        match self {
            Self::Dna | Self::Iupac => nucleotides(upper),
            Self::Protein => amino_acids(upper),
            Self::Bytes => None,
        }
    }

    /// Returns true if the alphabet has a symbol of a pattern.
    fn has(self, symbol: u8) -> bool {
        match self {
            Self::Bytes => true,
            Self::Dna => symbol == b'.' || self.meaning(symbol).is_some_and(|letters| letters.len() == 1),
            _ => symbol == b'.' || self.meaning(symbol).is_some(),
        }
    }

    /// Returns the class that a symbol of a pattern matches, if the alphabet has the symbol, by the
    /// default rule for codes. As in the [example](Self).
    pub fn class(self, symbol: u8) -> Option<Class> {
        self.class_with(symbol, TextCodes::default())
    }

    /// Returns the class that a symbol of a pattern matches by a rule for codes, if the alphabet
    /// has the symbol. As in the [example](Self).
    pub fn class_with(self, symbol: u8, codes: TextCodes) -> Option<Class> {
        if !self.has(symbol) {
            return None;
        }
        let Some(own) = self.meaning(symbol) else {
            return Some(if self == Self::Bytes { Class::from_symbol(symbol) } else { Class::ANY });
        };
        let matches = |other: u8| {
            self.meaning(other).is_some_and(|letters| {
                let inside = letters.iter().all(|letter| own.contains(letter));
                match codes {
                    TextCodes::Overlap => letters.iter().any(|letter| own.contains(letter)),
                    TextCodes::Inside => inside,
                    TextCodes::Never => inside && letters.len() == 1,
                }
            })
        };
        let letters = (b'A'..=b'Z').chain([b'*']).filter(|&other| matches(other));
        Some(Class::from_symbols(letters.flat_map(|letter| [letter, letter.to_ascii_lowercase()])))
    }

    /// Returns true if its symbols have complements, as in the [example](Self).
    pub fn has_complement(self) -> bool {
        matches!(self, Self::Dna | Self::Iupac)
    }

    /// Returns its symbols, for messages.
    pub(crate) fn symbols(self) -> &'static str {
        match self {
            Self::Dna => "A C G T U, and . for any",
            Self::Iupac => "A C G T U, R Y S W K M B D H V N, and . for any",
            Self::Protein => "the letters, *, and . for any",
            Self::Bytes => "every byte",
        }
    }

    /// Returns advice for a symbol that the alphabet lacks, for messages.
    pub(crate) fn instead(self, symbol: u8) -> &'static str {
        match self {
            Self::Dna if Self::Iupac.has(symbol) => "the alphabet iupac has it",
            Self::Dna | Self::Iupac if Self::Protein.has(symbol) => "the alphabet protein has it",
            _ if symbol == b'-' => "take the gaps out of the pattern",
            _ => "the alphabet bytes takes every byte for itself",
        }
    }
}

/// Returns the complement of a nucleotide or of an ambiguity code, in the same case; other bytes
/// stay unchanged.
///
/// ```
/// use carrywave::text::complement;
///
/// assert_eq!(b"GAt.R".map(complement), *b"CTa.Y");
/// ```
pub fn complement(symbol: u8) -> u8 {
    let upper = match symbol.to_ascii_uppercase() {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        b'T' | b'U' => b'A',
        b'R' => b'Y',
        b'Y' => b'R',
        b'K' => b'M',
        b'M' => b'K',
        b'B' => b'V',
        b'V' => b'B',
        b'D' => b'H',
        b'H' => b'D',
        _ => return symbol,
    };
    if symbol.is_ascii_lowercase() { upper.to_ascii_lowercase() } else { upper }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::Pattern;
    use super::*;

    fn text(alphabet: Alphabet, symbol: u8) -> String {
        let class = alphabet.class(symbol).unwrap();
        class.symbols().map(char::from).collect()
    }

    #[test]
    fn what_symbols_stand_for() {
        assert_eq!(text(Alphabet::Dna, b't'), "TUtu");
        assert_eq!(text(Alphabet::Iupac, b'R'), "AGRagr");
        assert_eq!(text(Alphabet::Protein, b'J'), "IJLijl");
        assert_eq!(text(Alphabet::Protein, b'X').len(), 52);
        assert_eq!(text(Alphabet::Protein, b'*'), "*");
        assert_eq!(text(Alphabet::Bytes, b'.'), ".");
        for alphabet in [Alphabet::Dna, Alphabet::Iupac, Alphabet::Protein] {
            assert_eq!(alphabet.class(b'.'), Some(Class::ANY));
            assert_eq!(alphabet.class(b'\n'), None);
        }
    }

    /// Compares every pair of codes with the sets that they represent, as bits.
    #[test]
    fn codes_in_the_text() {
        let bits = |code: u8| b"-ACMGRSVTWYHKDBN".iter().position(|&c| c == code).unwrap();
        for own in *b"ACMGRSVTWYHKDBN" {
            for other in *b"ACMGRSVTWYHKDBN" {
                let (a, b) = (bits(own), bits(other));
                let plain = b.count_ones() == 1;
                for (codes, expected) in [
                    (TextCodes::Inside, a & b == b),
                    (TextCodes::Overlap, a & b != 0),
                    (TextCodes::Never, a & b == b && plain),
                ] {
                    let class = Alphabet::Iupac.class_with(own, codes).unwrap();
                    let place = format!("{} against {}, {codes}", char::from(own), char::from(other));
                    assert_eq!(class.contains(other), expected, "{place}");
                    assert_eq!(class.contains(other.to_ascii_lowercase()), expected, "{place}");
                    // Dna has only the plain symbols, with equal classes.
                    let dna = Alphabet::Dna.class_with(own, codes);
                    assert_eq!(dna, (a.count_ones() == 1).then_some(class), "{place}");
                }
            }
        }
        let protein = |symbol, other, codes| Alphabet::Protein.class_with(symbol, codes).unwrap().contains(other);
        assert!(protein(b'B', b'b', TextCodes::Inside) && protein(b'X', b'B', TextCodes::Inside));
        assert!(!protein(b'D', b'B', TextCodes::Inside) && protein(b'D', b'B', TextCodes::Overlap));
        assert!(protein(b'D', b'x', TextCodes::Overlap) && !protein(b'*', b'X', TextCodes::Overlap));
        assert!(!protein(b'B', b'B', TextCodes::Never) && protein(b'B', b'N', TextCodes::Never));
    }

    #[test]
    fn complements_of_codes_are_those_of_what_they_stand_for() {
        for code in *b"ACGTURYSWKMBDHVNacgturyswkmbdhvn" {
            let mut turned: Vec<u8> = nucleotides(code.to_ascii_uppercase()).unwrap().to_vec();
            turned.iter_mut().for_each(|letter| *letter = complement(*letter));
            turned.sort();
            assert_eq!(nucleotides(complement(code).to_ascii_uppercase()), Some(&turned[..]), "{}", char::from(code));
            assert_eq!(complement(code).is_ascii_lowercase(), code.is_ascii_lowercase());
        }
    }

    #[test]
    fn errors_say_where_and_what_to_do() {
        let message = |symbols: &[u8], alphabet| Pattern::parse(symbols, alphabet).unwrap_err().to_string();
        let dna = message(b"ACN", Alphabet::Dna);
        assert!(dna.contains("'N' at position 3") && dna.contains("alphabet iupac has it"), "{dna}");
        let gap = message(b"A-C", Alphabet::Iupac);
        assert!(gap.contains("'-' at position 2") && gap.contains("gaps"), "{gap}");
        let other = message(b"\xff", Alphabet::Protein);
        assert!(other.contains(r"'\xff' at position 1") && other.contains("alphabet bytes"), "{other}");
    }
}
