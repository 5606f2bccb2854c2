//! A test of lines that the caller of a comparison or a format supplies.

use std::fmt;

/// A predicate on lines, such as "contains a match of a regular expression".
///
/// ```
/// use carrywave::diff::{Comparison, LineTest};
///
/// let is_comment = |line: &[u8]| line.starts_with(b"#");
/// let test = LineTest::new(&is_comment);
/// assert!(test.passes(b"# old") && !test.passes(b"old"));
/// assert!(Comparison::new().ignore_lines(test).compare(b"# old\n", b"# new\n")?.is_empty());
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct LineTest<'f>(&'f (dyn Fn(&[u8]) -> bool + Sync));

impl<'f> LineTest<'f> {
    /// Returns a test by a function, which gets each line without its line feed. As in the
    /// [example](Self).
    pub fn new(test: &'f (dyn Fn(&[u8]) -> bool + Sync)) -> Self {
        Self(test)
    }

    /// Returns true if a line, without its line feed, passes. As in the [example](Self).
    pub fn passes(&self, line: &[u8]) -> bool {
        (self.0)(line)
    }
}

impl fmt::Debug for LineTest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LineTest")
    }
}
