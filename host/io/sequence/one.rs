//! Reads one record of a file.

use super::choice::{Found, choose};
use super::chosen::Chosen;
use super::kind::Letters;
use super::opened::{Wanted, open_records};
use super::source::Bytes;
use super::{Case, Kind, Sequence};
use crate::Result;
use crate::error::UsageFault;
use std::path::Path;

/// Options of [`read`].
///
/// ```
/// use carrywave::io::sequence::{Case, ReadOptions, read};
///
/// let sequence =
///     read("data/humanMito.fa", &ReadOptions::default().record("humanMito").case(Case::Ignore))?;
/// assert_eq!(sequence.symbols.len(), 16_571);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct ReadOptions {
    raw: bool,
    keep_compressed: bool,
    record: Option<String>,
    case: Case,
}

impl ReadOptions {
    /// Sets whether to use the decompressed bytes as the string, whatever the format. The default
    /// is false. See the [example](Self).
    pub fn raw(self, raw: bool) -> Self {
        Self { raw, ..self }
    }

    /// Sets whether to leave a compressed file compressed. The default is false. See the
    /// [example](Self).
    pub fn keep_compressed(self, keep_compressed: bool) -> Self {
        Self { keep_compressed, ..self }
    }

    /// Selects a record by its name (the header up to the first space) or its whole header line, or
    /// by its number, 1-based, if no record has that name. If none of these fits, a region may
    /// follow after a colon, as in samtools: `chr1:1001-2000` is 1-based with both ends, `chr1:5`
    /// goes to the record's end, and digits may have commas. The default is the only record. See
    /// the [example](Self).
    pub fn record(self, name: impl Into<String>) -> Self {
        Self { record: Some(name.into()), ..self }
    }

    /// Sets the rule for upper and lower case. The default is [`Case::Auto`]. See the
    /// [example](Self).
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }
}

/// Reads one string from the file at `path` (`-` is standard input). See the
/// [example](ReadOptions).
///
/// The choice is never silent: if the file has more than one record, [`ReadOptions::record`] must
/// identify exactly one. Only one record is kept in memory at a time. O(file), or with an index
/// beside a FASTA file (`FILE.fai`, for BGZF also `FILE.gzi`) O(record).
///
/// The path may choose the record, too: `genome.fa:chr1:1001-2000`
/// ([`InputPath`](super::InputPath)).
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) if the file cannot be read;
/// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Combination`] for options that exclude
/// each other; and [`Error::Input`](crate::Error::Input) if no record or several records qualify,
/// or the file is truncated or neither FASTA nor FASTQ.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Sequence> {
    if options.raw && options.record.is_some() {
        return Err(UsageFault::Combination.error("a raw file has no records; choose raw or a record, not both"));
    }
    let wanted =
        Wanted { record: options.record.as_deref(), is_text: options.raw, keep_compressed: options.keep_compressed };
    let mut bytes = Bytes::new(open_records(path.as_ref(), wanted)?, options.keep_compressed)?;
    if options.raw {
        let mut symbols = Vec::new();
        bytes.read_all(&mut symbols)?;
        return Ok(Sequence::new(&bytes.source.name, symbols, Kind::Bytes).with_case(options.case));
    }
    let file = bytes.source.name.clone();
    let Found { chosen: Chosen { header, symbols, excerpt, .. }, .. } = choose(bytes, None)?;
    let header = String::from_utf8_lossy(&header);
    let name = header.split_whitespace().next().map_or(file, str::to_owned);
    let mut letters = Letters::new();
    letters.add(&symbols);
    let guess = letters.guess();
    let sequence = Sequence { kind_is_certain: guess.certain, excerpt, ..Sequence::new(name, symbols, guess.kind) };
    Ok(sequence.with_case(options.case))
}
