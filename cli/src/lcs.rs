//! `carrywave lcs`

use super::engine::{EngineArguments, GpuArguments, algorithms_help, long_help};
use super::plot::plot;
use super::progress::{CELLS, bar};
use super::strings::{StringArguments, Strings, Targets, UnitArguments, open_and_read, write};
use super::{json, named};
use carrywave::Result;
use carrywave::align::runs::CommonSubsequence;
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::Sequence;
use carrywave::lcs::{self, Algorithm, Comparison, Lcs};
use carrywave::view::blocks::{Numbers, WIDTH, write_blocks, write_blocks_of_text};
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::path::PathBuf;

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave lcs human.fa mouse.fa                      the length
  carrywave lcs -e ABCBDAB BDCABA --output blocks      two strings, side by side
  carrywave lcs a.fa.gz b.fa.gz --output cigar -o ab.cigar --plot ab.svg
  carrywave lcs -e ABCBDAB BDCABA --output cigar --engine simt --algorithm block-step --rules published

A symbol of two texts (-e, --raw) is a character, if both are UTF-8; with --bytes it is a byte. In nucleotides case is ignored, and U
is T beside DNA.";

/// The longest common subsequence of two strings.
#[derive(Debug, Args)]
#[command(after_help = HELP, after_long_help = long_help::<Lcs>(HELP))]
pub struct Arguments {
    #[command(flatten)]
    strings: StringArguments,

    #[command(flatten)]
    unit: UnitArguments,

    #[command(flatten)]
    engine: EngineArguments,

    #[arg(long, default_value = "auto", value_parser = named::<Algorithm>, help = algorithms_help::<Lcs>())]
    algorithm: Algorithm,

    /// How the work is divided between GPU and CPU, and the table into parts.
    #[arg(long, value_enum, default_value_t = Rules::Measured)]
    rules: Rules,

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
enum Rules {
    /// By measured speeds: to the GPU goes what it is faster at, and the longer string is cut.
    Measured,
    /// Those of Kawanami and Fujimoto (2014), for block-step and block-step-look-ahead: m + n >= 2,048 symbols go to the GPU; the CPU
    /// takes m < 96 or n < 256 by dynamic programming, the others by bit-vectors; B is cut, down to one symbol. For bit-parallel: their
    /// program without a GPU.
    Published,
}

impl From<Rules> for lcs::Rules {
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Measured => Self::Measured,
            Rules::Published => Self::Published,
        }
    }
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
    let targets = Targets::open(&arguments.file, &arguments.plot)?;
    let (strings, engine) = open_and_read(&arguments.strings, &arguments.engine, gpus, &arguments.unit, false)?;
    let Strings { a, b, .. } = &strings;

    let only_length = arguments.output == Output::Length && targets.plot.is_none();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = bar(if only_length { cells } else { cells.saturating_mul(2) }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let mut comparison =
        Comparison::new().algorithm(arguments.algorithm).rules(arguments.rules.into()).on_progress(&on_progress);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }

    if only_length {
        let length = comparison.length_with_report(&a.symbols, &b.symbols);
        bar.finish_and_clear();
        let (length, _) = length?;
        return write(targets.output, |out| writeln!(out, "{length}"));
    }
    let lcs = comparison.alignment(&a.symbols, &b.symbols);
    bar.finish_and_clear();
    let lcs = lcs?;
    if let Some(file) = targets.plot {
        plot(file, a, b, &lcs)?;
    }
    output(arguments, targets.output, &strings, &lcs)
}

fn output(
    arguments: &Arguments,
    file: Option<OutputFile>,
    Strings { a, b, texts }: &Strings,
    lcs: &CommonSubsequence,
) -> Result<()> {
    match arguments.output {
        Output::Length => write(file, |out| writeln!(out, "{}", lcs.len())),
        Output::Subsequence if let Some([text, _]) = texts => {
            let subsequence = characters(text, lcs);
            write(file, |out| writeln!(out, "{subsequence}"))
        }
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
        Output::Blocks => write(file, |out| match texts {
            Some([one, other]) => {
                write_blocks_of_text(out, [(a, Numbers::From(0)), (b, Numbers::From(0))], [one, other], lcs, WIDTH)
            }
            None => write_blocks(out, a, b, lcs, WIDTH),
        }),
        Output::Json => {
            let names = Named { a: &a.name, b: &b.name, identity: lcs.identity(), lcs };
            write(file, |out| json(out, &names))
        }
    }
}

/// The characters of a text that are in a common subsequence.
fn characters(text: &str, lcs: &CommonSubsequence) -> String {
    let (mut rest, mut at) = (text.chars(), 0);
    let mut subsequence = String::new();
    for run in lcs.runs() {
        let left_out = (run.a_start - at) as usize;
        subsequence.extend(rest.by_ref().skip(left_out).take(run.len as usize));
        at = run.a_start + run.len;
    }
    subsequence
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
