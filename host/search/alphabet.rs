//! What a pattern's symbols stand for.

use super::pattern::Class;

/// What the symbols of a pattern stand for. In all but `Bytes` case is ignored and `.` is any symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alphabet {
    /// A C G T, U being T. An N in the text matches nothing but `.`.
    Dna,
    /// The nucleotide codes of IUPAC: A C G T U, and R Y S W K M B D H V N for two to four of them. The *text* has plain
    /// nucleotides; a code there matches nothing but `.`.
    Iupac,
    /// Amino acids: the letters; B is D or N, Z is E or Q, J is I or L, and X is any letter. The text's codes match
    /// themselves.
    Protein,
    /// Every byte stands for itself.
    #[default]
    Bytes,
}

named! {
    Alphabet, "alphabet";
}

/// The codes of IUPAC and what they stand for.
const IUPAC: [(u8, &[u8]); 16] = [
    (b'A', b"A"),
    (b'C', b"C"),
    (b'G', b"G"),
    (b'T', b"TU"),
    (b'U', b"TU"),
    (b'R', b"AG"),
    (b'Y', b"CTU"),
    (b'S', b"CG"),
    (b'W', b"ATU"),
    (b'K', b"GTU"),
    (b'M', b"AC"),
    (b'B', b"CGTU"),
    (b'D', b"AGTU"),
    (b'H', b"ACTU"),
    (b'V', b"ACG"),
    (b'N', b"ACGTU"),
];

impl Alphabet {
    /// Every alphabet, by its name on the command line.
    pub const NAMES: [(&str, Alphabet); 4] = [
        ("dna", Alphabet::Dna),
        ("iupac", Alphabet::Iupac),
        ("protein", Alphabet::Protein),
        ("bytes", Alphabet::Bytes),
    ];

    /// What a symbol of a pattern stands for, if the alphabet has it.
    pub fn class(self, symbol: u8) -> Option<Class> {
        let upper = symbol.to_ascii_uppercase();
        let code = || IUPAC.iter().find(|(code, _)| *code == upper).map(|(_, letters)| *letters);
        let letters: &[u8] = match self {
            Self::Bytes => return Some(Class::of(symbol)),
            _ if symbol == b'.' => return Some(Class::ANY),
            Self::Dna => code().filter(|_| b"ACGTU".contains(&upper))?,
            Self::Iupac => code()?,
            Self::Protein => match upper {
                b'B' => b"BDN",
                b'Z' => b"ZEQ",
                b'J' => b"JIL",
                b'X' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                b'*' | b'A'..=b'Z' => &[upper],
                _ => return None,
            },
        };
        Some(Class::of_all(letters.iter().flat_map(|letter| [*letter, letter.to_ascii_lowercase()])))
    }

    /// Whether its symbols have complements.
    pub fn has_complement(self) -> bool {
        matches!(self, Self::Dna | Self::Iupac)
    }

    /// Its symbols, for messages.
    pub(super) fn symbols(self) -> &'static str {
        match self {
            Self::Dna => "A C G T U, and . for any",
            Self::Iupac => "A C G T U, R Y S W K M B D H V N, and . for any",
            Self::Protein => "the letters, *, and . for any",
            Self::Bytes => "every byte",
        }
    }

    /// What to do about a symbol that the alphabet does not have.
    pub(super) fn instead(self, symbol: u8) -> &'static str {
        match self {
            Self::Dna if Self::Iupac.class(symbol).is_some() => "the alphabet iupac has it",
            _ if symbol == b'-' => "take the gaps out of the pattern",
            _ => "the alphabet bytes takes every byte for itself",
        }
    }
}

/// The complement of a nucleotide; other bytes as they are.
pub(super) fn complement(symbol: u8) -> u8 {
    match symbol {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        b'T' | b'U' => b'A',
        b'a' => b't',
        b'c' => b'g',
        b'g' => b'c',
        b't' | b'u' => b'a',
        _ => symbol,
    }
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
        assert_eq!(text(Alphabet::Iupac, b'R'), "AGag");
        assert_eq!(text(Alphabet::Protein, b'J'), "IJLijl");
        assert_eq!(text(Alphabet::Protein, b'X').len(), 52);
        assert_eq!(text(Alphabet::Bytes, b'.'), ".");
        for alphabet in [Alphabet::Dna, Alphabet::Iupac, Alphabet::Protein] {
            assert_eq!(alphabet.class(b'.'), Some(Class::ANY));
            assert_eq!(alphabet.class(b'\n'), None);
        }
        assert!(!Alphabet::Iupac.class(b'N').unwrap().contains(b'N'));
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
