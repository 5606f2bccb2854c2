//! Cross-checks of every algorithm of every engine: what a user runs on a new GPU.
//!
//! The reference is plain dynamic programming on the CPU, which shares no code with the bit-vectors. Whole columns are
//! compared, forwards and backwards, subsequences are walked along both strings, and the ends of searches and best matches are
//! those of Sellers.

mod best;
mod search;

use crate::engine::block_step::BlockStepLcs;
use crate::engine::columns::{Columns, CpuColumns, Part, Side};
use crate::engine::cpu::dp;
use crate::engine::device::Device;
use crate::engine::simt::Simt;
use crate::engine::wavefront::WavefrontLcs;
use crate::error::{Error, Result};
use crate::lcs::column::{Column, Direction};
use crate::lcs::{Algorithm, Comparison, Engine};
use carrywave_kernels::carry::{ConditionalSum, LookAhead, Sums, WarpAdd};
use carrywave_kernels::cuda::Kernel;
use carrywave_kernels::device_test::{self, DeviceTest};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to check.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The engines.
    pub engines: Vec<Engine>,
    /// How long to go on with random inputs, over all engines.
    pub time: Duration,
    /// Where the random inputs start.
    pub seed: u64,
    /// Which GPU.
    pub gpu: usize,
}

/// What was found right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The engine.
    pub engine: Engine,
    /// What was checked.
    pub name: String,
    /// Inputs.
    pub cases: u64,
    /// Cells of tables.
    pub cells: u64,
}

/// Runs the checks.
///
/// # Errors
/// [`Error::Verification`] at the first difference, with the input that shows it; others when an engine fails.
pub fn verify(plan: &Plan) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let share = plan.time / plan.engines.len().max(1) as u32;
    for &engine in &plan.engines {
        let run = Run { engine, plan, time: share };
        match engine {
            Engine::Auto | Engine::Cpu => {
                run.search_on_cpu(&mut checks)?;
                run.best_on_cpu(&mut checks)?;
            }
            Engine::Simt => run.device(&Arc::new(Simt::default()), &mut checks)?,
            #[cfg(feature = "gpu")]
            Engine::Gpu => run.device(&crate::engine::gpu::Gpu::shared(plan.gpu)?, &mut checks)?,
            #[cfg(not(feature = "gpu"))]
            Engine::Gpu => return Err(Error::NoGpu("this build has no GPU engine (feature `gpu`)".into())),
        }
        run.lcs(&mut checks)?;
    }
    Ok(checks)
}

struct Run<'p> {
    engine: Engine,
    plan: &'p Plan,
    time: Duration,
}

impl Run<'_> {
    fn check(&self, name: impl Into<String>, cases: u64, cells: u64) -> Check {
        Check { engine: self.engine, name: name.into(), cases, cells }
    }

    /// The device layer, the sums of a warp, searches and best matches.
    fn device<D: Device>(&self, shared: &Arc<D>, checks: &mut Vec<Check>) -> Result<()> {
        let device = &**shared;
        let queue = device.queue()?;
        let len = (device_test::ROWS * device_test::THREADS) as usize;
        let rows = device.alloc::<u32>(len, "rows")?;
        let mut atomics = device.alloc::<u32>(device_test::ATOMICS_BEFORE.len(), "atomics")?;
        device.upload(&queue, &mut atomics, &device_test::ATOMICS_BEFORE)?;
        let mut wide = device.alloc::<u64>(device_test::THREADS as usize, "wide")?;
        device.zero(&queue, &mut wide)?;
        let kernel =
            DeviceTest { rows: device.handle(&rows), atomics: device.handle(&atomics), wide: device.handle(&wide) };
        // SAFETY: one block, and all arrays have their full length.
        unsafe { device.launch(&queue, 1, kernel)? };
        let (found, expected) = (device.download(&queue, &rows, len)?, device_test::expected());
        if let Some(i) = expected.iter().zip(&found).position(|(want, got)| want != got) {
            let (row, thread) = (i / device_test::THREADS as usize, i % device_test::THREADS as usize);
            return Err(self.wrong(format!(
                "device layer: row {row}, thread {thread} is {:#x}, not {:#x}",
                found[i], expected[i]
            )));
        }
        let winners: u32 = found[expected.len()..].iter().sum();
        let after = device.download(&queue, &atomics, device_test::ATOMICS_AFTER.len())?;
        if winners != 1 || after != device_test::ATOMICS_AFTER {
            return Err(self.wrong(format!("device layer: the atomics are {after:x?}")));
        }
        checks.push(self.check("device layer", u64::from(device_test::ROWS), 0));
        self.sums::<D, ConditionalSum>(device, &queue)?;
        self.sums::<D, LookAhead>(device, &queue)?;
        checks.push(self.check("sums across a warp", 2 * SUMS as u64, 0));
        self.search_on(shared, checks)?;
        self.best_on(shared, checks)
    }

    fn sums<D: Device, A: WarpAdd>(&self, device: &D, queue: &D::Queue) -> Result<()>
    where
        Sums<A>: Kernel,
    {
        let mut random = fastrand::Rng::with_seed(self.plan.seed);
        // Words that propagate, generate, stop or start a carry are likely.
        let a: Vec<u32> = (0..SUMS * 32).map(|_| random.u32(..)).collect();
        let b: Vec<u32> = a
            .iter()
            .map(
                |&a| if random.u8(..) < 20 { random.u32(..) } else { (!a).wrapping_add(u32::from(random.u8(..) < 16)) },
            )
            .collect();
        let carry_in: Vec<u32> = (0..SUMS).map(|_| random.u32(..2)).collect();
        let upload = |data: &[u32], name| -> Result<D::Buffer<u32>> {
            let mut buffer = device.alloc(data.len(), name)?;
            device.upload(queue, &mut buffer, data)?;
            Ok(buffer)
        };
        let (a_buffer, b_buffer, in_buffer) = (upload(&a, "a")?, upload(&b, "b")?, upload(&carry_in, "carry in")?);
        let (sum, carry_out) = (device.alloc::<u32>(SUMS * 32, "sum")?, device.alloc::<u32>(SUMS, "carry out")?);
        let kernel = Sums::<A> {
            a: device.handle(&a_buffer),
            b: device.handle(&b_buffer),
            carry_in: device.handle(&in_buffer),
            sum: device.handle(&sum),
            carry_out: device.handle(&carry_out),
            add: PhantomData,
        };
        // SAFETY: a block a sum, and every array is as long as that.
        unsafe { device.launch(queue, SUMS as u32, kernel)? };
        let (sum, carry_out) = (device.download(queue, &sum, SUMS * 32)?, device.download(queue, &carry_out, SUMS)?);
        for number in 0..SUMS {
            let mut carry = carry_in[number] != 0;
            for i in number * 32..number * 32 + 32 {
                let (half, c0) = a[i].overflowing_add(b[i]);
                let (word, c1) = half.overflowing_add(carry.into());
                carry = c0 || c1;
                if sum[i] != word {
                    return Err(self.wrong(format!("sum {number}, word {}: {:#x}, not {word:#x}", i % 32, sum[i])));
                }
            }
            if (carry_out[number] != 0) != carry {
                return Err(self.wrong(format!("sum {number}: carry out {}", carry_out[number])));
            }
        }
        Ok(())
    }

    /// Every algorithm on the fixed inputs, then on random ones until the time is over.
    fn lcs(&self, checks: &mut Vec<Check>) -> Result<()> {
        let algorithms = Algorithm::of(self.engine);
        let mut done = vec![(0u64, 0u64); algorithms.len()];
        let mut one = |input: &Input| -> Result<()> {
            let expected = Expected::of(input);
            for (&algorithm, (cases, cells)) in algorithms.iter().zip(&mut done) {
                self.one(algorithm, input, &expected)?;
                *cases += 1;
                *cells += 5 * input.a.len() as u64 * input.b.len() as u64;
            }
            Ok(())
        };
        let started = Instant::now();
        for input in fixed() {
            one(&input)?;
        }
        let mut seed = self.plan.seed;
        while started.elapsed() < self.time {
            one(&random(seed))?;
            seed += 1;
        }
        for (algorithm, (cases, cells)) in algorithms.iter().zip(done) {
            checks.push(self.check(format!("lcs {algorithm}"), cases, cells));
        }
        Ok(())
    }

    fn one(&self, algorithm: Algorithm, input: &Input, expected: &Expected) -> Result<()> {
        let (a, b) = (&input.a[..], &input.b[..]);
        match (self.engine, algorithm) {
            (Engine::Auto | Engine::Cpu, _) => {
                let engine = CpuColumns { strings: [a, b], algorithm: algorithm.into(), progress: &|_| () };
                self.columns(algorithm, &engine, input, expected)?;
            }
            (Engine::Simt, _) => self.device_columns(algorithm, &Simt::default(), input, expected)?,
            #[cfg(feature = "gpu")]
            (Engine::Gpu, _) => {
                let gpu = crate::engine::gpu::Gpu::shared(self.plan.gpu)?;
                self.device_columns(algorithm, &*gpu, input, expected)?;
            }
            #[cfg(not(feature = "gpu"))]
            (Engine::Gpu, _) => {}
        }
        // Every column on the engine, down to small leaves.
        let comparison =
            Comparison::new().engine(self.engine).algorithm(algorithm).gpu(self.plan.gpu).thresholds(1 << 14, 1 << 12);
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

    fn wrong(&self, what: String) -> Error {
        Error::Verification(format!("engine {}: {what}", self.engine))
    }
}

/// Sums checked at a time.
const SUMS: usize = 512;

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

fn random(seed: u64) -> Input {
    let mut random = fastrand::Rng::with_seed(seed);
    let symbols = [1u16, 2, 4, 20, 256][random.usize(..5)];
    let mut string = || {
        let len = if random.bool() { LENGTHS[random.usize(..LENGTHS.len())] } else { random.usize(0..2500) };
        (0..len).map(|_| random.u16(..symbols) as u8).collect::<Vec<u8>>()
    };
    let (a, b) = (string(), string());
    Input { name: format!("seed {seed}, {symbols} symbols"), a, b }
}
