//! The hits of a search, straight from the definition in docs/search.md: every part of the text
//! with its errors and gaps.

use super::edits;
use carrywave::search::{Beyond, Hit};
use carrywave::text::{Pattern, Strand};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Rule for overlapping occurrences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Apart,
    Overlapping,
    EachEnd,
}

/// A part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    start: usize,
    end: usize,
    errors: u32,
    gaps: u32,
}

impl Part {
    pub fn hit(&self, record: usize, pattern: usize, strand: Strand) -> Hit {
        Hit {
            record,
            start: self.start as u64,
            end: self.end as u64,
            pattern,
            strand,
            errors: self.errors,
            beyond: Beyond::NONE,
        }
    }

    /// Returns the rank of a part; the least is the best.
    fn rank(&self) -> (u32, u32, Reverse<usize>) {
        (self.errors, self.gaps, Reverse(self.end - self.start))
    }
}

/// Returns every part with at most k errors. For each start, computes the table of the pattern and
/// the rest of the text, with the least pair of errors and gaps in each cell.
fn all(text: &[u8], pattern: &Pattern, k: u32) -> Vec<Part> {
    let (m, classes, mut parts) = (pattern.len(), pattern.classes(), Vec::new());
    for start in 0..=text.len() {
        let rest = &text[start..];
        let differ = |i: usize, j: usize| u32::from(!classes[i - 1].contains(rest[j - 1]));
        let columns = edits::columns(
            (m, rest.len()),
            |j| (j as u32, j as u32),
            |(errors, gaps)| (errors + 1, gaps + 1),
            |(errors, gaps), i, j| (errors + differ(i, j), gaps),
        );
        for (len, column) in columns.enumerate() {
            let (errors, gaps) = column[m];
            if errors <= k {
                parts.push(Part { start, end: start + len, errors, gaps });
            }
        }
    }
    parts
}

/// Upper bounds: errors in total, substitutions, insertions and deletions.
pub type Limits = [u32; 4];

/// Returns every part that has an alignment within the limits. For each start, computes the table
/// of the pattern and the rest of the text, with all possible numbers of substitutions, insertions
/// and deletions in each cell. Fixed positions have no error, and there is none between two
/// adjacent ones, nor beyond one at an end of the pattern.
fn all_within(text: &[u8], pattern: &Pattern, limits: Limits) -> Vec<Part> {
    let [k, most_substitutions, most_insertions, most_deletions] = limits;
    let (m, classes, mut parts) = (pattern.len(), pattern.classes(), Vec::new());
    let within = |&(s, i, d): &(u32, u32, u32)| {
        s + i + d <= k && s <= most_substitutions && i <= most_insertions && d <= most_deletions
    };
    for start in 0..=text.len() {
        let rest = &text[start..text.len().min(start + m + most_insertions as usize)];
        let mut table = vec![vec![BTreeSet::new(); rest.len() + 1]; m + 1];
        table[0][0].insert((0, 0, 0));
        for row in 0..=m {
            for len in 0..=rest.len() {
                let mut cell = table[row][len].clone();
                if row > 0 && len > 0 {
                    let matches = classes[row - 1].contains(rest[len - 1]);
                    if matches || !pattern.is_fixed(row - 1) {
                        cell.extend(table[row - 1][len - 1].iter().map(|&(s, i, d)| (s + u32::from(!matches), i, d)));
                    }
                }
                let before = row == 0 || pattern.is_fixed(row - 1);
                let behind = row == m || pattern.is_fixed(row);
                if len > 0 && !(pattern.has_fixed() && before && behind) {
                    cell.extend(table[row][len - 1].iter().map(|&(s, i, d)| (s, i + 1, d)));
                }
                if row > 0 && !pattern.is_fixed(row - 1) {
                    cell.extend(table[row - 1][len].iter().map(|&(s, i, d)| (s, i, d + 1)));
                }
                cell.retain(within);
                table[row][len] = cell;
            }
        }
        for (len, cell) in table[m].iter().enumerate() {
            if let Some((errors, gaps)) = cell.iter().map(|&(s, i, d)| (s + i + d, i + d)).min() {
                parts.push(Part { start, end: start + len, errors, gaps });
            }
        }
    }
    parts
}

/// Returns the reported parts with at most k errors.
pub fn occurrences(text: &[u8], pattern: &Pattern, k: u32, rule: Rule, strand: Strand) -> Vec<Part> {
    told(all(text, pattern, k), text.len(), rule, strand)
}

/// Returns the reported parts within the limits.
pub fn occurrences_within(text: &[u8], pattern: &Pattern, limits: Limits, rule: Rule, strand: Strand) -> Vec<Part> {
    told(all_within(text, pattern, limits), text.len(), rule, strand)
}

/// Selects the parts to report.
fn told(all: Vec<Part>, n: usize, rule: Rule, strand: Strand) -> Vec<Part> {
    let best_of = |same: &dyn Fn(&Part) -> bool| all.iter().filter(|part| same(part)).map(Part::rank).min();
    let best_of_end = |part: &&Part| best_of(&|other| other.end == part.end) == Some(part.rank());
    let best_of_start = |part: &&Part| best_of(&|other| other.start == part.start) == Some(part.rank());
    match (rule, strand) {
        (Rule::EachEnd, Strand::Forward) => all.iter().filter(best_of_end).copied().collect(),
        (Rule::EachEnd, Strand::Reverse) => all.iter().filter(best_of_start).copied().collect(),
        (Rule::Overlapping, _) => all.iter().filter(best_of_end).filter(best_of_start).copied().collect(),
        (Rule::Apart, _) => {
            let mut rest = told(all, n, Rule::Overlapping, strand);
            let along = |part: &Part| if strand == Strand::Forward { part.start } else { n - part.end };
            let mut told = Vec::new();
            while let Some(best) = rest.iter().min_by_key(|part| (part.rank(), along(part))).copied() {
                told.push(best);
                rest.retain(|part| part.end <= best.start || best.end <= part.start);
            }
            told
        }
    }
}
