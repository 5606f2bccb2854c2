//! `carrywave lcs`

use super::engine::{EngineArguments, EngineName, GpuArguments, algorithms_help, long_help};
use super::progress::{CELLS, bar};
use super::text::tell_bytes;
use super::{json, named, note, open_output, print};
use carrywave::align::runs::CommonSubsequence;
use carrywave::device::{Engine, EngineKind};
use carrywave::io::output::{OutputFile, Visible};
use carrywave::io::sequence::{self, Case, Kind, ReadOptions, Sequence, unify_uracil};
use carrywave::lcs::{Algorithm, Comparison, Lcs};
use carrywave::view::blocks::{WIDTH, write_blocks};
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave lcs human.fa mouse.fa                      the length
  carrywave lcs -e ABCBDAB BDCABA --output blocks      two strings, side by side
  carrywave lcs a.fa.gz b.fa.gz --output cigar -o ab.cigar --plot ab.svg

A symbol is a byte: a character outside ASCII is 2 to 4 symbols, of which an LCS may have some. In nucleotides case is ignored,
and U is T beside DNA.";

/// The longest common subsequence of two strings.
#[derive(Debug, Args)]
#[command(after_help = HELP, after_long_help = long_help::<Lcs>(HELP))]
pub struct Arguments {
    /// The first string: a FASTA or FASTQ file, plain or gz; `-` is standard input.
    a: OsString,

    /// The second string, likewise.
    b: OsString,

    /// A and B are the strings themselves.
    #[arg(short = 'e', long, conflicts_with_all = ["raw", "record_a", "record_b"])]
    literal: bool,

    /// The files are compared byte by byte, whatever they hold. A gz file is decompressed all the same.
    #[arg(long, conflicts_with_all = ["record_a", "record_b"])]
    raw: bool,

    /// Take a compressed file as the bytes that it has; with --raw, since these are no records.
    #[arg(long, requires = "raw")]
    no_decompress: bool,

    /// Which record of A, by its name.
    #[arg(long, value_name = "NAME")]
    record_a: Option<String>,

    /// Which record of B, by its name.
    #[arg(long, value_name = "NAME")]
    record_b: Option<String>,

    /// Whether lower and upper case are the same symbol; `auto`: yes for nucleotides in FASTA and FASTQ.
    #[arg(long, value_enum, default_value_t = CaseArgument::Auto)]
    case: CaseArgument,

    #[command(flatten)]
    engine: EngineArguments,

    #[arg(long, default_value = "auto", value_parser = named::<Algorithm>, help = algorithms_help::<Lcs>())]
    algorithm: Algorithm,

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
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    let targets = Targets::open(arguments)?;
    let (engine, strings) = open_and_read(arguments, gpus);
    let ((a, b), engine) = (strings?, engine?);
    for (letter, string) in [("A", &a), ("B", &b)] {
        let Sequence { name, symbols, kind, .. } = string;
        log::info!("{letter} is {} with {} symbols, {}", Visible(name), symbols.len(), taken_for(*kind));
    }
    tell_bytes([], &[&a.symbols, &b.symbols]);

    let only_length = arguments.output == Output::Length && targets.plot.is_none();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = bar(if only_length { cells } else { cells.saturating_mul(2) }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let mut comparison = Comparison::new().algorithm(arguments.algorithm).on_progress(&on_progress);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }

    if only_length {
        let length = comparison.length(&a.symbols, &b.symbols);
        bar.finish_and_clear();
        let length = length?;
        return write(targets.output, |out| writeln!(out, "{length}"));
    }
    let lcs = comparison.alignment(&a.symbols, &b.symbols);
    bar.finish_and_clear();
    let lcs = lcs?;
    if let Some(file) = targets.plot {
        plot(file, &a, &b, &lcs)?;
    }
    output(arguments, targets.output, &a, &b, &lcs)
}

fn taken_for(kind: Kind) -> &'static str {
    match kind {
        Kind::Nucleotide => "taken for nucleotides",
        Kind::Protein => "taken for a protein",
        Kind::Bytes => "bytes",
    }
}

/// The engine, or none for `auto`.
type Opened = Result<Option<Box<dyn Engine>>>;

/// Opens the engine, and reads the strings. GPUs are opened meanwhile: it takes some tenths of a second.
fn open_and_read(arguments: &Arguments, gpus: GpuArguments) -> (Opened, Result<(Sequence, Sequence)>) {
    let name = arguments.engine.engine;
    if name != EngineName::One(EngineKind::Gpu) {
        return (gpus.open(name), read(arguments));
    }
    let opening = std::thread::Builder::new().spawn(move || gpus.open(name));
    let strings = read(arguments);
    let engine = match opening.map(|opening| opening.join()) {
        Ok(Ok(engine)) => engine,
        // Without a thread for it they are opened now.
        _ => gpus.open(name),
    };
    (engine, strings)
}

fn output(
    arguments: &Arguments,
    file: Option<OutputFile>,
    a: &Sequence,
    b: &Sequence,
    lcs: &CommonSubsequence,
) -> Result<()> {
    match arguments.output {
        Output::Length => write(file, |out| writeln!(out, "{}", lcs.len())),
        Output::Subsequence => {
            let subsequence = lcs.subsequence(&a.symbols)?;
            let is_text = |sequence: &Sequence| std::str::from_utf8(&sequence.symbols).is_ok();
            let whole_characters = !subsequence.is_ascii() && is_text(a) && is_text(b);
            write(file, |out| {
                if whole_characters {
                    write_characters(out, &subsequence)?
                } else {
                    out.write_all(&subsequence)?
                }
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
            write(file, |out| json(out, &names))
        }
    }
}

/// Writes characters, and bytes that are a part of one as `\xc3`.
fn write_characters(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    for chunk in bytes.utf8_chunks() {
        out.write_all(chunk.valid().as_bytes())?;
        chunk.invalid().iter().try_for_each(|byte| write!(out, "\\x{byte:02x}"))?;
    }
    Ok(())
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

/// Where the result goes.
struct Targets {
    /// None for standard output.
    output: Option<OutputFile>,
    plot: Option<OutputFile>,
}

impl Targets {
    /// Finds what can be known to be wrong before hours of work.
    fn open(arguments: &Arguments) -> Result<Self> {
        if let Some(path) = &arguments.plot {
            let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
            if !matches!(extension.as_deref(), Some("svg" | "png")) {
                return Err(Error::Usage(format!("{}: a plot's file name ends in .svg or .png", path.display())));
            }
        }
        let open = |path: &Option<PathBuf>| path.as_deref().map(open_output).transpose();
        let (output, plot) = (open(&arguments.file)?, open(&arguments.plot)?);
        if let (Some(output), Some(plot)) = (&output, &plot)
            && output.is_same(plot)
        {
            let name = plot.path().display();
            return Err(Error::Usage(format!("-o and --plot name the same file, {name}; give them two")));
        }
        if output.is_none() {
            drop(super::stdout()?);
        }
        Ok(Self { output, plot })
    }
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
        let (raw, keep_compressed) = (arguments.raw, arguments.no_decompress);
        // The case as it is, so that what becomes of it can be told.
        let options = ReadOptions::default().raw(raw).keep_compressed(keep_compressed).case(Case::Keep);
        let options = match record {
            Some(name) => options.record(name),
            None => options,
        };
        sequence::read(path, &options).map_err(|error| match error {
            Error::Io { path, source } if source.kind() == io::ErrorKind::NotFound && is_word(&path) => {
                let reason = "no such file; to compare the two strings themselves, use -e";
                Error::Io { path, source: io::Error::new(source.kind(), reason) }
            }
            error => error,
        })
    };
    // Both at a time: to decompress takes longer than to read.
    let (a, b) = rayon::join(|| read(&arguments.a, &arguments.record_a), || read(&arguments.b, &arguments.record_b));
    let (mut a, mut b) = (a?, b?);
    if case == Case::Auto {
        tell_kinds(&a, &b);
    }
    unify_uracil(&mut a, &mut b);
    Ok((a.with_case(case), b.with_case(case)))
}

/// Says what the strings are taken for where their letters do not tell, or are of two kinds, and it changes the result: small letters
/// are those of nucleotides and not those of proteins.
fn tell_kinds(a: &Sequence, b: &Sequence) {
    let has_small = |sequence: &Sequence| sequence.symbols.iter().any(u8::is_ascii_lowercase);
    let uncertain = !a.kind_is_certain || !b.kind_is_certain || a.kind != b.kind;
    let records = [a, b].iter().all(|sequence| sequence.kind != Kind::Bytes);
    if records && uncertain && (has_small(a) || has_small(b)) {
        let of = |sequence: &Sequence| match sequence.kind {
            Kind::Nucleotide => "nucleotides, whose case is ignored",
            _ => "a protein, whose case is kept",
        };
        note(&format!("A is taken for {}, B for {}; --case ignore or keep is for both", of(a), of(b)));
    }
}

/// What may well be meant as a string, not as the name of a file.
fn is_word(path: &Path) -> bool {
    path.extension().is_none() && path.components().count() == 1
}

/// To a file, whole or not at all, or to standard output.
fn write(file: Option<OutputFile>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    match file {
        Some(file) => file.write(write),
        None => print(write),
    }
}

fn plot(file: OutputFile, a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> Result<()> {
    log::info!("plot in {}", file.path().display());
    carrywave::view::dot_plot::dot_plot(file, a, b, lcs)
}
