//! Options for reading a text, for `search` and `best`, and the meaning of a pattern's symbols in
//! the text.

use super::help::{INPUT, MATCHING, one_of};
use super::notes::note;
use carrywave::io::output::Visible;
use carrywave::io::sequence::{Document, DocumentOptions, Format, Kind, PartOptions, PartReader};
use carrywave::text::characters::CharacterPattern;
use carrywave::text::{Alphabet, Class, SymbolRules, TextCodes};
use carrywave::{Error, Result};
use clap::Args;
use std::str::FromStr;

/// Number of symbols at the start of a text that are searched for a NUL.
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

    /// A code of the text, such as N, matches a symbol of the pattern: self, if that covers all of
    /// the code (N matches N); overlap, if they share a base; or never.
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

/// Values of `--alphabet`.
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

/// Properties of a text that are known before the search.
pub struct Seen<'s> {
    format: Format,
    kind: Kind,
    kind_is_certain: bool,
    /// Symbols of the text, or the first of them.
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
    /// Returns the options for reading a whole file.
    pub fn options(&self) -> DocumentOptions {
        DocumentOptions::default().raw(self.raw).keep_compressed(self.no_decompress)
    }

    /// Returns the options for reading a file in parts.
    pub fn in_parts(&self) -> PartOptions {
        PartOptions::default().raw(self.raw).keep_compressed(self.no_decompress)
    }

    /// Returns the alphabet for a text of type `kind`.
    pub fn alphabet(&self, kind: Kind) -> Alphabet {
        match (self.alphabet, kind) {
            _ if self.bytes => Alphabet::Bytes,
            (AlphabetChoice::One(alphabet), _) => alphabet,
            (AlphabetChoice::Auto, Kind::Nucleotide) => Alphabet::Iupac,
            (AlphabetChoice::Auto, Kind::Protein) => Alphabet::Protein,
            (AlphabetChoice::Auto, Kind::Bytes | Kind::Characters) => Alphabet::Bytes,
        }
    }

    /// Returns true if an option requests bytes or an alphabet.
    pub fn asks_for_bytes(&self) -> bool {
        self.bytes || !matches!(self.alphabet, AlphabetChoice::Auto)
    }

    /// Returns true if the symbols of the text are characters: in a file of lines without a NUL
    /// near its start.
    pub fn takes_characters(&self, seen: &Seen<'_>) -> bool {
        let head = &seen.symbols[..seen.symbols.len().min(HEAD)];
        !self.asks_for_bytes() && seen.format == Format::Lines && memchr::memchr(0, head).is_none()
    }

    /// Returns a pattern of characters, or `None` if the text's symbols are not characters or the
    /// pattern is not UTF-8.
    pub fn character_pattern(&self, seen: &Seen<'_>, pattern: &[u8], ignore_case: bool) -> Option<CharacterPattern> {
        let pattern = std::str::from_utf8(pattern).ok().filter(|_| self.takes_characters(seen))?;
        Some(CharacterPattern::literal(pattern, ignore_case))
    }

    /// Returns the rules for parsing a pattern for a text of type `kind`.
    pub fn rules(&self, kind: Kind) -> SymbolRules {
        SymbolRules::new(self.alphabet(kind)).text_codes(self.text_codes)
    }

    /// Logs the detected type of a file's records. Prints a note if the letters leave the type open
    /// and it can matter for these patterns.
    pub fn note_alphabet<'p>(&self, file: &str, seen: &Seen<'_>, patterns: impl IntoIterator<Item = &'p [u8]>) {
        let kind = seen.kind;
        if seen.format == Format::Lines || self.asks_for_bytes() {
            return;
        }
        let alphabet = self.alphabet(kind);
        log::info!("{}: the records are read as {}: --alphabet {alphabet}", Visible(file), plural(kind));
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
                "{file}: the records are read as {}, which may change the hits; --alphabet {other} reads them as {}",
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
