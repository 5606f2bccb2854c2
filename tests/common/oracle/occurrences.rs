//! Which parts of a text are hits, straight from the definition in docs/search.md: every part, its errors and gaps.

use super::edits;
use carrywave::search::{Hit, Pattern, Strand};
use std::cmp::Reverse;

/// Which occurrences are asked for.
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
        Hit { record, start: self.start as u64, end: self.end as u64, pattern, strand, errors: self.errors }
    }

    /// The less the better.
    fn rank(&self) -> (u32, u32, Reverse<usize>) {
        (self.errors, self.gaps, Reverse(self.end - self.start))
    }
}

/// Every part with at most k errors: for each start the table of the pattern and all that follows, a cell being the least pair of
/// errors and gaps.
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

/// The parts that are told.
pub fn occurrences(text: &[u8], pattern: &Pattern, k: u32, rule: Rule, strand: Strand) -> Vec<Part> {
    let all = all(text, pattern, k);
    let best_of = |same: &dyn Fn(&Part) -> bool| all.iter().filter(|part| same(part)).map(Part::rank).min();
    let best_of_end = |part: &&Part| best_of(&|other| other.end == part.end) == Some(part.rank());
    let best_of_start = |part: &&Part| best_of(&|other| other.start == part.start) == Some(part.rank());
    match (rule, strand) {
        (Rule::EachEnd, Strand::Forward) => all.iter().filter(best_of_end).copied().collect(),
        (Rule::EachEnd, Strand::Reverse) => all.iter().filter(best_of_start).copied().collect(),
        (Rule::Overlapping, _) => all.iter().filter(best_of_end).filter(best_of_start).copied().collect(),
        (Rule::Apart, _) => {
            let mut rest = occurrences(text, pattern, k, Rule::Overlapping, strand);
            let along = |part: &Part| if strand == Strand::Forward { part.start } else { text.len() - part.end };
            let mut told = Vec::new();
            while let Some(best) = rest.iter().min_by_key(|part| (part.rank(), along(part))).copied() {
                told.push(best);
                rest.retain(|part| part.end <= best.start || best.end <= part.start);
            }
            told
        }
    }
}
