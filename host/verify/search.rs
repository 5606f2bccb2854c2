//! Checks searches against Sellers' table (every end and its errors), and searches without gaps
//! against the comparison of every part.

use super::{CheckJob, Checker, oracle};
use crate::algorithm::About;
use crate::device::Device;
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::search::cpu::{CompareRecords, CpuAlgorithm, CpuEnds, Query, RecordMatch, Takes};
use crate::search::ends::FindEnds;
use crate::search::gpu::{DeviceAlgorithm, DeviceEnds, Gaps, Request, Writes};
use crate::search::{Algorithm, Tuning};
use crate::text::{Pattern, Text, period};
use std::sync::Arc;

/// Least number of random texts for each algorithm, whatever the time.
const MIN_TEXTS: u64 = 8;

/// Longest pattern, in symbols: several strips of a kernel's rows, and several words everywhere.
const MAX_SYMBOLS: usize = 600;

/// Largest number of patterns for an algorithm that searches for many together.
const MAX_PATTERNS: usize = 12;

/// A text, patterns that nearly occur in it, and k.
struct Input {
    text: Vec<u8>,
    patterns: Vec<Pattern>,
    k: u32,
}

fn input(seed: u64, about: &About, takes: &dyn Fn(&[Pattern], Allowed) -> bool) -> Input {
    let mut random = fastrand::Rng::with_seed(seed);
    let symbols = [2, 3, 4, 20][random.usize(..4)];
    // Repeats until the algorithm takes the input; it takes any pattern of one symbol.
    loop {
        let text: Vec<u8> = (0..random.usize(1..4000)).map(|_| b'a' + random.u8(..symbols)).collect();
        let first = pattern(&text, symbols, about, &mut random);
        // Few errors, or any number.
        let most = about.limits.errors.unwrap_or(u32::MAX).min(first.len() as u32 - 1);
        let k = if random.bool() { random.u32(..=most) } else { random.u32(..4).min(most) };
        let fits = |pattern: &[u8]| {
            pattern.len() > k as usize && (about.limits.periodic || 2 * period(pattern) > pattern.len())
        };
        let mut patterns = vec![Pattern::literal(&first)];
        if !fits(&first) || !takes(&patterns, allowed(about, k)) {
            continue;
        }
        let more = if about.limits.together { random.usize(..MAX_PATTERNS) } else { 0 };
        for _ in 0..more {
            let next = pattern(&text, symbols, about, &mut random);
            patterns.push(Pattern::literal(&next));
            // Patterns that are taken alone may not be taken together.
            if !fits(&next) || !takes(&patterns, allowed(about, k)) {
                patterns.pop();
            }
        }
        return Input { text, patterns, k };
    }
}

/// Returns a part of the text with one symbol changed, of a length that the algorithm takes.
fn pattern(text: &[u8], symbols: u8, about: &About, random: &mut fastrand::Rng) -> Vec<u8> {
    let most_m = about.limits.symbols.map_or(MAX_SYMBOLS, |most| MAX_SYMBOLS.min(most as usize));
    let from = random.usize(..text.len());
    let some = [1, 2, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257, random.usize(1..=most_m)];
    let some: Vec<usize> = some.into_iter().filter(|&m| m <= most_m).collect();
    let m = some[random.usize(..some.len())];
    let mut pattern: Vec<u8> = text[from..].iter().copied().cycle().take(m).collect();
    let changed = random.usize(..m);
    pattern[changed] = b'a' + random.u8(..symbols);
    pattern
}

/// Prepares patterns for a comparison with whole records.
type PrepareRecords = fn(Vec<Query>) -> Result<Box<dyn CompareRecords>>;

/// Returns the errors that an algorithm finds: any, or substitutions only.
fn allowed(about: &About, k: u32) -> Allowed {
    if about.limits.gaps { Allowed::any(k) } else { Allowed::mismatches(k) }
}

/// Returns the gaps that a device algorithm finds.
fn gaps_of<D: Device>(row: &DeviceAlgorithm<D>) -> Gaps {
    if row.about.limits.gaps { Gaps::ANY } else { Gaps::NONE }
}

impl Checker<'_> {
    /// Adds jobs for the CPU's algorithms that this CPU has the instructions for.
    pub(super) fn search_on_cpu<'r>(&'r self, algorithms: &'static [CpuAlgorithm], jobs: &mut Vec<CheckJob<'r>>) {
        // Some algorithms take only patterns with errors, and some only patterns without.
        let query = |k: u32| Query::within(Pattern::literal(b"abcabc"), Allowed::mismatches(k));
        let here = |row: &&CpuAlgorithm| (0..2).any(|k| (row.check)(&query(k)).is_ok());
        for row in algorithms.iter().filter(here) {
            if let Takes::WholeRecords { prepare } = row.takes {
                self.whole_records(row.about.name, prepare, jobs);
                continue;
            }
            let ends = |text: &[u8], patterns: Vec<Pattern>, allowed| {
                let count = patterns.len();
                let patterns = patterns.into_iter().map(|pattern| (pattern, allowed)).collect();
                CpuEnds::by(row, patterns, &|_| ())?.all(&Text::from(text), count)
            };
            let takes = |patterns: &[Pattern], allowed| {
                patterns.iter().all(|pattern| row.refuse(&Query::within(pattern.clone(), allowed)).is_ok())
            };
            self.search(&row.about, takes, ends, jobs);
        }
    }

    /// Adds a job for an algorithm that compares whole records: random records, and patterns
    /// similar to some of them.
    fn whole_records<'r>(&'r self, name: &'static str, prepare: PrepareRecords, jobs: &mut Vec<CheckJob<'r>>) {
        jobs.push(CheckJob::new(format!("search {name}"), MIN_TEXTS, move |number| {
            let seed = self.options.seed.wrapping_add(number);
            let mut random = fastrand::Rng::with_seed(seed);
            let sigma = [2, 4, 20][random.usize(..3)];
            let string = |random: &mut fastrand::Rng| -> Vec<u8> {
                (0..random.usize(1..100)).map(|_| b'a' + random.u8(..sigma)).collect()
            };
            let mut patterns: Vec<Vec<u8>> = (0..random.usize(1..40)).map(|_| string(&mut random)).collect();
            let k = random.u32(..6);
            let (mut text, mut records) = (Vec::new(), Vec::new());
            for _ in 0..random.usize(..60) {
                let mut record = patterns[random.usize(..patterns.len())].clone();
                for _ in 0..random.u32(..k + 2) {
                    let at = random.usize(..=record.len());
                    record.splice(at..record.len().min(at + random.usize(..2)), (random.bool()).then_some(b'a'));
                }
                records.push(text.len()..text.len() + record.len());
                text.extend(record);
            }
            patterns.push(string(&mut random));
            let query = |pattern: &Vec<u8>| Query::new(Pattern::literal(pattern), k);
            let found = prepare(patterns.iter().map(query).collect())?.matches(&text, &records);
            let (mut expected, mut cells) = (Vec::new(), 0);
            for (record, range) in records.iter().enumerate() {
                for (number, pattern) in patterns.iter().enumerate() {
                    let errors = oracle::distances(pattern.iter(), text[range.clone()].iter()).last().copied();
                    cells += (pattern.len() * range.len()) as u64;
                    let errors = errors.and_then(|errors| u32::try_from(errors).ok()).filter(|&errors| errors <= k);
                    expected.extend(errors.map(|errors| RecordMatch { record, pattern: number, errors }));
                }
            }
            if found != expected {
                let sizes = format!("{} records, {} patterns, k = {k}", records.len(), patterns.len());
                return Err(self
                    .wrong(format!("search {name}: seed {seed} ({sizes}): the records differ from the recurrence's")));
            }
            Ok(cells)
        }));
    }

    /// Adds jobs for the devices' algorithms; the devices share a text.
    pub(super) fn search_on<'r, D: Device>(&'r self, devices: &'r [Arc<D>], jobs: &mut Vec<CheckJob<'r>>) {
        for row in DeviceAlgorithm::<D>::ALL {
            if row.writes == Writes::Candidates {
                let ends = move |text: &[u8], patterns: Vec<Pattern>, allowed: Allowed| {
                    let count = patterns.len();
                    let (what, how) = ((patterns, allowed.errors), (Some(row), Tuning::default()));
                    let engine = DeviceEnds::new(devices.to_vec(), what, how, &|_| ())?;
                    let Allowed { insertions, deletions, .. } = allowed;
                    engine.with_gaps(Gaps { insertions, deletions }).all(&Text::from(text), count)
                };
                self.candidates(row.about.name, ends, jobs);
                continue;
            }
            let ends = move |text: &[u8], patterns: Vec<Pattern>, allowed: Allowed| {
                let count = patterns.len();
                let (what, how) = ((patterns, allowed.errors), (Some(row), Tuning::default()));
                let engine = DeviceEnds::new(devices.to_vec(), what, how, &|_| ())?;
                let mut engine = engine.with_gaps(gaps_of(row));
                engine.all(&Text::from(text), count)
            };
            let takes = move |patterns: &[Pattern], Allowed { errors: k, .. }| {
                let request = Request { patterns, k, gaps: gaps_of(row), tuning: Tuning::default() };
                devices.first().is_none_or(|device| (row.check)(&request, &device.limits()).is_ok())
            };
            self.search(row.about, takes, ends, jobs);
        }
    }

    /// Adds a job for an algorithm that finds candidates beside positions that must match: they
    /// include all ends that the reference finds.
    fn candidates<'r>(
        &'r self,
        name: &'static str,
        ends: impl Fn(&[u8], Vec<Pattern>, Allowed) -> Result<Vec<Vec<End>>> + 'r,
        jobs: &mut Vec<CheckJob<'r>>,
    ) {
        jobs.push(CheckJob::new(format!("search {name}"), MIN_TEXTS, move |number| {
            let seed = self.options.seed.wrapping_add(number);
            let mut random = fastrand::Rng::with_seed(seed);
            let text: Vec<u8> = (0..random.usize(40..4000)).map(|_| b"acgt"[random.usize(..4)]).collect();
            let pattern = |random: &mut fastrand::Rng| {
                let m = random.usize(8..28);
                let from = random.usize(..text.len() - m);
                let mut symbols = text[from..from + m].to_vec();
                symbols[random.usize(..m)] = b"acgt"[random.usize(..4)];
                let fixed = random.usize(1..4);
                let start = if random.bool() { 0 } else { m - fixed };
                Pattern::literal(&symbols).with_fixed(start..start + fixed)
            };
            let patterns =
                (0..random.usize(1..MAX_PATTERNS)).map(|_| pattern(&mut random)).collect::<Result<Vec<_>>>()?;
            let k = random.u32(1..4);
            let allowed = Allowed::new(k, k, random.u32(..=k), random.u32(..=k));
            let wanted = patterns.iter().map(|pattern| (pattern.clone(), allowed)).collect();
            let reference = CpuEnds::within(wanted, Algorithm::named("sellers")?, &|_| ())?;
            let expected = { reference }.all(&Text::from(&text), patterns.len())?;
            let found = ends(&text, patterns.clone(), allowed)?;
            for (wrong, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let has = |end: &End| found.binary_search_by_key(&end.end, |other| other.end).is_ok();
                if !expected.iter().all(has) {
                    let sizes = format!("pattern {wrong} of {}, k = {k}, n = {}", patterns.len(), text.len());
                    return Err(self.wrong(format!("search {name}: seed {seed} ({sizes}): an end is missing")));
                }
            }
            Ok(text.len() as u64 * patterns.iter().map(|pattern| pattern.len() as u64).sum::<u64>())
        }));
    }

    fn search<'r>(
        &'r self,
        about: &'static About,
        takes: impl Fn(&[Pattern], Allowed) -> bool + 'r,
        ends: impl Fn(&[u8], Vec<Pattern>, Allowed) -> Result<Vec<Vec<End>>> + 'r,
        jobs: &mut Vec<CheckJob<'r>>,
    ) {
        let name = about.name;
        jobs.push(CheckJob::new(format!("search {name}"), MIN_TEXTS, move |number| {
            let seed = self.options.seed.wrapping_add(number);
            let Input { text, patterns, k } = input(seed, about, &takes);
            let expected = |pattern: &Pattern| match about.limits.gaps {
                true => oracle::ends(&text, pattern, k),
                false => oracle::mismatches(&text, pattern, k),
            };
            let expected: Vec<Vec<End>> = patterns.iter().map(expected).collect();
            let found = ends(&text, patterns.clone(), allowed(about, k))?;
            if let Some(wrong) = (0..patterns.len()).find(|&number| found[number] != expected[number]) {
                let (m, count) = (patterns[wrong].len(), patterns.len());
                let sizes = format!("m = {m}, pattern {wrong} of {count}, k = {k}, n = {}", text.len());
                return Err(self.wrong(format!("search {name}: seed {seed} ({sizes}): the ends differ from Sellers'")));
            }
            Ok(text.len() as u64 * patterns.iter().map(|pattern| pattern.len() as u64).sum::<u64>())
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SEED, caught};
    use super::*;
    use crate::infix::sellers;
    use crate::search::cpu::{FindOne, Rows, by};

    const fn wrong(name: &'static str, prepare: fn(Query, Rows) -> Box<dyn FindOne>) -> CpuAlgorithm {
        CpuAlgorithm { about: About::new(name, "", "", ""), check: |_| Ok(()), takes: Takes::one(|_| None, prepare) }
    }

    #[test]
    fn a_lost_end_and_a_wrong_number_of_errors_are_found() {
        static WRONG: [CpuAlgorithm; 3] = [
            wrong("loses the last", |query, _| {
                by(query, |text, query, _| {
                    let mut ends = sellers::ends(text, &query.pattern, query.k);
                    ends.pop();
                    ends
                })
            }),
            wrong("counts one more", |query, _| {
                by(query, |text, query, _| {
                    let mut ends = sellers::ends(text, &query.pattern, query.k);
                    ends.iter_mut().rev().take(1).for_each(|end| end.errors += 1);
                    ends
                })
            }),
            wrong("finds one twice", |query, _| {
                by(query, |text, query, _| {
                    let mut ends = sellers::ends(text, &query.pattern, query.k);
                    ends.extend(ends.first().copied());
                    ends
                })
            }),
        ];
        for algorithm in WRONG.chunks(1) {
            let (name, what) = (algorithm[0].about.name, caught(|run, jobs| run.search_on_cpu(algorithm, jobs)));
            let seed = what.split_once(&format!("search {name}: seed ")).and_then(|(_, rest)| rest.split(' ').next());
            let seed: u64 = seed.and_then(|seed| seed.parse().ok()).unwrap_or_else(|| panic!("{what}"));
            let Input { text, patterns, k } = input(seed, &algorithm[0].about, &|_, _| true);
            let sizes = format!("(m = {}, pattern 0 of 1, k = {k}, n = {})", patterns[0].len(), text.len());
            assert!(seed >= SEED && what.contains(&sizes), "{what}, which is {sizes}");
        }
    }
}
