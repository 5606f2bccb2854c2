//! Hits in the lines of a text. Only lines that contain an end are inspected.
//!
//! A text of lines usually has few occurrences and many lines: finding all line starts takes longer
//! than searching the text. So the text is searched as a whole, and the line around each end is
//! located:
//!
//! ```text
//! …so it was\nand the waves\nrose to the…
//!             └── line ──┘
//!             memrchr  ◄─┘end  memchr ►
//! ```
//!
//! Line numbers are counted from one hit line to the next, 64 bytes at a time.

use super::hit::Hit;
use super::records::count_before;
use crate::infix::End;
use std::ops::Range;

/// The hits in a text's lines
/// ([`Searcher::hits_in_lines`](crate::search::Searcher::hits_in_lines)). As in the
/// [example](crate::search::Searcher::hits_in_lines).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineHits {
    /// The lines with hits, in order; may include lines without hits.
    pub lines: Vec<HitLine>,
    /// The hits, in order; the record of each is the index of its line in [`lines`](Self::lines).
    pub hits: Vec<Hit>,
}

/// A line of a text. As in the [example](crate::search::Searcher::hits_in_lines).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitLine {
    /// Number of lines before this one.
    pub number: u64,
    /// Byte range of the line in the text, without the line end `\n` or `\r\n`.
    pub symbols: Range<usize>,
}

/// Merges the lines of several searches in one text; `only_first` keeps the first hit of each line.
pub(in crate::search) fn merged(all: Vec<LineHits>, only_first: bool) -> LineHits {
    let mut lines: Vec<HitLine> = all.iter().flat_map(|found| found.lines.iter().cloned()).collect();
    lines.sort_unstable_by_key(|line| line.number);
    lines.dedup_by_key(|line| line.number);
    let mut hits = Vec::new();
    for LineHits { lines: own, hits: found } in all {
        // Index among all lines of each line of this search.
        let index = |line: &HitLine| lines.partition_point(|other| other.number < line.number);
        let indices: Vec<usize> = own.iter().map(index).collect();
        hits.extend(found.into_iter().map(|hit| Hit { record: indices[hit.record], ..hit }));
    }
    hits.sort_unstable();
    if only_first {
        hits.dedup_by_key(|hit| hit.record);
    }
    LineHits { lines, hits }
}

/// Returns the line around a symbol other than `\n`, without its line end.
pub(super) fn line_at(text: &[u8], symbol: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &text[..symbol]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &text[symbol..]).map_or(text.len(), |length| symbol + length);
    without_return(text, start..end)
}

/// Strips the carriage return at the end of a line.
fn without_return(text: &[u8], line: Range<usize>) -> Range<usize> {
    let symbols = &text[line.clone()];
    line.start..line.start + symbols.strip_suffix(b"\r").unwrap_or(symbols).len()
}

/// Returns all lines, without their line ends.
pub(in crate::search) fn all_lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length);
        lines.push(without_return(text, start..end));
        start = end + 1;
    }
    lines
}

/// Returns the lines that contain an end. The ends of each pattern are in order.
pub(in crate::search) fn lines_of(text: &[u8], all: &[Vec<End>]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for ends in all {
        let mut rest = &ends[..];
        while let Some(end) = rest.first() {
            let behind = end.end as usize;
            let is_within = behind > 0 && text[behind - 1] != b'\n';
            let line = if is_within { line_at(text, behind - 1) } else { behind..behind };
            rest = &rest[count_before(rest, |end| end.end <= line.end.max(behind) as u64)..];
            if is_within {
                lines.push(line);
            }
        }
    }
    lines.sort_unstable_by_key(|line| line.start);
    lines.dedup();
    lines
}

/// Adds the line numbers to lines.
pub(in crate::search) fn numbered(text: &[u8], lines: Vec<Range<usize>>) -> Vec<HitLine> {
    let (mut number, mut from) = (0, 0);
    let next = |symbols: Range<usize>| {
        number += memchr::memchr_iter(b'\n', &text[from..symbols.start]).count() as u64;
        from = symbols.start;
        HitLine { number, symbols }
    };
    lines.into_iter().map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Ends, Search};
    use crate::text::{Pattern, Text};
    use fastrand::Rng;

    /// Splits a text into its lines, by the definition.
    fn split(text: &[u8]) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let symbols = line.strip_suffix(b"\n").unwrap_or(line);
            let symbols = symbols.strip_suffix(b"\r").unwrap_or(symbols);
            lines.push(start..start + symbols.len());
            start += line.len();
        }
        lines
    }

    #[test]
    fn the_same_hits_as_of_all_lines_as_records() {
        let mut random = Rng::with_seed(7);
        let mut found = 0;
        for _ in 0..300 {
            let n = random.usize(..400);
            let text: Vec<u8> = (0..n).map(|_| b"ababab\n\n\r"[random.usize(..9)]).collect();
            let pattern =
                |random: &mut Rng| (0..random.usize(1..9)).map(|_| b"ab\r"[random.usize(..3)]).collect::<Vec<_>>();
            let patterns: Vec<Pattern> =
                (0..random.usize(1..4)).map(|_| Pattern::literal(&pattern(&mut random))).collect();
            let k = random.u32(..patterns.iter().map(|own| own.len() as u32).min().unwrap().min(4));
            let ends = if random.bool() { Ends::All } else { Ends::Best };
            let search = Search::many(patterns).errors(k).whole_records(random.u8(..4) == 0);
            let search = search.ends(ends).overlapping(random.bool());
            let lines = split(&text);
            assert_eq!(all_lines(&text), lines);
            let expected = search.hits(Text::with_records(&text, &lines).unwrap()).unwrap();
            let LineHits { lines: own, hits } = search.prepare().unwrap().hits_in_lines(&text).unwrap();
            for line in &own {
                assert_eq!(lines[line.number as usize], line.symbols);
            }
            assert!(own.is_sorted_by(|one, next| one.number < next.number), "{own:?}");
            let index = |hit: Hit| Hit { record: own[hit.record].number as usize, ..hit };
            assert_eq!(hits.into_iter().map(index).collect::<Vec<_>>(), expected);
            found += expected.len();
        }
        assert!(found > 1000, "{found}");
    }
}
