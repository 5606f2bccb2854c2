//! `carrywave bench`: measures the limits of this machine, times jobs and compares them with the
//! limits.

mod calibrate;
mod command;
mod diff;
mod job;
mod jobs;
mod limits;
mod machine;
mod pairs;
mod report;
mod search;
mod site;
mod strings;

use crate::shared::engine::{EngineArguments, EngineName, GpuArguments};
use crate::shared::help::{EXIT_STATUS, INPUT, OUTPUT, PERFORMANCE, TEMPLATE, few, one_of, section};
use crate::shared::json::write_json;
use crate::shared::output::{Targets, write};
use crate::shared::progress::steps;
use carrywave::device::{Cpu, Engine, EngineKind, Gpu, Simt};
use carrywave::error::UsageFault;
use carrywave::internal::bars::bar_chart;
use carrywave::{Error, Result};
use clap::Args;
use jobs::{JOBS, JobName};
use limits::Limits;
use machine::Machine;
use report::{CommandRow, Report, Row, Start};
use site::Site;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Default number of timings per job.
const RUNS: usize = 5;

const EXAMPLES: &str = "\
Examples:
  carrywave bench                                  all jobs, about a minute
  carrywave bench --only lcs-dna,search-exact      two jobs
  carrywave bench --engine cpu --threads 1         one core
  carrywave bench --json -o bench.json --plot bench.svg
  carrywave bench --quick                          a check that all jobs run, in seconds
  carrywave bench --calibrate                      measure and keep the costs that `--engine auto` compares";

const NOTES: &str = "\
Limits:
  Each job's speed is shown beside the limit of this machine, measured in the same run (docs/bench.md).
  The output can be pasted into an issue.";

/// The speed of each job on this machine, beside the limit of the machine.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave bench [OPTIONS]")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES)]
#[command(after_help = "The list of jobs: carrywave bench --help")]
#[command(after_long_help = format!("{NOTES}\n\n{}\n\n{EXIT_STATUS}", jobs_by_name()))]
pub struct Arguments {
    /// Run only these jobs, separated by commas; the list is at the end of --help.
    #[arg(long, value_name = "JOB", value_delimiter = ',', help_heading = INPUT, hide_possible_values = true)]
    #[arg(value_parser = one_of::<JobName>(JOBS.iter().map(|job| job.name)))]
    only: Vec<JobName>,

    /// Use the smallest sizes and one timing, to check that all jobs run. The figures mean nothing.
    #[arg(long, help_heading = INPUT)]
    quick: bool,

    /// Measure how fast each job is here, for `--engine auto`, and keep the result: in
    /// $CARRYWAVE_CALIBRATION, or in carrywave/calibration.json of the user's cache.
    #[arg(long, help_heading = INPUT, conflicts_with_all = ["only", "quick", "json", "file", "plot", "runs"])]
    calibrate: bool,

    /// Print JSON.
    #[arg(long, help_heading = OUTPUT)]
    json: bool,

    /// Write to FILE, whole or not at all [default: standard output].
    #[arg(short = 'o', value_name = "FILE", help_heading = OUTPUT)]
    file: Option<PathBuf>,

    /// Draw the share of its limit that each job reaches, and the parts of its time on a GPU, to a
    /// file that ends in .svg or .png.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    plot: Option<PathBuf>,

    // `auto` is the CPU, and the GPU if the machine has one. `simt` needs `--quick`.
    #[command(flatten)]
    engine: EngineArguments,

    /// Timings of each job, after a warm-up; the median counts. Jobs above three seconds run once
    /// [default: 5].
    #[arg(long, value_name = "N", help_heading = PERFORMANCE)]
    runs: Option<usize>,
}

/// Returns the section of the help that lists the jobs.
fn jobs_by_name() -> String {
    section("Jobs", JOBS.iter().map(|job| (format!("{:<20}", job.name), job.about.to_owned())))
}

/// An engine to measure, and its speed relative to the engine that input sizes are chosen for.
struct Opened {
    engine: Box<dyn Engine>,
    speed: f64,
    /// Time to open it.
    start: Duration,
}

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    let runs = match arguments.runs {
        Some(0) => return Err(UsageFault::Range.error("--runs takes at least 1, not 0")),
        Some(runs) => runs,
        None if arguments.quick => 1,
        None => RUNS,
    };
    if gpus.gpus.is_some_and(|count| count > 1) {
        return Err(UsageFault::Engine.error("--gpus: bench measures one GPU; choose it with --gpu"));
    }
    if arguments.calibrate {
        return calibrate::run(arguments.engine.engine, gpus);
    }
    let targets = Targets::open(arguments.file.as_deref(), arguments.plot.as_deref())?;
    let mut machine = Machine::new(runs, arguments.quick);
    let engines = open(arguments, gpus, &mut machine)?;
    let jobs = || JOBS.iter().filter(|job| arguments.only.is_empty() || arguments.only.contains(&JobName(job.name)));

    let bar = steps(engines.len() * (1 + jobs().count()));
    let mut report = Report { machine, starts: Vec::new(), limits: Vec::new(), jobs: Vec::new(), commands: Vec::new() };
    for Opened { engine, speed, start } in &engines {
        let kind = engine.kind();
        report.starts.push(Start { engine: kind, seconds: start.as_secs_f64() });
        bar.set_message(format!("{kind}: limits"));
        let limits = Limits::measured(&**engine, runs, arguments.quick)?;
        report.limits.extend(limits.rows());
        bar.inc(1);
        let threads = format!("--threads={}", rayon::current_num_threads());
        let options = if kind == EngineKind::Gpu { gpus.options() } else { Vec::new() };
        let options = std::iter::once(threads).chain(options).collect();
        let quick = arguments.quick;
        let site = Site { engine: &**engine, kind, speed: *speed, quick, runs, limits: &limits, options };
        for job in jobs() {
            bar.set_message(format!("{kind}: {}", job.about));
            if let Some(mut done) = (job.run)(&site)? {
                match command::run(&site, job.name, &done) {
                    Ok(Some(ran)) => report.commands.push(CommandRow::new(job.name, kind, ran)),
                    Ok(None) => {}
                    // The report with all other times comes first.
                    Err(error) => done.faults.push(format!("its command was not timed: {error}")),
                }
                let row = Row::new(job, kind, done);
                log::info!("{row}");
                report.jobs.push(row);
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if let Some(plot) = targets.plot {
        bar_chart(plot, &report.chart())?;
    }
    write(targets.output, |out| if arguments.json { write_json(out, &report) } else { write!(out, "{report}") })?;
    report.check()
}

/// Opens the requested engines. Records in `machine` the GPU's description, or the reason why there
/// is none.
fn open(arguments: &Arguments, gpus: GpuArguments, machine: &mut Machine) -> Result<Vec<Opened>> {
    let cpu = || Opened { engine: Box::new(Cpu::new()), speed: machine::speed_of_cpu(), start: Duration::ZERO };
    let gpu = |machine: &mut Machine| {
        let begun = Instant::now();
        let gpu = Gpu::open(gpus.gpu.unwrap_or(0))?;
        let start = begun.elapsed();
        let speed = machine.add_gpu(gpu.describe()?);
        Ok(Opened { engine: Box::new(gpu), speed, start })
    };
    match arguments.engine.engine {
        EngineName::One(EngineKind::Gpu) => Ok(vec![gpu(machine)?]),
        EngineName::One(EngineKind::Simt) if !arguments.quick => Err(UsageFault::Engine
            .error("--engine simt: simulator times do not predict GPU times; add --quick to check that the jobs run")),
        EngineName::One(kind) => {
            // This call refuses `--gpu` for the CPU and the simulator.
            gpus.open(EngineName::One(kind))?;
            Ok(vec![if kind == EngineKind::Simt {
                Opened { engine: Box::new(Simt::new()), speed: 0.0, start: Duration::ZERO }
            } else {
                cpu()
            }])
        }
        EngineName::Auto => match gpu(machine) {
            Ok(gpu) => Ok(vec![cpu(), gpu]),
            Err(Error::NoGpu(reason)) if gpus.gpu.is_none() => {
                machine.no_gpu = Some(reason);
                Ok(vec![cpu()])
            }
            Err(error) => Err(error),
        },
    }
}
