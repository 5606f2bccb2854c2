//! Output of `carrywave lcs` for two strings.

use super::arguments::{Arguments, Output};
use super::meaning::Meaning;
use crate::shared::json::write_json;
use crate::shared::notes::note;
use crate::shared::output::write;
use crate::shared::span::{Span, in_records};
use crate::shared::strings::Strings;
use crate::shared::table::{PafLine, first_word};
use carrywave::Result;
use carrywave::alignment::Run;
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::{Kind, Sequence};
use carrywave::lcs::CommonSubsequence;
use carrywave::text::Strand;
use carrywave::view::blocks::{Numbers, WIDTH, write_blocks_of_text, write_numbered_blocks};
use std::io::{self, IsTerminal, Write};

/// Minimum length of both strings for a note on a terminal that interprets the LCS length. Even
/// unrelated short strings have much in common.
const MEANINGFUL: usize = 100;

/// Two strings, and the compared strand of the second one.
pub struct ComparedStrings<'s> {
    pub strings: &'s Strings,
    pub strand: Strand,
    /// B or its reverse complement, as compared.
    pub compared: &'s Sequence,
    /// Start of the rotation, if B is one.
    pub rotation: Option<u64>,
}

impl ComparedStrings<'_> {
    fn meaning(&self, length: u64) -> Meaning {
        Meaning::new(length, &self.strings.a.symbols, &self.compared.symbols)
    }

    /// Prints the length or the summary, which need no alignment.
    pub fn print_length(&self, arguments: &Arguments, file: Option<OutputFile>, length: u64) -> Result<()> {
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

    /// Prints the LCS in the form that the arguments choose.
    pub fn print(&self, arguments: &Arguments, file: Option<OutputFile>, lcs: &CommonSubsequence) -> Result<()> {
        let Strings { a, texts, .. } = self.strings;
        let b = self.compared;
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
                let span = self.span_of_b();
                let numbers = match self.strand {
                    Strand::Forward => Numbers::From(span.start),
                    Strand::Reverse => Numbers::Down(span.end),
                };
                let strings = [(a, Numbers::From(Span::new(a).start)), (b, numbers)];
                match texts {
                    Some([one, other]) => write_blocks_of_text(out, strings, [one, other], lcs, WIDTH),
                    None => write_numbered_blocks(out, strings[0], strings[1], lcs, WIDTH),
                }
            }),
            Output::Json => {
                let expected = arguments.expected.then(|| self.meaning(lcs.len()).expected);
                let regions = [a, &self.strings.b].map(Span::of_region);
                let in_a = Span::new(a);
                let in_b = self.span_of_b();
                let runs = in_records(lcs.runs().iter().copied(), in_a.start, in_b.before(self.strand));
                let document = LcsDocument {
                    a_region: regions[0],
                    b_region: regions[1],
                    a: &a.name,
                    b: &b.name,
                    strand: arguments.strand.map(|_| self.strand),
                    identity: lcs.identity(),
                    expected: expected.map(|expected| expected.length),
                    expected_error: expected.map(|expected| expected.standard_error),
                    rotation: self.rotation,
                    length: lcs.len(),
                    a_len: in_a.record_len,
                    b_len: in_b.record_len,
                    runs: runs.collect(),
                };
                write(file, |out| write_json(out, &document))
            }
            Output::Paf => write(file, |out| self.write_paf(out, lcs)),
        }
    }

    /// Returns the part of its record that B is, on the forward strand.
    fn span_of_b(&self) -> Span {
        Span::new(&self.strings.b)
    }

    /// Writes a line of PAF: A is the query and B the target. The script runs along the forward
    /// strand of B, so the script of the reverse strand is reversed.
    fn write_paf(&self, out: &mut dyn Write, lcs: &CommonSubsequence) -> io::Result<()> {
        let reversed = (self.strand == Strand::Reverse).then(|| lcs.reversed());
        let lcs = reversed.as_ref().unwrap_or(lcs);
        let columns = lcs.a_len() + lcs.b_len() - lcs.len();
        let query = Span::new(&self.strings.a);
        let target = self.span_of_b();
        let line = PafLine {
            query: first_word(&self.strings.a.name),
            query_len: query.record_len,
            query_start: query.start,
            query_end: query.end,
            strand: self.strand,
            target: first_word(&self.strings.b.name),
            target_len: target.record_len,
            start: target.start,
            end: target.end,
            matches: lcs.len(),
            columns,
            errors: columns - lcs.len(),
        };
        line.write(out, |out| lcs.write_cigar(out))
    }
}

/// Returns the characters of a text that belong to a common subsequence.
fn characters(text: &str, lcs: &CommonSubsequence) -> String {
    let mut rest = text.chars();
    let mut at = 0;
    let mut subsequence = String::new();
    for run in lcs.runs() {
        let left_out = (run.a_start - at) as usize;
        subsequence.extend(rest.by_ref().skip(left_out).take(run.len as usize));
        at = run.a_start + run.len;
    }
    subsequence
}

/// Writes UTF-8 text; bytes of an incomplete character are written as `\xc3`.
fn write_characters(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    for chunk in bytes.utf8_chunks() {
        out.write_all(chunk.valid().as_bytes())?;
        chunk.invalid().iter().try_for_each(|byte| write!(out, "\\x{byte:02x}"))?;
    }
    Ok(())
}

/// Object that `--output json` prints.
#[derive(serde::Serialize)]
struct LcsDocument<'r> {
    a: &'r str,
    b: &'r str,
    /// Compared strand of B, if `--strand` is given. The runs refer to this strand.
    #[serde(skip_serializing_if = "Option::is_none")]
    strand: Option<Strand>,
    identity: Option<f64>,
    /// Expected LCS length of random strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    /// Standard error of the expected length.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_error: Option<f64>,
    /// The compared part of A, if a region was chosen; lengths and positions are those of the whole
    /// record.
    #[serde(skip_serializing_if = "Option::is_none")]
    a_region: Option<Span>,
    /// The compared part of B, likewise, on the forward strand.
    #[serde(skip_serializing_if = "Option::is_none")]
    b_region: Option<Span>,
    /// Start of the rotation of B.
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<u64>,
    length: u64,
    /// Lengths of the whole records.
    a_len: u64,
    b_len: u64,
    /// Matches, with positions in the whole records, on the compared strand of B.
    runs: Vec<Run>,
}
