//! The units of two texts that are compared, and their numbers.

use super::keys::Keys;
use crate::error::Result;
use crate::text::Units;
use crate::text::numbered::{Items, Numbered, number_items};
use std::borrow::Cow;
use std::ops::Range;

/// Consecutive units of two texts: those of A, then those of B.
#[derive(Clone, Copy)]
pub(super) struct ComparedUnits<'u> {
    a: &'u Units<'u>,
    b: &'u Units<'u>,
    start_a: usize,
    start_b: usize,
    len_a: usize,
    len: usize,
}

impl<'u> ComparedUnits<'u> {
    /// Takes the given units of each text.
    pub fn new([a, b]: [&'u Units<'u>; 2], [of_a, of_b]: [&Range<usize>; 2]) -> Self {
        let len_a = of_a.len();
        Self { a, b, start_a: of_a.start, start_b: of_b.start, len_a, len: len_a + of_b.len() }
    }

    /// Numbers the units: those with equal keys have equal numbers.
    ///
    /// # Errors
    /// As for [`number`](crate::text::numbered::number).
    pub fn numbered(self, keys: &'u Keys) -> Result<Numbered> {
        if keys.are_as_they_are() {
            number_items(self, self.len_a)
        } else {
            number_items(KeyedUnits { units: self, keys }, self.len_a)
        }
    }
}

impl<'u> Items<'u> for ComparedUnits<'u> {
    type Item = &'u [u8];

    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn item(&self, at: usize) -> &'u [u8] {
        if at < self.len_a { self.a.get(self.start_a + at) } else { self.b.get(self.start_b + at - self.len_a) }
    }
}

/// Units that are compared by their keys.
#[derive(Clone, Copy)]
struct KeyedUnits<'u> {
    units: ComparedUnits<'u>,
    keys: &'u Keys,
}

impl<'u> Items<'u> for KeyedUnits<'u> {
    type Item = Cow<'u, [u8]>;

    fn len(&self) -> usize {
        self.units.len
    }

    fn item(&self, at: usize) -> Cow<'u, [u8]> {
        self.keys.key(self.units.item(at))
    }

    fn are_equal(&self, one: usize, other: usize) -> bool {
        let one = self.units.item(one);
        let other = self.units.item(other);
        one == other || self.keys.are_equal(one, other)
    }
}
