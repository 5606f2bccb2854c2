//! Memory accesses as the simulator counts them, against Nsight Compute's counters of the same
//! launches:
//!
//! ```text
//! gpu_access --simulate simulated.json
//! ncu --csv --print-units base --log-file nsight.csv \
//! --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,\
//! l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum gpu_access --run
//! gpu_access --compare simulated.json nsight.csv --json FILE --commit NAME
//! ```
//!
//! The program is `cargo bench --bench gpu_access`. It can also be copied to a machine with a GPU,
//! which needs ncu but neither Rust nor CUDA. `--only NAME` runs the cases whose names contain
//! NAME; use the same on both sides.
//!
//! Launches are fitted to the GPU of the machine, or to an H200 without one. The launches of a case
//! do not depend on timing: for the wavefront, one strip, which waits for no other. Shuffles use
//! the same data path as shared memory but are not in these counters, which count loads and stores.
//!
//! Criterion is not used, since the results are counts and not times.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod join;

use carrywave::device::{Gpu, PTX_ORIGIN};
use carrywave::internal::device::open_gpu;
use cases::cases;
use common::Outcome;
use common::line::Line;
use serde_json::{Value, json};
use simt_launch::{Device as _, Limits, Simt};
use simt_std::simulator::{Access, KernelCosts, Space};
use std::sync::Arc;

/// Limits of an H200.
const H200: Limits = Limits { multiprocessors: 132, block_shared: 232_448, exclusive_shared: 116_737 };

fn main() -> Outcome<()> {
    let (mut simulated, mut run, mut compared, mut only) = (None, false, None, String::new());
    let line = Line::read("--simulate --run --compare --only", |name, value| {
        match name {
            "--simulate" => simulated = Some(value.text()?),
            "--run" => run = true,
            "--compare" => compared = Some((value.text()?, value.text()?)),
            "--only" => only = value.text()?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if let Some(path) = simulated {
        std::fs::write(path, format!("{:#}\n", simulate(&only)?))?;
    }
    if run {
        let gpu = Gpu::open(0)?;
        for case in cases::<simt_launch::Gpu>().into_iter().filter(|case| case.name.contains(&only)) {
            (case.run)(open_gpu(&gpu), case.m, case.n)?;
            println!("{}", case.name);
        }
    }
    if let Some((simulated, counted)) = compared {
        let simulated: Value = serde_json::from_str(&std::fs::read_to_string(simulated)?)?;
        let counted = join::launches(&std::fs::read_to_string(counted)?)?;
        let rows = join::rows(&simulated, &counted)?;
        for row in &rows {
            let more = &row["more"];
            println!(
                "{:<14} {:<45} {:<24} {:>9} {:>9} {:>8.3} %",
                join::text(&row["part"]),
                join::text(&row["name"]),
                join::text(&row["engine"]),
                more["simulated"],
                more["counted"],
                more["difference_percent"].as_f64().unwrap_or(f64::NAN)
            );
        }
        let all = json!({
            "gpu": Gpu::open(0).ok().and_then(|gpu| gpu.describe().ok()),
            "launches_fitted_to": simulated["shape"],
            "ptx": PTX_ORIGIN,
            "rows": rows,
        });
        line.write("gpu_access", all)?;
    }
    Ok(())
}

/// Counts the accesses of all cases on the simulator.
fn simulate(only: &str) -> Outcome<Value> {
    let shape = Gpu::open(0).map_or(H200, |gpu| open_gpu(&gpu).limits());
    let mut found = Vec::new();
    for case in cases::<Simt>().into_iter().filter(|case| case.name.contains(only)) {
        let device = Arc::new(Simt::new(true).with_limits(shape));
        (case.run)(&device, case.m, case.n)?;
        let kernels: Vec<Value> = device.costs_by_kernel().iter().map(|(name, costs)| kernel(name, costs)).collect();
        println!("{}", case.name);
        found.push(json!({ "case": case.name, "m": case.m, "n": case.n, "kernels": kernels }));
    }
    let Limits { multiprocessors, block_shared, exclusive_shared } = shape;
    let shape = json!({ "multiprocessors": multiprocessors, "block_shared": block_shared, "exclusive_shared": exclusive_shared });
    Ok(json!({ "shape": shape, "cases": found }))
}

fn kernel(name: &str, KernelCosts { launches, costs, .. }: &KernelCosts) -> Value {
    let shared = |access| costs.total_of(Space::Shared, access).wavefronts;
    let global = |access| costs.total_of(Space::Global, access).sectors;
    json!({
        "kernel": name,
        "launches": launches,
        "shared_loads": shared(Access::Read),
        "shared_stores": shared(Access::Write),
        "global_loads": global(Access::Read),
        "global_stores": global(Access::Write),
        "global_atomics": global(Access::Atomic),
    })
}
