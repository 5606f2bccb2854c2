//! Scripts for editors: for `ed`, with the commands in either order, and for RCS.

use super::layout::Layout;
use super::normal::{letter, lines};
use crate::diff::changes::Diff;
use std::io::{self, Write};
use std::ops::Range;

/// The first and the last line of a range, from 1, with a space between them; of an empty one the line before it.
fn spaced_lines(range: &Range<usize>) -> String {
    if range.len() <= 1 { range.end.to_string() } else { format!("{} {}", range.start + 1, range.end) }
}

impl Diff<'_> {
    /// Prints a script for `ed`, from the last change to the first, so that the numbers of lines stay right. It cannot say that the last line
    /// lacks its line feed. As in the [example](crate::diff).
    ///
    /// # Errors
    /// Those of `out`.
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
                    // A point alone would end the insertion: the script inserts two and removes one again.
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

    /// Prints the commands of `ed` in the order of the lines, as GNU diff's `-f` does: to read, since their numbers are those before any change.
    /// As in the [example](crate::diff).
    ///
    /// # Errors
    /// Those of `out`.
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

    /// Prints a script for RCS: `d` and `a` with the line, as numbered before any change, and how many lines follow.
    /// As in the [example](crate::diff).
    ///
    /// # Errors
    /// Those of `out`.
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
