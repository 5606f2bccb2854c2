//! Output of `carrywave distance` for two strings.

use super::arguments::{ModeArgument, Output};
use crate::shared::json::write_json;
use crate::shared::output::write;
use crate::shared::span::{Span, in_records};
use crate::shared::strings::Strings;
use crate::shared::table::{PafLine, first_word};
use carrywave::Result;
use carrywave::alignment::{Alignment, Operation, Run};
use carrywave::distance::{EditScript, Mode};
use carrywave::io::output::OutputFile;
use carrywave::lcs::CommonSubsequence;
use carrywave::text::Strand;
use carrywave::view::blocks::{Numbers, WIDTH, write_blocks_of_text, write_numbered_blocks};
use std::io::{self, Write};
use std::ops::Range;

/// Prints the result for two strings.
pub struct Printer<'s> {
    pub output: Output,
    pub mode: ModeArgument,
    pub strings: &'s Strings,
    /// Score, if the strings are the parts of an overlap.
    pub score: Option<u64>,
    /// Start of the rotation, if B is one.
    pub rotation: Option<u64>,
}

impl Printer<'_> {
    /// Prints a script.
    pub fn script(&self, file: Option<OutputFile>, placed: &Placed) -> Result<()> {
        let Strings { a, b, texts, .. } = self.strings;
        let Placed { script, place, .. } = placed;
        let [in_a, in_b] = [a, b].map(Span::new);
        let place = in_b.start + place.start..in_b.start + place.end;
        write(file, |out| match self.output {
            Output::Distance | Output::Places if self.score.is_some() => self.write_overlap(out, script.distance()),
            Output::Distance => writeln!(out, "{}", script.distance()),
            Output::Places => writeln!(out, "{}\t{}\t{}", place.start, place.end, script.distance()),
            Output::Cigar => {
                script.write_cigar(out)?;
                writeln!(out)
            }
            Output::Blocks => {
                let strings = [(a, Numbers::From(in_a.start)), (b, Numbers::From(in_b.start))];
                match texts {
                    Some([one, other]) => write_blocks_of_text(out, strings, [one, other], placed, WIDTH),
                    None => write_numbered_blocks(out, strings[0], strings[1], placed, WIDTH),
                }
            }
            Output::Json => {
                let document = DistanceDocument {
                    place: self.place(Some(place.start), Some(place.end)),
                    distance: Some(script.distance()),
                    runs: Some(in_records(placed.runs(), in_a.start, in_b.start).collect()),
                    ..self.document()
                };
                write_json(out, &document)
            }
            Output::Paf => self.write_paf(out, placed),
        })
    }

    /// Writes the score of an overlap and the distance of its parts, and with `--output places` the
    /// parts.
    pub fn write_overlap(&self, out: &mut dyn Write, distance: u64) -> io::Result<()> {
        let score = self.score.unwrap_or(0);
        let [a, b] = [&self.strings.a, &self.strings.b].map(Span::new);
        match self.output {
            Output::Places if score > 0 => {
                writeln!(out, "{}\t{}\t{}\t{}\t{distance}\t{score}", a.start, a.end, b.start, b.end)
            }
            Output::Distance => writeln!(out, "{score}\t{distance}"),
            _ => Ok(()),
        }
    }

    /// Reports that the distance exceeds the maximum.
    pub fn above(&self, file: Option<OutputFile>, maximum: u64) -> Result<()> {
        write(file, |out| match self.output {
            Output::Distance | Output::Cigar | Output::Blocks => writeln!(out, ">{maximum}"),
            Output::Places | Output::Paf => Ok(()),
            Output::Json => {
                let place = self.place(None, None);
                write_json(out, &DistanceDocument { place, maximum: Some(maximum), ..self.document() })
            }
        })
    }

    /// Returns the JSON document without a distance.
    fn document(&self) -> DistanceDocument<'_> {
        let Strings { a, b, .. } = self.strings;
        DistanceDocument {
            a: &a.name,
            b: &b.name,
            place: None,
            score: self.score,
            rotation: self.rotation,
            distance: None,
            maximum: None,
            a_len: Span::new(a).record_len,
            b_len: Span::new(b).record_len,
            a_region: Span::of_region(a),
            b_region: Span::of_region(b),
            runs: None,
        }
    }

    fn place(&self, start: Option<u64>, end: Option<u64>) -> Option<PartOfB> {
        match self.mode {
            ModeArgument::PartOfB(Mode::Global) => None,
            ModeArgument::PartOfB(mode) => Some(PartOfB { mode: mode.to_string(), start, end }),
            ModeArgument::Overlap => Some(PartOfB { mode: "overlap".into(), start: None, end: None }),
        }
    }

    fn write_paf(&self, out: &mut dyn Write, placed: &Placed) -> io::Result<()> {
        let Placed { script, place, .. } = placed;
        let query = Span::new(&self.strings.a);
        let target = Span::new(&self.strings.b);
        let line = PafLine {
            query: first_word(&self.strings.a.name),
            query_len: query.record_len,
            query_start: query.start,
            query_end: query.end,
            strand: Strand::Forward,
            target: first_word(&self.strings.b.name),
            target_len: target.record_len,
            start: target.start + place.start,
            end: target.start + place.end,
            matches: script.matches(),
            // Each match and each substitution is one column of the alignment.
            columns: script.operations().map(|operation| operation.len()).sum(),
            errors: script.distance(),
        };
        line.write(out, |out| script.write_cigar(out))
    }
}

/// Object that `--output json` prints.
#[derive(serde::Serialize)]
struct DistanceDocument<'r> {
    a: &'r str,
    b: &'r str,
    #[serde(flatten)]
    place: Option<PartOfB>,
    /// Score of an overlap.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<u64>,
    /// Start of the rotation of B.
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<u64>,
    /// Distance in edits, or `None` if it exceeds the maximum.
    distance: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<u64>,
    /// Length of the whole record, which positions refer to.
    a_len: u64,
    b_len: u64,
    /// The compared part of A, if a region was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    a_region: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b_region: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<Vec<Run>>,
}

/// Part of B that the script compares, in the modes prefix, suffix and infix.
#[derive(serde::Serialize)]
struct PartOfB {
    mode: String,
    #[serde(rename = "b_start", skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    #[serde(rename = "b_end", skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
}

/// An edit script of A and a part of B, with positions in all of B.
pub struct Placed {
    pub script: EditScript,
    /// Range of the part in B.
    pub place: Range<u64>,
    /// Number of symbols of B.
    pub b_len: u64,
}

impl Placed {
    /// Iterates over the runs of matches.
    pub fn runs(&self) -> impl Iterator<Item = Run> + '_ {
        self.script.runs().iter().map(|run| Run { b_start: run.b_start + self.place.start, ..*run })
    }

    /// Returns the matches as a common subsequence of A and all of B.
    pub fn common_subsequence(&self) -> Result<CommonSubsequence> {
        CommonSubsequence::new(self.runs().collect(), self.script.a_len(), self.b_len)
    }
}

impl Alignment for Placed {
    fn a_len(&self) -> u64 {
        self.script.a_len()
    }

    fn b_len(&self) -> u64 {
        self.b_len
    }

    fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        let start = self.place.start;
        self.script.operations().map(move |operation| match operation {
            Operation::Match(run) => Operation::Match(Run { b_start: run.b_start + start, ..run }),
            Operation::Deletion { b_start, len } => Operation::Deletion { b_start: b_start + start, len },
            Operation::Substitution { a_start, b_start, len } => {
                Operation::Substitution { a_start, b_start: b_start + start, len }
            }
            insertion @ Operation::Insertion { .. } => insertion,
        })
    }
}
