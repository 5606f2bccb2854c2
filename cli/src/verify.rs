//! `carrywave verify`

use crate::shared::engine::{EngineArguments, EngineName, GpuArguments};
use crate::shared::help::{DIAGNOSTICS, EXIT_STATUS, TEMPLATE, few};
use crate::shared::output::{print, stdout};
use carrywave::Result;
use carrywave::device::EngineKind;
use carrywave::error::UsageFault;
use carrywave::verify::{Options, present, verify};
use clap::Args;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  carrywave verify                                  all engines of this machine, ten seconds
  carrywave verify --engine gpu --seconds 60        a new GPU, for a minute
  carrywave verify --engine simt --schedules 4      four random orders of blocks and warps";

/// Checks every algorithm of every engine on fixed and random inputs.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave verify [OPTIONS]")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = EXIT_STATUS)]
pub struct Arguments {
    #[command(flatten)]
    engine: EngineArguments,

    /// Time to spend. The fixed inputs run in any case; random inputs fill the rest in equal
    /// shares.
    #[arg(long, default_value_t = 10.0, help_heading = DIAGNOSTICS)]
    seconds: f64,

    /// Seed of the random inputs. A failure names its seed.
    #[arg(long, default_value_t = 1, help_heading = DIAGNOSTICS)]
    seed: u64,

    /// With --engine simt: run the fixed inputs in N random orders of blocks and warps. A failure
    /// names its order.
    #[arg(long, value_name = "N", help_heading = DIAGNOSTICS)]
    schedules: Option<u64>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    let time = Duration::try_from_secs_f64(arguments.seconds)
        .map_err(|e| UsageFault::Range.error(format!("--seconds {}: {e}", arguments.seconds)))?;
    let name = arguments.engine.engine;
    if arguments.schedules.is_some() && name != EngineName::One(EngineKind::Simt) {
        return Err(UsageFault::Combination
            .error("--schedules needs --engine simt, because only the simulator's order can be chosen"));
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
