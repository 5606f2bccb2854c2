//! Options for reading a text, for `search` and `best`, and the meaning of a pattern's symbols in it.

use super::help::{INPUT, MATCHING, one_of};
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

/// Options for reading a text.
#[derive(Debug, Args)]
#[command(next_help_heading = MATCHING)]
pub struct TextArguments {
    /// auto, bytes, or dna, iupac, protein, which ignore case.
    #[arg(long, default_value = "auto", hide_possible_values = true)]
    #[arg(value_parser = one_of::<AlphabetChoice>(["auto", "bytes", "dna", "iupac", "protein"]))]
    alphabet: AlphabetChoice,

    /// Compare bytes, not characters of UTF-8.
    #[arg(long, conflicts_with = "alphabet", hide_short_help = true)]
    bytes: bool,

    /// A code of the text, such as N, matches a symbol of the pattern: self, if that covers all of the code
    /// (N matches N); overlap, if they share a base; or never.
    #[arg(long, value_name = "RULE", default_value = "self", hide_possible_values = true)]
    #[arg(value_parser = one_of::<TextCodes>(["self", "overlap", "never"]), hide_short_help = true)]
    text_codes: TextCodes,

    /// Do not recognise FASTA and FASTQ.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    raw: bool,

    /// Do not decompress.
    #[arg(long, hide_short_help = true, help_heading = INPUT)]
    pub no_decompress: bool,
}

/// Value of `--alphabet`.
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
