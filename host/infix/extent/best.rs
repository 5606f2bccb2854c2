//! The best part of a text from a given position on: without gaps if possible, else by the method
//! that is fastest for the number of errors.

use super::reader::Reader;
use super::size::Extent;
use super::{alignments, diagonals, limited};
use crate::infix::allowed::Allowed;
use crate::infix::cut_off;

impl Reader {
    /// Finds the fewest errors of all parts of `text` from the start of reading on, if they are at
    /// most `bound`, and the best part with these errors.
    pub(crate) fn best(&self, text: &[u8], bound: u32) -> Option<(u32, Extent)> {
        if let Some(allowed) = self.limited {
            return limited::best(self, text, bound, allowed);
        }
        if bound as usize <= diagonals::MAX_ERRORS {
            return self.on_diagonals(text, bound);
        }
        let m = self.pattern.len();
        let reach = text.len().min(m + bound as usize);
        let symbols = (0..reach).map(|number| self.symbol(text, number));
        let (errors, _) = cut_off::least_within(symbols, &self.matches, m, 1, bound)?;
        Some((errors, self.extent(text, errors)?))
    }

    /// Finds the best part of `text` from the start of reading on with `errors` errors, the fewest
    /// of any part. `None` if no part has that number.
    pub(crate) fn extent(&self, text: &[u8], errors: u32) -> Option<Extent> {
        let with_gaps = || match self.limited {
            Some(allowed) => limited::best(self, text, errors, allowed).map(|(_, found)| found),
            None if errors as usize <= diagonals::MAX_ERRORS => self.on_diagonals(text, errors).map(|(_, found)| found),
            None => alignments::best(self, text, errors),
        };
        self.without_gaps(text, errors).or_else(with_gaps)
    }

    /// Returns the part of m symbols, if it has `errors` mismatches and transpositions.
    pub(crate) fn without_gaps(&self, text: &[u8], errors: u32) -> Option<Extent> {
        if let Some(allowed) = self.limited.filter(|allowed| allowed.transpositions) {
            let allowed = Allowed { insertions: 0, deletions: 0, ..allowed };
            let (fewest, found) = limited::best(self, text, errors, allowed)?;
            return (fewest == errors).then_some(found);
        }
        let m = self.pattern.len();
        if text.len() < m {
            return None;
        }
        let mut mismatches = 0;
        let most = self.limited.map_or(errors, |allowed| allowed.substitutions.min(errors));
        for (number, class) in self.pattern.classes().iter().enumerate() {
            let is_member = class.contains(self.symbol(text, number));
            mismatches += u32::from(!is_member);
            if mismatches > most || !is_member && self.pattern.is_fixed(number) {
                return None;
            }
        }
        (mismatches == errors).then_some(Extent { gaps: 0, length: m as u64 })
    }

    fn on_diagonals(&self, text: &[u8], bound: u32) -> Option<(u32, Extent)> {
        let m = self.pattern.len();
        if self.backward {
            diagonals::best(&self.matches, m, text.iter().rev().copied(), bound)
        } else {
            diagonals::best(&self.matches, m, text.iter().copied(), bound)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::pattern::Pattern;

    /// Computes the errors and gaps of every part that begins with the text: by the recurrence,
    /// where a gap costs one error and slightly more.
    fn by_recurrence(text: &[u8], pattern: &Pattern) -> Vec<(u32, u32)> {
        let gap = |cell: (u32, u32)| (cell.0 + 1, cell.1 + 1);
        let mut column: Vec<(u32, u32)> = (0..=pattern.len() as u32).map(|i| (i, i)).collect();
        let mut found = vec![column[pattern.len()]];
        for &symbol in text {
            let before = column.clone();
            column[0] = gap(before[0]);
            for (i, class) in pattern.classes().iter().enumerate() {
                let (errors, gaps) = before[i];
                let diagonal = (errors + u32::from(!class.contains(symbol)), gaps);
                column[i + 1] = diagonal.min(gap(column[i])).min(gap(before[i + 1]));
            }
            found.push(column[pattern.len()]);
        }
        found
    }

    #[track_caller]
    fn check(text: &[u8], pattern: &Pattern) {
        let of_length = by_recurrence(text, pattern);
        let (errors, gaps) = *of_length.iter().min().unwrap();
        let length = of_length.iter().rposition(|&found| found == (errors, gaps)).unwrap() as u64;
        let expected = Some(Extent { gaps, length });
        let place = format!("{text:?}, m = {}", pattern.len());
        let forward = Reader::forward(pattern);
        assert_eq!(forward.extent(text, errors), expected, "{place}");
        assert_eq!(alignments::best(&forward, text, errors), expected, "{place}, alignments");
        for bound in [errors, errors + 3] {
            assert_eq!(forward.best(text, bound), expected.map(|found| (errors, found)), "{place}, at most {bound}");
        }
        if errors > 0 {
            assert_eq!(forward.best(text, errors - 1), None, "{place}");
        }
        let turned: Vec<u8> = text.iter().rev().copied().collect();
        assert_eq!(Reader::backward(&pattern.reversed()).extent(&turned, errors), expected, "{place}, backward");
    }

    #[test]
    fn by_hand() {
        let extent = |pattern: &str, text: &str, errors| {
            Reader::backward(&Pattern::literal(pattern.as_bytes())).extent(text.as_bytes(), errors)
        };
        let found = |gaps, length| Some(Extent { gaps, length });
        assert_eq!(extent("abc", "xxabc", 0), found(0, 3));
        // "xbc", a substitution, is preferred to "bc", a deletion.
        assert_eq!(extent("abc", "xxbc", 1), found(0, 3));
        // At the text's start only "bc" is possible.
        assert_eq!(extent("abc", "bc", 1), found(1, 2));
        // "abxc" and "xc" would have two errors or more gaps.
        assert_eq!(extent("abc", "xabxc", 1), found(1, 4));
        // "aabc" has the insertion before the end of a run, where it may be in several positions.
        assert_eq!(extent("aabbcc", "aaabbcc", 0), found(0, 6));
        assert_eq!(extent("abcabc", "abcxabc", 1), found(1, 7));
        assert_eq!(extent("ab", "", 2), found(2, 0));
        assert_eq!(extent("ab", "xx", 2), found(0, 2));
        assert_eq!(extent("ab", "xx", 1), None);
    }

    #[test]
    fn by_the_recurrence() {
        let mut random = fastrand::Rng::with_seed(5);
        for case in 0..3000 {
            let m = if case % 5 == 0 { random.usize(55..200) } else { random.usize(1..12) };
            let symbols = random.u8(1..5);
            let pattern: Vec<u8> = (0..m).map(|_| random.u8(..symbols)).collect();
            let mut text = pattern.clone();
            for _ in 0..random.usize(..=m / 3 + 1) {
                let at = random.usize(..=text.len());
                match random.u8(..3) {
                    0 => text.insert(at, random.u8(..symbols)),
                    1 if at < text.len() => drop(text.remove(at)),
                    _ if at < text.len() => text[at] = random.u8(..symbols),
                    _ => {}
                }
            }
            text.extend((0..random.usize(..20)).map(|_| random.u8(..symbols)));
            text.truncate(random.usize(text.len() / 2..=text.len() + m));
            let pattern = if case % 3 == 0 { Pattern::with_wildcard(&pattern, 1) } else { Pattern::literal(&pattern) };
            check(&text, &pattern);
        }
    }

    /// More columns than are kept, so they are computed twice, in stretches.
    #[test]
    fn long_patterns() {
        let mut random = fastrand::Rng::with_seed(6);
        for errors in [3, 400] {
            let pattern: Vec<u8> = (0..6000).map(|_| random.u8(..4)).collect();
            let mut text = pattern.clone();
            for _ in 0..errors {
                let at = random.usize(..text.len());
                match random.u8(..3) {
                    0 => text.insert(at, random.u8(..4)),
                    1 => drop(text.remove(at)),
                    _ => text[at] = random.u8(..4),
                }
            }
            text.extend([0; 99]);
            check(&text, &Pattern::literal(&pattern));
        }
    }
}
