//! Random inputs of several types, in turn, for a chosen time: a small fuzzer that needs no other
//! toolchain.
//!
//! A plain `cargo test` checks a few inputs of each type. `CARRYWAVE_FUZZ_SECONDS` sets the
//! duration, shared by all types, and `CARRYWAVE_FUZZ_SEED` the seed. A failing input is shrunk and
//! printed with the seed.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::time::{Duration, Instant};

/// Number of inputs of a type at a time.
const BATCH: u32 = 8;

/// Inputs of one type, and the property to check.
pub struct Kind {
    name: &'static str,
    run: Box<dyn Fn(TestRunner) -> Result<(), String>>,
    inputs: u64,
    spent: Duration,
}

impl Kind {
    /// Adds a property; `check` panics if it does not hold.
    pub fn new<S: Strategy + 'static>(name: &'static str, inputs: S, check: fn(S::Value)) -> Self {
        let run = move |mut runner: TestRunner| {
            let checked = runner.run(&inputs, |input| {
                check(input);
                Ok(())
            });
            checked.map_err(|error| error.to_string())
        };
        Self { name, run: Box::new(run), inputs: 0, spent: Duration::ZERO }
    }
}

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is a number, not {value}")))
}

/// Checks inputs of each type, and panics at the first failure.
pub fn check(mut kinds: Vec<Kind>) {
    let time = Duration::from_secs(from_environment("CARRYWAVE_FUZZ_SECONDS").unwrap_or(0));
    let seed = from_environment("CARRYWAVE_FUZZ_SEED").unwrap_or(1);
    let end = Instant::now() + time;
    // Runs each type once, then the one with the least time so far.
    while let Some(kind) = kinds.iter_mut().min_by_key(|kind| (kind.inputs > 0, kind.spent))
        && (kind.inputs == 0 || Instant::now() < end)
    {
        let started = Instant::now();
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&kind.inputs.to_le_bytes());
        let config = Config { cases: BATCH, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
        if let Err(error) =
            (kind.run)(TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)))
        {
            panic!("{}, seed {seed}, after {} inputs: {error}", kind.name, kind.inputs);
        }
        kind.inputs += u64::from(BATCH);
        kind.spent += started.elapsed();
    }
    let simd = std::env::var("CARRYWAVE_SIMD").unwrap_or_else(|_| "all there is".into());
    for Kind { name, inputs, spent, .. } in kinds {
        println!("{inputs:>8} {name:<16} in {:5.1} s, vectors: {simd}", spent.as_secs_f64());
    }
}
