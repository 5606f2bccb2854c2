//! What the symbols of a file are, characters or bytes or what an alphabet says, and the patterns of them.
//!
//! In a file whose symbols are characters, a pattern that is no UTF-8 is one of bytes, and the other patterns are still of characters.

use super::arguments::Arguments;
use super::session::Session;
use crate::shared::patterns::GivenPattern;
use crate::shared::text_arguments::Seen;
use carrywave::error::UsageFault;
use carrywave::io::sequence::{Format, Kind, PartReader};
use carrywave::text::characters::{CharacterPattern, TextPattern};
use carrywave::text::{Alphabet, Pattern};
use carrywave::{Error, Result};

/// What the patterns for a file depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FileKind {
    pub format: Format,
    kind: Kind,
    takes_characters: bool,
}

impl FileKind {
    pub fn new(session: &Session<'_>, reader: &PartReader) -> Self {
        let takes_characters = session.arguments.reading.takes_characters(&Seen::from(reader));
        Self { format: reader.format(), kind: reader.kind(), takes_characters }
    }
}

/// The patterns for files of a kind; an error too where an option is about lines, and the files have records.
pub fn parse(session: &Session<'_>, file: FileKind) -> Result<Vec<TextPattern>> {
    let arguments = session.arguments;
    if let Some(option) = arguments.of_lines().filter(|_| file.format != Format::Lines) {
        return Err(refuse_records(option, file.format));
    }
    if file.takes_characters
        && let Some(patterns) = character_patterns(session, file)?
    {
        return Ok(patterns);
    }
    byte_patterns(arguments, session.patterns, file.kind)
}

/// Patterns of characters, and of bytes where they are no UTF-8; `None` if a search in bytes finds the same.
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
    // Positions that must match are those of characters.
    let counts = session.allows_errors()
        || arguments.is_bounded()
        || arguments.limits.fixes(given.iter().map(|given| &given.limits));
    if !counts && patterns.iter().all(is_same) {
        return Ok(None);
    }
    Ok(Some(patterns))
}

/// Patterns of bytes, or of the symbols of an alphabet.
pub fn byte_patterns(arguments: &Arguments, given: &[GivenPattern], kind: Kind) -> Result<Vec<TextPattern>> {
    let alphabet = arguments.reading.alphabet(kind);
    if arguments.rc && !alphabet.has_complement() {
        return Err(
            UsageFault::Combination.error(format!("--rc takes --alphabet dna or iupac; {alphabet} has no complements"))
        );
    }
    if arguments.classes {
        if alphabet != Alphabet::Bytes {
            return Err(UsageFault::Combination.error(format!(
                "--classes reads a pattern for lines and bytes, and here symbols are {alphabet}, which have codes of their own, and . \
                 for any; take --alphabet bytes"
            )));
        }
        let classes = |given: &GivenPattern| {
            let pattern = Pattern::parse_classes(&given.symbols, arguments.ignore_case)?;
            arguments.limits.fix(pattern.into(), &given.limits)
        };
        return given.iter().map(|given| classes(given).map_err(|error| given.located(error))).collect();
    }
    let rules = arguments.reading.rules(kind).wildcard(arguments.wildcard).ignore_case(arguments.ignore_case);
    let pattern =
        |given: &GivenPattern| arguments.limits.fix(Pattern::parse_with(&given.symbols, &rules)?.into(), &given.limits);
    given.iter().map(|given| pattern(given).map_err(|error| given.located(error))).collect()
}

/// Makes the error of an option about lines for a file of records.
fn refuse_records(option: &str, format: Format) -> Error {
    let records = if format == Format::Fastq { "FASTQ" } else { "FASTA" };
    UsageFault::Combination.error(format!(
        "{option} is about lines, and {records} records are searched as a whole; --raw searches the file's lines"
    ))
}
