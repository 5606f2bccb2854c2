//! The program `carrywave`: one file per command.
//!
//! Exit codes: 0 done, 1 it could not be done (one line on stderr says why), 2 the call was wrong. Those of `search` are
//! grep's: 0 found, 1 not found, 2 an error; and those of `diff` are diff's: 0 no difference, 1 differences, 2 an error.

mod advice;
mod aligned;
mod bench;
mod best;
mod call;
mod devices;
mod diff;
mod distance;
mod distance_pairs;
mod distance_places;
#[cfg(test)]
mod documented;
mod engine;
mod lcs;
mod lcs_meaning;
mod lcs_records;
mod limits;
mod machine;
mod manual;
mod members;
mod plot;
mod process;
mod progress;
mod record_lists;
mod sam;
mod search;
mod strand;
mod strings;
mod text;
mod verify;

use carrywave::io::output::{OutputFile, Visible, is_visible};
use carrywave::{Error, Result};
use clap::{CommandFactory, Parser, Subcommand};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: process::OrEnd = process::OrEnd;

/// Exact comparison and approximate search of long strings, on NVIDIA GPUs and without one.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
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
    gpus: engine::GpuArguments,
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
    let words_of_diff = |arguments: &[_]| match Cli::try_parse_from(arguments).ok()?.command {
        Command::Diff(arguments) => Some(arguments.words),
        _ => None,
    };
    let cli = match Cli::try_parse_from(diff::arguments(std::env::args_os().collect(), words_of_diff)) {
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
            note(&advice::advice(&error).map_or(error.to_string(), |advice| format!("{error}; {advice}")));
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

/// Whether an error says that the call was wrong, whatever the input.
fn is_wrong_call(error: &Error) -> bool {
    matches!(error, Error::Usage(_) | Error::Pattern { .. } | Error::UnknownName { .. } | Error::Unsupported { .. })
}

/// A line for the user, on stderr.
fn note(line: &str) {
    // Without a reader of stderr the exit code still tells; eprintln! would panic.
    let _ = writeln!(io::stderr(), "carrywave: {}", Visible(line));
}

/// Standard output.
///
/// # Errors
/// [`Error::Io`] when it was closed before the program began: what is written would be lost.
fn stdout() -> Result<io::StdoutLock<'static>> {
    if process::stdout_is_closed() {
        return Err(Error::Io { path: "standard output".into(), source: io::Error::other("it is closed") });
    }
    Ok(io::stdout().lock())
}

/// A file to be written, before there is anything to write.
fn open_output(path: &Path) -> Result<OutputFile> {
    let file = OutputFile::open(path)?;
    if file.descriptor() == Some(1) {
        drop(stdout()?);
    }
    Ok(file)
}

/// Writes to stdout.
fn print(write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<()> {
    drop(stdout()?);
    // Not locked, so that any thread can write.
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
    write(&mut out).and_then(|()| out.flush()).map_err(|source| Error::Io { path: "standard output".into(), source })
}

/// Writes a job's results as they come, to a file or else to stdout. When the job fails, writing ends and its failure is what is told;
/// it gives failures to write as [`written`].
fn write_results(file: Option<OutputFile>, job: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>) -> Result<()> {
    let name = file.as_ref().map_or("standard output".into(), |file| file.path().to_owned());
    let mut failure = Ok(());
    let write = |out: &mut (dyn Write + Send)| {
        job(out).map_err(|error| match error {
            Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe => source,
            error => {
                failure = Err(error);
                io::Error::other("the job failed")
            }
        })
    };
    let done = match file {
        Some(file) => file.write(write),
        None => print(write),
    };
    failure.and(done).map_err(|error| match error {
        Error::Io { path, source } if path == Path::new(OUTPUT) => Error::Io { path: name, source },
        error => error,
    })
}

/// Stands for the name of the output where that is not known.
const OUTPUT: &str = "the output";

/// A failure to write results, for [`write_results`], which knows what they are written to.
fn written(source: io::Error) -> Error {
    Error::Io { path: OUTPUT.into(), source }
}

/// Writes JSON in a line. What a terminal would act on is escaped.
fn json<W: Write + ?Sized>(out: &mut W, value: &impl serde::Serialize) -> io::Result<()> {
    struct Escaping;
    impl serde_json::ser::Formatter for Escaping {
        fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
            let mut rest = fragment;
            while let Some((at, c)) = rest.char_indices().find(|(_, c)| !is_visible(*c)) {
                write!(out, "{}\\u{:04x}", &rest[..at], u32::from(c))?;
                rest = &rest[at + c.len_utf8()..];
            }
            out.write_all(rest.as_bytes())
        }
    }
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Escaping))?;
    writeln!(out)
}

/// Parses what has a name: an engine, an algorithm, an alphabet.
fn named<T: std::str::FromStr<Err = Error>>(name: &str) -> std::result::Result<T, String> {
    name.parse().map_err(|e: Error| e.to_string())
}
