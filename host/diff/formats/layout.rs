//! Options and parts that all formats share: headers, context, colours, and the printing of lines.

use super::palette::Palette;
use crate::diff::line_test::LineTest;
use std::io::{self, Write};

/// Options for printing a difference.
///
/// ```
/// use carrywave::diff::{Columns, Comparison, Layout, Tabs};
///
/// let diff = Comparison::new().compare(b"one\n\ttwo\n", b"one\n")?;
/// let tabs = Tabs { size: 4, expand: true, ..Tabs::default() };
/// let columns = Columns { width: 20, ..Columns::default() };
/// let layout =
///     Layout { context: 0, header: Some([b"a", b"b"]), tabs, columns, ..Layout::default() };
/// let mut text = Vec::new();
/// diff.write_unified(&mut text, &layout)?;
/// assert_eq!(text, b"--- a\n+++ b\n@@ -2 +1,0 @@\n-    two\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Layout<'l> {
    /// Number of context units around a change.
    pub context: usize,
    /// Header texts for A and B, after `---` and `+++`: names and times. `None` prints no header.
    pub header: Option<[&'l [u8]; 2]>,
    /// True to colour lines with terminal escape sequences, as GNU diff does.
    pub colors: bool,
    /// The colours.
    pub palette: &'l Palette,
    /// True if the head of a hunk shows the last line before it that begins with a letter, as with
    /// `-p`. In a C program this is the function.
    pub shows_functions: bool,
    /// Test of further lines for the head of a hunk, as with `-F`. The head shows the last line
    /// that qualifies by either rule.
    pub function_lines: Option<LineTest<'l>>,
    /// Upper bound on the printed bytes of such a line: 40 in GNU diff, 80 in git.
    pub heading_bytes: usize,
    /// Options for printing tabs.
    pub tabs: Tabs,
    /// True to print no space or tab after the mark of an empty line, and no mark that is a space
    /// (`--suppress-blank-empty`).
    pub suppress_blank_empty: bool,
    /// Options for the two columns of the side by side format.
    pub columns: Columns,
}

impl Default for Layout<'_> {
    /// Returns three lines of context, no header, no colours.
    fn default() -> Self {
        Self {
            context: 3,
            header: None,
            colors: false,
            palette: &Palette::USUAL,
            shows_functions: false,
            function_lines: None,
            heading_bytes: 40,
            tabs: Tabs::default(),
            suppress_blank_empty: false,
            columns: Columns::default(),
        }
    }
}

/// Options for printing tabs. As in the [example](Layout).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tabs {
    /// Distance between tab stops, in columns; at least 1.
    pub size: usize,
    /// True to print tabs as spaces (`-t`).
    pub expand: bool,
    /// True to put a tab after the mark of a line, so that the line's own tabs line up (`-T`).
    pub initial: bool,
}

impl Default for Tabs {
    /// Tabs as they are, with a stop at every eighth column.
    fn default() -> Self {
        Self { size: 8, expand: false, initial: false }
    }
}

/// Mark at the start of a line.
#[derive(Clone, Copy)]
pub(super) enum Flag {
    /// A mark with a space after it, as in the normal format.
    Apart(u8),
    /// A mark right before the line, as in the unified format.
    Joined(u8),
}

/// The two columns of the side by side format. As in the [example](Layout).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// Width of a line, in columns of a terminal.
    pub width: usize,
    /// True to leave out lines that both texts have.
    pub suppress_common: bool,
    /// True to print lines that both texts have only on the left.
    pub left_only: bool,
}

impl Default for Columns {
    /// Returns 130 columns, as in GNU diff.
    fn default() -> Self {
        Self { width: 130, suppress_common: false, left_only: false }
    }
}

/// Role of a part of the output, which selects its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Lines that both texts have.
    Common,
    /// The header with the names.
    Header,
    /// Position of a hunk.
    Place,
    Deleted,
    Inserted,
}

/// The end of a colour in the usual palette.
pub(super) const RESET: &[u8] = b"\x1b[0m";

impl<'l> Layout<'l> {
    fn color(&self, role: Role) -> Option<&'l [u8]> {
        let color = match role {
            Role::Common => return None,
            Role::Header => &self.palette.header,
            Role::Place => &self.palette.place,
            Role::Deleted => &self.palette.deleted,
            Role::Inserted => &self.palette.inserted,
        };
        self.colors.then_some(color)
    }

    /// Prints text in the colour of its role.
    pub(super) fn colored(
        &self,
        out: &mut dyn Write,
        role: Role,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(color) = self.color(role) else { return write(out) };
        let select =
            |out: &mut dyn Write, color: &[u8]| [b"\x1b[", color, b"m"].iter().try_for_each(|part| out.write_all(part));
        select(out, color)?;
        write(out)?;
        select(out, &self.palette.reset)
    }

    /// Prints a line after a flag. If the line has no line feed, a line that says so follows.
    pub(super) fn line(&self, out: &mut dyn Write, role: Role, flag: Flag, line: &[u8]) -> io::Result<()> {
        let text = line.strip_suffix(b"\n");
        let is_bare = self.suppress_blank_empty && line == b"\n";
        let space = if self.tabs.initial { b'\t' } else { b' ' };
        let (prefix, len) = match flag {
            Flag::Apart(b' ') | Flag::Joined(b' ') if is_bare => ([0, 0], 0),
            Flag::Apart(mark) => ([mark, space], if is_bare { 1 } else { 2 }),
            Flag::Joined(b' ') => ([space, 0], 1),
            Flag::Joined(mark) => ([mark, space], if self.tabs.initial && !is_bare { 2 } else { 1 }),
        };
        // As in GNU diff, if tabs are printed as spaces, the flag follows again after a carriage
        // return within a line.
        let again = match flag {
            Flag::Apart(mark) => [mark, space],
            Flag::Joined(_) => [0, 0],
        };
        let again = if matches!(flag, Flag::Apart(_)) { &again[..] } else { &[] };
        self.colored(out, role, |out| {
            out.write_all(prefix.get(..len).unwrap_or_default())?;
            self.text(out, text.unwrap_or(line), again)
        })?;
        out.write_all(b"\n")?;
        if text.is_none() { out.write_all(b"\\ No newline at end of file\n") } else { Ok(()) }
    }

    /// Prints a line as it is, or with its tabs as spaces. In the latter case `flag` follows each
    /// carriage return within the line.
    pub(super) fn text(&self, out: &mut dyn Write, line: &[u8], flag: &[u8]) -> io::Result<()> {
        if !self.tabs.expand {
            return out.write_all(line);
        }
        let mut column: usize = 0;
        for (at, &byte) in line.iter().enumerate() {
            match byte {
                b'\t' => {
                    let spaces = self.tabs.size - column % self.tabs.size;
                    put_spaces(out, spaces)?;
                    column = column.saturating_add(spaces);
                    continue;
                }
                b'\x08' if column == 0 => continue,
                b'\x08' => column -= 1,
                b'\r' => column = 0,
                b' '..=b'~' => column += 1,
                // As in GNU diff, neither a control character nor a continuation byte takes a
                // column.
                _ => (),
            }
            out.write_all(&[byte])?;
            if byte == b'\r' && line.get(at + 1).is_some_and(|&next| next != b'\n') {
                out.write_all(flag)?;
            }
        }
        Ok(())
    }

    /// Prints the two lines of the header, each after its mark.
    pub(super) fn header(&self, out: &mut dyn Write, marks: [&str; 2]) -> io::Result<()> {
        for (mark, name) in marks.into_iter().zip(self.header.into_iter().flatten()) {
            self.colored(out, Role::Header, |out| {
                out.write_all(mark.as_bytes())?;
                out.write_all(name)
            })?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

/// Prints spaces.
pub(super) fn put_spaces(out: &mut dyn Write, mut spaces: usize) -> io::Result<()> {
    const SPACES: [u8; 64] = [b' '; 64];
    while spaces > 0 {
        let some = SPACES.get(..spaces).unwrap_or(&SPACES);
        out.write_all(some)?;
        spaces -= some.len();
    }
    Ok(())
}
