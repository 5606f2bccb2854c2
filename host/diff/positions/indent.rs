//! The position of a change that suits the indentation best.
//!
//! Follows git's indent heuristic (M. Haggerty, 2016). A change at a position splits the text
//! twice, before its first line and after its last line. A split is good before a line that is
//! indented less than the lines around it, or after blank lines, since a block begins there. Each
//! split has a score. The best position has the lowest sum of its two scores, and the last of
//! equals wins.

use crate::text::Units;
use std::cmp::Ordering;
use std::ops::Range;

/// Upper bound on the columns of indentation that count.
const MAX_INDENT: usize = 200;

/// Upper bound on the blank lines in succession that count.
const MAX_BLANKS: usize = 20;

/// Weight of a difference in indentation, against the sum of all costs below.
const INDENT: i64 = 60;

// Costs of a split, which git's author fitted to some thousands of changes as people would position
// them. A negative cost is a gain.
const AT_START: i64 = 1;
const AT_END: i64 = 21;
const BLANK: i64 = -30;
const BLANK_AFTER: i64 = 6;

/// Costs of a line with another indentation than the line before it: without and with blank lines
/// between them.
struct Cost(i64, i64);
const MORE: Cost = Cost(-4, 10);
/// The line is indented less than the line before it and less than the line after it.
const LESS_THAN_BOTH: Cost = Cost(24, 17);
/// The line is indented less than the line before it, but not less than the line after it.
const LESS: Cost = Cost(23, 17);

/// The lines of both texts.
pub(in crate::diff) struct Indents<'u> {
    units: [&'u Units<'u>; 2],
}

/// Score of a split: the indentation of the line after it, and the cost.
#[derive(Clone, Copy, Default)]
struct Score {
    indent: i64,
    cost: i64,
}

impl Score {
    /// Orders two scores; the lesser one is better.
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

    /// Returns the best position of a change in one of the texts, as a number of lines up from
    /// `last`, its last position; at most `most`.
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

/// Returns the columns before the first letter of a line, or `None` for a blank line.
fn indent(line: &[u8]) -> Option<usize> {
    let mut column = 0;
    for byte in line {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 8 - column % 8,
            b'\n' | b'\r' | b'\x0b' | b'\x0c' => (),
            _ => return Some(column),
        }
        if column >= MAX_INDENT {
            return Some(MAX_INDENT);
        }
    }
    None
}

/// Finds the first line that is not blank. Returns the number of blank lines before it and its
/// indentation, or `None` for the indentation if the text ends first. Past the bound on blank
/// lines, the indentation is 0.
fn first_text<'l>(lines: impl Iterator<Item = &'l [u8]>) -> (usize, Option<usize>) {
    let mut blanks = 0;
    for line in lines {
        match indent(line) {
            Some(columns) => return (blanks, Some(columns)),
            None => blanks += 1,
        }
        if blanks == MAX_BLANKS {
            // As if a line that is not indented followed.
            return (blanks, Some(0));
        }
    }
    (blanks, None)
}

/// Returns the score of a split before a line.
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
    // A blank line at the split counts with those after it.
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

    /// The example of git's manual for the heuristic: the script inserts a whole function, not the
    /// end of one and the beginning of another.
    #[test]
    fn a_function_is_inserted_as_a_whole() {
        let function = |name: &str| format!("def {name}():\n    if x:\n        y\n    return 0\n\n");
        let (a, b) = (function("a") + &function("c"), function("a") + &function("b") + &function("c"));
        let expected = "@@ -3,6 +3,11 @@\n         y\n     return 0\n \n+def b():\n+    if x:\n+        y\n+    return 0\n+\n def c():\n     if x:\n         y\n";
        assert_eq!(unified(&a, &b), expected);
        // The new function begins with the same line as the next one.
        let function = |name: &str| format!("# What it does.\ndef {name}():\n    return 0\n\n");
        let found = unified(&(function("a") + &function("c")), &(function("a") + &function("b") + &function("c")));
        assert!(found.contains(" \n+# What it does.\n+def b():\n+    return 0\n+\n # What"), "{found}");
        // A block in braces, without blank lines around it.
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
