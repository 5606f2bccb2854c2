//! Deletions and insertions marked within the text, as `git diff --word-diff` does:
//! `a [-long-]{+longer+} way`.
//!
//! A hunk consists of whole lines: those with a change, and the context around them. A mark ends
//! before a line feed and begins again after it. Within a mark, invisible characters have a symbol:
//! `␍` for a carriage return, and `↵` for a line feed if the marks alone would not show that it is
//! deleted or inserted.

use super::heading::Headings;
use super::layout::{Layout, RESET, Role};
use crate::diff::changes::{Change, Diff};
use crate::diff::positions::joined::is_blank;
use crate::text::Unit;
use std::io::{self, Write};
use std::ops::Range;

/// Signs and colours around a marked stretch of text.
#[derive(Clone, Copy)]
struct Mark {
    open: &'static str,
    close: &'static str,
    color: &'static str,
    /// Colour of white space that would be invisible otherwise.
    background: &'static str,
}

const DELETED: Mark = Mark { open: "[-", close: "-]", color: "\x1b[31m", background: "\x1b[41m" };
const INSERTED: Mark = Mark { open: "{+", close: "+}", color: "\x1b[32m", background: "\x1b[42m" };

/// Symbol of a line feed within a mark.
const LINE_FEED: &str = "↵";

/// Symbol of a carriage return within a mark.
const RETURN: &str = "␍";

/// Bytes of both texts.
struct Part {
    a: Range<usize>,
    b: Range<usize>,
}

impl Diff<'_> {
    /// Prints the text with marks, or with colours alone if the layout has them. The context is of
    /// lines, whatever the unit. As in the [example](crate::diff).
    ///
    /// Consecutive replaced words share one mark. White space between them, punctuation, and a few
    /// common words among many replaced ones are printed as part of it. [`Diff::changes`] has the
    /// single changes.
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_marked(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        layout.header(out, ["--- ", "+++ "])?;
        let bytes = |change: &Change| Part {
            a: self.a.start(change.a.start)..self.a.start(change.a.end),
            b: self.b.start(change.b.start)..self.b.start(change.b.end),
        };
        let mut parts: Vec<Part> = match self.unit {
            Unit::Word => self.joined().iter().map(bytes).collect(),
            _ => self.changes.iter().filter(|change| !change.is_ignored).map(bytes).collect(),
        };
        self.move_to_line_starts(&mut parts);
        let text = self.a.text();
        // Counts the line feeds between two changes, up to one more than the context of both.
        let most = layout.context.saturating_mul(2).saturating_add(1);
        let joins = |one: &Part, next: &Part| {
            let between = text.get(one.a.end..next.a.start).unwrap_or_default();
            memchr::memchr_iter(b'\n', between).take(most.saturating_add(1)).count() <= most
        };
        let mut headings = Headings::new(text, layout);
        let mut from = [0, 0];
        let mut lines = [0, 0];
        for parts in parts.chunk_by(joins) {
            let (Some(first), Some(last)) = (parts.first(), parts.last()) else { continue };
            let before =
                context_before(text.get(..first.a.start).unwrap_or_default(), layout.context).min(first.b.start);
            let after = context_after(text.get(last.a.end..).unwrap_or_default(), layout.context);
            let whole = [first.a.start - before..last.a.end + after, first.b.start - before..last.b.end + after];
            let mut places = [String::new(), String::new()];
            for (((units, range), place), (from, line)) in
                [&self.a, &self.b].into_iter().zip(&whole).zip(&mut places).zip(from.iter_mut().zip(&mut lines))
            {
                let feeds = |range: Range<usize>| {
                    memchr::memchr_iter(b'\n', units.text().get(range).unwrap_or_default()).count()
                };
                *line += feeds(*from..range.start);
                *from = range.start;
                let unended = !range.is_empty() && units.text().get(range.end - 1) != Some(&b'\n');
                let count = feeds(range.clone()) + usize::from(unended);
                *place = match count {
                    0 => format!("{line},0"),
                    1 => format!("{}", *line + 1),
                    count => format!("{},{count}", *line + 1),
                };
            }
            let [place_a, place_b] = places;
            layout.colored(out, Role::Place, |out| write!(out, "@@ -{place_a} +{place_b} @@"))?;
            let [of_a, _] = whole;
            headings.end_head(out, of_a.start)?;
            self.write_parts(out, layout, parts, of_a)?;
        }
        Ok(())
    }

    /// Moves lines that are deleted or inserted after the indentation of the next line up to the
    /// start of that line. The first moved line then provides the indentation.
    fn move_to_line_starts(&self, parts: &mut [Part]) {
        let mut before = 0;
        for part in parts {
            let (units, own) = if part.b.is_empty() { (&self.a, &part.a) } else { (&self.b, &part.b) };
            let own = units.text().get(own.clone()).unwrap_or_default();
            let kept = self.a.text().get(before..part.a.start).unwrap_or_default();
            let indent = memchr::memrchr(b'\n', kept).and_then(|at| kept.get(at + 1..)).unwrap_or_default();
            let is_alone = part.a.is_empty() || part.b.is_empty();
            if is_alone && is_blank(indent) && own.strip_suffix(indent).is_some_and(|lines| lines.ends_with(b"\n")) {
                for side in [&mut part.a, &mut part.b] {
                    *side = side.start - indent.len()..side.end - indent.len();
                }
            }
            before = part.a.end;
        }
    }

    /// Prints a hunk: its parts, and the bytes of A between and around them.
    fn write_parts(
        &self,
        out: &mut dyn Write,
        layout: &Layout<'_>,
        parts: &[Part],
        of_a: Range<usize>,
    ) -> io::Result<()> {
        let text = self.a.text();
        let common = |range: Range<usize>| text.get(range).unwrap_or_default();
        let mut at = of_a.start;
        let mut last_byte = None;
        for part in parts {
            let before = common(at..part.a.start);
            let deleted = common(part.a.clone());
            let inserted = self.b.text().get(part.b.clone()).unwrap_or_default();
            let starts_line = part.a.start == 0 || text.get(part.a.start - 1) == Some(&b'\n');
            let shows_feeds = changes_lines(starts_line, deleted, inserted);
            out.write_all(before)?;
            print(out, deleted, DELETED, shows_feeds, layout.colors)?;
            print(out, inserted, INSERTED, shows_feeds, layout.colors)?;
            last_byte = [before, deleted, inserted].into_iter().rev().find_map(<[u8]>::last).or(last_byte);
            at = part.a.end;
        }
        let after = common(at..of_a.end);
        out.write_all(after)?;
        if after.last().or(last_byte) != Some(&b'\n') {
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

/// Returns true if a change joins or cuts lines in a way that marks alone would not show. Whole
/// lines, and sides with equal numbers of line feeds, need no symbols.
fn changes_lines(starts_line: bool, deleted: &[u8], inserted: &[u8]) -> bool {
    let is_whole = |text: &[u8]| text.is_empty() || text.ends_with(b"\n");
    let feeds = |text| memchr::memchr_iter(b'\n', text).count();
    !(starts_line && is_whole(deleted) && is_whole(inserted)) && feeds(deleted) != feeds(inserted)
}

/// Returns the length in bytes from the start of the context to the end of `text`: the line that
/// ends with `text`, and `lines` lines before it.
fn context_before(text: &[u8], lines: usize) -> usize {
    let start = memchr::memrchr_iter(b'\n', text).nth(lines).map_or(0, |at| at + 1);
    text.len() - start
}

/// Returns the length in bytes to the end of the context: the line that begins with `text`, and
/// `lines` lines after it. If `text` begins at the start of a line, that line counts as context.
fn context_after(text: &[u8], lines: usize) -> usize {
    memchr::memchr_iter(b'\n', text).nth(lines).map_or(text.len(), |at| at + 1)
}

/// Prints a deleted or inserted text, with one mark in each of its lines.
fn print(out: &mut dyn Write, text: &[u8], mark: Mark, shows_feeds: bool, colors: bool) -> io::Result<()> {
    let is_invisible = is_blank(text);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let own = line.strip_suffix(b"\n").unwrap_or(line);
        let has_feed = own.len() < line.len();
        let mut shown = own.split(|&byte| byte == b'\r').collect::<Vec<_>>().join(RETURN.as_bytes());
        if has_feed && (is_invisible || shows_feeds && !own.is_empty()) {
            shown.extend(LINE_FEED.bytes());
        }
        if !shown.is_empty() {
            if colors {
                print_colored(out, &shown, mark, has_feed)?;
            } else {
                out.write_all(&[mark.open.as_bytes(), &shown, mark.close.as_bytes()].concat())?;
            }
        }
        if has_feed {
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// Prints a marked text in its colour. White space at the end of a line, or without anything
/// visible, has a coloured background instead.
fn print_colored(out: &mut dyn Write, shown: &[u8], mark: Mark, ends_line: bool) -> io::Result<()> {
    let visible = shown.trim_ascii_end();
    let visible = if ends_line || visible.is_empty() { visible } else { shown };
    let trailing = shown.get(visible.len()..).unwrap_or_default();
    for (color, part) in [(mark.color, visible), (mark.background, trailing)] {
        if !part.is_empty() {
            out.write_all(&[color.as_bytes(), part, RESET].concat())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::diff::{Comparison, Layout};
    use crate::text::Unit;

    fn marked(a: &str, b: &str, unit: Unit, context: usize) -> String {
        let diff = Comparison::new().unit(unit).compare(a.as_bytes(), b.as_bytes()).unwrap();
        let mut out = Vec::new();
        diff.write_marked(&mut out, &Layout { context, ..Layout::default() }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn words_are_marked() {
        assert_eq!(marked("a long way\n", "a longer way\n", Unit::Word, 3), "@@ -1 +1 @@\na [-long-]{+longer+} way\n");
        assert_eq!(marked("a\nb\nc\n", "a\nc\n", Unit::Word, 3), "@@ -1,3 +1,2 @@\na\n[-b-]\nc\n");
        assert_eq!(marked("a", "a b", Unit::Word, 3), "@@ -1 +1 @@\na{+ b+}\n");
        assert_eq!(marked("", "a\n", Unit::Word, 3), "@@ -0,0 +1 @@\n{+a+}\n");
        assert_eq!(marked("ab\n", "aéb\n", Unit::Character, 3), "@@ -1 +1 @@\na{+é+}b\n");
        assert_eq!(marked("one two three\n", "1 2 three\n", Unit::Word, 3), "@@ -1 +1 @@\n[-one two-]{+1 2+} three\n");
    }

    #[test]
    fn changes_that_are_invisible_have_symbols() {
        let words = |a: &str, b: &str| {
            let marked = marked(a, b, Unit::Word, 3);
            marked.split_once("@@\n").unwrap().1.to_owned()
        };
        assert_eq!(words("a\r\nb\n", "a\nb\n"), "a[-␍-]\nb\n");
        assert_eq!(words("a b\n", "a\nb\n"), "a[- -]{+↵+}\nb\n");
        assert_eq!(words("a\n\nb\n", "a\nb\n"), "a\n[-↵-]\nb\n");
        assert_eq!(words("a", "a\n"), "a{+↵+}\n");
        assert_eq!(words("a  \n", "a\n"), "a[-  -]\n");
        assert_eq!(words("x one\ny\n", "x y\n"), "x [-one↵-]\ny\n");
        assert_eq!(words("x\n  y\n", "x\n  1\n  y\n"), "x\n{+  1+}\n  y\n");
        // Whole lines, and lines that replace the same number of lines, need no symbols.
        assert_eq!(words("a\nb\n\nc\nd\n", "a\nd\n"), "a\n[-b-]\n\n[-c-]\nd\n");
        assert_eq!(words("one\ntwo\n", "1\n2\n"), "[-one-]\n[-two-]{+1+}\n{+2+}\n");
    }

    #[test]
    fn invisible_changes_are_seen_in_colours() {
        let colored = |a: &str, b: &str| {
            let diff = Comparison::new().unit(Unit::Word).compare(a.as_bytes(), b.as_bytes()).unwrap();
            let mut out = Vec::new();
            diff.write_marked(&mut out, &Layout { colors: true, ..Layout::default() }).unwrap();
            String::from_utf8(out).unwrap().split_once('\n').unwrap().1.to_owned()
        };
        assert_eq!(colored("a\n", "a  \n"), "a\x1b[42m  \x1b[0m\n");
        assert_eq!(colored("a\r\n", "a\n"), "a\x1b[31m␍\x1b[0m\n");
        assert_eq!(colored("a\n", "a\nb \n"), "a\n\x1b[32mb\x1b[0m\x1b[42m \x1b[0m\n");
    }

    #[test]
    fn hunks_are_whole_lines() {
        let lines = |changed: [usize; 2], to: &str| {
            (1..=20)
                .map(|i| if changed.contains(&i) { format!("line {to}\n") } else { format!("line {i}\n") })
                .collect::<String>()
        };
        let (a, b) = (lines([5, 15], "x"), lines([5, 15], "y"));
        let expected =
            "@@ -4,3 +4,3 @@\nline 4\nline [-x-]{+y+}\nline 6\n@@ -14,3 +14,3 @@\nline 14\nline [-x-]{+y+}\nline 16\n";
        assert_eq!(marked(&a, &b, Unit::Word, 1), expected);
        assert_eq!(marked(&a, &b, Unit::Word, 9).matches("@@ -").count(), 1);
    }
}
