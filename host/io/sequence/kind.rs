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

/// Number of occurrences of each letter, in upper and lower case together.
pub(super) struct Letters {
    counts: [u64; 256],
    all: u64,
}

impl Letters {
    pub fn new() -> Self {
        Self { counts: [0; 256], all: 0 }
    }

    /// Counts symbols.
    pub fn add(&mut self, symbols: &[u8]) {
        for symbol in symbols {
            self.counts[usize::from(symbol.to_ascii_uppercase())] += 1;
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
        let total = |letters: &[u8]| letters.iter().map(|&letter| self.counts[usize::from(letter)]).sum::<u64>();
        let plain = total(b"ACGTUN");
        let codes = plain + total(b"RYSWKMBDHV-");
        let mostly_plain = plain * 10 >= self.all * 9;
        let only_codes = codes == self.all;
        let nucleotides = mostly_plain || only_codes && plain * 2 >= self.all;
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
}
