//! Nakano's memory machines: the cost of a kernel's memory accesses, counted on the simulator.
//! Reports go to Python as JSON.

use crate::errors::raised;
use crate::work::{self, Size};
use carrywave::io::output::Shortened;
use carrywave::machine::kernels::{Case, KERNELS, MachineKernel};
use carrywave::machine::report::Report;
use carrywave::machine::sweep::{Ranges, Sweep};
use carrywave::machine::{Machine, Mode, Model};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use simt_std::simulator::Spaces;

/// Returns the kernels that can be run: names, descriptions, and the sizes that they take.
#[pyfunction]
pub fn machine_kernels() -> Vec<(&'static str, &'static str, &'static str)> {
    KERNELS.iter().map(|kernel| (kernel.name, kernel.about, kernel.letters)).collect()
}

/// A kernel on a machine.
struct Run {
    kernel: &'static MachineKernel,
    machine: Machine,
    case: Case,
    spaces: Spaces,
}

#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
fn parse_run(
    kernel: &str,
    model: &str,
    width: u64,
    latency: u64,
    mode: &str,
    memory: &str,
    word: u64,
    sizes: [u64; 4],
) -> PyResult<Run> {
    let (model, mode): (Model, Mode) = (model.parse().map_err(raised)?, mode.parse().map_err(raised)?);
    let [m, n, p, k] = sizes;
    let small = |number: u64| u32::try_from(number).map_err(|_| PyValueError::new_err("p and k are below 2^32"));
    let spaces = match memory {
        "global" => Spaces { global: true, shared: false },
        "shared" => Spaces { global: false, shared: true },
        "all" => Spaces { global: true, shared: true },
        _ => {
            return Err(PyValueError::new_err(format!(
                "a memory is 'global', 'shared' or 'all', not '{}'",
                Shortened(memory)
            )));
        }
    };
    Ok(Run {
        kernel: MachineKernel::named(kernel).map_err(raised)?,
        machine: Machine { mode, word, ..Machine::new(model, width, latency) },
        case: Case::new(m, n, small(p)?, small(k)?, width),
        spaces,
    })
}

fn text(report: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(report).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns the cost of a kernel's memory accesses on a machine, as JSON. `carrywave.machine.report`
/// makes tables of it.
#[pyfunction]
#[pyo3(signature = (kernel, *, model="umm", width=32, latency=100, mode="lockstep", memory="global", word=4, m=32, n=1024, p=256, k=0))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn machine_report(
    py: Python<'_>,
    kernel: &str,
    model: &str,
    width: u64,
    latency: u64,
    mode: &str,
    memory: &str,
    word: u64,
    m: u64,
    n: u64,
    p: u64,
    k: u64,
) -> PyResult<String> {
    let run = parse_run(kernel, model, width, latency, mode, memory, word, [m, n, p, k])?;
    let report =
        work::run(py, Size::UNKNOWN, None, |_| Report::new(run.kernel, &run.machine, &run.case, run.spaces, 0))?;
    text(&report)
}

/// Returns the time units of a kernel for many sizes, as JSON. `carrywave.machine.sweep` makes
/// tables of it.
#[pyfunction]
#[pyo3(signature = (kernel, ranges, *, model="umm", width=32, latency=100, mode="lockstep", memory="global", word=4, m=32, n=1024, p=256, k=0, terms=None))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn machine_sweep(
    py: Python<'_>,
    kernel: &str,
    ranges: &str,
    model: &str,
    width: u64,
    latency: u64,
    mode: &str,
    memory: &str,
    word: u64,
    m: u64,
    n: u64,
    p: u64,
    k: u64,
    terms: Option<Vec<String>>,
) -> PyResult<String> {
    let run = parse_run(kernel, model, width, latency, mode, memory, word, [m, n, p, k])?;
    let ranges: Ranges = ranges.parse().map_err(raised)?;
    let terms = terms.unwrap_or_else(|| run.kernel.terms.iter().map(|&term| term.to_owned()).collect());
    let terms = terms.iter().map(|term| term.parse()).collect::<Result<Vec<_>, _>>().map_err(raised)?;
    let sweep = work::run(py, Size::UNKNOWN, None, |_| {
        Sweep::new(run.kernel, (&run.machine, &run.case), &ranges, &terms, run.spaces)
    });
    text(&sweep?)
}
