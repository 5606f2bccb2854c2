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

impl Excerpt {
    /// Returns the part that begins at `start` in a record of `record_len` symbols.
    ///
    /// ```
    /// use carrywave::io::sequence::{Excerpt, Kind, Sequence};
    ///
    /// let whole = Sequence::new("dna", "ACGTTT", Kind::Nucleotide);
    /// let mut part = Sequence::new("dna", &whole.symbols[2..4], whole.kind);
    /// part.excerpt = Some(Excerpt::new(2, 6));
    /// assert_eq!(part.excerpt.map(|excerpt| excerpt.start), Some(2));
    /// ```
    pub fn new(start: u64, record_len: u64) -> Self {
        Self { start, record_len }
    }
}
