//! Comparison of an exercise's results with the expected ones.

use std::fmt::Debug;

/// A number that results consist of.
pub trait Number: Copy + Debug {
    /// Returns true if this number is near enough to the expected one: for floating-point numbers,
    /// |self - expected| ≤ `tolerance` · max(1, |expected|), or both are NaN or the same infinity;
    /// all others must be equal.
    fn is_near(self, expected: Self, tolerance: f64) -> bool;

    /// Returns the number as a message shows it: for bytes, also the character of ASCII.
    fn shown(self) -> String {
        format!("{self:?}")
    }
}

impl Number for u8 {
    fn is_near(self, expected: Self, _tolerance: f64) -> bool {
        self == expected
    }

    fn shown(self) -> String {
        if self.is_ascii_graphic() { format!("{self} ({:?})", char::from(self)) } else { self.to_string() }
    }
}

macro_rules! exact {
    ($($t:ty)*) => { $(impl Number for $t {
        fn is_near(self, expected: Self, _tolerance: f64) -> bool {
            self == expected
        }
    })* };
}
exact!(i8 u16 i16 u32 i32 u64 i64 usize isize bool char);

macro_rules! near {
    ($($t:ty)*) => { $(impl Number for $t {
        fn is_near(self, expected: Self, tolerance: f64) -> bool {
            let (own, other) = (f64::from(self), f64::from(expected));
            own == other
                || (own.is_nan() && other.is_nan())
                || (own.is_finite() && other.is_finite() && (own - other).abs() <= tolerance * other.abs().max(1.0))
        }
    })* };
}
near!(f32 f64);

/// The first difference between results and the expected ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What differs: `element 5`.
    pub what: String,
    /// Index of the element, or `None` if the number of elements differs, or the results are not a
    /// single list.
    pub index: Option<usize>,
    /// The value.
    pub got: String,
    /// The expected value.
    pub expected: String,
    /// Number of elements that differ, of this number; `None` if there is only one.
    pub differing: Option<(usize, usize)>,
}

/// Results that can be compared: a number, a list of numbers, or two or three of either.
pub trait Results {
    /// Returns the first difference from the expected results, or `None` if there is none.
    fn difference(&self, expected: &Self, tolerance: f64) -> Option<Difference>;

    /// Returns the size of a single list, in bytes and in elements.
    fn size(&self) -> Option<(usize, usize)> {
        None
    }
}

impl<T: Number> Results for T {
    fn difference(&self, expected: &Self, tolerance: f64) -> Option<Difference> {
        (!self.is_near(*expected, tolerance)).then(|| Difference {
            what: "the result".to_owned(),
            index: None,
            got: self.shown(),
            expected: expected.shown(),
            differing: None,
        })
    }
}

impl<T: Number> Results for Vec<T> {
    fn difference(&self, expected: &Self, tolerance: f64) -> Option<Difference> {
        if self.len() != expected.len() {
            return Some(Difference {
                what: "the number of elements".to_owned(),
                index: None,
                got: self.len().to_string(),
                expected: expected.len().to_string(),
                differing: None,
            });
        }
        let differs = |i: &usize| !self[*i].is_near(expected[*i], tolerance);
        let first = (0..self.len()).find(differs)?;
        let count = (first..self.len()).filter(differs).count();
        Some(Difference {
            what: format!("element {first}"),
            index: Some(first),
            got: self[first].shown(),
            expected: expected[first].shown(),
            differing: Some((count, self.len())),
        })
    }

    fn size(&self) -> Option<(usize, usize)> {
        Some((size_of_val(&self[..]), self.len()))
    }
}

/// Returns a difference in one of several results.
fn in_part(number: &str, difference: Difference) -> Difference {
    Difference { what: format!("{} of the {number} result", difference.what), index: None, ..difference }
}

impl<A: Results, B: Results> Results for (A, B) {
    fn difference(&self, expected: &Self, tolerance: f64) -> Option<Difference> {
        let first = self.0.difference(&expected.0, tolerance).map(|difference| in_part("first", difference));
        first.or_else(|| Some(in_part("second", self.1.difference(&expected.1, tolerance)?)))
    }
}

impl<A: Results, B: Results, C: Results> Results for (A, B, C) {
    fn difference(&self, expected: &Self, tolerance: f64) -> Option<Difference> {
        let first = self.0.difference(&expected.0, tolerance).map(|difference| in_part("first", difference));
        let second = || Some(in_part("second", self.1.difference(&expected.1, tolerance)?));
        first.or_else(second).or_else(|| Some(in_part("third", self.2.difference(&expected.2, tolerance)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_point_numbers_have_a_tolerance() {
        assert!(1.0_f32.is_near(1.0, 0.0) && !1.0_f32.is_near(1.000_001, 0.0));
        assert!(1e6_f64.is_near(1e6 + 1.0, 1e-6) && !1e6_f64.is_near(1e6 + 2.0, 1e-6));
        // Below 1, the tolerance is absolute.
        assert!(0.0_f64.is_near(1e-6, 1e-6) && !0.0_f64.is_near(2e-6, 1e-6));
        assert!(f32::NAN.is_near(f32::NAN, 0.0) && !f32::NAN.is_near(1.0, f64::INFINITY));
        assert!(f32::INFINITY.is_near(f32::INFINITY, 0.0) && !f32::INFINITY.is_near(f32::MAX, 1.0));
        assert!(!f64::MAX.is_near(f64::MIN, 1.0) && !1.0_f32.is_near(1.0001, f64::NAN));
        assert!(!5_u32.is_near(6, 100.0));
    }

    #[test]
    fn the_first_difference_is_found() {
        let got = vec![1, 2, 4, 5];
        assert_eq!(got.difference(&got, 0.0), None);
        let difference = got.difference(&vec![1, 2, 3, 4], 0.0).unwrap();
        assert_eq!(
            (&difference.what[..], difference.index, difference.differing),
            ("element 2", Some(2), Some((2, 4)))
        );
        assert_eq!((&difference.got[..], &difference.expected[..]), ("4", "3"));
        let letters = b"AC\n".to_vec().difference(&b"AG\n".to_vec(), 0.0).unwrap();
        assert_eq!((&letters.got[..], &letters.expected[..]), ("67 ('C')", "71 ('G')"));
        assert_eq!(10_u8.difference(&200, 0.0).unwrap().got, "10");
        let shorter = got.difference(&vec![1], 0.0).unwrap();
        assert_eq!((&shorter.what[..], &shorter.got[..], &shorter.expected[..]), ("the number of elements", "4", "1"));
        let parts = (7, vec![1.5_f32], true).difference(&(7, vec![1.0], true), 0.25).unwrap();
        assert_eq!((&parts.what[..], parts.index), ("element 0 of the second result", None));
        assert_eq!((7, 8).difference(&(7, 9), 0.0).unwrap().what, "the result of the second result");
    }
}
