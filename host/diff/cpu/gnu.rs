//! The shortest script that GNU diff prints.
//!
//! `diff -d` follows furthest-reaching paths through all lines. `diff` first drops lines: those
//! that the other text does not have, and, in stretches with many of these, some that the other
//! text has often, such as blank lines. Dropping the latter may make the script longer than the
//! shortest one. If so, this module does not use it.

use super::algorithm::{CpuAlgorithm, Request};
use crate::Result;
use crate::algorithm::About;
use crate::alignment::Run;
use crate::lcs::items::matches;
use crate::pairwise::furthest::{self, Budget};
use crate::text::numbered::Numbered;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "gnu",
        "the shortest script that GNU diff prints (with --minimal, that of diff -d), if differences are few",
        "GNU diff 3.8, Myers 1986",
        "an LCS, and at most a million steps",
    ),
    runs,
};

/// Upper bound on the steps of the search for GNU diff's script, a few milliseconds. With more
/// differences the result is another shortest script.
const STEPS: u64 = 1 << 20;
const BUDGET: Budget = Budget { first: STEPS, most: STEPS };

/// Finds the matches of a shortest script: that of `diff -d` or of `diff`.
fn runs(&Request { numbered: Numbered { a, b, kinds }, is_minimal, options }: &Request<'_>) -> Result<Vec<Run>> {
    if is_minimal {
        return match furthest::runs(a, b, BUDGET) {
            Some(runs) => {
                (options.progress)((a.len() + b.len()) as u64);
                Ok(runs)
            }
            None => matches::runs(a, b, options),
        };
    }
    let shortest = matches::runs(a, b, options)?;
    let [of_a, of_b] = [a, b].map(|lines| counts(lines, *kinds));
    let fates_a = fates(a, &of_b);
    let fates_b = fates(b, &of_a);
    // If no line may be dropped, a second search would find the same script.
    if ![&fates_a, &fates_b].into_iter().flatten().any(|fate| *fate == Fate::MayGo) {
        return Ok(shortest);
    }
    let kept_a = kept(a, &fates_a);
    let kept_b = kept(b, &fates_b);
    let found = furthest::runs(&numbers(a, &kept_a), &numbers(b, &kept_b), BUDGET);
    let len = |runs: &[Run]| runs.iter().map(|run| run.len).sum::<u64>();
    match found {
        Some(found) if len(&found) == len(&shortest) => Ok(put_back(&found, &kept_a, &kept_b)),
        _ => Ok(shortest),
    }
}

/// Fate of a line before the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    /// Dropped if it lies among dropped lines.
    MayGo,
    /// The other text does not have it.
    Goes,
}

/// Counts the occurrences of each number in a text.
fn counts(lines: &[u32], kinds: u32) -> Vec<u32> {
    let mut counts = vec![0u32; kinds as usize];
    for &line in lines {
        if let Some(count) = counts.get_mut(line as usize) {
            *count = count.saturating_add(1);
        }
    }
    counts
}

/// Returns the fates of a text's lines, given how often each line occurs in the other text.
fn fates(lines: &[u32], in_other: &[u32]) -> Vec<Fate> {
    // About five times the square root of the number of lines, divided by eight.
    let mut many = 5;
    let mut rest = lines.len() / 64 / 4;
    while rest > 0 {
        many *= 2;
        rest /= 4;
    }
    let fate = |&line: &u32| match in_other.get(line as usize).copied().unwrap_or(0) {
        0 => Fate::Goes,
        count if count > many => Fate::MayGo,
        _ => Fate::Stays,
    };
    let mut fates: Vec<Fate> = lines.iter().map(fate).collect();
    let mut at = 0;
    while let Some(fate) = fates.get_mut(at) {
        if *fate != Fate::Goes {
            *fate = Fate::Stays;
            at += 1;
            continue;
        }
        // A stretch of lines that are or may be dropped; it ends with a dropped one.
        let rest = fates.get_mut(at..).unwrap_or_default();
        let len = rest.iter().position(|fate| *fate == Fate::Stays).unwrap_or(rest.len());
        let (stretch, _) = rest.split_at_mut(len);
        let end = stretch.iter().rposition(|fate| *fate == Fate::Goes).map_or(0, |last| last + 1);
        let (stretch, tail) = stretch.split_at_mut(end);
        tail.fill(Fate::Stays);
        decide(stretch);
        at += len;
    }
    fates
}

/// Decides which lines of a stretch, among those that may be dropped, stay. The rest are dropped.
fn decide(stretch: &mut [Fate]) {
    let unsure = stretch.iter().filter(|fate| **fate == Fate::MayGo).count();
    let stays = |fate: &mut Fate| {
        if *fate == Fate::MayGo {
            *fate = Fate::Stays;
        }
    };
    if 4 * unsure > stretch.len() {
        return stretch.iter_mut().for_each(stays);
    }
    // Lines that may be dropped stay if there are many in succession: about the square root of a
    // quarter of the stretch.
    let mut least = 1;
    let mut rest = stretch.len() / 4 / 4;
    while rest > 0 {
        least *= 2;
        rest /= 4;
    }
    for part in stretch.chunk_by_mut(|one, next| one == next) {
        if part.len() > least {
            part.iter_mut().for_each(stays);
        }
    }
    spare_first(stretch.iter_mut());
    spare_first(stretch.iter_mut().rev());
}

/// Keeps the droppable lines near one end of a stretch: up to the third dropped line in succession,
/// or up to a dropped line after the first eight lines.
fn spare_first<'f>(stretch: impl Iterator<Item = &'f mut Fate>) {
    let mut in_succession = 0;
    for (at, fate) in stretch.enumerate() {
        match *fate {
            Fate::Goes if at >= 8 => return,
            Fate::Goes => in_succession += 1,
            _ => {
                *fate = Fate::Stays;
                in_succession = 0;
            }
        }
        if in_succession == 3 {
            return;
        }
    }
}

/// Returns the positions of the lines that stay.
fn kept(lines: &[u32], fates: &[Fate]) -> Vec<usize> {
    let stays = lines.iter().zip(fates).enumerate().filter(|(_, (_, fate))| **fate == Fate::Stays);
    stays.map(|(place, _)| place).collect()
}

fn numbers(lines: &[u32], places: &[usize]) -> Vec<u32> {
    places.iter().filter_map(|&place| lines.get(place).copied()).collect()
}

/// Maps runs among the kept lines to positions in the whole texts.
fn put_back(found: &[Run], kept_a: &[usize], kept_b: &[usize]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for run in found {
        let of_a = kept_a.iter().skip(run.a_start as usize);
        let of_b = kept_b.iter().skip(run.b_start as usize);
        for (&x, &y) in of_a.zip(of_b).take(run.len as usize) {
            let x = x as u64;
            let y = y as u64;
            match runs.last_mut() {
                Some(last) if last.ends() == (x, y) => last.len += 1,
                _ => runs.push(Run { a_start: x, b_start: y, len: 1 }),
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use crate::diff::Comparison;

    /// Returns changes as numbers of the normal format.
    fn changes(a: &str, b: &str, is_minimal: bool) -> Vec<[usize; 4]> {
        let lines = |text: &str| text.chars().map(|c| format!("{c}\n")).collect::<String>();
        let comparison = Comparison::new().indent_heuristic(false).minimal(is_minimal);
        let (a, b) = (lines(a), lines(b));
        let diff = comparison.compare(a.as_bytes(), b.as_bytes()).unwrap();
        diff.changes().iter().map(|change| [change.a.start, change.a.end, change.b.start, change.b.end]).collect()
    }

    /// The expected changes are those of GNU diff 3.8, without and with `-d`.
    #[test]
    fn scripts_are_those_of_gnu_diff() {
        assert_eq!(changes("bdXbbe", "db", false), [[0, 1, 0, 0], [2, 4, 1, 1], [5, 6, 2, 2]]);
        assert_eq!(changes("bdXbbe", "db", true), [[0, 1, 0, 0], [2, 3, 1, 1], [4, 6, 2, 2]]);
        for is_minimal in [false, true] {
            assert_eq!(changes("xxabxx", "abab", is_minimal), [[0, 2, 0, 0], [4, 6, 2, 4]]);
            assert_eq!(changes("aabxab", "abxaab", is_minimal), [[1, 2, 1, 1], [4, 4, 3, 4]]);
        }
    }
}
