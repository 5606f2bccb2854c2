//! Two strings to compare, from files or the command line.

use super::engine::{EngineName, GpuArguments};
use super::help::{INPUT, MATCHING};
use super::notes::{is_stdin, note, note_bytes};
use super::parts::{Part, during};
use super::span::Span;
use carrywave::device::{Engine, EngineKind};
use carrywave::error::UsageFault;
use carrywave::io::output::Visible;
use carrywave::io::sequence::{self, Case, Excerpt, Kind, ReadOptions, Sequence, unify_uracil};
use carrywave::text::characters::{CharacterPair, in_one_case};
use carrywave::text::numbered::Numbered;
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::Range;
use std::path::Path;

/// Size of the chunks, in symbols, that are inspected and changed while they are in a cache.
const CHUNK: usize = 1 << 15;

/// Options that choose the two strings.
#[derive(Debug, Args)]
#[command(next_help_heading = INPUT)]
pub struct StringArguments {
    /// First string: a FASTA or FASTQ file (also gz, bz2, xz, zst), or FILE:RECORD; `-` is stdin.
    #[arg(help_heading = None)]
    pub a: OsString,

    /// Second string, likewise.
    #[arg(help_heading = None)]
    pub b: OsString,

    /// Take A and B themselves as the strings.
    #[arg(short = 'e', long, conflicts_with_all = ["raw", "record_a", "record_b"])]
    literal: bool,

    /// Compare files of any format by bytes, after decompression.
    #[arg(long, conflicts_with_all = ["record_a", "record_b"])]
    raw: bool,

    /// With --raw: do not decompress.
    #[arg(long, requires = "raw", hide_short_help = true)]
    no_decompress: bool,

    /// Record of A, by its name, else by its number from 1, or a part of it; as in FILE:RECORD.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    record_a: Option<String>,

    /// Record of B, likewise.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    record_b: Option<String>,

    /// Case of letters: keep, ignore, or auto (ignore for nucleotides).
    #[arg(long, value_enum, default_value_t = CaseArgument::Auto, help_heading = MATCHING)]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub case: CaseArgument,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CaseArgument {
    Auto,
    Keep,
    Ignore,
}

impl From<CaseArgument> for Case {
    fn from(case: CaseArgument) -> Self {
        match case {
            CaseArgument::Auto => Self::Auto,
            CaseArgument::Keep => Self::Keep,
            CaseArgument::Ignore => Self::Ignore,
        }
    }
}

/// Option for the unit of comparison.
#[derive(Debug, Args)]
#[command(next_help_heading = MATCHING)]
pub struct UnitArguments {
    /// Compare bytes, not characters of UTF-8.
    #[arg(long)]
    pub bytes: bool,
}

/// A request to compare two strings.
pub struct StringRequest<'a> {
    pub strings: &'a StringArguments,
    pub unit: &'a UnitArguments,
    /// True if symbols must be bytes, whatever the unit.
    pub needs_bytes: bool,
    pub engine: EngineName,
    pub gpus: GpuArguments,
    /// True if several members compute, each with an engine of its own.
    pub has_members: bool,
}

/// Two strings in memory, and the engine to compare them.
pub struct ReadStrings {
    pub strings: Strings,
    /// Engine, or `None` for `auto` and for several members.
    pub engine: Option<Box<dyn Engine>>,
}

/// Two strings to compare.
pub struct Strings {
    pub a: Sequence,
    pub b: Sequence,
    /// The texts, if symbols are codes of characters.
    pub texts: Option<[String; 2]>,
    /// The characters as numbers, if the texts share more distinct characters than a byte has
    /// codes. The comparison then uses these numbers. The codes in `a` and `b` only serve for
    /// display: different characters may share a code.
    pub numbered: Option<Numbered>,
}

impl Strings {
    fn of_bytes(a: Sequence, b: Sequence) -> Self {
        Self { a, b, texts: None, numbered: None }
    }

    /// Returns parts of both strings. Output has their positions in the whole strings.
    pub fn parts(&self, in_a: Range<usize>, in_b: Range<usize>) -> Self {
        let text = |text: &String, range: &Range<usize>| text.chars().skip(range.start).take(range.len()).collect();
        Self {
            a: at(&self.a, in_a.start, self.a.symbols[in_a.clone()].to_vec()),
            b: at(&self.b, in_b.start, self.b.symbols[in_b.clone()].to_vec()),
            texts: self.texts.as_ref().map(|[a, b]| [text(a, &in_a), text(b, &in_b)]),
            numbered: self.numbered.as_ref().map(|Numbered { a, b, kinds, .. }| Numbered {
                a: a[in_a].to_vec(),
                b: b[in_b].to_vec(),
                kinds: *kinds,
            }),
        }
    }

    /// Returns the strings with the rotation of B that begins at `start`. In output, positions in B
    /// count on from there, beyond the end of B.
    pub fn rotated(&self, start: usize) -> Self {
        let Self { a, b, texts, numbered } = self;
        Self {
            a: a.clone(),
            b: at(b, start, rotated(b.symbols.clone(), start)),
            texts: texts.clone().map(|[a, b]| [a, rotated(b.chars().collect(), start).into_iter().collect()]),
            numbered: numbered.clone().map(|numbered| Numbered { b: rotated(numbered.b, start), ..numbered }),
        }
    }
}

fn rotated<T>(mut symbols: Vec<T>, start: usize) -> Vec<T> {
    symbols.rotate_left(start);
    symbols
}

/// Returns symbols that begin at `start` in a string, with the string's name.
fn at(whole: &Sequence, start: usize, symbols: Vec<u8>) -> Sequence {
    let Span { start: before, record_len, .. } = Span::new(whole);
    let mut part = Sequence::new(&whole.name, symbols, whole.kind);
    part.excerpt = Some(Excerpt::new(before + start as u64, record_len));
    part
}

impl StringRequest<'_> {
    /// Reads the strings, and finds the engine meanwhile, because the driver takes a tenth of a
    /// second to find a GPU. Several GPUs are opened, too.
    pub fn read(&self) -> Result<ReadStrings> {
        let gpus = self.gpus;
        let name = self.engine;
        let mut engine = Ok(None);
        let read = || during(Part::Read, || self.strings.read());
        let read = if self.has_members {
            read()
        } else if name == EngineName::One(EngineKind::Gpu) {
            let finding = std::thread::Builder::new().spawn(move || gpus.find(name));
            let read = read();
            engine = during(Part::Open, || match finding.map(|finding| finding.join()) {
                Ok(Ok(engine)) => engine,
                // If the thread does not start or panics, the GPUs are found here.
                _ => gpus.find(name),
            });
            read
        } else {
            engine = gpus.find(name);
            read()
        };
        let [a, b] = read?;
        let engine = engine?;
        let strings = match self.unit.bytes {
            false if !self.needs_bytes => with_characters(a, b, self.strings.case)?,
            is_asked => {
                if !is_asked {
                    note_bytes([], &[&a.symbols, &b.symbols]);
                }
                Strings::of_bytes(a, b)
            }
        };
        for (letter, string) in [("A", &strings.a), ("B", &strings.b)] {
            let Sequence { name, symbols, kind, .. } = string;
            log::info!("{letter} is {} with {} symbols, {}", Visible(name), symbols.len(), taken_for(*kind));
        }
        Ok(ReadStrings { strings, engine })
    }
}

/// Makes characters the symbols of two texts if either has non-ASCII characters.
fn with_characters(mut a: Sequence, mut b: Sequence, case: CaseArgument) -> Result<Strings> {
    let is_text =
        [&a, &b].iter().all(|string| string.kind == Kind::Bytes) && !(a.symbols.is_ascii() && b.symbols.is_ascii());
    if !is_text {
        return Ok(Strings::of_bytes(a, b));
    }
    let (Ok(one), Ok(other)) = (std::str::from_utf8(&a.symbols), std::str::from_utf8(&b.symbols)) else {
        note_bytes([], &[&a.symbols, &b.symbols]);
        return Ok(Strings::of_bytes(a, b));
    };
    let texts = match case {
        CaseArgument::Ignore => [one, other].map(in_one_case),
        _ => [one, other].map(str::to_owned),
    };
    let CharacterPair { codes, numbered } = CharacterPair::new(&texts[0], &texts[1])?;
    for (string, codes) in [&mut a, &mut b].into_iter().zip(codes) {
        string.symbols = codes;
        string.kind = Kind::Characters;
    }
    Ok(Strings { a, b, texts: Some(texts), numbered })
}

fn taken_for(kind: Kind) -> &'static str {
    match kind {
        Kind::Nucleotide => "read as nucleotides",
        Kind::Protein => "read as a protein",
        Kind::Bytes => "bytes",
        Kind::Characters => "characters",
    }
}

impl StringArguments {
    fn read(&self) -> Result<[Sequence; 2]> {
        let case = Case::from(self.case);
        if self.literal {
            let literal = |text: &OsStr| match text.to_str() {
                Some(text) => Ok(Sequence::literal(text).with_case(case)),
                None => Err(UsageFault::Syntax
                    .error("a string given with -e must be UTF-8; put other bytes into a file and use --raw")),
            };
            return Ok([literal(&self.a)?, literal(&self.b)?]);
        }
        if is_stdin(&self.a) && is_stdin(&self.b) {
            return Err(
                UsageFault::Combination.error("A and B cannot both be standard input; use a file for one of them")
            );
        }
        // In parallel, since decompressing takes longer than reading.
        let (a, b) =
            rayon::join(|| self.read_file(&self.a, &self.record_a), || self.read_file(&self.b, &self.record_b));
        let mut a = a?;
        let mut b = b?;
        if case == Case::Auto {
            note_kinds(&a, &b);
        }
        unify_letters(&mut a, &mut b, case);
        Ok([a, b])
    }

    /// Reads a file without changing the case of its letters, so that a note can mention lower
    /// case.
    fn read_file(&self, path: &OsStr, record: &Option<String>) -> Result<Sequence> {
        let options = ReadOptions::default().raw(self.raw).keep_compressed(self.no_decompress).case(Case::Keep);
        let options = match record {
            Some(name) => options.record(name),
            None => options,
        };
        sequence::read(path, &options).map_err(|error| match error {
            Error::Io { path, source } if source.kind() == io::ErrorKind::NotFound && is_word(&path) => {
                let reason = "no such file; use -e to compare the two arguments themselves";
                Error::Io { path, source: io::Error::new(source.kind(), reason) }
            }
            error => error,
        })
    }
}

/// Converts letters to upper case if `case` says so, and U to T if RNA is compared with DNA. Takes
/// one pass over each string, and a second one only for RNA beside DNA.
pub fn unify_letters(a: &mut Sequence, b: &mut Sequence, case: Case) {
    let (in_a, in_b) = rayon::join(|| make_capitals(a, case), || make_capitals(b, case));
    if (in_a.uracil || in_b.uracil) && (in_a.thymine || in_b.thymine) {
        unify_uracil(a, b);
    }
}

/// Occurrence of the bases that only RNA or only DNA has, in either case.
#[derive(Default)]
struct Bases {
    uracil: bool,
    thymine: bool,
}

/// Converts letters to upper case if `case` and the sequence type say so. Returns whether
/// nucleotides have U and T.
fn make_capitals(sequence: &mut Sequence, case: Case) -> Bases {
    let mut bases = Bases::default();
    let is_nucleotide = sequence.kind == Kind::Nucleotide;
    let ignores_case = case == Case::Ignore || case == Case::Auto && is_nucleotide;
    if !is_nucleotide && !ignores_case {
        return bases;
    }
    for chunk in sequence.symbols.chunks_mut(CHUNK) {
        if is_nucleotide {
            bases.uracil |= !bases.uracil && memchr::memchr2(b'U', b'u', chunk).is_some();
            bases.thymine |= !bases.thymine && memchr::memchr2(b'T', b't', chunk).is_some();
        }
        if ignores_case {
            chunk.make_ascii_uppercase();
        }
    }
    bases
}

/// Notes the detected types of the strings, if they are uncertain or differ and this changes the
/// result: the case of nucleotides is ignored, that of proteins is not.
/// ignored, that of proteins is not.
pub fn note_kinds(a: &Sequence, b: &Sequence) {
    let has_small = |sequence: &Sequence| sequence.symbols.iter().any(u8::is_ascii_lowercase);
    let uncertain = !a.kind_is_certain || !b.kind_is_certain || a.kind != b.kind;
    let records = [a, b].iter().all(|sequence| sequence.kind != Kind::Bytes);
    if records && uncertain && (has_small(a) || has_small(b)) {
        let of = |sequence: &Sequence| match sequence.kind {
            Kind::Nucleotide => "nucleotides, whose case is ignored",
            _ => "a protein, whose case is kept",
        };
        note(&format!("A is read as {}, B as {}; use --case ignore or keep for both", of(a), of(b)));
    }
}

/// Returns true for a word that looks like a string rather than a file name.
fn is_word(path: &Path) -> bool {
    path.extension().is_none() && path.components().count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_pass_gives_what_two_give() {
        let dna = b"acgTN".repeat(CHUNK / 4);
        let rna_at_the_end = [&b"ACGN".repeat(CHUNK / 4)[..], b"u"].concat();
        let protein = b"MKvlhdeelqr".to_vec();
        let kinds = [Kind::Nucleotide, Kind::Nucleotide, Kind::Protein];
        let all: Vec<Sequence> = [dna, rna_at_the_end, protein]
            .into_iter()
            .zip(kinds)
            .map(|(s, kind)| Sequence::new("x", s, kind))
            .collect();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            for case in [Case::Auto, Case::Keep, Case::Ignore] {
                let mut found = [a.clone(), b.clone()];
                let mut expected = found.clone();
                let [a, b] = &mut found;
                unify_letters(a, b, case);
                let [a, b] = &mut expected;
                unify_uracil(a, b);
                assert_eq!(found, expected.map(|sequence| sequence.with_case(case)), "{case:?}");
            }
        }
    }
}
