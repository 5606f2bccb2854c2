//! `carrywave best`

use crate::shared::aligned_hit::{AlignedHit, Errors, HitSource};
use crate::shared::engine::{EngineArguments, GpuArguments};
use crate::shared::help::{
    EXIT_STATUS, INPUT, MATCHING, OUTPUT, PERFORMANCE, TEMPLATE, algorithm_names, algorithms, few, one_of,
};
use crate::shared::notes::{file_name, is_stdin, note_bytes};
use crate::shared::output::{print, stdout};
use crate::shared::parts::{Part, ReportAtEnd, during};
use crate::shared::patterns::{GivenPattern, InFile, no_pattern, read_patterns};
use crate::shared::progress::{CELLS, bar};
use crate::shared::sam::{Reads, Reference, sam_head};
use crate::shared::table::Field;
use crate::shared::text_arguments::{Seen, TextArguments};
use carrywave::Result;
use carrywave::best::{Algorithm, Best, BestMatch, Infix};
use carrywave::device::{Engine, EngineKind};
use carrywave::error::UsageFault;
use carrywave::io::output::Visible;
use carrywave::io::sequence::{Document, Format, Kind, read_document};
use carrywave::job::Recorder;
use carrywave::search::{Beyond, Hit, PatternAlignment, ResidentText, Search, Source};
use carrywave::text::characters::TextPattern;
use carrywave::text::{Pattern, Strand};
use clap::{Args, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carrywave best GATTACAGATTACA genome.fa.gz              distance, record, position, matched part
  carrywave best 'to be or not to be' hamlet.txt --output json
  carrywave best --rc --ties GATTACAGATTACA genome.fa --output align   all nearest parts, aligned
  carrywave best --rc -f reads.fa genome.fa --output sam  the nearest part for each of many patterns";

const SHORT: &str = "All options, and the list of algorithms: carrywave best --help";

const LONG: &str = "\
Files:
  A file that starts with '>' is FASTA; one that starts with '@' and has a '+' line is FASTQ.
  The alphabet auto is iupac or protein for them, by the first records, and bytes for other files.
  In both, the best part of all records is reported. Any other file is one text with its line ends.
  FILE:RECORD reads one record, and FILE:RECORD:1001-2000 a part of it, 1-based with both ends;
  printed positions are those of the whole record. An index beside the file is used (FILE.fai).
  In such a text a symbol is a UTF-8 character (--bytes: a byte); positions are in bytes.

Circular records:
  With --circular, a record's first symbols follow its last ones, as in a plasmid. The start is in the
  record; the end may be beyond it, as in GFF3: subtract the length. Not for SAM and PAF.

Ties:
  Of equally near parts, the one in the first record that ends first is reported; of those with the
  same start or end, the one with the fewest gaps, then the longest. --ties reports all.";

/// Finds the part of a text that is nearest to a pattern: with the fewest insertions, deletions and
/// substitutions.
#[derive(Debug, Args)]
#[command(override_usage = "\
carrywave best [OPTIONS] PATTERN TEXT
       carrywave best [OPTIONS] -f PATTERNS TEXT")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = SHORT)]
#[command(after_long_help = format!("{LONG}\n\n{}\n\n{EXIT_STATUS}", algorithms::<Infix>("Algorithms")))]
pub struct Arguments {
    /// Pattern, and the file with the text, plain or compressed; `-` is standard input. With -f,
    /// the text only. FILE:chr1:1001-2000 is a part of a record.
    #[arg(value_name = "PATTERN TEXT", num_args = 0..=2)]
    words: Vec<OsString>,

    /// Read patterns from FILE: one a line, or FASTA. The nearest part is reported for each.
    #[arg(short = 'f', long = "file", value_name = "FILE", help_heading = INPUT)]
    patterns: Option<PathBuf>,

    #[command(flatten)]
    reading: TextArguments,

    /// Ignore the case of letters, also in bytes.
    #[arg(short = 'i', long, help_heading = MATCHING)]
    ignore_case: bool,

    /// Also compare with the reverse complement. Of equally near parts, the forward strand wins.
    #[arg(long, help_heading = MATCHING)]
    rc: bool,

    /// Records are circular: a part may continue at the start, its end is then beyond the record's.
    #[arg(long, conflicts_with = "ties", help_heading = MATCHING)]
    circular: bool,

    /// Report all parts that are as near as the nearest, except those that overlap a better one.
    #[arg(long, help_heading = OUTPUT)]
    ties: bool,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t = Output::Text, help_heading = OUTPUT)]
    output: Output,

    #[command(flatten)]
    engine: EngineArguments,

    /// Algorithm; the list is at the end of --help.
    #[arg(long, default_value = "auto", hide_possible_values = true, help_heading = PERFORMANCE)]
    #[arg(value_parser = one_of::<Algorithm>(algorithm_names::<Infix>()))]
    algorithm: Algorithm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// One line of words.
    Text,
    /// Name, start, end, pattern, distance, part, strand, CIGAR; 0-based, half-open.
    Tsv,
    /// CIGAR with =, X, I and D: the pattern is the query, the text the reference.
    Cigar,
    /// One JSON object for each part.
    Json,
    /// Name, start, end, pattern, distance, strand, CIGAR; positions 0-based, half-open.
    Bed,
    /// SAM: records as references, patterns as reads.
    Sam,
    /// PAF, with the CIGAR in the tag cg:Z.
    Paf,
    /// One line of words, and the pattern above the part.
    Align,
}

/// One of the nearest parts.
struct Nearest {
    record: usize,
    start: u64,
    end: u64,
    distance: u32,
    strand: Strand,
    alignment: PatternAlignment,
}

/// Finds the parts of a text that are nearest to patterns.
struct Finder<'j> {
    arguments: &'j Arguments,
    /// Path of the text.
    text: &'j OsStr,
    document: &'j Document,
    /// The document's records, on a GPU if they stay there.
    source: Source<'j>,
    /// Number of symbols of each record, or of the whole record of a region.
    record_lengths: &'j [u64],
    /// Engine, or `None` for `auto`.
    engine: Option<&'j dyn Engine>,
    progress: &'j (dyn Fn(u64) + Sync),
    recorder: &'j Recorder,
}

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    drop(stdout()?);
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    let engine = during(Part::Open, || gpus.open(arguments.engine.engine))?;
    let Input { patterns: given, text } = input(arguments)?;
    let mut document = during(Part::Read, || read_document(text, arguments.reading.options()))?;
    let kind = document.kind();
    if document.format == Format::Lines {
        if let Output::Sam | Output::Paf = arguments.output {
            return Err(UsageFault::Combination.error(format!(
                "{}: --output sam and paf need FASTA or FASTQ records; use bed, json or align for other files",
                file_name(text)
            )));
        }
        // The whole file is one text, which starts after the byte order mark.
        let start = document.records.first().map_or(0, |first| first.start);
        document.records = std::iter::once(start..document.symbols.len()).collect();
    }
    let typed = || given.iter().map(|given| &given.symbols[..]);
    arguments.reading.note_alphabet(&file_name(text), &(&document).into(), typed());
    let alphabet = arguments.reading.alphabet(kind);
    if arguments.rc && !alphabet.has_complement() {
        return Err(
            UsageFault::Combination.error(format!("--rc needs --alphabet dna or iupac; {alphabet} has no complements"))
        );
    }
    let seen = Seen::from(&document);
    let ignore_case = arguments.ignore_case;
    let rules = arguments.reading.rules(kind).ignore_case(ignore_case);
    let parse = |given: &GivenPattern| -> Result<TextPattern> {
        if let Some(pattern) = arguments.reading.character_pattern(&seen, &given.symbols, ignore_case) {
            return Ok(pattern.into());
        }
        let pattern = Pattern::parse_with(&given.symbols, &rules).map_err(|error| given.located(error))?;
        Ok(pattern.into())
    };
    let patterns = given.iter().map(parse).collect::<Result<Vec<_>>>()?;
    if patterns.iter().any(|pattern| matches!(pattern, TextPattern::Bytes(_))) && !arguments.reading.asks_for_bytes() {
        // Skips the byte order mark.
        let start = document.records.first().map_or(0, |first| first.start);
        note_bytes(typed(), &[&document.symbols[start..]]);
    }
    let records = 0..document.records.len();
    let record_lengths: Vec<u64> = records.clone().map(|number| record_len(&document, number)).collect();
    if arguments.circular {
        check_circular(arguments, &document, text)?;
        let longest = patterns.iter().map(TextPattern::len).max().unwrap_or(0);
        continue_at_start(&mut document, longest);
    }
    let n = document.symbols.len() as u64;
    let strands = if arguments.rc { 2 } else { 1 };
    let m: u64 = patterns.iter().map(|pattern| pattern.len() as u64).sum();
    let bar = bar(m.saturating_mul(n).saturating_mul(strands), 1, CELLS);
    let progress = |cells: u64| bar.inc(cells);
    let engine = engine.as_deref();
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let finder = Finder {
        arguments,
        text,
        document: &document,
        source: source(&document, engine, patterns.len() * strands as usize)?,
        record_lengths: &record_lengths,
        engine,
        progress: &progress,
        recorder: &recorder,
    };
    if arguments.output == Output::Sam {
        let name = |number: usize| document.name(number).map_or_else(|| file_name(text), str::to_owned);
        let head = sam_head(records.map(|number| Reference {
            name: name(number),
            len: record_lengths[number],
            is_circular: arguments.circular,
        }))?;
        print(|out| out.write_all(&head))?;
    }
    let mut reads = Reads::new(given.iter().map(|given| &given.name[..]));
    let nucleotides = kind == Kind::Nucleotide || alphabet.has_complement();
    for (number, (given, pattern)) in given.iter().zip(patterns).enumerate() {
        let nearest = finder.nearest(pattern)?;
        print(|out| {
            nearest.iter().try_for_each(|nearest| {
                let sam =
                    |out: &mut (dyn Write + Send), hit: &AlignedHit<'_>| reads.write(out, number, hit, nucleotides);
                finder.write(out, given, nearest, sam)
            })
        })?;
    }
    bar.finish_and_clear();
    if let Some(report) = recorder.report() {
        log::info!("best: {report}");
    }
    Ok(())
}

/// Returns the records of a document. For several searches on a GPU, they stay there if they fit.
fn source<'d>(document: &'d Document, engine: Option<&dyn Engine>, searches: usize) -> Result<Source<'d>> {
    let text = document.text()?;
    let gpu = engine.filter(|engine| searches > 1 && engine.kind() == EngineKind::Gpu);
    let resident = gpu.and_then(|gpu| ResidentText::new(gpu, text.clone()).ok());
    Ok(resident.map_or_else(|| text.into(), |resident| (&resident).into()))
}

/// Input of a call.
struct Input<'a> {
    patterns: Vec<GivenPattern>,
    /// Path of the text.
    text: &'a OsStr,
}

fn input(arguments: &Arguments) -> Result<Input<'_>> {
    match (&arguments.patterns, &arguments.words[..]) {
        (None, [pattern, text]) => Ok(Input { patterns: vec![GivenPattern::typed(pattern.as_encoded_bytes())], text }),
        (Some(file), [text]) => {
            if is_stdin(file.as_os_str()) && is_stdin(text) {
                return Err(UsageFault::Combination
                    .error("standard input cannot be both the pattern file and the text; use a file for one of them"));
            }
            let mut patterns = Vec::new();
            if read_patterns(file, &mut patterns)? != InFile::Some {
                return Err(no_pattern(file));
            }
            Ok(Input { patterns, text })
        }
        (None, _) => Err(UsageFault::Empty
            .error("PATTERN or TEXT is missing; give both, or patterns with -f and a TEXT (see --help)")),
        (Some(_), _) => {
            Err(UsageFault::Combination.error("-f takes the patterns from a file, so give only the TEXT (see --help)"))
        }
    }
}

/// Returns the number of symbols of a record, also if the document has only a region of it.
fn record_len(document: &Document, record: usize) -> u64 {
    document.excerpt.map_or_else(|| document.records[record].len() as u64, |excerpt| excerpt.record_len)
}

/// Refuses circular records that are not whole, and formats without positions beyond the end.
fn check_circular(arguments: &Arguments, document: &Document, text: &OsStr) -> Result<()> {
    let reason = match arguments.output {
        Output::Paf => "--circular: PAF has no positions beyond a record's end; use sam, bed or json",
        _ if document.format == Format::Lines => "--circular needs FASTA or FASTQ records",
        _ if document.excerpt.is_some() => "--circular needs whole records, not a part of one",
        _ => return Ok(()),
    };
    Err(UsageFault::Combination.error(format!("{}: {reason}", file_name(text))))
}

/// Appends the first symbols of each record to it, at most all of them. A part that is nearer than
/// the empty one has fewer than twice as many symbols as the pattern. The first one of equal parts
/// is reported, so its start is never among the appended symbols.
fn continue_at_start(document: &mut Document, pattern: usize) {
    let appended = |record: &Range<usize>| record.len().min(pattern.saturating_mul(2));
    let more: usize = document.records.iter().map(appended).sum();
    let mut symbols = Vec::with_capacity(document.symbols.len() + more);
    for record in &mut document.records {
        let start = symbols.len();
        symbols.extend_from_slice(&document.symbols[record.clone()]);
        symbols.extend_from_slice(&document.symbols[record.start..record.start + appended(record)]);
        *record = start..symbols.len();
    }
    document.symbols = symbols;
}

impl Finder<'_> {
    /// Returns the nearest part, or with `--ties` all of them.
    fn nearest(&self, pattern: TextPattern) -> Result<Vec<Nearest>> {
        let m = pattern.len();
        let reverse = match &pattern {
            TextPattern::Bytes(pattern) if self.arguments.rc => {
                Some(pattern.reverse_complement()).filter(|reverse| reverse != pattern)
            }
            _ => None,
        };
        let mut nearest = self.on_strand(pattern.clone(), Strand::Forward)?;
        if let Some(reverse) = reverse {
            let other = self.on_strand(reverse.into(), Strand::Reverse)?;
            if other.distance < nearest.distance {
                nearest = other;
            }
        }
        // At a distance of at least the pattern's length, every position matches.
        if !self.arguments.ties || nearest.distance as usize >= m {
            return Ok(vec![nearest]);
        }
        let search = Search::new(pattern).errors(nearest.distance).both_strands(self.arguments.rc);
        let aligner = search.aligner()?;
        let told = |hit: Hit| {
            let alignment = aligner.align(&hit, self.part(hit.record, hit.start, hit.end))?;
            let Hit { record, start, end, strand, errors: distance, .. } = hit;
            Ok(Nearest { record, start, end, distance, strand, alignment })
        };
        search.hits(&self.document.text()?)?.into_iter().map(told).collect()
    }

    fn on_strand(&self, pattern: TextPattern, strand: Strand) -> Result<Nearest> {
        let m = pattern.len() as u64;
        let on_progress = |symbols: u64| (self.progress)(m.saturating_mul(symbols));
        let mut best = Best::new(pattern).algorithm(self.arguments.algorithm).on_progress(&on_progress);
        best = best.recorder(self.recorder);
        if let Some(engine) = self.engine {
            best = best.on(engine);
        }
        let found = best.find(self.source.clone())?;
        let alignment = best.align(&found, self.part(found.record, found.start, found.end))?;
        let BestMatch { record, start, end, distance, .. } = found;
        Ok(Nearest { record, start, end, distance, strand, alignment })
    }

    fn part(&self, record: usize, start: u64, end: u64) -> &[u8] {
        &self.document.symbols[self.document.records[record].clone()][start as usize..end as usize]
    }

    fn write(
        &self,
        out: &mut (dyn Write + Send),
        given: &GivenPattern,
        nearest: &Nearest,
        write_sam: impl FnOnce(&mut (dyn Write + Send), &AlignedHit<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let &Nearest { record, start, end, distance, strand, ref alignment } = nearest;
        let file = file_name(self.text);
        let name = self.document.name(record);
        let target = name.unwrap_or(&file);
        let part = self.part(record, start, end);
        // In a file that is not FASTA or FASTQ, positions count from the start of the file.
        let range = &self.document.records[record];
        let base = match self.document.excerpt {
            Some(excerpt) => excerpt.start,
            None if self.document.format == Format::Lines => range.start as u64,
            None => 0,
        };
        let start = base + start;
        let end = base + end;
        let shown = String::from_utf8_lossy(part);
        let sign = strand.sign();
        let qualities = given.qualities.as_deref();
        let hit = AlignedHit {
            pattern: &given.name,
            pattern_symbols: &given.symbols,
            qualities,
            target,
            start,
            end,
            strand,
            beyond: Beyond::NONE,
            part,
            alignment,
        };
        match self.arguments.output {
            Output::Text => {
                if self.arguments.patterns.is_some() {
                    write!(out, "{}: ", Visible(&given.name))?;
                }
                write!(out, "distance {distance}, {} {start}..{end}", Visible(target))?;
                if self.arguments.rc {
                    write!(out, " {sign}")?;
                }
                writeln!(out, ": {}", Visible(&shown))
            }
            Output::Tsv => {
                let [name, pattern, part] = [target, &given.name, &shown].map(Visible);
                let cigar = alignment.cigar();
                writeln!(out, "{name}\t{start}\t{end}\t{pattern}\t{distance}\t{part}\t{sign}\t{cigar}")
            }
            Output::Cigar => writeln!(out, "{}", alignment.cigar()),
            Output::Json => {
                let source = HitSource { file: &file, record: name, line: None };
                hit.write_json(out, &source, Errors::Distance(distance))
            }
            Output::Bed => {
                let [name, pattern] = [target, &given.name].map(Field);
                let cigar = alignment.cigar();
                writeln!(out, "{name}\t{start}\t{end}\t{pattern}\t{distance}\t{sign}\t{cigar}")
            }
            Output::Sam => write_sam(out, &hit),
            Output::Paf => hit.write_paf(out, self.record_lengths[record]),
            Output::Align => hit.write_blocks(out),
        }
    }
}
