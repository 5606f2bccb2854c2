//! `carrywave distance --pairs` and `--all`: many pairs of short strings.

use super::arguments::{Arguments, CostArgument, Linkage, PairArguments};
use super::clusters::write_clusters;
use super::columns::read_columns;
use crate::shared::engine::GpuArguments;
use crate::shared::notes::file_name;
use crate::shared::output::{open_output, results_error, write_results};
use crate::shared::parts::{Part, ReportAtEnd, during};
use crate::shared::progress::{CELLS, bar};
use crate::shared::table::Field;
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::io::sequence::{Document, DocumentOptions, Kind, PartOptions, PartReader, read_document};
use carrywave::job::Recorder;
use carrywave::pairs::{Characters, Cost, Near, PairString, Pairs};
use carrywave::text::parts::Parts;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::ffi::OsStr;
use std::io::Write;
use std::ops::Range;

/// Size of the parts of a list of pairs, in bytes. The next part is read while the pairs of one
/// part are compared. Results are written after each part.
const PART: usize = 32 << 20;
/// Least size of the blocks of lines that one thread parses and formats, in bytes.
const BLOCK: usize = 1 << 18;

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
        CostArgument::Levenshtein if arguments.meaning.transpositions => Cost::Osa,
        CostArgument::Levenshtein => Cost::Levenshtein,
        CostArgument::Indel => Cost::Indel,
    });
    pairs = many.limit(pairs);
    if let Some(engine) = &engine {
        pairs = pairs.on(&**engine);
    }
    let call = ManyPairs { arguments, pairs };
    write_results(file, |out| match (&many.pairs, &many.all) {
        (Some(pairs), _) if !many.column.is_empty() => compare_columns(&call, pairs, out),
        (Some(pairs), _) => compare_listed(&call, pairs, out),
        (None, Some(list)) => compare_all(&call, list, out),
        (None, None) => Ok(()),
    })?;
    if let Some(report) = recorder.report() {
        log::info!("{report}");
    }
    Ok(())
}

/// Reads the strings of a list, or of a column; DNA in upper case.
fn read_list(many: &PairArguments, list: &OsStr, column: Option<&String>) -> Result<Document> {
    if let Some(column) = column {
        let names: Vec<&str> = std::iter::once(column).chain(&many.id).map(String::as_str).collect();
        let mut columns = read_columns(list, &names)?.into_iter();
        let mut document = columns.next().map_or_else(|| Document::lines(Vec::new()), Ok)?;
        if let Some(ids) = columns.next() {
            let id = |range: &Range<usize>| String::from_utf8_lossy(&ids.symbols[range.clone()]).into_owned();
            document.names = ids.records.iter().map(id).collect();
        }
        return Ok(document);
    }
    let mut document = during(Part::Read, || read_document(list, DocumentOptions::default()))?;
    if document.kind() == Kind::Nucleotide {
        document.symbols.make_ascii_uppercase();
    }
    Ok(document)
}

/// A list of strings, and the names to print.
struct List<'d> {
    document: &'d Document,
    strings: Vec<Characters<'d>>,
    names: Vec<String>,
}

impl<'d> List<'d> {
    fn new(document: &'d Document, takes_characters: bool) -> Self {
        let name = |number: usize| document.name(number).map_or_else(|| (number + 1).to_string(), str::to_owned);
        let string = |range: &Range<usize>| string(&document.symbols[range.clone()], takes_characters);
        Self {
            document,
            strings: document.records.par_iter().map(string).collect(),
            names: (0..document.records.len()).map(name).collect(),
        }
    }

    fn symbols(&self) -> u64 {
        self.strings.iter().map(|string| string.symbols().len() as u64).sum()
    }

    /// Returns the names as fields of a table.
    fn fields(&self) -> Vec<String> {
        self.names.iter().map(|name| Field(name).to_string()).collect()
    }
}

/// Compares all strings of a list with one another, or with those of another list.
fn compare_all(call: &ManyPairs<'_>, list: &OsStr, out: &mut (dyn Write + Send)) -> Result<()> {
    let many = &call.arguments.many;
    let first = read_list(many, list, many.column.first())?;
    let second = many.with.as_deref().map(|list| read_list(many, list, many.column.last())).transpose()?;
    let is_text = [Some(&first), second.as_ref()].into_iter().flatten().any(|list| list.kind() == Kind::Bytes);
    let takes_characters = !call.arguments.unit.bytes && is_text;
    let a = List::new(&first, takes_characters);
    let other = second.as_ref().map(|second| List::new(second, takes_characters));
    let b = other.as_ref().unwrap_or(&a);
    let is_half = other.is_none() && many.top.is_none();
    let bar = bar(a.symbols().saturating_mul(b.symbols()) / if is_half { 2 } else { 1 }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let pairs = call.pairs.clone().on_progress(&on_progress);
    if let Some(format) = many.clusters {
        let clusters = match many.linkage {
            Linkage::Single => pairs.clusters(&a.strings),
            Linkage::Star => pairs.star_clusters(&a.strings),
        };
        bar.finish_and_clear();
        return write_clusters(out, &clusters?, a.document, &a.names, format).map_err(results_error);
    }
    let (names, names_b) = (a.fields(), b.fields());
    let mut write =
        |near: &Near| writeln!(out, "{}\t{}\t{}", names[near.a], names_b[near.b], near.distance).map_err(results_error);
    let done = match many.top {
        // A string is the nearest to itself.
        Some(top) if other.is_none() => pairs.each_nearest(&a.strings, &b.strings, top.saturating_add(1), |near| {
            near.iter().filter(|near| near.a != near.b).take(top).try_for_each(&mut write)
        }),
        Some(top) => pairs.each_nearest(&a.strings, &b.strings, top, |near| near.iter().try_for_each(&mut write)),
        None => {
            let each = |near: &[Near]| near.iter().try_for_each(&mut write);
            let pairs = if many.max.is_none() { pairs.maximum(u32::MAX - 1) } else { pairs };
            if other.is_none() {
                pairs.each_within(&a.strings, each)
            } else {
                pairs.each_join(&a.strings, &b.strings, each)
            }
        }
    };
    bar.finish_and_clear();
    done
}

/// A line of a file of pairs.
#[derive(Clone, Copy)]
struct Listed<'t> {
    a: &'t [u8],
    b: &'t [u8],
    /// The rest of the line after a second tab, or `None` if there is none.
    rest: Option<&'t [u8]>,
}

impl<'t> Listed<'t> {
    /// Parses a line; `None` if it has no tab.
    fn new(line: &'t [u8]) -> Option<Self> {
        let (a, rest) = split_at_tab(line)?;
        let (b, rest) = split_at_tab(rest).map_or((rest, None), |(b, rest)| (b, Some(rest)));
        Some(Self { a, b, rest })
    }
}

/// Lines that one thread parses and formats.
struct Block<'t> {
    lines: Vec<Listed<'t>>,
    is_ascii: bool,
}

/// A line without a tab, and the number of lines before it.
#[derive(Debug, PartialEq, Eq)]
struct NoTab<'t> {
    before: usize,
    line: &'t [u8],
}

impl<'t> Block<'t> {
    fn parse(text: &'t [u8]) -> std::result::Result<Self, NoTab<'t>> {
        let block = text.strip_suffix(b"\n").unwrap_or(text);
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', block).chain(std::iter::once(block.len()));
        let lines = ends.map(|end| &block[std::mem::replace(&mut start, end + 1)..end]);
        let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let lines = lines.enumerate().map(|(before, line)| Listed::new(line).ok_or(NoTab { before, line }));
        Ok(Self { lines: lines.collect::<std::result::Result<_, _>>()?, is_ascii: text.is_ascii() })
    }
}

/// Parses the lines of a text by several threads.
fn parse_lines(text: &[u8]) -> std::result::Result<Vec<Block<'_>>, NoTab<'_>> {
    let mut texts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let least = BLOCK.min(rest.len());
        let end = memchr::memchr(b'\n', &rest[least..]).map_or(rest.len(), |length| least + length + 1);
        let (block, behind) = rest.split_at(end);
        texts.push(block);
        rest = behind;
    }
    let parsed: Vec<_> = texts.into_par_iter().map(Block::parse).collect();
    let mut blocks = Vec::with_capacity(parsed.len());
    let mut count = 0;
    for block in parsed {
        let block = block.map_err(|NoTab { before, line }| NoTab { before: count + before, line })?;
        count += block.lines.len();
        blocks.push(block);
    }
    Ok(blocks)
}

/// Compares the two columns of a table, row by row.
fn compare_columns(call: &ManyPairs<'_>, file: &OsStr, out: &mut (dyn Write + Send)) -> Result<()> {
    let names: Vec<&str> = call.arguments.many.column.iter().map(String::as_str).collect();
    let columns = read_columns(file, &names)?;
    let [a, b] = &columns[..] else { return Ok(()) };
    let field = |document: &'_ Document, row: usize| document.records[row].clone();
    let line = |row| Listed { a: &a.symbols[field(a, row)], b: &b.symbols[field(b, row)], rest: None };
    let is_ascii = a.symbols.is_ascii() && b.symbols.is_ascii();
    let blocks = [Block { lines: (0..a.records.len()).map(line).collect(), is_ascii }];
    let takes_characters = !call.arguments.unit.bytes && !is_ascii;
    let bar = listed_bar(&blocks, 1, None);
    let distances = distances(call, &blocks, takes_characters, &|cells| bar.inc(cells))?;
    bar.finish_and_clear();
    let text = during(Part::Write, || format_lines(&blocks[0].lines, &distances));
    out.write_all(&text).map_err(results_error)
}

/// Compares the pairs of a file's lines, part by part.
fn compare_listed(call: &ManyPairs<'_>, file: &OsStr, out: &mut (dyn Write + Send)) -> Result<()> {
    let options = PartOptions::default().lines(true).lines_together(true).symbols(PART);
    let mut reader = during(Part::Read, || PartReader::open(file, options))?;
    let mut count = 0;
    let mut bar = None;
    while let Some(part) = during(Part::Read, || reader.next_part())? {
        let blocks = during(Part::Read, || parse_lines(&part.symbols)).map_err(|NoTab { before, line }| {
            let shown = String::from_utf8_lossy(line).chars().take(40).collect::<String>();
            let number = count + before + 1;
            let reason = "separate the two strings by a tab";
            UsageFault::Syntax.error(format!("{}:{number}: no tab in '{shown}'; {reason}", file_name(file)))
        })?;
        let takes_characters = !call.arguments.unit.bytes && blocks.iter().any(|block| !block.is_ascii);
        let bar = bar.get_or_insert_with(|| listed_bar(&blocks, part.symbols.len(), reader.bytes()));
        let on_progress = |cells| bar.inc(cells);
        let distances = distances(call, &blocks, takes_characters, &on_progress)?;
        during(Part::Write, || {
            let mut rest = &distances[..];
            let blocks: Vec<_> = blocks
                .iter()
                .map(|block| {
                    let (own, behind) = rest.split_at(block.lines.len());
                    rest = behind;
                    (&block.lines[..], own)
                })
                .collect();
            let texts: Vec<Vec<u8>> =
                blocks.into_par_iter().map(|(lines, distances)| format_lines(lines, distances)).collect();
            texts.iter().try_for_each(|text| out.write_all(text)).map_err(results_error)
        })?;
        count += distances.len();
        drop(blocks);
        reader.recycle(part.symbols);
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    log::info!("{count} pairs");
    Ok(())
}

/// Returns a bar for all pairs of a file of `file` bytes, if that is known. It assumes as many
/// cells per byte as in the first part, which has `part` bytes.
fn listed_bar(blocks: &[Block<'_>], part: usize, file: Option<u64>) -> ProgressBar {
    let cells = |line: &Listed<'_>| (line.a.len() as u64).saturating_mul(line.b.len() as u64);
    let cells = blocks.iter().flat_map(|block| &block.lines).map(cells).fold(0, u64::saturating_add);
    let parts = file.map_or(1.0, |file| file as f64 / part.max(1) as f64);
    bar((cells as f64 * parts.max(1.0)) as u64, 1, CELLS)
}

/// Computes the distances of pairs.
fn distances(
    call: &ManyPairs<'_>,
    blocks: &[Block<'_>],
    takes_characters: bool,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Option<u32>>> {
    let job = call.pairs.clone().on_progress(on_progress);
    let lines = || blocks.iter().flat_map(|block| &block.lines);
    if takes_characters {
        let lines: Vec<&Listed<'_>> = lines().collect();
        let pairs = lines.into_par_iter().map(|line| (Characters::new(line.a), Characters::new(line.b)));
        job.listed(&pairs.collect::<Vec<_>>())
    } else {
        let mut pairs = Vec::with_capacity(blocks.iter().map(|block| block.lines.len()).sum());
        pairs.extend(lines().map(|line| (line.a, line.b)));
        job.listed(&pairs)
    }
}

/// Formats the results of pairs.
fn format_lines(lines: &[Listed<'_>], distances: &[Option<u32>]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut digits = itoa::Buffer::new();
    for (line, distance) in lines.iter().zip(distances) {
        if let Some(distance) = distance {
            text.extend_from_slice(digits.format(*distance).as_bytes());
        }
        if let Some(rest) = line.rest {
            text.push(b'\t');
            text.extend_from_slice(rest);
        }
        text.push(b'\n');
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_lines_are_the_lines() {
        let long = b"x".repeat(BLOCK);
        let mut text = Vec::new();
        for number in 0..5000_usize {
            text.extend_from_slice(format!("a{number}\tb").as_bytes());
            text.extend_from_slice([&b""[..], b"\r", b"\t", b"\tmore\tx", &long[..number % 100]][number % 5]);
            text.push(b'\n');
        }
        for cut in [0, 1, 7] {
            let text = &text[..text.len() - cut];
            let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n');
            let lines: Vec<&[u8]> = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
            let blocks = parse_lines(text).unwrap();
            let parsed: Vec<Listed<'_>> = blocks.into_iter().flat_map(|block| block.lines).collect();
            assert_eq!(parsed.len(), lines.len());
            for (parsed, line) in parsed.iter().zip(lines) {
                let rest = parsed.rest.map(|rest| [b"\t", rest].concat());
                assert_eq!([parsed.a, b"\t", parsed.b, &rest.unwrap_or_default()].concat(), line);
            }
        }
        let wrong = [&text[..], b"no tab\n\nx\ty\n"].concat();
        assert_eq!(parse_lines(&wrong).err(), Some(NoTab { before: 5000, line: b"no tab" }));
        assert!(parse_lines(b"").unwrap().is_empty());
        assert_eq!(parse_lines(b"\n").err(), Some(NoTab { before: 0, line: b"" }));
    }
}
