//! The alleles that a haplotype combines: paths from one allele to later ones that a site may cover
//! together with it.
//!
//! Each path belongs to the first alternative allele that a site covers. It goes on as far as the
//! longest site reaches, so a site with several alleles is found on the path of its first one.
//!
//! ```text
//! reference  ───────A───B────────C──     reach of A: B, not C
//! paths      A, A B, B, B C, C
//! ```
//!
//! The haplotype of a sample may have alleles before the first one. They are on the path too, so
//! that a site that covers them is not mistaken for one that does not.

use super::allele::Allele;
use std::collections::BTreeSet;
use std::ops::Range;

/// Largest number of paths that begin with one allele.
const MOST: usize = 1 << 10;

/// The paths of an allele.
#[derive(Debug, Default)]
pub(super) struct Paths {
    /// Those with the fewest alleles come first.
    pub all: Vec<Path>,
    /// True if there are more.
    pub is_limited: bool,
}

/// Alleles of one haplotype.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    /// Indices of the alleles, ascending.
    pub alleles: Vec<usize>,
    /// Start of the haplotype in the reference.
    pub start: u64,
    /// Number of bases behind the last allele that a site may cover.
    pub left: u64,
}

/// The end of a path so far.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Position in the reference behind the last allele.
    end: u64,
    /// Number of bases that a site may have from there on.
    left: u64,
}

/// The alleles of a record, and the number of bases of the longest site.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach<'a> {
    pub alleles: &'a [Allele],
    pub reach: u64,
    /// Largest number of bases that an allele replaces.
    longest: u64,
}

impl<'a> Reach<'a> {
    pub fn new(alleles: &'a [Allele], reach: u64) -> Self {
        let lengths = alleles.iter().map(|allele| allele.replaced().end - allele.replaced().start);
        Self { alleles, reach, longest: lengths.max().unwrap_or(0) }
    }

    /// Returns the paths of the allele `first`. With genotypes that are phased, only those that a
    /// sample has.
    pub fn paths(&self, first: usize) -> Paths {
        let (near, is_limited) = self.near(first);
        let is_known = |&index: &usize| self.alleles[index].is_phased && self.alleles[index].carriers.is_some();
        let known = (first..near.end).chain(self.before(first)).all(|index| is_known(&index));
        let mut paths = if known { self.carried(first, near) } else { self.combined(first, near) };
        paths.is_limited |= is_limited;
        paths
    }

    /// Returns the alleles that a site may cover together with `first`, and that are before it; of
    /// the last [`MOST`].
    fn before(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let mut frontier = self.first(first).start.saturating_sub(self.reach - 1);
        let mut before = (first.saturating_sub(MOST)..first).rev();
        std::iter::from_fn(move || {
            loop {
                let index = before.next()?;
                let Range { start, end } = self.alleles[index].replaced();
                if end > frontier {
                    frontier = frontier.saturating_sub(end - start);
                    return Some(index);
                }
                if start.saturating_add(self.longest) <= frontier {
                    return None;
                }
            }
        })
    }

    fn first(&self, first: usize) -> Range<u64> {
        self.alleles[first].replaced()
    }

    /// Returns the path of one allele so far.
    fn begin(&self, first: usize) -> Step {
        Step { end: self.first(first).end, left: self.reach - 1 }
    }

    /// Returns the alleles that a site may cover together with `first`, at most [`MOST`], and
    /// whether there are more.
    fn near(&self, first: usize) -> (Range<usize>, bool) {
        let Step { end, left } = self.begin(first);
        let mut frontier = end.saturating_add(left);
        let mut last = first + 1;
        while let Some(next) = self.alleles.get(last).filter(|next| next.replaced().start < frontier) {
            if last - first == MOST {
                return (first + 1..last, true);
            }
            let Range { start, end } = next.replaced();
            frontier = frontier.saturating_add(end - start);
            last += 1;
        }
        (first + 1..last, false)
    }

    /// Returns the end of a path after an allele; `None` if no site covers both, or if no haplotype
    /// has both.
    fn follow(&self, path: &[usize], step: Step, next: usize) -> Option<Step> {
        let allele = &self.alleles[next];
        let Range { start, end } = allele.replaced();
        let gap = start.checked_sub(step.end).filter(|&gap| gap < step.left)?;
        let is_apart = |&before: &usize| {
            let before = &self.alleles[before];
            before.line != allele.line && before.replaced() != allele.replaced()
        };
        let used = gap.saturating_add(allele.bases().len() as u64);
        path.iter().all(is_apart).then_some(Step { end, left: step.left.saturating_sub(used) })
    }

    /// Returns all combinations, those with fewer alleles first.
    fn combined(&self, first: usize, near: Range<usize>) -> Paths {
        let start = self.first(first).start.saturating_sub(self.reach - 1);
        let mut level = vec![(vec![first], self.begin(first))];
        let mut paths = Paths::default();
        while !level.is_empty() {
            let mut longer = Vec::new();
            for (path, step) in &level {
                let from = near.start.max(path.last().map_or(0, |last| last + 1));
                for next in from..near.end {
                    let Some(step) = self.follow(path, *step, next) else { continue };
                    if paths.all.len() + level.len() + longer.len() == MOST {
                        paths.is_limited = true;
                        break;
                    }
                    longer.push(([&path[..], &[next]].concat(), step));
                }
            }
            let path = |(alleles, Step { left, .. })| Path { alleles, start, left };
            paths.all.extend(level.into_iter().map(path));
            level = longer;
        }
        paths
    }

    /// Returns the paths that a haplotype of a sample has.
    fn carried(&self, first: usize, near: Range<usize>) -> Paths {
        let mut found = BTreeSet::new();
        for &haplotype in self.alleles[first].carriers.iter().flatten() {
            let is_carried = |&next: &usize| self.alleles[next].is_carried_by(haplotype);
            // The alleles before the first one, from the last on.
            let Range { mut start, .. } = self.first(first);
            let (mut alleles, mut room) = (vec![first], self.reach - 1);
            for before in self.before(first).filter(is_carried) {
                let replaced = self.first(before);
                let is_same = self.alleles[before].line == self.alleles[first].line;
                let Some(gap) = start.checked_sub(replaced.end).filter(|_| !is_same) else { continue };
                if gap >= room {
                    break;
                }
                room = room.saturating_sub(gap.saturating_add(self.alleles[before].bases().len() as u64));
                start = replaced.start;
                alleles.insert(0, before);
            }
            let mut step = self.begin(first);
            for next in near.clone().filter(is_carried) {
                if let Some(longer) = self.follow(&alleles, step, next) {
                    alleles.push(next);
                    step = longer;
                }
            }
            found.insert(Path { alleles, start: start.saturating_sub(room), left: step.left });
        }
        let mut all: Vec<Path> = found.into_iter().collect();
        all.sort_by_key(|path| path.alleles.len());
        let is_limited = all.len() > MOST;
        all.truncate(MOST);
        Paths { all, is_limited }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(alleles: &[Allele], first: usize) -> Vec<Vec<usize>> {
        Reach::new(alleles, 10).paths(first).all.into_iter().map(|path| path.alleles).collect()
    }

    #[test]
    fn combinations_within_reach() {
        let at = |line, position| Allele::new(line, position, b"A", b"C");
        let alleles = [at(1, 100), at(2, 105), at(3, 108), at(4, 110)];
        assert_eq!(paths(&alleles, 0), [vec![0], vec![0, 1], vec![0, 2], vec![0, 1, 2]]);
        assert_eq!(paths(&alleles, 3), [[3]]);
        // A deletion between them brings alleles nearer.
        let alleles = [at(1, 100), Allele::new(2, 102, b"CAAAAAAAAAA", b"C"), at(3, 113), at(4, 125)];
        assert_eq!(paths(&alleles, 0), [vec![0], vec![0, 1], vec![0, 1, 2]]);
    }

    #[test]
    fn alleles_that_exclude_one_another() {
        let line = 7;
        let alleles = [
            Allele::new(line, 100, b"AT", b"CT"),
            Allele::new(line, 100, b"AT", b"AG"),
            Allele::new(8, 101, b"TG", b"T"),
            Allele::new(9, 101, b"TG", b"TCCG"),
            Allele::new(10, 101, b"T", b"TA"),
        ];
        assert_eq!(alleles[3].replaced(), 102..102);
        assert_eq!(paths(&alleles, 0), [vec![0], vec![0, 2], vec![0, 3], vec![0, 4]]);
        assert_eq!(paths(&alleles, 3), [[3]]);
    }

    #[test]
    fn haplotypes_of_samples() {
        let at = |line: u64, carriers: &[u32]| {
            let mut allele = Allele::new(line, 100 + 2 * line, b"A", b"C");
            allele.carriers = Some(carriers.into());
            allele
        };
        let mut alleles = [at(0, &[1, 16, 33]), at(1, &[16]), at(2, &[1, 16])];
        assert_eq!(paths(&alleles, 0), [vec![0], vec![0, 2], vec![0, 1, 2]]);
        assert_eq!(paths(&alleles, 1), [[0, 1, 2]]);
        assert_eq!(paths(&alleles, 2), [vec![0, 2], vec![0, 1, 2]]);
        alleles[1].is_phased = false;
        assert_eq!(paths(&alleles, 0).len(), 4);
    }

    #[test]
    fn at_most_1024_paths() {
        let alleles: Vec<Allele> = (0..30).map(|at| Allele::new(at, at, b"A", b"C")).collect();
        let paths = Reach::new(&alleles, 25).paths(0);
        assert!(paths.is_limited && paths.all.len() == MOST && paths.all[24].alleles == [0, 24]);
    }
}
