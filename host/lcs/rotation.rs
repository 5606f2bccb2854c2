//! The rotation of one string that has most in common with another one, for circular sequences.

use super::comparison::Comparison;
use crate::error::Result;
use crate::pairwise::rotations::{Scores, lcs_lengths};
use crate::text::numbered::{Numbered, number};
use std::cmp::Reverse;
use std::hash::Hash;

/// The rotation of B with the longest LCS, as in the [example](Comparison::rotation).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rotation {
    /// Length of an LCS of A and the rotation.
    pub length: u64,
    /// Position in B, 0-based, of the rotation's first symbol. The symbols before it follow the
    /// last symbol of B.
    pub start: u64,
}

impl Rotation {
    /// Chooses the first of the rotations with the greatest length.
    fn first(lengths: Scores) -> Self {
        let best = (0..).zip(lengths).min_by_key(|&(start, length)| (Reverse(length), start));
        let (start, length) = best.unwrap_or_default();
        Self { length, start }
    }
}

impl Comparison<'_> {
    /// Finds the rotation of `b` with the longest common subsequence with `a`, and of several the
    /// one that starts first. A rotation is a suffix of `b` followed by the rest of `b`.
    ///
    /// One table gives the lengths of all rotations (Tiskin 2008): it takes 2 mn cells of time, 16
    /// at once on a CPU with AVX-512, on one thread of the CPU, and about 6 m + 20 n bytes of
    /// space. The [`rules`](Self::rules) do not matter.
    ///
    /// ```
    /// use carrywave::lcs::Comparison;
    ///
    /// let rotation = Comparison::new().rotation(b"GATTACA", b"ACAGATC")?;
    /// assert_eq!((rotation.length, rotation.start), (6, 3)); // GAT and ACA of GATCACA
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::TooLarge`](crate::error::UsageFault::TooLarge) for 2^29 symbols of `a` or 2^28
    /// of `b`; [`Error::Unsupported`](crate::Error::Unsupported) for an engine other than one CPU
    /// and for a named algorithm; [`Error::Memory`](crate::Error::Memory) if the host's memory is
    /// too small.
    pub fn rotation(&self, a: &[u8], b: &[u8]) -> Result<Rotation> {
        self.best_rotation(a, b)
    }

    /// Finds the [`rotation`](Self::rotation) of a sequence of items.
    ///
    /// ```
    /// use carrywave::lcs::Comparison;
    ///
    /// let rotation = Comparison::new().rotation_of(&["to", "be", "or"], &["or", "to", "be"])?;
    /// assert_eq!((rotation.length, rotation.start), (3, 1));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`rotation`](Self::rotation).
    pub fn rotation_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<Rotation> {
        self.rotation_of_numbers(&number(a, b)?)
    }

    /// Finds the [`rotation`](Self::rotation) of a numbered sequence; as in the
    /// [example](Self::rotation_of).
    ///
    /// # Errors
    /// As [`rotation`](Self::rotation).
    pub fn rotation_of_numbers(&self, Numbered { a, b, .. }: &Numbered) -> Result<Rotation> {
        self.best_rotation(a, b)
    }

    fn best_rotation<T: Copy + Eq>(&self, a: &[T], b: &[T]) -> Result<Rotation> {
        let lengths = self.settings.on_one_cpu("a rotation", |progress| lcs_lengths(a, b, |x, y| x == y, progress));
        Ok(Rotation::first(lengths?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::naive;

    #[test]
    fn the_first_of_the_best_rotations() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..200 {
            let [a, b] = [0, 1].map(|_| {
                let len = random.usize(0..30);
                (0..len).map(|_| b'a' + random.u8(..2 + (round % 3) as u8)).collect::<Vec<u8>>()
            });
            let length = |start: usize| naive::lcs_length(&a, &[&b[start..], &b[..start]].concat());
            let best = (0..b.len().max(1)).rev().max_by_key(|&start| length(start)).unwrap();
            let expected = Rotation { length: length(best), start: best as u64 };
            assert_eq!(Comparison::new().rotation(&a, &b).unwrap(), expected, "{a:?} {b:?}");
            assert_eq!(Comparison::new().rotation_of(&a, &b).unwrap(), expected);
        }
    }
}
