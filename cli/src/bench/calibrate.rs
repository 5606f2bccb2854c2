//! `carrywave bench --calibrate`: measures the costs of jobs, which `--engine auto` compares, and
//! keeps them.

use crate::shared::engine::{EngineName, GpuArguments};
use crate::shared::json::write_json;
use crate::shared::output::{open_output, print};
use crate::shared::progress::steps;
use carrywave::device::EngineKind;
use carrywave::error::UsageFault;
use carrywave::internal::cost;
use carrywave::internal::measure::calibration;
use carrywave::{Error, Result};
use std::fs;

/// Runs the command.
pub fn run(engine: EngineName, gpus: GpuArguments) -> Result<()> {
    let gpu = match engine {
        EngineName::One(EngineKind::Cpu) => {
            gpus.refuse("the engine cpu has no GPUs; use --engine gpu")?;
            None
        }
        EngineName::One(EngineKind::Simt) => {
            return Err(UsageFault::Combination.error("--calibrate measures a CPU and a GPU, not the engine simt"));
        }
        EngineName::One(_) => Some(gpus.gpu.unwrap_or(0)),
        // The time to start the driver belongs to the costs, so GPUs are not counted before.
        EngineName::Auto => gpus.gpu.or(Some(0)),
    };
    let Some(path) = cost::path() else {
        return Err(UsageFault::Empty.error("no folder for the calibration; set HOME, or CARRYWAVE_CALIBRATION=FILE"));
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| Error::Io { path: folder.into(), source })?;
    }
    let file = open_output(&path)?;
    let bar = steps(calibration::steps(gpu.is_some()));
    let mut progress = |what| {
        bar.set_message(what);
        bar.inc(1);
    };
    let measured = match calibration::calibrate(gpu, &mut progress) {
        Err(Error::NoGpu(reason)) if engine == EngineName::Auto && gpus.gpu.is_none() => {
            log::info!("no GPU is measured: {reason}");
            calibration::calibrate(None, &mut progress)
        }
        measured => measured,
    };
    bar.finish_and_clear();
    let measured = measured?;
    file.write(|out| write_json(out, &measured))?;
    print(|out| {
        let with_gpu =
            measured.opening.map_or("no GPU".into(), |seconds| format!("a GPU that opens in {seconds:.2} s"));
        writeln!(out, "The costs of {} jobs on the CPU and {with_gpu}: {}", measured.jobs.len(), path.display())
    })
}
