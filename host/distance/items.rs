//! The comparison of two sequences of items of any kind: characters of a large alphabet, lines, words.

use super::comparison::Comparison;
use super::mode::{Mode, PlacedScript, Places};
use super::places::Ends;
use super::{token_places, tokens};
use crate::alignment::script::EditScript;
use crate::error::{Error, Result};
use crate::text::numbered::{Numbered, number};
use std::hash::Hash;

/// Two sequences of items.
enum Items {
    /// They share few kinds.
    Bytes([Vec<u8>; 2]),
    /// They share many.
    Many(Numbered),
}

impl Comparison<'_> {
    /// Computes the edit distance of two sequences of items, such as characters, lines or words: anything that can be compared and hashed. Sequences that share up to 254 kinds of items are compared as strings are, on the engine that was chosen; others on the CPU, by
    /// words of 64 rows, in global mode within the distance of the diagonal. An item is hashed once.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// let [a, b] = ["to be or not", "to be and not to"].map(|text| text.split(' ').collect::<Vec<_>>());
    /// assert_eq!(Comparison::new().distance_of(&a, &b)?, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance`](Self::distance); and [`Error::Unsupported`] for an [equality](Self::equality), and for many kinds of items and a named
    /// algorithm, [`Error::Usage`] for more than 2^32 - 1 different items.
    pub fn distance_of<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<u64> {
        match self.items(a, b)? {
            Items::Bytes([a, b]) => self.distance(&a, &b),
            // Without a maximum no distance is above it.
            Items::Many(items) if self.mode == Mode::Global => {
                Ok(tokens::distance(&items.a, &items.b, None, self.settings.progress)?.unwrap_or(u64::MAX))
            }
            Items::Many(items) => Ok(self.token_ends(&items)?.distance),
        }
    }

    /// [`within`](Self::within) of sequences of items.
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn within_of<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<Option<u64>> {
        match self.items(a, b)? {
            Items::Bytes([a, b]) => self.within(&a, &b),
            Items::Many(items) if self.mode == Mode::Global => {
                tokens::distance(&items.a, &items.b, self.maximum, self.settings.progress)
            }
            Items::Many(items) => Ok(Some(self.token_ends(&items)?.distance).filter(|&distance| self.maximum.is_none_or(|maximum| distance <= maximum))),
        }
    }

    /// [`ends`](Self::ends) of sequences of items.
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn ends_of<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<super::mode::Ends> {
        match self.items(a, b)? {
            Items::Bytes([a, b]) => self.ends(&a, &b),
            Items::Many(items) => Ok(self.token_ends(&items)?.into()),
        }
    }

    /// [`places`](Self::places) of sequences of items.
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn places_of<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<Places> {
        match self.items(a, b)? {
            Items::Bytes([a, b]) => self.places(&a, &b),
            Items::Many(items) => {
                let Ends { distance, ends } = self.token_ends(&items)?;
                let starts = token_places::starts(&items.a, &items.b, self.mode, distance, &ends)?;
                let places = starts.into_iter().zip(ends).map(|(start, end)| start as u64..end as u64).collect();
                Ok(Places { distance, places })
            }
        }
    }

    /// A cheapest script that makes one sequence of items of another.
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn script_of<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<EditScript> {
        Ok(self.script_of_with_place(a, b)?.script)
    }

    /// [`script_with_place`](Self::script_with_place) of sequences of items.
    ///
    /// # Errors
    /// As [`distance_of`](Self::distance_of).
    pub fn script_of_with_place<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<PlacedScript> {
        let items = match self.items(a, b)? {
            Items::Bytes([a, b]) => return self.script_with_place(&a, &b),
            Items::Many(items) => items,
        };
        let mut place = 0..b.len();
        if self.mode != Mode::Global {
            let Ends { distance, ends } = self.token_ends(&items)?;
            let ends = &ends[..ends.len().min(1)];
            let starts = token_places::starts(&items.a, &items.b, self.mode, distance, ends)?;
            if let ([start], [end]) = (&starts[..], ends) {
                place = *start..*end;
            }
        }
        let of_bytes = |a: &[u8], b: &[u8]| self.settings.runs(a, b);
        let runs = tokens::runs(&items.a, &items.b[place.clone()], &of_bytes, self.settings.progress)?;
        let script = EditScript::new(runs, a.len() as u64, place.len() as u64)?;
        Ok(PlacedScript { script, place: place.start as u64..place.end as u64 })
    }

    /// The least distance of A to a part of B, and where such parts end.
    fn token_ends(&self, items: &Numbered) -> Result<Ends> {
        if self.mode == Mode::Global {
            let distance = tokens::distance(&items.a, &items.b, None, self.settings.progress)?;
            return Ok(Ends { distance: distance.unwrap_or(u64::MAX), ends: vec![items.b.len()] });
        }
        token_places::ends(&items.a, &items.b, self.mode, self.settings.progress)
    }

    fn items<T: Eq + Hash>(&self, a: &[T], b: &[T]) -> Result<Items> {
        let items = number(a, b)?;
        if !self.equality.is_exact() {
            return Err(unsupported("items of any kind", "are compared for equality alone"));
        }
        if let Some(bytes) = items.bytes() {
            return Ok(Items::Bytes(bytes));
        }
        if !self.settings.algorithm.is_auto() {
            let what = self.settings.algorithm.to_string();
            return Err(unsupported(
                &what,
                "takes strings that share up to 254 kinds of symbols, and these share more: leave the choice to `auto`",
            ));
        }
        Ok(Items::Many(items))
    }
}

fn unsupported(what: &str, reason: &str) -> Error {
    Error::Unsupported { algorithm: what.into(), reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D of the pattern to all prefixes of the text, or to the parts that end there: the definition's table.
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
            for mode in [Mode::Global, Mode::Prefix, Mode::Infix] {
                let comparison = Comparison::new().mode(mode);
                let row = last_row(&a, &b, mode);
                let all: Vec<usize> = if mode == Mode::Global { vec![b.len()] } else { (0..=b.len()).collect() };
                let least = all.iter().map(|&end| row[end]).min().unwrap();
                assert_eq!(comparison.distance_of(&a, &b).unwrap(), least, "{m} {n} {kinds} {mode:?}");
                assert_eq!(comparison.clone().maximum(least).within_of(&a, &b).unwrap(), Some(least));
                let below = comparison.clone().maximum(least.wrapping_sub(1));
                assert_eq!(below.within_of(&a, &b).unwrap().is_some(), least == 0);
                if a.is_empty() {
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
                let PlacedScript { script, place } = comparison.script_of_with_place(&a, &b).unwrap();
                assert_eq!((script.distance(), &place), (least, &places.places[0]));
                script.common_subsequence().verify_of(&a, &b[place.start as usize..place.end as usize]).unwrap();
            }
        }
    }

    /// A text in several pieces, and nearest parts across their borders.
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
