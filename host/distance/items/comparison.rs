//! The edit distance of two sequences of items of any type: characters of a large alphabet, lines,
//! words.

use super::cpu::ALGORITHMS;
use super::cpu::algorithm::{CpuAlgorithm, Sequences};
use super::problem::ItemAlgorithm;
use crate::alignment::script::EditScript;
use crate::device::{Devices, EngineKind};
use crate::distance::comparison::Comparison;
use crate::distance::mode::{Ends, Mode, PlacedScript, Places};
use crate::distance::places::Nearest;
use crate::error::{Error, Result};
use crate::job::{Ran, Recorder, Report};
use crate::pairwise::comparison::Settings;
use crate::text::numbered::{Numbered, number};
use std::hash::Hash;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

impl Comparison<'_> {
    /// Sets the algorithm for sequences of items, as [`algorithm`](Self::algorithm) does for
    /// strings. By default, sequences with few different items are compared as strings. As in the
    /// [example](ItemAlgorithm).
    pub fn item_algorithm(self, algorithm: ItemAlgorithm) -> Self {
        Self { item_algorithm: algorithm, ..self }
    }

    /// Computes the edit distance of two sequences of items, such as characters, lines or words.
    /// Items can be of any type that can be compared and hashed. Sequences with at most 254
    /// different items in common are compared as strings, on the chosen engine. Others are compared
    /// on the CPU, by words of 64 rows; in global mode, only within the distance of the diagonal.
    /// Each item is hashed once.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// let [a, b] =
    ///     ["to be or not", "to be and not to"].map(|text| text.split(' ').collect::<Vec<_>>());
    /// assert_eq!(Comparison::new().distance_of(&a, &b)?, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance`](Self::distance); and [`Error::Unsupported`] for an
    /// [equality](Self::equality), and for an algorithm for strings if there are too many different
    /// items, unless an algorithm [for items](Self::item_algorithm) has its name; [`Error::Usage`]
    /// with [`TooLarge`](crate::error::UsageFault::TooLarge) for more than 2^32 - 1 different
    /// items.
    pub fn distance_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<u64> {
        self.distance_of_numbers(&number(a, b)?)
    }

    /// Computes [`distance_of`](Self::distance_of) for two numbered sequences, without hashing any
    /// item again.
    ///
    /// ```
    /// use carrywave::distance::{Comparison, Mode};
    /// use carrywave::text::numbered::number;
    ///
    /// let numbered = number(&["be", "or"], &["to", "be", "or", "not"])?;
    /// let comparison = Comparison::new().mode(Mode::Infix);
    /// assert_eq!(comparison.distance_of_numbers(&numbered)?, 0);
    /// assert_eq!(comparison.ends_of_numbers(&numbered)?.ends, [3]);
    /// assert_eq!(comparison.places_of_numbers(&numbered)?.places, [1..3]);
    /// assert_eq!(comparison.placed_script_of_numbers(&numbered)?.place, 1..3);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn distance_of_numbers(&self, numbered: &Numbered) -> Result<u64> {
        // Without a maximum, there is always a distance.
        Ok(self.within_numbers(numbered, None)?.unwrap_or(u64::MAX))
    }

    /// Computes [`within`](Self::within) for sequences of items.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// assert_eq!(
    ///     Comparison::new().maximum(1).within_of(&["to", "be", "or"], &["not", "to", "be"])?,
    ///     None
    /// );
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn within_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<Option<u64>> {
        self.within_of_numbers(&number(a, b)?)
    }

    /// Computes [`within_of`](Self::within_of) for two numbered sequences; as in the
    /// [example](Self::distance_of_numbers).
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn within_of_numbers(&self, numbered: &Numbered) -> Result<Option<u64>> {
        self.within_numbers(numbered, self.maximum)
    }

    fn within_numbers(&self, items: &Numbered, maximum: Option<u64>) -> Result<Option<u64>> {
        if let Some([a, b]) = self.strings(items)? {
            return if maximum.is_some() { self.within(&a, &b) } else { self.distance(&a, &b).map(Some) };
        }
        self.by_row(items, |row, sequences| match self.mode {
            Mode::Global => (row.distance)(sequences, maximum),
            mode => {
                let distance = (row.nearest)(sequences, mode)?.distance;
                Ok(Some(distance).filter(|&distance| maximum.is_none_or(|maximum| distance <= maximum)))
            }
        })
    }

    /// Computes [`ends`](Self::ends) for sequences of items; as in the
    /// [example](Self::distance_of_numbers).
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn ends_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<Ends> {
        self.ends_of_numbers(&number(a, b)?)
    }

    /// Computes [`ends_of`](Self::ends_of) for two numbered sequences; as in the
    /// [example](Self::distance_of_numbers).
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn ends_of_numbers(&self, numbered: &Numbered) -> Result<Ends> {
        match self.strings(numbered)? {
            Some([a, b]) => self.ends(&a, &b),
            None => self.by_row(numbered, |row, sequences| {
                Ok(self.nearest_items(row, sequences)?.ends(self.mode, sequences.b.len()))
            }),
        }
    }

    /// Computes [`places`](Self::places) for sequences of items; as in the
    /// [example](Self::distance_of_numbers).
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn places_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<Places> {
        self.places_of_numbers(&number(a, b)?)
    }

    /// Computes [`places_of`](Self::places_of) for two numbered sequences; as in the
    /// [example](Self::distance_of_numbers).
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn places_of_numbers(&self, numbered: &Numbered) -> Result<Places> {
        if let Some([a, b]) = self.strings(numbered)? {
            return self.places(&a, &b);
        }
        self.by_row(numbered, |row, sequences| {
            let nearest = self.nearest_items(row, sequences)?;
            let distance = nearest.distance;
            Ok(Places::new(distance, self.item_parts(row, sequences, nearest)?))
        })
    }

    /// Computes a cheapest script that turns one sequence of items into another; as in the
    /// [example](Self::placed_script_of).
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn script_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<EditScript> {
        Ok(self.placed_script_of(a, b)?.script)
    }

    /// Computes [`script_with_place`](Self::script_with_place) for sequences of items.
    ///
    /// ```
    /// use carrywave::distance::{Comparison, Mode};
    ///
    /// let comparison = Comparison::new().mode(Mode::Infix);
    /// let found =
    ///     comparison.placed_script_of(&["be", "or", "not"], &["to", "be", "and", "or", "not"])?;
    /// assert_eq!((found.script.cigar().as_str(), found.place), ("1=1D2=", 1..5));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn placed_script_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<PlacedScript> {
        self.placed_script_of_numbers(&number(a, b)?)
    }

    /// Computes [`placed_script_of`](Self::placed_script_of) for two numbered sequences; as in the
    /// [example](Self::distance_of_numbers).
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn placed_script_of_numbers(&self, numbered: &Numbered) -> Result<PlacedScript> {
        if let Some([a, b]) = self.strings(numbered)? {
            return self.script_with_place(&a, &b);
        }
        self.by_row(numbered, |row, sequences| {
            let mut place = 0..sequences.b.len();
            if self.mode != Mode::Global {
                let nearest = self.nearest_items(row, sequences)?.first();
                if let Some(part) = self.item_parts(row, sequences, nearest)?.pop() {
                    place = part;
                }
            }
            let settings = Settings { recorder: None, progress: sequences.progress, ..self.settings.clone() };
            let part = Sequences { b: &sequences.b[place.clone()], ..*sequences };
            let runs = (row.runs)(&part, &|a, b| settings.runs(a, b))?;
            let script = EditScript::new(runs, part.a.len() as u64, part.b.len() as u64)?;
            Ok(PlacedScript { script, place: place.start as u64..place.end as u64 })
        })
    }

    /// Finds the parts of B that are nearest to A.
    fn nearest_items(&self, row: &CpuAlgorithm, sequences: &Sequences<'_>) -> Result<Nearest> {
        if self.mode != Mode::Global {
            return (row.nearest)(sequences, self.mode);
        }
        let distance = (row.distance)(sequences, None)?;
        Ok(Nearest { distance: distance.unwrap_or(u64::MAX), borders: vec![sequences.b.len()] })
    }

    /// Returns the ranges of the nearest parts.
    fn item_parts(&self, row: &CpuAlgorithm, sequences: &Sequences<'_>, nearest: Nearest) -> Result<Vec<Range<usize>>> {
        let distance = nearest.distance;
        nearest.parts(self.mode, sequences.b.len(), |ends| (row.starts)(sequences, self.mode, distance, ends))
    }

    /// Runs `compute` with the algorithm for items, and reports it.
    fn by_row<R>(
        &self,
        items: &Numbered,
        compute: impl FnOnce(&CpuAlgorithm, &Sequences<'_>) -> Result<R>,
    ) -> Result<R> {
        let algorithm = self.named_for_items().unwrap_or_default();
        if !algorithm.is_auto() {
            algorithm.check_on(self.settings.devices.as_ref().map_or(EngineKind::Cpu, Devices::kind))?;
        }
        let row = algorithm.row(ALGORITHMS, EngineKind::Cpu, |row| &row.about)?;
        let done = AtomicU64::new(0);
        let progress = |cells: u64| {
            done.fetch_add(cells, Ordering::Relaxed);
            (self.settings.progress)(cells);
        };
        let sequences = Sequences { a: &items.a, b: &items.b, progress: &progress };
        Recorder::job(
            "distance of items",
            self.settings.recorder,
            |_| done.load(Ordering::Relaxed),
            |recorder| {
                let result = compute(row, &sequences)?;
                let ran = || vec![Ran { engine: EngineKind::Cpu, algorithm: row.about.name }];
                recorder.into_iter().for_each(|recorder| recorder.add(Report::untimed(ran())));
                Ok(result)
            },
        )
    }

    /// Refuses an equality of symbols.
    pub(in crate::distance) fn check_items(&self) -> Result<()> {
        if self.equality.is_exact() {
            return Ok(());
        }
        let reason = "are compared for equality alone";
        Err(Error::Unsupported { algorithm: "items of any kind".into(), reason: reason.into() })
    }

    /// Returns the items as bytes, to compare them as strings; `None` if an algorithm for items
    /// must compare them.
    fn strings(&self, items: &Numbered) -> Result<Option<[Vec<u8>; 2]>> {
        self.check_items()?;
        if !self.item_algorithm.is_auto() {
            return Ok(None);
        }
        match items.bytes() {
            None if self.named_for_items().is_none() => Err(Error::Unsupported {
                algorithm: self.settings.algorithm.name().into(),
                reason: "supports strings that share up to 254 distinct symbols, but these share more; use `auto`"
                    .into(),
            }),
            bytes => Ok(bytes),
        }
    }

    /// Returns the algorithm for items, or the one with the same name as the algorithm for strings;
    /// `None` if there is none of that name.
    fn named_for_items(&self) -> Option<ItemAlgorithm> {
        match self.item_algorithm {
            auto if auto.is_auto() => ItemAlgorithm::named(self.settings.algorithm.name()).ok(),
            named => Some(named),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::places::reversed;

    /// Computes D of the pattern to all prefixes of the text, or to the nearest parts that end
    /// there, by the definition's table.
    fn last_row(a: &[u32], b: &[u32], mode: Mode) -> Vec<u64> {
        let mut column: Vec<u64> = (0..=a.len() as u64).collect();
        let mut row = vec![column[a.len()]];
        for (j, y) in (1..).zip(b) {
            let mut next = vec![if mode == Mode::Infix { 0 } else { j }];
            for (i, x) in a.iter().enumerate() {
                next.push((column[i] + u64::from(x != y)).min(column[i + 1] + 1).min(next[i] + 1));
            }
            column = next;
            row.push(column[a.len()]);
        }
        row
    }

    #[test]
    fn parts_of_many_kinds() {
        let mut random = fastrand::Rng::with_seed(3);
        for (m, n, kinds) in
            [(300, 900, 100_000), (300, 0, 9), (0, 5, 9), (400, 700, 600), (600, 150, 3000), (5, 70, 4)]
        {
            let mut a: Vec<u32> = (0..m).map(|_| random.u32(..kinds)).collect();
            let b: Vec<u32> = (0..n).map(|_| random.u32(..kinds)).collect();
            if n >= m + 100 {
                a = b[70..70 + m as usize].to_vec();
                for _ in 0..20 {
                    a.remove(random.usize(..a.len()));
                    a.insert(random.usize(..a.len()), random.u32(..kinds));
                }
            }
            for mode in Mode::NAMES.map(|(_, mode)| mode) {
                let comparison = Comparison::new().mode(mode);
                let is_suffix = mode == Mode::Suffix;
                // In suffix mode the row is of the lengths of suffixes, by reversed strings.
                let row = if is_suffix { last_row(&reversed(&a), &reversed(&b), mode) } else { last_row(&a, &b, mode) };
                let all: Vec<usize> = if mode == Mode::Global { vec![b.len()] } else { (0..=b.len()).collect() };
                let least = all.iter().map(|&end| row[end]).min().unwrap();
                assert_eq!(comparison.distance_of(&a, &b).unwrap(), least, "{m} {n} {kinds} {mode:?}");
                assert_eq!(comparison.clone().maximum(least).within_of(&a, &b).unwrap(), Some(least));
                let below = comparison.clone().maximum(least.wrapping_sub(1));
                assert_eq!(below.within_of(&a, &b).unwrap().is_some(), least == 0);
                if a.is_empty() {
                    continue;
                }
                let n = b.len() as u64;
                if is_suffix {
                    let lengths = (0..=n).rev().filter(|&length| row[length as usize] == least);
                    let expected: Vec<_> = lengths.map(|length| n - length..n).collect();
                    let places = comparison.places_of(&a, &b).unwrap();
                    assert_eq!((places.distance, places.places), (least, expected.clone()));
                    let ends = comparison.ends_of(&a, &b).unwrap();
                    assert_eq!((ends.distance, ends.ends), (least, vec![n]));
                    let PlacedScript { script, place } = comparison.placed_script_of(&a, &b).unwrap();
                    assert_eq!((script.distance(), &place), (least, &expected[0]));
                    script.common_subsequence().verify_of(&a, &b[place.start as usize..]).unwrap();
                    continue;
                }
                let ends: Vec<u64> = all.iter().filter(|&&end| row[end] == least).map(|&end| end as u64).collect();
                let found = comparison.ends_of(&a, &b).unwrap();
                assert_eq!((found.distance, &found.ends), (least, &ends));
                let places = comparison.places_of(&a, &b).unwrap();
                assert_eq!((places.distance, places.places.len()), (least, ends.len()));
                for (place, end) in places.places.iter().zip(ends).filter(|_| mode == Mode::Infix) {
                    // The longest part.
                    let distance = |start: usize| *last_row(&a, &b[start..end as usize], Mode::Prefix).last().unwrap();
                    assert_eq!((place.end, distance(place.start as usize)), (end, least));
                    assert!((place.start.saturating_sub(3)..place.start).all(|start| distance(start as usize) > least));
                }
                let PlacedScript { script, place } = comparison.placed_script_of(&a, &b).unwrap();
                assert_eq!((script.distance(), &place), (least, &places.places[0]));
                script.common_subsequence().verify_of(&a, &b[place.start as usize..place.end as usize]).unwrap();
            }
        }
    }

    /// A text in several pieces, with nearest parts across their borders.
    #[test]
    fn a_long_text() {
        let a: Vec<u32> = (0..400).collect();
        let mut b = vec![1_000_000; 300_000];
        for at in [65_000, 131_000, 200_000] {
            b[at..at + 400].copy_from_slice(&a);
            b[at + 200] = 7;
        }
        let places = Comparison::new().mode(Mode::Infix).places_of(&a, &b).unwrap();
        assert_eq!((places.distance, places.places.len()), (1, 3));
        assert_eq!(places.places[1], 131_000..131_400);
    }
}
