//! `carrywave verify`

use crate::shared::engine::{EngineArguments, EngineName, GpuArguments};
use crate::shared::output::{print, stdout};
use carrywave::Result;
use carrywave::device::EngineKind;
use carrywave::error::UsageFault;
use carrywave::verify::{Options, present, verify};
use clap::Args;
use std::time::Duration;

/// Cross-check every algorithm of every engine present on random and adversarial inputs. Without --engine, all engines that are here.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    engine: EngineArguments,

    /// How long it takes: fixed inputs, which are taken in any case, then random ones until then. All algorithms of an engine have equal
    /// shares.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,

    /// Where the random inputs start; a failure names it.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Let the blocks and warps of the simulator take turns in N random orders, each of which takes the fixed inputs; a failure
    /// names its order.
    #[arg(long, value_name = "N")]
    schedules: Option<u64>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    let time = Duration::try_from_secs_f64(arguments.seconds)
        .map_err(|e| UsageFault::Range.error(format!("--seconds {}: {e}", arguments.seconds)))?;
    let name = arguments.engine.engine;
    if arguments.schedules.is_some() && name != EngineName::One(EngineKind::Simt) {
        return Err(UsageFault::Combination
            .error("--schedules is for --engine simt: the order of the others is not ours to choose"));
    }
    drop(stdout()?);
    let engines = match gpus.open(name)? {
        Some(engine) => vec![engine],
        None => present(),
    };
    let options = Options::default().time(time).seed(arguments.seed).schedules(arguments.schedules.unwrap_or(0));
    let checks = verify(&engines, &options)?;
    print(|out| {
        writeln!(out, "{:<6} {:<24} {:>10} {:>16}", "engine", "check", "cases", "cells")?;
        for check in &checks {
            writeln!(out, "{:<6} {:<24} {:>10} {:>16}", check.engine, check.name, check.cases, check.cells)?;
        }
        writeln!(out, "all equal")
    })
}
