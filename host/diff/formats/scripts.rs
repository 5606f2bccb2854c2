//! Scripts for editors: for `ed`, with the commands in either order, and for RCS.

use super::layout::Layout;
use super::normal::{letter, lines};
use crate::diff::changes::Diff;
use std::io::{self, Write};
use std::ops::Range;

/// Formats a range as its first and last line, 1-based, with a space between them; an empty range
/// as the line before it.
fn spaced_lines(range: &Range<usize>) -> String {
    if range.len() <= 1 { range.end.to_string() } else { format!("{} {}", range.start + 1, range.end) }
}

impl Diff<'_> {
    /// Prints a script for `ed`, from the last change to the first, so that line numbers stay
    /// valid. `ed` scripts cannot express that the last line lacks its line feed. As in the
    /// [example](crate::diff).
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_ed(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        for change in self.changes.iter().rev().filter(|change| !change.is_ignored) {
            writeln!(out, "{}{}", lines(&change.a), letter(&change.a, &change.b))?;
            if change.b.is_empty() {
                continue;
            }
            let mut is_open = true;
            for line in self.b.slice(change.b.clone()) {
                if !is_open {
                    out.write_all(b"a\n")?;
                    is_open = true;
                }
                if line == b".\n" {
                    // A line with a single point would end the insertion: the script inserts two
                    // points and removes one again.
                    out.write_all(b"..\n.\ns/.//\n")?;
                    is_open = false;
                } else {
                    layout.text(out, line, b"")?;
                }
            }
            if is_open {
                out.write_all(b".\n")?;
            }
        }
        Ok(())
    }

    /// Prints the commands of `ed` in the order of the lines, as GNU diff's `-f` does. This format
    /// is for people: its line numbers are those before any change. As in the
    /// [example](crate::diff).
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_forward_ed(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        for change in self.changes.iter().filter(|change| !change.is_ignored) {
            writeln!(out, "{}{}", letter(&change.a, &change.b), spaced_lines(&change.a))?;
            if !change.b.is_empty() {
                self.b.slice(change.b.clone()).try_for_each(|line| layout.text(out, line, b""))?;
                out.write_all(b".\n")?;
            }
        }
        Ok(())
    }

    /// Prints a script for RCS: `d` or `a`, the line as numbered before any change, and the number
    /// of lines. As in the [example](crate::diff).
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_rcs(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        for change in self.changes.iter().filter(|change| !change.is_ignored) {
            if !change.a.is_empty() {
                writeln!(out, "d{} {}", change.a.start + 1, change.a.len())?;
            }
            if !change.b.is_empty() {
                writeln!(out, "a{} {}", change.a.end, change.b.len())?;
                self.b.slice(change.b.clone()).try_for_each(|line| layout.text(out, line, b""))?;
            }
        }
        Ok(())
    }
}
