//! `carrywave distance --pairs` and `--all`: many pairs of short strings.

use super::aligned::Field;
use super::engine::{EngineArguments, GpuArguments};
use super::progress::{CELLS, bar};
use super::strings::UnitArguments;
use super::text::file_name;
use super::{json, open_output, write_results, written};
use carrywave::io::sequence::{DocumentOptions, Kind, read_document};
use carrywave::pairs::{Cluster, Cost, Member, Near, PairString, Pairs, Symbols};
use carrywave::text::characters::numbers_of;
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::num::IntErrorKind;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The arguments of many pairs.
#[derive(Debug, Args)]
pub(super) struct PairArguments {
    /// Compare many pairs: each line of FILE has two strings with a tab between them. Prints a distance a line, in the same order, and what
    /// else is in the line after a second tab; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["StringArguments", "all", "algorithm", "output", "gaps", "plot"])]
    pub pairs: Option<OsString>,

    /// Compare all strings of LIST with one another: its records, or its lines if it is no FASTA or FASTQ file. Prints a line for each pair:
    /// names or line numbers, and the distance.
    #[arg(long, value_name = "LIST", conflicts_with_all = ["StringArguments", "algorithm", "output", "gaps", "plot"])]
    pub all: Option<OsString>,

    /// Distances above K are of no interest, and the smaller K is, the faster: of two strings `>K` is printed in the place of such a
    /// distance, null in JSON, and no line of places and PAF; with --pairs nothing in its place, with --all no line. K is a number, or a
    /// share of the longer string's symbols as 10%, rounded down (in the modes prefix and infix of A's).
    #[arg(short = 'k', long, value_name = "K")]
    pub max: Option<Maximum>,

    /// With --all: of each string the N nearest others only, nearest first.
    #[arg(long, value_name = "N", requires = "all")]
    top: Option<usize>,

    /// With --all and --max: the strings grouped, so that each is at most K from another one of its group. A line for each string, tsv: the group's
    /// number, how many strings it has, its first string, this string, and the distance of these two; lines, the group's number, how many
    /// strings it has, the distance from its first one, and the string itself; or json, an object for each group.
    #[arg(long, value_name = "FORMAT", value_enum, requires_all = ["all", "max"], conflicts_with = "top")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "tsv")]
    clusters: Option<ClusterFormat>,

    /// What a substitution costs: `levenshtein` 1, `indel` 2, so that the distance is m + n less twice the LCS.
    #[arg(long, value_enum, default_value_t = CostArgument::Levenshtein)]
    cost: CostArgument,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CostArgument {
    Levenshtein,
    Indel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClusterFormat {
    Tsv,
    Lines,
    Json,
}

/// The largest distance that is of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maximum {
    Number(u32),
    /// A share of a string's symbols.
    Percent(u32),
}

impl FromStr for Maximum {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (digits, of) = match text.strip_suffix('%') {
            Some(digits) => (digits, Self::Percent as fn(u32) -> Self),
            None => (text, Self::Number as fn(u32) -> Self),
        };
        match digits.parse() {
            Ok(number) if text.ends_with('%') && number > 100 => Err("a share is at most 100%".into()),
            Ok(number) => Ok(of(number)),
            Err(fault) if *fault.kind() == IntErrorKind::PosOverflow => Err("this number is too large".into()),
            Err(_) => Err("give a whole number, as 3, or a share of the longer string's symbols, as 10%".into()),
        }
    }
}

impl Maximum {
    /// The maximum for a string with `symbols` symbols.
    pub fn of(self, symbols: usize) -> u32 {
        match self {
            Self::Number(number) => number,
            Self::Percent(share) => u32::try_from(symbols as u128 * u128::from(share) / 100).unwrap_or(u32::MAX),
        }
    }
}

/// A line of `--clusters=json`.
#[derive(serde::Serialize)]
struct JsonCluster<'n> {
    cluster: usize,
    size: usize,
    representative: &'n str,
    members: Vec<JsonMember<'n>>,
}

#[derive(serde::Serialize)]
struct JsonMember<'n> {
    name: &'n str,
    /// From 1.
    number: usize,
    distance: u32,
}

/// Pairs that are computed together: results are written after each.
const TOGETHER: usize = 1 << 20;

impl PairArguments {
    /// Whether many pairs were asked for.
    pub fn given(&self) -> bool {
        self.pairs.is_some() || self.all.is_some()
    }

    /// Refuses what only many pairs take.
    pub fn refuse(&self) -> Result<()> {
        match self.cost {
            CostArgument::Indel => Err(Error::Usage("--cost is for --pairs and --all".into())),
            CostArgument::Levenshtein => Ok(()),
        }
    }

    /// Refuses a share where one limit is needed for all pairs.
    fn check(&self) -> Result<()> {
        let option = if self.top.is_some() { "--top" } else { "--clusters" };
        match self.max {
            Some(Maximum::Percent(_)) if self.top.is_some() || self.clusters.is_some() => Err(Error::Usage(format!(
                "--max as a share is another number for each pair, and {option} needs one for all: give a number, as --max 3"
            ))),
            _ => Ok(()),
        }
    }

    /// Runs the command.
    pub fn run(
        &self,
        engine: &EngineArguments,
        gpus: GpuArguments,
        unit: &UnitArguments,
        output: &Option<PathBuf>,
    ) -> Result<()> {
        self.check()?;
        let file = output.as_deref().map(open_output).transpose()?;
        let engine = gpus.open(engine.engine)?;
        let mut job = Pairs::new().cost(match self.cost {
            CostArgument::Levenshtein => Cost::Levenshtein,
            CostArgument::Indel => Cost::Indel,
        });
        if let Some(Maximum::Number(maximum)) = self.max {
            job = job.maximum(maximum);
        }
        if let Some(engine) = &engine {
            job = job.on(&**engine);
        }
        write_results(file, |out| match (&self.pairs, &self.all) {
            (Some(pairs), _) => listed(&job, pairs, self.max, unit, out),
            (None, Some(list)) => self.all_of(&job, list, unit, out),
            (None, None) => Ok(()),
        })
    }

    /// All strings of a list with one another.
    fn all_of(&self, job: &Pairs<'_>, list: &OsStr, unit: &UnitArguments, out: &mut (dyn Write + Send)) -> Result<()> {
        let mut document = read_document(list, DocumentOptions::default())?;
        if document.kind() == Kind::Nucleotide {
            document.symbols.make_ascii_uppercase();
        }
        let count = document.records.len();
        let names: Vec<String> = (0..count)
            .map(|number| document.name(number).map_or_else(|| (number + 1).to_string(), str::to_owned))
            .collect();
        let takes_characters = !unit.bytes && document.kind() == Kind::Bytes;
        let record = |range: &Range<usize>| Row::new(&document.symbols[range.clone()], takes_characters);
        let list: Vec<Row<'_>> = document.records.par_iter().map(record).collect();
        let symbols: u64 = list.iter().map(|string| string.symbols().len() as u64).sum();
        let bar = bar(symbols.saturating_mul(symbols) / if self.top.is_some() { 1 } else { 2 }, 1, CELLS);
        let on_progress = |cells| bar.inc(cells);
        let job = job.clone().on_progress(&on_progress);
        if let Some(format) = self.clusters {
            let clusters = job.clusters(&list, self.max.map_or(0, |max| max.of(0)));
            bar.finish_and_clear();
            let string = |number: usize| &document.symbols[document.records[number].clone()];
            return write_clusters(&clusters?, &names, string, format, out).map_err(written);
        }
        let names: Vec<String> = names.iter().map(|name| Field(name).to_string()).collect();
        let mut out = Lines(out);
        let done = match self.top {
            Some(top) => job.each_nearest(&list, &list, top.saturating_add(1), |near| {
                let others = near.iter().filter(|near| near.a != near.b).take(top);
                others.copied().try_for_each(|near| out.line(&names, near))
            }),
            None => {
                let longest = list.iter().map(|string| string.symbols().len()).max().unwrap_or(0);
                let most = self.max.map_or(u32::MAX - 1, |max| max.of(longest));
                let is_near = |near: &Near| {
                    let longer = list[near.a].symbols().len().max(list[near.b].symbols().len());
                    self.max.is_none_or(|max| near.distance <= max.of(longer))
                };
                job.each_within(&list, most, |near| {
                    near.iter().filter(|near| is_near(near)).copied().try_for_each(|near| out.line(&names, near))
                })
            }
        };
        bar.finish_and_clear();
        done
    }
}

/// Where lines of pairs go.
struct Lines<'o>(&'o mut (dyn Write + Send));

impl Lines<'_> {
    fn line(&mut self, names: &[String], near: Near) -> Result<()> {
        writeln!(self.0, "{}\t{}\t{}", names[near.a], names[near.b], near.distance).map_err(written)
    }
}

fn write_clusters<'s>(
    clusters: &[Cluster],
    names: &[String],
    string: impl Fn(usize) -> &'s [u8],
    format: ClusterFormat,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    for (cluster, members) in (1..).zip(clusters) {
        let representative = members.first().map_or("", |first| &names[first.number]);
        let size = members.len();
        if format == ClusterFormat::Json {
            let member = |&Member { number, distance, .. }: &Member| JsonMember {
                name: &names[number],
                number: number + 1,
                distance,
            };
            let members = members.iter().map(member).collect();
            json(out, &JsonCluster { cluster, size, representative, members })?;
            continue;
        }
        for &Member { number, distance, .. } in members {
            if format == ClusterFormat::Lines {
                write!(out, "{cluster}\t{size}\t{distance}\t")?;
                out.write_all(string(number))?;
                out.write_all(b"\n")?;
                continue;
            }
            let (representative, name) = (Field(representative), Field(&names[number]));
            writeln!(out, "{cluster}\t{size}\t{representative}\t{name}\t{distance}")?;
        }
    }
    Ok(())
}

/// The pairs of a file's lines.
fn listed(
    job: &Pairs<'_>,
    file: &OsStr,
    max: Option<Maximum>,
    unit: &UnitArguments,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let started = Instant::now();
    let document = read_document(file, DocumentOptions::default().lines(true))?;
    let lines = document.records.len();
    let (mut pairs, mut rests) = (Vec::with_capacity(lines), Vec::with_capacity(lines));
    for (number, record) in (1..).zip(&document.records) {
        let Some((a, rest)) = cut(&document.symbols[record.clone()]) else {
            let line = String::from_utf8_lossy(&document.symbols[record.clone()]).into_owned();
            let shown = line.chars().take(40).collect::<String>();
            return Err(Error::Usage(format!(
                "{}:{number}: there is no tab between two strings in '{shown}'",
                file_name(file)
            )));
        };
        let (b, rest) = cut(rest).map_or((rest, None), |(b, rest)| (b, Some(rest)));
        pairs.push((a, b));
        rests.push(rest);
    }
    let takes_characters = !unit.bytes && !document.symbols.is_ascii();
    let cells = pairs.iter().map(|(a, b)| (a.len() as u64).saturating_mul(b.len() as u64)).fold(0, u64::saturating_add);
    let bar = bar(cells, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let mut job = job.clone().on_progress(&on_progress);
    if let Some(max) = max {
        // A string has no more characters than bytes.
        let longest = pairs.iter().map(|(a, b)| a.len().max(b.len())).max().unwrap_or(0);
        job = job.maximum(max.of(longest));
    }
    let (reading, mut computing, mut writing) = (started.elapsed(), Duration::ZERO, Duration::ZERO);
    let (mut text, mut digits) = (Vec::new(), itoa::Buffer::new());
    for (pairs, rests) in pairs.chunks(TOGETHER).zip(rests.chunks(TOGETHER)) {
        let started = Instant::now();
        let distances = if takes_characters {
            let row = |&(a, b): &(_, _)| (Row::new(a, true), Row::new(b, true));
            job.listed(&pairs.par_iter().map(row).collect::<Vec<_>>())?
        } else {
            job.listed(pairs)?
        };
        let computed = Instant::now();
        text.clear();
        for ((distance, rest), (a, b)) in distances.into_iter().zip(rests).zip(pairs) {
            // A share is another number for each pair.
            let is_near = |distance: &u32| match max {
                Some(max @ Maximum::Percent(_)) => {
                    let len = |string| Row::new(string, takes_characters).symbols().len();
                    *distance <= max.of(len(a).max(len(b)))
                }
                Some(Maximum::Number(_)) | None => true,
            };
            if let Some(distance) = distance.filter(is_near) {
                text.extend_from_slice(digits.format(distance).as_bytes());
            }
            if let Some(rest) = rest {
                text.push(b'\t');
                text.extend_from_slice(rest);
            }
            text.push(b'\n');
        }
        out.write_all(&text).map_err(written)?;
        computing += computed - started;
        writing += computed.elapsed();
    }
    bar.finish_and_clear();
    let count = pairs.len();
    log::info!("{count} pairs: reading {reading:.3?}, computing {computing:.3?}, writing {writing:.3?}");
    Ok(())
}

/// A string of a list or of a pair. Which symbols it has depends on nothing but itself and the rules for the whole input.
enum Row<'s> {
    /// Bytes, or characters in ASCII.
    Bytes(&'s [u8]),
    /// Characters, and bytes that are no part of one.
    Characters(Vec<u32>),
}

impl<'s> Row<'s> {
    fn new(string: &'s [u8], takes_characters: bool) -> Self {
        if takes_characters && !string.is_ascii() { Self::Characters(numbers_of(string)) } else { Self::Bytes(string) }
    }
}

impl PairString for Row<'_> {
    fn symbols(&self) -> Symbols<'_> {
        match self {
            Self::Bytes(bytes) => Symbols::Bytes(bytes),
            Self::Characters(numbers) => Symbols::Numbers(numbers),
        }
    }
}

/// What is before a line's first tab, and what after it.
fn cut(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let tab = memchr::memchr(b'\t', line)?;
    Some((&line[..tab], &line[tab + 1..]))
}
