//! Hits with their alignments, as PAF, as JSON and in readable form, for `search` and `best`.

use super::json::write_json;
use super::table::PafLine;
use carrywave::alignment::Alignment;
use carrywave::io::output::Visible;
use carrywave::io::sequence::{Kind, Sequence};
use carrywave::search::{Aligner, Beyond, Hit, PatternAlignment};
use carrywave::text::complement;
use carrywave::text::{Class, Pattern, Strand};
use carrywave::view::blocks::{Numbers, WIDTH, write_blocks_of_text};
use std::borrow::Cow;
use std::io::{self, Write};

/// A hit with its alignment and its names.
pub struct AlignedHit<'h> {
    /// Name of the pattern.
    pub pattern: &'h str,
    /// Symbols of the pattern as given, one per position.
    pub pattern_symbols: &'h [u8],
    /// Qualities of the pattern, if it is a FASTQ read.
    pub qualities: Option<&'h [u8]>,
    /// Name of the record or of the file.
    pub target: &'h str,
    /// Range of the hit in the target.
    pub start: u64,
    pub end: u64,
    pub strand: Strand,
    /// Numbers of the pattern's symbols beyond the target.
    pub beyond: Beyond,
    /// Symbols that the hit covers.
    pub part: &'h [u8],
    pub alignment: &'h PatternAlignment,
}

impl AlignedHit<'_> {
    /// Returns the pattern's symbols in the direction of the text.
    pub fn along_the_text(&self) -> Vec<u8> {
        let symbols = self.pattern_symbols;
        match self.strand {
            Strand::Forward => symbols.to_vec(),
            Strand::Reverse => symbols.iter().rev().map(|&symbol| complement(symbol)).collect(),
        }
    }

    /// Returns the number of the pattern's symbols.
    fn pattern_len(&self) -> u64 {
        self.alignment.a_len() + u64::from(self.beyond.start) + u64::from(self.beyond.end)
    }

    /// Returns the CIGAR string. Symbols beyond the target are clipped: `S`.
    pub fn cigar(&self) -> String {
        self.clipped(&self.alignment.cigar())
    }

    /// Adds the symbols beyond the target to a CIGAR string.
    pub fn clipped(&self, cigar: &str) -> String {
        let clip = |symbols: u32| if symbols == 0 { String::new() } else { format!("{symbols}S") };
        clip(self.beyond.start) + cigar + &clip(self.beyond.end)
    }

    /// Writes a line of PAF. The record has `target_len` symbols.
    pub fn write_paf(&self, out: &mut (impl Write + ?Sized), target_len: u64) -> io::Result<()> {
        let before = match self.strand {
            Strand::Forward => self.beyond.start,
            Strand::Reverse => self.beyond.end,
        };
        let line = PafLine {
            query: self.pattern,
            query_len: self.pattern_len(),
            query_start: before.into(),
            query_end: u64::from(before) + self.alignment.a_len(),
            strand: self.strand,
            target: self.target,
            target_len,
            start: self.start,
            end: self.end,
            matches: self.alignment.matches(),
            columns: self.alignment.columns(),
            errors: self.alignment.errors(),
        };
        line.write(out, |out| write!(out, "{}", self.alignment.cigar()))
    }

    /// Writes a line of JSON.
    pub fn write_json(
        &self,
        out: &mut (impl Write + ?Sized),
        source: &HitSource<'_>,
        errors: Errors,
    ) -> io::Result<()> {
        let &HitSource { file, record, line } = source;
        let &AlignedHit { pattern, start, end, part, alignment, .. } = self;
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
            cigar: self.cigar(),
            beyond: self.beyond,
            pattern,
            part: String::from_utf8_lossy(part),
        };
        write_json(out, &json)
    }

    /// Writes a heading and the pattern above the text, with bars between matching symbols.
    pub fn write_blocks(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let target = Visible(self.target);
        let pattern = Visible(self.pattern);
        let start = self.start;
        let end = self.end;
        let sign = self.strand.sign();
        let errors = self.alignment.errors();
        let plural = if errors == 1 { "" } else { "s" };
        let cigar = self.cigar();
        writeln!(out, "{target} {start}..{end} {sign} {pattern}: {errors} error{plural}, {cigar}")?;
        let symbols = self.along_the_text();
        let before = u64::from(self.beyond.start);
        let numbers = match self.strand {
            Strand::Forward => Numbers::From(before),
            Strand::Reverse => Numbers::Down((symbols.len() as u64).saturating_sub(before)),
        };
        let pattern_text = characters(&symbols, self.pattern_len());
        let within = pattern_text.chars().skip(before as usize).take(self.alignment.a_len() as usize).collect();
        let texts = [within, characters(self.part, self.alignment.b_len())];
        // The output shows `texts`; the symbols of the sequences only need the right number.
        let sequence = |name, text: &String| Sequence::new(name, vec![0; text.chars().count()], Kind::Characters);
        let pattern = sequence(self.pattern, &texts[0]);
        let part = sequence(self.target, &texts[1]);
        let strings = [(&pattern, numbers), (&part, Numbers::From(start))];
        write_blocks_of_text(out, strings, texts.each_ref().map(String::as_str), self.alignment, WIDTH)?;
        writeln!(out)
    }
}

/// File of a hit, and its record or line.
pub struct HitSource<'h> {
    pub file: &'h str,
    /// Name of the record, or `None` for a line or an unnamed record.
    pub record: Option<&'h str>,
    /// Number of the line, 1-based.
    pub line: Option<usize>,
}

/// Number of errors, under the key that JSON output uses.
#[derive(Clone, Copy, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Errors {
    /// Errors of a hit.
    Errors(u32),
    /// Distance of the nearest part.
    Distance(u32),
}

/// Fields of a JSON line, in order.
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
    #[serde(skip_serializing_if = "Beyond::is_none")]
    beyond: Beyond,
    pattern: &'h str,
    #[serde(rename = "match")]
    part: Cow<'h, str>,
}

/// Returns the text to show for `symbols` symbols. If there are as many bytes as symbols, each byte
/// is a symbol; otherwise the symbols are UTF-8 characters. Other bytes outside ASCII become dots.
fn characters(bytes: &[u8], symbols: u64) -> String {
    if bytes.len() as u64 == symbols {
        return bytes.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '.' }).collect();
    }
    bytes.utf8_chunks().flat_map(|part| part.valid().chars().chain(part.invalid().iter().map(|_| '.'))).collect()
}

/// Returns the symbols to show for a hit's pattern, one per position. If the pattern is read as
/// classes, a class with a single symbol, in either case, shows that symbol, and any other class
/// shows a dot.
pub fn shown_symbols<'g>(aligner: &Aligner, hit: &Hit, given: &'g [u8], are_classes: bool) -> Cow<'g, [u8]> {
    let classes = aligner.pattern(hit.pattern).filter(|_| are_classes);
    classes.map_or(Cow::Borrowed(given), |pattern| class_symbols(pattern).into())
}

fn class_symbols(pattern: &Pattern) -> Vec<u8> {
    let shown = |class: &Class| {
        let mut symbols = class.symbols();
        match symbols.next() {
            Some(symbol) if symbols.all(|other| other.eq_ignore_ascii_case(&symbol)) => symbol,
            _ => b'.',
        }
    };
    pattern.classes().iter().map(shown).collect()
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
