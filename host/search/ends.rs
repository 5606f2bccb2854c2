//! What a search asks of an engine: where occurrences of patterns end.

use crate::device::Timings;
use crate::error::Result;
use crate::infix::End;
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

    /// Calls `take` with the ends beyond the first `halo` symbols of a text in memory, which were searched before. Positions are those of the text.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    fn each_beyond(&mut self, text: &[u8], halo: u64, take: TakeEnds<'_>) -> Result<()> {
        self.each(&Text::from(text), &mut |pattern, mut ends| {
            ends.retain(|found| found.end > halo);
            take(pattern, ends)
        })
    }

    /// Returns the ends of each of `patterns` patterns.
    ///
    /// # Errors
    /// As [`each`](Self::each), and [`Error::Memory`](crate::Error::Memory) where they do not fit.
    fn all(&mut self, text: &Text<'_>, patterns: usize) -> Result<Vec<Vec<End>>> {
        collected(patterns, |take| self.each(text, take))
    }

    /// Returns the ends of each of `patterns` patterns beyond the first `halo` symbols of a text in memory.
    ///
    /// # Errors
    /// As [`all`](Self::all).
    fn all_beyond(&mut self, text: &[u8], halo: u64, patterns: usize) -> Result<Vec<Vec<End>>> {
        collected(patterns, |take| self.each_beyond(text, halo, take))
    }

    /// The names of the algorithms that searched since the last call: those that it has for its patterns, and those that took over from them.
    fn ran(&mut self) -> Vec<&'static str>;

    /// The times of kernels and copies since the last call, where they are taken.
    fn timings(&mut self) -> Timings {
        Timings::default()
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

/// The ends of each of `patterns` patterns that a search takes.
fn collected(patterns: usize, search: impl FnOnce(TakeEnds<'_>) -> Result<()>) -> Result<Vec<Vec<End>>> {
    let mut all = vec![Vec::new(); patterns];
    search(&mut |pattern, ends| {
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
