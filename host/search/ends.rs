//! The interface between a search and an engine, which finds the ends of patterns' occurrences.

use crate::device::Timings;
use crate::error::Result;
use crate::infix::End;
use crate::memory;
use crate::text::Text;

/// Takes a pattern's number and some of its ends. The ends of each pattern come in order. An error
/// stops the search.
pub type TakeEnds<'t> = &'t mut (dyn FnMut(usize, Vec<End>) -> Result<()> + Send);

/// Patterns that an engine is ready to search for, in one text after the other.
pub trait FindEnds: Send {
    /// Finds every end of an occurrence with at most k errors: the columns j of Sellers' table with
    /// D\[m\]\[j\] ≤ k. The text is searched as a whole, across its records, and may be larger than
    /// memory.
    ///
    /// # Errors
    /// An error if the text cannot be read, if the engine's device fails, or if `take` returns one.
    fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()>;

    /// Calls `take` with the ends beyond the first `halo` symbols of a text in memory, which are
    /// searched already. Positions are those of the text.
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
    /// As [`each`](Self::each), and [`Error::Memory`](crate::Error::Memory) if the ends do not fit.
    fn all(&mut self, text: &Text<'_>, patterns: usize) -> Result<Vec<Vec<End>>> {
        collected(patterns, |take| self.each(text, take))
    }

    /// Returns the ends of each of `patterns` patterns beyond the first `halo` symbols of a text in
    /// memory.
    ///
    /// # Errors
    /// As [`all`](Self::all).
    fn all_beyond(&mut self, text: &[u8], halo: u64, patterns: usize) -> Result<Vec<Vec<End>>> {
        collected(patterns, |take| self.each_beyond(text, halo, take))
    }

    /// Returns the names of the algorithms that ran since the last call, including those that took
    /// over from another one.
    fn ran(&mut self) -> Vec<&'static str>;

    /// Returns the names of the algorithms that ran on a GPU, for an engine that began on the CPU.
    fn ran_on_gpu(&mut self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Announces that the next texts have this number of symbols in total. An engine that nobody
    /// chose may then use a GPU.
    fn expect(&mut self, _symbols: u64) {}

    /// Returns the times of kernels and copies since the last call; 0 if they are not measured.
    fn timings(&mut self) -> Timings {
        Timings::default()
    }

    /// Counts the ends of all patterns.
    ///
    /// # Errors
    /// An error if the text cannot be read or the engine's device fails.
    fn count(&mut self, text: &Text<'_>) -> Result<u64> {
        let mut count = 0;
        self.each(text, &mut |_, ends| {
            count += ends.len() as u64;
            Ok(())
        })?;
        Ok(count)
    }
}

/// Collects the ends of each of `patterns` patterns from a search.
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
