//! Input: strings from FASTA, FASTQ and any other files, from standard input, or from memory.
//!
//! | Input | Kind | Letters |
//! |---|---|---|
//! | FASTA or FASTQ, at least 90 % A C G T U N | nucleotide | upper-cased, see below |
//! | FASTA or FASTQ of IUPAC codes, half of them A C G T U N | nucleotide | upper-cased |
//! | other FASTA or FASTQ | protein | kept |
//! | raw files, literals | bytes | kept |
//!
//! The first kind is upper-cased because lower case only marks repeats. [`Case`] overrides the last
//! column. Files compressed with gzip, bzip2, xz or zstd are recognised by their first bytes,
//! whatever their names.
//!
//! | what | in memory |
//! |---|---|
//! | [`read`]: one record | that record |
//! | [`read_document`]: all records of a file, or its lines | all of them |
//! | [`PartReader`]: all records of a file, or its lines | a few million symbols at a time |
//! | [`ReadBlocks`]: all reads of a file, with headers and qualities | a block at a time |

mod ahead;
mod blocks;
mod builder;
mod changes;
mod choice;
mod chosen;
mod chunks;
mod copier;
#[cfg(test)]
mod divided;
mod document;
mod excerpt;
mod index;
mod kind;
mod line_parts;
mod one;
mod opened;
mod parse;
mod part_options;
mod parts;
mod path;
mod reads;
mod recording;
mod region;
mod selection;
mod source;
mod two_bit;
mod unpack;

use crate::io::output::Visible;
use std::fmt;

pub use document::{Document, DocumentOptions, read_document};
pub use excerpt::Excerpt;
pub use index::{Indexed, write_index};
pub use one::{ReadOptions, read};
pub use part_options::PartOptions;
pub use parts::PartReader;
pub use path::InputPath;
pub use reads::{ReadBlock, ReadBlocks};
pub use source::read_bytes;

/// The format of a file. See the [example](Document).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The lines of any file, without their line ends.
    Lines,
    /// The records of a FASTA file.
    Fasta,
    /// The records of a FASTQ file.
    Fastq,
}

/// The kind of a string's symbols. See the [example](Document).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// DNA or RNA, or an empty record.
    Nucleotide,
    /// A FASTA or FASTQ record that is not DNA or RNA.
    Protein,
    /// Bytes of unknown meaning.
    Bytes,
    /// Codes of characters, from [`code_pair`](crate::text::characters::code_pair).
    Characters,
}

/// Rule for upper and lower case of ASCII letters. See the [example](Sequence).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Case {
    /// Equal in nucleotides, different elsewhere.
    #[default]
    Auto,
    /// Different.
    Keep,
    /// Equal: every ASCII letter is upper-cased.
    Ignore,
}

/// A string to compare, with its name.
///
/// ```
/// use carrywave::io::sequence::{Case, Kind, Sequence, unify_uracil};
///
/// let mut dna = Sequence::new("dna", "acgt", Kind::Nucleotide).with_case(Case::Auto);
/// let mut rna = Sequence::new("rna", "ACGU", Kind::Nucleotide);
/// unify_uracil(&mut dna, &mut rna);
/// assert_eq!(dna.symbols, rna.symbols);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sequence {
    /// Name of the record, or of the file if the record has none. Contains no line ends if it comes
    /// from a FASTA or FASTQ file.
    pub name: String,
    /// One byte per symbol.
    pub symbols: Vec<u8>,
    /// Kind of the symbols.
    pub kind: Kind,
    /// True if another kind is very unlikely; false, for example, for nucleotides with many
    /// ambiguity codes, which may be a protein.
    pub kind_is_certain: bool,
    /// The part of a record that the symbols are, if a region was chosen.
    pub excerpt: Option<Excerpt>,
}

impl Sequence {
    /// Returns a string of bytes in memory; `symbols` are not changed. See the [example](Self).
    pub fn new(name: impl Into<String>, symbols: impl Into<Vec<u8>>, kind: Kind) -> Self {
        Self { name: name.into(), symbols: symbols.into(), kind, kind_is_certain: true, excerpt: None }
    }

    /// Returns the bytes of `text`, named by its first 20 characters.
    ///
    /// ```
    /// let sequence = carrywave::io::sequence::Sequence::literal("kitten");
    /// assert_eq!((sequence.name.as_str(), sequence.symbols.len()), ("kitten", 6));
    /// ```
    pub fn literal(text: &str) -> Self {
        Self::new(Clipped(text, 20).to_string(), text, Kind::Bytes)
    }

    /// Upper-cases the letters if `case`, together with the kind, says so. O(n). See the
    /// [example](Self).
    pub fn with_case(mut self, case: Case) -> Self {
        if case == Case::Ignore || (case == Case::Auto && self.kind == Kind::Nucleotide) {
            self.symbols.make_ascii_uppercase();
        }
        self
    }
}

/// Replaces U by T, in upper and lower case, in two strings of nucleotides if one has U and the
/// other T (RNA against DNA). Two strings of RNA stay unchanged. O(m + n). See the
/// [example](Sequence).
pub fn unify_uracil(a: &mut Sequence, b: &mut Sequence) {
    let has = |letter: u8| {
        [&a.symbols, &b.symbols].iter().any(|symbols| memchr::memchr2(letter, letter | 0x20, symbols).is_some())
    };
    if a.kind == Kind::Nucleotide && b.kind == Kind::Nucleotide && has(b'U') && has(b'T') {
        for symbol in a.symbols.iter_mut().chain(&mut b.symbols) {
            // T and U differ in one bit, in both cases.
            if symbol.eq_ignore_ascii_case(&b'U') {
                *symbol ^= b'U' ^ b'T';
            }
        }
    }
}

/// First characters of a text, on one line and safe for a terminal.
struct Clipped<'a>(&'a str, usize);

impl fmt::Display for Clipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.char_indices().nth(self.1).map_or(self.0.len(), |(at, _)| at);
        let rest = if end < self.0.len() { "…" } else { "" };
        write!(f, "{}{rest}", Visible(&self.0[..end]))
    }
}
