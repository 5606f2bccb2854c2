//! Part `forms`: every kernel of the wavefront alone, on strips that wait for no other strip. It
//! provides the values of `Lengths::cycles`.

use crate::bench::{Bench, Outcome, Row};
use crate::common;
use carrywave::device::Gpu;
use carrywave::internal::device::open_gpu;
use carrywave::internal::lcs::gpu::{Kernels, LcsPlan, Lengths, WavefrontLcs};
use carrywave::internal::pairwise::{CutRequest, Cuts, Part, Side};
use serde_json::json;

/// Alphabet sizes; a kernel is measured with the first one that it takes.
const SYMBOLS: [u32; 8] = [4, 20, 64, 256, 4096, 65_536, 1 << 20, 1 << 24];

/// Number of columns of a strip.
const COLUMNS: usize = 300_000;

/// Number of strips of a table: with one, preparing the tables would take a share of the time.
const STRIPS: usize = 8;

/// Number of schedulers of a multiprocessor.
const SCHEDULERS: u32 = 4;

pub fn run(bench: &mut Bench) -> Outcome<()> {
    if bench.options.rehearse {
        return Ok(());
    }
    let gpu = Gpu::open(0)?;
    let is = gpu.describe()?;
    let clock = f64::from(is.clock_mhz) * 1e6;
    for warps in [4, 8, 12, 16] {
        for form in Lengths::forms(warps <= SCHEDULERS, 0) {
            let plan = LcsPlan::for_form(form, warps);
            for symbols in SYMBOLS {
                let a = tokens(STRIPS * plan.height() as usize, symbols, 5);
                let b = tokens(2 * COLUMNS, symbols, 6);
                let Ok(engine) = WavefrontLcs::of_tokens(&[&**open_gpu(&gpu)], &a, &b, &|_| ())?.with_plan(plan) else {
                    continue;
                };
                let rows = Part { side: Side::A, range: 0..a.len() };
                let request = CutRequest { rows, columns: Part { side: Side::B, range: 0..b.len() }, middle: COLUMNS };
                // Each request has two tables.
                let strips = is.multiprocessors as usize * warps as usize;
                let requests = vec![request; strips / STRIPS / 2];
                let mut seconds = Vec::new();
                for run in 0..=bench.options.runs {
                    let before = engine.timings().kernels;
                    engine.cuts(&requests)?;
                    if run > 0 {
                        seconds.push((engine.timings().kernels - before).as_secs_f64());
                    }
                }
                let (median, ..) = common::spread(&seconds);
                // The last strip starts late, by one tile for each lane of the strips before it.
                let columns = COLUMNS + STRIPS * 32 * plan.tile() as usize;
                let more = json!({ "words": form.words, "digits": form.digits, "warps_a_scheduler": warps / SCHEDULERS,
                                   "cycles": median * clock / columns as f64 });
                let m = strips * plan.height() as usize;
                let n = COLUMNS;
                let cells = m as u64 * n as u64;
                let name = format!("{} words, {} digits, {symbols} symbols", form.words, form.digits);
                bench.row(Row { name: &name, engine: format!("gpu, {warps} warps"), m, n, cells, seconds, more });
                break;
            }
        }
    }
    Ok(())
}

/// Returns `len` random numbers below `symbols`.
fn tokens(len: usize, symbols: u32, seed: u64) -> Vec<u32> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut tokens: Vec<u32> = (0..len).map(|_| random.u32(..symbols)).collect();
    // The greatest token determines the size of the alphabet.
    tokens[0] = symbols - 1;
    tokens
}
