//! The units of two texts that are compared, for their numbering.

use super::keys::Keys;
use crate::text::Units;
use crate::text::numbered::Items;
use std::borrow::Cow;
use std::ops::Range;

/// Consecutive units of two texts: those of A, then those of B.
#[derive(Clone, Copy)]
pub(super) struct ComparedUnits<'u> {
    a: &'u Units<'u>,
    b: &'u Units<'u>,
    keys: &'u Keys,
    start_a: usize,
    start_b: usize,
    len_a: usize,
    len: usize,
}

impl<'u> ComparedUnits<'u> {
    /// Takes the given units of each text.
    pub fn new([a, b]: [&'u Units<'u>; 2], [of_a, of_b]: [&Range<usize>; 2], keys: &'u Keys) -> Self {
        let len_a = of_a.len();
        Self { a, b, keys, start_a: of_a.start, start_b: of_b.start, len_a, len: len_a + of_b.len() }
    }

    fn unit(&self, at: usize) -> &'u [u8] {
        if at < self.len_a { self.a.get(self.start_a + at) } else { self.b.get(self.start_b + at - self.len_a) }
    }
}

impl<'u> Items<'u> for ComparedUnits<'u> {
    type Item = Cow<'u, [u8]>;

    fn len(&self) -> usize {
        self.len
    }

    fn item(&self, at: usize) -> Cow<'u, [u8]> {
        let unit = self.unit(at);
        if self.keys.are_as_they_are() { Cow::Borrowed(unit) } else { self.keys.key(unit) }
    }

    fn are_equal(&self, one: usize, other: usize) -> bool {
        let one = self.unit(one);
        let other = self.unit(other);
        one == other || self.keys.are_equal(one, other)
    }
}
