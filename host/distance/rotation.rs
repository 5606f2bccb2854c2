//! The rotation of one string that is nearest to another one, for circular sequences.

use super::comparison::Comparison;
use super::mode::Mode;
use crate::error::{Result, UsageFault};
use crate::pairwise::rotations::{Scores, distances};
use crate::text::numbered::{Numbered, number};
use std::hash::Hash;

/// The rotation of B that is nearest to A, as in the [example](Comparison::rotation).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rotation {
    /// Edit distance of A and the rotation.
    pub distance: u64,
    /// Position in B, 0-based, of the rotation's first symbol. The symbols before it follow the
    /// last symbol of B.
    pub start: u64,
}

impl Rotation {
    /// Chooses the first of the nearest rotations.
    fn first(distances: Scores, m: usize) -> Self {
        let nearest = (0..).zip(distances).map(|(start, distance)| (distance, start)).min();
        let (distance, start) = nearest.unwrap_or((m as u64, 0));
        Self { distance, start }
    }
}

impl Comparison<'_> {
    /// Finds the rotation of `b` with the least edit distance to `a`, and of several the one that
    /// starts first. A rotation is a suffix of `b` followed by the rest of `b`.
    ///
    /// One table gives the distances of all rotations (Tiskin 2008): it takes 8 mn cells of time,
    /// 16 at once on a CPU with AVX-512, on one thread of the CPU, and about 14 m + 28 n bytes of
    /// space.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// let rotation = Comparison::new().rotation(b"GATTACA", b"ACAGATC")?;
    /// assert_eq!((rotation.distance, rotation.start), (1, 3)); // GATCACA
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Combination`] for a
    /// [mode](Self::mode) other than global, and with [`UsageFault::TooLarge`] for 2^29 symbols of
    /// `a` or 2^28 of `b`; [`Error::Unsupported`](crate::Error::Unsupported) for an engine other
    /// than one CPU and for a named algorithm; [`Error::Memory`](crate::Error::Memory) if the
    /// host's memory is too small.
    pub fn rotation(&self, a: &[u8], b: &[u8]) -> Result<Rotation> {
        self.check_rotation()?;
        let prepared = self.prepared(a, b);
        let equality = &prepared.settings.equality;
        let found = self.settings.on_one_cpu("a rotation", |progress| {
            if equality.is_exact() {
                distances(prepared.a(), prepared.b(), |x, y| x == y, progress)
            } else {
                distances(prepared.a(), prepared.b(), |x, y| equality.equal(x, y), progress)
            }
        });
        Ok(Rotation::first(found?, a.len()))
    }

    /// Finds the [`rotation`](Self::rotation) of a sequence of items.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// let rotation = Comparison::new().rotation_of(&["to", "be", "or"], &["or", "to", "be"])?;
    /// assert_eq!((rotation.distance, rotation.start), (0, 1));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`rotation`](Self::rotation), and [`Error::Unsupported`](crate::Error::Unsupported) for
    /// an [equality](Self::equality).
    pub fn rotation_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<Rotation> {
        self.rotation_of_numbers(&number(a, b)?)
    }

    /// Finds the [`rotation`](Self::rotation) of a numbered sequence; as in the
    /// [example](Self::rotation_of).
    ///
    /// # Errors
    /// As [`rotation_of`](Self::rotation_of).
    pub fn rotation_of_numbers(&self, Numbered { a, b, .. }: &Numbered) -> Result<Rotation> {
        self.check_rotation()?;
        self.check_items()?;
        let found = self.settings.on_one_cpu("a rotation", |progress| distances(a, b, |x, y| x == y, progress));
        Ok(Rotation::first(found?, a.len()))
    }

    fn check_rotation(&self) -> Result<()> {
        match self.mode {
            Mode::Global => Ok(()),
            _ => Err(UsageFault::Combination.error("rotations are compared whole; use the mode global")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::naive;
    use crate::text::Equality;

    #[test]
    fn the_first_of_the_nearest_rotations() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..200 {
            let [a, b] = [0, 1].map(|_| {
                let len = random.usize(0..30);
                (0..len).map(|_| b'a' + random.u8(..2 + (round % 3) as u8)).collect::<Vec<u8>>()
            });
            let rotated = |start: usize| [&b[start..], &b[..start]].concat();
            let distance = |start: usize| naive::distance(&a, &rotated(start));
            let (distance, start) = (0..b.len().max(1)).map(|start| (distance(start), start as u64)).min().unwrap();
            let found = Comparison::new().rotation(&a, &b).unwrap();
            assert_eq!(found, Rotation { distance, start }, "{a:?} {b:?}");
            assert_eq!(Comparison::new().rotation_of(&a, &b).unwrap(), found);
        }
    }

    #[test]
    fn equal_symbols_and_wrong_modes() {
        let comparison = Comparison::new();
        let chain = comparison.clone().equality(Equality::exact().group(b"AC").group(b"CG"));
        assert_eq!(chain.rotation(b"ACC", b"GGC").unwrap(), Rotation { distance: 0, start: 2 });
        let error = comparison.mode(Mode::Infix).rotation(b"a", b"a").unwrap_err().to_string();
        assert!(error.contains("use the mode global"), "{error}");
    }
}
