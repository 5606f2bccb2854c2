//! The units of a text: its lines, words, characters or grapheme clusters, as consecutive ranges of
//! bytes that cover the text.

use crate::{Result, memory, threads};
use rayon::prelude::*;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Unit for cutting a text. See the [example](Units).
///
/// Every byte is in a unit. A byte that is not part of a character in UTF-8 is a unit of its own;
/// lines contain it like any other byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unit {
    /// A line with its line feed, and the carriage return before that. The last line may lack its
    /// line feed.
    #[default]
    Line,
    /// A word (Unicode letters and digits, and `_`), a stretch of white space without line feeds,
    /// or any other single character, such as a line feed.
    Word,
    /// A character of Unicode (a scalar value).
    Character,
    /// An extended grapheme cluster: one character to a reader, such as a letter with its accents.
    Grapheme,
}

/// A text with the ends of its units.
///
/// ```
/// use carrywave::text::{Unit, Units};
///
/// let units = Units::new(b"one two\nthree", Unit::Line)?;
/// assert_eq!(units.iter().collect::<Vec<_>>(), [&b"one two\n"[..], b"three"]);
/// let units = Units::new(b"one, two", Unit::Word)?;
/// assert_eq!(units.iter().collect::<Vec<_>>(), [&b"one"[..], b",", b" ", b"two"]);
/// assert_eq!(
///     (units.len(), units.is_empty(), units.start(3), units.get(3)),
///     (4, false, 5, &b"two"[..])
/// );
/// assert_eq!((units.bytes(0..2), units.text()), (&b"one,"[..], &b"one, two"[..]));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Units<'t> {
    text: &'t [u8],
    /// End of each unit in bytes, exclusive. The next unit starts there.
    ends: Vec<usize>,
}

impl<'t> Units<'t> {
    /// Cuts a text. O(bytes), and eight bytes of memory for each unit. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn new(text: &'t [u8], unit: Unit) -> Result<Self> {
        let mut ends = Vec::new();
        // Reserves memory as units are added, so that running out of memory is an error.
        let mut push = |end: usize| -> Result<()> {
            memory::reserve(&mut ends, 1, "the places of lines, words or characters")?;
            ends.push(end);
            if ends.len().is_multiple_of(threads::CHECK) {
                threads::check();
            }
            Ok(())
        };
        match unit {
            Unit::Line if text.len() >= PARALLEL && rayon::current_num_threads() > 1 => ends = line_ends(text)?,
            Unit::Line => {
                memchr::memchr_iter(b'\n', text).try_for_each(|at| push(at + 1))?;
                if text.last().is_some_and(|&last| last != b'\n') {
                    push(text.len())?;
                }
            }
            Unit::Character => each_valid(text, push, |valid, from, push| {
                valid.char_indices().try_for_each(|(at, c)| push(from + at + c.len_utf8()))
            })?,
            Unit::Grapheme => each_valid(text, push, |valid, from, push| {
                valid.grapheme_indices(true).try_for_each(|(at, cluster)| push(from + at + cluster.len()))
            })?,
            Unit::Word => each_valid(text, push, words)?,
        }
        Ok(Self { text, ends })
    }

    /// Returns the whole text. See the [example](Self).
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns the number of units. See the [example](Self).
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if the text is empty. See the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the start of unit `i` in bytes; the end of the text for `i` from the number of units
    /// on. See the [example](Self).
    pub fn start(&self, i: usize) -> usize {
        match i.checked_sub(1) {
            None => 0,
            Some(before) => self.ends.get(before).copied().unwrap_or(self.text.len()),
        }
    }

    /// Returns the bytes of unit `i`; an empty slice beyond the last unit. See the [example](Self).
    pub fn get(&self, i: usize) -> &'t [u8] {
        self.bytes(i..i.saturating_add(1))
    }

    /// Returns the bytes of consecutive units. See the [example](Self).
    pub fn bytes(&self, units: Range<usize>) -> &'t [u8] {
        self.text.get(self.start(units.start)..self.start(units.end)).unwrap_or_default()
    }

    /// Returns the bytes of each unit in order. See the [example](Self).
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'t [u8]> + '_ {
        self.slice(0..self.len())
    }

    /// Returns the bytes of each unit in a range.
    pub(crate) fn slice(&self, units: Range<usize>) -> impl ExactSizeIterator<Item = &'t [u8]> + '_ {
        let text = self.text;
        let mut start = self.start(units.start);
        self.ends.get(units).unwrap_or_default().iter().map(move |&end| {
            let unit = text.get(start..end).unwrap_or_default();
            start = end;
            unit
        })
    }

    /// Counts the units that end within the first `bytes` of the text.
    pub(crate) fn ended_within(&self, bytes: usize) -> usize {
        self.ends.partition_point(|&end| end <= bytes)
    }

    /// Counts the units that start within the last `bytes` of the text.
    pub(crate) fn started_within_last(&self, bytes: usize) -> usize {
        let from = self.text.len() - bytes.min(self.text.len());
        // Unit i > 0 starts where unit i - 1 ends.
        let before = if from == 0 { 0 } else { 1 + self.ends.partition_point(|&end| end < from) };
        self.len().saturating_sub(before)
    }
}

/// Minimum size of a text that several threads cut into lines, and size of the part that a thread
/// cuts at a time, in bytes.
const PARALLEL: usize = 1 << 22;
const PART: usize = 1 << 20;

/// Returns the end of each line, found by all threads: they count the lines of each part of the
/// text, and then write their ends.
fn line_ends(text: &[u8]) -> Result<Vec<usize>> {
    let stop = threads::stop();
    let parts = text.par_chunks(PART);
    let lines_of = |part| {
        stop.check();
        memchr::memchr_iter(b'\n', part).count()
    };
    let counts: Vec<usize> = parts.clone().map(lines_of).collect();
    let ended: usize = counts.iter().sum();
    let is_open = text.last().is_some_and(|&last| last != b'\n');
    // The end of an open last line is that of the text.
    let mut ends = memory::filled(ended + usize::from(is_open), text.len(), "the places of lines")?;
    let slices: Vec<_> = threads::parts_mut(&mut ends, counts).collect();
    parts.zip(slices).enumerate().for_each(|(number, (part, ends))| {
        stop.check();
        for (end, at) in ends.iter_mut().zip(memchr::memchr_iter(b'\n', part)) {
            *end = number * PART + at + 1;
        }
    });
    Ok(ends)
}

/// Calls `valid` with each stretch of UTF-8 and its start, and ends a unit after each byte between
/// them.
fn each_valid(
    text: &[u8],
    mut push: impl FnMut(usize) -> Result<()>,
    valid: impl Fn(&str, usize, &mut dyn FnMut(usize) -> Result<()>) -> Result<()>,
) -> Result<()> {
    let mut from = 0;
    for chunk in text.utf8_chunks() {
        valid(chunk.valid(), from, &mut push)?;
        from += chunk.valid().len();
        for _ in chunk.invalid() {
            from += 1;
            push(from)?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Space,
    Other,
}

fn kind(c: char) -> Kind {
    match c {
        '\n' => Kind::Other,
        '_' => Kind::Word,
        c if c.is_alphanumeric() => Kind::Word,
        c if c.is_whitespace() => Kind::Space,
        _ => Kind::Other,
    }
}

/// Finds the ends of the words of a stretch of UTF-8. Combining marks (accents of their own) belong
/// to the character before them.
fn words(text: &str, from: usize, push: &mut dyn FnMut(usize) -> Result<()>) -> Result<()> {
    let mut last = None;
    for (number, (at, c)) in text.char_indices().enumerate() {
        // A word may be as long as the text.
        if number.is_multiple_of(threads::CHECK) {
            threads::check();
        }
        let kind = if is_mark(c) { last.unwrap_or(Kind::Other) } else { kind(c) };
        let continues = last == Some(kind) && (kind != Kind::Other || is_mark(c));
        if last.is_some() && !continues {
            push(from + at)?;
        }
        last = Some(kind);
    }
    if last.is_some() { push(from + text.len()) } else { Ok(()) }
}

/// Returns true for a combining mark of a Unicode block that has only such marks.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNITS: [Unit; 4] = [Unit::Line, Unit::Word, Unit::Character, Unit::Grapheme];

    fn cut(text: &[u8], unit: Unit) -> Vec<&[u8]> {
        Units::new(text, unit).unwrap().iter().collect()
    }

    #[test]
    fn lines_keep_their_ends() {
        assert_eq!(cut(b"", Unit::Line), [b""; 0]);
        assert_eq!(cut(b"a\nb\n", Unit::Line), [b"a\n", b"b\n"]);
        assert_eq!(cut(b"a\r\n\nb", Unit::Line), [&b"a\r\n"[..], b"\n", b"b"]);
        assert_eq!(cut(b"\xff\n\xfe", Unit::Line), [&b"\xff\n"[..], b"\xfe"]);
    }

    #[test]
    fn several_threads_find_the_same_lines() {
        let mut random = fastrand::Rng::with_seed(2);
        for (line, last) in [(1, "\n"), (30, ""), (30, "\n"), (3 * PART, "")] {
            let mut text: Vec<u8> =
                (0..PARALLEL + 7).map(|_| if random.usize(..line) == 0 { b'\n' } else { b'a' }).collect();
            text.extend(last.bytes());
            let on = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| Units::new(&text, Unit::Line)).unwrap().ends
            };
            assert!(on(1) == on(3), "lines of {line} bytes");
        }
    }

    #[test]
    fn words_spaces_and_others() {
        let words = |text: &'static str| {
            cut(text.as_bytes(), Unit::Word)
                .into_iter()
                .map(|word| std::str::from_utf8(word).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words("let x_1 = f(é,ñandú);\n\n"),
            ["let", " ", "x_1", " ", "=", " ", "f", "(", "é", ",", "ñandú", ")", ";", "\n", "\n"]
        );
        assert_eq!(words("  \t\n  a"), ["  \t", "\n", "  ", "a"]);
        // A combining accent, which is not a letter of its own.
        assert_eq!(words("cafe\u{301} b"), ["cafe\u{301}", " ", "b"]);
        assert_eq!(words("--"), ["-", "-"]);
    }

    #[test]
    fn characters_and_clusters() {
        let text = "e\u{301}\r\n🇩🇪x".as_bytes();
        let lengths = |unit| cut(text, unit).into_iter().map(<[u8]>::len).collect::<Vec<_>>();
        assert_eq!(lengths(Unit::Character), [1, 2, 1, 1, 4, 4, 1]);
        assert_eq!(lengths(Unit::Grapheme), [3, 2, 8, 1]);
    }

    #[test]
    fn bytes_that_are_no_text_are_units() {
        for unit in [Unit::Word, Unit::Character, Unit::Grapheme] {
            // The start of a truncated three-byte character.
            assert_eq!(cut(b"a\xe2\x82b", unit), [b"a", b"\xe2", b"\x82", b"b"], "{unit:?}");
            assert_eq!(cut(b"a\xff\xfeb\xc3", unit), [b"a", b"\xff", b"\xfe", b"b", b"\xc3"], "{unit:?}");
        }
    }

    #[test]
    fn all_bytes_are_covered() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..300 {
            let symbols = ["a", "_", " ", "\n", "\r\n", "é", "\u{301}", "👩‍👩‍👧", "-", "\t"];
            let mut text: Vec<u8> =
                (0..random.usize(..40)).flat_map(|_| symbols[random.usize(..symbols.len())].bytes()).collect();
            if random.bool() && !text.is_empty() {
                let at = random.usize(..text.len());
                text[at] = random.u8(..);
            }
            for unit in UNITS {
                let units = Units::new(&text, unit).unwrap();
                assert_eq!(units.iter().collect::<Vec<_>>().concat(), text, "{unit:?}");
                assert!(units.iter().all(|unit| !unit.is_empty()));
                assert!((0..units.len()).all(|i| units.iter().nth(i) == Some(units.get(i))));
                for bytes in 0..=text.len() {
                    let from = text.len() - bytes;
                    let ended = (0..units.len()).filter(|&i| units.start(i + 1) <= bytes).count();
                    let started = (0..units.len()).filter(|&i| units.start(i) >= from).count();
                    assert_eq!((units.ended_within(bytes), units.started_within_last(bytes)), (ended, started));
                }
            }
        }
    }
}
