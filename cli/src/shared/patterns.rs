//! Patterns given by the user: typed, or in a file.

use super::limits::OwnLimits;
use super::notes::note;
use carrywave::error::{InputFault, UsageFault};
use carrywave::io::output::Shortened;
use carrywave::io::sequence::{DocumentOptions, Format, read_document};
use carrywave::text::characters::CODES;
use carrywave::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// A pattern as given.
pub struct GivenPattern {
    pub name: String,
    pub symbols: Vec<u8>,
    /// Quality of each symbol, if the pattern is a FASTQ read.
    pub qualities: Option<Vec<u8>>,
    /// Errors that the pattern's header allows.
    pub limits: OwnLimits,
    /// Position in the pattern file, or `None` for a typed pattern.
    place: Option<FileLine>,
}

/// First line of a pattern in its file.
struct FileLine {
    file: Arc<str>,
    /// Number of the line, 1-based.
    line: u64,
}

impl GivenPattern {
    /// Returns a typed pattern.
    pub fn typed(symbols: &[u8]) -> Self {
        let name = String::from_utf8_lossy(symbols).into_owned();
        Self { name, symbols: symbols.to_vec(), qualities: None, limits: OwnLimits::default(), place: None }
    }

    /// Returns the pattern as text, or `None` if it is not UTF-8.
    pub fn as_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.symbols).ok()
    }

    /// Returns true if the pattern may have more distinct characters than there are codes. In this
    /// case records are searched as a whole.
    pub fn may_share_codes(&self) -> bool {
        self.symbols.iter().filter(|&&symbol| symbol >= 0xc0).count() > CODES
    }

    /// Adds the pattern's file and line to an error about it, or the typed pattern itself.
    pub fn located(&self, error: Error) -> Error {
        let Some(FileLine { file, line }) = &self.place else {
            return match error {
                Error::Pattern { fault: fault @ UsageFault::TooLarge, reason, .. } => {
                    fault.error(format!("pattern {} {reason}", Shortened(&self.name)))
                }
                error => error,
            };
        };
        match error {
            Error::Usage { fault, reason } => {
                fault.error(format!("{file}:{line}: pattern {}: {reason}", Shortened(&self.name)))
            }
            Error::Pattern { fault, reason, .. } => {
                fault.error(format!("{file}:{line}: pattern {} {reason}", Shortened(&self.name)))
            }
            error => error,
        }
    }
}

/// Adds the position of the affected pattern to an error.
pub fn located(patterns: &[GivenPattern], error: Error) -> Error {
    match &error {
        Error::Pattern { number, .. } => match patterns.get(*number) {
            Some(pattern) => pattern.located(error),
            None => error,
        },
        // This error concerns pattern lengths, so the longest pattern is among the affected ones.
        Error::Unsupported { algorithm, reason } => match patterns.iter().max_by_key(|pattern| pattern.symbols.len()) {
            Some(GivenPattern { name, symbols, place: Some(FileLine { file, line }), .. }) => Error::Unsupported {
                algorithm: algorithm.clone(),
                reason: format!(
                    "{reason}; the longest pattern is {}, {file}:{line}, with {} symbols",
                    Shortened(name),
                    symbols.len()
                ),
            },
            _ => error,
        },
        _ => error,
    }
}

/// Content of a pattern file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InFile {
    /// At least one pattern.
    Some,
    /// Only lines or records without symbols. Lines without symbols are ignored.
    None,
    /// An empty file.
    Nothing,
}

/// Maximum number of empty reads that a message names.
const LISTED: usize = 3;

/// Adds the patterns of a file. Lines and records without symbols are skipped; a note names such
/// records.
pub fn read_patterns(path: &Path, patterns: &mut Vec<GivenPattern>) -> Result<InFile> {
    let document = read_document(path, DocumentOptions::default().qualities(true))?;
    let file: Arc<str> = if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy().into() };
    let before = patterns.len();
    let mut without_symbols = Vec::new();
    for (number, record) in document.records.iter().enumerate() {
        if record.is_empty() {
            without_symbols.push(number);
            continue;
        }
        let symbols = document.symbols[record.clone()].to_vec();
        let name = document.name(number).map(str::to_owned);
        let name = name.unwrap_or_else(|| String::from_utf8_lossy(&symbols).into_owned());
        let qualities = document.qualities.get(record.clone()).filter(|qualities| !qualities.is_empty());
        let place = Some(FileLine { file: file.clone(), line: document.line(number) });
        let qualities = qualities.map(<[u8]>::to_vec);
        let given = GivenPattern { name, symbols, qualities, limits: OwnLimits::default(), place };
        let limits = OwnLimits::parse(document.comment(number)).map_err(|error| given.located(error))?;
        patterns.push(GivenPattern { limits, ..given });
    }
    if document.format != Format::Lines && !without_symbols.is_empty() {
        let name = |&number: &usize| {
            let name = document.name(number).unwrap_or("without a name");
            format!("{} in line {}", Shortened(name), document.line(number))
        };
        let mut names: Vec<String> = without_symbols.iter().take(LISTED).map(name).collect();
        if without_symbols.len() > LISTED {
            names.push(format!("{} more", without_symbols.len() - LISTED));
        }
        note(&format!("{file}: skipped patterns without symbols: {}", names.join(", ")));
    }
    Ok(match patterns.len() - before {
        0 if document.symbols.is_empty() && document.records.is_empty() => InFile::Nothing,
        0 => InFile::None,
        _ => InFile::Some,
    })
}

/// Returns the error of a file without patterns.
pub fn no_pattern(path: &Path) -> Error {
    let reason = "this file has no pattern; give one per line, or FASTA records".into();
    Error::Input { path: path.into(), fault: InputFault::NoPattern, reason }
}
