//! Hits with their alignments, as PAF, as JSON and for people: what `search` and `best` have in common.

use carrywave::io::output::{Visible, is_visible};
use carrywave::io::sequence::{Kind, Sequence};
use carrywave::search::{Alignment, Class, Pattern, PatternAlignment, Strand};
use carrywave::text::alphabet::complement;
use carrywave::view::blocks::{Numbers, WIDTH, write_blocks_of_text};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

/// A hit, and what is told with it.
pub struct AlignedHit<'h> {
    /// The pattern's name, and its symbols as they were given: one for each position.
    pub pattern: (&'h str, &'h [u8]),
    /// The pattern's qualities, if it is a read of FASTQ.
    pub qualities: Option<&'h [u8]>,
    /// The name of the record or of the file.
    pub target: &'h str,
    /// Where the hit is there.
    pub start: u64,
    pub end: u64,
    pub strand: Strand,
    /// The symbols that it covers.
    pub part: &'h [u8],
    pub alignment: &'h PatternAlignment,
}

impl AlignedHit<'_> {
    /// The pattern's symbols, as they are read along the text.
    pub fn along_the_text(&self) -> Vec<u8> {
        let symbols = self.pattern.1;
        match self.strand {
            Strand::Forward => symbols.to_vec(),
            Strand::Reverse => symbols.iter().rev().map(|&symbol| complement(symbol)).collect(),
        }
    }

    /// A line of PAF, of a record with so many symbols.
    pub fn write_paf(&self, out: &mut (impl Write + ?Sized), target_len: u64) -> io::Result<()> {
        let (name, m, sign) = (Field(self.pattern.0), self.alignment.a_len(), self.strand.sign());
        let (target, start, end) = (Field(self.target), self.start, self.end);
        let (matches, columns) = (self.alignment.matches(), self.alignment.columns());
        let (errors, cigar) = (self.alignment.errors(), self.alignment.cigar());
        writeln!(
            out,
            "{name}\t{m}\t0\t{m}\t{sign}\t{target}\t{target_len}\t{start}\t{end}\t{matches}\t{columns}\t255\tNM:i:{errors}\tcg:Z:{cigar}"
        )
    }

    /// A line of JSON, of a hit in this record or this line of a file.
    pub fn write_json(
        &self,
        out: &mut (impl Write + ?Sized),
        file: &str,
        record: Option<&str>,
        line: Option<usize>,
        errors: Errors,
    ) -> io::Result<()> {
        let &AlignedHit { pattern: (pattern, _), start, end, part, alignment, .. } = self;
        let json = Json {
            file,
            record,
            line,
            start,
            end,
            strand: self.strand.sign(),
            errors,
            substitutions: alignment.substitutions(),
            insertions: alignment.insertions(),
            deletions: alignment.deletions(),
            cigar: alignment.cigar(),
            pattern,
            part: String::from_utf8_lossy(part),
        };
        crate::json(out, &json)
    }

    /// For people: what it is, and the pattern above the text, with bars where they match.
    pub fn write_blocks(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let (target, pattern) = (Visible(self.target), Visible(self.pattern.0));
        let (start, end, sign, errors) = (self.start, self.end, self.strand.sign(), self.alignment.errors());
        let plural = if errors == 1 { "" } else { "s" };
        let cigar = self.alignment.cigar();
        writeln!(out, "{target} {start}..{end} {sign} {pattern}: {errors} error{plural}, {cigar}")?;
        let symbols = self.along_the_text();
        let numbers = match self.strand {
            Strand::Forward => Numbers::From(0),
            Strand::Reverse => Numbers::Down(symbols.len() as u64),
        };
        let texts = [characters(&symbols, self.alignment.a_len()), characters(self.part, self.alignment.b_len())];
        // What is shown is the texts: of the symbols there need only be as many.
        let sequence = |name, text: &String| Sequence::new(name, vec![0; text.chars().count()], Kind::Characters);
        let (pattern, part) = (sequence(self.pattern.0, &texts[0]), sequence(self.target, &texts[1]));
        let strings = [(&pattern, numbers), (&part, Numbers::From(start))];
        write_blocks_of_text(out, strings, texts.each_ref().map(String::as_str), self.alignment, WIDTH)?;
        writeln!(out)
    }
}

/// How many errors there are, and what they are called.
#[derive(Clone, Copy, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Errors {
    /// Those of an occurrence.
    Errors(u32),
    /// Those of the nearest part.
    Distance(u32),
}

/// What a line of JSON has, in this order.
#[derive(serde::Serialize)]
struct Json<'h> {
    file: &'h str,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'h str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    start: u64,
    end: u64,
    strand: char,
    #[serde(flatten)]
    errors: Errors,
    substitutions: u64,
    insertions: u64,
    deletions: u64,
    cigar: String,
    pattern: &'h str,
    #[serde(rename = "match")]
    part: Cow<'h, str>,
}

/// A character for each symbol to be shown. Where there are as many bytes as symbols, these are the symbols, else the characters of UTF-8 are; bytes
/// outside ASCII that are no such character are dots.
fn characters(bytes: &[u8], symbols: u64) -> String {
    if bytes.len() as u64 == symbols {
        return bytes.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '.' }).collect();
    }
    bytes.utf8_chunks().flat_map(|part| part.valid().chars().chain(part.invalid().iter().map(|_| '.'))).collect()
}

/// A symbol for each position of a pattern with classes: that which matches there, in any case, or a dot for several.
pub fn shown(pattern: &Pattern) -> Vec<u8> {
    let shown = |class: &Class| {
        let mut symbols = class.symbols();
        match symbols.next() {
            Some(symbol) if symbols.all(|other| other.eq_ignore_ascii_case(&symbol)) => symbol,
            _ => b'.',
        }
    };
    pattern.classes().iter().map(shown).collect()
}

/// A name in a table: blanks and what a terminal acts on become `_`.
pub struct Field<'t>(pub &'t str);

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        let shown = |c: char| if c.is_whitespace() || !is_visible(c) { '_' } else { c };
        self.0.chars().try_for_each(|c| f.write_char(shown(c)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_for_each_symbol() {
        assert_eq!(characters("a\u{fc}b".as_bytes(), 3), "a\u{fc}b");
        assert_eq!(characters("a\u{fc}b".as_bytes(), 4), "a..b");
        assert_eq!(characters(b"\xffa\xe2\x82b\xe2\x82\xac", 6), ".a..b\u{20ac}");
    }
}
