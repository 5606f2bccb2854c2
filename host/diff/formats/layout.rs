//! What all formats have in common: headers, context, colours, and how a line is printed.

use super::palette::Palette;
use crate::diff::line_test::LineTest;
use std::io::{self, Write};

/// How a difference is printed.
///
/// ```
/// use carrywave::diff::{Columns, Comparison, Layout, Tabs};
///
/// let diff = Comparison::new().compare(b"one\n\ttwo\n", b"one\n")?;
/// let tabs = Tabs { size: 4, expand: true, ..Tabs::default() };
/// let columns = Columns { width: 20, ..Columns::default() };
/// let layout = Layout { context: 0, header: Some([b"a", b"b"]), tabs, columns, ..Layout::default() };
/// let mut text = Vec::new();
/// diff.write_unified(&mut text, &layout)?;
/// assert_eq!(text, b"--- a\n+++ b\n@@ -2 +1,0 @@\n-    two\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Layout<'l> {
    /// Units around a change.
    pub context: usize,
    /// What the header says of both texts, after `---` and `+++`: names and times. Without it there is no header.
    pub header: Option<[&'l [u8]; 2]>,
    /// True if lines are coloured by the escape sequences of terminals, as by GNU diff.
    pub colors: bool,
    /// The colours.
    pub palette: &'l Palette,
    /// True if a hunk's head shows the last line before it that begins with a letter, as it does with `-p`: of a program in C the function.
    pub shows_functions: bool,
    /// Lines that a hunk's head shows as well, as with `-F`: it shows the last line of either kind.
    pub function_lines: Option<LineTest<'l>>,
    /// Bytes of such a line that are printed at most: 40 in GNU diff, 80 in git.
    pub heading_bytes: usize,
    /// How tabs are printed.
    pub tabs: Tabs,
    /// True if the mark of an empty line has no space or tab after it, and a mark that is a space is left out (`--suppress-blank-empty`).
    pub suppress_blank_empty: bool,
    /// The two columns of the side by side format.
    pub columns: Columns,
}

impl Default for Layout<'_> {
    /// Three lines of context; neither header nor colours.
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

/// How tabs are printed. As in the [example](Layout).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tabs {
    /// Columns from a tab stop to the next; at least 1.
    pub size: usize,
    /// True if tabs are printed as spaces (`-t`).
    pub expand: bool,
    /// True if a tab is after the mark of a line, so that the line's own tabs line up (`-T`).
    pub initial: bool,
}

impl Default for Tabs {
    /// Tabs as they are, with stops at every eighth column.
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
    /// How wide a line is, in columns of a terminal.
    pub width: usize,
    /// True if lines that both have are left out.
    pub suppress_common: bool,
    /// True if lines that both have are printed on the left alone.
    pub left_only: bool,
}

impl Default for Columns {
    /// As in GNU diff 130 columns.
    fn default() -> Self {
        Self { width: 130, suppress_common: false, left_only: false }
    }
}

/// What a part of the output is, which says its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Lines that both have.
    Common,
    /// The header with the names.
    Header,
    /// Where a hunk is.
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

    /// Prints something in the colour of its role.
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

    /// Prints a line after a flag. One without a line feed is followed by a line that says so.
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
        // As in GNU diff a carriage return within a line is followed by the flag again, where tabs are printed as spaces.
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

    /// Prints a line as it is, or with spaces for its tabs; then a carriage return that more text follows is followed by `flag`.
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
                // As in GNU diff neither a control character nor a byte of a longer character takes a column.
                _ => (),
            }
            out.write_all(&[byte])?;
            if byte == b'\r' && line.get(at + 1).is_some_and(|&next| next != b'\n') {
                out.write_all(flag)?;
            }
        }
        Ok(())
    }

    /// Prints the header's two lines, with what each begins with.
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
