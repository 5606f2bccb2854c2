//! Anchors: hits begin with the first symbol of a record, or end with the last.

use crate::error::{Result, UsageFault};

/// The ends of its record, or its line, that a hit must reach. On both strands, the start and the
/// end are those of the text.
///
/// ```
/// use carrywave::search::{Anchor, Search};
/// use carrywave::text::Pattern;
///
/// let search = Search::new(Pattern::literal(b"wave")).errors(1).anchor(Anchor::Start);
/// assert_eq!(search.count(b"wavy lines")?, 1);
/// assert_eq!(search.count(b"a wavy line")?, 0);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Anchor {
    /// Anywhere.
    #[default]
    Anywhere,
    /// A hit begins with the first symbol.
    Start,
    /// A hit ends with the last symbol.
    End,
    /// A hit is the whole record.
    Both,
}

impl Anchor {
    /// The values by their names on the command line.
    pub const NAMES: [(&str, Anchor); 4] =
        [("anywhere", Anchor::Anywhere), ("start", Anchor::Start), ("end", Anchor::End), ("both", Anchor::Both)];

    /// Returns the anchor of a hit that begins with its record if `start` is true, and ends with it
    /// if `end` is.
    ///
    /// ```
    /// use carrywave::search::Anchor;
    ///
    /// assert_eq!(Anchor::new(true, false), Anchor::Start);
    /// assert_eq!(Anchor::Start.and(Anchor::End), Anchor::Both);
    /// ```
    pub fn new(start: bool, end: bool) -> Self {
        match (start, end) {
            (false, false) => Self::Anywhere,
            (true, false) => Self::Start,
            (false, true) => Self::End,
            (true, true) => Self::Both,
        }
    }

    /// Returns the anchor of a hit with both anchors. As in the [example](Self::new).
    pub fn and(self, other: Self) -> Self {
        let both = [self, other];
        let is_any = |which| both.into_iter().any(|one| one == which || one == Self::Both);
        Self::new(is_any(Self::Start), is_any(Self::End))
    }
}

named! {
    Anchor, "anchor";
}

/// The anchors of a search.
#[derive(Debug, Clone)]
pub(in crate::search) enum Anchors {
    /// One for all patterns.
    Same(Anchor),
    /// One per pattern.
    Each(Vec<Anchor>),
}

impl Default for Anchors {
    fn default() -> Self {
        Self::Same(Anchor::Anywhere)
    }
}

impl Anchors {
    /// Returns the anchor of each of `patterns` patterns.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with `Mismatch` if their number differs.
    pub fn of_each(&self, patterns: usize) -> Result<Vec<Anchor>> {
        match self {
            Self::Same(anchor) => Ok(vec![*anchor; patterns]),
            Self::Each(each) if each.len() == patterns => Ok(each.clone()),
            Self::Each(each) => Err(UsageFault::Mismatch
                .error(format!("got {} anchors for {patterns} patterns; give one per pattern", each.len()))),
        }
    }
}
