//! What the symbols of a file are, characters or bytes or what an alphabet says, and the patterns of them.

use super::arguments::Arguments;
use super::lines::refuse_records;
use super::{Given, Job};
use crate::text::Seen;
use carrywave::io::sequence::{Format, Kind, PartReader};
use carrywave::search::{Alphabet, Pattern};
use carrywave::text::characters::{CharacterPattern, Characters};
use carrywave::{Error, Result};

/// Patterns as a file's symbols ask for.
pub struct Parsed {
    pub patterns: Vec<Pattern>,
    /// The codes that they are of, where a symbol is a character; none where a search in bytes finds the same.
    pub characters: Option<Characters>,
}

/// What the patterns for a file depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FileKind {
    pub format: Format,
    kind: Kind,
    takes_characters: bool,
}

impl FileKind {
    pub fn of(job: &Job<'_>, reader: &PartReader) -> Self {
        let takes_characters = job.arguments.reading.takes_characters(&Seen::from(reader));
        Self { format: reader.format(), kind: reader.kind(), takes_characters }
    }
}

/// The patterns for files of a kind; an error too where an option is about lines, and the files have records.
pub fn parse(job: &Job<'_>, file: FileKind) -> Result<Parsed> {
    let arguments = job.arguments;
    if let Some(option) = arguments.of_lines().filter(|_| file.format != Format::Lines) {
        return Err(refuse_records(option, file.format));
    }
    if file.takes_characters
        && let Some(parsed) = of_characters(job)?
    {
        return Ok(parsed);
    }
    Ok(Parsed { patterns: of_bytes(arguments, job.given, file.kind)?, characters: None })
}

/// Patterns of characters, if these matter and all patterns are UTF-8.
fn of_characters(job: &Job<'_>) -> Result<Option<Parsed>> {
    let &Job { arguments, given, .. } = job;
    let Ok(strings) =
        given.iter().map(|given| std::str::from_utf8(&given.symbols)).collect::<std::result::Result<Vec<_>, _>>()
    else {
        return Ok(None);
    };
    if arguments.rc || given.is_empty() {
        return Ok(None);
    }
    let (wildcard, ignore_case) = (arguments.wildcard.map(char::from), arguments.ignore_case);
    let pattern = |(string, given): (&str, &Given)| match arguments.classes {
        true => CharacterPattern::parse_classes(string, ignore_case).map_err(|error| given.wrong(error)),
        false => Ok(CharacterPattern::with_wildcard(string, wildcard, ignore_case)),
    };
    let patterns = strings.into_iter().zip(given).map(pattern).collect::<Result<Vec<_>>>()?;
    let is_same = |pattern: &CharacterPattern| pattern.is_same_in_bytes();
    // Positions that must match are those of characters.
    let counts = job.allows_errors()
        || arguments.is_bounded()
        || arguments.limits.fixes(given.iter().map(|given| &given.limits));
    if !counts && patterns.iter().all(is_same) {
        return Ok(None);
    }
    let (characters, patterns) = Characters::of(&patterns)?;
    let fixed = given
        .iter()
        .zip(patterns)
        .map(|(given, pattern)| arguments.limits.fix(pattern, &given.limits).map_err(|error| given.wrong(error)));
    Ok(Some(Parsed { patterns: fixed.collect::<Result<_>>()?, characters: Some(characters) }))
}

/// Patterns of bytes, or of the symbols of an alphabet.
pub fn of_bytes(arguments: &Arguments, given: &[Given], kind: Kind) -> Result<Vec<Pattern>> {
    let alphabet = arguments.reading.alphabet(kind);
    if arguments.rc && !alphabet.has_complement() {
        return Err(Error::Usage(format!("--rc takes --alphabet dna or iupac; {alphabet} has no complements")));
    }
    if arguments.classes {
        if alphabet != Alphabet::Bytes {
            return Err(Error::Usage(format!(
                "--classes reads a pattern for lines and bytes, and here symbols are {alphabet}, which have codes of their own, and . \
                 for any; take --alphabet bytes"
            )));
        }
        let classes = |given: &Given| {
            let pattern = Pattern::parse_classes(&given.symbols, arguments.ignore_case)?;
            arguments.limits.fix(pattern, &given.limits)
        };
        return given.iter().map(|given| classes(given).map_err(|error| given.wrong(error))).collect();
    }
    let rules = arguments.reading.rules(kind).wildcard(arguments.wildcard).ignore_case(arguments.ignore_case);
    let pattern = |given: &Given| arguments.limits.fix(Pattern::parse_with(&given.symbols, &rules)?, &given.limits);
    given.iter().map(|given| pattern(given).map_err(|error| given.wrong(error))).collect()
}
