//! `carrywave best`

use super::lcs::progress;
use super::search::{Choice, alphabet, file_name};
use super::{named, print};
use carrywave::Result;
use carrywave::best::{Algorithm, Best, BestMatch};
use carrywave::lcs::Engine;
use carrywave::search::Pattern;
use carrywave::sequence::{Document, Format, read_document};
use clap::{Args, ValueEnum};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;

/// Which part of a text is nearest to a pattern: with the fewest insertions, deletions and substitutions.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carrywave best GATTACAGATTACA genome.fa.gz           distance, record, place and the part itself
  carrywave best 'to be or not to be' hamlet.txt --output json

A file that starts with '>' is FASTA, one that starts with '@' and has a '+' line is FASTQ: the best of all their records is
told. Any other file is one text, line ends and all. Of several nearest parts it is that which ends first in the first
record, and of those the shortest.")]
pub struct Arguments {
    /// The pattern.
    pattern: OsString,

    /// The file with the text, plain or gz; `-` is standard input.
    text: OsString,

    /// What the pattern's symbols stand for: bytes, dna, iupac or protein (ignoring case, `.` for any symbol); auto is iupac or
    /// protein for FASTA and FASTQ, as the first record is, and bytes for others.
    #[arg(long, default_value = "auto", value_parser = alphabet)]
    alphabet: Choice,

    /// Take the file as it is, whatever it holds.
    #[arg(long)]
    raw: bool,

    /// What computes: auto, cpu, gpu or simt (the GPU's kernels on a simulator). Auto is the CPU.
    #[arg(long, default_value = "auto", value_parser = named::<Engine>)]
    engine: Engine,

    /// How: auto, cut-off, myers or sellers (cpu); auto, dmm, umm, umm-3m or umm-n (gpu, simt).
    #[arg(long, default_value = "auto", value_parser = named::<Algorithm>)]
    algorithm: Algorithm,

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
pub fn run(arguments: &Arguments) -> Result<()> {
    let mut document = read_document(&arguments.text, arguments.raw)?;
    let kind = document.kind();
    if document.format == Format::Lines {
        // One text.
        document.records = std::iter::once(0..document.symbols.len()).collect();
    }
    let given = arguments.pattern.as_encoded_bytes();
    let pattern = Pattern::parse(given, arguments.alphabet.of(kind))?;
    let m = pattern.len() as u64;
    let bar = progress(m.saturating_mul(document.symbols.len() as u64));
    let on_progress = |symbols: u64| bar.inc(m.saturating_mul(symbols));
    let best = Best::new(pattern).engine(arguments.engine).algorithm(arguments.algorithm).on_progress(&on_progress);
    let found = best.run_in(&document.symbols, &document.records);
    bar.finish_and_clear();
    write(arguments, &document, &found?)
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
    let name = document.names.get(found.record).map(String::as_str);
    let BestMatch { start, end, distance, .. } = *found;
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
        Output::Json => {
            serde_json::to_writer(&mut *out, &Json { file: &file, record: name, start, end, distance, pattern, part })?;
            writeln!(out)
        }
    })
}

/// A text on one line and without tabs: line ends and what a terminal takes for commands are escaped.
struct Visible<'t>(&'t str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .chars()
            .try_for_each(|c| if c.is_control() { write!(f, "{}", c.escape_default()) } else { write!(f, "{c}") })
    }
}
