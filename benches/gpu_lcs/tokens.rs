//! Part `tokens`: sequences of numbers, such as those of lines and words. It times the length by
//! the kernels, and an LCS through the library's interface, from items to runs, which may use
//! another method than the kernels.

use crate::bench::{Bench, Outcome, Row, repeat};
use carrywave::device::Gpu;
use carrywave::internal::device::open_gpu;
use carrywave::internal::lcs::gpu::WavefrontLcs;
use carrywave::internal::pairwise::{Cuts, Part, Side};
use carrywave::lcs::Comparison;
use serde_json::json;
use std::time::Instant;

/// Numbers of different tokens.
const KINDS: [u32; 5] = [1000, 4096, 20_000, 65_536, 1_000_000];

/// Number of tokens of each sequence.
const LENGTH: usize = 1_000_000;

pub fn run(bench: &mut Bench) -> Outcome<()> {
    if bench.options.rehearse {
        return Ok(());
    }
    let gpu = Gpu::open(0)?;
    for kinds in KINDS {
        let tokens = |seed| -> Vec<u32> {
            let mut random = fastrand::Rng::with_seed(seed);
            (0..LENGTH).map(|_| random.u32(..kinds)).collect()
        };
        let a = tokens(5);
        let b = tokens(6);
        let m = a.len();
        let n = b.len();
        let cells = m as u64 * n as u64;
        let name = format!("{kinds} kinds of tokens");
        let engine = WavefrontLcs::of_tokens(&[&**open_gpu(&gpu)], &a, &b, &|_| ())?;
        let part = |side, len| Part { side, range: 0..len };
        let (length, seconds) = repeat(bench.options.runs, true, || {
            let before = engine.timings().kernels;
            let length = engine.value(&part(Side::A, m), &part(Side::B, n))?;
            Ok((length, (engine.timings().kernels - before).as_secs_f64()))
        })?;
        let more = json!({ "length": length });
        bench.row(Row { name: &name, engine: "gpu wavefront, kernels".into(), m, n, cells, seconds, more });
        bench.agree(&name, m, n, length)?;

        // Tokens as the lines of a file.
        let lines = |tokens: &[u32]| tokens.iter().map(|token| format!("line {token}")).collect::<Vec<_>>();
        let a = lines(&a);
        let b = lines(&b);
        for (engine, comparison) in [
            ("gpu, items to runs", Comparison::new().on(&gpu)),
            ("cpu, items to runs", Comparison::new().on(&carrywave::device::Cpu::new())),
        ] {
            let (length, seconds) = repeat(bench.options.runs.min(3), false, || {
                let started = Instant::now();
                let lcs = comparison.alignment_of(&a, &b)?;
                Ok((lcs.len(), started.elapsed().as_secs_f64()))
            })?;
            let more = json!({ "length": length });
            bench.row(Row { name: &name, engine: engine.into(), m, n, cells, seconds, more });
            bench.agree(&name, m, n, length)?;
        }
    }
    Ok(())
}
