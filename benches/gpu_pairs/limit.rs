//! How fast this GPU issues instructions, and which speeds of the kernels that allows.

use crate::Report;
use crate::common::Outcome;
use crate::common::rates::Rates;
use carrywave::device::Gpu;
use serde_json::json;

/// Logic instructions for 32 cells, all in one pipe; and of a cell by logic and sums, through both pipes together.
const LOGIC: f64 = 5.0;
const BOTH: f64 = 7.0;

/// The same of the LCS.
const LCS_LOGIC: f64 = 2.0;

/// Bytes that a multiprocessor loads from shared memory in a clock cycle, and that 32 cells of the LCS take.
const SHARED: f64 = 128.0;
const EQUAL: f64 = 4.0;

pub fn run(gpu: &Gpu, runs: usize, report: &mut Report) -> Outcome<()> {
    let described = gpu.describe()?;
    let clocks = f64::from(described.multiprocessors) * f64::from(described.clock_mhz) * 1e6;
    let Rates { all: both, logic } = Rates::measured(gpu, runs)?;
    let ceiling = |rate: f64, instructions: f64| rate / instructions * 32.0 / 1e12;
    let more = json!({
        "all_pipes_per_multiprocessor_and_clock": both / clocks,
        "logic_pipe_per_multiprocessor_and_clock": logic / clocks,
        "levenshtein_by_logic_tcups": ceiling(logic, LOGIC),
        "levenshtein_by_both_pipes_tcups": ceiling(both, BOTH),
        "lcs_by_logic_tcups": ceiling(logic, LCS_LOGIC),
        "shared_memory_by_clock_tcups": clocks * SHARED / EQUAL * 32.0 / 1e12,
    });
    println!("ceilings: {more}");
    report.rows.push(json!({ "part": "limit", "name": "instructions", "engine": "gpu issue_rate", "more": more }));
    Ok(())
}
