//! All strings of some length within some errors of the start of a window. The end in the window
//! is free.

use super::packed::{Window, low_bases};

/// The strings to enumerate.
#[derive(Debug, Clone, Copy)]
pub struct Variants {
    /// Bases of a string, at most 16.
    pub len: usize,
    /// Greatest number of errors.
    pub errors: usize,
    /// True if bases may be missing or added.
    pub gaps: bool,
}

/// The last edit. A base that is added and one that is missing side by side are a substitution,
/// which costs less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Other,
    Added,
    Missing,
}

/// A string that is being written.
#[derive(Debug, Clone, Copy)]
struct Start {
    bases: u64,
    len: usize,
    errors: usize,
    last: Last,
}

impl Variants {
    /// Calls `visit` with the bases of each string, in two bits each; with some strings more than
    /// once. Takes O((8 × len)^errors) calls.
    #[inline]
    pub fn each(self, window: Window, visit: &mut impl FnMut(u64)) {
        match (self.errors, window.bases(self.len + 1)) {
            (0, Some(bases)) => return visit(bases & low_bases(self.len)),
            (1, Some(bases)) => return self.one_error(bases, visit),
            _ => {}
        }
        self.go_on(Start { bases: 0, len: 0, errors: 0, last: Last::Other }, window, visit);
    }

    /// Visits the strings within one error of known bases, one more than a string has.
    fn one_error(self, bases: u64, visit: &mut impl FnMut(u64)) {
        let mask = low_bases(self.len);
        visit(bases & mask);
        for at in 0..self.len {
            let low = 2 * at;
            for change in 1..4 {
                visit((bases ^ change << low) & mask);
            }
            if self.gaps {
                let before = bases & low_bases(at);
                let rest = bases >> low;
                visit((before | rest >> 2 << low) & mask);
                for change in 1..4 {
                    visit((before | (rest << 2 | (rest & 3) ^ change) << low) & mask);
                }
            }
        }
    }

    /// Returns an upper estimate of the number of strings.
    pub fn count(self) -> f64 {
        let single = self.len as f64 * if self.gaps { 7.0 } else { 3.0 };
        (1..=self.errors)
            .fold((1.0, 1.0), |(sum, power), errors| {
                let power = power * single / errors as f64;
                (sum + power, power)
            })
            .0
    }

    /// Visits the strings that begin with `start`. The window has the bases behind it.
    fn go_on(self, start: Start, window: Window, visit: &mut impl FnMut(u64)) {
        let rest = self.len - start.len;
        if start.errors == self.errors || rest == 0 {
            if let Some(bases) = window.bases(rest) {
                visit(start.bases | bases << (2 * start.len));
            }
            return;
        }
        let first = window.first();
        let with = |base: u64| start.bases | base << (2 * start.len);
        for base in 0..4 {
            let (is_equal, next) = (first == Some(base), Start { bases: with(base), len: start.len + 1, ..start });
            let errors = start.errors + usize::from(!is_equal);
            self.go_on(Start { errors, last: Last::Other, ..next }, window.after(1), visit);
            // A missing base that is equal to the read's may as well be the one behind it.
            if self.gaps && start.last != Last::Added && !is_equal {
                self.go_on(Start { errors, last: Last::Missing, ..next }, window, visit);
            }
        }
        if self.gaps && start.last != Last::Missing {
            self.go_on(Start { errors: start.errors + 1, last: Last::Added, ..start }, window.after(1), visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::packed::PackedRead;
    use super::super::reach::{edits, mismatches};
    use super::*;
    use std::collections::BTreeSet;

    /// All strings are compared with the window by the errors of one barcode.
    #[test]
    fn variants_are_all_strings_within_the_errors() {
        let mut random = fastrand::Rng::with_seed(31);
        for round in 0..150 {
            let letters = if round % 2 == 0 { &b"ACGT"[..] } else { b"ACN" };
            let read: Vec<u8> = (0..random.usize(0..10)).map(|_| *random.choice(letters).unwrap()).collect();
            let len = random.usize(1..6);
            let variants = Variants { len, errors: random.usize(0..len.min(4)), gaps: round % 3 > 0 };
            let is_near = |bases: &u64| {
                let codes: Vec<u8> = (0..len).map(|at| (bases >> (2 * at) & 3) as u8).collect();
                // Bases behind the read's end are substituted.
                let longer = [&read[..], &[b'N'; 6]].concat();
                let errors_of = if variants.gaps { edits } else { mismatches };
                errors_of(&codes, &longer, variants.errors).is_some()
            };
            let expected: BTreeSet<u64> = (0..1 << (2 * len)).filter(is_near).collect();
            let mut packed = PackedRead::default();
            packed.pack(&read, &(0..1), read.len());
            let mut found = BTreeSet::new();
            variants.each(packed.window(0), &mut |bases| _ = found.insert(bases));
            assert_eq!(found, expected, "{variants:?} {}", String::from_utf8_lossy(&read));
        }
    }
}
