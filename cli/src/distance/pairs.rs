//! `carrywave distance --pairs` and `--all`: many pairs of short strings.

use super::arguments::{Arguments, CostArgument, Maximum};
use super::clusters::write_clusters;
use crate::shared::engine::GpuArguments;
use crate::shared::notes::file_name;
use crate::shared::output::{open_output, results_error, write_results};
use crate::shared::parts::{Part, ReportAtEnd, during};
use crate::shared::progress::{CELLS, bar};
use crate::shared::table::Field;
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::io::sequence::{Document, DocumentOptions, Kind, read_document};
use carrywave::job::Recorder;
use carrywave::pairs::{Characters, Cost, Near, PairString, Pairs};
use rayon::prelude::*;
use std::ffi::OsStr;
use std::io::Write;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Number of pairs per batch. Results are written after each batch.
const TOGETHER: usize = 1 << 20;

/// A call that compares many pairs.
struct ManyPairs<'c> {
    arguments: &'c Arguments,
    pairs: Pairs<'c>,
}

/// Compares many pairs and prints their distances.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    let many = &arguments.many;
    many.check()?;
    let file = arguments.file.as_deref().map(open_output).transpose()?;
    let algorithm = arguments.algorithm()?;
    gpus.check(arguments.engine.engine, algorithm)?;
    let engine = during(Part::Open, || gpus.open(arguments.engine.engine))?;
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let mut pairs = Pairs::new().algorithm(algorithm).recorder(&recorder).cost(match many.cost {
        CostArgument::Levenshtein => Cost::Levenshtein,
        CostArgument::Indel => Cost::Indel,
    });
    if let Some(Maximum::Number(maximum)) = many.max {
        pairs = pairs.maximum(maximum);
    }
    if let Some(engine) = &engine {
        pairs = pairs.on(&**engine);
    }
    let call = ManyPairs { arguments, pairs };
    write_results(file, |out| match (&many.pairs, &many.all) {
        (Some(pairs), _) => compare_listed(&call, pairs, out),
        (None, Some(list)) => compare_all(&call, list, out),
        (None, None) => Ok(()),
    })?;
    if let Some(report) = recorder.report() {
        log::info!("{report}");
    }
    Ok(())
}

/// Compares all strings of a list with one another.
fn compare_all(call: &ManyPairs<'_>, list: &OsStr, out: &mut (dyn Write + Send)) -> Result<()> {
    let many = &call.arguments.many;
    let mut document = read_document(list, DocumentOptions::default())?;
    if document.kind() == Kind::Nucleotide {
        document.symbols.make_ascii_uppercase();
    }
    let name = |number: usize| document.name(number).map_or_else(|| (number + 1).to_string(), str::to_owned);
    let names: Vec<String> = (0..document.records.len()).map(name).collect();
    let takes_characters = !call.arguments.unit.bytes && document.kind() == Kind::Bytes;
    let string = |range: &Range<usize>| string(&document.symbols[range.clone()], takes_characters);
    let list: Vec<Characters<'_>> = document.records.par_iter().map(string).collect();
    let symbols: u64 = list.iter().map(|string| string.symbols().len() as u64).sum();
    let bar = bar(symbols.saturating_mul(symbols) / if many.top.is_some() { 1 } else { 2 }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let pairs = call.pairs.clone().on_progress(&on_progress);
    if let Some(format) = many.clusters {
        let clusters = pairs.clusters(&list);
        bar.finish_and_clear();
        return write_clusters(out, &clusters?, &document, &names, format).map_err(results_error);
    }
    let names: Vec<String> = names.iter().map(|name| Field(name).to_string()).collect();
    let mut write =
        |near: &Near| writeln!(out, "{}\t{}\t{}", names[near.a], names[near.b], near.distance).map_err(results_error);
    let done = match many.top {
        Some(top) => pairs.each_nearest(&list, &list, top.saturating_add(1), |near| {
            near.iter().filter(|near| near.a != near.b).take(top).try_for_each(&mut write)
        }),
        None => {
            let longest = list.iter().map(|string| string.symbols().len()).max().unwrap_or(0);
            let most = many.max.map_or(u32::MAX - 1, |max| max.for_len(longest));
            let is_near = |near: &&Near| {
                let longer = list[near.a].symbols().len().max(list[near.b].symbols().len());
                many.max.is_none_or(|max| near.distance <= max.for_len(longer))
            };
            pairs.maximum(most).each_within(&list, |near| near.iter().filter(is_near).try_for_each(&mut write))
        }
    };
    bar.finish_and_clear();
    done
}

/// The pairs of strings in a file's lines.
struct ListedPairs<'d> {
    pairs: Vec<(&'d [u8], &'d [u8])>,
    /// For each pair the rest of its line after a second tab, or `None` if there is none.
    rests: Vec<Option<&'d [u8]>>,
}

impl<'d> ListedPairs<'d> {
    fn new(file: &OsStr, document: &'d Document) -> Result<Self> {
        let lines = document.records.len();
        let mut pairs = Vec::with_capacity(lines);
        let mut rests = Vec::with_capacity(lines);
        for (number, record) in (1..).zip(&document.records) {
            let Some((a, rest)) = split_at_tab(&document.symbols[record.clone()]) else {
                let line = String::from_utf8_lossy(&document.symbols[record.clone()]).into_owned();
                let shown = line.chars().take(40).collect::<String>();
                return Err(UsageFault::Syntax.error(format!(
                    "{}:{number}: no tab in '{shown}'; separate the two strings by a tab",
                    file_name(file)
                )));
            };
            let (b, rest) = split_at_tab(rest).map_or((rest, None), |(b, rest)| (b, Some(rest)));
            pairs.push((a, b));
            rests.push(rest);
        }
        Ok(Self { pairs, rests })
    }
}

/// Compares the pairs of a file's lines.
fn compare_listed(call: &ManyPairs<'_>, file: &OsStr, out: &mut (dyn Write + Send)) -> Result<()> {
    let max = call.arguments.many.max;
    let started = Instant::now();
    let document = read_document(file, DocumentOptions::default().lines(true))?;
    let ListedPairs { pairs, rests } = ListedPairs::new(file, &document)?;
    let takes_characters = !call.arguments.unit.bytes && !document.symbols.is_ascii();
    let cells = pairs.iter().map(|(a, b)| (a.len() as u64).saturating_mul(b.len() as u64)).fold(0, u64::saturating_add);
    let bar = bar(cells, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let mut job = call.pairs.clone().on_progress(&on_progress);
    if let Some(max) = max {
        // A string has at most as many characters as bytes, so this bound covers every pair.
        let longest = pairs.iter().map(|(a, b)| a.len().max(b.len())).max().unwrap_or(0);
        job = job.maximum(max.for_len(longest));
    }
    let reading = started.elapsed();
    let mut computing = Duration::ZERO;
    let mut writing = Duration::ZERO;
    let mut text = Vec::new();
    let mut digits = itoa::Buffer::new();
    for (pairs, rests) in pairs.chunks(TOGETHER).zip(rests.chunks(TOGETHER)) {
        let started = Instant::now();
        let distances = if takes_characters {
            let row = |&(a, b): &(_, _)| (Characters::new(a), Characters::new(b));
            job.listed(&pairs.par_iter().map(row).collect::<Vec<_>>())?
        } else {
            job.listed(pairs)?
        };
        let computed = Instant::now();
        text.clear();
        for ((distance, rest), (a, b)) in distances.into_iter().zip(rests).zip(pairs) {
            // A percentage gives each pair its own bound.
            let is_near = |distance: &u32| match max {
                Some(max @ Maximum::Percent(_)) => {
                    let len = |text| string(text, takes_characters).symbols().len();
                    *distance <= max.for_len(len(a).max(len(b)))
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
        out.write_all(&text).map_err(results_error)?;
        computing += computed - started;
        writing += computed.elapsed();
    }
    bar.finish_and_clear();
    let count = pairs.len();
    log::info!("{count} pairs: reading {reading:.3?}, computing {computing:.3?}, writing {writing:.3?}");
    Ok(())
}

/// Returns the symbols of a string in a list or pair. They depend only on the string and on
/// `takes_characters`, which is the same for the whole input.
fn string(text: &[u8], takes_characters: bool) -> Characters<'_> {
    if takes_characters { Characters::new(text) } else { Characters::of_bytes(text) }
}

/// Splits a line at its first tab.
fn split_at_tab(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let tab = memchr::memchr(b'\t', line)?;
    Some((&line[..tab], &line[tab + 1..]))
}
