//! Checks LCS tables against the recurrence: columns of splits, lengths and alignments.

use super::{CheckJob, Checker};
use crate::device::{Device, EngineKind};
use crate::error::Result;
use crate::lcs::cpu::CpuAlgorithm;
use crate::lcs::cpu::columns::CpuColumns;
use crate::lcs::gpu::DeviceAlgorithm;
use crate::lcs::{Algorithm, Comparison};
use crate::pairwise::columns::{Columns, LcsColumn};
use crate::pairwise::cuts::{Part, Side};
use crate::pairwise::recurrence;
use std::sync::Arc;

/// Longest random strings on the simulator, in symbols, so that no check takes seconds.
const MAX_SIMULATED: usize = 300;

impl Checker<'_> {
    /// Adds jobs for the CPU's algorithms.
    pub(super) fn lcs_on_cpu<'r>(&'r self, algorithms: &'static [CpuAlgorithm], jobs: &mut Vec<CheckJob<'r>>) {
        for row in algorithms {
            self.lcs(row.about.name, jobs, move |input, expected| {
                let Some(last_column) = row.columns() else { return Ok(()) };
                let engine = CpuColumns { strings: [&input.a, &input.b], last_column, progress: &|_| () };
                self.columns(row.about.name, &engine, input, expected)
            });
        }
    }

    /// Adds jobs for the devices' algorithms; devices work together if an algorithm can.
    pub(super) fn lcs_on<'r, D: Device>(&'r self, devices: &'r [Arc<D>], jobs: &mut Vec<CheckJob<'r>>) {
        for row in DeviceAlgorithm::<D>::ALL {
            let together: Vec<&D> = devices.iter().take(row.about.limits.devices).map(|device| &**device).collect();
            self.lcs(row.about.name, jobs, move |input, expected| {
                let engine = (row.open)(&together, [&input.a, &input.b], &|_| ())?;
                self.columns(row.about.name, &*engine, input, expected)
            });
        }
    }

    fn lcs<'r>(
        &'r self,
        name: &'static str,
        jobs: &mut Vec<CheckJob<'r>>,
        columns: impl Fn(&Input, &Expected) -> Result<()> + 'r,
    ) {
        self.two_strings(format!("lcs {name}"), 5, jobs, move |input| {
            let expected = Expected::for_input(input);
            columns(input, &expected)?;
            self.whole(name, input, &expected)
        });
    }

    /// Adds a job that checks two strings at a time, first the fixed ones and then random ones.
    /// Each check computes `tables` tables.
    pub(super) fn two_strings<'r>(
        &'r self,
        label: String,
        tables: u64,
        jobs: &mut Vec<CheckJob<'r>>,
        check: impl Fn(&Input) -> Result<()> + 'r,
    ) {
        let most = if self.engine.kind() == EngineKind::Simt { MAX_SIMULATED } else { usize::MAX };
        let fixed = fixed();
        let count = fixed.len() as u64;
        jobs.push(CheckJob::new(label, count, move |number| {
            let made;
            let input = match fixed.get(number as usize) {
                Some(input) => input,
                None => {
                    made = random(self.options.seed.wrapping_add(number - count), most);
                    &made
                }
            };
            check(input)?;
            Ok(tables * input.a.len() as u64 * input.b.len() as u64)
        }));
    }

    /// Checks the length and the alignment, with every column on the engine and small leaves.
    fn whole(&self, name: &str, input: &Input, expected: &Expected) -> Result<()> {
        let (a, b) = (&input.a[..], &input.b[..]);
        let Ok(algorithm) = Algorithm::named(name) else { return Ok(()) };
        let about = algorithm.about(self.engine.kind());
        if about.is_none_or(|about| self.engine.count() > about.limits.devices) {
            return Ok(());
        }
        let comparison = Comparison::new().on_devices(self.engine).algorithm(algorithm).thresholds(1 << 14, 1 << 12);
        let want = expected.whole.last() as u64;
        let length = comparison.length(a, b)?;
        if length != want {
            return Err(self.wrong(format!("{name}: {input}: length {length}, not {want}")));
        }
        let aligned = |comparison: &Comparison<'_>, rules: &str| {
            let lcs = comparison.alignment(a, b)?;
            lcs.verify(a, b)?;
            match lcs.len() {
                found if found == want => Ok(()),
                found => Err(self.wrong(format!("{name}{rules}: {input}: an alignment of {found}, not {want}"))),
            }
        };
        aligned(&comparison, "")?;
        #[cfg(feature = "published")]
        if crate::lcs::Rules::Published.check(algorithm).is_ok() {
            aligned(&comparison.rules(crate::lcs::Rules::Published), ", published rules")?;
        }
        Ok(())
    }

    /// Checks both columns of a split, and the column of the whole.
    fn columns(&self, name: &str, engine: &dyn Columns, input: &Input, expected: &Expected) -> Result<()> {
        let (a, b) = (&input.a[..], &input.b[..]);
        let (rows, columns) = (Part { side: Side::A, range: 0..a.len() }, Part { side: Side::B, range: 0..b.len() });
        let differ = |what: &str| Err(self.wrong(format!("{name}: {input}: {what} differs from the recurrence")));
        if !a.is_empty() && !b.is_empty() && engine.column(&rows, &columns)? != expected.whole {
            return differ("the column");
        }
        let middle = input.middle();
        if !a.is_empty() && middle > 0 {
            let (forward, backward) = engine.halves(&rows, &columns, middle)?;
            if forward != expected.forward {
                return differ("the forward column of a split");
            }
            if backward != expected.backward {
                return differ("the backward column of a split");
            }
        }
        Ok(())
    }
}

/// Two strings, and a name that identifies them.
pub(super) struct Input {
    name: String,
    pub a: Vec<u8>,
    pub b: Vec<u8>,
}

impl Input {
    /// Returns the column where the strings are split.
    pub fn middle(&self) -> usize {
        self.b.len() / 2
    }
}

/// The reference for an input.
struct Expected {
    whole: LcsColumn,
    forward: LcsColumn,
    backward: LcsColumn,
}

impl Expected {
    fn for_input(input: &Input) -> Self {
        let (before, after) = input.b.split_at(input.middle());
        let column = |lengths: Vec<u32>| LcsColumn::from_lengths(&lengths);
        Self {
            whole: column(recurrence::lcs_lengths(input.a.iter(), input.b.iter())),
            forward: column(recurrence::lcs_lengths(input.a.iter(), before.iter())),
            backward: column(recurrence::lcs_lengths(input.a.iter().rev(), after.iter().rev())),
        }
    }
}

impl std::fmt::Display for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} × {} symbols)", self.name, self.a.len(), self.b.len())
    }
}

/// Returns inputs that are hard on carries, borders and alphabets.
fn fixed() -> Vec<Input> {
    let ripple = |n| (vec![0u8; n], vec![0u8, 1, 0]);
    let first_then_others = |n: usize| (std::iter::once(b'A').chain(vec![b'C'; n]).collect::<Vec<u8>>(), b"A".to_vec());
    let every: Vec<u8> = (0..=255).collect();
    let cases = [
        ("both empty", (vec![], vec![])),
        ("one empty", (b"ACGT".to_vec(), vec![])),
        ("one symbol", (b"A".to_vec(), b"A".to_vec())),
        ("one symbol, another", (b"A".to_vec(), b"C".to_vec())),
        ("equal", (every.repeat(5), every.repeat(5))),
        ("nothing in common", (vec![b'A'; 1100], vec![b'C'; 1100])),
        ("one symbol throughout", (vec![0; 2049], vec![0; 1025])),
        ("a ripple through every word", ripple(2100)),
        ("A C^n against A", first_then_others(3000)),
        ("256 symbols against their reverse", (every.clone(), every.iter().rev().copied().collect())),
        ("NUL bytes", (b"\0\0a\0".to_vec(), b"\0a\0\0".to_vec())),
        ("alternating", (b"AC".repeat(700), b"CA".repeat(600))),
        ("similar", similar(2100, 4, &mut fastrand::Rng::with_seed(1))),
    ];
    cases.into_iter().map(|(name, (a, b))| Input { name: name.into(), a, b }).collect()
}

/// Returns a random string, and a copy of it with about 3 errors in 100 symbols.
fn similar(len: usize, symbols: u16, random: &mut fastrand::Rng) -> (Vec<u8>, Vec<u8>) {
    let a: Vec<u8> = (0..len).map(|_| random.u16(..symbols) as u8).collect();
    let mut b = Vec::with_capacity(len);
    for &symbol in &a {
        match random.u32(..100) {
            0 => b.push(random.u16(..symbols) as u8),
            1 => b.extend([symbol, random.u16(..symbols) as u8]),
            2 => {}
            _ => b.push(symbol),
        }
    }
    (a, b)
}

/// Lengths around every border of words, sub-vectors and steps.
const LENGTHS: [usize; 16] = [1, 2, 31, 32, 33, 63, 64, 65, 96, 255, 1023, 1024, 1025, 2047, 2048, 2049];

fn random(seed: u64, most: usize) -> Input {
    let mut random = fastrand::Rng::with_seed(seed);
    let symbols = [1u16, 2, 4, 20, 256][random.usize(..5)];
    let len = |random: &mut fastrand::Rng| {
        let len = if random.bool() { LENGTHS[random.usize(..LENGTHS.len())] } else { random.usize(0..2500) };
        if len > most { len % most } else { len }
    };
    let string = |random: &mut fastrand::Rng| {
        let len = len(random);
        (0..len).map(|_| random.u16(..symbols) as u8).collect::<Vec<u8>>()
    };
    let is_similar = random.u8(..4) == 0;
    let (a, b) = if is_similar {
        similar(len(&mut random), symbols, &mut random)
    } else {
        (string(&mut random), string(&mut random))
    };
    Input { name: format!("seed {seed}, {symbols} symbols"), a, b }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SEED, caught};
    use super::*;
    use crate::algorithm::About;
    use crate::lcs::cpu::{LastColumn, dp};
    use crate::pairwise::columns::Direction;
    use crate::pairwise::rows::Computes;

    /// Returns an algorithm by a function that computes some columns with a wrong bit in the first
    /// row.
    const fn flipped(name: &'static str, last_column: LastColumn) -> CpuAlgorithm {
        CpuAlgorithm { about: About::new(name, "", "", ""), computes: Computes::Columns(last_column) }
    }

    fn column(rows: &[u8], columns: &[u8], direction: Direction, is_wrong: bool) -> LcsColumn {
        let mut lengths: Vec<u32> =
            dp::last_column(rows, columns, direction).lengths().into_iter().map(|length| length as u32).collect();
        if let [_, first, ..] = &mut lengths[..]
            && is_wrong
        {
            *first ^= 1;
        }
        LcsColumn::from_lengths(&lengths)
    }

    #[test]
    fn a_wrong_bit_of_a_column_is_found() {
        static ALWAYS: [CpuAlgorithm; 1] =
            [flipped("always", |rows, columns, direction, _| column(rows, columns, direction, true))];
        let what = caught(|run, jobs| run.lcs_on_cpu(&ALWAYS, jobs));
        assert!(what.contains("always: one symbol (1 × 1 symbols): the column differs"), "{what}");
        // Wrong in one direction only, which a split shows.
        static BACKWARD: [CpuAlgorithm; 1] = [flipped("backward", |rows, columns, direction, _| {
            column(rows, columns, direction, direction == Direction::Backward)
        })];
        let what = caught(|run, jobs| run.lcs_on_cpu(&BACKWARD, jobs));
        assert!(what.contains("the backward column of a split differs"), "{what}");
        // Wrong on some random strings only, which the seed identifies.
        static RARE: [CpuAlgorithm; 1] = [flipped("rare", |rows, columns, direction, _| {
            column(rows, columns, direction, rows.starts_with(&[1, 1]))
        })];
        let what = caught(|run, jobs| run.lcs_on_cpu(&RARE, jobs));
        let seed = what.split_once("rare: seed ").and_then(|(_, rest)| rest.split([',', ' ']).next()?.parse().ok());
        let seed: u64 = seed.unwrap_or_else(|| panic!("{what}"));
        let input = random(seed, usize::MAX);
        assert!(seed >= SEED && input.a.starts_with(&[1, 1]) && what.contains(&input.to_string()), "{what}");
    }
}
