//! Reads a FASTA or FASTQ input to its end, and keeps one record or a part of it.

use super::Format;
use super::chosen::Chosen;
use super::chunks::{Division, Feed};
use super::parse::{Parser, Visitor, blanks, line_behind, may_be_mark};
use super::region::Request;
use super::selection::Selection;
use super::source::{Bytes, HEAD, Source};
use crate::error::InputFault;
use crate::{Result, memory};
use std::ops::Range;

/// A record, and the format of its file.
pub(super) struct Found {
    pub format: Format,
    pub chosen: Chosen,
}

/// Returns the requested record, or without a request the only record. Holds at most two records
/// in memory. O(file).
///
/// # Errors
/// [`Error::Input`](crate::Error::Input) if no record or several records qualify, or the file is
/// truncated or neither FASTA nor FASTQ.
pub(super) fn choose(mut bytes: Bytes, request: Option<Request<'_>>) -> Result<Found> {
    let known = bytes.known;
    let is_known = |head: &[u8]| match head.get(blanks(head)) {
        None => false,
        Some(b';') => Format::detect(head).is_some(),
        Some(_) => !may_be_mark(head),
    };
    let mut head = bytes.head(is_known)?;
    bytes.source.refuse_utf_16(&head)?;
    if known.is_none() {
        bytes.source.refuse_two_bit(&head)?;
    }
    let start = blanks(&head);
    let mut line = bytes.first_line(&head[..start]);
    head.drain(..start);
    let mut buffer = vec![0; HEAD];
    // There are more blanks than fit into the head.
    while head.is_empty() {
        let count = bytes.read(&mut buffer)?;
        if count == 0 {
            return Err(bytes.source.wrong(InputFault::Empty, "the file is empty; a FASTA or FASTQ record is needed"));
        }
        let blank = buffer[..count].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        line += line_behind(&buffer[..blank]) - 1;
        head.extend_from_slice(&buffer[blank..count]);
    }
    let format = match head[0] {
        b'>' => Format::Fasta,
        b';' if Format::detect_whole(&head) == Format::Fasta => Format::Fasta,
        b'@' => Format::Fastq,
        other => {
            let start = other.escape_ascii();
            let reason = format!("neither FASTA (starts with '>') nor FASTQ ('@'): the file starts with '{start}'");
            return Err(bytes.source.wrong(InputFault::NoFormat, reason));
        }
    };
    let mut choice = Choice {
        request,
        selection: Selection::new(request),
        line,
        chosen: Chosen::default(),
        window: 0..0,
        len: 0,
        qualities: 0,
        is_taken: false,
    };
    let mut parser = Parser::new(format, &bytes.source, line);
    let source = bytes.source.clone();
    let mut feed = Feed::new(bytes, format, Division::new);
    feed.parse_head(&head, &mut parser, &mut choice)?;
    while !choice.selection.is_hopeless() {
        if !feed.parse_next(&mut parser, &mut choice)? {
            parser.finish(&mut choice)?;
            break;
        }
    }
    let mut chosen = choice.finish(&source)?;
    if let Some(known) = known {
        chosen.excerpt = known.excerpt;
    }
    Ok(Found { format, chosen })
}

/// Keeps the record that fits best.
struct Choice<'r> {
    request: Option<Request<'r>>,
    selection: Selection<'r>,
    /// Number of the record's first line.
    line: u64,
    chosen: Chosen,
    /// Range of the chosen record's symbols to keep.
    window: Range<u64>,
    /// Number of symbols of the chosen record.
    len: u64,
    /// Number of qualities of the chosen record.
    qualities: u64,
    /// True if the current record is the chosen one.
    is_taken: bool,
}

impl Choice<'_> {
    fn finish(mut self, source: &Source) -> Result<Chosen> {
        let selected = self.selection.selected(source)?;
        if let Some(request) = &self.request {
            self.chosen.locate(request, selected.by, self.len, source)?;
        }
        Ok(self.chosen)
    }
}

/// Returns the range to keep of the next `len` symbols of a record, which follow `before` others.
fn kept(window: &Range<u64>, before: u64, len: usize) -> Range<usize> {
    let clip = |end: u64| usize::try_from(end.saturating_sub(before)).unwrap_or(len).min(len);
    clip(window.start)..clip(window.end).max(clip(window.start))
}

impl Visitor for Choice<'_> {
    fn line(&mut self, number: u64) -> Result<()> {
        self.line = number;
        Ok(())
    }

    fn begin(&mut self, header: &[u8], _: u64) -> Result<()> {
        let by = self.selection.consider(header)?;
        self.is_taken = by.is_some();
        if let Some(by) = by {
            memory::check::<u8>(header.len(), "the header of a record")?;
            self.chosen = Chosen { header: header.to_vec(), line: self.line, ..Chosen::default() };
            self.window = self.request.map_or(0..u64::MAX, |request| request.window(by));
            self.len = 0;
            self.qualities = 0;
        }
        Ok(())
    }

    fn symbols(&mut self, symbols: &[u8]) -> Result<()> {
        if self.is_taken {
            let kept = &symbols[kept(&self.window, self.len, symbols.len())];
            memory::reserve(&mut self.chosen.symbols, kept.len(), "the symbols of a record")?;
            self.chosen.symbols.extend_from_slice(kept);
            self.len += symbols.len() as u64;
        }
        Ok(())
    }

    fn quality(&mut self, qualities: &[u8]) -> Result<()> {
        if self.is_taken && self.request.is_some() {
            let kept = &qualities[kept(&self.window, self.qualities, qualities.len())];
            memory::reserve(&mut self.chosen.qualities, kept.len(), "the qualities of a record")?;
            self.chosen.qualities.extend_from_slice(kept);
            self.qualities += qualities.len() as u64;
        }
        Ok(())
    }

    fn end(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_window_make_the_window() {
        let all: Vec<u8> = (0..50).collect();
        for (window, len) in
            [(0..u64::MAX, 50), (0..0, 0), (7..20, 13), (Range { start: 20, end: 7 }, 0), (48..60, 2), (50..60, 0)]
        {
            for step in 1..20 {
                let pieces = all.chunks(step).enumerate();
                let found: Vec<u8> = pieces
                    .flat_map(|(number, piece)| &piece[kept(&window, (number * step) as u64, piece.len())])
                    .copied()
                    .collect();
                assert_eq!(found.len(), len, "{window:?} {step}");
                assert_eq!(found.first().map(|&first| u64::from(first)), (len > 0).then_some(window.start));
            }
        }
    }
}
