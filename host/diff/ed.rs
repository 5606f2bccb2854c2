//! A script for the editor `ed`, from the last change to the first, so that the numbers of lines stay right.

use super::changes::Diff;
use super::normal::{letter, lines};
use std::io::{self, Write};

impl Diff<'_> {
    /// Prints a script for `ed`. It cannot say that the last line lacks its line feed.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_ed(&self, out: &mut dyn Write) -> io::Result<()> {
        for change in self.changes.iter().rev().filter(|change| !change.is_ignored) {
            writeln!(out, "{}{}", lines(&change.a), letter(&change.a, &change.b))?;
            if change.b.is_empty() {
                continue;
            }
            let mut is_open = true;
            for (i, line) in self.b.slice(change.b.clone()).enumerate() {
                let line = line.strip_suffix(b"\n").unwrap_or(line);
                if !is_open {
                    out.write_all(b"a\n")?;
                    is_open = true;
                }
                if line == b"." {
                    // A point alone would end the insertion: two of them, of which one is taken away again.
                    out.write_all(b"..\n.\ns/.//\n")?;
                    is_open = false;
                    if i + 1 < change.b.len() {
                        continue;
                    }
                } else {
                    out.write_all(line)?;
                    out.write_all(b"\n")?;
                }
            }
            if is_open {
                out.write_all(b".\n")?;
            }
        }
        Ok(())
    }
}
