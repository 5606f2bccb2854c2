//! Part `grid`: table 1 and figures 4 to 7 of Kawanami and Fujimoto (2014): an LCS (the
//! subsequence) of strings of 5, 10, 15 and 20 million symbols (A) × 0.1 to 10 million (B). The
//! paper does not name its strings; here they are random DNA.
//!
//! A row for each method, with the time split as in table 1. If the table has the pair, its seconds
//! stand beside.

use crate::algorithms::{BIT_PARALLEL, BLOCK_STEP, LOOK_AHEAD, WAVEFRONT};
use crate::bench::{Bench, Outcome, RANDOM_DNA, Row, random_pair, split, spread, totals};
use crate::paper;
use carrywave::device::{Cpu, EngineKind};
use carrywave::lcs::{CommonSubsequence, Comparison, Rules};
use serde_json::json;

/// Number of cells (mn) above which one run suffices, since the times of long runs hardly differ.
const LONG: f64 = 5e13;

/// A method to compute an LCS.
struct Method {
    /// Engine and algorithm, as rows show them.
    label: String,
    comparison: Comparison<'static>,
    /// True if it is the method with several runs.
    is_fast: bool,
    /// True if it has the tie rules of the others, and must give the same subsequence.
    is_ours: bool,
}

pub fn run(bench: &mut Bench) -> Outcome<()> {
    let symbols = |millions: f64| (millions * 1e6).round() as usize;
    let longest = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
    let of_a = bench.options.a.clone();
    let of_b = bench.options.b.clone();
    let (all_a, all_b) = random_pair(4, bench.size(symbols(longest(&of_a))), bench.size(symbols(longest(&of_b))));
    for &millions_a in &of_a {
        for &millions_b in &of_b {
            let full_m = symbols(millions_a);
            let full_n = symbols(millions_b);
            let a = &all_a[..bench.size(full_m)];
            let b = &all_b[..bench.size(full_n)];
            let product = full_m as f64 * full_n as f64;
            let mut first: Option<CommonSubsequence> = None;
            for method in methods(bench, product)? {
                let m = a.len();
                let n = b.len();
                let runs = if method.is_fast && product <= LONG { bench.options.runs.min(3) } else { 1 };
                let (lcs, reports) = bench.subsequence_by(&method.comparison, runs, a, b)?;
                bench.agree(RANDOM_DNA, m, n, lcs.len())?;
                if method.is_ours && *first.get_or_insert_with(|| lcs.clone()) != lcs {
                    return Err(format!("{m} × {n}: {} gives another subsequence", method.label).into());
                }
                let seconds = totals(&reports);
                let is_cpu = reports[0].engine() == Some(EngineKind::Cpu);
                let mut more = if is_cpu { json!({}) } else { split(&reports) };
                if !is_cpu {
                    more["device_share"] = json!(reports[0].done_by_kernels as f64 / reports[0].done as f64);
                }
                if let Some(paper) = paper::split(full_m, full_n) {
                    more["paper_s"] = json!(paper.total());
                    more["paper_gpu_s"] = json!(paper.gpu);
                    more["paper_cpu_s"] = json!(paper.cpu);
                    more["paper_transfer_s"] = json!(paper.transfer);
                    if !is_cpu {
                        more["times_as_fast"] = json!(paper.total() / spread(&seconds).0);
                    }
                }
                let engine = method.label;
                let cells = reports[0].done;
                bench.row(Row { name: "random DNA, subsequence", engine, m, n, cells, seconds, more });
            }
        }
    }
    Ok(())
}

/// Returns the methods to measure at `product` cells (mn).
fn methods(bench: &Bench, product: f64) -> Outcome<Vec<Method>> {
    let options = &bench.options;
    if !options.cpu.is_empty() {
        let published = (product <= options.published_cells).then_some(Rules::Published);
        let rules = [Some(Rules::Measured), published].into_iter().flatten();
        return rules.flat_map(|rules| options.cpu.iter().map(move |&threads| on_cpu(bench, threads, rules))).collect();
    }
    let mut methods = vec![on_device(bench, WAVEFRONT, Rules::Measured)?];
    if product <= options.look_ahead_cells {
        methods.push(on_device(bench, LOOK_AHEAD, Rules::Measured)?);
    }
    if product <= options.block_step_cells {
        methods.push(on_device(bench, BLOCK_STEP, Rules::Measured)?);
    }
    if product <= options.published_cells {
        methods.push(on_device(bench, BLOCK_STEP, Rules::Published)?);
    }
    Ok(methods)
}

fn on_device(bench: &Bench, algorithm: &str, rules: Rules) -> Outcome<Method> {
    Ok(method(bench.label(algorithm), bench.job(algorithm)?, rules, algorithm == WAVEFRONT))
}

fn on_cpu(bench: &Bench, threads: usize, rules: Rules) -> Outcome<Method> {
    let vectors = match (rules, std::env::var("CARRYWAVE_SIMD")) {
        (Rules::Measured, Ok(vectors)) => format!(", CARRYWAVE_SIMD={vectors}"),
        _ => String::new(),
    };
    let label = format!("{} on {threads}{vectors}", bench.label(BIT_PARALLEL));
    Ok(method(label, bench.job(BIT_PARALLEL)?.on(&Cpu::with_threads(threads)?), rules, false))
}

fn method(label: String, comparison: Comparison<'static>, rules: Rules, is_fast: bool) -> Method {
    let is_ours = rules == Rules::Measured;
    let label = label + if is_ours { "" } else { ", published rules" };
    Method { label, comparison: comparison.rules(rules), is_fast, is_ours }
}
