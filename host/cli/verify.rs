//! `carrywave verify`

use super::{named, print};
use carrywave::lcs::Engine;
use carrywave::verify::{Plan, verify};
use carrywave::{Error, Result};
use clap::Args;
use std::time::Duration;

/// Cross-check every algorithm of every engine present on random and adversarial inputs.
#[derive(Debug, Args)]
pub struct Arguments {
    /// One engine alone: cpu, gpu or simt [default: all that are here].
    #[arg(long, value_parser = named::<Engine>)]
    engine: Option<Engine>,

    /// How long to go on: fixed inputs, which are taken in any case, then random ones. All algorithms have equal shares.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,

    /// Where the random inputs start; a failure names it.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Let the blocks and warps of the simulator take turns in N random orders, each of which takes the fixed inputs; a failure
    /// names its order.
    #[arg(long, value_name = "N")]
    schedules: Option<u64>,

    /// Which GPU, by its number in `carrywave devices` [default: 0].
    #[arg(long, value_name = "N")]
    gpu: Option<usize>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let time = Duration::try_from_secs_f64(arguments.seconds)
        .map_err(|e| Error::Usage(format!("--seconds {}: {e}", arguments.seconds)))?;
    let engines = match arguments.engine {
        None | Some(Engine::Auto) => Engine::present(),
        Some(engine) => vec![engine],
    };
    if arguments.gpu.is_some() && matches!(arguments.engine, Some(Engine::Cpu | Engine::Simt)) {
        return Err(Error::Usage("--gpu is for --engine gpu: the others have no GPUs to choose from".into()));
    }
    if arguments.schedules.is_some() && arguments.engine != Some(Engine::Simt) {
        return Err(Error::Usage(
            "--schedules is for --engine simt: the order of the others is not ours to choose".into(),
        ));
    }
    drop(super::stdout()?);
    // One that is asked for is there, or it is an error.
    let engines = if arguments.gpu.is_some() && !engines.contains(&Engine::Gpu) { vec![Engine::Gpu] } else { engines };
    let (gpu, schedules) = (arguments.gpu.unwrap_or(0), arguments.schedules.unwrap_or(0));
    let plan = Plan { engines, time, seed: arguments.seed, gpu, schedules };
    let checks = verify(&plan)?;
    print(|out| {
        writeln!(out, "{:<6} {:<24} {:>10} {:>16}", "engine", "check", "cases", "cells")?;
        for check in &checks {
            writeln!(out, "{:<6} {:<24} {:>10} {:>16}", check.engine, check.name, check.cases, check.cells)?;
        }
        writeln!(out, "all equal")
    })
}
