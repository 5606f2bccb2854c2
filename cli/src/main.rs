//! The program `carrywave`: one file or folder per command, and in `shared` what several commands use.
//!
//! Exit codes: 0 done, 1 it could not be done (one line on stderr says why), 2 the call was wrong. Those of `search` are
//! grep's: 0 found, 1 not found, 2 an error; and those of `diff` are diff's: 0 no difference, 1 differences, 2 an error.

mod bench;
mod best;
mod call;
mod devices;
mod diff;
mod distance;
#[cfg(test)]
mod documented;
mod lcs;
mod machine;
mod manual;
mod search;
mod shared;
mod verify;

use carrywave::{Error, Result};
use clap::{CommandFactory, Parser, Subcommand};
use shared::engine::GpuArguments;
use shared::errors::{advice, is_wrong_call};
use shared::notes::note;
use shared::process;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: process::OrEnd = process::OrEnd;

/// Exact comparison and approximate search of long strings, on NVIDIA GPUs and without one.
#[derive(Debug, Parser)]
#[command(name = "carrywave", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Examples:
  carrywave lcs human.fa mouse.fa     how many symbols two genomes have in common, in order
  carrywave distance a.fa b.fa        how many edits make one of the other
  carrywave diff -u old.txt new.txt   which lines two files differ in
  carrywave search -k 2 GATTACA x.fa  where a pattern occurs, with at most two errors
  carrywave best GATTACA x.fa         where it is nearest, whatever the errors
  carrywave lcs --help                more examples, and all options
  carrywave devices                   what can compute here
  carrywave verify                    whether it computes right
  carrywave bench                     how fast, and how near to what is possible here")]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Say on stderr what runs where and how fast; twice for more.
    #[arg(long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,

    /// CPU threads [default: all cores].
    #[arg(long, global = true, value_name = "N")]
    threads: Option<usize>,

    #[command(flatten)]
    gpus: GpuArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The longest common subsequence of two strings.
    Lcs(lcs::Arguments),
    /// The edit distance of two strings, and a cheapest script.
    Distance(distance::Arguments),
    /// Which lines, words or characters two files differ in.
    Diff(Box<diff::Arguments>),
    /// Where a pattern occurs, with at most k errors.
    Search(search::Arguments),
    /// Which part of a text is nearest to a pattern.
    Best(best::Arguments),
    /// The engines that can be used here.
    Devices(devices::Arguments),
    /// What a kernel's memory accesses cost on a memory machine of any width and latency.
    Machine(machine::Arguments),
    /// Cross-check every algorithm of every engine on random and adversarial inputs.
    Verify(verify::Arguments),
    /// How fast each job is on this machine, beside what the machine allows.
    Bench(bench::Arguments),
    /// What a shell completes, as a script for it.
    Completions(manual::CompletionArguments),
    /// The manual's pages, written to a folder.
    Man(manual::ManArguments),
}

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.iter().any(|word| word == "diff") {
        let words = |arguments: &[OsString]| match Cli::try_parse_from(arguments).ok()?.command {
            Command::Diff(arguments) => Some(arguments.words),
            _ => None,
        };
        arguments = diff::respelled(arguments, words);
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(answer) => return call::answer(&answer),
    };
    let level = match cli.verbose {
        0 => log::LevelFilter::Warn,
        1 => log::LevelFilter::Info,
        _ => log::LevelFilter::Debug,
    };
    env_logger::Builder::new().filter_module("carrywave", level).format_timestamp(None).init();
    let failure = if matches!(cli.command, Command::Search(_) | Command::Diff(_)) { 2 } else { 1 };
    process::begin(failure);
    match run(cli) {
        Ok(code) => code,
        // The reader of our output has seen enough.
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            note(&advice(&error).map_or(error.to_string(), |advice| format!("{error}; {advice}")));
            ExitCode::from(if is_wrong_call(&error) { 2 } else { failure })
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode> {
    if let Command::Diff(arguments) = &cli.command {
        // Most files are compared before threads would have started.
        return diff::run(arguments, cli.threads, cli.gpus);
    }
    let threads = process::start_threads(cli.threads)?;
    threads.install(|| {
        match cli.command {
            Command::Search(arguments) => return search::run(&arguments, cli.gpus),
            Command::Diff(arguments) => return diff::run(&arguments, cli.threads, cli.gpus),
            Command::Lcs(arguments) => lcs::run(&arguments, cli.gpus, cli.threads),
            Command::Distance(arguments) => distance::run(&arguments, cli.gpus, cli.threads),
            Command::Best(arguments) => best::run(&arguments, cli.gpus),
            Command::Devices(arguments) => {
                cli.gpus.refuse("`devices` tells of all GPUs")?;
                devices::run(&arguments)
            }
            Command::Machine(arguments) => {
                cli.gpus.refuse("`machine` counts on the simulator, whatever GPUs there are")?;
                machine::run(&arguments)
            }
            Command::Verify(arguments) => verify::run(&arguments, cli.gpus),
            Command::Bench(arguments) => bench::run(&arguments, cli.gpus),
            Command::Completions(arguments) => manual::completions(&arguments, Cli::command()),
            Command::Man(arguments) => manual::man(&arguments, Cli::command()),
        }?;
        Ok(ExitCode::SUCCESS)
    })
}
