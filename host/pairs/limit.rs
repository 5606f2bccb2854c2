//! Bounds on the distances of interest: one for all pairs, and a similarity, which gives each pair
//! a bound of its own.

use super::cost::Cost;
use crate::error::{Result, UsageFault};

/// Covers the rounding of a similarity: 0.9 is not exactly nine tenths. Products of the greatest
/// lengths stay within a thousandth.
const ROUNDING: f64 = 1e-13;

/// Bounds on the distances of interest. Without any, all distances are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Limit {
    /// Greatest distance.
    pub(super) maximum: Option<u32>,
    /// Least normalised similarity, from 0 to 1.
    pub(super) similarity: Option<f64>,
}

impl Limit {
    /// Returns an error for a similarity that is not a number from 0 to 1.
    pub(super) fn check(self) -> Result<()> {
        match self.similarity {
            Some(least) if !(0.0..=1.0).contains(&least) => {
                Err(UsageFault::Range.error(format!("a similarity is a number from 0 to 1, not {least}")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the greatest distance of interest of two strings of m and n symbols, which never
    /// falls when m or n grows; `None` if all distances are.
    #[inline]
    pub(super) fn of(self, cost: Cost, m: usize, n: usize) -> Option<u32> {
        let Some(least) = self.similarity else { return self.maximum };
        let most = ((1.0 - least + ROUNDING) * cost.greatest(m, n) as f64) as u32;
        Some(most.min(self.maximum.unwrap_or(u32::MAX)))
    }

    /// Returns a bound on the distances of interest of a string of m symbols and any string of at
    /// most `longest` symbols.
    pub(super) fn of_one(self, cost: Cost, m: usize, longest: usize) -> Option<u32> {
        let partner = match self.similarity {
            Some(least) => cost.longest_partner(m, least).min(longest),
            None => longest,
        };
        self.of(cost, m, partner)
    }

    /// Returns true if a distance of two strings of m and n symbols is of interest.
    #[inline]
    pub(super) fn takes(self, cost: Cost, distance: u32, [m, n]: [usize; 2]) -> bool {
        self.of(cost, m, n).is_none_or(|most| distance <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::super::naive::COSTS;
    use super::*;

    #[test]
    fn bounds_are_the_greatest_distances_with_the_similarity() {
        for cost in COSTS {
            for hundredths in 0..=100 {
                let limit = Limit { maximum: None, similarity: Some(f64::from(hundredths) / 100.0) };
                let mut last = 0;
                for m in 0..40usize {
                    let n = 17;
                    let whole = if cost == Cost::Indel { m + n } else { m.max(n) };
                    // Whole numbers: 100 d <= (100 - s) times the greatest distance.
                    let expected = (100 - hundredths as usize) * whole / 100;
                    let found = limit.of(cost, m, n);
                    assert_eq!(found, Some(expected as u32), "{cost:?} {m} {hundredths}");
                    assert!(found >= Some(last));
                    last = expected as u32;
                    assert!(limit.takes(cost, last, [m, n]) && !limit.takes(cost, last + 1, [m, n]));
                    assert_eq!(Limit { maximum: Some(3), ..limit }.of(cost, m, n), Some(last.min(3)));
                }
            }
        }
        assert_eq!(Limit::default().of(Cost::Levenshtein, 5, 5), None);
        assert_eq!(Limit { maximum: None, similarity: Some(0.0) }.of(Cost::Indel, 1 << 30, 1 << 30), Some(1 << 31));
    }

    #[test]
    fn a_strings_bound_covers_all_partners() {
        for cost in COSTS {
            for similarity in [0.0, 0.3, 0.5, 0.75, 0.9, 1.0] {
                let limit = Limit { maximum: None, similarity: Some(similarity) };
                for m in 0..30usize {
                    let pairs =
                        (0..=60).filter_map(|n| limit.of(cost, m, n).filter(|&most| most as usize >= m.abs_diff(n)));
                    let expected = pairs.max().unwrap_or(0);
                    let bound = limit.of_one(cost, m, 60).unwrap();
                    assert!(
                        (expected..=expected + 1).contains(&bound),
                        "{cost:?} {similarity} {m}: {bound}, {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_similarity_is_from_0_to_1() {
        for similarity in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Limit { maximum: None, similarity: Some(similarity) }.check().is_err());
        }
        assert!(Limit { maximum: None, similarity: Some(1.0) }.check().is_ok());
    }
}

#[cfg(all(test, feature = "simt"))]
mod jobs {
    use super::super::{Near, Pairs, Symbols, naive};
    use super::*;
    use crate::device::Simt;
    use crate::job::Recorder;
    use std::sync::Mutex;

    /// Returns random strings. The first one is long, and half of the others are near another one.
    fn strings(count: usize, longest: usize, random: &mut fastrand::Rng) -> Vec<Vec<u32>> {
        let mut list: Vec<Vec<u8>> = vec![naive::random(random, longest * 10, 4)];
        for number in 1..count {
            let next = match number % 2 {
                0 => naive::edited(random, &list[number / 2], 3, 4),
                _ => {
                    let len = random.usize(..longest);
                    naive::random(random, len, 4)
                }
            };
            list.push(next);
        }
        // One of the symbols is no byte.
        let number = |&symbol: &u8| if symbol == b'A' { 0x4e00 } else { symbol.into() };
        list.iter().map(|string| string.iter().map(number).collect()).collect()
    }

    /// The distances of interest by the recurrence and the definition.
    struct Expected(Vec<Vec<Option<u32>>>);

    impl Expected {
        fn new(a: &[Vec<u32>], b: &[Vec<u32>], job: &Pairs<'_>) -> Self {
            let of = |x: &Vec<u32>, y: &Vec<u32>| {
                let distance = naive::distance(x, y, job.cost, None);
                let whole = if job.cost == Cost::Indel { x.len() + y.len() } else { x.len().max(y.len()) };
                let tenths = 10 - (10.0 * job.similarity.unwrap()).round() as usize;
                let is_similar = 10 * distance as usize <= tenths * whole;
                (is_similar && distance <= job.maximum.unwrap_or(u32::MAX)).then_some(distance)
            };
            Self(a.iter().map(|x| b.iter().map(|y| of(x, y)).collect()).collect())
        }

        fn near(&self, takes: impl Fn(usize, usize) -> bool) -> Vec<Near> {
            let mut all = Vec::new();
            for (a, row) in self.0.iter().enumerate() {
                let row = row.iter().enumerate().filter(|&(b, _)| takes(a, b));
                all.extend(row.filter_map(|(b, &distance)| Some(Near { a, b, distance: distance? })));
            }
            all
        }

        fn nearest(&self, top: usize) -> Vec<Vec<(u32, usize)>> {
            let row = |row: &Vec<Option<u32>>| {
                let mut all: Vec<_> = row.iter().enumerate().filter_map(|(b, &d)| Some((d?, b))).collect();
                all.sort_unstable();
                all.truncate(top);
                all
            };
            self.0.iter().map(row).collect()
        }
    }

    fn check(job: &Pairs<'_>, a: &[Vec<u32>], b: &[Vec<u32>]) {
        let (of_a, of_b) = (of(a), of(b));
        let expected = Expected::new(a, b, job);
        let pairs: Vec<_> = of_a.iter().flat_map(|&x| of_b.iter().map(move |&y| (x, y))).collect();
        assert_eq!(job.listed(&pairs).unwrap(), expected.0.concat(), "{job:?}");
        assert_eq!(job.matrix(&of_a, &of_b).unwrap(), expected.0, "{job:?}");
        let parts = Mutex::new(vec![vec![None; b.len()]; a.len()]);
        let put = |row: usize, columns: &[usize], distances: &[u32]| {
            for (&column, &distance) in columns.iter().zip(distances) {
                parts.lock().unwrap()[row][column] = (distance != u32::MAX).then_some(distance);
            }
        };
        job.all_in_parts(&of_a, &of_b, put).unwrap();
        assert_eq!(parts.into_inner().unwrap(), expected.0, "{job:?}");
        let found = job.nearest(&of_a, &of_b, 3).unwrap();
        let found: Vec<Vec<_>> =
            found.iter().map(|near| near.iter().map(|near| (near.distance, near.b)).collect()).collect();
        assert_eq!(found, expected.nearest(3), "{job:?}");
        assert_eq!(job.join(&of_a, &of_b).unwrap(), expected.near(|_, _| true), "{job:?}");
        let half = Expected::new(a, a, job).near(|a, b| a < b);
        assert_eq!(job.within(&of_a).unwrap(), half, "{job:?}");
    }

    fn of(list: &[Vec<u32>]) -> Vec<Symbols<'_>> {
        list.iter().map(|string| Symbols::Numbers(string)).collect()
    }

    #[test]
    fn every_function_keeps_what_is_similar() {
        let mut random = fastrand::Rng::with_seed(31);
        for (count, longest) in [(20, 20), (300, 14)] {
            let (a, b) = (strings(count, longest, &mut random), strings(count + 20, longest, &mut random));
            for cost in naive::COSTS {
                for similarity in [0.0, 0.6, 0.8, 0.9, 1.0] {
                    let job = Pairs::new().cost(cost).similarity(similarity);
                    check(&job, &a, &b);
                    check(&job.maximum(2), &a, &b);
                }
            }
        }
        let (a, b) = (strings(9, 12, &mut random), strings(8, 12, &mut random));
        for cost in [Cost::Levenshtein, Cost::Indel] {
            check(&Pairs::new().cost(cost).similarity(0.7).on(&Simt::new()), &a, &b);
        }
    }

    /// One long string gives other strings no larger bound, so candidates are still few.
    #[test]
    fn a_long_string_changes_no_bound_of_others() {
        let mut random = fastrand::Rng::with_seed(32);
        let mut names: Vec<Vec<u8>> = (0..600).map(|_| naive::random(&mut random, 20, 26)).collect();
        names.push(naive::random(&mut random, 5_000, 26));
        let recorder = Recorder::new();
        let job = Pairs::new().similarity(0.9).recorder(&recorder);
        drop(job.within(&names).unwrap());
        let report = recorder.report().unwrap();
        assert_eq!(report.ran.iter().map(|ran| ran.algorithm).next_back(), Some("pieces"), "{report:?}");
    }

    #[test]
    fn jobs_refuse_what_is_no_similarity() {
        let job = Pairs::new().similarity(1.5);
        assert!(job.listed(&[("a", "b")]).is_err());
        assert!(job.matrix(&["a"], &["b"]).is_err());
        assert!(job.within(&["a"]).is_err());
        assert!(Pairs::new().similarity(f64::NAN).clusters(&["a"]).is_err());
    }
}
