//! Deletions and insertions marked within the text, as `git diff --word-diff` does: `a [-long-]{+longer+} way`.
//!
//! A hunk is made of whole lines: those that have a change, and the context around them. A mark ends before a line feed and begins again after it.

use super::changes::{Change, Diff};
use super::layout::{Layout, RESET, Role};
use std::io::{self, Write};
use std::ops::Range;

/// How a stretch of text is marked.
struct Mark {
    open: &'static str,
    close: &'static str,
    color: &'static str,
}

const DELETED: Mark = Mark { open: "[-", close: "-]", color: "\x1b[31m" };
const INSERTED: Mark = Mark { open: "{+", close: "+}", color: "\x1b[32m" };

/// Bytes of both texts.
struct Part {
    a: Range<usize>,
    b: Range<usize>,
}

impl Diff<'_> {
    /// Prints the text with marks, or with colours alone if the layout has them. The context is of lines, whatever the unit.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_marked(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        layout.header(out, ["--- ", "+++ "])?;
        let bytes = |change: &Change| Part {
            a: self.a.start(change.a.start)..self.a.start(change.a.end),
            b: self.b.start(change.b.start)..self.b.start(change.b.end),
        };
        let parts: Vec<Part> = self.changes.iter().filter(|change| !change.is_ignored).map(bytes).collect();
        let text = self.a.text();
        // The line feeds between two changes, up to one more than the context of both has.
        let most = layout.context.saturating_mul(2).saturating_add(1);
        let joins = |one: &Part, next: &Part| {
            let between = text.get(one.a.end..next.a.start).unwrap_or_default();
            memchr::memchr_iter(b'\n', between).take(most.saturating_add(1)).count() <= most
        };
        let (mut from, mut lines) = ([0, 0], [0, 0]);
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
            out.write_all(b"\n")?;
            let [of_a, of_b] = whole;
            let mut at = of_a.start;
            let mut last_byte = None;
            for part in parts {
                let pieces = [
                    (text, at..part.a.start, None),
                    (text, part.a.clone(), Some(DELETED)),
                    (self.b.text(), part.b.clone(), Some(INSERTED)),
                ];
                for (text, range, mark) in pieces {
                    let piece = text.get(range).unwrap_or_default();
                    print(out, piece, mark, layout.colors)?;
                    last_byte = piece.last().or(last_byte);
                }
                at = part.a.end;
            }
            let piece = text.get(at..of_a.end).unwrap_or_default();
            print(out, piece, None, layout.colors)?;
            if piece.last().or(last_byte) != Some(&b'\n') {
                out.write_all(b"\n")?;
            }
            debug_assert!(of_b.start <= of_b.end);
        }
        Ok(())
    }
}

/// Bytes from the start of the line that ends with this text, and of so many lines before it.
fn context_before(text: &[u8], lines: usize) -> usize {
    let start = memchr::memrchr_iter(b'\n', text).nth(lines).map_or(0, |at| at + 1);
    text.len() - start
}

/// Bytes to the end of the line that begins with this text, and of so many lines after it. A text that begins with a new line has its own context.
fn context_after(text: &[u8], lines: usize) -> usize {
    memchr::memchr_iter(b'\n', text).nth(lines).map_or(text.len(), |at| at + 1)
}

fn print(out: &mut dyn Write, text: &[u8], mark: Option<Mark>, colors: bool) -> io::Result<()> {
    let Some(Mark { open, close, color }) = mark else { return out.write_all(text) };
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let shown = line.strip_suffix(b"\n").unwrap_or(line);
        if colors {
            out.write_all(color.as_bytes())?;
            // A line feed alone would not be seen.
            out.write_all(if shown.is_empty() { "↵".as_bytes() } else { shown })?;
            out.write_all(RESET)?;
        } else {
            out.write_all(open.as_bytes())?;
            out.write_all(shown)?;
            out.write_all(close.as_bytes())?;
        }
        if shown.len() < line.len() {
            out.write_all(b"\n")?;
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
