//! The comparison key of a line: the line without the white space and the case to ignore.

use std::borrow::Cow;

/// White space of a line to ignore, as by the options of GNU diff. The earlier variants ignore
/// less. As in the [example](crate::diff::Comparison).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum WhiteSpace {
    /// Ignores nothing.
    #[default]
    Kept,
    /// Ignores white space at the end of the line (`-Z`), the line feed included.
    AtLineEnd,
    /// Ignores white space at the end of the line, and its amount elsewhere (`-b`).
    Amount,
    /// Ignores all white space (`-w`).
    All,
}

/// Rules that turn a line into its key: the bytes that it is compared by.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    pub(super) white_space: WhiteSpace,
    /// True if letters match in both cases: by Unicode's lower case in UTF-8, else by ASCII's.
    pub(super) ignores_case: bool,
    /// True if only ASCII letters match in both cases.
    pub(super) ignores_ascii_case: bool,
    /// True if a tab equals the spaces up to the next tab stop.
    pub(super) ignores_tab_expansion: bool,
    /// Distance between tab stops, in columns, at least 1.
    pub(super) tab_size: usize,
    /// True to drop a carriage return before the end of a line.
    pub(super) strips_returns: bool,
}

/// Default distance between tab stops, in columns.
const TAB: usize = 8;

/// Upper bound on the spaces that replace a tab.
const MAX_TAB: usize = 1 << 12;

/// Returns true for white space within a line, as C's `isspace` does.
fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c')
}

impl Default for Keys {
    /// Ignores nothing.
    fn default() -> Self {
        Self {
            white_space: WhiteSpace::Kept,
            ignores_case: false,
            ignores_ascii_case: false,
            ignores_tab_expansion: false,
            tab_size: TAB,
            strips_returns: false,
        }
    }
}

impl Keys {
    /// Returns true if nothing is ignored.
    pub fn are_as_they_are(&self) -> bool {
        self.white_space == WhiteSpace::Kept
            && !self.ignores_case
            && !self.ignores_ascii_case
            && !self.ignores_tab_expansion
            && !self.strips_returns
    }

    /// Returns true if two lines have equal keys.
    pub fn are_equal(&self, one: &[u8], other: &[u8]) -> bool {
        if self.are_as_they_are() { one == other } else { self.key(one) == self.key(other) }
    }

    /// Returns true if a line is blank: empty, or only white space where white space at line ends
    /// is ignored.
    pub fn is_blank(&self, line: &[u8]) -> bool {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.is_empty() || self.white_space >= WhiteSpace::AtLineEnd && line.iter().all(is_space)
    }

    /// Returns the key of a line.
    pub fn key<'l>(&self, line: &'l [u8]) -> Cow<'l, [u8]> {
        let mut line = line;
        if self.white_space == WhiteSpace::Kept {
            // The line feed counts.
            if self.strips_returns
                && let Some(text) = line.strip_suffix(b"\r\n")
            {
                return self.folded(Cow::Owned([&*self.expanded(text), b"\n"].concat()));
            }
            return self.folded(self.expanded(line));
        }
        line = line.strip_suffix(b"\n").unwrap_or(line);
        let end = line.iter().rposition(|byte| !is_space(byte)).map_or(0, |last| last + 1);
        line = line.get(..end).unwrap_or_default();
        let key = match self.white_space {
            WhiteSpace::Kept | WhiteSpace::AtLineEnd => self.expanded(line),
            WhiteSpace::Amount
                if line.windows(2).all(|pair| !pair.iter().all(is_space))
                    && !line.iter().any(|byte| is_space(byte) && *byte != b' ') =>
            {
                Cow::Borrowed(line)
            }
            WhiteSpace::Amount => {
                let mut key = Vec::with_capacity(line.len());
                for part in line.chunk_by(|one, other| is_space(one) && is_space(other)) {
                    if part.first().is_some_and(is_space) { key.push(b' ') } else { key.extend_from_slice(part) }
                }
                Cow::Owned(key)
            }
            WhiteSpace::All if !line.iter().any(is_space) => Cow::Borrowed(line),
            WhiteSpace::All => Cow::Owned(line.iter().copied().filter(|byte| !is_space(byte)).collect()),
        };
        self.folded(key)
    }

    /// Replaces tabs with spaces, if their expansion is ignored. As in GNU diff, each byte takes
    /// one column, but a backspace goes back by one column and a carriage return to the first.
    fn expanded<'l>(&self, line: &'l [u8]) -> Cow<'l, [u8]> {
        if !self.ignores_tab_expansion || !line.contains(&b'\t') {
            return Cow::Borrowed(line);
        }
        let mut expanded = Vec::with_capacity(line.len() + self.tab_size.min(MAX_TAB));
        let mut column: usize = 0;
        for &byte in line {
            match byte {
                b'\t' => {
                    // A wider tab needs no more spaces: this many already differ from anything a
                    // line can have.
                    let spaces = self.tab_size - column % self.tab_size;
                    expanded.extend(std::iter::repeat_n(b' ', spaces.min(MAX_TAB)));
                    column = column.saturating_add(spaces);
                    continue;
                }
                b'\x08' => column = column.saturating_sub(1),
                b'\r' => column = 0,
                _ => column = column.saturating_add(1),
            }
            expanded.push(byte);
        }
        Cow::Owned(expanded)
    }

    /// Returns the line in lower case, if case is ignored.
    fn folded<'l>(&self, line: Cow<'l, [u8]>) -> Cow<'l, [u8]> {
        if !self.ignores_case && !self.ignores_ascii_case {
            return line;
        }
        match std::str::from_utf8(&line) {
            Ok(text) if self.ignores_case && !text.is_ascii() => {
                Cow::Owned(text.chars().flat_map(char::to_lowercase).collect::<String>().into_bytes())
            }
            _ if line.iter().any(u8::is_ascii_uppercase) => Cow::Owned(line.to_ascii_lowercase()),
            _ => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(keys: Keys, one: &str, other: &str) -> bool {
        keys.are_equal(one.as_bytes(), other.as_bytes())
    }

    #[test]
    fn white_space_is_ignored_as_by_gnu_diff() {
        let pairs = [
            "a b\n|a  b\n",
            "a b\n|ab\n",
            " a\n|a\n",
            "a \n|a\n",
            "a\n|a",
            "a\tb\n|a b\n",
            "a\r\n|a\n",
            "  a\n| a\n",
            "\n| \n",
        ];
        let expected = [
            (WhiteSpace::Kept, [false; 9]),
            (WhiteSpace::AtLineEnd, [false, false, false, true, true, false, true, false, true]),
            (WhiteSpace::Amount, [true, false, false, true, true, true, true, true, true]),
            (WhiteSpace::All, [true; 9]),
        ];
        for (white_space, expected) in expected {
            let found = pairs.map(|pair| {
                let (one, other) = pair.split_once('|').unwrap();
                equal(Keys { white_space, ..Keys::default() }, one, other)
            });
            assert_eq!(found, expected, "{white_space:?}");
        }
    }

    #[test]
    fn case_tabs_and_returns() {
        let case = Keys { ignores_case: true, ..Keys::default() };
        assert!(equal(case, "ÀB\n", "àb\n") && !equal(case, "a\n", "b\n") && !equal(Keys::default(), "A\n", "a\n"));
        let tabs = Keys { ignores_tab_expansion: true, ..Keys::default() };
        assert!(
            equal(tabs, "ab\tc\n", "ab      c\n")
                && equal(tabs, "é\tc\n", "é      c\n")
                && !equal(tabs, "\tc\n", " c\n")
        );
        let returns = Keys { strips_returns: true, ..Keys::default() };
        assert!(equal(returns, "a\r\n", "a\n") && !equal(returns, "a\rb\n", "ab\n") && !equal(returns, "a\r\n", "a"));
    }

    #[test]
    fn blank_lines() {
        let blank = |keys: Keys, line: &str| keys.is_blank(line.as_bytes());
        assert!(blank(Keys::default(), "\n") && !blank(Keys::default(), " \n") && !blank(Keys::default(), "a\n"));
        assert!(blank(Keys { white_space: WhiteSpace::AtLineEnd, ..Keys::default() }, " \t\n"));
    }
}
