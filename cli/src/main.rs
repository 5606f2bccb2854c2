//! The program `carrywave`: one file or folder per command. `shared` holds code that several
//! commands use.
//!
//! Exit codes: 0 done, 1 failed (one line on standard error gives the reason), 2 wrong call.
//! `search` has grep's: 0 hits, 1 no hit, 2 error; `diff` has diff's: 0 no difference,
//! 1 differences, 2 error.

mod barcodes;
mod bench;
mod best;
mod call;
mod devices;
mod diff;
mod distance;
#[cfg(test)]
mod documented;
mod guides;
mod index;
mod lcs;
mod machine;
mod manual;
mod search;
mod shared;
mod trim;
mod verify;

use carrywave::{Error, Result};
use clap::{ArgAction, CommandFactory, Parser, Subcommand};
use shared::engine::GpuArguments;
use shared::errors::{advice, is_wrong_call};
use shared::help::{EXIT_STATUS, GLOBAL, TEMPLATE, WIDTH, few};
use shared::notes::note;
use shared::{parts, process, visible};
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: process::ExitOnOutOfMemory = process::ExitOnOutOfMemory;

const EXAMPLES: &str = "\
Examples:
  carrywave lcs human.fa mouse.fa          length of the longest common subsequence
  carrywave distance a.fa b.fa             edit distance
  carrywave diff -u old.txt new.txt        changed lines
  carrywave search -k 2 GATTACA x.fa       all parts that match with at most two errors
  carrywave best GATTACA x.fa              the nearest part, whatever its errors
  carrywave guides guides.txt genome.fa    sites of CRISPR guides
  carrywave trim -a AGATCGGAAGAGC r.fq     reads without an adapter
  carrywave barcodes list.txt reads.fq     the barcode of each read
  carrywave index genome.fa                index for parts such as genome.fa:chr1:1001-2000
  carrywave distance --all names.txt --max 2   pairs of similar lines
  carrywave lcs --help                     all options of a command, and more examples
  carrywave verify                         a check that this machine computes right
  carrywave bench                          its speed";

/// Exact comparison and approximate search of strings, on NVIDIA GPUs and CPUs.
#[derive(Debug, Parser)]
#[command(name = "carrywave", version, propagate_version = true, max_term_width = WIDTH)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(override_usage = "carrywave [OPTIONS] COMMAND")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES)]
#[command(after_help = "Options of a command: carrywave COMMAND -h, or --help for all of them")]
#[command(after_long_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Number of CPU threads [default: all cores].
    #[arg(long, global = true, value_name = "N", help_heading = GLOBAL)]
    threads: Option<usize>,

    #[command(flatten)]
    gpus: GpuArguments,

    /// Report engine, algorithm and speed on standard error; twice for more.
    #[arg(long, global = true, action = ArgAction::Count, help_heading = GLOBAL)]
    verbose: u8,

    /// Print help; --help prints more than -h.
    #[arg(short = 'h', long, global = true, action = ArgAction::Help, help_heading = GLOBAL)]
    help: Option<bool>,

    /// Print the version.
    #[arg(short = 'V', long, global = true, action = ArgAction::Version, help_heading = GLOBAL)]
    version: Option<bool>,
}

impl Cli {
    /// Returns true if the command uses no other GPU than number 0.
    fn needs_one_gpu(&self) -> bool {
        let has_members = match &self.command {
            Command::Lcs(arguments) => arguments.members.given().is_some(),
            Command::Distance(arguments) => arguments.members.given().is_some(),
            _ => false,
        };
        !has_members && !matches!(self.command, Command::Devices(_)) && self.gpus.is_the_first()
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Longest common subsequence of two strings.
    Lcs(lcs::Arguments),
    /// Edit distance of two strings, of many pairs, or of all pairs of a list.
    Distance(distance::Arguments),
    /// Changed lines, words or characters of two files or folders.
    Diff(Box<diff::Arguments>),
    /// Parts of texts that match a pattern with at most k errors.
    Search(search::Arguments),
    /// Part of a text that is nearest to a pattern.
    Best(best::Arguments),
    /// Sites of CRISPR guides in a genome, with mismatches and bulges.
    Guides(guides::Arguments),
    /// Reads without adapters, primers and ends of low quality.
    Trim(Box<trim::Arguments>),
    /// Nearest of many barcodes for each read, with counts of reads and molecules.
    Barcodes(barcodes::Arguments),
    /// Index of a FASTA or FASTQ file, to read parts of it by seeking.
    Index(index::Arguments),
    /// Engines and GPUs of this machine.
    Devices(devices::Arguments),
    /// Cost of a kernel's memory accesses on a memory machine.
    Machine(machine::Arguments),
    /// Check of every algorithm of every engine on fixed and random inputs.
    Verify(verify::Arguments),
    /// Speed of each job on this machine, beside the machine's limit.
    Bench(bench::Arguments),
    /// Completion script for a shell.
    Completions(manual::CompletionArguments),
    /// Pages of the manual.
    Man(manual::ManArguments),
}

fn main() -> ExitCode {
    parts::start();
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.iter().any(|word| word == "diff") {
        let words = |arguments: &[OsString]| match Cli::try_parse_from(arguments).ok()?.command {
            Command::Diff(arguments) => Some(arguments.words),
            _ => None,
        };
        arguments = diff::respelled(arguments, words);
    }
    if arguments.len() == 3 && arguments[1] == "search" && arguments[2] == "-h" {
        // As in grep, `-h` suppresses file names, which has no effect without a pattern. Alone, it
        // means help.
        arguments[2] = "--short-help".into();
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(answer) => return call::answer(&answer),
    };
    if cli.needs_one_gpu() {
        // SAFETY: this process has not started any thread.
        unsafe { visible::only_the_first() };
    }
    let level = match cli.verbose {
        0 => log::LevelFilter::Warn,
        1 => log::LevelFilter::Info,
        _ => log::LevelFilter::Debug,
    };
    let mut log = env_logger::Builder::new();
    log.filter_module("carrywave", level).filter_module("simt_launch", level).format_timestamp(None).init();
    let failure = if matches!(cli.command, Command::Search(_) | Command::Diff(_)) { 2 } else { 1 };
    process::begin(failure);
    cli.gpus.choose_kernels();
    match run(cli) {
        Ok(code) => code,
        // The reader of standard output has closed it.
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            note(&advice(&error).map_or(error.to_string(), |advice| format!("{error}; {advice}")));
            ExitCode::from(if is_wrong_call(&error) { 2 } else { failure })
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode> {
    if let Command::Diff(arguments) = &cli.command {
        // Most files are compared in less time than threads take to start.
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
            Command::Guides(arguments) => guides::run(&arguments, cli.gpus),
            Command::Trim(arguments) => {
                cli.gpus.refuse("not available for `trim`, which runs on the CPU")?;
                trim::run(&arguments)
            }
            Command::Barcodes(arguments) => {
                cli.gpus.refuse("not available for `barcodes`, which runs on the CPU")?;
                barcodes::run(&arguments)
            }
            Command::Index(arguments) => {
                cli.gpus.refuse("not available for `index`, which only reads and writes files")?;
                index::run(&arguments)
            }
            Command::Devices(arguments) => {
                cli.gpus.refuse("not available for `devices`, which lists all GPUs")?;
                devices::run(&arguments)
            }
            Command::Machine(arguments) => {
                cli.gpus.refuse("not available for `machine`, which uses the simulator")?;
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
