//! `carrywave devices`

use crate::shared::help::{EXIT_STATUS, OUTPUT, TEMPLATE, few};
use crate::shared::output::print;
use carrywave::device::{Description, Gpu, PTX_ORIGIN};
use carrywave::internal::cost;
use carrywave::io::output::Visible;
use carrywave::{Error, Result};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carrywave devices            one line for each engine and GPU
  carrywave devices --json     the same as JSON, with the limits of each GPU";

/// The engines that can be used here.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave devices [OPTIONS]")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = EXIT_STATUS)]
pub struct Arguments {
    /// Print JSON.
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

/// Returns the path of this machine's calibration, if it is usable, and a line about the costs that
/// `auto` compares.
fn costs() -> (Option<PathBuf>, String) {
    const DEFAULTS: &str = "defaults; carrywave bench --calibrate measures this machine";
    let Some(path) = cost::path() else { return (None, DEFAULTS.into()) };
    let name = path.display().to_string();
    let name = Visible(&name);
    match cost::read(&path) {
        Ok(Some(_)) => {
            let text = format!("measured, {name}");
            (Some(path), text)
        }
        Ok(None) => (None, DEFAULTS.into()),
        Err(reason) => (None, format!("{DEFAULTS}; {name} cannot be used: {reason}")),
    }
}

/// A GPU, and the type of GPU that its kernels' machine code is for: `None` for PTX.
#[derive(Debug, Serialize)]
struct Found {
    #[serde(flatten)]
    gpu: Description,
    machine_code: Option<String>,
}

fn gpus() -> Result<Vec<Found>> {
    let find = |number| {
        let gpu = Gpu::open(number)?;
        Ok(Found { gpu: gpu.describe()?, machine_code: gpu.machine_code()? })
    };
    (0..Gpu::count()?).map(find).collect()
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let threads = rayon::current_num_threads();
    let found = gpus();
    if arguments.json {
        let (list, reason) = match &found {
            Ok(list) => (serde_json::json!(list), None),
            Err(Error::NoGpu(reason)) => (serde_json::json!([]), Some(reason.clone())),
            Err(error) => (serde_json::json!([]), Some(error.to_string())),
        };
        let all = serde_json::json!({
            "cpu_threads": threads,
            "ptx": PTX_ORIGIN,
            "gpus": list,
            "no_gpu": reason,
            "calibration": costs().0,
        });
        return print(|out| writeln!(out, "{all:#}"));
    }
    print(|out| {
        writeln!(out, "cpu    {threads} threads")?;
        writeln!(out, "simt   GPU kernels simulated on the CPU, with all memory accesses checked")?;
        match &found {
            Ok(list) => {
                for Found { gpu, machine_code } in list {
                    let free = gpu.free_memory as f64 / f64::from(1 << 30);
                    let kernels = match machine_code {
                        Some(architecture) => format!("machine code for {architecture}"),
                        None => "PTX, compiled by the driver".to_owned(),
                    };
                    writeln!(out, "gpu {}  {gpu}, {free:.1} free; kernels: {kernels}", gpu.ordinal)?;
                }
            }
            Err(Error::NoGpu(reason)) => writeln!(out, "gpu    none: {reason}")?,
            Err(error) => writeln!(out, "gpu    {error}")?,
        }
        writeln!(out, "kernels: {PTX_ORIGIN}")?;
        writeln!(out, "costs: {}", costs().1)
    })
}
