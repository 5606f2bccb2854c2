//! The instruction rate of this GPU, and the kernel speeds that it allows.

use crate::common::Outcome;
use crate::part::Report;
use carrywave::device::Gpu;
use carrywave::internal::device::open_gpu;
use carrywave::internal::measure::ceilings::pairs_by_all_pipes;
use carrywave::internal::measure::gpu::{TURNS, all_pipes, logic_pipe};
use serde_json::json;

/// Logic instructions for 32 cells of the LCS, and of the edit distance if all computation is by
/// logic.
const LCS_LOGIC: f64 = 2.0;
const LEVENSHTEIN_LOGIC: f64 = 5.0;

/// Bytes that a multiprocessor loads from shared memory per clock cycle, and bytes that 32 cells of
/// the LCS need.
const SHARED: f64 = 128.0;
const EQUAL: f64 = 4.0;

pub fn run(gpu: &Gpu, runs: usize, report: &mut Report) -> Outcome<()> {
    let described = gpu.describe()?;
    let clocks = f64::from(described.multiprocessors) * f64::from(described.clock_mhz) * 1e6;
    let both = all_pipes(&**open_gpu(gpu), TURNS, runs)?.per_second;
    let logic = logic_pipe(&**open_gpu(gpu), TURNS, runs)?.per_second;
    let more = json!({
        "all_pipes_per_multiprocessor_and_clock": both / clocks,
        "logic_pipe_per_multiprocessor_and_clock": logic / clocks,
        "levenshtein_by_logic_tcups": logic / LEVENSHTEIN_LOGIC * 32.0 / 1e12,
        "levenshtein_by_both_pipes_tcups": pairs_by_all_pipes(both, 0.0) / 1e12,
        "lcs_by_logic_tcups": logic / LCS_LOGIC * 32.0 / 1e12,
        "shared_memory_by_clock_tcups": clocks * SHARED / EQUAL * 32.0 / 1e12,
    });
    println!("ceilings: {more}");
    report.rows.push(json!({ "part": "limit", "name": "instructions", "engine": "gpu issue_rate", "more": more }));
    Ok(())
}
