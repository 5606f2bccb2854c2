//! What a search asks of an engine: where occurrences of a pattern end.

use crate::align::infix::End;
use crate::error::Result;
use crate::text::Text;
use crate::text::pattern::Pattern;

/// Takes the number of a pattern and some of its ends, and may refuse more.
pub type Take<'t> = &'t mut dyn FnMut(usize, Vec<End>) -> Result<()>;

/// An engine that searches.
pub trait Ends: Sync {
    /// Every end of an occurrence with at most k errors, in order, where 0 < m and k < m: those columns j of Sellers' table
    /// with D\[m\]\[j\] ≤ k.
    ///
    /// # Errors
    /// [`Usage`](crate::Error::Usage) for an m or k that the engine does not take; others when the engine's device fails.
    fn ends(&self, text: &[u8], pattern: &Pattern, k: u32) -> Result<Vec<End>>;

    /// The same of several patterns, in a text that may be larger than memory: `take` is called with some ends of a pattern at a
    /// time, those of each pattern in order.
    ///
    /// # Errors
    /// As [`ends`](Self::ends), when the text cannot be read, and what `take` refuses with.
    fn each(&self, text: &Text<'_>, patterns: &[Pattern], k: u32, take: Take<'_>) -> Result<()>;

    /// How many ends there are, of all patterns.
    ///
    /// # Errors
    /// As [`ends`](Self::ends), and when the text cannot be read.
    fn count(&self, text: &Text<'_>, patterns: &[Pattern], k: u32) -> Result<u64> {
        let mut count = 0;
        self.each(text, patterns, k, &mut |_, ends| {
            count += ends.len() as u64;
            Ok(())
        })?;
        Ok(count)
    }
}
