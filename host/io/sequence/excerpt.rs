//! The part of a record that a region chooses.

/// The part of a record that an input has, if a region of the record was chosen.
///
/// ```
/// use carrywave::io::sequence::{DocumentOptions, read_document};
///
/// let options = DocumentOptions::default();
/// let part = read_document("data/humanMito.fa:humanMito:1,001-2,000", options)?;
/// let excerpt = part.excerpt.unwrap();
/// assert_eq!((part.symbols.len(), excerpt.start, excerpt.record_len), (1000, 1000, 16_571));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// Position of the first symbol in the record, 0-based.
    pub start: u64,
    /// Number of symbols of the whole record.
    pub record_len: u64,
}
