//! Names of records and regions, as a user writes them: `chr1`, `2`, `chr1:1,001-2,000`.

use std::ops::Range;

/// A request for a record or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Request<'r> {
    pub text: &'r str,
    /// The text as a record's number, 1-based, if it is one.
    number: Option<u64>,
    region: Option<Region<'r>>,
}

/// A part of a record, 1-based, both ends included, as in samtools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Region<'r> {
    record: &'r str,
    /// The record's number, 1-based, if the name is a number.
    number: Option<u64>,
    from: u64,
    /// `None` for the end of the record.
    to: Option<u64>,
}

/// Match of a record with a request, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum By {
    /// The whole request is the record's name or header.
    Name,
    /// The whole request is the record's number.
    Number,
    /// The request without the region is the record's name or header.
    RegionOfName,
    /// The request without the region is the record's number.
    RegionOfNumber,
}

impl By {
    /// Returns true if the request's region applies.
    pub fn is_region(self) -> bool {
        matches!(self, Self::RegionOfName | Self::RegionOfNumber)
    }
}

impl<'r> Request<'r> {
    pub fn new(text: &'r str) -> Self {
        Self { text, number: text.parse().ok(), region: Region::parse(text) }
    }

    /// Returns how a record matches, or `None`. `header` is its whole header without blanks
    /// around it, and `number` counts from 1.
    pub fn fits(&self, name: &str, header: &str, number: u64) -> Option<By> {
        let is_called = |text: &str| text == name || text.trim() == header;
        if is_called(self.text) {
            return Some(By::Name);
        }
        if self.number == Some(number) {
            return Some(By::Number);
        }
        let region = self.region?;
        if is_called(region.record) {
            return Some(By::RegionOfName);
        }
        (region.number == Some(number)).then_some(By::RegionOfNumber)
    }

    /// Returns the symbols to keep of a record that fits by `by`, 0-based; they may lie behind its
    /// end.
    pub fn window(&self, by: By) -> Range<u64> {
        match self.region.filter(|_| by.is_region()) {
            Some(region) => region.from.saturating_sub(1)..region.to.unwrap_or(u64::MAX),
            None => 0..u64::MAX,
        }
    }

    /// Returns the symbols that a record of `len` symbols contributes, 0-based.
    ///
    /// # Errors
    /// The reason if the region is empty or begins behind the record's end.
    pub fn range(&self, by: By, len: u64) -> Result<Range<u64>, String> {
        let Some(Region { record, from, to, .. }) = self.region.filter(|_| by.is_region()) else { return Ok(0..len) };
        if from == 0 {
            return Err(format!("'{}': positions count from 1", self.text));
        }
        if let Some(to) = to.filter(|&to| to < from) {
            return Err(format!("'{}': the region ends at {to}, before it begins", self.text));
        }
        if from > len {
            let symbols = if len == 1 { "symbol" } else { "symbols" };
            return Err(format!("'{}': record '{record}' has only {len} {symbols}", self.text));
        }
        Ok(from - 1..to.unwrap_or(len).min(len))
    }
}

impl<'r> Region<'r> {
    /// Parses `NAME:FROM`, `NAME:FROM-`, `NAME:FROM-TO` and `NAME:-TO`.
    fn parse(text: &'r str) -> Option<Self> {
        let (record, range) = text.rsplit_once(':')?;
        let (from, to) = range.split_once('-').map_or((range, ""), |(from, to)| (from, to));
        let from = match from {
            "" if to.is_empty() => return None,
            "" => 1,
            from => position(from)?,
        };
        let to = if to.is_empty() { None } else { Some(position(to)?) };
        Some(Self { record, number: record.parse().ok(), from, to })
    }
}

/// Parses digits, which commas may divide.
fn position(text: &str) -> Option<u64> {
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    text.replace(',', "").parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(text: &str) -> Option<(&str, u64, Option<u64>)> {
        Region::parse(text).map(|region| (region.record, region.from, region.to))
    }

    #[test]
    fn regions_are_read_as_in_samtools() {
        for (text, expected) in [
            ("chr1", None),
            ("chr1:", None),
            ("chr1:-", None),
            ("chr1:a", None),
            ("chr1:1-b", None),
            ("chr1:1-2-3", None),
            ("chr1:,5", None),
            ("chr1:+5", None),
            ("chr1:99999999999999999999", None),
            ("chr1:5", Some(("chr1", 5, None))),
            ("chr1:5-", Some(("chr1", 5, None))),
            ("chr1:5-7", Some(("chr1", 5, Some(7)))),
            ("chr1:-7", Some(("chr1", 1, Some(7)))),
            ("chr1:1,001-2,000", Some(("chr1", 1001, Some(2000)))),
            ("HLA:A:5-7", Some(("HLA:A", 5, Some(7)))),
        ] {
            assert_eq!(region(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_is_stronger_than_a_number_and_both_are_stronger_than_a_region() {
        for (text, name, header, number, expected) in [
            ("x", "x", "x y", 9, Some(By::Name)),
            ("x y", "x", "x y", 9, Some(By::Name)),
            ("9", "x", "x y", 9, Some(By::Number)),
            ("x:5-6", "x:5-6", "x:5-6", 9, Some(By::Name)),
            ("x:5-6", "x", "x y", 9, Some(By::RegionOfName)),
            ("9:5-6", "x", "x y", 9, Some(By::RegionOfNumber)),
            ("z:5-6", "x", "x y", 9, None),
        ] {
            assert_eq!(Request::new(text).fits(name, header, number), expected, "{text} {header}");
        }
        assert!(By::Name < By::Number && By::Number < By::RegionOfName && By::RegionOfName < By::RegionOfNumber);
    }

    #[test]
    fn a_region_is_cut_at_the_end_and_must_have_a_symbol() {
        let range = |text: &str, len| Request::new(text).range(By::RegionOfName, len);
        assert_eq!(range("x:3-5", 10), Ok(2..5));
        assert_eq!(range("x:3-50", 10), Ok(2..10));
        assert_eq!(range("x:10", 10), Ok(9..10));
        for (text, reason) in [("x:0-5", "from 1"), ("x:5-4", "before it begins"), ("x:11", "only 10 symbols")] {
            assert!(range(text, 10).unwrap_err().contains(reason), "{text}");
        }
        assert_eq!(Request::new("x:3-5").range(By::Name, 10), Ok(0..10));
    }
}
