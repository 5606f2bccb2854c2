//! The distances of many pairs of strings on a GPU: `cargo bench --bench gpu_pairs -- [OPTIONS]`.
//! The program can be copied to a machine with a GPU, and runs there without Rust and CUDA.
//!
//! ```text
//! --only PART[,PART]   these parts alone: dna-1000, dna-100, symbols-64, symbols-256, dna-5000,
//!                      dna-20000, mixed, listed
//! --cost COST          levenshtein, indel or osa alone
//! --runs N             timings of each row (5), after one that is not counted; the results are
//!                      medians
//! --side N             strings of a list, in place of each part's own number
//! --json FILE          the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME        the version, for the results
//! --rehearse           no GPU: small lists of short strings on the simulator
//! ```
//!
//! Options to choose a kernel by hand, for tuning: `--sweep` times all kernels for a part, and
//! `--columns N`, `--logic N`, `--table N`, `--warps N` and `--blocks N` set the fields of
//! `Tuning`.
//!
//! A row has two speeds: of the kernels, with the strings on the device, and end to end, from
//! strings in memory to distances in memory. 40 random pairs of each row are checked against the
//! table of edits. The ceilings are measured in the same run.
//! Criterion is not used, since each row has times of the GPU's events beside those of the call.

#[path = "../common/mod.rs"]
mod common;

mod limit;
mod options;
mod part;

use carrywave::device::{Gpu, PTX_ORIGIN};
use carrywave::internal::device::open_gpu;
use carrywave::pairs::Cost;
use common::Outcome;
use options::Options;
use part::{Part, Report};
use serde_json::json;
use simt_launch::Device;

fn main() -> Outcome<()> {
    let options = Options::read()?;
    let known = Part::all();
    if let Some(part) = options.only.iter().flatten().find(|name| known.iter().all(|part| part.name != name.as_str())) {
        let names: Vec<_> = known.iter().map(|part| part.name).collect();
        return Err(format!("unknown part {part}: there are {}", names.join(", ")).into());
    }

    let mut report = Report::default();
    let described = if options.rehearse {
        run(&simt_launch::Simt::default(), &options, &mut report);
        json!("none: a rehearsal on the simulator")
    } else {
        let gpu = match Gpu::open(0) {
            Ok(gpu) => gpu,
            Err(error) => {
                println!("skipped: {error}");
                return Ok(());
            }
        };
        limit::run(&gpu, options.runs, &mut report)?;
        run(&**open_gpu(&gpu), &options, &mut report);
        json!(gpu.describe()?)
    };
    let mut all = json!({ "gpu": described, "cpu": common::cpu_model(), "ptx": PTX_ORIGIN, "rows": report.rows });
    if !report.failures.is_empty() {
        all["failures"] = json!(report.failures);
    }
    options.line.write("gpu_pairs", all)?;
    if report.failures.is_empty() { Ok(()) } else { Err(report.failures.join("\n").into()) }
}

/// Runs the parts that the options select.
fn run(device: &impl Device, options: &Options, report: &mut Report) {
    let wanted = |part: &Part| options.only.as_ref().is_none_or(|only| only.iter().any(|name| name == part.name));
    for part in Part::all().iter().filter(|part| wanted(part)) {
        for cost in [Cost::Levenshtein, Cost::Indel, Cost::Osa] {
            if options.cost.is_none_or(|only| only == cost)
                && let Err(error) = part.run(device, options, cost, report)
            {
                println!("FAILED: {} {cost:?}: {error}", part.name);
                report.failures.push(format!("{} {cost:?}: {error}", part.name));
            }
        }
    }
}
