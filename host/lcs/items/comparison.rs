//! The LCS of sequences of items of any type.

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
    /// Sets the algorithm for sequences of items, as [`algorithm`](Self::algorithm) does for
    /// strings. If neither is set, [`alignment_of`](Self::alignment_of) uses the algorithm that
    /// should be fastest. As in the [example](ItemAlgorithm).
    pub fn item_algorithm(self, algorithm: ItemAlgorithm) -> Self {
        Self { item_algorithm: algorithm, ..self }
    }

    /// Finds an LCS of two sequences of items, such as lines, words or numbers, and the positions
    /// of its items in both. Items can be of any type that can be compared and hashed. Each item is
    /// hashed once, and compared only with items of the same hash.
    ///
    /// If few items differ, it uses furthest-reaching paths (Myers 1986). Otherwise it uses
    /// bit-vectors, as for strings, or, if few pairs of items are equal, chains of these pairs
    /// (Hunt and Szymanski 1977). It takes m + n words of space; chains take 12 bytes for each of
    /// at most 2^24 pairs. An [algorithm](Self::algorithm) for strings takes sequences with at most
    /// 256 different items in common; for more, the [algorithm for items](Self::item_algorithm)
    /// with its name runs, if there is one. Progress and reports count items of both sequences or,
    /// for an algorithm for strings, cells.
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
    /// // Words. Unit::Character and Unit::Grapheme are other ways to cut a text.
    /// let [a, b] = [old, new].map(|text| Units::new(text.as_bytes(), Unit::Word));
    /// let (a, b) = (a?, b?);
    /// let words = |units: &Units| units.iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
    /// assert_eq!(Comparison::new().alignment_of(&words(&a), &words(&b))?.len(), 6);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`length`](Self::length); [`Error::Unsupported`] for an algorithm for strings if there
    /// are more different items than bytes; [`Error::Usage`](crate::Error::Usage) with
    /// [`TooLarge`](crate::error::UsageFault::TooLarge) for more than 2^32 - 1 different items.
    pub fn alignment_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<CommonSubsequence> {
        self.alignment_of_numbers(&number(a, b)?)
    }

    /// Finds [`alignment_of`](Self::alignment_of) two numbered sequences, without hashing any item
    /// again.
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
            None => self.of_items(numbered, matches::runs)?,
        };
        CommonSubsequence::new(runs, numbered.a.len() as u64, numbered.b.len() as u64)
    }

    /// Returns true if an algorithm or rules for strings are set, and no algorithm for items.
    fn is_for_strings(&self) -> bool {
        self.item_algorithm.is_auto() && (!self.settings.algorithm.is_auto() || self.rules != Rules::Measured)
    }

    /// Finds the matches by an algorithm for strings; `None` if no such algorithm is set, or if
    /// there are more different items than bytes.
    fn runs_as_strings(&self, Numbered { a, b, .. }: &Numbered) -> Result<Option<Vec<Run>>> {
        if !self.is_for_strings() {
            return Ok(None);
        }
        matches::runs_of_bytes(a, b, |a, b| self.runs(a, b))
    }

    /// Solves a job by the algorithm for items, or by the one with the same name as the algorithm
    /// for strings.
    fn of_items<R>(
        &self,
        Numbered { a, b, .. }: &Numbered,
        job: fn(&[u32], &[u32], Options<'_>) -> Result<R>,
    ) -> Result<R> {
        let of_strings = self.settings.algorithm;
        let unsupported = || Error::Unsupported {
            algorithm: of_strings.to_string(),
            reason: "supports sequences of up to 256 distinct items; use `auto`".into(),
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
                job(a, b, options)
            },
        )
    }

    /// Computes the length of an LCS of two sequences of items. Sequences with at most 254
    /// different items in common are compared like strings of bytes, on the engine and with the
    /// algorithm of [`length`](Self::length); others by the algorithms of
    /// [`alignment_of`](Self::alignment_of), in about half of the time.
    ///
    /// ```
    /// use carrywave::lcs::Comparison;
    ///
    /// assert_eq!(
    ///     Comparison::new().length_of(&["to", "be", "or", "not"], &["or", "to", "be"])?,
    ///     2
    /// );
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`alignment_of`](Self::alignment_of).
    pub fn length_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<u64> {
        self.length_of_numbers(&number(a, b)?)
    }

    /// Computes [`length_of`](Self::length_of) two numbered sequences, as in the
    /// [example](Self::alignment_of_numbers).
    ///
    /// # Errors
    /// As [`alignment_of`](Self::alignment_of).
    pub fn length_of_numbers(&self, numbered: &Numbered) -> Result<u64> {
        match numbered.bytes() {
            Some([a, b]) if self.item_algorithm.is_auto() => self.length(&a, &b),
            // A named algorithm for strings, or published rules.
            _ if self.is_for_strings() => Ok(self.alignment_of_numbers(numbered)?.len()),
            _ => self.of_items(numbered, matches::length),
        }
    }
}

/// Finds a longest common subsequence of two sequences of items that can be compared and hashed,
/// such as lines or words: [`Comparison::alignment_of`] with its defaults.
///
/// ```
/// let lcs = carrywave::lcs_of(&["to", "be", "or", "not"], &["or", "to", "be"])?;
/// assert_eq!((lcs.len(), lcs.runs()[0].b_start), (2, 1));
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As [`Comparison::alignment_of`].
pub fn lcs_of<T: Eq + Hash + Sync>(a: &[T], b: &[T]) -> Result<CommonSubsequence> {
    Comparison::new().alignment_of(a, b)
}
