//! Whether the letters of a FASTA or FASTQ file are nucleotides or amino acids.

use super::{Format, Kind};

/// Symbols that tell what the records are, and how many of each.
const SAMPLE: (u64, usize) = (1 << 16, 1 << 12);

/// The letters of the first records, as these come.
pub(super) struct Sample {
    letters: Letters,
    /// Symbols of the record that may still be looked at.
    room: usize,
}

impl Sample {
    pub fn new() -> Self {
        Self { letters: Letters::new(), room: 0 }
    }

    /// A record begins.
    pub fn begin(&mut self) {
        self.room = if self.letters.count() < SAMPLE.0 { SAMPLE.1 } else { 0 };
    }

    /// Looks at more symbols of the record.
    pub fn add(&mut self, symbols: &[u8]) {
        let count = self.room.min(symbols.len());
        self.letters.add(&symbols[..count]);
        self.room -= count;
    }

    /// Whether what follows is not looked at.
    pub fn is_full(&self) -> bool {
        self.letters.count() >= SAMPLE.0
    }

    /// What the records' symbols are.
    pub fn guess(&self, format: Format) -> Guess {
        if format == Format::Lines { Guess { kind: Kind::Bytes, certain: true } } else { self.letters.guess() }
    }
}

/// What letters seem to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guess {
    pub kind: Kind,
    /// Whether it can hardly be otherwise.
    pub certain: bool,
}

/// How often each letter occurs, capitals and small letters together.
pub(super) struct Letters {
    counts: [u64; 256],
    all: u64,
}

impl Letters {
    pub fn new() -> Self {
        Self { counts: [0; 256], all: 0 }
    }

    /// Adds symbols.
    pub fn add(&mut self, symbols: &[u8]) {
        for symbol in symbols {
            self.counts[usize::from(symbol.to_ascii_uppercase())] += 1;
        }
        self.all += symbols.len() as u64;
    }

    /// Symbols so far.
    pub fn count(&self) -> u64 {
        self.all
    }

    /// Nucleotides, if they are IUPAC codes and gaps, nine in ten of them A, C, G, T, U or N. With more other codes than that they
    /// are, as proteins of these letters are unlikely, if half of them are plain; and with a few letters that are no codes.
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
            // A primer for the gene of 16S RNA, with two codes in 19.
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
