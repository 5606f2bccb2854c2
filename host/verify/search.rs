//! Searches against Sellers' dynamic programming, which shares no code with the bit-vectors: every end and its errors.

use super::{Job, Run};
use crate::align::infix::sellers;
use crate::device::Device;
use crate::search::Algorithm;
use crate::search::cpu::CpuEnds;
use crate::search::ends::Ends;
use crate::search::gpu::{DeviceAlgorithm, DeviceEnds, GbprOptions, ScanOptions, XBitParOptions};
use crate::text::Pattern;
use std::sync::Arc;

/// Random texts for each algorithm, whatever the time.
const LEAST: u64 = 8;

/// What an algorithm is asked for.
#[derive(Clone, Copy)]
struct Limits {
    m: usize,
    k: u32,
}

/// Of the kernels that keep a state for each number of errors.
const WORDS: Limits = Limits { m: 64, k: 3 };
const EXACT: Limits = Limits { k: 0, ..WORDS };
/// Of those that take any: several strips of a kernel's rows.
const ANY: Limits = Limits { m: 600, k: 600 };

/// A text, a pattern of which much is found in it, and k.
struct Input {
    text: Vec<u8>,
    pattern: Vec<u8>,
    k: u32,
}

fn input(seed: u64, limits: Limits) -> Input {
    let mut random = fastrand::Rng::with_seed(seed);
    let symbols = [2, 3, 4, 20][random.usize(..4)];
    let text: Vec<u8> = (0..random.usize(1..4000)).map(|_| b'a' + random.u8(..symbols)).collect();
    let from = random.usize(..text.len());
    let some = [1, 2, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257, random.usize(1..=limits.m)];
    let some: Vec<usize> = some.into_iter().filter(|&m| m <= limits.m).collect();
    let m = some[random.usize(..some.len())];
    let mut pattern: Vec<u8> = text[from..].iter().copied().cycle().take(m).collect();
    let changed = random.usize(..m);
    pattern[changed] = b'a' + random.u8(..symbols);
    // Few, or any number.
    let most = limits.k.min(m as u32 - 1);
    let k = if random.bool() { random.u32(..=most) } else { random.u32(..4).min(most) };
    Input { text, pattern, k }
}

impl Run<'_> {
    /// The CPU's algorithms.
    pub(super) fn search_on_cpu<'r>(&'r self, jobs: &mut Vec<Job<'r>>) {
        let all = [Algorithm::Auto, Algorithm::Myers, Algorithm::WuManber, Algorithm::ShiftOr, Algorithm::Literal];
        for algorithm in all {
            let exact = matches!(algorithm, Algorithm::ShiftOr | Algorithm::Literal);
            let limits = if exact { EXACT } else { ANY };
            self.search(algorithm.to_string(), limits, CpuEnds { algorithm, progress: &|_| () }, jobs);
        }
    }

    /// A device's.
    pub(super) fn search_on<'r, D: Device + 'r>(&'r self, device: &Arc<D>, jobs: &mut Vec<Job<'r>>) {
        for (name, algorithm, limits) in [
            ("shift-or", DeviceAlgorithm::ShiftOr, EXACT),
            ("wu-manber", DeviceAlgorithm::WuManber, WORDS),
            ("packed", DeviceAlgorithm::Packed, WORDS),
            ("myers", DeviceAlgorithm::Myers, ANY),
            ("scan", DeviceAlgorithm::Scan(ScanOptions::default()), WORDS),
            ("gbpr", DeviceAlgorithm::Gbpr(GbprOptions::default()), WORDS),
            ("xbitpar", DeviceAlgorithm::XBitPar(XBitParOptions::default()), WORDS),
        ] {
            self.search(name.into(), limits, DeviceEnds::new(device.clone(), Some(algorithm), &|_| ()), jobs);
        }
    }

    fn search<'r>(&'r self, name: String, limits: Limits, engine: impl Ends + 'r, jobs: &mut Vec<Job<'r>>) {
        let of = name.clone();
        jobs.push(Job::new(format!("search {name}"), LEAST, move |number| {
            let seed = self.plan.seed.wrapping_add(number);
            let Input { text, pattern, k } = input(seed, limits);
            let pattern = Pattern::literal(&pattern);
            if engine.ends(&text, &pattern, k)? != sellers::ends(&text, &pattern, k) {
                let sizes = format!("m = {}, k = {k}, n = {}", pattern.len(), text.len());
                return Err(self.wrong(format!("search {of}: seed {seed} ({sizes}): the ends differ from Sellers'")));
            }
            Ok(text.len() as u64 * pattern.len() as u64)
        }));
    }
}
