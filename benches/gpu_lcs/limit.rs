//! Part `limit`: the instruction rate of this GPU, and the kernel speeds that it allows.

use crate::bench::{Bench, Outcome, brief, spread};
use crate::limits::Limits;
use carrywave::device::Gpu;
use carrywave::internal::device::open_gpu;
use carrywave::internal::measure::ceilings::lcs_on_gpu;
use carrywave::internal::measure::gpu::{TURNS, all_pipes, logic_pipe};
use serde_json::{Value, json};

/// Lanes per clock cycle that the pipe of logic operations and additions with carry serves, in a
/// multiprocessor of sm_80 to sm_90.
const PIPE: f64 = 64.0;

pub fn run(bench: &mut Bench, gpu: &Gpu) -> Outcome<()> {
    let gpu_is = gpu.describe()?;
    let multiprocessors = f64::from(gpu_is.multiprocessors);
    let clock = f64::from(gpu_is.clock_mhz) * 1e6;
    let integer = all_pipes(&**open_gpu(gpu), TURNS, bench.options.runs)?;
    let carry = logic_pipe(&**open_gpu(gpu), TURNS, bench.options.runs)?;
    let mut row = |name: &str, engine: &str, rate: f64, seconds: &[f64], limit: Value| {
        let (median, least, greatest) = spread(seconds);
        let mut more = json!({
            "tera_instructions_per_s": rate / 1e12, "per_multiprocessor_and_clock": rate / multiprocessors / clock
        });
        if let (Some(more), Value::Object(limit)) = (more.as_object_mut(), limit) {
            more.extend(limit);
        }
        println!("{name}: {}", brief(&more));
        bench.raw_row(json!({ "name": name, "engine": engine, "seconds": seconds, "median_s": median,
                              "least_s": least, "greatest_s": greatest, "more": more }));
    };
    row("integer instructions", "gpu issue_rate", integer.per_second, &integer.seconds, Value::Null);
    let limits = json!({
        "wavefront_limit_tcups": lcs_on_gpu(carry.per_second) / 1e12,
        "wavefront_limit_by_clock_tcups": lcs_on_gpu(multiprocessors * PIPE * clock) / 1e12,
    });
    row("additions with carry, and logic", "gpu carry_rate", carry.per_second, &carry.seconds, limits);
    bench.limits = Some(Limits { integer: integer.per_second, carry: carry.per_second });
    Ok(())
}
