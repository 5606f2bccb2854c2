//! Options for reading a file in parts.

use super::source::{Bytes, HEAD};

/// Length in bytes of a line that may take much memory.
pub(super) const LONG_LINE: usize = HEAD / 2;
/// Size of a file that surely fits into memory, in bytes.
pub(super) const SMALL_FILE: u64 = 64 << 20;

/// Options of [`PartReader`](super::PartReader).
///
/// ```
/// use carrywave::io::sequence::{PartOptions, PartReader};
/// use carrywave::text::parts::Parts;
///
/// let mut reader = PartReader::open("data/mouseMito.fa", PartOptions::default().symbols(1000))?;
/// let mut symbols = 0;
/// while let Some(part) = reader.next_part()? {
///     symbols += part.symbols.len();
/// }
/// assert_eq!(symbols, 16_299);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct PartOptions {
    pub(super) raw: bool,
    pub(super) lines: bool,
    pub(super) keep_compressed: bool,
    pub(super) symbols: usize,
    pub(super) symbols_of_pipe: usize,
    pub(super) repeated: usize,
    pub(super) whole: bool,
    pub(super) lines_together: bool,
    pub(super) short_lines_together: bool,
    pub(super) fastq: bool,
}

impl PartOptions {
    /// Sets whether to read the decompressed bytes as lines, whatever the format. The default is
    /// false. See the [example](Self).
    pub fn raw(self, raw: bool) -> Self {
        Self { raw, ..self }
    }

    /// Sets whether to read the lines of the decompressed text, even of FASTA and FASTQ, and to
    /// refuse text in UTF-16, as [`DocumentOptions::lines`](super::DocumentOptions::lines) does.
    /// The default is false. See the [example](Self).
    pub fn lines(self, lines: bool) -> Self {
        Self { lines, ..self }
    }

    /// Sets whether to leave a compressed file compressed. The default is false. See the
    /// [example](Self).
    pub fn keep_compressed(self, keep_compressed: bool) -> Self {
        Self { keep_compressed, ..self }
    }

    /// Sets the number of symbols of a part. A part is smaller if the next record would not fit, if
    /// records are short, or if an input other than a file has no more bytes for the moment. Only a
    /// record larger than a part is split. The default is 64 Mi. See the [example](Self).
    pub fn symbols(self, symbols: usize) -> Self {
        Self { symbols, ..self }
    }

    /// Sets the number of symbols of a part for a pipe, if it is less than for a file. The default
    /// is the same as for a file. See the [example](Self).
    pub fn symbols_of_pipe(self, symbols: usize) -> Self {
        Self { symbols_of_pipe: symbols, ..self }
    }

    /// Sets how many symbols of a record that is split are repeated in the next part, before the
    /// record's range ([`Part::records`](crate::text::parts::Part::records)); at most half a part.
    /// A search needs some symbols of the part before, and copies the whole part unless they are
    /// repeated in it. The default is 0; lines that are returned together are never repeated. See
    /// the [example](Self).
    pub fn repeated(self, repeated: usize) -> Self {
        Self { repeated, ..self }
    }

    /// Sets whether to keep the headers and qualities of FASTQ records that are not split
    /// ([`PartRecord::fastq`](crate::text::parts::PartRecord::fastq)). The default is false. See
    /// the [example](Self).
    pub fn fastq(self, keep: bool) -> Self {
        Self { fastq: keep, ..self }
    }

    /// Sets whether to keep records whole: a part then grows until its last record is complete. The
    /// default is false. See the [example](Self).
    pub fn whole(self, whole: bool) -> Self {
        Self { whole, ..self }
    }

    /// Sets whether to return all lines of a text as one record with line ends, split only between
    /// lines. This suits [`Searcher::hits_in_lines`](crate::search::Searcher::hits_in_lines), which
    /// finds the relevant lines itself. The default is false. See the [example](Self).
    pub fn lines_together(self, together: bool) -> Self {
        Self { lines_together: together, ..self }
    }

    /// Sets whether to return all lines as [`lines_together`](Self::lines_together) does, if the
    /// input is a file that has at most 64 MiB, or whose first 64 KiB have only lines of less than
    /// 32 KiB. A line further on may still take much memory.
    /// [`lines_are_together`](super::PartReader::lines_are_together) returns what was chosen. The
    /// default is false. See the [example](Self).
    pub fn short_lines_together(self, together: bool) -> Self {
        Self { short_lines_together: together, ..self }
    }

    /// Returns true if an input of lines is returned as one record.
    pub(super) fn are_together(&self, bytes: &Bytes, waits: bool, head: &[u8]) -> bool {
        self.lines_together || self.short_lines_together && !waits && (is_small(bytes) || are_short(head))
    }
}

/// Returns true for a file that surely fits into memory.
pub(super) fn is_small(bytes: &Bytes) -> bool {
    bytes.len.is_some_and(|len| len <= SMALL_FILE)
}

/// Returns true if the lines at the start of a file are short.
fn are_short(head: &[u8]) -> bool {
    let mut start = 0;
    let mut ends = memchr::memchr_iter(b'\n', head).chain(std::iter::once(head.len()));
    ends.all(|end| end - std::mem::replace(&mut start, end + 1) < LONG_LINE)
}

impl Default for PartOptions {
    /// Parts of 64 Mi symbols.
    fn default() -> Self {
        Self {
            raw: false,
            lines: false,
            keep_compressed: false,
            symbols: 64 << 20,
            symbols_of_pipe: usize::MAX,
            repeated: 0,
            whole: false,
            lines_together: false,
            short_lines_together: false,
            fastq: false,
        }
    }
}
