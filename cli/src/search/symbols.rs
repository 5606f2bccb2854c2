//! Symbols of a file (characters, bytes, or those of an alphabet), and the patterns for them.
//!
//! In a file of characters, a pattern that is not UTF-8 is compared by bytes, and the other
//! patterns still by characters.

use super::arguments::Arguments;
use super::borders::Anchored;
use super::session::Session;
use crate::shared::patterns::GivenPattern;
use crate::shared::text_arguments::Seen;
use carrywave::error::UsageFault;
use carrywave::io::sequence::{Format, Kind, PartReader};
use carrywave::text::characters::{CharacterPattern, TextPattern};
use carrywave::text::{Alphabet, Pattern};
use carrywave::{Error, Result};

/// Properties of a file that determine how patterns are parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FileKind {
    pub format: Format,
    kind: Kind,
    takes_characters: bool,
    /// True if lines are searched as one text.
    pub lines_are_together: bool,
}

impl FileKind {
    pub fn new(session: &Session<'_>, reader: &PartReader) -> Self {
        Self {
            format: reader.format(),
            kind: reader.kind(),
            takes_characters: session.arguments.reading.takes_characters(&Seen::from(reader)),
            lines_are_together: reader.lines_are_together(),
        }
    }

    /// Returns the alphabet of its patterns.
    pub fn alphabet(&self, arguments: &Arguments) -> Alphabet {
        arguments.reading.alphabet(self.kind)
    }
}

/// Parses the patterns for a type of file. Returns an error if an option applies to lines only and
/// the file has records.
pub fn parse(session: &Session<'_>, file: FileKind) -> Result<Vec<TextPattern>> {
    let arguments = session.arguments;
    if let Some(option) = arguments.line_only_option().filter(|_| file.format != Format::Lines) {
        return Err(refuse_records(option, file.format));
    }
    if file.takes_characters
        && let Some(patterns) = character_patterns(session, file)?
    {
        return Ok(patterns);
    }
    byte_patterns(arguments, session.patterns, file.kind)
}

/// Parses the patterns as characters, or as bytes if they are not UTF-8. Returns `None` if a search
/// by bytes finds the same hits.
fn character_patterns(session: &Session<'_>, file: FileKind) -> Result<Option<Vec<TextPattern>>> {
    let &Session { arguments, patterns: given, .. } = session;
    if arguments.rc || given.iter().all(|given| given.as_text().is_none()) {
        return Ok(None);
    }
    let wildcard = arguments.wildcard.map(char::from);
    let ignore_case = arguments.ignore_case;
    let parse = |given: &GivenPattern| -> Result<TextPattern> {
        let Some(string) = given.as_text() else {
            let bytes = byte_patterns(arguments, std::slice::from_ref(given), file.kind)?.into_iter().next();
            return Ok(bytes.unwrap_or_else(|| Pattern::literal(&given.symbols).into()));
        };
        let pattern = match arguments.classes {
            true => CharacterPattern::parse_classes(string, ignore_case)?,
            false => CharacterPattern::with_wildcard(string, wildcard, ignore_case),
        };
        arguments.limits.fix(pattern.into(), &given.limits)
    };
    let pattern = |given: &GivenPattern| parse(given).map_err(|error| given.located(error));
    let patterns = given.iter().map(pattern).collect::<Result<Vec<_>>>()?;
    let is_same = |pattern: &TextPattern| match pattern {
        TextPattern::Characters(pattern) => pattern.is_same_in_bytes(),
        TextPattern::Bytes(_) => true,
    };
    // The positions given for a pattern count characters.
    let counts = session.allows_errors()
        || arguments.matches_whole_units()
        || arguments.limits.have_fixed_positions(given.iter().map(|given| &given.limits));
    if !counts && patterns.iter().all(is_same) {
        return Ok(None);
    }
    Ok(Some(patterns))
}

/// Parses the patterns as bytes, or as symbols of an alphabet.
pub fn byte_patterns(arguments: &Arguments, given: &[GivenPattern], kind: Kind) -> Result<Vec<TextPattern>> {
    let alphabet = arguments.reading.alphabet(kind);
    if arguments.rc && !alphabet.has_complement() {
        return Err(
            UsageFault::Combination.error(format!("--rc needs --alphabet dna or iupac; {alphabet} has no complements"))
        );
    }
    if arguments.classes {
        if alphabet != Alphabet::Bytes {
            return Err(UsageFault::Combination.error(format!(
                "--classes does not apply to the alphabet {alphabet}, which has codes of its own, and . for any symbol; \
                 add --alphabet bytes"
            )));
        }
        let classes = |given: &GivenPattern| {
            let pattern = Pattern::parse_classes(&given.symbols, arguments.ignore_case)?;
            arguments.limits.fix(pattern.into(), &given.limits)
        };
        return given.iter().map(|given| classes(given).map_err(|error| given.located(error))).collect();
    }
    let rules = arguments.reading.rules(kind).wildcard(arguments.wildcard).ignore_case(arguments.ignore_case);
    let pattern = |given: &GivenPattern| {
        let symbols = Anchored::new(&given.symbols, alphabet).symbols;
        arguments.limits.fix(Pattern::parse_with(symbols, &rules)?.into(), &given.limits)
    };
    given.iter().map(|given| pattern(given).map_err(|error| given.located(error))).collect()
}

/// Returns the error for an option that applies to lines, in a file of records.
fn refuse_records(option: &str, format: Format) -> Error {
    let records = if format == Format::Fastq { "FASTQ" } else { "FASTA" };
    UsageFault::Combination.error(format!(
        "{option} applies to lines, but {records} records are searched as a whole; add --raw to search the lines of the file"
    ))
}
