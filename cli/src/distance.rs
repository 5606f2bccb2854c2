//! `carrywave distance`

use super::distance_pairs::PairArguments;
use super::engine::{EngineArguments, GpuArguments, algorithms_help, long_help};
use super::progress::{CELLS, bar};
use super::strings::{StringArguments, Targets, open_and_read, write};
use super::{json, named};
use carrywave::distance::{Algorithm, Comparison, EditScript, Global, Placement};
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::Sequence;
use carrywave::view::blocks::{WIDTH, write_blocks};
use carrywave::view::dot_plot::dot_plot;
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave distance human.fa mouse.fa                      the edit distance of two genomes
  carrywave distance -e kitten sitting --output cigar       a cheapest script: 1X3=1X1=1D
  carrywave distance a.fa.gz b.fa.gz --output blocks --gaps rightmost
  carrywave distance --pairs pairs.tsv --max 10 -o distances.tsv
  carrywave distance --all reads.fa --max 3                 all that are near one another

A symbol is a byte. Substitutions, insertions and deletions of a symbol cost 1 each. In nucleotides case is ignored, and U is T beside
DNA.";

/// The edit distance of two strings.
#[derive(Debug, Args)]
#[command(after_help = HELP, after_long_help = long_help::<Global>(HELP))]
pub struct Arguments {
    #[command(flatten)]
    strings: Option<StringArguments>,

    #[command(flatten)]
    many: PairArguments,

    #[command(flatten)]
    engine: EngineArguments,

    #[arg(long, default_value = "auto", value_parser = named::<Algorithm>, help = algorithms_help::<Global>())]
    algorithm: Algorithm,

    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Distance)]
    output: Output,

    /// Where a script has its gaps if several places cost the same.
    #[arg(long, value_enum, default_value_t = Gaps::Leftmost)]
    gaps: Gaps,

    /// Write to this file instead of standard output; it appears whole or not at all.
    #[arg(short = 'o', value_name = "FILE")]
    file: Option<PathBuf>,

    /// Draw a dot plot with the script as a path; the file's name ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// The distance.
    Distance,
    /// =, X, I and D: A is the query, B the reference.
    Cigar,
    /// Both strings side by side.
    Blocks,
    /// Names, lengths, the distance and runs of matches.
    Json,
    /// A line as aligners write it, with the tag cg:Z.
    Paf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Gaps {
    Leftmost,
    Rightmost,
}

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    if arguments.many.given() {
        return arguments.many.run(&arguments.engine, gpus, &arguments.file);
    }
    arguments.many.refuse()?;
    let targets = Targets::open(&arguments.file, &arguments.plot)?;
    let Some(strings) = &arguments.strings else {
        return Err(Error::Usage("give two strings, or --pairs or --all".into()));
    };
    let (a, b, engine) = open_and_read(strings, &arguments.engine, gpus)?;

    let only_distance = arguments.output == Output::Distance && targets.plot.is_none();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = bar(if only_distance { cells } else { cells.saturating_mul(2) }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let mut comparison = Comparison::new().algorithm(arguments.algorithm).on_progress(&on_progress);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }

    if only_distance {
        let distance = comparison.distance_with_report(&a.symbols, &b.symbols);
        bar.finish_and_clear();
        let (distance, _) = distance?;
        return write(targets.output, |out| writeln!(out, "{distance}"));
    }
    let script = comparison.script(&a.symbols, &b.symbols);
    bar.finish_and_clear();
    let placement = match arguments.gaps {
        Gaps::Leftmost => Placement::Leftmost,
        Gaps::Rightmost => Placement::Rightmost,
    };
    let script = script?.placed(placement, &a.symbols, &b.symbols)?;
    if let Some(file) = targets.plot {
        log::info!("plot in {}", file.path().display());
        dot_plot(file, &a, &b, script.common_subsequence())?;
    }
    output(arguments.output, targets.output, &a, &b, &script)
}

fn output(output: Output, file: Option<OutputFile>, a: &Sequence, b: &Sequence, script: &EditScript) -> Result<()> {
    write(file, |out| match output {
        Output::Distance => writeln!(out, "{}", script.distance()),
        Output::Cigar => {
            script.write_cigar(out)?;
            writeln!(out)
        }
        Output::Blocks => write_blocks(out, a, b, script, WIDTH),
        Output::Json => json(out, &Named { a: &a.name, b: &b.name, script }),
        Output::Paf => {
            let (a_len, b_len) = (script.a_len(), script.b_len());
            // The columns of the alignment: each match and substitution is one for both strings.
            let columns = script.operations().map(|operation| operation.len()).sum::<u64>();
            let field = |name: &str| name.split_whitespace().next().unwrap_or("*").to_owned();
            write!(
                out,
                "{}\t{a_len}\t0\t{a_len}\t+\t{}\t{b_len}\t0\t{b_len}\t{}\t{columns}\t255\tNM:i:{}\tcg:Z:",
                field(&a.name),
                field(&b.name),
                script.matches(),
                script.distance(),
            )?;
            script.write_cigar(out)?;
            writeln!(out)
        }
    })
}

/// What `--output json` prints.
#[derive(serde::Serialize)]
struct Named<'r> {
    a: &'r str,
    b: &'r str,
    #[serde(flatten)]
    script: &'r EditScript,
}
