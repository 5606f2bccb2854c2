//! `carrywave lcs`

use super::aligned::Field;
use super::engine::{EngineArguments, GpuArguments, algorithms_help, long_help};
use super::lcs_meaning::Meaning;
use super::lcs_records::{RecordsArgument, Table};
use super::members::MemberArguments;
use super::plot::{Advice, plot};
use super::progress::{CELLS, bar};
use super::strand::{Chosen, StrandArgument, choose};
use super::strings::{StringArguments, Strings, Targets, UnitArguments, open_and_read, write};
use super::{json, named, note};
use carrywave::alignment::runs::CommonSubsequence;
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::{Kind, Sequence};
use carrywave::lcs::{self, Algorithm, Comparison, Lcs};
use carrywave::text::Strand;
use carrywave::view::blocks::{Numbers, WIDTH, write_blocks_of_text, write_numbered_blocks};
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave lcs human.fa mouse.fa                      the length
  carrywave lcs -e ABCBDAB BDCABA --output blocks      two strings, side by side
  carrywave lcs a.fa.gz b.fa.gz --output cigar -o ab.cigar --plot ab.svg
  carrywave lcs a.fa.gz b.fa.gz --strand auto --output summary
                                                       whichever strand of B is like A, and what the length means
  carrywave lcs a.fa.gz b.fa.gz --records best         of each record of A the most similar one of B, as a table
  carrywave lcs -e ABCBDAB BDCABA --output cigar --engine simt --algorithm block-step --rules published

A symbol of two texts (-e, --raw) is a character, if both are UTF-8; with --bytes it is a byte. In nucleotides case is ignored, and U
is T beside DNA.

An LCS is global and in order: it sees no inversions and no pieces that moved. Of unrelated DNA it is 65 % of the length: --output summary
and --expected tell what random strings have. With --strand reverse, or auto where it takes that strand, the second string is the reverse
complement of B: cigar, subsequence and the runs of json are of A and that one, blocks number it downwards as it lies in B, paf and --plot have
positions on B's forward strand.";

/// The longest common subsequence of two strings.
#[derive(Debug, Args)]
#[command(after_help = HELP, after_long_help = long_help::<Lcs>(HELP))]
pub struct Arguments {
    #[command(flatten)]
    strings: StringArguments,

    #[command(flatten)]
    unit: UnitArguments,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    members: MemberArguments,

    #[arg(long, default_value = "auto", value_parser = named::<Algorithm>, help = algorithms_help::<Lcs>())]
    algorithm: Algorithm,

    /// How the work is divided between GPU and CPU, and the table into parts.
    #[arg(long, value_enum, default_value_t = Rules::Measured)]
    rules: Rules,

    /// Which strand of B is compared, of nucleotides [default: forward].
    #[arg(long, value_enum)]
    strand: Option<StrandArgument>,

    /// Compare the records of two files that may have several, and print a table with a line for each pair: which they are, the strand of
    /// B, the lengths of both, the LCS, the identity (LCS over the longer one), and the LCS expected of random strings like them. With
    /// --output json objects, one a line.
    #[arg(long, value_enum, conflicts_with_all = ["literal", "raw", "no_decompress", "record_a", "record_b", "plot", "bytes", "expected"])]
    records: Option<RecordsArgument>,

    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Length)]
    output: Output,

    /// Tell besides what LCS is expected of random strings with the same lengths and frequencies of symbols: in json, else on standard error.
    #[arg(long)]
    expected: bool,

    /// Write to this file instead of standard output; it appears whole or not at all.
    #[arg(short = 'o', value_name = "FILE")]
    file: Option<PathBuf>,

    /// Draw a dot plot with the LCS as a path; the file's name ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rules {
    /// By measured speeds: to the GPU goes what it is faster at, and the longer string is cut.
    Measured,
    /// Those of Kawanami and Fujimoto (2014), for block-step and block-step-look-ahead: m + n >= 2,048 symbols go to the GPU; the CPU
    /// takes m < 96 or n < 256 by dynamic programming, the others by bit-vectors; B is cut, down to one symbol. For bit-parallel: their
    /// program without a GPU.
    Published,
}

impl From<Rules> for lcs::Rules {
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Measured => Self::Measured,
            Rules::Published => Self::Published,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// The length of the LCS.
    Length,
    /// The LCS itself.
    Subsequence,
    /// =, I and D: A is the query, B the reference.
    Cigar,
    /// Both strings side by side.
    Blocks,
    /// Names, lengths, identity and runs.
    Json,
    /// What the length means, for people: beside it the identity, and the length expected of random strings like these.
    Summary,
    /// A line as aligners write it, with the tag cg:Z.
    Paf,
}

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments, threads: Option<usize>) -> Result<()> {
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    if let Some(records) = arguments.records {
        arguments.members.refuse("--records compares many pairs, each on one engine")?;
        return table(arguments, records, gpus);
    }
    let cluster = arguments.members.open(&arguments.engine, gpus, threads)?;
    // Of several ranks the first one has the output.
    let prints = cluster.as_ref().is_none_or(|cluster| cluster.rank() == 0);
    let targets = if prints { Targets::open(&arguments.file, &arguments.plot)? } else { Targets::NONE };
    let (strings, engine) =
        open_and_read(&arguments.strings, &arguments.engine, gpus, &arguments.unit, false, cluster.is_some())?;
    let Strings { a, b, numbers, .. } = &strings;

    let only_length = matches!(arguments.output, Output::Length | Output::Summary) && arguments.plot.is_none();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = bar(if only_length { cells } else { cells.saturating_mul(2) }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let mut comparison =
        Comparison::new().algorithm(arguments.algorithm).rules(arguments.rules.into()).on_progress(&on_progress);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }
    if let Some(cluster) = &cluster {
        comparison = comparison.across(cluster);
    }
    let asked = arguments.strand.unwrap_or(StrandArgument::Forward);
    let Chosen { strand, turned, length } = choose(asked, a, b, |b| comparison.length(&a.symbols, b))?;
    let pair = Pair { strings: &strings, strand, compared: turned.as_ref().unwrap_or(b) };
    let [one, other] = [&a.symbols, &pair.compared.symbols];

    if only_length {
        let length = match (length, numbers) {
            (Some(length), _) => Ok(length),
            (None, Some([a, b])) => comparison.alignment_of(a, b).map(|lcs| lcs.len()),
            (None, None) => comparison.length_with_report(one, other).map(|(length, _)| length),
        };
        bar.finish_and_clear();
        let length = length?;
        return if prints { pair.print_length(arguments, targets.output, length) } else { Ok(()) };
    }
    let lcs = match numbers {
        Some([a, b]) => comparison.alignment_of(a, b),
        None => comparison.alignment(one, other),
    };
    bar.finish_and_clear();
    let lcs = lcs?;
    if !prints {
        return Ok(());
    }
    if let Some(file) = targets.plot {
        plot(file, a, b, &lcs, strand, Advice::Option)?;
    }
    pair.print(arguments, targets.output, &lcs)
}

/// `--records`: the table of two files' records.
fn table(arguments: &Arguments, records: RecordsArgument, gpus: GpuArguments) -> Result<()> {
    let json = match arguments.output {
        Output::Length => false,
        Output::Json => true,
        _ => return Err(Error::Usage("--records prints a table, or with --output json objects, one a line".into())),
    };
    Table {
        strings: &arguments.strings,
        engine: &arguments.engine,
        algorithm: arguments.algorithm,
        rules: arguments.rules.into(),
        strand: arguments.strand.unwrap_or(StrandArgument::Forward),
        json,
    }
    .run(records, gpus, &arguments.file)
}

/// Symbols of both strings from which on a terminal is told what a length means: of shorter ones it is much as it is of any.
const MEANINGFUL: usize = 100;

/// Two strings, and the strand of the second one that was compared.
struct Pair<'s> {
    strings: &'s Strings,
    strand: Strand,
    /// B, or its reverse complement.
    compared: &'s Sequence,
}

impl Pair<'_> {
    fn meaning(&self, length: u64) -> Meaning {
        Meaning::of(length, &self.strings.a.symbols, &self.compared.symbols)
    }

    /// Prints what can be told without an alignment.
    fn print_length(&self, arguments: &Arguments, file: Option<OutputFile>, length: u64) -> Result<()> {
        let to_terminal = file.is_none() && io::stdout().is_terminal() && io::stderr().is_terminal();
        if arguments.output == Output::Summary {
            let summary = self.meaning(length).summary([&self.strings.a, &self.strings.b], self.strand);
            return write(file, |out| out.write_all(summary.as_bytes()));
        }
        write(file, |out| writeln!(out, "{length}"))?;
        let Strings { a, b, texts, .. } = self.strings;
        let of_records =
            texts.is_none() && [a, b].iter().all(|s| s.kind != Kind::Bytes && s.symbols.len() >= MEANINGFUL);
        if arguments.expected || to_terminal && of_records {
            note(&self.meaning(length).line());
        }
        Ok(())
    }

    fn print(&self, arguments: &Arguments, file: Option<OutputFile>, lcs: &CommonSubsequence) -> Result<()> {
        let (Strings { a, texts, .. }, b) = (self.strings, self.compared);
        if arguments.expected && !matches!(arguments.output, Output::Json | Output::Length | Output::Summary) {
            note(&self.meaning(lcs.len()).line());
        }
        match arguments.output {
            Output::Length | Output::Summary => self.print_length(arguments, file, lcs.len()),
            Output::Subsequence if let Some([text, _]) = texts => {
                let subsequence = characters(text, lcs);
                write(file, |out| writeln!(out, "{subsequence}"))
            }
            Output::Subsequence => {
                let subsequence = lcs.subsequence(&a.symbols)?;
                let is_text = |sequence: &Sequence| std::str::from_utf8(&sequence.symbols).is_ok();
                let whole_characters = !subsequence.is_ascii() && is_text(a) && is_text(b);
                write(file, |out| {
                    if whole_characters {
                        write_characters(out, &subsequence)?
                    } else {
                        out.write_all(&subsequence)?
                    }
                    writeln!(out)
                })
            }
            Output::Cigar => write(file, |out| {
                lcs.write_cigar(out)?;
                writeln!(out)
            }),
            Output::Blocks => write(file, |out| {
                let numbers = match self.strand {
                    Strand::Forward => Numbers::From(0),
                    Strand::Reverse => Numbers::Down(lcs.b_len()),
                };
                let strings = [(a, Numbers::From(0)), (b, numbers)];
                match texts {
                    Some([one, other]) => write_blocks_of_text(out, strings, [one, other], lcs, WIDTH),
                    None => write_numbered_blocks(out, strings[0], strings[1], lcs, WIDTH),
                }
            }),
            Output::Json => {
                let expected = arguments.expected.then(|| self.meaning(lcs.len()).expected);
                let names = Named {
                    a: &a.name,
                    b: &b.name,
                    strand: arguments.strand.map(|_| self.strand),
                    identity: lcs.identity(),
                    expected: expected.map(|expected| expected.length),
                    expected_error: expected.map(|expected| expected.standard_error),
                    lcs,
                };
                write(file, |out| json(out, &names))
            }
            Output::Paf => write(file, |out| self.write_paf(out, lcs)),
        }
    }

    /// A line of PAF: A is the query and B the target. Its script runs along the forward strand of B, so that of the reverse one it is turned round.
    fn write_paf(&self, out: &mut dyn Write, lcs: &CommonSubsequence) -> io::Result<()> {
        let turned = (self.strand == Strand::Reverse).then(|| lcs.reversed());
        let lcs = turned.as_ref().unwrap_or(lcs);
        let (m, n, matches) = (lcs.a_len(), lcs.b_len(), lcs.len());
        let columns = m + n - matches;
        let name = |name: &str| Field(name.split_whitespace().next().unwrap_or("*")).to_string();
        let [a, b] = [&self.strings.a, &self.strings.b].map(|string| name(&string.name));
        let (sign, errors) = (self.strand.sign(), columns - matches);
        write!(out, "{a}\t{m}\t0\t{m}\t{sign}\t{b}\t{n}\t0\t{n}\t{matches}\t{columns}\t255\tNM:i:{errors}\tcg:Z:")?;
        lcs.write_cigar(out)?;
        writeln!(out)
    }
}

/// The characters of a text that are in a common subsequence.
fn characters(text: &str, lcs: &CommonSubsequence) -> String {
    let (mut rest, mut at) = (text.chars(), 0);
    let mut subsequence = String::new();
    for run in lcs.runs() {
        let left_out = (run.a_start - at) as usize;
        subsequence.extend(rest.by_ref().skip(left_out).take(run.len as usize));
        at = run.a_start + run.len;
    }
    subsequence
}

/// Writes characters, and bytes that are a part of one as `\xc3`.
fn write_characters(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    for chunk in bytes.utf8_chunks() {
        out.write_all(chunk.valid().as_bytes())?;
        chunk.invalid().iter().try_for_each(|byte| write!(out, "\\x{byte:02x}"))?;
    }
    Ok(())
}

/// What `--output json` prints.
#[derive(serde::Serialize)]
struct Named<'r> {
    a: &'r str,
    b: &'r str,
    /// Of B, where it was asked for; the runs are those of this strand.
    #[serde(skip_serializing_if = "Option::is_none")]
    strand: Option<Strand>,
    identity: Option<f64>,
    /// Of random strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    /// The standard error of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_error: Option<f64>,
    #[serde(flatten)]
    lcs: &'r CommonSubsequence,
}
