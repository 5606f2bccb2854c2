//! Clusters of the strings of a list around centres: every string is near the centre of its
//! cluster.
//!
//! J. A. Aslam, E. Pelekhov, D. Rus, The star clustering algorithm for static and dynamic
//! information organization, Journal of Graph Algorithms and Applications 8(1), 2004. There, a
//! string near several centres is in the clusters of all; here it is in that of the nearest.

use super::cluster::Cluster;
use super::comparison::Pairs;
use super::distinct::{Belongs, Distinct};
use super::near::Near;
use super::strings::PairString;
use crate::error::Result;
use crate::memory;
use std::cmp::Reverse;

impl Pairs<'_> {
    /// Clusters the strings of a list around centres, which represent them: every string is within
    /// the bounds of the job of its centre, unlike by [`clusters`](Self::clusters), whose chains
    /// may be long.
    ///
    /// The string with the most near strings in the list, equal ones included, is the first centre;
    /// among these, the one with the most equal strings, and then the first. The next centre is
    /// chosen likewise among the strings that are near no centre. Every other string belongs to the
    /// nearest centre, or among several to the one that was chosen first.
    ///
    /// A cluster has its centre first, then the others in the order of the list. Clusters are in
    /// the order of the first strings that they have in the list. Space: all near pairs are in
    /// memory.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let list = ["wave", "wafe", "waves", "caves", "wave", "cavern"];
    /// let clusters = Pairs::new().maximum(1).star_clusters(&list)?;
    /// let members: Vec<Vec<_>> =
    ///     clusters.iter().map(|own| own.iter().map(|member| member.number).collect()).collect();
    /// assert_eq!(members, [vec![0, 1, 2, 4], vec![3], vec![5]]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`within`](Self::within); and [`Memory`](crate::Error::Memory) if the near pairs do not
    /// fit into memory.
    pub fn star_clusters<A: PairString>(&self, list: &[A]) -> Result<Vec<Cluster>> {
        let distinct = Distinct::new(list)?;
        let near = Neighbours::new(&self.within(&distinct.strings)?, distinct.strings.len())?;
        let counts = distinct.counts();
        let near_strings =
            |number: usize| counts[number] + near.of(number).iter().map(|near| counts[near.to]).sum::<u64>();
        let mut order: Vec<usize> = (0..distinct.strings.len()).collect();
        order.sort_by_cached_key(|&number| (Reverse(near_strings(number)), Reverse(counts[number]), number));
        let mut belongs: Vec<Option<Belongs>> = vec![None; distinct.strings.len()];
        for centre in order {
            if belongs[centre].is_some() {
                continue;
            }
            belongs[centre] = Some(Belongs { to: centre, distance: 0 });
            for &Belongs { to: other, distance } in near.of(centre) {
                if belongs[other].is_none_or(|chosen| distance < chosen.distance) {
                    belongs[other] = Some(Belongs { to: centre, distance });
                }
            }
        }
        // Each string is a centre or belongs to one.
        let belongs: Vec<Belongs> = belongs.into_iter().flatten().collect();
        Ok(distinct.clusters(&belongs))
    }
}

/// The near strings of each string, with their distances.
struct Neighbours {
    all: Vec<Belongs>,
    /// Start of the neighbours of each string, and the end.
    starts: Vec<usize>,
}

impl Neighbours {
    fn new(near: &[Near], strings: usize) -> Result<Self> {
        memory::check::<Belongs>(near.len().saturating_mul(2), "the strings near each string")?;
        let mut starts = vec![0; strings + 1];
        for &Near { a, b, .. } in near {
            starts[a + 1] += 1;
            starts[b + 1] += 1;
        }
        for string in 0..strings {
            starts[string + 1] += starts[string];
        }
        let mut ends = starts.clone();
        let mut all = vec![Belongs { to: 0, distance: 0 }; 2 * near.len()];
        for &Near { a, b, distance } in near {
            for (string, to) in [(a, b), (b, a)] {
                all[ends[string]] = Belongs { to, distance };
                ends[string] += 1;
            }
        }
        Ok(Self { all, starts })
    }

    fn of(&self, string: usize) -> &[Belongs] {
        &self.all[self.starts[string]..self.starts[string + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::super::cluster::Member;
    use super::super::naive;
    use super::*;

    /// Computes the clusters by the definition, on all strings, equal ones too.
    fn expected(list: &[Vec<u8>], maximum: u32) -> Vec<Cluster> {
        let distance = |a: usize, b: usize| naive::distance(&list[a], &list[b], Default::default(), None);
        let near = |a: usize| (0..list.len()).filter(|&b| distance(a, b) <= maximum).count();
        let equal = |a: usize| (0..list.len()).filter(|&b| list[a] == list[b]).count();
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|&a| (Reverse(near(a)), Reverse(equal(a)), a));
        let mut centres: Vec<usize> = Vec::new();
        for a in order {
            if centres.iter().all(|&centre| distance(a, centre) > maximum) {
                centres.push(a);
            }
        }
        let nearest = |a: usize| *centres.iter().min_by_key(|&&centre| distance(a, centre)).unwrap();
        let mut clusters: Vec<Cluster> = Vec::new();
        for a in 0..list.len() {
            let centre = nearest(a);
            if (0..a).any(|before| nearest(before) == centre) {
                continue;
            }
            let others = (0..list.len()).filter(|&b| b != centre && nearest(b) == centre);
            let members = std::iter::once(centre).chain(others);
            clusters.push(members.map(|number| Member { number, distance: distance(number, centre) }).collect());
        }
        clusters
    }

    #[test]
    fn stars_are_those_of_the_definition() {
        let mut random = fastrand::Rng::with_seed(8);
        for (count, len, maximum) in [(0, 5, 1), (1, 5, 1), (60, 5, 1), (60, 8, 2), (90, 4, 2)] {
            let mut list: Vec<Vec<u8>> = Vec::new();
            for number in 0..count {
                let next = match number % 4 {
                    0 => naive::random(&mut random, len, 3),
                    1 => list[random.usize(..number)].clone(),
                    _ => {
                        let other = random.usize(..number);
                        naive::edited(&mut random, &list[other], maximum as usize, 3)
                    }
                };
                list.push(next);
            }
            let found = Pairs::new().maximum(maximum).star_clusters(&list).unwrap();
            assert_eq!(found, expected(&list, maximum), "{count} {len} {maximum}");
        }
    }
}
