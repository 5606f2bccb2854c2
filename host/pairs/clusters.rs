//! Clusters of the strings of a list by single linkage: two strings are in one cluster if they are
//! near one another, or if a chain of near strings links them.

use super::cluster::Cluster;
use super::comparison::Pairs;
use super::distinct::{Belongs, Distinct};
use super::near::Near;
use super::problem::Algorithm;
use super::strings::{PairString, Symbols};
use crate::error::Result;

/// Disjoint sets that can be merged, each named by its least number.
struct Sets(Vec<usize>);

impl Sets {
    fn least(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, a: usize, b: usize) {
        let a = self.least(a);
        let b = self.least(b);
        self.0[a.max(b)] = a.min(b);
    }
}

impl Pairs<'_> {
    /// Clusters the strings of a list by single linkage: strings within the bounds of the job, as
    /// by [`within`](Self::within), are in the same cluster. Every string is in one cluster; many
    /// clusters have one string. Clusters are in the order of their first strings, which represent
    /// them. Equal strings are compared once, the others as by [`each_within`](Self::each_within),
    /// and each string with the first of its cluster, by `auto`.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let clusters = Pairs::new().maximum(1).clusters(&["wave", "carry", "waves", "caves"])?;
    /// let members = |cluster: &[carrywave::pairs::Member]| -> Vec<_> {
    ///     cluster.iter().map(|member| (member.number, member.distance)).collect()
    /// };
    /// assert_eq!(members(&clusters[0]), [(0, 0), (2, 1), (3, 2)]);
    /// assert_eq!(members(&clusters[1]), [(1, 0)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`within`](Self::within).
    pub fn clusters<A: PairString>(&self, list: &[A]) -> Result<Vec<Cluster>> {
        let distinct = Distinct::new(list)?;
        let strings = &distinct.strings;
        let mut sets = Sets((0..strings.len()).collect());
        self.each_within(strings, |near| {
            near.iter().for_each(|&Near { a, b, .. }| sets.join(a, b));
            Ok(())
        })?;
        let least: Vec<usize> = (0..strings.len()).map(|number| sets.least(number)).collect();
        let pairs: Vec<(Symbols<'_>, Symbols<'_>)> =
            least.iter().zip(strings).map(|(&least, &string)| (strings[least], string)).collect();
        // The ends of a chain may be farther apart than the bounds.
        let free = Pairs { maximum: None, similarity: None, algorithm: Algorithm::AUTO, ..self.clone() };
        let distances = free.listed(&pairs)?.into_iter().map(|distance| distance.unwrap_or(0));
        let belongs: Vec<Belongs> =
            least.into_iter().zip(distances).map(|(to, distance)| Belongs { to, distance }).collect();
        Ok(distinct.clusters(&belongs))
    }
}

#[cfg(test)]
mod tests {
    use super::super::cluster::Member;
    use super::super::{Cost, naive};
    use super::*;

    /// Computes the clusters by the definition: from the first string without a cluster, all that
    /// can be reached.
    fn expected(list: &[Vec<u8>], cost: Cost, maximum: u32) -> Vec<Cluster> {
        let distance = |a: usize, b: usize| naive::distance(&list[a], &list[b], cost, None);
        let mut free: Vec<bool> = vec![true; list.len()];
        let mut clusters = Vec::new();
        for first in 0..list.len() {
            if !free[first] {
                continue;
            }
            free[first] = false;
            let (mut members, mut next) = (vec![first], 0);
            while let Some(&member) = members.get(next) {
                next += 1;
                for (other, free) in free.iter_mut().enumerate() {
                    if *free && distance(member, other) <= maximum {
                        *free = false;
                        members.push(other);
                    }
                }
            }
            members.sort_unstable();
            clusters.push(members.iter().map(|&number| Member { number, distance: distance(first, number) }).collect());
        }
        clusters
    }

    #[test]
    fn clusters_are_what_chains_reach() {
        let mut random = fastrand::Rng::with_seed(3);
        // Few strings, and enough for a search by candidates; short and long strings.
        for (count, len, maximum) in [(0, 5, 1), (1, 5, 1), (60, 12, 2), (270, 24, 3), (260, 6, 3)] {
            let mut list: Vec<Vec<u8>> = Vec::new();
            for number in 0..count {
                let next = match number % 4 {
                    0 => naive::random(&mut random, len, 4),
                    1 => list[random.usize(..number)].clone(),
                    _ => {
                        let other = random.usize(..number);
                        naive::edited(&mut random, &list[other], maximum as usize, 4)
                    }
                };
                list.push(next);
            }
            for cost in naive::COSTS {
                let found = Pairs::new().cost(cost).maximum(maximum).clusters(&list).unwrap();
                assert_eq!(found, expected(&list, cost, maximum), "{count} {len} {maximum} {cost:?}");
            }
        }
    }
}
