//! Checks distances of many pairs against the recurrence: of a list, of all to all, the nearest,
//! and those within a maximum.

use super::{CheckJob, Checker, oracle};
use crate::device::{Devices, EngineKind};
use crate::error::{Error, Result};
use crate::pairs::{Algorithm, Cost, Near, Pairs};
use crate::pairwise::recurrence;
use rayon::prelude::*;
use std::fmt::{self, Debug};

/// Number of inputs that always run: every shape with all costs, with a maximum and without.
const MIN_INPUTS: u64 = VARIANTS * SHAPES;
const SHAPES: u64 = 4;
/// Number of costs, times two.
const VARIANTS: u64 = 6;

/// Lengths around the borders of words, of blocks of columns and of groups of rows.
const LENGTHS: [usize; 16] = [0, 1, 2, 11, 12, 13, 24, 31, 32, 33, 63, 64, 65, 127, 128, 129];

/// Two lists of strings, and the parameters of the jobs.
struct Input {
    seed: u64,
    a: Vec<Vec<u8>>,
    b: Vec<Vec<u8>>,
    cost: Cost,
    maximum: Option<u32>,
    /// Number of nearest strings.
    top: usize,
    /// Size of the alphabet.
    symbols: u16,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, a, b, cost, maximum, symbols, .. } = self;
        write!(f, "seed {seed} ({} × {} strings of {symbols} symbols, {cost:?}, ", a.len(), b.len())?;
        match maximum {
            Some(maximum) => write!(f, "maximum {maximum})"),
            None => write!(f, "no maximum)"),
        }
    }
}

impl Input {
    /// Returns the input with a number: a few hundred pairs of mixed or of equal lengths, few long
    /// pairs, or hardly any. Inputs for the simulator are smaller.
    fn new(number: u64, seed: u64, on: EngineKind) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let symbols = [1, 2, 4, 20, 256][random.usize(..5)];
        let (small, fewer) = if on == EngineKind::Simt { (2, 4) } else { (1, 1) };
        let one = LENGTHS[random.usize(..LENGTHS.len())] / small;
        let (count, others): (usize, usize) = match number / VARIANTS % SHAPES {
            0 => (10 / fewer, 80 / fewer),
            1 => (6 / fewer, 200 / fewer),
            2 => (1, 2),
            _ => (random.usize(..2), random.usize(..40)),
        };
        let string = |random: &mut fastrand::Rng| -> Vec<u8> {
            let len = match number / VARIANTS % SHAPES {
                1 => one,
                2 => random.usize(900..1100) / (small * fewer),
                _ if random.bool() => LENGTHS[random.usize(..LENGTHS.len())] / small,
                _ => random.usize(..130) / small,
            };
            (0..len).map(|_| random.u16(..symbols) as u8).collect()
        };
        let a: Vec<Vec<u8>> = (0..count).map(|_| string(&mut random)).collect();
        // Every second string is similar to one of the first list.
        let b = (0..others)
            .map(|number| match a.get(number % (2 * count.max(1))) {
                Some(near) => edited(&mut random, near, symbols),
                None => string(&mut random),
            })
            .collect();
        let cost = match number % 3 {
            0 => Cost::Levenshtein,
            2 if on == EngineKind::Cpu => Cost::Osa,
            _ => Cost::Indel,
        };
        let maximum = [0, 1, 3, 10, 40, 300][random.usize(..6)];
        let maximum = (number / 3 % 2 == 1).then_some(maximum);
        Self { seed, a, b, cost, maximum, top: [0, 1, 3, 1000][random.usize(..4)], symbols }
    }

    fn job(&self) -> Pairs<'static> {
        let job = Pairs::new().cost(self.cost);
        self.maximum.map_or(job.clone(), |maximum| job.maximum(maximum))
    }

    /// Returns pairs of each string of the second list and one of the first.
    fn listed(&self) -> Vec<(&[u8], &[u8])> {
        let some = self.a.iter().cycle();
        some.zip(&self.b).map(|(a, b)| (&a[..], &b[..])).collect()
    }

    /// Returns the strings of the first list and some of the second.
    fn list(&self) -> Vec<&[u8]> {
        self.a.iter().chain(self.b.iter().take(2 * self.a.len())).map(|string| &string[..]).collect()
    }

    /// Returns the maximum, or a default if there is none.
    fn near(&self) -> u32 {
        self.maximum.unwrap_or(5)
    }

    /// Returns the number of cells of all tables that the recurrence fills.
    fn cells(&self) -> u64 {
        let symbols = |list: &mut dyn Iterator<Item = &[u8]>| list.map(|string| string.len() as u64).sum::<u64>();
        let all = symbols(&mut self.a.iter().map(|a| &a[..])) * symbols(&mut self.b.iter().map(|b| &b[..]));
        let listed: u64 = self.listed().iter().map(|(a, b)| a.len() as u64 * b.len() as u64).sum();
        all + listed + symbols(&mut self.list().into_iter()).pow(2) / 2
    }
}

/// Returns a string after a few random edits.
fn edited(random: &mut fastrand::Rng, string: &[u8], symbols: u16) -> Vec<u8> {
    let mut string = string.to_vec();
    for _ in 0..random.usize(..8) {
        let (at, symbol) = (random.usize(..=string.len()), random.u16(..symbols) as u8);
        match random.usize(..4) {
            0 if at < string.len() => drop(string.remove(at)),
            1 if at < string.len() => string[at] = symbol,
            2 if at + 1 < string.len() => string.swap(at, at + 1),
            _ => string.insert(at, symbol),
        }
    }
    string
}

/// The results of an algorithm; `None` for jobs that it refuses.
struct Answers {
    listed: Option<Vec<Option<u32>>>,
    matrix: Option<Vec<Vec<Option<u32>>>>,
    nearest: Option<Vec<Vec<Near>>>,
    within: Option<Vec<Near>>,
}

/// Returns the result of a job; `None` if the algorithm refuses it.
fn taken<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(Error::Unsupported { .. }) => Ok(None),
        other => other.map(Some),
    }
}

impl Answers {
    fn compute(job: &Pairs<'_>, input: &Input) -> Result<Self> {
        Ok(Self {
            listed: taken(job.listed(&input.listed()))?,
            matrix: taken(job.matrix(&input.a, &input.b))?,
            nearest: taken(job.nearest(&input.a, &input.b, input.top))?,
            within: Some(job.clone().maximum(input.near()).within(&input.list())?),
        })
    }

    /// Computes the results by the recurrence, on all threads, and by sorting.
    fn expected(input: &Input) -> Self {
        let exact = |a: &[u8], b: &[u8]| match input.cost {
            Cost::Levenshtein => oracle::distances(a.iter(), b.iter()).last().map_or(0, |&distance| distance as u32),
            Cost::Indel => {
                let length = recurrence::lcs_lengths(a.iter(), b.iter()).last().map_or(0, |&length| length);
                (a.len() + b.len()) as u32 - 2 * length
            }
            Cost::Osa => recurrence::osa(a, b),
        };
        let known =
            |a: &[u8], b: &[u8]| Some(exact(a, b)).filter(|&distance| distance <= input.maximum.unwrap_or(u32::MAX));
        let row = |a: &Vec<u8>| input.b.par_iter().map(|b| known(a, b)).collect();
        let matrix: Vec<Vec<Option<u32>>> = input.a.par_iter().map(row).collect();
        let nearest = (0..).zip(&matrix).map(|(a, row)| {
            let near = |(b, &distance): (usize, &Option<u32>)| distance.map(|distance| Near { a, b, distance });
            let mut all: Vec<Near> = row.iter().enumerate().filter_map(near).collect();
            all.sort_by_key(|near| (near.distance, near.b));
            all.truncate(input.top);
            all
        });
        let list = input.list();
        let pairs: Vec<_> = (0..list.len()).flat_map(|a| (a + 1..list.len()).map(move |b| (a, b))).collect();
        let near = |&(a, b): &(usize, usize)| Near { a, b, distance: exact(list[a], list[b]) };
        Self {
            listed: Some(input.listed().into_par_iter().map(|(a, b)| known(a, b)).collect()),
            nearest: Some(nearest.collect()),
            within: Some(pairs.par_iter().map(near).filter(|near| near.distance <= input.near()).collect()),
            matrix: Some(matrix),
        }
    }

    /// Describes the first difference, if there is one.
    fn difference(&self, expected: &Self) -> Option<String> {
        first("pair", &self.listed, &expected.listed)
            .or_else(|| first("row", &self.matrix, &expected.matrix))
            .or_else(|| first("nearest to string", &self.nearest, &expected.nearest))
            .or_else(|| first("of those within the maximum number", &self.within, &expected.within))
    }
}

/// Describes the first difference of two lists, if both are present.
fn first<T: PartialEq + Debug>(what: &str, found: &Option<Vec<T>>, expected: &Option<Vec<T>>) -> Option<String> {
    let found = found.as_deref()?;
    let expected = expected.as_deref()?;
    let number = (0..found.len().max(expected.len())).find(|&number| found.get(number) != expected.get(number))?;
    let told = |of: &[T]| of.get(number).map_or("nothing".into(), |value| format!("{value:?}"));
    Some(format!("{what} {number}: {}, not {}", told(found), told(expected)))
}

impl Checker<'_> {
    /// Adds jobs for every algorithm of the engine and `auto`; with several devices, on each device
    /// alone, because a job runs on one.
    pub(super) fn pairs_on_engine<'r>(&'r self, jobs: &mut Vec<CheckJob<'r>>) {
        let each: Vec<Devices> = match self.engine {
            Devices::Cpu(_) => vec![self.engine.clone()],
            Devices::Gpus(gpus) => gpus.iter().map(|gpu| Devices::Gpus(vec![gpu.clone()])).collect(),
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => {
                devices.iter().map(|device| Devices::Simulated(vec![device.clone()])).collect()
            }
        };
        for devices in each {
            for algorithm in Algorithm::all_on(self.engine.kind()).chain([Algorithm::AUTO]) {
                // A CPU may lack the vectors that a row needs.
                let none: &[&str] = &[];
                if Pairs::new().on_devices(&devices).algorithm(algorithm).maximum(0).within(none).is_ok() {
                    let devices = devices.clone();
                    self.pairs(algorithm, jobs, move |input| {
                        Answers::compute(&input.job().on_devices(&devices).algorithm(algorithm), input)
                    });
                }
            }
        }
    }

    fn pairs<'r>(
        &'r self,
        algorithm: Algorithm,
        jobs: &mut Vec<CheckJob<'r>>,
        answers: impl Fn(&Input) -> Result<Answers> + 'r,
    ) {
        let on = self.engine.kind();
        let name = format!("pairs {algorithm}");
        jobs.push(CheckJob::new(name.clone(), MIN_INPUTS, move |number| {
            let input = Input::new(number, self.options.seed.wrapping_add(number), on);
            match answers(&input)?.difference(&Answers::expected(&input)) {
                Some(difference) => Err(self.wrong(format!("{name}: {input}: {difference}"))),
                None => Ok(input.cells()),
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SEED, caught};
    use super::*;

    /// Corrupts correct results.
    type Spoil = fn(&mut Answers);

    #[test]
    fn wrong_distances_and_lists_are_found() {
        let all: [(Spoil, &str); 4] = [
            (|answers| answers.listed.as_mut().unwrap()[3] = Some(4444), "pair 3: Some(4444)"),
            (|answers| answers.matrix.as_mut().unwrap()[1].truncate(1), "row 1: ["),
            (|answers| answers.nearest.as_mut().unwrap()[2].clear(), "nearest to string 2: []"),
            (|answers| answers.within.as_mut().unwrap().truncate(1), "of those within the maximum number "),
        ];
        for (spoil, said) in all {
            let what = caught(|run, jobs| {
                run.pairs(Algorithm::AUTO, jobs, move |input| {
                    let mut answers = Answers::compute(&input.job(), input)?;
                    if input.a.len() > 3
                        && answers.within.as_ref().unwrap().len() > 1
                        && input.top > 0
                        && input.maximum.is_none()
                    {
                        spoil(&mut answers);
                    }
                    Ok(answers)
                });
            });
            let seed = what.split_once("seed ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok());
            assert!(seed.is_some_and(|seed| seed >= SEED) && what.contains(said), "{what}");
        }
    }
}
