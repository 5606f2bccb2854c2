//! Checks best matches against Sellers' table.

use super::{CheckJob, Checker, oracle};
use crate::best::cpu::{CpuAlgorithm, CpuBest};
use crate::best::end::{BestEnd, BestEnds};
use crate::best::gpu::{DeviceAlgorithm, DeviceBest};
use crate::device::Device;
use crate::text::Pattern;
use std::sync::Arc;

/// Least number of random texts for each algorithm, whatever the time.
const MIN_TEXTS: u64 = 8;

/// Returns a text, and a pattern that resembles a part of it.
fn input(seed: u64) -> (Vec<u8>, Pattern) {
    let mut random = fastrand::Rng::with_seed(seed);
    let symbols = [1, 2, 4, 20][random.usize(..4)];
    let text: Vec<u8> = (0..random.usize(1..300)).map(|_| random.u8(..symbols)).collect();
    let m = [1, 2, 31, 32, 33, 64, 65, text.len(), random.usize(1..200)][random.usize(..9)];
    let from = random.usize(..text.len());
    let mut pattern: Vec<u8> = text[from..].iter().copied().cycle().take(m).collect();
    for _ in 0..random.usize(..=m) / 4 {
        pattern[random.usize(..m)] = random.u8(..symbols);
    }
    (text, Pattern::literal(&pattern))
}

impl Checker<'_> {
    /// Adds jobs for the CPU's algorithms.
    pub(super) fn best_on_cpu<'r>(&'r self, algorithms: &'static [CpuAlgorithm], jobs: &mut Vec<CheckJob<'r>>) {
        for algorithm in algorithms {
            self.best(algorithm.about.name, CpuBest { algorithm, progress: &|_| () }, jobs);
        }
    }

    /// Adds jobs for the algorithms of each device, which processes a text alone.
    pub(super) fn best_on<'r, D: Device>(&'r self, devices: &[Arc<D>], jobs: &mut Vec<CheckJob<'r>>) {
        for device in devices {
            for algorithm in DeviceAlgorithm::<D>::ALL {
                self.best(algorithm.about.name, DeviceBest::new(device.clone(), algorithm, &|_| ()), jobs);
            }
        }
    }

    fn best<'r>(&'r self, name: &'static str, engine: impl BestEnds + 'r, jobs: &mut Vec<CheckJob<'r>>) {
        jobs.push(CheckJob::new(format!("best {name}"), MIN_TEXTS, move |number| {
            let seed = self.options.seed.wrapping_add(number);
            let (text, pattern) = input(seed);
            let found = engine.best_end(&text, std::slice::from_ref(&(0..text.len())), &pattern)?;
            let (distance, end) = oracle::nearest(&text, &pattern);
            if found != (BestEnd { distance, record: 0, end }) {
                let sizes = format!("m = {}, n = {}", pattern.len(), text.len());
                return Err(self.wrong(format!(
                    "best {name}: seed {seed} ({sizes}): {} at {}, not {distance} at {end}",
                    found.distance, found.end
                )));
            }
            Ok(text.len() as u64 * pattern.len() as u64)
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SEED, caught};
    use super::*;
    use crate::algorithm::About;
    use crate::best::cpu::{Least, Pieces, sellers};

    type Leasts = for<'p> fn(&'p Pieces<'p>) -> Box<dyn Least + 'p>;

    const fn wrong(name: &'static str, least: Leasts) -> CpuAlgorithm {
        CpuAlgorithm { about: About::new(name, "", "", ""), least }
    }

    fn one_more<'p>(text: &'p Pieces<'p>) -> Box<dyn Least + 'p> {
        let right = (sellers::ALGORITHM.least)(text);
        Box::new(move |number| right(number).map(|(distance, end)| (distance + 1, end)))
    }

    fn later<'p>(text: &'p Pieces<'p>) -> Box<dyn Least + 'p> {
        let right = (sellers::ALGORITHM.least)(text);
        Box::new(move |number| right(number).map(|(distance, end)| (distance, end + 1)))
    }

    #[test]
    fn a_wrong_distance_and_a_wrong_end_are_found() {
        static WRONG: [CpuAlgorithm; 2] = [wrong("one more", one_more), wrong("later", later)];
        for algorithm in WRONG.chunks(1) {
            let (name, what) = (algorithm[0].about.name, caught(|run, jobs| run.best_on_cpu(algorithm, jobs)));
            // The first input shows the fault.
            let (text, pattern) = input(SEED);
            let place = format!("best {name}: seed {SEED} (m = {}, n = {})", pattern.len(), text.len());
            let (distance, end) = oracle::nearest(&text, &pattern);
            assert!(what.contains(&place) && what.ends_with(&format!("not {distance} at {end}")), "{what}");
        }
    }
}
