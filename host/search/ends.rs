//! What a search asks of an engine: where occurrences of patterns end.

use crate::align::infix::End;
use crate::error::{Error, Result};
use crate::memory;
use crate::text::Text;

/// Takes the number of a pattern and some of its ends, those of each pattern in order; an error stops the search.
pub type TakeEnds<'t> = &'t mut (dyn FnMut(usize, Vec<End>) -> Result<()> + Send);

/// Patterns that an engine is ready to look for, in one text after the other.
pub trait FindEnds: Send {
    /// Every end of an occurrence with at most k errors: those columns j of Sellers' table with D\[m\]\[j\] ≤ k. The text is taken as a
    /// whole, whatever its records, and may be larger than memory.
    ///
    /// # Errors
    /// When the text cannot be read or the engine's device fails, and what `take` stops with.
    fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()>;

    /// The ends of each of so many patterns, in memory.
    ///
    /// # Errors
    /// As [`each`](Self::each), and [`Error::Memory`](crate::Error::Memory) where they do not fit.
    fn all(&mut self, text: &Text<'_>, patterns: usize) -> Result<Vec<Vec<End>>> {
        let mut all = vec![Vec::new(); patterns];
        self.each(text, &mut |pattern, ends| {
            if all[pattern].is_empty() {
                all[pattern] = ends;
                return Ok(());
            }
            memory::reserve(&mut all[pattern], ends.len(), "the ends of occurrences")?;
            all[pattern].extend(ends);
            Ok(())
        })?;
        Ok(all)
    }

    /// Returns the ends of each of `patterns` patterns, or `None` if there are more than `most` in all.
    ///
    /// # Errors
    /// As [`all`](Self::all).
    fn up_to(&mut self, text: &Text<'_>, patterns: usize, most: usize) -> Result<Option<Vec<Vec<End>>>> {
        let mut all = vec![Vec::new(); patterns];
        let mut left = Some(most);
        let searched = self.each(text, &mut |pattern, ends| {
            left = left.and_then(|left| left.checked_sub(ends.len()));
            if left.is_none() {
                // Ends the search; the caller never sees it.
                return Err(Error::Interrupted);
            }
            if all[pattern].is_empty() {
                all[pattern] = ends;
                return Ok(());
            }
            memory::reserve(&mut all[pattern], ends.len(), "the ends of occurrences")?;
            all[pattern].extend(ends);
            Ok(())
        });
        match searched {
            Err(_) if left.is_none() => Ok(None),
            outcome => outcome.map(|()| Some(all)),
        }
    }

    /// How many ends there are, of all patterns.
    ///
    /// # Errors
    /// When the text cannot be read or the engine's device fails.
    fn count(&mut self, text: &Text<'_>) -> Result<u64> {
        let mut count = 0;
        self.each(text, &mut |_, ends| {
            count += ends.len() as u64;
            Ok(())
        })?;
        Ok(count)
    }
}
