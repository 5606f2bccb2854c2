//! `carrywave best`

use super::engine::{EngineArguments, GpuArguments, algorithms_help, long_help};
use super::progress::{CELLS, bar};
use super::text::{TextArguments, file_name, tell_bytes};
use super::{json, named, print};
use carrywave::Result;
use carrywave::distance::{Best, BestAlgorithm, BestMatch, Infix};
use carrywave::io::output::Visible;
use carrywave::io::sequence::{Document, Format, read_document};
use carrywave::search::Pattern;
use clap::{Args, ValueEnum};
use std::borrow::Cow;
use std::ffi::OsString;

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave best GATTACAGATTACA genome.fa.gz           distance, record, place and the part itself
  carrywave best 'to be or not to be' hamlet.txt --output json

A file that starts with '>' is FASTA, one that starts with '@' and has a '+' line is FASTQ: the best of all their records is
told. Any other file is one text, line ends and all. Of several nearest parts it is that which ends first in the first
record; of those with one end or one start that which has the fewest gaps, then the longest. A symbol of such a text is a
character (--bytes: a byte); places are bytes.";

/// Which part of a text is nearest to a pattern: with the fewest insertions, deletions and substitutions.
#[derive(Debug, Args)]
#[command(after_help = HELP, after_long_help = long_help::<Infix>(HELP))]
pub struct Arguments {
    /// The pattern.
    pattern: OsString,

    /// The file with the text, plain, gz, bz2, xz or zst; `-` is standard input.
    text: OsString,

    #[command(flatten)]
    reading: TextArguments,

    #[command(flatten)]
    engine: EngineArguments,

    #[arg(long, default_value = "auto", value_parser = named::<BestAlgorithm>, help = algorithms_help::<Infix>())]
    algorithm: BestAlgorithm,

    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Text)]
    output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A line to read.
    Text,
    /// Name, start, end, pattern, distance and the part, with tabs between them; 0-based, half open.
    Tsv,
    /// An object.
    Json,
}

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    drop(super::stdout()?);
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    let engine = gpus.open(arguments.engine.engine)?;
    let mut document = read_document(&arguments.text, arguments.reading.options())?;
    let kind = document.kind();
    if document.format == Format::Lines {
        // One text, behind a byte order mark.
        let start = document.records.first().map_or(0, |first| first.start);
        document.records = std::iter::once(start..document.symbols.len()).collect();
    }
    let given = arguments.pattern.as_encoded_bytes();
    arguments.reading.tell_alphabet(&file_name(&arguments.text), &(&document).into(), [given]);
    let of_characters = arguments.reading.of_characters(&(&document).into(), given)?;
    if of_characters.is_none() && !arguments.reading.asks_for_bytes() {
        // Not a byte order mark.
        let start = document.records.first().map_or(0, |first| first.start);
        tell_bytes([given], &[&document.symbols[start..]]);
    }
    let (characters, pattern) = match of_characters {
        Some((characters, pattern)) => (Some(characters), pattern),
        None => (None, Pattern::parse_with(given, &arguments.reading.rules(kind))?),
    };
    let coded = characters.map(|characters| characters.code(&document.symbols)).transpose()?;
    let m = pattern.len() as u64;
    let bar = bar(m.saturating_mul(document.symbols.len() as u64), 1, CELLS);
    let on_progress = |symbols: u64| bar.inc(m.saturating_mul(symbols));
    let mut best = Best::new(pattern).algorithm(arguments.algorithm).on_progress(&on_progress);
    if let Some(engine) = &engine {
        best = best.on(&**engine);
    }
    let found = match &coded {
        Some(coded) => best.find(coded.symbols()),
        None => best.find(&document.text()?),
    };
    bar.finish_and_clear();
    let mut found = found?;
    if let Some(coded) = &coded {
        let bytes = coded.bytes(found.start as usize..found.end as usize);
        (found.start, found.end) = (bytes.start as u64, bytes.end as u64);
    }
    write(arguments, &document, &found)
}

/// What `--output json` prints.
#[derive(serde::Serialize)]
struct Json<'f> {
    file: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'f str>,
    start: u64,
    end: u64,
    distance: u32,
    pattern: Cow<'f, str>,
    #[serde(rename = "match")]
    part: Cow<'f, str>,
}

fn write(arguments: &Arguments, document: &Document, found: &BestMatch) -> Result<()> {
    let record = &document.records[found.record];
    let part = &document.symbols[record.start..][found.start as usize..found.end as usize];
    let file = file_name(&arguments.text);
    let name = document.name(found.record);
    // Of lines places are those in the file.
    let base = if document.format == Format::Lines { record.start as u64 } else { 0 };
    let BestMatch { distance, .. } = *found;
    let (start, end) = (base + found.start, base + found.end);
    let pattern = arguments.pattern.to_string_lossy();
    let part = String::from_utf8_lossy(part);
    print(|out| match arguments.output {
        Output::Text => {
            let name = Visible(name.unwrap_or(&file));
            writeln!(out, "distance {distance}, {name} {start}..{end}: {}", Visible(&part))
        }
        Output::Tsv => {
            let (name, pattern) = (Visible(name.unwrap_or(&file)), Visible(&pattern));
            writeln!(out, "{name}\t{start}\t{end}\t{pattern}\t{distance}\t{}", Visible(&part))
        }
        Output::Json => json(out, &Json { file: &file, record: name, start, end, distance, pattern, part }),
    })
}
