//! LCS tables against plain dynamic programming: columns of splits, lengths and subsequences.

use super::{Job, Run};
use crate::align::column::{Column, Direction};
use crate::align::columns::{Columns, Part, Side};
use crate::device::Device;
use crate::error::Result;
use crate::lcs::cpu::columns::CpuColumns;
use crate::lcs::cpu::dp;
use crate::lcs::gpu::block_step::BlockStepLcs;
use crate::lcs::gpu::wavefront::WavefrontLcs;
use crate::lcs::{Algorithm, Comparison, Engine};
use carrywave_kernels::lcs::carry::{ConditionalSum, LookAhead};

/// Symbols of random strings on the simulator at most, so that one does not take seconds.
const MOST_SIMULATED: usize = 300;

impl Run<'_> {
    /// Every algorithm of the engine.
    pub(super) fn lcs<'r>(&'r self, jobs: &mut Vec<Job<'r>>) {
        let most = if self.engine == Engine::Simt { MOST_SIMULATED } else { usize::MAX };
        for &algorithm in Algorithm::of(self.engine) {
            let fixed = fixed();
            let count = fixed.len() as u64;
            jobs.push(Job::new(format!("lcs {algorithm}"), count, move |number| {
                let random = |seed| random(seed, most);
                let made;
                let input = match fixed.get(number as usize) {
                    Some(input) => input,
                    None => {
                        made = random(self.plan.seed.wrapping_add(number - count));
                        &made
                    }
                };
                self.one(algorithm, input, &Expected::of(input))?;
                Ok(5 * input.a.len() as u64 * input.b.len() as u64)
            }));
        }
    }

    fn one(&self, algorithm: Algorithm, input: &Input, expected: &Expected) -> Result<()> {
        let (a, b) = (&input.a[..], &input.b[..]);
        match (self.engine, algorithm) {
            // The columns of dynamic programming are the reference itself.
            (_, Algorithm::Dp) => {}
            (Engine::Auto | Engine::Cpu, _) => {
                let engine = CpuColumns { strings: [a, b], algorithm: algorithm.into(), progress: &|_| () };
                self.columns(algorithm, &engine, input, expected)?;
            }
            (Engine::Simt, _) => self.device_columns(algorithm, &self.simt(), input, expected)?,
            #[cfg(feature = "gpu")]
            (Engine::Gpu, _) => {
                let gpu = crate::device::gpu::shared(self.plan.gpu)?;
                self.device_columns(algorithm, &*gpu, input, expected)?;
            }
            #[cfg(not(feature = "gpu"))]
            (Engine::Gpu, _) => {}
        }
        // Every column on the engine, down to small leaves.
        let mut comparison = Comparison::new().engine(self.engine).algorithm(algorithm).thresholds(1 << 14, 1 << 12);
        if self.engine == Engine::Gpu {
            comparison = comparison.gpu(self.plan.gpu);
        }
        let want = expected.whole.last() as u64;
        let length = comparison.length(a, b)?;
        if length != want {
            return Err(self.wrong(format!("{algorithm}: {input}: length {length}, not {want}")));
        }
        let lcs = comparison.subsequence(a, b)?;
        lcs.verify(a, b)?;
        if lcs.len() != want {
            return Err(self.wrong(format!("{algorithm}: {input}: a subsequence of {}, not {want}", lcs.len())));
        }
        Ok(())
    }

    fn device_columns<D: Device>(
        &self,
        algorithm: Algorithm,
        device: &D,
        input: &Input,
        expected: &Expected,
    ) -> Result<()> {
        let (a, b) = (&input.a[..], &input.b[..]);
        let engine: Box<dyn Columns + '_> = match algorithm {
            Algorithm::BlockStep => Box::new(BlockStepLcs::<D, ConditionalSum>::new(device, a, b, &|_| ())?),
            Algorithm::BlockStepLookAhead => Box::new(BlockStepLcs::<D, LookAhead>::new(device, a, b, &|_| ())?),
            _ => Box::new(WavefrontLcs::new(&[device], a, b, &|_| ())?),
        };
        self.columns(algorithm, &*engine, input, expected)
    }

    /// Both columns of a split, and that of the whole.
    fn columns(&self, algorithm: Algorithm, engine: &dyn Columns, input: &Input, expected: &Expected) -> Result<()> {
        let (a, b) = (&input.a[..], &input.b[..]);
        let (rows, columns) = (Part { side: Side::A, range: 0..a.len() }, Part { side: Side::B, range: 0..b.len() });
        let differ =
            |what: &str| Err(self.wrong(format!("{algorithm}: {input}: {what} differs from dynamic programming")));
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

/// Two strings, and how to make them again.
struct Input {
    name: String,
    a: Vec<u8>,
    b: Vec<u8>,
}

impl Input {
    /// Where the columns are split.
    fn middle(&self) -> usize {
        self.b.len() / 2
    }
}

/// The reference for an input, computed once for all algorithms.
struct Expected {
    whole: Column,
    forward: Column,
    backward: Column,
}

impl Expected {
    fn of(input: &Input) -> Self {
        let (before, after) = input.b.split_at(input.middle());
        Self {
            whole: dp::last_column(&input.a, &input.b, Direction::Forward),
            forward: dp::last_column(&input.a, before, Direction::Forward),
            backward: dp::last_column(&input.a, after, Direction::Backward),
        }
    }
}

impl std::fmt::Display for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} × {} symbols)", self.name, self.a.len(), self.b.len())
    }
}

/// Inputs that are hard on carries, borders and alphabets.
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
    ];
    cases.into_iter().map(|(name, (a, b))| Input { name: name.into(), a, b }).collect()
}

/// Lengths around every border of words, sub-vectors and steps.
const LENGTHS: [usize; 16] = [1, 2, 31, 32, 33, 63, 64, 65, 96, 255, 1023, 1024, 1025, 2047, 2048, 2049];

fn random(seed: u64, most: usize) -> Input {
    let mut random = fastrand::Rng::with_seed(seed);
    let symbols = [1u16, 2, 4, 20, 256][random.usize(..5)];
    let mut string = || {
        let len = if random.bool() { LENGTHS[random.usize(..LENGTHS.len())] } else { random.usize(0..2500) };
        let len = if len > most { len % most } else { len };
        (0..len).map(|_| random.u16(..symbols) as u8).collect::<Vec<u8>>()
    };
    let (a, b) = (string(), string());
    Input { name: format!("seed {seed}, {symbols} symbols"), a, b }
}
