//! Runs of changes that read as one.
//!
//! A shortest script of words matches whatever it can. In two unrelated sentences it matches the
//! spaces between words, the commas, and an "and" here and there. Printed with marks, such matches
//! cut a replaced passage into shreds, so the output shows them as part of the change around them.
//! The script and its length stay the same.

use crate::diff::changes::{Change, Diff};
use std::ops::Range;

/// If both changes have at least this many times as many words as the common words between them,
/// the common words are printed as part of the change.
const LARGER: usize = 3;

/// A change with its number of words.
struct Sized {
    change: Change,
    /// Number of words deleted or inserted, whichever is larger.
    words: usize,
    /// Common units between the previous change and this one.
    before: Common,
}

/// Common units of A between two changes. They are counted only as far as a decision needs, since
/// most of a text is common.
struct Common {
    /// Units not counted yet.
    rest: Range<usize>,
    words: usize,
    has_line_feed: bool,
    /// True if a counted character is neither white space nor a part of a word.
    has_punctuation: bool,
}

impl Common {
    fn new(units: Range<usize>) -> Self {
        Self { rest: units, words: 0, has_line_feed: false, has_punctuation: false }
    }

    fn count(&mut self, unit: &[u8]) {
        if is_word(unit) {
            self.words += 1;
        } else {
            // Combining accents may follow a line feed in its unit.
            self.has_line_feed |= unit.starts_with(b"\n");
            self.has_punctuation |= !is_blank(unit);
        }
    }

    /// Returns how strongly the counted units hold both changes apart; 0 does not. The end of a
    /// line, as in `);`, counts as one word.
    fn weight(&self) -> usize {
        self.words.max(usize::from(self.has_line_feed && self.has_punctuation))
    }
}

impl Diff<'_> {
    /// Returns the changes of a script of words, joined unless an anchor lies between them.
    ///
    /// Units between two changes are an anchor if they contain words, or a line feed and another
    /// symbol, unless both changes have at least [`LARGER`] times as many words. White space alone
    /// is never an anchor, and neither is punctuation within a line.
    pub(in crate::diff) fn joined(&self) -> Vec<Change> {
        let mut joined: Vec<Sized> = Vec::new();
        let mut from = 0;
        for change in self.changes.iter().filter(|change| !change.is_ignored) {
            let before = Common::new(from..change.a.start);
            from = change.a.end;
            joined.push(Sized { change: change.clone(), words: self.words(change), before });
            while let [.., one, next] = &mut joined[..]
                && !self.is_anchor(&mut next.before, one.words.min(next.words))
            {
                let Some(next) = joined.pop() else { break };
                let Some(one) = joined.pop() else { break };
                let a = one.change.a.start..next.change.a.end;
                let b = one.change.b.start..next.change.b.end;
                let words = one.words + next.before.words + next.words;
                joined.push(Sized { change: Change::new(a, b), words, before: one.before });
            }
        }
        joined.into_iter().map(|sized| sized.change).collect()
    }

    /// Returns true if common units hold two changes apart. The smaller change has `words` words.
    /// If the result is false, all units have been counted.
    fn is_anchor(&self, common: &mut Common, words: usize) -> bool {
        let holds = |common: &Common| common.weight().saturating_mul(LARGER) > words;
        while !holds(common)
            && let Some(unit) = common.rest.next()
        {
            common.count(self.a.get(unit));
        }
        holds(common)
    }

    /// Returns the number of words deleted or inserted, whichever is larger.
    fn words(&self, change: &Change) -> usize {
        let count = |units: &crate::text::Units<'_>, range: &Range<usize>| {
            units.slice(range.clone()).filter(|unit| is_word(unit)).count()
        };
        count(&self.a, &change.a).max(count(&self.b, &change.b))
    }
}

/// Returns true for a word, and false for white space and punctuation.
fn is_word(unit: &[u8]) -> bool {
    let first = unit.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    first.is_some_and(|first| first.is_alphanumeric() || first == '_')
}

/// Returns true for a text of white space alone, or an empty one.
pub(in crate::diff) fn is_blank(text: &[u8]) -> bool {
    text.utf8_chunks().all(|chunk| chunk.invalid().is_empty() && chunk.valid().chars().all(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Comparison;
    use crate::text::Unit;

    fn replaced(a: &str, b: &str) -> Vec<(String, String)> {
        let diff = Comparison::new().unit(Unit::Word).compare(a.as_bytes(), b.as_bytes()).unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let pair = |change: Change| (text(diff.a.bytes(change.a)), text(diff.b.bytes(change.b)));
        diff.joined().into_iter().map(pair).collect()
    }

    #[test]
    fn white_space_and_punctuation_are_no_anchors() {
        assert_eq!(replaced("one two\nthree", "1 2\n3"), [("one two\nthree".into(), "1 2\n3".into())]);
        assert_eq!(replaced("a, b", "c, d"), [("a, b".into(), "c, d".into())]);
        assert_eq!(replaced("f();\ng();\n", "h();\ni();\n").len(), 2);
        assert_eq!(replaced("one and three", "1 and 3").len(), 2);
        assert_eq!(replaced("one two three of four five six", "a b c of d e f").len(), 1);
        assert_eq!(replaced("one two three of four five", "a b c of d e").len(), 2);
    }

    /// The units between two joined changes are more than white space, and the changes still turn A
    /// into B.
    #[test]
    fn joined_changes_are_a_script() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let mut text = || {
                let words = ["a", "b", "c", " ", " ", "\n", ", ", "  \n", "\u{a0}", "é"];
                (0..random.usize(..40)).map(|_| words[random.usize(..words.len())]).collect::<String>()
            };
            let (a, b) = (text(), text());
            let diff = Comparison::new().unit(Unit::Word).compare(a.as_bytes(), b.as_bytes()).unwrap();
            let (mut from_a, mut from_b) = (0, 0);
            for (i, Change { a: of_a, b: of_b, .. }) in diff.joined().into_iter().enumerate() {
                let kept = diff.a.bytes(from_a..of_a.start);
                assert_eq!(kept, diff.b.bytes(from_b..of_b.start), "{a:?} {b:?}");
                assert!(i == 0 || !is_blank(kept), "{a:?} {b:?}");
                (from_a, from_b) = (of_a.end, of_b.end);
            }
            assert_eq!(diff.a.bytes(from_a..diff.a.len()), diff.b.bytes(from_b..diff.b.len()), "{a:?} {b:?}");
        }
    }
}
