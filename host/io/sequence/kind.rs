//! Guesses whether the letters of a FASTA or FASTQ file are nucleotides or amino acids.

use super::{Format, Kind};

/// Size of the sample for the guess, in symbols: in total, and per record.
const SAMPLE: (u64, usize) = (1 << 16, 1 << 12);

/// Sample of the letters of the first records, filled as they arrive. Lines need none.
pub(super) struct Sample {
    format: Format,
    letters: Letters,
    /// Symbols of the current record that may still be counted.
    room: usize,
}

impl Sample {
    pub fn new(format: Format) -> Self {
        Self { format, letters: Letters::new(), room: 0 }
    }

    /// Begins a record.
    pub fn begin(&mut self) {
        self.room = if self.is_full() { 0 } else { SAMPLE.1 };
    }

    /// Counts more symbols of the record.
    pub fn add(&mut self, symbols: &[u8]) {
        let count = self.room.min(symbols.len());
        self.letters.add(&symbols[..count]);
        self.room -= count;
    }

    /// Returns true if no more symbols are counted.
    pub fn is_full(&self) -> bool {
        self.format == Format::Lines || self.letters.count() >= SAMPLE.0
    }

    /// Guesses the kind of the records' symbols.
    pub fn guess(&self) -> Guess {
        if self.format == Format::Lines { Guess { kind: Kind::Bytes, certain: true } } else { self.letters.guess() }
    }
}

/// Guess at the kind of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guess {
    pub kind: Kind,
    /// True if another kind is very unlikely.
    pub certain: bool,
}

/// Symbols that are counted in one byte: whole vectors of any size.
const BLOCK: usize = 192;

#[inline(always)]
fn is_plain(symbol: u8) -> bool {
    is_one_of(symbol | 0x20, b"acgtun")
}

/// Returns true for the IUPAC codes other than A, C, G, T, U and N, and for a gap.
#[inline(always)]
fn is_other_code(symbol: u8) -> bool {
    is_one_of(symbol | 0x20, b"ryswkmbdhv") | (symbol == b'-')
}

#[inline(always)]
fn is_one_of(symbol: u8, letters: &[u8]) -> bool {
    letters.iter().fold(false, |any, &letter| any | (symbol == letter))
}

/// Number of symbols, and of those that may be nucleotides, in upper and lower case together.
pub(super) struct Letters {
    all: u64,
    /// A, C, G, T, U and N.
    plain: u64,
    /// The other IUPAC codes, and gaps.
    other_codes: u64,
}

impl Letters {
    pub fn new() -> Self {
        Self { all: 0, plain: 0, other_codes: 0 }
    }

    /// Counts symbols.
    pub fn add(&mut self, symbols: &[u8]) {
        // Comparisons and counters of one byte become vectors; a table would be read symbol by
        // symbol.
        for block in symbols.chunks(BLOCK) {
            let plain = block.iter().map(|&symbol| u8::from(is_plain(symbol))).sum::<u8>();
            self.plain += u64::from(plain);
            if usize::from(plain) < block.len() {
                let other_codes = block.iter().map(|&symbol| u8::from(is_other_code(symbol))).sum::<u8>();
                self.other_codes += u64::from(other_codes);
            }
        }
        self.all += symbols.len() as u64;
    }

    /// Returns the number of symbols so far.
    pub fn count(&self) -> u64 {
        self.all
    }

    /// Guesses nucleotides if at least 90 % of the symbols are plain (A, C, G, T, U or N), or if
    /// all symbols are IUPAC codes or gaps and at least half of them are plain, as a protein of
    /// these letters is unlikely. The guess is certain if both or neither of "90 % plain" and
    /// "codes only" hold.
    pub fn guess(&self) -> Guess {
        let Self { all, plain, other_codes } = *self;
        let mostly_plain = plain * 10 >= all * 9;
        let only_codes = plain + other_codes == all;
        let nucleotides = mostly_plain || only_codes && plain * 2 >= all;
        let kind = if nucleotides { Kind::Nucleotide } else { Kind::Protein };
        Guess { kind, certain: mostly_plain == only_codes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_letters() {
        let (nucleotide, protein) = (Kind::Nucleotide, Kind::Protein);
        for (letters, kind, certain) in [
            ("", nucleotide, true),
            ("ACGTacgtACGTacgtACGR", nucleotide, true),
            ("ACGUUGCANNNNNNNNNNNN", nucleotide, true),
            // A primer for the 16S rRNA gene, with two ambiguity codes among 19 symbols.
            ("GTGYCAGCMGCCGCGGTAA", nucleotide, false),
            ("RYSWKMBDHVN", protein, false),
            ("MKVSW", protein, false),
            ("ACGTACGTACGTACGTACGE", nucleotide, false),
            ("ACGTACGTACXXACGTACGTACGT", nucleotide, false),
            ("MKVLHDEELQR", protein, true),
        ] {
            let mut counted = Letters::new();
            counted.add(letters.as_bytes());
            assert_eq!(counted.guess(), Guess { kind, certain }, "{letters}");
        }
    }

    #[test]
    fn every_byte_is_counted_as_what_it_is() {
        let bytes: Vec<u8> = (0..=255).cycle().take(256 * 5).collect();
        let one_of = |letters: &[u8]| bytes.iter().filter(|byte| letters.contains(&byte.to_ascii_uppercase())).count();
        let mut letters = Letters::new();
        bytes.chunks(600).for_each(|part| letters.add(part));
        let expected = (1280, one_of(b"ACGTUN") as u64, one_of(b"RYSWKMBDHV-") as u64);
        assert_eq!((letters.all, letters.plain, letters.other_codes), expected);
    }
}
