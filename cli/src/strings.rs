//! Two strings to compare, from files or the command line; and where the result goes.

use super::engine::{EngineArguments, EngineName, GpuArguments};
use super::text::tell_bytes;
use super::{note, open_output, print};
use carrywave::device::{Engine, EngineKind};
use carrywave::io::output::{OutputFile, Visible};
use carrywave::io::sequence::{self, Case, Kind, ReadOptions, Sequence, unify_uracil};
use carrywave::text::characters::{code_pair, in_one_case, numbers_of};
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The arguments that say which strings.
#[derive(Debug, Args)]
pub(super) struct StringArguments {
    /// The first string: a FASTA or FASTQ file, plain, gz, bz2, xz or zst; `-` is standard input.
    pub a: OsString,

    /// The second string, likewise.
    pub b: OsString,

    /// A and B are the strings themselves.
    #[arg(short = 'e', long, conflicts_with_all = ["raw", "record_a", "record_b"])]
    literal: bool,

    /// The files are compared byte by byte, whatever they hold. A compressed file is decompressed all the same.
    #[arg(long, conflicts_with_all = ["record_a", "record_b"])]
    raw: bool,

    /// Take a compressed file as the bytes that it has; with --raw, since these are no records.
    #[arg(long, requires = "raw")]
    no_decompress: bool,

    /// Which record of A, by its name; or, if none has that name, by its number from 1.
    #[arg(long, value_name = "NAME")]
    record_a: Option<String>,

    /// Which record of B, likewise.
    #[arg(long, value_name = "NAME")]
    record_b: Option<String>,

    /// Whether lower and upper case are the same symbol; `auto`: yes for nucleotides in FASTA and FASTQ.
    #[arg(long, value_enum, default_value_t = CaseArgument::Auto)]
    pub case: CaseArgument,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CaseArgument {
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

/// What is compared.
#[derive(Debug, Args)]
pub(super) struct UnitArguments {
    /// Compare bytes. Without it a symbol of texts that are UTF-8, and no FASTA or FASTQ, is a character.
    #[arg(long)]
    pub bytes: bool,
}

/// An engine, or none for the one that should be fastest.
type Opened = Option<Box<dyn Engine>>;

/// Two strings to compare.
pub(super) struct Strings {
    pub a: Sequence,
    pub b: Sequence,
    /// Where symbols are codes of characters, the texts themselves.
    pub texts: Option<[String; 2]>,
    /// Where the texts share more characters than there are codes of a byte, their code points, which are compared. The codes in `a` and `b`
    /// are for views alone then: different characters may have the same one.
    pub numbers: Option<[Vec<u32>; 2]>,
}

impl Strings {
    fn of_bytes(a: Sequence, b: Sequence) -> Self {
        Self { a, b, texts: None, numbers: None }
    }
}

/// The two strings, whose symbols are bytes if they have to be, and the engine: none for `auto`, and where several members compute. GPUs are opened while the strings are read: it takes some tenths of a second.
pub(super) fn open_and_read(
    arguments: &StringArguments,
    engine: &EngineArguments,
    gpus: GpuArguments,
    unit: &UnitArguments,
    has_to_be_bytes: bool,
    of_members: bool,
) -> Result<(Strings, Opened)> {
    let name = engine.engine;
    let (engine, strings) = if of_members {
        (Ok(None), read(arguments))
    } else if name == EngineName::One(EngineKind::Gpu) {
        let opening = std::thread::Builder::new().spawn(move || gpus.open(name));
        let strings = read(arguments);
        let engine = match opening.map(|opening| opening.join()) {
            Ok(Ok(engine)) => engine,
            // Without a thread for it they are opened now.
            _ => gpus.open(name),
        };
        (engine, strings)
    } else {
        (gpus.open(name), read(arguments))
    };
    let ((a, b), engine) = (strings?, engine?);
    let strings = match unit.bytes {
        false if !has_to_be_bytes => of_characters(a, b, arguments.case),
        asked => {
            if !asked {
                tell_bytes([], &[&a.symbols, &b.symbols]);
            }
            Strings::of_bytes(a, b)
        }
    };
    for (letter, string) in [("A", &strings.a), ("B", &strings.b)] {
        let Sequence { name, symbols, kind, .. } = string;
        log::info!("{letter} is {} with {} symbols, {}", Visible(name), symbols.len(), taken_for(*kind));
    }
    Ok((strings, engine))
}

/// Takes characters for the symbols of two texts, if there are any outside ASCII.
fn of_characters(mut a: Sequence, mut b: Sequence, case: CaseArgument) -> Strings {
    let is_text =
        [&a, &b].iter().all(|string| string.kind == Kind::Bytes) && !(a.symbols.is_ascii() && b.symbols.is_ascii());
    if !is_text {
        return Strings::of_bytes(a, b);
    }
    let (Ok(one), Ok(other)) = (std::str::from_utf8(&a.symbols), std::str::from_utf8(&b.symbols)) else {
        tell_bytes([], &[&a.symbols, &b.symbols]);
        return Strings::of_bytes(a, b);
    };
    let texts = match case {
        CaseArgument::Ignore => [one, other].map(in_one_case),
        _ => [one, other].map(str::to_owned),
    };
    let (codes, numbers): ([Vec<u8>; 2], _) = match code_pair(&texts[0], &texts[1]) {
        Some(codes) => (codes, None),
        None => {
            let numbers = [&texts[0], &texts[1]].map(|text| numbers_of(text.as_bytes()));
            // The low bits: characters of one block have different codes.
            (numbers.each_ref().map(|numbers| numbers.iter().map(|&number| number as u8).collect()), Some(numbers))
        }
    };
    for (string, codes) in [&mut a, &mut b].into_iter().zip(codes) {
        (string.symbols, string.kind) = (codes, Kind::Characters);
    }
    Strings { a, b, texts: Some(texts), numbers }
}

fn taken_for(kind: Kind) -> &'static str {
    match kind {
        Kind::Nucleotide => "taken for nucleotides",
        Kind::Protein => "taken for a protein",
        Kind::Bytes => "bytes",
        Kind::Characters => "characters",
    }
}

/// Where the result goes.
pub(super) struct Targets {
    /// None for standard output.
    pub output: Option<OutputFile>,
    pub plot: Option<OutputFile>,
}

impl Targets {
    /// No output.
    pub const NONE: Self = Self { output: None, plot: None };

    /// Finds what can be known to be wrong before hours of work.
    pub fn open(output: &Option<PathBuf>, plot: &Option<PathBuf>) -> Result<Self> {
        if let Some(path) = plot {
            let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
            if !matches!(extension.as_deref(), Some("svg" | "png")) {
                return Err(Error::Usage(format!("{}: a plot's file name ends in .svg or .png", path.display())));
            }
        }
        let open = |path: &Option<PathBuf>| path.as_deref().map(open_output).transpose();
        let (output, plot) = (open(output)?, open(plot)?);
        if let (Some(output), Some(plot)) = (&output, &plot)
            && output.is_same(plot)
        {
            let name = plot.path().display();
            return Err(Error::Usage(format!("-o and --plot name the same file, {name}; give them two")));
        }
        if output.is_none() {
            drop(super::stdout()?);
        }
        Ok(Self { output, plot })
    }
}

fn read(arguments: &StringArguments) -> Result<(Sequence, Sequence)> {
    let case = Case::from(arguments.case);
    if arguments.literal {
        let literal = |text: &OsStr| match text.to_str() {
            Some(text) => Ok(Sequence::literal(text).with_case(case)),
            None => {
                Err(Error::Usage("a string given with -e is UTF-8; put other bytes into a file and use --raw".into()))
            }
        };
        return Ok((literal(&arguments.a)?, literal(&arguments.b)?));
    }
    if arguments.a == "-" && arguments.b == "-" {
        return Err(Error::Usage("only one of A and B can be standard input".into()));
    }
    let read = |path: &OsStr, record: &Option<String>| {
        let (raw, keep_compressed) = (arguments.raw, arguments.no_decompress);
        // The case as it is, so that what becomes of it can be told.
        let options = ReadOptions::default().raw(raw).keep_compressed(keep_compressed).case(Case::Keep);
        let options = match record {
            Some(name) => options.record(name),
            None => options,
        };
        sequence::read(path, &options).map_err(|error| match error {
            Error::Io { path, source } if source.kind() == io::ErrorKind::NotFound && is_word(&path) => {
                let reason = "no such file; to compare the two strings themselves, use -e";
                Error::Io { path, source: io::Error::new(source.kind(), reason) }
            }
            error => error,
        })
    };
    // Both at a time: to decompress takes longer than to read.
    let (a, b) = rayon::join(|| read(&arguments.a, &arguments.record_a), || read(&arguments.b, &arguments.record_b));
    let (mut a, mut b) = (a?, b?);
    if case == Case::Auto {
        tell_kinds(&a, &b);
    }
    unify_uracil(&mut a, &mut b);
    Ok((a.with_case(case), b.with_case(case)))
}

/// Says what the strings are taken for where their letters do not tell, or are of two kinds, and it changes the result: small letters
/// are those of nucleotides and not those of proteins.
pub(super) fn tell_kinds(a: &Sequence, b: &Sequence) {
    let has_small = |sequence: &Sequence| sequence.symbols.iter().any(u8::is_ascii_lowercase);
    let uncertain = !a.kind_is_certain || !b.kind_is_certain || a.kind != b.kind;
    let records = [a, b].iter().all(|sequence| sequence.kind != Kind::Bytes);
    if records && uncertain && (has_small(a) || has_small(b)) {
        let of = |sequence: &Sequence| match sequence.kind {
            Kind::Nucleotide => "nucleotides, whose case is ignored",
            _ => "a protein, whose case is kept",
        };
        note(&format!("A is taken for {}, B for {}; --case ignore or keep is for both", of(a), of(b)));
    }
}

/// What may well be meant as a string, not as the name of a file.
fn is_word(path: &Path) -> bool {
    path.extension().is_none() && path.components().count() == 1
}

/// To a file, whole or not at all, or to standard output.
pub(super) fn write(
    file: Option<OutputFile>,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<()> {
    match file {
        Some(file) => file.write(write),
        None => print(write),
    }
}
