//! `carrywave distance`

use super::aligned::Field;
use super::distance_pairs::PairArguments;
use super::distance_places::{MeaningArguments, Placed};
use super::engine::{EngineArguments, GpuArguments, algorithms_help, long_help};
use super::members::MemberArguments;
use super::plot::{Advice, plot};
use super::progress::{CELLS, bar};
use super::strings::{StringArguments, Strings, Targets, UnitArguments, open_and_read, write};
use super::{json, named};
use carrywave::alignment::runs::{Alignment, Run};
use carrywave::distance::{Algorithm, Comparison, Global, Mode, Placement};
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::Sequence;
use carrywave::text::Strand;
use carrywave::view::blocks::{Numbers, WIDTH, write_blocks, write_blocks_of_text};
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave distance human.fa mouse.fa                      the edit distance of two genomes
  carrywave distance -e kitten sitting --output cigar       a cheapest script: 1X3=1X1=1D
  carrywave distance a.fa.gz b.fa.gz --output blocks --gaps rightmost
  carrywave distance read.fa genome.fa --mode infix --output places --max 20
  carrywave distance -e GATTNCA TTGATTACATT --mode infix --equal iupac
  carrywave distance --pairs pairs.tsv --max 10 -o distances.tsv
  carrywave distance --all reads.fa --max 3                 all that are near one another
  carrywave distance --all reads.fa --max 3 --clusters      which are nearly the same, as groups

A symbol of texts that are UTF-8 (-e, --raw, lines) is a character; with --bytes, and with --equal, it is a byte. Substitutions,
insertions and deletions of a symbol cost 1 each. In nucleotides case is ignored, and U is T beside
DNA. In the modes prefix and infix a script is that of A and the first of the places in B, and positions are those in B. Of codes of
nucleotides (--equal iupac) the CPU computes. The nearest part of a text with many records: carrywave best.";

/// The edit distance of two strings.
#[derive(Debug, Args)]
#[command(after_help = HELP, after_long_help = long_help::<Global>(HELP))]
pub struct Arguments {
    #[command(flatten)]
    strings: Option<StringArguments>,

    #[command(flatten)]
    unit: UnitArguments,

    #[command(flatten)]
    many: PairArguments,

    #[command(flatten)]
    meaning: MeaningArguments,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    members: MemberArguments,

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
    /// A line for each place of B that is as near to A as any: start, end and distance, positions from 0, the end not included. For each
    /// end the longest place.
    Places,
    /// =, X, I and D: A is the query, B the reference.
    Cigar,
    /// Both strings side by side.
    Blocks,
    /// Names, lengths, the distance and runs of matches; where in B the script starts and ends.
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
pub fn run(arguments: &Arguments, gpus: GpuArguments, threads: Option<usize>) -> Result<()> {
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    if arguments.many.given() {
        arguments.members.refuse("--pairs and --all compare many pairs, each on one engine")?;
        return arguments.many.run(&arguments.engine, gpus, &arguments.unit, &arguments.file);
    }
    arguments.many.refuse()?;
    let cluster = arguments.members.open(&arguments.engine, gpus, threads)?;
    // Of several ranks the first one has the output.
    let prints = cluster.as_ref().is_none_or(|cluster| cluster.rank() == 0);
    let targets = if prints { Targets::open(&arguments.file, &arguments.plot)? } else { Targets::NONE };
    let Some(strings) = &arguments.strings else {
        return Err(Error::Usage("give two strings, or --pairs or --all".into()));
    };
    let (mode, equality) = (arguments.meaning.mode, arguments.meaning.equality()?);
    let to_bytes = !equality.is_exact();
    let (strings, engine) =
        open_and_read(strings, &arguments.engine, gpus, &arguments.unit, to_bytes, cluster.is_some())?;
    let Strings { a, b, numbers, .. } = &strings;

    let no_script = matches!(arguments.output, Output::Distance | Output::Places) && arguments.plot.is_none();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = bar(if no_script { cells } else { cells.saturating_mul(2) }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let mut comparison = Comparison::new().algorithm(arguments.algorithm).on_progress(&on_progress);
    comparison = arguments.meaning.set(comparison, &equality);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }
    if let Some(cluster) = &cluster {
        comparison = comparison.across(cluster);
    }

    let lengths = numbers.as_ref().map_or([a.symbols.len(), b.symbols.len()], |[a, b]| [a.len(), b.len()]);
    let limited = if mode == Mode::Global { lengths[0].max(lengths[1]) } else { lengths[0] };
    if let Some(maximum) = arguments.many.max.map(|max| u64::from(max.of(limited))) {
        let within = match numbers {
            Some([a, b]) => comparison.distance_of_within(a, b, maximum),
            None => comparison.distance_within(&a.symbols, &b.symbols, maximum),
        };
        match (within?, arguments.output) {
            (None, _) if !prints => return Ok(()),
            (Some(_), Output::Distance) if !prints && no_script => return Ok(()),
            (None, output) => {
                bar.finish_and_clear();
                return above(output, targets.output, a, b, mode, maximum);
            }
            (Some(distance), Output::Distance) if no_script => {
                bar.finish_and_clear();
                return write(targets.output, |out| writeln!(out, "{distance}"));
            }
            (Some(_), _) => {}
        }
    }
    if no_script && arguments.output == Output::Places {
        let places = match numbers {
            Some([a, b]) => comparison.places_of(a, b),
            None => comparison.places(&a.symbols, &b.symbols),
        };
        bar.finish_and_clear();
        let places = places?;
        let mut places = places.places.iter().map(|place| (place.start, place.end, places.distance));
        return write(targets.output, |out| {
            places.try_for_each(|(start, end, distance)| writeln!(out, "{start}\t{end}\t{distance}"))
        });
    }
    if no_script {
        let distance = match numbers {
            Some([a, b]) => comparison.distance_of(a, b),
            None => comparison.distance_with_report(&a.symbols, &b.symbols).map(|(distance, _)| distance),
        };
        bar.finish_and_clear();
        let distance = distance?;
        if !prints {
            return Ok(());
        }
        return write(targets.output, |out| writeln!(out, "{distance}"));
    }
    let script = match numbers {
        Some([a, b]) => comparison.script_of_with_place(a, b),
        None => comparison.script_with_place(&a.symbols, &b.symbols),
    };
    bar.finish_and_clear();
    let placement = match arguments.gaps {
        Gaps::Leftmost => Placement::Leftmost,
        Gaps::Rightmost => Placement::Rightmost,
    };
    let (script, place) = script?;
    if !prints {
        return Ok(());
    }
    let part = place.start as usize..place.end as usize;
    let script = match numbers {
        Some([a, b]) => script.placed_of(placement, a, &b[part])?,
        None => script.placed_by(placement, &a.symbols, &b.symbols[part], &equality)?,
    };
    let placed = Placed { script, place, b_len: b.symbols.len() as u64 };
    if let Some(file) = targets.plot {
        plot(file, a, b, &placed.common_subsequence()?, Strand::Forward, Advice::Program)?;
    }
    output(arguments.output, targets.output, &strings, &placed, mode)
}

fn output(
    output: Output,
    file: Option<OutputFile>,
    Strings { a, b, texts, .. }: &Strings,
    placed: &Placed,
    mode: Mode,
) -> Result<()> {
    let Placed { script, place, b_len } = placed;
    write(file, |out| match output {
        Output::Distance => writeln!(out, "{}", script.distance()),
        Output::Places => writeln!(out, "{}\t{}\t{}", place.start, place.end, script.distance()),
        Output::Cigar => {
            script.write_cigar(out)?;
            writeln!(out)
        }
        Output::Blocks => match texts {
            Some([one, other]) => {
                write_blocks_of_text(out, [(a, Numbers::From(0)), (b, Numbers::From(0))], [one, other], placed, WIDTH)
            }
            None => write_blocks(out, a, b, placed, WIDTH),
        },
        Output::Json => {
            let (a_len, runs) = (placed.a_len(), Some(placed.runs().collect()));
            let (start, end) = (Some(place.start), Some(place.end));
            let place = (mode != Mode::Global).then(|| Place { mode: mode.to_string(), start, end });
            let (distance, maximum, b_len) = (Some(script.distance()), None, *b_len);
            json(out, &Named { a: &a.name, b: &b.name, place, distance, maximum, a_len, b_len, runs })
        }
        Output::Paf => {
            let a_len = script.a_len();
            // The columns of the alignment: each match and substitution is one for both strings.
            let columns = script.operations().map(|operation| operation.len()).sum::<u64>();
            let field = |name: &str| Field(name.split_whitespace().next().unwrap_or("*")).to_string();
            write!(
                out,
                "{}\t{a_len}\t0\t{a_len}\t+\t{}\t{b_len}\t{}\t{}\t{}\t{columns}\t255\tNM:i:{}\tcg:Z:",
                field(&a.name),
                field(&b.name),
                place.start,
                place.end,
                script.matches(),
                script.distance(),
            )?;
            script.write_cigar(out)?;
            writeln!(out)
        }
    })
}

/// What is printed where the distance is above the maximum.
fn above(output: Output, file: Option<OutputFile>, a: &Sequence, b: &Sequence, mode: Mode, maximum: u64) -> Result<()> {
    write(file, |out| match output {
        Output::Distance | Output::Cigar | Output::Blocks => writeln!(out, ">{maximum}"),
        Output::Places | Output::Paf => Ok(()),
        Output::Json => {
            let [a_len, b_len] = [a, b].map(|sequence| sequence.symbols.len() as u64);
            let place = (mode != Mode::Global).then(|| Place { mode: mode.to_string(), start: None, end: None });
            let (maximum, distance, runs) = (Some(maximum), None, None);
            json(out, &Named { a: &a.name, b: &b.name, place, distance, maximum, a_len, b_len, runs })
        }
    })
}

/// What `--output json` prints.
#[derive(serde::Serialize)]
struct Named<'r> {
    a: &'r str,
    b: &'r str,
    #[serde(flatten)]
    place: Option<Place>,
    /// None if it is above the maximum.
    distance: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<u64>,
    a_len: u64,
    b_len: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<Vec<Run>>,
}

/// Where in B the script is, in another mode than the global one.
#[derive(serde::Serialize)]
struct Place {
    mode: String,
    #[serde(rename = "b_start", skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    #[serde(rename = "b_end", skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
}
