//! The overlap of two strings: an alignment whose ends in both strings cost nothing.
//!
//! ```text
//!   A  ------------            A      --------      A  --------------      A     ------
//!   B        ----------        B  --------          B     ------           B  --------------
//! ```
//!
//! The empty overlap has distance 0, so overlaps are compared by a score: the symbols of both parts
//! less four times their edit distance. That is 2 for a match, -2 for a substitution and -3 for a
//! symbol that only one part has: twice the score of Zhang, Schwartz, Wagner and Miller (2000). It
//! is the only linear score that follows from the parts' lengths and their edit distance. Free ends
//! are those of Gusfield (1997), 11.6.4: all cells at the left and upper border of the table have
//! score 0, and the best cell of the last row and column is the end. The start is the end of an
//! overlap of both strings read backwards.
//!
//! | file | what |
//! |---|---|
//! | `found` | the result: [`Overlap`] |
//! | `table` | the table of scores, and the best overlap from its last row and column |
//! | `cpu`, `device` | the table on the processor, on GPUs and the simulator |
//! | `engine` | the choice of the engine |

mod cpu;
mod device;
mod engine;
mod found;
mod table;
#[cfg(test)]
mod tests;

pub use found::Overlap;

use super::comparison::Comparison;
use crate::error::Result;
use crate::text::numbered::{Numbered, number};
use std::hash::Hash;

impl Comparison<'_> {
    /// Finds the best overlap of two strings: a suffix of one with a prefix of the other (a
    /// dovetail), or all of one with a part of the other. Symbols outside the overlap cost nothing.
    /// Also called semi-global alignment with free ends in both strings.
    ///
    /// The score of an overlap is the number of symbols of both parts, less four times their edit
    /// distance: 2 for a match, -2 for a substitution, -3 for an insertion or deletion. This is
    /// twice the score of Zhang, Schwartz, Wagner and Miller, A greedy algorithm for aligning DNA
    /// sequences, 2000. If no overlap has a positive score, the result is the empty overlap of the
    /// end of `a` and the start of `b`. If several overlaps have the greatest score, the result is
    /// the one that ends first in `b`, then first in `a`; of these, the one that starts first in
    /// `a`, then first in `b`.
    ///
    /// The [`script`](Self::script) of both parts is an alignment with this score. On the CPU, it
    /// takes at most 2 mn cells of time on one thread, 64 cells at once with AVX-512, and about
    /// 2 (m + n) bytes of space; on GPUs, at most 4 mn cells. The [`mode`](Self::mode) and the
    /// [`maximum`](Self::maximum) do not matter.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// let comparison = Comparison::new();
    /// let (a, b) = (b"TTTTGATTACA", b"GATACACCC");
    /// let overlap = comparison.overlap(a, b)?;
    /// assert_eq!((overlap.a, overlap.b), (4..11, 0..6));
    /// assert_eq!((overlap.distance, overlap.score), (1, 9));
    /// assert_eq!(comparison.script(&a[4..11], &b[0..6])?.cigar().as_str(), "2=1I4=");
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for a named algorithm, for
    /// [several members](Self::across), and on a device if a symbol is equal to two symbols that
    /// are not equal to one another; [`Error::DeviceMemory`](crate::Error::DeviceMemory) and
    /// [`Error::Gpu`](crate::Error::Gpu) if a given GPU cannot do it;
    /// [`Error::Memory`](crate::Error::Memory) if the host's memory is too small;
    /// [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::TooLarge`](crate::error::UsageFault::TooLarge) for more than 2^62 cells.
    pub fn overlap(&self, a: &[u8], b: &[u8]) -> Result<Overlap> {
        let prepared = self.prepared(a, b);
        engine::of_bytes(&prepared.settings, prepared.a(), prepared.b())
    }

    /// Finds the [`overlap`](Self::overlap) of two sequences of items.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// let [a, b] = [["not", "to", "be"], ["to", "be", "or"]];
    /// let overlap = Comparison::new().overlap_of(&a, &b)?;
    /// assert_eq!((overlap.a, overlap.b, overlap.score), (1..3, 0..2, 4));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlap`](Self::overlap), and [`Error::Unsupported`](crate::Error::Unsupported) for an
    /// [equality](Self::equality), and on a device for sequences that share more than 254 different
    /// items.
    pub fn overlap_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<Overlap> {
        self.overlap_of_numbers(&number(a, b)?)
    }

    /// Finds the [`overlap`](Self::overlap) of two numbered sequences; as in the
    /// [example](Self::overlap_of).
    ///
    /// # Errors
    /// As [`overlap_of`](Self::overlap_of).
    pub fn overlap_of_numbers(&self, items: &Numbered) -> Result<Overlap> {
        self.check_items()?;
        match items.bytes() {
            Some([a, b]) => engine::of_bytes(&self.settings, &a, &b),
            None => engine::of_numbers(&self.settings, &items.a, &items.b),
        }
    }
}
