//! Searches against Sellers' dynamic programming, which shares no code with the bit-vectors: every end and its errors.

use super::{Check, Run};
use crate::engine::cpu::search::{CpuEnds, sellers};
use crate::engine::device::Device;
use crate::engine::ends::Ends;
use crate::engine::search::{DeviceAlgorithm, DeviceEnds, GbprOptions, ScanOptions, XBitParOptions};
use crate::error::{Error, Result};
use crate::search::{Algorithm, Pattern};
use std::sync::Arc;

/// Random texts for each algorithm.
const CASES: u64 = 60;

/// A text, a pattern of which much is found in it, and k.
struct Input {
    text: Vec<u8>,
    pattern: Vec<u8>,
    k: u32,
}

fn input(seed: u64) -> Input {
    let mut random = fastrand::Rng::with_seed(seed);
    let symbols = [2, 3, 4, 20][random.usize(..4)];
    let text: Vec<u8> = (0..random.usize(1..4000)).map(|_| b'a' + random.u8(..symbols)).collect();
    let from = random.usize(..text.len());
    let m = [1, 2, 16, 17, 31, 32, 33, 63, 64, random.usize(1..=64)][random.usize(..10)];
    let mut pattern: Vec<u8> = text[from..].iter().copied().cycle().take(m).collect();
    let changed = random.usize(..m);
    pattern[changed] = b'a' + random.u8(..symbols);
    Input { text, pattern, k: random.u32(..4).min(m as u32 - 1) }
}

impl Run<'_> {
    /// The CPU's algorithms.
    pub(super) fn search_on_cpu(&self, checks: &mut Vec<Check>) -> Result<()> {
        let all = [Algorithm::Auto, Algorithm::Myers, Algorithm::WuManber, Algorithm::ShiftOr, Algorithm::Literal];
        for algorithm in all {
            let exact = matches!(algorithm, Algorithm::ShiftOr | Algorithm::Literal);
            self.search(&algorithm.to_string(), exact, &CpuEnds { algorithm, progress: &|_| () }, checks)?;
        }
        Ok(())
    }

    /// A device's.
    pub(super) fn search_on<D: Device>(&self, device: &Arc<D>, checks: &mut Vec<Check>) -> Result<()> {
        for (name, algorithm, exact) in [
            ("shift-or", DeviceAlgorithm::ShiftOr, true),
            ("wu-manber", DeviceAlgorithm::WuManber, false),
            ("scan", DeviceAlgorithm::Scan(ScanOptions::default()), false),
            ("gbpr", DeviceAlgorithm::Gbpr(GbprOptions::default()), false),
            ("xbitpar", DeviceAlgorithm::XBitPar(XBitParOptions::default()), false),
        ] {
            self.search(name, exact, &DeviceEnds::new(device.clone(), Some(algorithm), &|_| ()), checks)?;
        }
        Ok(())
    }

    fn search(&self, name: &str, exact: bool, engine: &dyn Ends, checks: &mut Vec<Check>) -> Result<()> {
        let mut cells = 0;
        for seed in (self.plan.seed..).take(CASES as usize) {
            let Input { text, pattern, k } = input(seed);
            let k = if exact { 0 } else { k };
            let pattern = Pattern::literal(&pattern);
            if engine.ends(&text, &pattern, k)? != sellers::ends(&text, &pattern, k) {
                let sizes = format!("m = {}, k = {k}, n = {}", pattern.len(), text.len());
                return Err(Error::Verification(format!(
                    "engine {}: search {name}: seed {seed} ({sizes}): the ends differ from Sellers'",
                    self.engine
                )));
            }
            cells += text.len() as u64 * pattern.len() as u64;
        }
        checks.push(self.check(format!("search {name}"), CASES, cells));
        Ok(())
    }
}
