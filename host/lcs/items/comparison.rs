//! The LCS job for sequences of items of any kind.

use super::matches::{self, Options};
use super::problem::ItemAlgorithm;
use crate::alignment::Run;
use crate::alignment::runs::CommonSubsequence;
use crate::error::{Error, Result};
use crate::job::Recorder;
use crate::lcs::comparison::Comparison;
use crate::lcs::rules::Rules;
use crate::text::numbered::{Numbered, number};
use std::hash::Hash;

impl Comparison<'_> {
    /// Selects the algorithm for sequences of items, as [`algorithm`](Self::algorithm) does for strings. Without it, and without an algorithm for strings,
    /// [`alignment_of`](Self::alignment_of) takes the one that should be fastest. As in the [example](ItemAlgorithm).
    pub fn item_algorithm(self, algorithm: ItemAlgorithm) -> Self {
        Self { item_algorithm: algorithm, ..self }
    }

    /// Finds an LCS of two sequences of items that can be compared and hashed, such as lines, words or numbers; and where its items are in both.
    /// An item is hashed once, and compared with others of the same hash alone.
    ///
    /// It takes furthest-reaching paths (Myers 1986) if few items differ; else bit-vectors, as for strings, or, if few pairs of items are equal, chains of these
    /// (Hunt and Szymanski 1977). Space m + n words, and for chains 12 bytes for each of at most 2^24 pairs. An [algorithm](Self::algorithm) for strings
    /// takes items of up to 256 kinds that both sequences have; of more, the [algorithm for items](Self::item_algorithm) of its name, if there is one. Progress and reports count items of both sequences, or, by an algorithm for strings, cells.
    ///
    /// ```
    /// use carrywave::lcs::Comparison;
    /// use carrywave::text::{Unit, Units};
    ///
    /// let (old, new) = ("one fish\ntwo fish\n", "two fish\nred fish\n");
    /// let [a, b] = [old, new].map(|text| text.lines().collect::<Vec<_>>());
    /// let lcs = Comparison::new().alignment_of(&a, &b)?;
    /// assert_eq!((lcs.len(), lcs.runs()[0].a_start, lcs.runs()[0].b_start), (1, 1, 0));
    ///
    /// // Words; Unit::Character and Unit::Grapheme are other ways to cut a text.
    /// let [a, b] = [old, new].map(|text| Units::new(text.as_bytes(), Unit::Word));
    /// let (a, b) = (a?, b?);
    /// let words = |units: &Units| units.iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
    /// assert_eq!(Comparison::new().alignment_of(&words(&a), &words(&b))?.len(), 6);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`length`](Self::length); [`Error::Unsupported`] for an algorithm for strings and items of more kinds than bytes;
    /// [`Error::Usage`](crate::Error::Usage) of the kind [`TooLarge`](crate::error::UsageFault::TooLarge) for more than 2^32 - 1 different items.
    pub fn alignment_of<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<CommonSubsequence> {
        self.alignment_of_numbers(&number(a, b)?)
    }

    /// [`alignment_of`](Self::alignment_of) two sequences that have been numbered, none of whose items is hashed again.
    ///
    /// ```
    /// use carrywave::lcs::Comparison;
    /// use carrywave::text::numbered::number;
    ///
    /// let numbered = number(&["to", "be", "or"], &["not", "to", "be"])?;
    /// assert_eq!(Comparison::new().alignment_of_numbers(&numbered)?.cigar(), "1D2=1I");
    /// assert_eq!(Comparison::new().length_of_numbers(&numbered)?, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`alignment_of`](Self::alignment_of).
    pub fn alignment_of_numbers(&self, numbered: &Numbered) -> Result<CommonSubsequence> {
        let runs = match self.runs_as_strings(numbered)? {
            Some(runs) => runs,
            None => self.runs_of_items(numbered)?,
        };
        CommonSubsequence::new(runs, numbered.a.len() as u64, numbered.b.len() as u64)
    }

    /// The matches by an algorithm for strings; `None` if there is none, or there are more kinds of items than bytes.
    fn runs_as_strings(&self, Numbered { a, b, .. }: &Numbered) -> Result<Option<Vec<Run>>> {
        let is_for_strings = !self.settings.algorithm.is_auto() || self.rules != Rules::Measured;
        if !is_for_strings || !self.item_algorithm.is_auto() {
            return Ok(None);
        }
        matches::runs_of_bytes(a, b, |a, b| self.runs(a, b))
    }

    /// The matches by the algorithm for items, or the one that has the name of that for strings.
    fn runs_of_items(&self, Numbered { a, b, .. }: &Numbered) -> Result<Vec<Run>> {
        let of_strings = self.settings.algorithm;
        let unsupported = || Error::Unsupported {
            algorithm: of_strings.to_string(),
            reason: "takes sequences of up to 256 kinds of items: leave the choice to `auto`".into(),
        };
        let algorithm = match self.item_algorithm {
            auto if auto.is_auto() && self.rules != Rules::Measured => return Err(unsupported()),
            auto if auto.is_auto() => ItemAlgorithm::named(of_strings.name()).map_err(|_| unsupported())?,
            named => named,
        };
        let items = (a.len() + b.len()) as u64;
        Recorder::job(
            "lcs of items",
            self.settings.recorder,
            |_| items,
            |recorder| {
                let devices = self.settings.devices.as_ref();
                let options =
                    Options { devices, algorithm, progress: self.settings.progress, recorder, keeps_ends: false };
                matches::runs(a, b, options)
            },
        )
    }

    /// The length of an LCS of two sequences of items. Items of up to 254 kinds that both sequences have are compared as a string's bytes are, on the engine
    /// and with the algorithm of [`length`](Self::length); others as by [`alignment_of`](Self::alignment_of).
    ///
    /// ```
    /// use carrywave::lcs::Comparison;
    ///
    /// assert_eq!(Comparison::new().length_of(&["to", "be", "or", "not"], &["or", "to", "be"])?, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`alignment_of`](Self::alignment_of).
    pub fn length_of<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<u64> {
        self.length_of_numbers(&number(a, b)?)
    }

    /// [`length_of`](Self::length_of) two sequences that have been numbered, as in the [example](Self::alignment_of_numbers).
    ///
    /// # Errors
    /// As [`alignment_of`](Self::alignment_of).
    pub fn length_of_numbers(&self, numbered: &Numbered) -> Result<u64> {
        match numbered.bytes() {
            Some([a, b]) if self.item_algorithm.is_auto() => self.length(&a, &b),
            _ => Ok(self.alignment_of_numbers(numbered)?.len()),
        }
    }
}

/// Finds a longest common subsequence of two sequences of items that can be compared and hashed, such as lines or words:
/// [`Comparison::alignment_of`] with the defaults.
///
/// ```
/// let lcs = carrywave::lcs_of(&["to", "be", "or", "not"], &["or", "to", "be"])?;
/// assert_eq!((lcs.len(), lcs.runs()[0].b_start), (2, 1));
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As [`Comparison::alignment_of`].
pub fn lcs_of<T: Eq + Hash>(a: &[T], b: &[T]) -> Result<CommonSubsequence> {
    Comparison::new().alignment_of(a, b)
}
