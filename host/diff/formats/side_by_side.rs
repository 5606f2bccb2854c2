//! Both texts in two columns, with marks: `|` between lines that differ, `<` after a line of A
//! alone, `>` before a line of B alone.

use super::layout::{Columns, Layout, Role, Tabs, put_spaces};
use crate::diff::changes::Diff;
use std::io::{self, Write};
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Layout of the columns.
struct Geometry {
    tabs: Tabs,
    /// Width of each column.
    half: usize,
    /// Start of the second column.
    second: usize,
}

impl Geometry {
    /// Puts the second column at a tab stop if tabs are printed as tabs.
    fn new(columns: Columns, tabs: Tabs) -> Self {
        let stop = if tabs.expand { 1 } else { tabs.size.max(1) };
        let second = columns.width.saturating_add(stop).saturating_add(3) / 2;
        let second = second - second % stop;
        let half = second.saturating_sub(3).min(columns.width.saturating_sub(second));
        Self { tabs, half, second: if half == 0 { columns.width } else { second } }
    }

    /// Moves from one column to another with tabs and spaces. Returns the column reached.
    fn fill(&self, out: &mut dyn Write, from: usize, to: usize) -> io::Result<usize> {
        let mut at = from;
        if !self.tabs.expand {
            let stop = self.tabs.size.max(1);
            while at.saturating_add(stop - at % stop) <= to {
                out.write_all(b"\t")?;
                at += stop - at % stop;
            }
        }
        put_spaces(out, to.saturating_sub(at))?;
        Ok(to.max(from))
    }

    /// Prints the part of a line that fits into a column that begins at `start`. Returns the number
    /// of columns filled.
    fn half(&self, out: &mut dyn Write, line: &[u8], start: usize) -> io::Result<usize> {
        // `inside` is the position in the whole line, `printed` the position in the output.
        let mut inside = 0;
        let mut printed = 0;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        for chunk in line.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\t' => {
                        let stop = self.tabs.size.max(1);
                        let spaces = stop - inside % stop;
                        if inside == printed {
                            let stop = printed + spaces;
                            if self.tabs.expand {
                                let to = stop.min(self.half);
                                put_spaces(out, to.saturating_sub(printed))?;
                                printed = printed.max(to);
                            } else if stop < self.half {
                                out.write_all(b"\t")?;
                                printed = stop;
                            }
                        }
                        inside += spaces;
                    }
                    '\r' => {
                        out.write_all(b"\r")?;
                        self.fill(out, 0, start)?;
                        (inside, printed) = (0, 0);
                    }
                    '\x08' => {
                        if inside > 0 {
                            inside -= 1;
                            if inside < self.half && printed <= inside {
                                put_spaces(out, inside - printed)?;
                                printed = inside;
                            } else if inside < self.half {
                                printed = inside;
                                out.write_all(b"\x08")?;
                            }
                        }
                    }
                    '\0' => self.uncounted(out, 0, inside)?,
                    c => {
                        // Other control characters take no column either.
                        inside += c.width().unwrap_or(0);
                        if inside <= self.half {
                            printed = inside;
                            write!(out, "{c}")?;
                        }
                    }
                }
            }
            for &byte in chunk.invalid() {
                self.uncounted(out, byte, inside)?;
            }
        }
        Ok(printed)
    }

    /// Prints a byte that is not a character; GNU diff counts it as zero columns.
    fn uncounted(&self, out: &mut dyn Write, byte: u8, inside: usize) -> io::Result<()> {
        if inside < self.half { out.write_all(&[byte]) } else { Ok(()) }
    }

    /// Prints one line of both columns.
    fn line(&self, out: &mut dyn Write, left: Option<&[u8]>, mark: u8, right: Option<&[u8]>) -> io::Result<()> {
        let ends = |line: Option<&[u8]>| line.is_some_and(|line| line.ends_with(b"\n"));
        let mut column = match left {
            Some(line) => self.half(out, line, 0)?,
            None => 0,
        };
        if mark != b' ' {
            column = self.fill(out, column, (self.half + self.second).saturating_sub(1) / 2)? + 1;
            let mark = match (mark, ends(left), ends(right)) {
                (b'|', true, false) => b'/',
                (b'|', false, true) => b'\\',
                _ => mark,
            };
            out.write_all(&[mark])?;
        }
        if let Some(line) = right
            && line.first() != Some(&b'\n')
        {
            let start = self.fill(out, column, self.second)?;
            self.half(out, line, start)?;
        }
        if ends(left) || ends(right) { out.write_all(b"\n") } else { Ok(()) }
    }
}

impl Diff<'_> {
    /// Prints both texts side by side. As in the [example](crate::diff).
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_side_by_side(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        let geometry = Geometry::new(layout.columns, layout.tabs);
        let colored = |out: &mut dyn Write, role, left, mark, right| {
            layout.colored(out, role, |out| geometry.line(out, left, mark, right))
        };
        // Prints the lines between changes, including ignored changes, where one side may have more
        // lines.
        let common = |out: &mut dyn Write, a: Range<usize>, b: Range<usize>| {
            if layout.columns.suppress_common {
                return Ok(());
            }
            let mut left = self.a.slice(a);
            let mut right = self.b.slice(b);
            loop {
                match (left.next(), right.next()) {
                    (Some(left), _) if layout.columns.left_only => geometry.line(out, Some(left), b'(', None)?,
                    (Some(left), Some(right)) => geometry.line(out, Some(left), b' ', Some(right))?,
                    (Some(left), None) => geometry.line(out, Some(left), b'(', None)?,
                    (None, Some(_)) if layout.columns.left_only => break Ok(()),
                    (None, Some(right)) => geometry.line(out, None, b')', Some(right))?,
                    (None, None) => break Ok(()),
                }
            }
        };
        let mut from_a = 0;
        let mut from_b = 0;
        for change in self.changes.iter().filter(|change| !change.is_ignored) {
            common(out, from_a..change.a.start, from_b..change.b.start)?;
            let mut left = self.a.slice(change.a.clone());
            let mut right = self.b.slice(change.b.clone());
            loop {
                match (left.next(), right.next()) {
                    (Some(left), Some(right)) => geometry.line(out, Some(left), b'|', Some(right))?,
                    (Some(left), None) => colored(out, Role::Deleted, Some(left), b'<', None)?,
                    (None, Some(right)) => colored(out, Role::Inserted, None, b'>', Some(right))?,
                    (None, None) => break,
                }
            }
            (from_a, from_b) = (change.a.end, change.b.end);
        }
        common(out, from_a..self.a.len(), from_b..self.b.len())
    }
}
