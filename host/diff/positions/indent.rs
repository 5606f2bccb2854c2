//! Which place of a change the indentation is for.
//!
//! After git's indent heuristic (M. Haggerty, 2016): where a change is put, the text is split twice, before its first line and after its last
//! one. A split is good before a line that is indented less than those around it, or after blank lines: there a block begins. Each split has a
//! score, of which the lowest sum is the best place; of several, the last one.

use crate::text::Units;
use std::cmp::Ordering;
use std::ops::Range;

/// Columns of a line's indentation that count, at most.
const MOST_INDENT: usize = 200;

/// Blank lines in succession that count, at most.
const MOST_BLANKS: usize = 20;

/// How much one more place to the left counts, against all else below.
const INDENT: i64 = 60;

// Costs of a split, which git's author fitted to how people placed some thousands of changes; less than 0 is a gain.
const AT_START: i64 = 1;
const AT_END: i64 = 21;
const BLANK: i64 = -30;
const BLANK_AFTER: i64 = 6;

/// What a line costs that is indented otherwise than the one before it: without blank lines between them, and with some.
struct Cost(i64, i64);
const MORE: Cost = Cost(-4, 10);
/// Less than the one before it, and less than the one after it.
const LESS_THAN_BOTH: Cost = Cost(24, 17);
/// Less than the one before it, and not less than the one after it.
const LESS: Cost = Cost(23, 17);

/// The lines of both texts.
pub(in crate::diff) struct Indents<'u> {
    units: [&'u Units<'u>; 2],
}

/// What a split is worth: how far the line after it is indented, and what it costs.
#[derive(Clone, Copy, Default)]
struct Score {
    indent: i64,
    cost: i64,
}

impl Score {
    /// Which one is better: the lesser.
    fn order(self, other: Self) -> Ordering {
        let indent = match self.indent.cmp(&other.indent) {
            Ordering::Less => -INDENT,
            Ordering::Equal => 0,
            Ordering::Greater => INDENT,
        };
        (indent + self.cost - other.cost).cmp(&0)
    }
}

impl<'u> Indents<'u> {
    pub fn new(units: [&'u Units<'u>; 2]) -> Self {
        Self { units }
    }

    /// How many lines up from `last`, the last place of a change in one of the texts, its best place is; `most` at most.
    pub fn best(&self, side: usize, last: Range<usize>, most: usize) -> usize {
        let Some(lines) = self.units.get(side) else { return 0 };
        let score = |back: usize| {
            let start = score(lines, last.start - back);
            let end = score(lines, last.end - back);
            Score { indent: start.indent + end.indent, cost: start.cost + end.cost }
        };
        if most == 0 {
            return 0;
        }
        let mut best = most;
        let mut least = score(most);
        for back in (0..most).rev() {
            let next = score(back);
            if next.order(least).is_le() {
                (best, least) = (back, next);
            }
        }
        best
    }
}

/// The columns before the first letter of a line; none for a blank one.
fn indent(line: &[u8]) -> Option<usize> {
    let mut column = 0;
    for byte in line {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 8 - column % 8,
            b'\n' | b'\r' | b'\x0b' | b'\x0c' => (),
            _ => return Some(column),
        }
        if column >= MOST_INDENT {
            return Some(MOST_INDENT);
        }
    }
    None
}

/// The first line that is not blank: how many blank ones are before it, and its indentation; none at the end of the text, or after as many blank
/// ones as count.
fn first_text<'l>(lines: impl Iterator<Item = &'l [u8]>) -> (usize, Option<usize>) {
    let mut blanks = 0;
    for line in lines {
        match indent(line) {
            Some(columns) => return (blanks, Some(columns)),
            None => blanks += 1,
        }
        if blanks == MOST_BLANKS {
            // As if a line that is not indented followed.
            return (blanks, Some(0));
        }
    }
    (blanks, None)
}

/// The score of a split before a line.
fn score(lines: &Units<'_>, at: usize) -> Score {
    let (blanks_before, before) = first_text((0..at).rev().map(|i| lines.get(i)));
    let here = if at < lines.len() { indent(lines.get(at)) } else { None };
    let (blanks_after, after) = first_text((at + 1..lines.len()).map(|i| lines.get(i)));
    let mut cost = 0;
    if before.is_none() && blanks_before == 0 {
        cost += AT_START;
    }
    if at >= lines.len() {
        cost += AT_END;
    }
    // A blank line here counts with those after it.
    let blanks_after = if here.is_none() { 1 + blanks_after } else { 0 };
    let blanks = blanks_before + blanks_after;
    cost += BLANK * blanks as i64 + BLANK_AFTER * blanks_after as i64;
    let text = here.or(after);
    let of = |Cost(without, with): Cost| if blanks > 0 { with } else { without };
    if let (Some(text), Some(before)) = (text, before) {
        cost += match text.cmp(&before) {
            Ordering::Greater => of(MORE),
            Ordering::Equal => 0,
            Ordering::Less if after.is_some_and(|after| after > text) => of(LESS_THAN_BOTH),
            Ordering::Less => of(LESS),
        };
    }
    Score { indent: text.map_or(-1, |text| text as i64), cost }
}

#[cfg(test)]
mod tests {
    use crate::diff::{Comparison, Layout};

    fn unified(a: &str, b: &str) -> String {
        let diff = Comparison::new().compare(a.as_bytes(), b.as_bytes()).unwrap();
        let mut text = Vec::new();
        diff.write_unified(&mut text, &Layout::default()).unwrap();
        String::from_utf8(text).unwrap()
    }

    /// The example that git's manual gives for the heuristic: a function is inserted, and not the end of one and the beginning of another.
    #[test]
    fn a_function_is_inserted_as_a_whole() {
        let function = |name: &str| format!("def {name}():\n    if x:\n        y\n    return 0\n\n");
        let (a, b) = (function("a") + &function("c"), function("a") + &function("b") + &function("c"));
        let expected = "@@ -3,6 +3,11 @@\n         y\n     return 0\n \n+def b():\n+    if x:\n+        y\n+    return 0\n+\n def c():\n     if x:\n         y\n";
        assert_eq!(unified(&a, &b), expected);
        // What begins as the next one does.
        let function = |name: &str| format!("# What it does.\ndef {name}():\n    return 0\n\n");
        let found = unified(&(function("a") + &function("c")), &(function("a") + &function("b") + &function("c")));
        assert!(found.contains(" \n+# What it does.\n+def b():\n+    return 0\n+\n # What"), "{found}");
        // A block in braces, without blank lines.
        let block = |name: &str| format!("    if x {{\n        {name};\n    }}\n");
        let (a, b) = (
            format!("{{\n{}{}}}\n", block("a"), block("c")),
            format!("{{\n{}{}{}}}\n", block("a"), block("b"), block("c")),
        );
        let found = unified(&a, &b);
        assert!(found.contains("     }\n+    if x {\n+        b;\n+    }\n     if x {\n"), "{found}");
    }

    #[test]
    fn at_the_start_and_the_end() {
        assert_eq!(unified("a\n", "a\n\na\n"), "@@ -1 +1,3 @@\n a\n+\n+a\n");
        let many = "\n".repeat(50);
        // Blank lines only.
        assert!(unified(&many, &(many.clone() + "\n")).contains("+\n"));
    }
}
