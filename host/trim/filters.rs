//! Filters: reads that are not written.

use super::quality::expected_errors;
use crate::text::Read;

/// Reason why a read is not written. See the [example](Self::NAMES).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Shorter than [`Filters::shortest`].
    TooShort,
    /// Longer than [`Filters::longest`].
    TooLong,
    /// More N than [`Filters::most_n`].
    TooManyN,
    /// More errors expected than [`Filters::most_expected_errors`].
    TooManyExpectedErrors,
    /// More errors expected per symbol than [`Filters::highest_error_rate`].
    TooHighErrorRate,
    /// Marked by the sequencer as failed.
    FailedBySequencer,
    /// With an adapter.
    Trimmed,
    /// Without an adapter.
    Untrimmed,
}

impl Filter {
    /// The filters by their names, in the order of their application.
    ///
    /// ```
    /// use carrywave::trim::Filter;
    ///
    /// assert_eq!(Filter::TooShort.to_string(), "too_short");
    /// ```
    pub const NAMES: [(&'static str, Self); 8] = [
        ("too_short", Self::TooShort),
        ("too_long", Self::TooLong),
        ("too_many_n", Self::TooManyN),
        ("too_many_expected_errors", Self::TooManyExpectedErrors),
        ("too_high_average_error_rate", Self::TooHighErrorRate),
        ("casava_filtered", Self::FailedBySequencer),
        ("discard_trimmed", Self::Trimmed),
        ("discard_untrimmed", Self::Untrimmed),
    ];

    /// Returns the position in [`NAMES`](Self::NAMES).
    pub(super) fn number(self) -> usize {
        self as usize
    }
}

named! {
    Filter, "filter";
    PairFilter, "pair filter";
}

/// Reads of a pair that must fail a filter, so that the pair is not written. See the
/// [example](Self::NAMES).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PairFilter {
    /// One of them. The default.
    #[default]
    Any,
    /// Both.
    Both,
    /// The first.
    First,
}

impl PairFilter {
    /// The choices by their names.
    ///
    /// ```
    /// use carrywave::trim::PairFilter;
    ///
    /// assert_eq!("both".parse::<PairFilter>()?, PairFilter::Both);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub const NAMES: [(&'static str, Self); 3] = [("any", Self::Any), ("both", Self::Both), ("first", Self::First)];

    /// Returns true if a pair fails a filter that its first and its second read fail or not; `None`
    /// for a read that the filter does not look at.
    pub(super) fn fails(self, first: Option<bool>, second: Option<bool>) -> bool {
        match (first, second) {
            (Some(only), None) | (None, Some(only)) => only,
            (Some(first), Some(second)) => match self {
                Self::Any => first || second,
                Self::Both => first && second,
                Self::First => first,
            },
            (None, None) => false,
        }
    }
}

/// Limits of the reads that are written; all off by default.
///
/// ```
/// use carrywave::text::Read;
/// use carrywave::trim::{Filter, Filters, Settings, Trimmer};
///
/// let mut settings = Settings::default();
/// settings.filters.shortest = [Some(8), None];
/// let trimmer = Trimmer::new(settings)?;
/// let (_, fate) = trimmer.worker().trim(Read::new(b"read1", b"GATTACA"));
/// assert_eq!(fate.filter, Some(Filter::TooShort));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Filters {
    /// Fewest symbols of the first and the second read.
    pub shortest: [Option<usize>; 2],
    /// Most symbols of the first and the second read.
    pub longest: [Option<usize>; 2],
    /// Most N: below 1 per symbol, from 1 on in all.
    pub most_n: Option<f64>,
    /// Most errors expected of the qualities.
    pub most_expected_errors: Option<f64>,
    /// Most errors expected per symbol.
    pub highest_error_rate: Option<f64>,
    /// Drops reads whose headers say that they failed the sequencer's filter (`1:Y:`).
    pub failed_by_sequencer: bool,
    /// Drops reads with an adapter.
    pub trimmed: bool,
    /// Drops reads without an adapter.
    pub untrimmed: bool,
    /// Reads of a pair that must fail.
    pub pairs: PairFilter,
}

impl Filters {
    /// Returns true if a read of one side (0 or 1) fails a filter; `None` if the filter does not
    /// look at it.
    pub(super) fn fails(
        &self,
        filter: Filter,
        side: usize,
        read: &Read<'_>,
        is_trimmed: bool,
        base: u8,
    ) -> Option<bool> {
        let errors = || read.qualities.as_ref().map_or(0.0, |qualities| expected_errors(qualities, base));
        match filter {
            Filter::TooShort => self.shortest[side].map(|shortest| read.len() < shortest),
            Filter::TooLong => self.longest[side].map(|longest| read.len() > longest),
            Filter::TooManyN => self.most_n.map(|most| {
                let count = read.symbols.iter().filter(|symbol| symbol.eq_ignore_ascii_case(&b'N')).count() as f64;
                if most < 1.0 { !read.is_empty() && count / read.len() as f64 > most } else { count > most }
            }),
            Filter::TooManyExpectedErrors => self.most_expected_errors.map(|most| errors() > most),
            Filter::TooHighErrorRate => {
                self.highest_error_rate.map(|most| !read.is_empty() && errors() / read.len() as f64 > most)
            }
            Filter::FailedBySequencer => self.failed_by_sequencer.then(|| has_failed(&read.name)),
            Filter::Trimmed => self.trimmed.then_some(is_trimmed),
            Filter::Untrimmed => self.untrimmed.then_some(!is_trimmed),
        }
    }
}

/// Returns true if an Illumina header says that the read failed: `NAME 1:Y:…`.
fn has_failed(name: &[u8]) -> bool {
    let behind = memchr::memchr(b' ', name).map_or(&b""[..], |at| &name[at + 1..]);
    behind.get(1..4) == Some(b":Y:")
}
