//! Searches against Sellers' table: every end and its errors; those without gaps against the comparison of every part.

use super::{Checker, Job, oracle};
use crate::algorithm::About;
use crate::device::Device;
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::search::Tuning;
use crate::search::cpu::{CpuAlgorithm, Query};
use crate::search::ends::FindEnds;
use crate::search::gpu::{DeviceAlgorithm, DeviceEnds, Request};
use crate::text::{Pattern, Text, period};
use std::sync::Arc;

/// Random texts for each algorithm, whatever the time.
const LEAST: u64 = 8;

/// Symbols of a pattern at most: several strips of a kernel's rows, and several words of all.
const MOST_SYMBOLS: usize = 600;

/// A text, a pattern of which much is found in it, and k.
struct Input {
    text: Vec<u8>,
    pattern: Vec<u8>,
    k: u32,
}

fn input(seed: u64, about: &About, takes: &dyn Fn(&Pattern, Allowed) -> bool) -> Input {
    let most_m = about.limits.symbols.map_or(MOST_SYMBOLS, |most| MOST_SYMBOLS.min(most as usize));
    let most_k = about.limits.errors.unwrap_or(u32::MAX);
    let mut random = fastrand::Rng::with_seed(seed);
    let symbols = [2, 3, 4, 20][random.usize(..4)];
    // Another one, until the algorithm takes it: of a symbol alone it takes any.
    loop {
        let text: Vec<u8> = (0..random.usize(1..4000)).map(|_| b'a' + random.u8(..symbols)).collect();
        let from = random.usize(..text.len());
        let some = [1, 2, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257, random.usize(1..=most_m)];
        let some: Vec<usize> = some.into_iter().filter(|&m| m <= most_m).collect();
        let m = some[random.usize(..some.len())];
        let mut pattern: Vec<u8> = text[from..].iter().copied().cycle().take(m).collect();
        let changed = random.usize(..m);
        pattern[changed] = b'a' + random.u8(..symbols);
        // Few, or any number.
        let most = most_k.min(m as u32 - 1);
        let k = if random.bool() { random.u32(..=most) } else { random.u32(..4).min(most) };
        if (about.limits.periodic || 2 * period(&pattern) > m) && takes(&Pattern::literal(&pattern), allowed(about, k))
        {
            return Input { text, pattern, k };
        }
    }
}

/// The errors that an algorithm finds: any, or substitutions alone.
fn allowed(about: &About, k: u32) -> Allowed {
    if about.limits.gaps { Allowed::any(k) } else { Allowed::mismatches(k) }
}

impl Checker<'_> {
    /// The CPU's algorithms, as far as this processor has their instructions.
    pub(super) fn search_on_cpu<'r>(&'r self, algorithms: &'static [CpuAlgorithm], jobs: &mut Vec<Job<'r>>) {
        let here = |row: &&CpuAlgorithm| (row.check)(&Query::new(Pattern::literal(b"ab"), 0)).is_ok();
        for row in algorithms.iter().filter(here) {
            let ends = |text: &[u8], pattern, allowed| Ok((row.ends)(text, &Query::within(pattern, allowed), &|_| ()));
            let takes = |pattern: &Pattern, allowed| (row.check)(&Query::within(pattern.clone(), allowed)).is_ok();
            self.search(&row.about, takes, ends, jobs);
        }
    }

    /// Those of devices, which share a text.
    pub(super) fn search_on<'r, D: Device>(&'r self, devices: &'r [Arc<D>], jobs: &mut Vec<Job<'r>>) {
        for row in DeviceAlgorithm::<D>::ALL {
            let ends = move |text: &[u8], pattern: Pattern, allowed: Allowed| {
                let (what, how) = ((vec![pattern], allowed.errors), (Some(row), Tuning::default()));
                let engine = DeviceEnds::new(devices.to_vec(), what, how, &|_| ())?;
                let mut engine = if row.about.limits.gaps { engine } else { engine.without_gaps() };
                Ok(engine.all(&Text::from(text), 1)?.concat())
            };
            let takes = move |pattern: &Pattern, Allowed { errors: k, .. }| {
                let patterns = std::slice::from_ref(pattern);
                let request = Request { patterns, k, gaps: row.about.limits.gaps, tuning: Tuning::default() };
                devices.first().is_none_or(|device| (row.check)(&request, &device.limits()).is_ok())
            };
            self.search(row.about, takes, ends, jobs);
        }
    }

    fn search<'r>(
        &'r self,
        about: &'static About,
        takes: impl Fn(&Pattern, Allowed) -> bool + 'r,
        ends: impl Fn(&[u8], Pattern, Allowed) -> Result<Vec<End>> + 'r,
        jobs: &mut Vec<Job<'r>>,
    ) {
        let name = about.name;
        jobs.push(Job::new(format!("search {name}"), LEAST, move |number| {
            let seed = self.options.seed.wrapping_add(number);
            let Input { text, pattern, k } = input(seed, about, &takes);
            let pattern = Pattern::literal(&pattern);
            let expected = match about.limits.gaps {
                true => oracle::ends(&text, &pattern, k),
                false => oracle::mismatches(&text, &pattern, k),
            };
            if ends(&text, pattern.clone(), allowed(about, k))? != expected {
                let sizes = format!("m = {}, k = {k}, n = {}", pattern.len(), text.len());
                return Err(self.wrong(format!("search {name}: seed {seed} ({sizes}): the ends differ from Sellers'")));
            }
            Ok(text.len() as u64 * pattern.len() as u64)
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SEED, caught};
    use super::*;
    use crate::infix::sellers;

    type FindEnds = fn(&[u8], &Query, &dyn Fn(u64)) -> Vec<End>;

    const fn wrong(name: &'static str, ends: FindEnds) -> CpuAlgorithm {
        CpuAlgorithm { about: About::new(name, "", "", ""), check: |_| Ok(()), cost: |_| None, ends, count: None }
    }

    #[test]
    fn a_lost_end_and_a_wrong_number_of_errors_are_found() {
        static WRONG: [CpuAlgorithm; 3] = [
            wrong("loses the last", |text, query, _| {
                let mut ends = sellers::ends(text, &query.pattern, query.k);
                ends.pop();
                ends
            }),
            wrong("counts one more", |text, query, _| {
                let mut ends = sellers::ends(text, &query.pattern, query.k);
                ends.iter_mut().rev().take(1).for_each(|end| end.errors += 1);
                ends
            }),
            wrong("finds one twice", |text, query, _| {
                let mut ends = sellers::ends(text, &query.pattern, query.k);
                ends.extend(ends.first().copied());
                ends
            }),
        ];
        for algorithm in WRONG.chunks(1) {
            let (name, what) = (algorithm[0].about.name, caught(|run, jobs| run.search_on_cpu(algorithm, jobs)));
            let seed = what.split_once(&format!("search {name}: seed ")).and_then(|(_, rest)| rest.split(' ').next());
            let seed: u64 = seed.and_then(|seed| seed.parse().ok()).unwrap_or_else(|| panic!("{what}"));
            let Input { text, pattern, k } = input(seed, &algorithm[0].about, &|_, _| true);
            let sizes = format!("(m = {}, k = {k}, n = {})", pattern.len(), text.len());
            assert!(seed >= SEED && what.contains(&sizes), "{what}, which is {sizes}");
        }
    }
}
