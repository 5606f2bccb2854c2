//! `carrywave lcs`

use super::{named, print};
use carrywave::lcs::blocks::{WIDTH, write_blocks};
use carrywave::lcs::result::CommonSubsequence;
use carrywave::lcs::{Algorithm, Comparison, Engine};
use carrywave::output::write_atomically;
use carrywave::sequence::{self, Case, ReadOptions, Sequence};
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

/// The longest common subsequence of two strings.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carrywave lcs human.fa mouse.fa                      the length
  carrywave lcs -e ABCBDAB BDCABA --output blocks      two strings, side by side
  carrywave lcs a.fa.gz b.fa.gz --output cigar -o ab.cigar --plot ab.svg")]
pub struct Arguments {
    /// The first string: a FASTA or FASTQ file, plain or gz; `-` is standard input.
    a: OsString,

    /// The second string, likewise.
    b: OsString,

    /// A and B are the strings themselves.
    #[arg(short = 'e', long, conflicts_with_all = ["raw", "record_a", "record_b"])]
    literal: bool,

    /// The files are compared byte by byte, whatever they hold.
    #[arg(long, conflicts_with_all = ["record_a", "record_b"])]
    raw: bool,

    /// Which record of A, by its name.
    #[arg(long, value_name = "NAME")]
    record_a: Option<String>,

    /// Which record of B, by its name.
    #[arg(long, value_name = "NAME")]
    record_b: Option<String>,

    /// Whether lower and upper case are the same symbol; `auto`: yes for nucleotides in FASTA and FASTQ.
    #[arg(long, value_enum, default_value_t = CaseArgument::Auto)]
    case: CaseArgument,

    /// What computes: auto, cpu, gpu or simt (the GPU's kernels on a simulator).
    #[arg(long, default_value = "auto", value_parser = named::<Engine>)]
    engine: Engine,

    /// How: auto, dp, bit-parallel (cpu), wavefront, block-step or block-step-look-ahead (gpu, simt).
    #[arg(long, default_value = "auto", value_parser = named::<Algorithm>)]
    algorithm: Algorithm,

    /// Which GPU, by its number in `carrywave devices`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    gpu: usize,

    /// How many GPUs, from that one on; for the wavefront.
    #[arg(long, value_name = "N", default_value_t = 1)]
    gpus: usize,

    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Length)]
    output: Output,

    /// Write to this file instead of standard output; it appears whole or not at all.
    #[arg(short = 'o', value_name = "FILE")]
    file: Option<PathBuf>,

    /// Draw a dot plot with the LCS as a path; the file's name ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CaseArgument {
    Auto,
    Keep,
    Ignore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// The length of the LCS.
    Length,
    /// The LCS itself.
    Subsequence,
    /// =, I and D: A is the query, B the reference.
    Cigar,
    /// Both strings side by side.
    Blocks,
    /// Names, lengths, identity and runs.
    Json,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    check_targets(arguments)?;
    let opening = open_gpus(arguments);
    let read = read(arguments);
    if let Some(opening) = opening {
        // A failure comes back, with its reason, from the comparison.
        let _ = opening.join();
    }
    let (a, b) = read?;
    log::info!("A is {} with {} symbols, B is {} with {}", a.name, a.symbols.len(), b.name, b.symbols.len());

    let only_length = arguments.output == Output::Length && arguments.plot.is_none();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = progress(if only_length { cells } else { cells.saturating_mul(2) });
    let on_progress = |cells| bar.inc(cells);
    let comparison = Comparison::new()
        .engine(arguments.engine)
        .algorithm(arguments.algorithm)
        .gpu(arguments.gpu)
        .gpus(arguments.gpus)
        .on_progress(&on_progress);

    if only_length {
        let length = comparison.length(&a.symbols, &b.symbols);
        bar.finish_and_clear();
        let length = length?;
        return write(arguments.file.as_deref(), |out| writeln!(out, "{length}"));
    }
    let lcs = comparison.subsequence(&a.symbols, &b.symbols);
    bar.finish_and_clear();
    let lcs = lcs?;
    if let Some(path) = &arguments.plot {
        plot(path, &a, &b, &lcs)?;
    }
    output(arguments, &a, &b, &lcs)
}

/// Opens the GPUs that were asked for while the files are read: it takes some tenths of a second.
fn open_gpus(arguments: &Arguments) -> Option<JoinHandle<()>> {
    #[cfg(feature = "gpu")]
    if arguments.engine == Engine::Gpu {
        let (gpu, gpus) = (arguments.gpu, arguments.gpus);
        return Some(std::thread::spawn(move || drop(carrywave::engine::gpu::Gpu::group(gpu, gpus))));
    }
    let _ = arguments;
    None
}

fn output(arguments: &Arguments, a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> Result<()> {
    let file = arguments.file.as_deref();
    match arguments.output {
        Output::Length => write(file, |out| writeln!(out, "{}", lcs.len())),
        Output::Subsequence => {
            let subsequence = lcs.subsequence(&a.symbols)?;
            write(file, |out| {
                out.write_all(&subsequence)?;
                writeln!(out)
            })
        }
        Output::Cigar => write(file, |out| {
            lcs.write_cigar(out)?;
            writeln!(out)
        }),
        Output::Blocks => write(file, |out| write_blocks(out, a, b, lcs, WIDTH)),
        Output::Json => {
            let names = Named { a: &a.name, b: &b.name, identity: lcs.identity(), lcs };
            write(file, |out| {
                serde_json::to_writer(&mut *out, &names)?;
                writeln!(out)
            })
        }
    }
}

/// What `--output json` prints.
#[derive(serde::Serialize)]
struct Named<'r> {
    a: &'r str,
    b: &'r str,
    identity: Option<f64>,
    #[serde(flatten)]
    lcs: &'r CommonSubsequence,
}

/// What can be known to be wrong before hours of work.
fn check_targets(arguments: &Arguments) -> Result<()> {
    if let Some(path) = &arguments.plot {
        if cfg!(not(feature = "plot")) {
            return Err(Error::Usage("this build draws no plots (feature `plot`)".into()));
        }
        let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        if !matches!(extension.as_deref(), Some("svg" | "png")) {
            return Err(Error::Usage(format!("{}: a plot's file name ends in .svg or .png", path.display())));
        }
    }
    for path in [&arguments.file, &arguments.plot].into_iter().flatten() {
        let folder = folder_of(path);
        let problem = match std::fs::metadata(folder) {
            _ if path.is_dir() => io::ErrorKind::IsADirectory.into(),
            Ok(found) if found.is_dir() => continue,
            Ok(_) => io::Error::other(format!("{} is not a folder", folder.display())),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
                io::Error::other(format!("the folder {} does not exist; make it first", folder.display()))
            }
            Err(fault) => fault,
        };
        return Err(Error::Io { path: path.clone(), source: problem });
    }
    if let (Some(file), Some(plot)) = (&arguments.file, &arguments.plot)
        && place(file) == place(plot)
    {
        return Err(Error::Usage(format!("-o and --plot name the same file, {}; give them two", plot.display())));
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A path to a file that may not be there yet, without links and dots.
fn place(path: &Path) -> PathBuf {
    let in_folder =
        || std::fs::canonicalize(folder_of(path)).map(|folder| folder.join(path.file_name().unwrap_or_default()));
    std::fs::canonicalize(path).or_else(|_| in_folder()).unwrap_or_else(|_| path.to_owned())
}

fn read(arguments: &Arguments) -> Result<(Sequence, Sequence)> {
    let case = match arguments.case {
        CaseArgument::Auto => Case::Auto,
        CaseArgument::Keep => Case::Keep,
        CaseArgument::Ignore => Case::Ignore,
    };
    if arguments.literal {
        let literal = |text: &OsStr| match text.to_str() {
            Some(text) => Ok(Sequence::literal(text).with_case(case)),
            None => {
                Err(Error::Usage("a string given with -e is UTF-8; put other bytes into a file and use --raw".into()))
            }
        };
        return Ok((literal(&arguments.a)?, literal(&arguments.b)?));
    }
    if arguments.a == "-" && arguments.b == "-" {
        return Err(Error::Usage("only one of A and B can be standard input".into()));
    }
    let read = |path: &OsStr, record: &Option<String>| {
        let options = ReadOptions { raw: arguments.raw, record: record.clone(), case };
        sequence::read(path, &options).map_err(|error| match error {
            Error::Io { path, source } if source.kind() == io::ErrorKind::NotFound && is_word(&path) => {
                Error::Input { path, reason: "no such file; to compare the two strings themselves, use -e".into() }
            }
            error => error,
        })
    };
    // Both at a time: to decompress takes longer than to read.
    let (a, b) = rayon::join(|| read(&arguments.a, &arguments.record_a), || read(&arguments.b, &arguments.record_b));
    Ok((a?, b?))
}

/// What may well be meant as a string, not as the name of a file.
fn is_word(path: &Path) -> bool {
    path.extension().is_none() && path.components().count() == 1
}

/// To a file, whole or not at all, or to standard output.
fn write(file: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    match file {
        Some(path) => write_atomically(path, write),
        None => print(write),
    }
}

#[cfg(feature = "plot")]
fn plot(path: &Path, a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> Result<()> {
    carrywave::lcs::plot::dot_plot(path, a, b, lcs)?;
    log::info!("plot in {}", path.display());
    Ok(())
}

#[cfg(not(feature = "plot"))]
fn plot(_: &Path, _: &Sequence, _: &Sequence, _: &CommonSubsequence) -> Result<()> {
    Ok(())
}

/// A bar on stderr, if that is a terminal, for work of more than a moment.
pub(super) fn progress(cells: u64) -> ProgressBar {
    if cells < 20_000_000_000 {
        return ProgressBar::hidden();
    }
    let template = "{bar:30} {percent:>3} %, {speed}, {elapsed} so far, at most {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("speed", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // A failed write shows on the screen, or nowhere.
        let _ = write!(out, "{:.0} GCUPS", state.per_sec() / 1e9);
    });
    let bar = ProgressBar::new(cells).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
