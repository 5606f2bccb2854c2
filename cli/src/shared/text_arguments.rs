//! Options for reading a text, for `search` and `best`, and the meaning of a pattern's symbols in it.

use super::notes::note;
use carrywave::io::output::Visible;
use carrywave::io::sequence::{Document, DocumentOptions, Format, Kind, PartOptions, PartReader};
use carrywave::text::characters::CharacterPattern;
use carrywave::text::{Alphabet, Class, SymbolRules, TextCodes};
use carrywave::{Error, Result};
use clap::Args;
use std::str::FromStr;

/// Symbols at the start of a text that are searched for a NUL.
const HEAD: usize = 1 << 16;

/// How the text is read.
#[derive(Debug, Args)]
pub struct TextArguments {
    /// What the pattern's symbols stand for: bytes, dna, iupac or protein (ignoring case, `.` for any symbol). Auto is iupac or
    /// protein for FASTA and FASTQ, by the letters of the first records, and bytes for other files.
    #[arg(long, default_value = "auto")]
    alphabet: AlphabetChoice,

    /// Compare bytes. Without it a symbol of a text in lines is a character: in UTF-8 one or several bytes, and what is no UTF-8 byte by
    /// byte.
    #[arg(long, conflicts_with = "alphabet")]
    bytes: bool,

    /// When a code in the text, as N and R are for several nucleotides, matches a symbol of the pattern: self, if that stands for
    /// all that the code may be (N matches N); overlap, if they may be equal (N matches all); or never.
    #[arg(long, value_name = "RULE", default_value = "self")]
    text_codes: TextCodes,

    /// Take every file for what it is byte by byte, and not for FASTA or FASTQ. A compressed file is decompressed all the same.
    #[arg(long)]
    raw: bool,

    /// Take a compressed file as the bytes that it has.
    #[arg(long)]
    pub no_decompress: bool,
}

/// The value of `--alphabet`.
#[derive(Debug, Clone, Copy)]
enum AlphabetChoice {
    Auto,
    One(Alphabet),
}

impl FromStr for AlphabetChoice {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        if name == "auto" { Ok(Self::Auto) } else { name.parse().map(Self::One) }
    }
}

/// What is known of a text before it is searched.
pub struct Seen<'s> {
    format: Format,
    kind: Kind,
    kind_is_certain: bool,
    /// Its symbols, or the first of them.
    pub symbols: &'s [u8],
}

impl<'s> From<&'s Document> for Seen<'s> {
    fn from(text: &'s Document) -> Self {
        Self { format: text.format, kind: text.kind(), kind_is_certain: text.kind_is_certain(), symbols: &text.symbols }
    }
}

impl<'s> From<&'s PartReader> for Seen<'s> {
    fn from(text: &'s PartReader) -> Self {
        Self {
            format: text.format(),
            kind: text.kind(),
            kind_is_certain: text.kind_is_certain(),
            symbols: text.first().map_or(&[], |part| &part.symbols),
        }
    }
}

impl TextArguments {
    /// For reading a file.
    pub fn options(&self) -> DocumentOptions {
        DocumentOptions::default().raw(self.raw).keep_compressed(self.no_decompress)
    }

    /// For reading a file in parts.
    pub fn in_parts(&self) -> PartOptions {
        PartOptions::default().raw(self.raw).keep_compressed(self.no_decompress)
    }

    /// The alphabet for a text whose symbols are of this kind.
    pub fn alphabet(&self, kind: Kind) -> Alphabet {
        match (self.alphabet, kind) {
            _ if self.bytes => Alphabet::Bytes,
            (AlphabetChoice::One(alphabet), _) => alphabet,
            (AlphabetChoice::Auto, Kind::Nucleotide) => Alphabet::Iupac,
            (AlphabetChoice::Auto, Kind::Protein) => Alphabet::Protein,
            (AlphabetChoice::Auto, Kind::Bytes | Kind::Characters) => Alphabet::Bytes,
        }
    }

    /// Whether bytes were asked for.
    pub fn asks_for_bytes(&self) -> bool {
        self.bytes || !matches!(self.alphabet, AlphabetChoice::Auto)
    }

    /// Whether characters are the symbols of a text: of lines, unless there is a NUL among the first of them, as in no text.
    pub fn takes_characters(&self, seen: &Seen<'_>) -> bool {
        let head = &seen.symbols[..seen.symbols.len().min(HEAD)];
        !self.asks_for_bytes() && seen.format == Format::Lines && memchr::memchr(0, head).is_none()
    }

    /// A pattern of characters, if these are the symbols of the text and the pattern is UTF-8.
    pub fn character_pattern(&self, seen: &Seen<'_>, pattern: &[u8], ignore_case: bool) -> Option<CharacterPattern> {
        let pattern = std::str::from_utf8(pattern).ok().filter(|_| self.takes_characters(seen))?;
        Some(CharacterPattern::literal(pattern, ignore_case))
    }

    /// How a pattern's symbols are read for such a text.
    pub fn rules(&self, kind: Kind) -> SymbolRules {
        SymbolRules::new(self.alphabet(kind)).text_codes(self.text_codes)
    }

    /// Says what a file's records are taken for; with a line of its own where the letters do not tell, and it may matter for these
    /// patterns.
    pub fn note_alphabet<'p>(&self, file: &str, seen: &Seen<'_>, patterns: impl IntoIterator<Item = &'p [u8]>) {
        let kind = seen.kind;
        if seen.format == Format::Lines || self.asks_for_bytes() {
            return;
        }
        let alphabet = self.alphabet(kind);
        log::info!("{}: the records are taken for {}: --alphabet {alphabet}", Visible(file), plural(kind));
        if seen.kind_is_certain {
            return;
        }
        let (other, other_kind) = match kind {
            Kind::Nucleotide => (Alphabet::Protein, Kind::Protein),
            _ => (Alphabet::Iupac, Kind::Nucleotide),
        };
        let mut occurring = Class::default();
        seen.symbols.iter().for_each(|&symbol| occurring.insert(symbol));
        let matched = |alphabet: Alphabet, symbol: u8| -> Option<Vec<u8>> {
            let class = alphabet.class_with(symbol, self.text_codes)?;
            Some(occurring.symbols().filter(|&symbol| class.contains(symbol)).collect())
        };
        let mut in_patterns = Class::default();
        patterns.into_iter().flatten().for_each(|&symbol| in_patterns.insert(symbol));
        let both = |symbol: u8| matched(alphabet, symbol).zip(matched(other, symbol));
        if in_patterns.symbols().all(|symbol| both(symbol).is_some())
            && in_patterns.symbols().filter_map(both).any(|(one, another)| one != another)
        {
            note(&format!(
                "{file}: the records are taken for {}, which may matter here; --alphabet {other} takes them for {}",
                plural(kind),
                plural(other_kind)
            ));
        }
    }
}

fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Nucleotide => "nucleotides",
        Kind::Protein => "proteins",
        Kind::Bytes => "bytes",
        Kind::Characters => "characters",
    }
}
