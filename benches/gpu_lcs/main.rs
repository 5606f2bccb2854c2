//! The LCS benchmark for a GPU: `cargo bench --bench gpu_lcs -- [OPTIONS]`. The program can be
//! copied to a machine with a GPU and run there, best with the program `carrywave` beside it. It
//! needs neither Rust nor CUDA.
//!
//! ```text
//! --only PART[,PART]      only these parts; otherwise all but `forms` and `gpus`, about four
//!                         minutes on an H200
//! --runs N                runs of fast parts (5); the results are medians
//! --json FILE             the results so far as JSON, written after each part; `cargo xtask
//!                         results` makes a page of it
//! --commit NAME           the version, for the results
//! --data DIR              folder of the genomes (../shared/data)
//! --carrywave FILE        the program for `lcs` (beside this one)
//! --gpus N                number of GPUs, for `gpus`
//! --a LIST, --b LIST      millions of symbols of A and of B in `grid`, commas between them (those
//!                         of table 1)
//! --block-step-cells N    largest mn of block-step and look-ahead in `grid`, by the measured rules
//!                         (1e13)
//! --look-ahead-cells N    largest mn of look-ahead in `grid`, if smaller
//! --published-cells N     largest mn of block-step, and with --cpu of the CPU, in `grid` by the
//!                         paper's rules (0: none)
//! --paper                 only `grid`, for figure 4 and the first ten rows of table 1: A of 5
//!                         million, B of 0.1 to 10 million, every
//!                         algorithm, the paper's rules up to 2 million. Six minutes on an H200, by
//!                         prediction
//! --cpu N[,N]             only `grid`, without a GPU: the CPU with N threads, for each N
//! --rehearse              no GPU: everything but the limits on the simulator, with strings 4,000
//!                         times shorter
//!
//! limit        instruction rates of this GPU, the limits of the kernels; always measured
//! pairs        1,000 pairs of short strings: GPU, block-step and CPU give the same
//! llcs         the length of random strings from 10 thousand to 20 million
//! tokens       sequences of a million numbers of 1,000 to a million kinds, as lines are
//! lcs          from files to a CIGAR, as a process of its own and within this one
//! ecoli        E. coli MG1655 × DH1 by every algorithm
//! grid         Kawanami and Fujimoto's table 1 and figures 4 to 7 (2014), pairs of the table
//!              beside their seconds
//! thresholds   one column by size, GPU and CPU: where they cross
//! forms        the wavefront's kernels one by one: cycles of a column, by alphabet, words a lane
//!              and warps a block
//! gpus         the length and the LCS of 20 million × 20 million on 1 to N GPUs
//! ```
//!
//! Each row of results is printed as soon as it is complete. Lengths and subsequences are checked
//! against one another. A part that fails does not stop the others.
//! Criterion is not used, since the times are those of the GPU's events and of whole processes.

#[path = "../common/mod.rs"]
mod common;

mod algorithms;
mod bench;
mod ecoli;
mod forms;
mod gpus;
mod grid;
mod lcs;
mod limit;
mod limits;
mod llcs;
mod options;
mod pairs;
mod paper;
mod thresholds;
mod tokens;

use bench::{Bench, Outcome};
use carrywave::device::Gpu;
use options::Options;
use std::process::ExitCode;

type Run = fn(&mut Bench) -> Outcome<()>;

/// The parts in the order of their runs, and whether each runs by default.
const PARTS: [(&str, Run, bool); 10] = [
    ("limit", |_| Ok(()), true),
    ("pairs", pairs::run, true),
    ("llcs", llcs::run, true),
    ("tokens", tokens::run, true),
    ("lcs", lcs::run, true),
    ("ecoli", ecoli::run, true),
    ("grid", grid::run, true),
    ("thresholds", thresholds::run, true),
    ("forms", forms::run, false),
    ("gpus", gpus::run, false),
];

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns true if every part succeeded.
fn run() -> Outcome<bool> {
    let names: Vec<&str> = PARTS.iter().map(|(name, ..)| *name).collect();
    let options = Options::read(&names)?;
    let gpu = match Gpu::open(0) {
        _ if options.rehearse || !options.cpu.is_empty() => None,
        Ok(gpu) => Some(gpu),
        Err(error) => {
            println!("skipped: {error}");
            return Ok(true);
        }
    };
    let mut bench = Bench::new(options, gpu.as_ref())?;
    bench.begin("limit");
    if let Some(gpu) = &gpu {
        limit::run(&mut bench, gpu)?;
    }
    // Reports early if the file cannot be written.
    bench.save()?;
    for (name, part, unasked) in PARTS {
        if bench.options.wants(name, unasked) {
            bench.begin(name);
            if let Err(error) = part(&mut bench) {
                bench.failed(&error.to_string());
            }
            bench.save()?;
        }
    }
    Ok(bench.all_well())
}
