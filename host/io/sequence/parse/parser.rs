//! The parser of an input, by its format.

use super::cut::Cut;
use super::fasta::Fasta;
use super::fastq::Fastq;
use super::lines::Lines;
use super::visitor::Visitor;
use crate::Result;
use crate::io::sequence::Format;
use crate::io::sequence::source::Source;

/// Parser that finds the records of one input.
pub(in crate::io::sequence) enum Parser {
    Lines(Lines),
    Fasta(Fasta),
    Fastq(Fastq),
}

impl Parser {
    /// Returns a parser for an input whose next line has the number `line`, 1-based.
    pub fn new(format: Format, source: &Source, line: u64) -> Self {
        match format {
            Format::Lines => Self::Lines(Lines::default()),
            Format::Fasta => Self::Fasta(Fasta::new(source, line)),
            Format::Fastq => Self::Fastq(Fastq::new(source, line)),
        }
    }

    /// Returns a parser of lines, from byte `place` of the file on.
    pub fn lines_after(place: u64) -> Self {
        Self::Lines(Lines::after(place))
    }

    /// Returns a parser for the bytes after a [`cut`](super::cut()). Its line numbers count from 0.
    /// Returns `None` for lines: finding them is as fast as joining them.
    pub fn behind_cut(format: Format, source: &Source, cut: Cut) -> Option<Self> {
        match format {
            Format::Lines => None,
            Format::Fasta => Some(Self::Fasta(Fasta::within(source, cut))),
            Format::Fastq => Some(Self::Fastq(Fastq::new(source, 0))),
        }
    }

    /// Returns the number of the next line or, within a line, of this line, if a parser of
    /// [`behind_cut`](Self::behind_cut) would parse what follows alike.
    pub fn handover(&self, cut: Cut) -> Option<u64> {
        match self {
            Self::Lines(_) => None,
            Self::Fasta(fasta) => fasta.handover(cut),
            Self::Fastq(fastq) => fastq.handover(),
        }
    }

    /// Adds to the line numbers.
    pub fn skip_lines(&mut self, lines: u64) {
        match self {
            Self::Lines(_) => {}
            Self::Fasta(fasta) => fasta.skip_lines(lines),
            Self::Fastq(fastq) => fastq.skip_lines(lines),
        }
    }

    /// Parses the next bytes.
    pub fn take(&mut self, bytes: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        match self {
            Self::Lines(lines) => lines.take(bytes, visitor),
            Self::Fasta(fasta) => fasta.take(bytes, visitor),
            Self::Fastq(fastq) => fastq.take(bytes, visitor),
        }
    }

    /// Parses the end of the input.
    pub fn finish(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        match self {
            Self::Lines(lines) => lines.finish(visitor),
            Self::Fasta(fasta) => fasta.finish(visitor),
            Self::Fastq(fastq) => fastq.finish(visitor),
        }
    }
}
