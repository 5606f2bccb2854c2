//! What all formats have in common: headers, context, colours, and how a line is printed.

use std::io::{self, Write};

/// How a difference is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout<'l> {
    /// Units around a change.
    pub context: usize,
    /// What the header says of both texts, after `---` and `+++`: names and times. Without it there is no header.
    pub header: Option<[&'l [u8]; 2]>,
    /// Whether lines are coloured by the escape sequences of terminals, as by GNU diff.
    pub colors: bool,
    /// Whether a hunk's head shows the last line before it that begins with a letter, as it does with `-p`: of a program in C the function.
    pub shows_functions: bool,
    /// Bytes of that line that are printed at most: 40 in GNU diff, 80 in git.
    pub heading_bytes: usize,
    /// The two columns of the side by side format.
    pub columns: Columns,
}

impl Default for Layout<'_> {
    /// Three lines of context; neither header nor colours.
    fn default() -> Self {
        let columns = Columns::default();
        Self { context: 3, header: None, colors: false, shows_functions: false, heading_bytes: 40, columns }
    }
}

/// The two columns of the side by side format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// How wide a line is, in columns of a terminal.
    pub width: usize,
    /// Whether lines that both have are left out.
    pub suppress_common: bool,
    /// Whether lines that both have are printed on the left alone.
    pub left_only: bool,
    /// Whether tabs are printed as spaces.
    pub expand_tabs: bool,
}

impl Default for Columns {
    /// As in GNU diff 130 columns, with tabs.
    fn default() -> Self {
        Self { width: 130, suppress_common: false, left_only: false, expand_tabs: false }
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

impl Role {
    fn color(self) -> Option<&'static [u8]> {
        match self {
            Self::Common => None,
            Self::Header => Some(b"\x1b[1m"),
            Self::Place => Some(b"\x1b[36m"),
            Self::Deleted => Some(b"\x1b[31m"),
            Self::Inserted => Some(b"\x1b[32m"),
        }
    }
}

/// The end of a colour.
pub(super) const RESET: &[u8] = b"\x1b[0m";

impl Layout<'_> {
    /// Prints something in the colour of its role.
    pub(super) fn colored(
        &self,
        out: &mut dyn Write,
        role: Role,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match role.color().filter(|_| self.colors) {
            None => write(out),
            Some(color) => {
                out.write_all(color)?;
                write(out)?;
                out.write_all(RESET)
            }
        }
    }

    /// Prints a line after a mark. One without a line feed is followed by a line that says so.
    pub(super) fn line(&self, out: &mut dyn Write, role: Role, mark: &[u8], line: &[u8]) -> io::Result<()> {
        let text = line.strip_suffix(b"\n");
        self.colored(out, role, |out| {
            out.write_all(mark)?;
            out.write_all(text.unwrap_or(line))
        })?;
        out.write_all(b"\n")?;
        if text.is_none() { out.write_all(b"\\ No newline at end of file\n") } else { Ok(()) }
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
